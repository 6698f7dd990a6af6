/* energy: tests conservation of energy. Every ENERGY_STEPS steps, the energy created or lost by the integration
 * (residual) and by changes in contact geometry (made) is compared with the energy exchanged. This comparison is made
 * over the whole run, over the last readings, and over intervals in which little energy was exchanged. This way, a few
 * bodies with much energy cannot hide an error (docs/theory/laws.md, "The guard of energy"). */
#include "guard/energy.h"

#include "guard/guard.h"
#include "world/world.h"

#include <string.h>

static const real ROUNDING = (real)1e-11; /* rounding error of the sums of energies, as a fraction of all energies */
/* a packing at rest may gain up to this fraction of the floor: about 1e-4 of weight times size over eight readings */
static const real LITTLE = (real)0.01;

/* Energies at one reading, in J. */
typedef struct reading {
	real wrong, made, lost, normal, method, noise;
	energy_shares of;
	real springs;
} reading;

static energy_verdict verdict(real wrong, real made, real turned, real noise)
{
	energy_verdict j = {.wrong = wrong, .residual = wrong - made, .made = made, .of = real_max(turned, noise)};
	if (real_abs(wrong) > noise) j.part = real_abs(wrong) / j.of;
	return j;
}

/* J: rounding of losses. The losses of contacts are rounded to quanta in each step, without bias. */
static real rounding_of(const state *s, const work *w, const energy_row *e, real lost)
{
	const real roundings = (real)(s->step + 1) * (real)(w->touching + 1);
	return ROUNDING * (real_abs(e->potential) + real_abs(e->brought) + real_abs(e->wall_work) + lost) +
		   w->sums.energy_quantum * sqrt(roundings);
}

/* ------------------------------------------------------------------ free walls */

/* Free walls are bodies with one degree of freedom, with their energy in the ledger. The energy of a wall that touches
 * no body does not measure what contacts do, but the integration of its springs and dampers has its own error. */

/* energy of a wall's motion and of its spring, in J. The wall's weight only transfers energy between the two. */
static real energy_of_wall(const wall *o, const wall_state *s)
{
	const servo_rule *r = &o->motion.servo;
	return r->mass / 2 * s->servo.speed * s->servo.speed + r->spring / 2 * s->servo.way * s->servo.way;
}

/* energy, in J, of walls that touch bodies now, and of other walls, each counted up to `most`. */
typedef struct wall_energies {
	real moving, waiting;
} wall_energies;

static wall_energies energies_of_walls(const model *m, const state *s, real most)
{
	wall_energies sum = {0, 0};
	for (int32_t k = 0; k < m->wall.count; ++k) {
		if (!motion_is_free(m->wall.row[k].motion.type)) continue;
		const real energy = energy_of_wall(m->wall.row + k, s->wall + k);
		if (s->wall[k].servo.contacts > 0)
			sum.moving += energy;
		else
			sum.waiting += most > 0 ? real_min(energy, most) : energy;
	}
	return sum;
}

/* possible error, in J, in the integration of free walls: their energy times (step/time scale)^2, for springs and
 * dampers. Velocity Verlet conserves a spring's energy except for a swing of (omega dt)^2/4. */
static real swing_of_walls(const model *m, const state *s)
{
	real sum = 0;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (!motion_is_free(o->motion.type) || !(o->servo.mass > 0)) continue;
		const real damps = o->motion.servo.damper / o->servo.mass;
		const real rate = o->motion.servo.spring / o->servo.mass + damps * damps;
		sum += real_min(rate * m->dt * m->dt, 1) * energy_of_wall(o, s->wall + k);
	}
	return sum;
}

/* ------------------------------------------------------------------ a reading */

/* keeps: the guard stores this reading */
static reading read_energies(const model *m, state *s, work *w, bool keeps, energy_guard *g)
{
	const energy_row e = scree_world_energy(m, s, w);
	reading r = {.wrong = e.residual + e.made, .made = e.made, .springs = e.springs};
	r.lost = e.lost_normal + e.lost_friction + e.lost_rolling;
	r.method = e.lost_method, r.normal = e.lost_normal + e.lost_method - e.owed;
	r.noise = rounding_of(s, w, &e, r.lost) + g->swing;
	r.of = scree_energy_share(m, s, w, keeps, &g->busiest);
	const wall_energies walls = energies_of_walls(m, s, g->busiest);
	r.of.moving += walls.moving, r.of.waiting += walls.waiting;
	return r;
}

/* number of steps since the previous reading */
static int64_t steps_since(const state *s)
{
	const int64_t more = s->step % ENERGY_STEPS;
	return more ? more : ENERGY_STEPS;
}

/* ------------------------------------------------------------------ since the start, and the last readings */

/* the larger of losses and energy held, in J, so that energy gained in a fall is not counted again when it is lost */
static real turned_over(const energy_guard *g, const reading *r, real lost)
{
	const real now = r->of.moving + r->of.waiting + r->springs;
	return real_max(real_max(lost, real_max(g->held, now)), g->floor);
}

static energy_verdict judge_whole(const energy_guard *g, const reading *r)
{
	return verdict(r->wrong, r->made, turned_over(g, r, r->lost), r->noise);
}

static energy_verdict judge_last(const energy_guard *g, const reading *r, int64_t since)
{
	energy_verdict j =
		verdict(r->wrong - g->wrong[0], r->made - g->made[0], turned_over(g, r, r->lost - g->lost[0]), r->noise);
	j.steps = (int64_t)(g->count - 1) * ENERGY_STEPS + since;
	return j;
}

/* ------------------------------------------------------------------ the last readings only */

/* energy, in J, that was lost since the last reading, or exchanged between bodies, springs and heights */
static real turned_since(const energy_guard *g, const reading *r)
{
	const real lost = r->lost - (g->count ? g->lost[g->count - 1] : 0);
	return real_max(lost, 0) + r->of.exchanged + real_abs(r->springs - g->springs);
}

/* A packing that came to rest retains the energy of its fall in the other comparisons. Here, energy that the
 * integration creates and friction dissipates at once is compared with the energy that contacts lose and exchange in
 * the same time. Bodies that move with more energy than this are not at rest, and the integration of their motion has
 * errors of its own. A packing at rest has such errors, too: a small fraction of the energy that it had before. */
static energy_verdict judge_burnt(const energy_guard *g, const reading *r, int64_t since)
{
	static const real ERROR = (real)1e-7;
	energy_verdict none = {0};
	if (g->count < ENERGY_READINGS) return none;
	const real residual = r->wrong - r->made - (g->wrong[0] - g->made[0]);
	real turned = turned_since(g, r);
	for (int32_t k = 1; k < g->count; ++k) turned += g->turned[k];
	if (r->of.moving + r->of.waiting > turned) return none;
	const real noise = real_max(r->noise + r->of.turning, ERROR * g->held);
	energy_verdict j = verdict(residual, 0, real_max(turned, LITTLE * g->floor), noise);
	j.steps = (int64_t)(g->count - 1) * ENERGY_STEPS + since;
	j.burnt = true;
	return residual > 0 ? j : none;
}

/* ------------------------------------------------------------------ implicit steps */

/* J, created: a negative loss. Losses of implicit steps are in the ledger, so they do not count as an error in the
 * energy balance; if contacts have negative losses along their normals, the steps created energy. */
static energy_verdict gain(const energy_guard *g, const reading *r, real normal, real lost)
{
	energy_verdict j = verdict(real_max(-normal, 0), 0, turned_over(g, r, lost), r->noise);
	j.gained = true;
	return j;
}

static energy_verdict judge_gain(const energy_guard *g, const reading *r, int64_t since)
{
	const energy_verdict worst = gain(g, r, r->normal, r->lost);
	if (!g->count) return worst;
	energy_verdict last = gain(g, r, r->normal - g->method[0], r->lost - g->lost[0]);
	last.steps = (int64_t)(g->count - 1) * ENERGY_STEPS + since;
	return last.part > worst.part ? last : worst;
}

/* Verdict on the fraction of all energy that the steps lost. */
static energy_verdict judge_loss(const energy_guard *g, const reading *r)
{
	energy_verdict j =
		verdict(-real_max(r->method, 0), 0, turned_over(g, r, r->lost + real_max(r->method, 0)), r->noise);
	j.lost = true;
	return j;
}

/* ------------------------------------------------------------------ remembered readings */

static void push(real list[ENERGY_READINGS], int32_t count, real value)
{
	if (count == ENERGY_READINGS) memmove(list, list + 1, sizeof *list * (ENERGY_READINGS - 1));
	list[count == ENERGY_READINGS ? count - 1 : count] = value;
}

static void remember(energy_guard *g, const reading *r)
{
	push(g->wrong, g->count, r->wrong);
	push(g->made, g->count, r->made);
	push(g->turned, g->count, turned_since(g, r));
	push(g->lost, g->count, r->lost);
	push(g->method, g->count, r->normal);
	g->springs = r->springs;
	if (g->count < ENERGY_READINGS) ++g->count;
}

/* ------------------------------------------------------------------ intervals with little turnover */

static void add_stretch(energy_guard *g, const reading *r, int64_t since)
{
	const bool any = g->count > 0;
	const real wrong = r->wrong - (any ? g->wrong[g->count - 1] : 0),
			   made = r->made - (any ? g->made[g->count - 1] : 0);
	const real lost = real_max(r->lost - (any ? g->lost[g->count - 1] : 0), 0);
	const real turned = lost + r->of.exchanged + r->springs;
	if (!(lost > 0) && !(r->springs > 0)) return; /* free flight, since contacts created no energy */
	for (int k = 0; k < ENERGY_LEVELS; ++k) {
		if (turned > energy_bound(k)) continue;
		energy_level *o = g->level + k;
		o->wrong += wrong;
		o->made += made;
		o->turned += turned;
		o->steps += since;
	}
}

/* Verdict on levels far below the total energy, if their intervals cover at least as many steps as the readings. */
static energy_verdict judge_levels(const energy_guard *g, real noise)
{
	energy_verdict worst = {0};
	for (int k = 0; k < ENERGY_LEVELS; ++k) {
		const energy_level *o = g->level + k;
		if (16 * energy_bound(k) > g->held || o->steps < ENERGY_READINGS * ENERGY_STEPS) continue;
		energy_verdict j = verdict(o->wrong, o->made, real_max(o->turned, g->floor), noise);
		j.steps = o->steps;
		j.most = energy_bound(k);
		if (j.part > worst.part) worst = j;
	}
	return worst;
}

/* ------------------------------------------------------------------ */

static void take_worse(energy_verdict *worst, energy_verdict next)
{
	if (next.part > worst->part) *worst = next;
}

static energy_verdict judge(const model *m, const state *s, work *w, energy_guard *g, const reading *r)
{
	const int64_t since = steps_since(s);
	g->held = real_max(g->held, r->of.moving + r->springs);
	g->floor = real_max(g->floor, r->of.floor);
	add_stretch(g, r, since);
	energy_verdict worst = judge_whole(g, r);
	take_worse(&worst, judge_levels(g, r->noise + r->of.turning));
	if (g->count) take_worse(&worst, judge_last(g, r, since));
	take_worse(&worst, judge_burnt(g, r, since));
	take_worse(&worst, scree_energy_classes(m, s, w, g, r->noise));
	if (m->implicit) take_worse(&worst, judge_gain(g, r, since));
	return worst;
}

static void note_worst(energy_guard *g, const energy_verdict *worst, const energy_verdict *loss, real time)
{
	if (worst->part > g->worst) g->worst = worst->part, g->worst_time = time;
	if (loss->part > g->worst_loss) g->worst_loss = loss->part, g->worst_loss_time = time;
}

static bool holds(const model *m, state *s, work *w, const energy_verdict *worst, const energy_verdict *loss)
{
	if (!m->guard.energy_reports && worst->part > m->guard.energy) return scree_energy_report(m, s, w, worst);
	if (m->guard.method > 0 && loss->part > m->guard.method) return scree_energy_report(m, s, w, loss);
	return true;
}

/* keeps: the guard stores this reading in g */
static bool reading_holds(const model *m, state *s, work *w, bool keeps, energy_guard *g)
{
	const reading r = read_energies(m, s, w, keeps, g);
	if (!(r.wrong - r.wrong == 0)) return m->guard.energy_reports || scree_energy_unread(s, w);
	const energy_verdict worst = judge(m, s, w, g, &r), loss = judge_loss(g, &r);
	if (keeps) {
		remember(g, &r);
		note_worst(g, &worst, &loss, s->time);
	}
	return holds(m, s, w, &worst, &loss);
}

bool scree_energy_holds(const model *m, state *s, work *w)
{
	energy_guard *g = &s->energy_guard;
	if (!(m->guard.energy > 0)) return true;
	g->swing = real_max(g->swing, swing_of_walls(m, s));
	return s->step % ENERGY_STEPS || reading_holds(m, s, w, true, g);
}

/* Works on a copy of the guard's memory, so that results do not depend on whether the run was interrupted here. */
bool scree_energy_holds_at_end(const model *m, state *s, work *w)
{
	energy_guard g = s->energy_guard;
	return !(m->guard.energy > 0) || s->step % ENERGY_STEPS == 0 || reading_holds(m, s, w, false, &g);
}
