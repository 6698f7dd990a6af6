/* stage.h: the stage that sums forces of bodies and walls. */
#ifndef SCREE_SUM_STAGE_H
#define SCREE_SUM_STAGE_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* Makes room for the sums. If bodies were added, removed or re-sorted (the last argument), the quantum of force and the
 * set of wide bodies are computed again. */
void scree_sums_prepare(const model *m, state *s, work *w, bool renew);
/* Removes the contributions of contacts. */
void scree_sums_forget(work *w);
/* Computes forces on bodies and on walls that move. */
void scree_forces_to_bodies(const model *m, state *s, work *w);
/* Worlds with a fluid: adds drag and buoyancy to the forces of contacts. */
void scree_fluid_to_bodies(const model *m, state *s, work *w);
/* Adds forces from outside (work/applied.h) at this time of positions and velocities, s. */
void scree_applied_to_bodies(const model *m, state *s, work *w, real time);

#endif
