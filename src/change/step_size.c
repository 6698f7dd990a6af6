/* step_size: changes the time step between two steps. Data half a step ahead (springs, accounts of patches, and rates
 * in the ledger) are adapted; since present energies do not change, the ledger balances as well as before. */
#include "change/change.h"

#include "model/integrator.h"
#include "prepare/prepare.h"
#include "state/pairs.h"
#include "step/step.h"
#include "world/world.h"

/* by: increase in s; ratio: new step divided by the old one */
static void restep_ledger(ledger *e, const work *w, real by, real ratio)
{
	if (w->domain.first) {
		scree_fixed_add(&e->made, (ratio - 1) / 2 * e->points_power);
		scree_fixed_add(&e->lost_normal, (ratio - 1) / 2 * e->points_heat);
		scree_fixed_add(&e->wall_work, by / 2 * (e->wall_power + e->fluid_power));
	}
	e->points_power *= ratio;
	e->points_heat *= ratio;
}

/* The second half of an implicit impulse is kept: bodies reach the velocities for which contacts were solved. */
static void restep_impulses(state *s, real ratio)
{
	bodies *b = &s->body;
	real *const all[6] = {b->fx, b->fy, b->fz, b->tx, b->ty, b->tz};
	for (int c = 0; c < 6; ++c)
		for (int32_t i = 0; i < b->count; ++i) all[c][i] /= ratio;
	s->energy.wall_power /= ratio, s->energy.fluid_power /= ratio;
}

static void restep_contacts(const model *m, state *s, const work *w, real by)
{
	scree_contacts_shift(m, s, w, m->implicit ? by : by / 2);
	if (!m->implicit) scree_bonds_shift(m, s, by / 2);
	for (int kind = 0; kind < PAIR_KINDS && !m->solver; ++kind) {
		pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			scree_contact_restep(l, c.row, m->dt, m->dt + by);
	}
}

void scree_time_restep(const model *m, state *s)
{
	if (s->step > s->step_from) s->until_from = scree_time_until(m, s, s->step);
	s->time_from = s->time;
	s->step_from = s->step;
	scree_periods_hold(&s->images);
}

typedef struct new_step {
	scree_world *w;
	real dt;
	bool follows; /* load of contacts, if the run chose the step */
	bool allowed;
	fail *why;
} new_step;

static void restep(void *what)
{
	new_step *o = what;
	model *m = &o->w->model;
	state *s = &o->w->state;
	work *w = &o->w->work;
	const real before = m->dt, by = o->dt - before, ratio = o->dt / before;
	m->dt = o->dt;
	o->allowed = o->follows || scree_world_check_new_step(m, s, &w->domain, o->why);
	m->dt = before;
	if (!o->allowed) return;
	if (!o->follows) m->own_step = 0;
	scree_contacts_read(m, s, w);
	restep_contacts(m, s, w, by);
	if (m->implicit)
		restep_impulses(s, ratio);
	else
		restep_ledger(&s->energy, w, by, ratio);
	scree_time_restep(m, s);
	if (m->integrator->restep) m->integrator->restep(s, ratio);
	m->dt = o->dt;
	scree_periods_set(&m->period, &s->images, 0, m->dt);
	w->skin.stale = true; /* margins depend on the step */
}

bool scree_world_set_step(scree_world *w, real dt, fail *why)
{
	new_step o = {.w = w, .dt = dt, .why = why};
	if (!(dt > 0 && dt < (real)1e30))
		return scree_fail(why, FAIL_INPUT, "the time step is %g s, expected a positive number", dt);
	if (dt == w->model.dt) {
		w->model.own_step = 0;
		return true;
	}
	return scree_world_attempt(w, restep, &o, why) && o.allowed;
}

/* ------------------------------------------------------------------ adapting the step to the load */

/* Fractions of the stability limit: above MOST_LOAD the step is shortened to GOAL, below LEAST_LOAD lengthened, by
 * fixed factors, so that small changes in the load have no effect. */
static const real MOST_LOAD = (real)0.9, GOAL = (real)0.8, LEAST_LOAD = (real)0.6, NOTCH = (real)0.95;

static real followed(const model *m, real load)
{
	enum { MOST_NOTCHES = 100 };
	real dt = m->dt;
	if (!(load > MOST_LOAD)) return load > 0 && load < LEAST_LOAD ? real_min(m->own_step, dt / NOTCH) : dt;
	/* the load falls at least in proportion to the step */
	for (int k = 0; load > GOAL && k < MOST_NOTCHES; ++k) load *= NOTCH, dt *= NOTCH;
	return dt;
}

bool scree_world_follows(const model *m) { return m->own_step > 0 && !m->implicit && !m->solver; }

bool scree_world_follow_load(scree_world *w, real load, fail *why)
{
	new_step o = {.w = w, .follows = true, .why = why};
	if (!scree_world_follows(&w->model)) return true;
	o.dt = followed(&w->model, load);
	return o.dt == w->model.dt || scree_world_attempt(w, restep, &o, why);
}
