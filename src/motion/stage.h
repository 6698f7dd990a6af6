/* stage.h: the stages that compute positions, orientations and velocities. */
#ifndef SCREE_MOTION_STAGE_H
#define SCREE_MOTION_STAGE_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* Half a kick and a whole move; velocities become those predicted for the end of the step. */
void scree_forces_to_motion_drift(const model *m, state *s, work *w);
/* Before a batch of steps: the caller does not read bodies before this step has ended, and may have changed them. */
void scree_flights_until(work *w, int64_t step);
/* At the end of a step: bodies in free flight make their postponed steps if the batch ends or bodies are `read` before
 * the next step; else they postpone their next ones. */
void scree_flights_decide(const model *m, state *s, work *w, bool read);
/* Makes the postponed steps, before bodies are read within a step. */
void scree_flights_land(const model *m, state *s, work *w);
/* Worlds with periods: bodies that left the cell re-enter on the opposite side. */
void scree_bodies_to_cells(const model *m, state *s, work *w);
/* Poses and velocities of walls at the end of the step. Walls with an applied force: half a kick and a whole move, by
 * the load of the last step. */
void scree_walls_drift(const model *m, state *s, work *w);
/* The other half of their kick, by the new load. */
void scree_walls_kick(const model *m, state *s, work *w);
/* Repacks the partner records after bodies were re-sorted. */
void scree_bodies_to_records(const model *m, state *s, work *w);
/* Repacks those of ghosts alone, which other parts of the world have moved. */
void scree_ghosts_to_records(const model *m, state *s, work *w);
/* The other half of the kick. */
void scree_forces_to_motion_kick(const model *m, state *s, work *w);
/* Steps by impulses, whose solver computes velocities: greatest speed, and whether a body is outside. */
void scree_bodies_to_guards(const model *m, state *s, work *w);

#endif
