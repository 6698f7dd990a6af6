/* changes: consequences of changes that the caller makes to a world between two steps. Contacts are searched for again
 * and evaluated by the law, so that the next step continues as if a step had led to this state. Since the law advances
 * springs and accounts by a step, springs are first taken back by a step, and accounts are restored afterwards.
 * Implicit steps take springs back after finding contacts at predicted poses (step/implicit.c). */
#include "change/change.h"

#include "choices/choices.h"
#include "guard/guard.h"
#include "kernel/motion.h"
#include "law/stage.h"
#include "model/integrator.h"
#include "model/response.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "prepare/prepare.h"
#include "state/pairs.h"
#include "step/step.h"
#include "sum/stage.h"
#include "world/internal.h"
#include "world/world.h"

/* ------------------------------------------------------------------ bodies */

static vec3 angular_velocity_of(quat q, vec3 l, vec3 inertia)
{
	return is_round(inertia) ? v3_mul(1 / inertia.x, l) : spin_of(q, l, inertia);
}

/* Sets angular momenta from angular velocities if the two no longer agree; locked bodies do not rotate. */
static void set_momenta(state *s)
{
	bodies *b = &s->body;
	for (int32_t i = 0; i < b->owned; ++i) {
		if (scree_world_locked(s, i)) b->wx[i] = b->wy[i] = b->wz[i] = 0;
		const vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]), w = body_angular_velocity(b, i);
		const quat q = body_orientation(b, i);
		const vec3 own = angular_velocity_of(q, v3(b->lx[i], b->ly[i], b->lz[i]), inertia);
		if (v3_equal(own, w)) continue;
		const vec3 l = momentum_of(q, w, inertia);
		b->lx[i] = l.x, b->ly[i] = l.y, b->lz[i] = l.z;
	}
}

static void wrap_all(const model *m, state *s)
{
	for (int32_t i = 0; m->period.on && i < s->body.owned; ++i) scree_world_wrap(m, s, i);
}

/* ------------------------------------------------------------------ the ledger */

/* The ledger before an unannounced change; its balance is taken from the energy guard's last reading. */
static energy_row energy_unnoted(const model *m, const state *s, const work *w)
{
	const energy_guard *g = &s->energy_guard;
	energy_row e = scree_world_energy(m, s, w);
	e.made = g->count ? g->made[g->count - 1] : 0;
	e.residual = g->count ? g->wrong[g->count - 1] - e.made : 0;
	return e;
}

/* All terms continue from their previous values; the difference is the energy `brought` by the caller. */
static void settle(const model *m, state *s, const work *w, const energy_row *before)
{
	ledger *to = &s->energy;
	const energy_row now = scree_world_energy(m, s, w);
	if (!w->domain.first) return;
	const real friction = before->lost_friction - now.lost_friction, rolling = before->lost_rolling - now.lost_rolling;
	const real method = before->lost_method - now.lost_method;
	const real held = now.kinetic + now.potential + now.elastic + before->lost;
	scree_fixed_add(&to->lost_friction, friction);
	scree_fixed_add(&to->lost_rolling, rolling);
	scree_fixed_add(&to->lost_method, method);
	scree_fixed_add(&to->lost_normal, before->lost - now.lost - friction - rolling - method);
	scree_fixed_add(&to->made, before->made - now.made);
	scree_fixed_add(&to->wall_work, before->wall_work - now.wall_work);
	scree_fixed_add(&to->brought, held - before->wall_work - before->made - before->residual - now.brought);
}

/* Heat added by a change in temperatures or masses is entered as `brought`. */
static void settle_heat(const model *m, state *s, const work *w)
{
	if (!m->heat) return;
	const heat_row h = scree_world_heat(m, s, w);
	if (w->domain.first) scree_fixed_add(&s->energy.heat_brought, h.thermal - h.brought - h.walls - h.friction);
}

/* ------------------------------------------------------------------ all of it */

typedef struct change {
	scree_world *w;
	uint32_t what;
	const new_response *to; /* NULL if the response does not change */
	bool between;			/* the response changes again before any step is made */
	const response *came;	/* the previous response */
	bool possible;
	fail *why;
} change;

/* Returns whether the new response supports the world. */
static bool take_response(change *c)
{
	return !c->to || scree_response_change(c->w, c->to, c->between, &c->came, c->why);
}

static void follow_forces(const change *c)
{
	const model *m = &c->w->model;
	state *s = &c->w->state;
	work *w = &c->w->work;
	if (m->implicit) scree_bodies_limits(m, s, w);
	scree_contacts_of_now(m, s, w);
	w->ahead.springs = m->implicit && !c->to;
	if (c->to || m->implicit)
		scree_response_evaluate(m, s, w, c->came);
	else
		scree_contacts_evaluate(m, s, w, m->dt);
	scree_forces_of_now(m, s, w);
	scree_overlaps_of_now(m, s, w);
	if (m->integrator->start) m->integrator->start(m, s, 0, s->body.owned);
}

static void follow(void *what)
{
	change *c = what;
	const model *m = &c->w->model;
	state *s = &c->w->state;
	work *w = &c->w->work;
	const bool derives = c->what & (CHANGED_MATERIALS | CHANGED_WALLS | CHANGED_BODIES);
	const energy_row before = w->changing ? w->noted : energy_unnoted(m, s, w);
	w->changing = false;
	if (c->what & CHANGED_POSITIONS) wrap_all(m, s);
	if (c->what & (CHANGED_POSITIONS | CHANGED_VELOCITIES)) set_momenta(s);
	if (!take_response(c)) return;
	if (derives && !c->to && !scree_world_prepare(c->w, 0, m->dt, c->why)) return;
	c->possible = true;
	if (c->what & CHANGED_WALLS) scree_walls_move(&m->wall, s->wall, s->time);
	w->skin.stale |= c->what != CHANGED_VELOCITIES || c->to;
	if (s->begun && !m->solver) follow_forces(c);
	w->greatest_speed = scree_world_greatest_speed(s, w);
	settle(m, s, w, &before);
	settle_heat(m, s, w);
}

static bool make_change(change *c)
{
	scree_world *w = c->w;
	if (!scree_world_attempt(w, follow, c, c->why)) return false;
	if (c->possible) return true;
	w->work.why = *c->why;
	w->broken = true;
	return false;
}

bool scree_world_changed(scree_world *w, uint32_t what, fail *why)
{
	change c = {.w = w, .what = what, .why = why};
	return !what || make_change(&c);
}

/* When implicit contacts follow hard ones, the law is first applied to their springs, to obtain the stiffness. */
bool scree_world_respond(scree_world *w, const new_response *to, uint32_t what, fail *why)
{
	const new_response between = {.by = scree_response_row(0)};
	const bool softer = w->state.begun && w->model.hard && to->by->implicit && !to->by->hard;
	change first = {.w = w, .what = what, .to = &between, .between = true, .why = why};
	change last = {.w = w, .what = softer ? 0 : what, .to = to, .why = why};
	if (softer && !(make_change(&first) && scree_world_changing(w))) return false;
	return make_change(&last);
}

static void note_energies(void *what)
{
	scree_world *w = what;
	scree_contacts_read(&w->model, &w->state, &w->work);
	w->work.noted = scree_world_energy(&w->model, &w->state, &w->work);
	w->work.changing = true;
}

bool scree_world_changing(scree_world *w)
{
	return w->work.changing || scree_world_attempt(w, note_energies, w, &w->work.why);
}
