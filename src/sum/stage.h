/* stage.h: forces of bodies and walls: what a step calls. */
#ifndef SCREE_SUM_STAGE_H
#define SCREE_SUM_STAGE_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* room for the sums; anew: bodies came or went, or lie in another order: what a quantum of force is, who is wide.
 */
void scree_sums_prepare(const model *m, state *s, work *w, bool anew);
/* what contacts have added is as if they had not. */
void scree_sums_forget(work *w);
/* forces to bodies and to walls that move. */
void scree_forces_to_bodies(const model *m, state *s, work *w);
/* of worlds with a fluid: drag and buoyancy, beside the forces of contacts. */
void scree_fluid_to_bodies(const model *m, state *s, work *w);

#endif
