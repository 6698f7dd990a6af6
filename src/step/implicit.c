/* implicit: the time step for `response: implicit` and `hard`, as in forces.c, but with contact forces evaluated ahead,
 * in the *next* step, by a solver (src/solver/): a step may last as long as a contact (docs/theory/implicit.md). */
#include "step/step.h"

#include "broad/stage.h"
#include "law/stage.h"
#include "model/response.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "solver/stage.h"
#include "sum/stage.h"
#include "world/world.h"

#include <string.h>

/* maximum number of further searches at predicted poses in a step */
enum { MOST_LOOKS = 3 };

static void external_forces(const model *m, state *s, work *w, real time)
{
	bodies *b = &s->body;
	real *const to[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	for (int c = 0; c < 6 && b->count; ++c) memset(to[c], 0, (size_t)b->count * sizeof(real));
	s->energy.fluid_power = 0;
	if (m->fluid.on) scree_fluid_to_bodies(m, s, w);
	if (m->applied) scree_applied_to_bodies(m, s, w, time);
}

/* Searches again, with bodies moved by these velocities. held: for attraction. Returns whether contacts were added. */
static bool look_again(const model *m, state *s, work *w, velocity_pair *velocity, bool held)
{
	scree_bodies_ahead_by(m, s, w, velocity);
	scree_clock_lap(&w->clock, CLOCK_DRIFT);
	scree_pairs_to_contacts_again(m, s, w); /* with its laps */
	const bool more = scree_implicit_more(m, s, w, held);
	scree_clock_lap(&w->clock, CLOCK_SOLVER);
	return more;
}

static bool more_contacts(const model *m, state *s, work *w)
{
	return look_again(m, s, w, scree_implicit_velocities(m, s, w), false);
}

/* Springs are ahead of the state after a step; moves them back to the time of the state, with the present normals. */
static void springs_back(const model *m, state *s, work *w)
{
	if (w->ahead.springs) scree_contacts_shift(m, s, w, -m->dt);
	w->ahead.springs = false;
}

/* Computes external forces, and the impulses of contacts found at predicted poses. */
static void contacts_to_impulses(const model *m, state *s, work *w, real time)
{
	external_forces(m, s, w, time);
	scree_clock_lap(&w->clock, CLOCK_SUM);
	scree_bodies_ahead(m, s, w);
	scree_clock_lap(&w->clock, CLOCK_DRIFT);
	scree_pairs_to_contacts(m, s, w); /* with its laps */
	scree_contacts_to_now(m, s, w);
	scree_contacts_to_shares(m, s, w);
	springs_back(m, s, w);
	scree_implicit_begin(m, s, w);
	scree_clock_lap(&w->clock, CLOCK_SOLVER);
	if (scree_implicit_misses(m, s, w)) look_again(m, s, w, scree_implicit_still(s, w), true);
	for (int k = 0; k < MOST_LOOKS && more_contacts(m, s, w); ++k) {
	}
	scree_bodies_back(m, s, w);
	scree_clock_lap(&w->clock, CLOCK_DRIFT);
	scree_implicit_end(m, s, w);
	scree_outer_work(w);
	scree_clock_lap(&w->clock, CLOCK_SOLVER);
}

/* Bodies at rest have no velocity until contacts push them. */
static void stop(bodies *b)
{
	real *const to[] = {b->vx, b->vy, b->vz, b->wx, b->wy, b->wz, b->lx, b->ly,
						b->lz, b->hx, b->hy, b->hz, b->kx, b->ky, b->kz};
	for (size_t c = 0; c < sizeof to / sizeof *to && b->count; ++c) memset(to[c], 0, (size_t)b->count * sizeof(real));
}

bool scree_step_implicit(const model *m, state *s, work *w)
{
	clock_table *clock = &w->clock;
	scree_step_begin(m, s, w);
	if (!scree_step_drift(m, s, w)) return false;
	if (m->creeps) stop(&s->body);
	w->ahead.drifted = true;
	scree_bodies_limits(m, s, w);
	scree_clock_lap(clock, CLOCK_DRIFT);

	scree_pairs_renew(m, s, w); /* in this step or at predicted poses, pairs may no longer be valid */
	scree_bodies_limits(m, s, w);
	scree_clock_lap(clock, CLOCK_BROAD);

	scree_bonds_form(m, s, s->time, scree_time_of(m, s, s->step + 1));
	contacts_to_impulses(m, s, w, scree_time_of(m, s, s->step + 1));
	scree_heat_begin(m, s, w);
	scree_heat_end(m, s, w);
	scree_bodies_into_bodies(m, s, w);
	scree_bodies_over_bodies(m, s, w);
	scree_clock_lap(clock, CLOCK_NARROW);
	scree_loads_to_walls(m, s, w);
	scree_clock_lap(clock, CLOCK_SUM);

	w->ahead.drifted = false;
	scree_forces_to_motion_kick(m, s, w);
	scree_step_join(m, s, w);
	scree_step_end(m, s, w);
	scree_clock_lap(clock, CLOCK_KICK);
	return scree_step_holds(m, s, w);
}

/* The forces on bodies are complete after `answer`. */
const step_kind scree_step_ahead = {.step = scree_step_implicit,
									.stale = scree_pairs_stale,
									.ghosts = SHARE_AHEAD,
									.find = scree_bodies_limits,
									.answer = contacts_to_impulses,
									.load = scree_loads_to_walls};
