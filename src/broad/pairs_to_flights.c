/* pairs_to_flights: when contact rows are chosen, finds bodies that cannot meet anything for some steps. Such bodies
 * have no rows, and may be in free flight (work/flights.h).
 *
 * in   poses, velocities, forces of the last step, slots      out  bodies in free flight, and the length of the flight
 *
 * The path of a body that moves only under gravity is known, and straight relative to another such body. Two such
 * bodies that will meet are grounded, as is a body that touches something or may reach a wall. The motion of grounded
 * bodies is not known, but until rows are chosen again, their displacement is bounded by half of the inner skin, which
 * is monitored. Bodies that a grounded body may meet are then grounded too, until no further bodies are added. */
#include "broad/stage.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "broad/work.h"
#include "kernel/quat.h"
#include "model/integrator.h"
#include "state/pairs.h"
#include "wall/forms.h"

/* STEPS: intended length of flights. Longer flights cost less per step, but more bodies are grounded. WORTH: flights
 * are worth their cost if at least 1/WORTH of all bodies fly. */
enum { STEPS = 40, MOST_STEPS = 3 * STEPS / 2, FEWEST_STEPS = 4, NO_LIMIT = 1000000 };
enum { WORTH = 8, GRAIN = 1024 };
_Static_assert(GRAIN % FLIGHT_WORD == 0, "a piece holds whole words");

typedef struct job {
	const model *m;
	state *s;
	work *w;
	int64_t count[SCREE_MOST_THREADS]; /* number of bodies that may fly */
	real step[SCREE_MOST_THREADS];
	real held[SCREE_MOST_THREADS]; /* number of steps for which all bodies that may fly stay within their margins */
} job;

/* Tests whether bodies without rows move only under gravity, so that their motion is known and flights are possible. */
static bool all_is_known(const model *m, const work *w)
{
	return !w->device && !m->solver && !m->implicit && m->integrator->standard && !m->fluid.on && !m->applied &&
		   !periods_flow_any(&m->period) && !w->domain.by->refresh && !m->population.sources && !m->population.sinks &&
		   !m->flow.count;
}

/* ------------------------------------------------------------------ single bodies */

/* Tests whether p is inside the box low .. high by at least `way`; false for NaN. */
static bool has_room(vec3 p, vec3 low, vec3 high, real way)
{
	return p.x - way > low.x && p.x + way < high.x && p.y - way > low.y && p.y + way < high.y && p.z - way > low.z &&
		   p.z + way < high.z;
}

static bool has_room_in_cell(const periods *p, vec3 at, real way)
{
	for (int32_t d = 0; d < 3; ++d) {
		real r = v3_part(at, d) - v3_part(p->low, d);
		if (p->axis[d] && !(r - way > 0 && r + way < v3_part(p->size, d))) return false;
	}
	return true;
}

static real way_of(const model *m, const state *s, int64_t i)
{
	const bodies *b = &s->body;
	vec3 momentum = v3(b->lx[i], b->ly[i], b->lz[i]), inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	real swing = swing_of(b->radius[i], b->round[i]);
	return way_in_flight(body_velocity(b, (int32_t)i), momentum, inertia, swing, v3_norm(m->gravity), MOST_STEPS + 1,
						 m->dt);
}

/* Tests that no force acts on body i and that it cannot violate a guard. a_step: bound on the body's path in one
 * step */
static bool may_fly(const model *m, const state *s, int64_t i, real a_step)
{
	const bodies *b = &s->body;
	const guards *g = &m->guard;
	vec3 at = body_position(b, (int32_t)i);
	real forces = v3_norm2(v3(b->fx[i], b->fy[i], b->fz[i])) + v3_norm2(v3(b->tx[i], b->ty[i], b->tz[i]));
	real way = (MOST_STEPS + 1) * a_step, fastest = g->speed > 0 ? g->speed : (real)1e50;
	if (b->flags[i] || !(forces == 0) || !(b->inv_mass[i] > 0) || !(a_step < fastest * m->dt)) return false;
	if (g->bounded && !has_room(at, g->low, g->high, way)) return false;
	return !m->period.on || has_room_in_cell(&m->period, at, way);
}

static void look_piece(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	const model *m = j->m;
	const state *s = j->s;
	for (int64_t i = from; i < to; ++i) {
		uint64_t *word = j->w->flight.fly + i / FLIGHT_WORD;
		if (i % FLIGHT_WORD == 0) *word = 0;
		real a_step = way_of(m, s, i);
		if (!may_fly(m, s, i, a_step)) continue;
		*word |= UINT64_C(1) << i % FLIGHT_WORD;
		j->count[thread] += 1;
		j->step[thread] = real_max(j->step[thread], a_step);
		real left = s->body.margin[i] - s->body.way[i];
		if (j->held[thread] * a_step > left) j->held[thread] = left / a_step;
	}
}

static void prepare_room(flights *f, int64_t bodies)
{
	int64_t words = bodies / FLIGHT_WORD + 1;
	if (f->words >= words) return;
	SCREE_FREE_ALL(f->fly, f->before, f->of);
	f->fly = scree_alloc((size_t)words, sizeof *f->fly);
	f->before = scree_alloc((size_t)words, sizeof *f->before);
	f->of = scree_alloc((size_t)words * FLIGHT_WORD, sizeof *f->of);
	f->words = words;
}

/* Returns the number of steps of the next flight. Flights of equal length fill the time until a search is due. */
static int64_t steps_of(real held)
{
	real flights = real_max(1, scree_floor(held / STEPS + (real)0.5));
	return (int64_t)real_clamp(held / flights, FEWEST_STEPS, MOST_STEPS);
}

/* Finds and counts the bodies that could fly if other bodies are ignored. */
static int64_t look(const model *m, state *s, work *w)
{
	flights *f = &w->flight;
	job j = {.m = m, .s = s, .w = w};
	int64_t count = 0;
	prepare_room(f, s->body.owned);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) j.held[t] = NO_LIMIT;
	scree_parallel(look_piece, &j, s->body.owned, GRAIN);
	real held = NO_LIMIT;
	f->step = 0;
	for (int t = 0; t < SCREE_MOST_THREADS; ++t) {
		count += j.count[t];
		f->step = real_max(f->step, j.step[t]);
		held = real_min(held, j.held[t]);
	}
	f->steps = steps_of(held);
	f->last = f->steps - (int64_t)real_max(held, 0);
	return count;
}

/* ------------------------------------------------------------------ pairs of bodies */

static int64_t ground(flights *f, int64_t i)
{
	const uint64_t bit = UINT64_C(1) << i % FLIGHT_WORD;
	int64_t flew = f->fly[i / FLIGHT_WORD] & bit ? 1 : 0;
	f->fly[i / FLIGHT_WORD] &= ~bit;
	return flew;
}

static bool may_meet_wall(const model *m, const state *s, const work *w, const wall_group *g)
{
	const wall *o = m->wall.row + g->wall;
	const bodies *b = &s->body;
	const int32_t i = g->body;
	if (o->motion.type != MOTION_STILL) return true;
	real way = (real)(w->flight.steps + 1) * way_of(m, s, i);
	if (o->type == WALL_FACETS) return !(b->way[i] + way + b->radius[i] + w->skin.reach < g->apart);
	vec3 p = world_to_wall(s->wall + g->wall, body_position(b, i));
	return scree_wall_forms[o->type].is_near(o, p, b->radius[i], way + w->skin.reach);
}

static int64_t ground_at_walls(const model *m, state *s, work *w)
{
	int64_t count = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const wall_groups *near = w->near + kind;
		for (int64_t k = 0; k < near->count; ++k)
			if (body_flies(&w->flight, near->group[k].body) && may_meet_wall(m, s, w, near->group + k))
				count += ground(&w->flight, near->group[k].body);
	}
	return count;
}

/* Square of the smallest distance from the origin, during `time`, of a point that starts at r with velocity u. */
static real nearest2(vec3 r, vec3 u, real time)
{
	real u2 = v3_norm2(u), when = u2 > 0 ? real_clamp(-v3_dot(r, u) / u2, 0, time) : 0;
	return v3_norm2(v3_madd(r, when, u));
}

/* Tests whether the partners of slot k may touch before rows are chosen again, if one or both of them fly. */
static bool may_meet(const model *m, const state *s, const work *w, const pair_list *l, int64_t k, bool a_flies,
					 bool b_flies)
{
	const int32_t other = a_flies ? l->b[k] : l->a[k];
	const body_record *a = w->record + l->a[k], *b = w->record + l->b[k];
	const real rounding = (real)1.000001;
	vec3 apart = slot_apart(m, s, a, b, l, k);
	vec3 none = v3(0, 0, 0), moves = v3_sub(a_flies ? a->velocity : none, b_flies ? b->velocity : none);
	real time = (real)w->flight.steps * m->dt, reach = a->radius + b->radius + w->skin.reach;
	/* the grounded body moves at most by its inner margin, and does not fall along with the flying body */
	if (a_flies != b_flies) reach += s->body.inner[other] - s->body.way[other] + v3_norm(m->gravity) * time * time;
	return !(nearest2(apart, moves, time) > reach * reach * rounding);
}

static void remember(flights *f, int32_t kind, int64_t slot)
{
	f->near = scree_room(f->near, f->near_count, &f->near_capacity, sizeof *f->near);
	f->near[f->near_count++] = (flight_pair){slot, kind};
}

/* Grounds bodies that may meet, and returns their number. Records flying pairs that would meet if one were grounded. */
static int64_t ground_meeting(const model *m, state *s, work *w)
{
	enum { AHEAD = 16 };
	flights *f = &w->flight;
	int64_t count = 0;
	f->near_count = 0;
	for (int32_t kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (int64_t k = 0; k < l->count && !pair_on_wall(kind); ++k) {
			__builtin_prefetch(w->record + l->b[k + AHEAD < l->count ? k + AHEAD : k]);
			bool a_flies = body_flies(f, l->a[k]), b_flies = body_flies(f, l->b[k]);
			if (!a_flies && !b_flies) continue;
			if (may_meet(m, s, w, l, k, a_flies, b_flies))
				count += ground(f, l->a[k]) + ground(f, l->b[k]);
			else if (a_flies && b_flies &&
					 (may_meet(m, s, w, l, k, true, false) || may_meet(m, s, w, l, k, false, true)))
				remember(f, kind, k);
		}
	}
	return count;
}

/* Grounds the bodies that a grounded body may meet, and returns their number. */
static int64_t ground_meeting_grounded(const model *m, state *s, work *w)
{
	flights *f = &w->flight;
	int64_t count = 0;
	for (int64_t n = 0; n < f->near_count; ++n) {
		const pair_list *l = s->pair + f->near[n].kind;
		const int64_t k = f->near[n].slot;
		bool a_flies = body_flies(f, l->a[k]), b_flies = body_flies(f, l->b[k]);
		if (a_flies != b_flies && may_meet(m, s, w, l, k, a_flies, b_flies))
			count += ground(f, l->a[k]) + ground(f, l->b[k]);
	}
	return count;
}

/* Widens the inner skin to last for a whole flight if few bodies are grounded. */
static void widen_inner(const model *m, state *s, work *w, int64_t grounded)
{
	real whole = 2 * (real)(w->flight.steps + 1) * m->dt * w->greatest_speed;
	if (grounded * WORTH >= s->body.owned) return;
	w->skin.inner = real_max(w->skin.inner, real_min(whole, w->skin.width));
	scree_rows_margins(m, s, w);
}

void scree_pairs_to_flights(const model *m, state *s, work *w)
{
	flights *f = &w->flight;
	const int64_t owned = s->body.owned;
	f->chosen = false;
	if (f->until - s->step < FEWEST_STEPS || w->touching > 2 * owned || !all_is_known(m, w)) return;
	int64_t fly = look(m, s, w), fewest = owned / WORTH;
	if (fly <= fewest) return;
	fly -= ground_at_walls(m, s, w);
	widen_inner(m, s, w, owned - fly);
	int64_t more = ground_meeting(m, s, w);
	for (fly -= more; more > 0 && fly > fewest; fly -= more) more = ground_meeting_grounded(m, s, w);
	f->chosen = fly > fewest;
	f->left = f->steps;
}
