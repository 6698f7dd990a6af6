/* stage.h: the stage that computes impulses of contacts in implicit steps. */
#ifndef SCREE_SOLVER_STAGE_H
#define SCREE_SOLVER_STAGE_H

#include "base/real.h"
#include "model/declared.h"
#include "work/ahead.h"

/* Finds the velocities of the next half step from external forces and the contacts at predicted poses
 * (motion/stage.h). */
void scree_implicit_begin(const model *m, state *s, work *w);
/* [bodies] velocities with which bodies move ahead for a further search (work/ways_ahead.h). */
velocity_pair *scree_implicit_velocities(const model *m, const state *s, work *w);
/* Tests whether patch contacts held by attraction are missing at the predicted poses. A search with the bodies at rest
 * finds them. */
bool scree_implicit_misses(const model *m, state *s, work *w);
velocity_pair *scree_implicit_still(const state *s, work *w);
/* Adds the contacts of bodies with these velocities; if there are any, computes new velocities and returns true. held:
 * whether to search for contacts that attraction holds */
bool scree_implicit_more(const model *m, state *s, work *w, bool held);
/* Stiffness of the spring along the surface of hard contact row k, whose share of the pair is known, in N/m. */
real scree_hard_shear(const model *m, const state *s, const work *w, int kind, int64_t k);
/* Computes forces on bodies, loads on walls, and histories and accounts of contacts from the velocities. */
void scree_implicit_end(const model *m, state *s, work *w);

#endif
