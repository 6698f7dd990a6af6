/* prepare.h: checks the input of a world and derives data from it, before the first step or after loading. */
#ifndef SCREE_PREPARE_PREPARE_H
#define SCREE_PREPARE_PREPARE_H

#include "base/clock.h"
#include "model/declared.h"
#include "ranks/together/domain.h"
#include "state/contact_key.h"
#include "state/state.h"

/* Derives constants of the laws and checks or sets the step, after setup or loading, or between steps for data that are
 * out of date. A world that has begun keeps its step. step_part: step/shortest contact time (0: 1/50) or, with a
 * solver, displacement of the fastest body/smallest diameter (0: 1/20); step: step in s, or 0 to use step_part */
bool scree_world_prepare(scree_world *w, real step_part, real step, fail *why);

/* longest step, in s, known to be safe; steps are refused only above safe_step of the model. */
real scree_world_known_step(const model *m);
/* Records that the present step is the run's own choice, and that the run may adapt it to the load of contacts. */
void scree_world_own_step(model *m);
/* Like scree_world_prepare, but also sets a new step in a world that has begun, with which a run may then start. */
bool scree_world_prepare_step(scree_world *w, real step_part, real step, fail *why);

/* Results of scree_world_prepare for all bodies, given to parts of the world that were created without bodies. */
enum { PREPARED_REALS = 10 };
typedef struct prepared_numbers {
	real of[PREPARED_REALS]; /* members of the model: steps, times and displacements (prepare.c) */
	int32_t stiffest[2];
	uint32_t remembers[PAIR_KINDS];
} prepared_numbers;
prepared_numbers scree_world_prepared(const model *m, const state *s);
void scree_world_take_prepared(model *m, state *s, const prepared_numbers *from);

/* Derives the data of a response that makes no steps, since it is set only between two others: tests that depend on the
 * step are omitted, and there are no data yet for walls that begin to press with a given force. */
bool scree_world_prepare_between(scree_world *w, fail *why);

/* Tests whether images, or the size of a periodic cell, change little enough in a step. */
bool scree_world_check_shear(const model *m, const state *s, const domain *d, fail *why);
/* Bounds on the step due to bodies, their speeds and materials, in the order in which they are tested. */
enum { BOUND_HEAT, BOUND_BONDS, BOUND_BRIDGES, BOUND_DRAG, BOUND_HALO, BOUND_CONTACTS, BOUNDS };
/* The step divided by each of its bounds; a step is too long if a ratio is above 1. mass: per wall that presses with a
 * given force, the mass required by the step divided by the wall's mass; NULL if there are no such walls */
typedef struct step_excess {
	real by[BOUNDS];
	real *mass;
} step_excess;
/* for a prepared world in its present state; free its `mass` */
step_excess scree_world_step_excess(const model *m, const state *s, const domain *d);
/* Tests whether a world prepared after a change may continue with the model's step: all bounds set by bodies and
 * materials, the shear, and walls that press with a given force. before: excess tolerated by the run so far */
bool scree_world_check_change(model *m, state *s, const domain *d, const step_excess *before, fail *why);
/* Tests, like scree_world_prepare, whether a run may begin with the model's step at the present speeds and loads. */
bool scree_world_check_new_step(model *m, state *s, const domain *d, fail *why);

/* Restores histories of pairs after loading; the next search for pairs finds them by key. */
void scree_world_restore_pairs(const model *m, state *s, work *w, int kind, int64_t count, const contact_key *key,
							   const pair_list *history);

/* Keeps all contacts that have a history or, in a loaded world, all contacts. Returns NULL if there are none. */
kept_contacts *scree_world_keep_contacts(const model *m, const state *s);
/* Makes room for `count` contacts of a kind, with the history columns of the world's contacts. */
void scree_kept_contacts_room(kept_contacts *o, const state *s, int kind, int64_t count);
void scree_kept_contacts_free(kept_contacts *o);
/* Restores kept contacts and frees them. */
void scree_world_restore_contacts(const model *m, state *s, work *w, kept_contacts *o);

/* Tests the positions of walls, and whether periods exceed twice the largest cut-off of bodies, including those of
 * sources. */
bool scree_world_periods_check(const model *m, const state *s, const work *w, fail *why);
/* Tests whether the integrator can rotate the shapes of all bodies, including those of sources. */
bool scree_world_turns_check(const model *m, const state *s, fail *why);
/* Derives mass, contact stiffness and speed limit of walls that press with a given force, from the bodies at the start,
 * or at the time when the wall was given this motion. Returns false if such a wall is too fast for the step. */
bool scree_world_servos_set(model *m, state *s, const domain *d, fail *why);
/* Tests that no wall that presses with a given force is too fast for the step. If the mass was derived, it is increased
 * instead. before: mass ratios tolerated so far, or NULL */
bool scree_world_servos_follow(model *m, state *s, const domain *d, const real *before, fail *why);
/* Per wall, the mass that the step requires relative to its mass; 0 if it does not press. Returns NULL if none does. */
real *scree_world_servo_needs(const model *m, const state *s, const domain *d);
/* Finds the contacts of a world before its first step, and records large overlaps in `start`; changes nothing else. */
void scree_world_look_at_start(model *m, state *s, work *w);
/* Computes the current contacts, forces, energies and overlaps before the first step, or the first step after loading,
 * so that they can be read. These data must be hidden before a step or a snapshot; forces at t = 0 remain. */
typedef struct start_shown {
	ledger energy;
	impulses impulse; /* saved because implicit responses count the solution that shows the contacts */
	int64_t broken;
	clock_table clock;
	vec3 border;		 /* forces through the borders of a cell (model/periods.h), in N */
	kept_contacts *came; /* contacts with histories, from another run or from the file, or NULL */
	real *force;		 /* in a loaded world: [6 * bodies] forces and torques; otherwise NULL */
	wall_state *wall;	 /* in a loaded world: its walls */
} start_shown;
start_shown scree_world_show_start(model *m, state *s, work *w);
void scree_world_hide_start(model *m, state *s, work *w, const start_shown *before);

/* usual step, in s, of the responses implicit and hard: one contact time, but at most a fraction of the times in which
 * the smallest body falls by its `diameter` and the fastest body passes the thinnest body */
real scree_implicit_step(const model *m, real diameter, bool hard);

/* Largest overlap expected in a run until this time, relative to the smaller diameter, in impacts after falls or at
 * present velocities, or under weight and pressing walls. part: 0 if none is expected, or no stiffness determines it */
typedef struct expected_overlap {
	real part;
	int32_t material[2], wall; /* wall: 1 if the partner is a wall */
	real speed, force;		   /* impact speed in m/s, and load in N; one of them is 0 */
} expected_overlap;
expected_overlap scree_world_expected_overlap(const model *m, const state *s, const domain *d, real until);

/* Tests whether held bodies with these ids, which were added or placed between two steps, touch another held body or a
 * wall at rest through which heat would have to pass (prepare/held_heat.c). */
bool scree_world_held_heat_check_new(const model *m, const state *s, const domain *d, uint64_t first, uint64_t last,
									 fail *why);

/* default displacement of the fastest body in an impulse-based step, relative to the smallest diameter */
static const real SCREE_USUAL_WAY = (real)0.05;
/* Like scree_world_prepare, for worlds with a solver: tests whether it supports the world, and sets the step. */
bool scree_world_impulses_prepare(model *m, state *s, work *w, real part, real step, fail *why);
/* Tests whether the step of a world with a solver is short enough for the present speeds. */
bool scree_world_check_impulses(const model *m, const state *s, const domain *d, fail *why);

#endif
