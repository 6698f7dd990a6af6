/* stage.h: the stage that sums the forces on bodies and walls. */
#ifndef SCREE_SUM_STAGE_H
#define SCREE_SUM_STAGE_H

#include "base/real.h"
#include "model/declared.h"

/* Makes room for sums. renew: recomputes the quantum and wide bodies after bodies were added, removed or re-sorted. */
void scree_sums_prepare(const model *m, state *s, work *w, bool renew);
/* Sets the sums of all threads to zero. */
void scree_sums_forget(work *w);
/* Computes forces on bodies and on moving walls. */
void scree_forces_to_bodies(const model *m, state *s, work *w);
/* Computes loads of moving walls, and the work of walls and of images; the function above includes this. */
void scree_loads_to_walls(const model *m, state *s, work *w);
/* Takes the loads on moving walls (work/work.h), and counts the work; the functions above include this. */
void scree_wall_loads_use(const model *m, state *s, work *w);
/* Adds drag and buoyancy of a fluid to contact forces and, except in implicit steps, their work to the ledger. */
void scree_fluid_to_bodies(const model *m, state *s, work *w);
/* Finds external forces (model/model.h) on owned bodies, including forces computed for their copies. time: time of the
 * current positions and velocities, in s. */
void scree_applied_find(const model *m, const state *s, work *w, real time);
/* Adds external forces, found in the same way, to the sums and, except in implicit steps, their work to the ledger. */
void scree_applied_to_bodies(const model *m, state *s, work *w, real time);
/* After an implicit step is solved, enters the work of both kinds of forces in the ledger (work/joint.h).
 * At the start, the forces act only for the following half step. */
void scree_outer_work(work *w);
void scree_outer_work_begin(const model *m, state *s, const work *w);

#endif
