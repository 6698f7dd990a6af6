/* impulses: the time step for impulse-based contacts. Bodies fly to the end of the step on exact parabolas, since
 * drifts are exact for constant accelerations. At the end, positions and velocities belong to the same time, and a
 * solver (src/solver/) computes new velocities of touching bodies. The change in energy in a collision follows its
 * formula, except for rounding, whatever the gravity (docs/theory/impulses.md). A solver with `halves` acts in
 * mid-step. */
#include "step/step.h"

#include "broad/stage.h"
#include "guard/guard.h"
#include "model/response.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "sum/stage.h"
#include "world/world.h"

#include <string.h>

/* A model for half a step of free motion without gravity, which a solver with `halves` adds for the whole step. */
static model half_of(const model *m)
{
	model half = *m;
	half.dt = m->dt / 2;
	half.gravity = v3(0, 0, 0);
	return half;
}

/* Computes external forces at the start of the step. */
static void find_forces(const model *m, state *s, work *w)
{
	if (!m->applied) return;
	scree_ghosts_catch_up(m, s, w);
	scree_applied_find(m, s, w, s->time);
}

/* Applies external forces to velocities, or half of them if the solver `splits` and adds the rest; drifts omit them. */
static void push_bodies(const model *m, state *s, const work *w)
{
	const bodies *b = &s->body;
	real *const to[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	if (!m->applied) return;
	for (int c = 0; c < 6 && b->owned; ++c) memcpy(to[c], w->applied.force[c], (size_t)b->owned * sizeof *to[c]);
	for (int32_t i = 0; i < b->owned; ++i) scree_world_push(m, s, i, m->solver->splits ? m->dt / 2 : m->dt);
}

static void forget_forces(const model *m, state *s)
{
	const bodies *b = &s->body;
	real *const of[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	for (int c = 0; c < 6 && b->owned && m->applied; ++c) memset(of[c], 0, (size_t)b->owned * sizeof *of[c]);
}

/* The second half of a step whose contacts act in the middle. */
static bool move_on(const model *half, state *s, work *w)
{
	s->time += half->dt; /* walls continue from this pose; scree_step_count sets the time of the whole step */
	scree_bodies_through_walls(half, s, w, s->time);
	scree_guards_look(w);
	scree_join(half, s, w);
	if (w->joint.breach > 0) return scree_guards_hold(half, s, w);
	w->ghosts_behind = w->domain.by->refresh != NULL;
	return scree_step_drift(half, s, w);
}

bool scree_step_impulses(const model *m, state *s, work *w)
{
	const model half = half_of(m);
	clock_table *clock = &w->clock;
	scree_step_begin(m, s, w);
	find_forces(m, s, w);
	/* no forces except gravity: the velocity is already that at the end of the step */
	if (!scree_step_drift(m->solver->halves ? &half : m, s, w)) return false;
	push_bodies(m, s, w);
	scree_clock_lap(clock, CLOCK_DRIFT);

	scree_pairs_renew(m, s, w); /* if bodies may have moved so far that their pairs are no longer valid */
	real *noted = scree_planes_note(m, s);
	scree_clock_lap(clock, CLOCK_BROAD);

	scree_pairs_to_contacts(m, s, w); /* times bodies and walls separately */

	m->solver->prepare(m, s, w);
	while (m->solver->sweep(m, s, w)) {
	}
	m->solver->done(m, s, w);
	scree_planes_after(m, s, noted);
	forget_forces(m, s);
	scree_clock_lap(clock, CLOCK_SOLVER);
	if (m->solver->halves && !move_on(&half, s, w)) return false;

	scree_step_count(m, s);
	if (m->solver->halves && s->step % ENERGY_STEPS == 0) scree_ghosts_catch_up(m, s, w);
	scree_bodies_to_guards(m, s, w);
	scree_clock_lap(clock, CLOCK_KICK);
	scree_step_look(m, s, w, s->time);
	scree_join(m, s, w);
	if (!scree_step_holds(m, s, w)) return false;
	if (w->domain.by->end) w->domain.by->end(w->domain.at, m, s, w);
	return true;
}

const step_kind scree_step_by_impulses = {
	.step = scree_step_impulses, .stale_here = scree_pairs_stale_here, .ghosts = SHARE_STEP};
