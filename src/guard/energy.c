/* energy: is energy kept? Every so many steps what the integration (residual) and changes of contact
 * geometry (made) have made or lost together is held against what was lost and released, over the whole run and over
 * the last readings, and against the greatest kinetic and elastic energy that there was (docs/theory/laws.md, "The
 * guard of energy"). */
#include "guard/guard.h"

#include <stdio.h>
#include <string.h>

/* of all energies that there are: what sums of so many terms may be wrong by */
static const real ROUNDING = (real)1e-11;

/* What is wrong, beside what is turned over, since the start or since some reading. */
typedef struct judged {
	real wrong, of, part;
	real residual, made;
	int64_t steps; /* ago; 0: since the start */
} judged;

static judged judge(real wrong, real turned, real greatest, real noise)
{
	judged j = {.wrong = wrong, .of = real_max(real_max(turned, 0), greatest)};
	if (real_abs(wrong) > noise) j.part = real_abs(wrong) / real_max(j.of, noise);
	return j;
}

static void push(real list[ENERGY_READINGS], int32_t count, real value)
{
	if (count == ENERGY_READINGS) memmove(list, list + 1, sizeof *list * (ENERGY_READINGS - 1));
	list[count == ENERGY_READINGS ? count - 1 : count] = value;
}

static void remember(energy_guard *g, real wrong, real made, real turned)
{
	push(g->wrong, g->count, wrong);
	push(g->made, g->count, made);
	push(g->turned, g->count, turned);
	if (g->count < ENERGY_READINGS) ++g->count;
}

/* ------------------------------------------------------------------ who did it, and what to do */

/* The contact whose geometry made or took most of those that touch now. */
typedef struct maker {
	int kind;
	int64_t row;
	real made;
} maker;

static maker greatest_maker(const scree_world *w)
{
	maker most = {-1, 0, 0};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		if (!(l->remembers & REMEMBERS_ACCOUNT)) continue; /* the force of a point is that of an energy */
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			real made = l->elastic[c.row] + l->work[c.row] - w->dt / 2 * l->power[c.row];
			if (real_abs(made) > real_abs(most.made)) most = (maker){kind, c.row, made};
		}
	}
	return most;
}

/* "body 7 with wall floor (0.2 J), law hertz" */
static void name_maker(const scree_world *w, char *text, size_t room)
{
	maker m = greatest_maker(w);
	*text = 0;
	if (m.kind < 0) return;
	const pair_list *l = w->pair + m.kind;
	const bodies *b = &w->body;
	int32_t i = l->ca[m.row], j = l->cb[m.row], mb;
	char partner[96];
	if (pair_on_wall(m.kind)) {
		const wall *o = w->wall.row + w->wall.surface_wall[j];
		mb = o->material;
		snprintf(partner, sizeof partner, "wall %s", o->name);
	} else {
		mb = b->material[j];
		snprintf(partner, sizeof partner, "body %llu", (unsigned long long)b->id[j]);
	}
	const char *law = scree_laws[w->constants[b->material[i] * w->material.count + mb].law].name;
	snprintf(text, room, ", most of what touches now body %llu with %s (%.3g J, law %s)", (unsigned long long)b->id[i],
			 partner, m.made, law);
}

static void blame_geometry(const scree_world *w, const judged *j, char *text, size_t room)
{
	char who[200];
	name_maker(w, who, sizeof who);
	snprintf(
		text, room,
		"changes of contact geometry made %.3g J of it%s: take a law whose force has an energy (docs/theory/laws.md), "
		"a lower restitution or a shorter run.step than %.3g s",
		j->made, who, w->dt);
}

static void blame_step(const scree_world *w, const judged *j, char *text, size_t room)
{
	step_load o = scree_world_load(w);
	if (o.part < w->heaviest.part) o = w->heaviest; /* what hums moves */
	if (o.body < 0) {
		snprintf(text, room, "the integration made %.3g J of it: take a shorter run.step than %.3g s", j->residual,
				 w->dt);
		return;
	}
	real step = o.part > 1 ? w->dt / o.part : w->dt / 2;
	snprintf(
		text, room,
		"the integration made %.3g J of it; body %llu with %lld contacts asks most of the step, %.0f %% of what is "
		"borne at t = %.6g s: take a run.step of at most %.2g s, a higher restitution or less tangential stiffness",
		j->residual, (unsigned long long)o.id, (long long)o.contacts, 100 * o.part, o.time, step);
}

static bool report(scree_world *w, const judged *j)
{
	char since[64] = "since the start", cure[512];
	if (j->steps) snprintf(since, sizeof since, "in the last %lld steps", (long long)j->steps);
	if (real_abs(j->made) > real_abs(j->residual) || w->solver)
		blame_geometry(w, j, cure, sizeof cure);
	else
		blame_step(w, j, cure, sizeof cure);
	return scree_fail(&w->why, FAIL_GUARD,
					  "energy is not kept: %.3g J %s %s, %.3g %% of %.3g J (limit %.3g %%, run.guard.energy), t = %.6g "
					  "s: %s",
					  real_abs(j->wrong), j->wrong > 0 ? "came from nowhere" : "went nowhere", since, 100 * j->part,
					  j->of, 100 * w->guard.energy.most, w->time, cure);
}

/* ------------------------------------------------------------------ */

bool scree_energy_holds(scree_world *w)
{
	energy_guard *g = &w->guard.energy;
	if (!(g->most > 0) || w->step % ENERGY_STEPS) return true;
	energy_row e = scree_world_energy(w);
	real lost = e.lost_normal + e.lost_friction + e.lost_rolling;
	real released = e.brought + e.wall_work - e.potential, wrong = e.residual + e.made;
	real noise = ROUNDING * (real_abs(e.potential) + real_abs(e.brought) + real_abs(e.wall_work) + lost);
	real turned = lost + real_max(released, 0);
	g->greatest = real_max(g->greatest, e.kinetic + e.elastic);
	judged whole = judge(wrong, turned, g->greatest, noise), worst = whole;
	worst.residual = e.residual;
	worst.made = e.made;
	if (g->count) {
		judged last = judge(wrong - g->wrong[0], turned - g->turned[0], g->greatest, noise);
		last.steps = (int64_t)g->count * ENERGY_STEPS;
		last.made = e.made - g->made[0];
		last.residual = last.wrong - last.made;
		if (last.part > worst.part) worst = last;
	}
	remember(g, wrong, e.made, turned);
	if (worst.part > g->worst) {
		g->worst = worst.part;
		g->worst_time = w->time;
	}
	return g->tells || !(worst.part > g->most) || report(w, &worst);
}
