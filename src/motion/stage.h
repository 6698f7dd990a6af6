/* stage.h: the stages that compute positions, orientations and velocities. */
#ifndef SCREE_MOTION_STAGE_H
#define SCREE_MOTION_STAGE_H

#include "base/real.h"
#include "model/declared.h"
#include "work/ahead.h"

/* Drift: half of the kick and all of the displacement; velocities become those predicted for the end of the step. */
void scree_forces_to_motion_drift(const model *m, state *s, work *w);
/* Called before a batch of steps: the caller may have changed bodies, and reads none until step `step` has ended. */
void scree_flights_until(work *w, int64_t step);
/* Called at the end of a step. If the batch ends, or if bodies are `read` before the next step, bodies in free flight
 * make up their postponed steps. Otherwise, these bodies postpone their next step. */
void scree_flights_decide(const model *m, state *s, work *w, bool read);
/* Makes up the postponed steps before bodies are read within a step. */
void scree_flights_land(const model *m, state *s, work *w);
/* Motion of a cell of variable size (cell_to_bodies.c). _begin: before the drift, chooses the cell's acceleration in
 * this step and gives bodies half of the kick of the homogeneous flow; _end: gives the other half after the kick. */
void scree_cell_begin(const model *m, state *s, work *w);
void scree_cell_end(const model *m, state *s);
/* In implicit steps: sets images.coming and .pull. drifted: bodies have moved in the present step */
void scree_cell_ahead(const model *m, state *s, bool drifted);
/* In periodic worlds, bodies that left the cell re-enter on the opposite side. */
void scree_bodies_to_cells(const model *m, state *s, work *w);
/* Counts bodies that the drift moved through planes of the model; called before bodies return to their cells. */
void scree_bodies_through_planes(const model *m, state *s);
/* If correctors or a solver move bodies after the drift: the first function stores their positions (otherwise NULL),
 * and the second counts the bodies that have passed and frees the positions. No bodies are added or removed in
 * between. */
real *scree_planes_note(const model *m, const state *s);
void scree_planes_after(const model *m, state *s, real *noted);
/* Notes the positions of bodies from .. to-1 as those before the drift. */
void scree_note_places(bodies *b, int64_t from, int64_t to);
/* Tests whether there are walls that a body could cross; the test for crossings needs positions before the drift. */
bool scree_walls_have_sides(const model *m);
/* Moves walls to their poses and velocities at the end of the step. Walls with an applied force receive half of the
 * kick, from the load of the last step, and the full displacement. */
void scree_walls_drift(const model *m, state *s, work *w);
/* Applies the second half of the kick to walls with an applied force, using the new load. */
void scree_walls_kick(const model *m, state *s, work *w);
/* Implicit steps (bodies_ahead.c). _limits: sets how far bodies may move ahead, before pairs and rows are tested.
 * _ahead: moves bodies and walls one step ahead with the velocities before the step; _ahead_by: again, with these
 * velocities [bodies], which are clipped to the limits. _back: restores all poses. */
void scree_bodies_limits(const model *m, state *s, work *w);
void scree_bodies_ahead(const model *m, state *s, work *w);
void scree_bodies_ahead_by(const model *m, state *s, work *w, velocity_pair *velocity);
void scree_bodies_back(const model *m, state *s, work *w);
void scree_bodies_ahead_free(look_ahead *o);
/* Repacks the partner records after bodies have been re-sorted. */
void scree_bodies_to_records(const model *m, state *s, work *w);
/* Repacks the partner records of ghosts, which other parts of the world have moved. */
void scree_ghosts_to_records(const model *m, state *s, work *w);
/* Kick: gives bodies the second half of the kick, from the new forces. */
void scree_forces_to_motion_kick(const model *m, state *s, work *w);
/* In impulse steps, in which the solver sets velocities: the largest speed, and whether a body left the domain. */
void scree_bodies_to_guards(const model *m, state *s, work *w);

#endif
