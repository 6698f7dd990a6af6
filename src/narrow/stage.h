/* stage.h: contacts, and bodies that pass through others or through walls: what a step calls. */
#ifndef SCREE_NARROW_STAGE_H
#define SCREE_NARROW_STAGE_H

#include "model/model.h"
#include "narrow/surface/surface.h"
#include "state/state.h"
#include "work/work.h"

/* what they keep from step to step; the memory of a search, and its counts */
struct narrow_work *scree_narrow_work_new(void);
void scree_narrow_work_free(struct narrow_work *w);
/* how pairs of triangles were told apart since the world was made or loaded. */
surface_counts scree_surfaces_counted(const work *w);
/* which rows touch, with what normal, overlap and points. Two spheres are left to the law: one formula. */
void scree_pairs_to_contacts(const model *m, state *s, work *w);
/* is an overlap of two bodies so deep beside their thickness that they may come through each other? */
void scree_bodies_into_bodies(const model *m, state *s, work *w);
/* did a body come over another one within this step? */
void scree_bodies_over_bodies(const model *m, state *s, work *w);
/* the first of two by ids is kept; of the same bodies the deepest */
void scree_keep_first_passing(const bodies *b, const passing *a, passing *first);
/* the least thickness between two bodies, where bodies came or went */
void scree_thinnest_renew(const model *m, state *s, work *w);
/* has the centre of a body come to the other side of a wall in the step that ends at this time? */
void scree_bodies_through_walls(const model *m, state *s, work *w, real time);

#endif
