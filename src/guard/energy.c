/* energy: tests conservation of energy. Every ENERGY_STEPS steps, the energy that the integration (residual) and
 * changes of contact geometry (made) created or lost is compared with the energy turned over. The comparison is over
 * the whole run, over the last readings, and over intervals with little turnover. So a few bodies with much energy hide
 * nothing (docs/theory/laws.md, "The guard of energy"). */
#include "guard/energy.h"

#include "guard/guard.h"

#include <string.h>

/* error of sums of so many terms, as a fraction of all energies */
static const real ROUNDING = (real)1e-11;

/* Energies at one reading, J. */
typedef struct reading {
	real wrong, made, lost, noise;
	energy_shares of;
	real springs;
} reading;

static energy_verdict verdict(real wrong, real made, real turned, real noise)
{
	energy_verdict j = {.wrong = wrong, .residual = wrong - made, .made = made, .of = real_max(turned, noise)};
	if (real_abs(wrong) > noise) j.part = real_abs(wrong) / j.of;
	return j;
}

/* J: rounding of losses. Contacts round their losses to quanta in each step, without bias. */
static real rounding_of(const state *s, const work *w, const energy_row *e, real lost)
{
	const real roundings = (real)(s->step + 1) * (real)(w->touching + 1);
	return ROUNDING * (real_abs(e->potential) + real_abs(e->brought) + real_abs(e->wall_work) + lost) +
		   w->sums.energy_quantum * sqrt(roundings);
}

static reading read_energies(const model *m, state *s, work *w)
{
	const energy_row e = scree_world_energy(m, s, w);
	reading r = {.wrong = e.residual + e.made, .made = e.made, .springs = e.springs};
	r.lost = e.lost_normal + e.lost_friction + e.lost_rolling;
	r.noise = rounding_of(s, w, &e, r.lost);
	r.of = scree_energy_share(m, s, w, &s->energy_guard.busiest);
	return r;
}

/* ------------------------------------------------------------------ since the start, and the last readings */

/* J. The greater of both, so that the energy of a fall is not counted again when it is lost. */
static real turned_over(const energy_guard *g, const reading *r, real lost)
{
	const real now = r->of.moving + r->of.waiting + r->springs;
	return real_max(real_max(lost, real_max(g->held, now)), g->floor);
}

static energy_verdict judge_whole(const energy_guard *g, const reading *r)
{
	return verdict(r->wrong, r->made, turned_over(g, r, r->lost), r->noise);
}

static energy_verdict judge_last(const energy_guard *g, const reading *r)
{
	energy_verdict j =
		verdict(r->wrong - g->wrong[0], r->made - g->made[0], turned_over(g, r, r->lost - g->lost[0]), r->noise);
	j.steps = (int64_t)g->count * ENERGY_STEPS;
	return j;
}

static void push(real list[ENERGY_READINGS], int32_t count, real value)
{
	if (count == ENERGY_READINGS) memmove(list, list + 1, sizeof *list * (ENERGY_READINGS - 1));
	list[count == ENERGY_READINGS ? count - 1 : count] = value;
}

static void remember(energy_guard *g, const reading *r)
{
	push(g->wrong, g->count, r->wrong);
	push(g->made, g->count, r->made);
	push(g->lost, g->count, r->lost);
	if (g->count < ENERGY_READINGS) ++g->count;
}

/* ------------------------------------------------------------------ intervals with little turnover */

static void add_stretch(energy_guard *g, const reading *r)
{
	const bool any = g->count > 0;
	const real wrong = r->wrong - (any ? g->wrong[g->count - 1] : 0),
			   made = r->made - (any ? g->made[g->count - 1] : 0);
	const real lost = real_max(r->lost - (any ? g->lost[g->count - 1] : 0), 0);
	const real turned = lost + r->of.exchanged + r->springs;
	if (!(lost > 0) && !(r->springs > 0)) return; /* free flight: contacts made no energy */
	for (int k = 0; k < ENERGY_LEVELS; ++k) {
		if (turned > energy_bound(k)) continue;
		energy_level *o = g->level + k;
		o->wrong += wrong;
		o->made += made;
		o->turned += turned;
		o->steps += ENERGY_STEPS;
	}
}

/* Verdict on the levels far below the total energy that have at least as many intervals as the list has readings. */
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

bool scree_energy_holds(const model *m, state *s, work *w)
{
	energy_guard *g = &s->energy_guard;
	if (!(m->guard.energy > 0) || s->step % ENERGY_STEPS) return true;
	const reading r = read_energies(m, s, w);
	if (!(r.wrong - r.wrong == 0)) return m->guard.energy_reports || scree_energy_unread(s, w);
	g->held = real_max(g->held, r.of.moving + r.springs);
	g->floor = real_max(g->floor, r.of.floor);
	add_stretch(g, &r);
	energy_verdict worst = judge_whole(g, &r), next = judge_levels(g, r.noise + r.of.turning);
	if (next.part > worst.part) worst = next;
	if (g->count) next = judge_last(g, &r);
	if (next.part > worst.part) worst = next;
	next = scree_energy_classes(m, s, w, r.noise);
	if (next.part > worst.part) worst = next;
	remember(g, &r);
	if (worst.part > g->worst) {
		g->worst = worst.part;
		g->worst_time = s->time;
	}
	return m->guard.energy_reports || !(worst.part > m->guard.energy) || scree_energy_report(m, s, w, &worst);
}
