/* energy_report: the message with which the guard of energy stops a run: the fraction of the energy exchanged that
 * appeared or vanished, the body or contact that caused it, and a remedy. Used only if energy is not conserved. */
#include "guard/energy.h"
#include "guard/guard.h"

#include "base/memory.h"
#include "model/law.h"
#include "model/model.h"
#include "state/pairs.h"
#include "state/state.h"
#include "work/work.h"

#include <stdio.h>

/* The contact whose geometry added or removed the most energy, among partners that touch. */
typedef struct maker {
	int kind; /* -1: none */
	int64_t row;
	real made;
	suspect of;
} maker;

static maker greatest_maker(const model *m, const state *s)
{
	maker most = {-1, 0, 0, {0, 0, 0}};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		if (!(l->remembers & REMEMBERS_ACCOUNT)) continue; /* forces at points derive from an energy */
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			const real made = l->elastic[c.row] + l->work[c.row] - m->dt / 2 * l->power[c.row];
			const suspect of = {real_abs(made), s->body.id[l->ca[c.row]],
								pair_on_wall(kind) ? 0 : s->body.id[l->cb[c.row]]};
			if (of.extent > 0 && scree_suspect_before(&of, &most.of)) most = (maker){kind, c.row, made, of};
		}
	}
	return most;
}

/* The contact that created the most energy, and a text about it: ", most of it, among present contacts, that of body 7
 * with wall floor (0.2 J, law hertz)" */
typedef struct named_maker {
	suspect of;
	char text[200];
} named_maker;

static named_maker maker_here(const model *m, const state *s)
{
	maker by = greatest_maker(m, s);
	named_maker o = {.of = by.of};
	if (by.kind < 0) return o;
	const pair_list *l = s->pair + by.kind;
	const bodies *b = &s->body;
	int32_t i = l->ca[by.row], j = l->cb[by.row], mb;
	char partner[96];
	if (pair_on_wall(by.kind)) {
		const wall *on = m->wall.row + m->wall.surface_wall[j];
		mb = on->material;
		snprintf(partner, sizeof partner, "wall %s", on->name);
	} else {
		mb = b->material[j];
		snprintf(partner, sizeof partner, "body %llu", (unsigned long long)b->id[j]);
	}
	const char *law = scree_laws[m->constants[b->material[i] * m->material.count + mb].law].name;
	snprintf(o.text, sizeof o.text,
			 "; among the present contacts, the contact of body %llu with %s created most of it (%.3g J, law %s)",
			 (unsigned long long)b->id[i], partner, by.made, law);
	return o;
}

/* Finds the contact that created the most energy in all parts of the world. */
static named_maker name_maker(const model *m, const state *s, const domain *d)
{
	named_maker most = {.of = {0, 0, 0}};
	const named_maker here = maker_here(m, s);
	int64_t parts = 1;
	named_maker *part = d->by->gather(d->at, &parts, sizeof *part, &here);
	for (int64_t k = 0; k < parts; ++k)
		if (scree_suspect_before(&part[k].of, &most.of) && part[k].of.extent > 0) most = part[k];
	scree_free(part);
	most.text[sizeof most.text - 1] = 0; /* of another part */
	return most;
}

static void blame_geometry(const model *m, const state *s, const work *w, const energy_verdict *j, char *text,
						   size_t room)
{
	const named_maker by = name_maker(m, s, &w->domain);
	snprintf(text, room,
			 "changes in contact geometry created %.3g J of it%s: use a law whose force has an energy "
			 "(docs/theory/laws.md), lower the restitution or set run.step below %.3g s",
			 j->made, by.text, m->dt);
}

static void blame_step(const model *m, const state *s, const work *w, const energy_verdict *j, char *text, size_t room)
{
	step_load o = scree_world_load(m, s, w);
	if (o.part < w->heaviest.part)
		o = w->heaviest; /* contacts of an oscillating body open and close, so its largest load until now is used */
	if (o.body < 0) {
		snprintf(text, room, "the integration created %.3g J of it: set run.step below %.3g s", j->residual, m->dt);
		return;
	}
	real step = o.part > 1 ? m->dt / o.part : m->dt / 2;
	snprintf(text, room,
			 "the integration created %.3g J of it; body %llu with %lld contacts needs the shortest step: run.step was "
			 "%.0f %% of its stability limit at t = %.6g s: set run.step to at most %.2g s, or use a higher "
			 "restitution or a lower tangential stiffness",
			 j->residual, (unsigned long long)o.id, (long long)o.contacts, 100 * o.part, o.time, step);
}

static void say_when(const energy_verdict *j, char *text, size_t room)
{
	if (j->calm)
		snprintf(text, room, "since the start in contacts of bodies whose kinetic energy was %.2g J at most", j->most);
	else if (j->most > 0)
		snprintf(text, room, "in the %lld steps during which no more than %.2g J were exchanged in %d steps",
				 (long long)j->steps, j->most, ENERGY_STEPS);
	else if (j->steps)
		snprintf(text, room, "in the last %lld steps", (long long)j->steps);
	else
		snprintf(text, room, "since the start");
}

static const char *wrong_of(const energy_verdict *j)
{
	return j->lost ? "was lost by the time integration itself" : j->wrong > 0 ? "appeared" : "vanished";
}

static const char *turned_of(const energy_verdict *j)
{
	return j->burnt ? "bodies exchanged or lost in this time" : "were transferred, stored or lost";
}

static void choose_cure(const model *m, state *s, const work *w, const energy_verdict *j, char *text, size_t room)
{
	if (j->gained || j->lost)
		snprintf(text, room,
				 "implicit steps %s it (lost_method): set run.step below %.3g s, or use run.response: forces",
				 j->gained ? "made" : "lost", m->dt);
	else if (real_abs(j->made) > real_abs(j->residual) || m->solver)
		blame_geometry(m, s, w, j, text, room);
	else
		blame_step(m, s, w, j, text, room);
}

bool scree_energy_report(const model *m, state *s, work *w, const energy_verdict *j)
{
	char since[128], cure[512];
	say_when(j, since, sizeof since);
	choose_cure(m, s, w, j, cure, sizeof cure);
	return scree_fail(&w->why, FAIL_GUARD,
					  "energy is not conserved: %.3g J %s %s, %.3g %% of the %.3g J that %s (limit %.3g %%, "
					  "run.guard.%s), t = %.6g s: "
					  "%s",
					  real_abs(j->wrong), wrong_of(j), since, 100 * j->part, j->of, turned_of(j),
					  100 * (j->lost ? m->guard.method : m->guard.energy), j->lost ? "method" : "energy", s->time,
					  cure);
}

bool scree_energy_unread(state *s, work *w)
{
	return scree_fail(&w->why, FAIL_GUARD,
					  "energies exceed the 1e30 J that their sums can hold, t = %.6g s, so that conservation cannot be "
					  "checked: lower the speeds or the masses, or turn the check off: run.guard.energy: 0",
					  s->time);
}
