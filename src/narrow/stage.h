/* stage.h: the stage that finds contacts, and bodies that pass through other bodies or walls. */
#ifndef SCREE_NARROW_STAGE_H
#define SCREE_NARROW_STAGE_H

#include "model/declared.h"
#include "narrow/surface/surface.h"

struct narrow_work *scree_narrow_work_new(void);
void scree_narrow_work_free(struct narrow_work *w);
/* Returns the number of triangle pairs decided by each filter since the world was created or loaded. */
surface_counts scree_surfaces_counted(const work *w);
/* Finds rows of pairs that touch. Pairs of spheres are left to the law, which uses the same formula. */
void scree_pairs_to_contacts(const model *m, state *s, work *w);
/* Does this within an implicit step, with bodies at other poses, but not for pairs that may have several contacts. */
void scree_pairs_to_contacts_again(const model *m, state *s, work *w);
/* Moves one-point contacts to the current poses while bodies are at predicted poses. */
void scree_contacts_to_now(const model *m, state *s, work *w);
/* Finds overlaps so deep, relative to the thickness of the two bodies, that the bodies may pass through each other. */
void scree_bodies_into_bodies(const model *m, state *s, work *w);
/* Finds bodies that passed through another body within this step. */
void scree_bodies_over_bodies(const model *m, state *s, work *w);
/* Updates the smallest thickness of any pair of bodies after bodies were added or removed. */
void scree_thinnest_renew(const model *m, state *s, work *w);
/* Finds bodies whose centre passed through a wall in the step that ends at this time. */
void scree_bodies_through_walls(const model *m, state *s, work *w, real time);
/* Tests whether a body can cross this wall, or be behind it without a force. */
struct wall;
bool scree_wall_can_be_passed(const model *m, const struct wall *o);

#endif
