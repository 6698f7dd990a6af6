/* stage.h: positions, orientations and velocities: what a step calls. */
#ifndef SCREE_MOTION_STAGE_H
#define SCREE_MOTION_STAGE_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* of integrators that keep derivatives: the second, of bodies from .. to-1, from the forces as they stand. */
void scree_motion_start(const model *m, state *s, int64_t from, int64_t to);
/* half a kick and a whole move; velocities become those predicted for the end of the step. */
void scree_forces_to_motion_drift(const model *m, state *s, work *w);
/* those bodies put off their steps from here on, if nobody looks at them soon; and make those that they have
 * put off. */
void scree_flights_begin(state *s, work *w);
void scree_flights_land(const model *m, state *s, work *w);
/* of worlds with periods: bodies that left the cell come in on the other side. */
void scree_bodies_to_cells(const model *m, state *s, work *w);
/* half a kick and a whole move of walls that press with a given force, by the load of the last step. */
void scree_servos_drift(walls *s, real time, real dt);
/* the other half of their kick, by the new load. */
void scree_servos_kick(walls *s, real time, real dt);
/* what the next stages ask of partners, packed anew: the drift did it, but bodies lie in another order now. */
void scree_bodies_to_records(state *s, work *w);
/* of ghosts alone, which others have moved. */
void scree_ghosts_to_records(state *s, work *w);
/* the other half of the kick. */
void scree_forces_to_motion_kick(const model *m, state *s, work *w);
/* of steps by impulses, whose solver has made the velocities: greatest speed, and whether a body is outside.
 */
void scree_bodies_to_guards(const model *m, state *s, work *w);

#endif
