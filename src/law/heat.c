/* heat: conduction through contacts, and frictional heat (docs/theory/heat.md).
 *
 * in   touching contacts with their radii or forces; temperatures before the step; frictional losses
 * out  temperatures; heat from walls and from friction in the ledger
 *
 * A body's heat is summed in fixed point, so the order of contacts, threads and parts of the world has no effect. */

#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "kernel/cohesion.h"
#include "kernel/sphere_contact.h"
#include "law/block.h"
#include "law/stage.h"
#include "state/bonds.h"

#include <string.h>

enum { GRAIN = 1024, BODY_GRAIN = 4096 };

typedef struct conducting {
	job of;
	const model *m;
	const bodies *b;
	const real *temperature;
	int kind;
	bool by_force; /* implicit steps: the radius of a contact is computed from its force */
} conducting;

static void give(thread_work *to, int32_t row, real heat) { scree_fixed_add(to->heat.body + row, heat); }

static void give_friction(const job *j, int32_t row, real heat)
{
	give(j->own, row, heat);
	if (!j->divided || row < j->divided->owned) scree_fixed_add(&j->own->heat.friction, heat);
}

void scree_add_friction_heat(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall)
{
	const real joule = j->sums->energy_quantum;
	for (int64_t i = 0; i < n; ++i) {
		const int64_t k = first + i;
		const heat_rule *r = j->heat + rule_of(j, k, on_wall);
		const real heat = r->friction * joule * (energy[TALLY_FRICTION][i] + energy[TALLY_ROLLING][i]);
		if (heat == 0) continue;
		const bool shared = on_wall ? j->wall->row[j->wall->surface_wall[j->list->cb[k]]].conducts : true;
		const real to_a = shared ? r->to_a : 1;
		give_friction(j, j->list->ca[k], to_a * heat);
		if (!on_wall && to_a < 1) give_friction(j, j->list->cb[k], (1 - to_a) * heat);
	}
}

/* ------------------------------------------------------------------ conduction */

/* Force, in N, under which a Hertz contact would have the same width. Cohesion presses surfaces together in addition to
 * the load; for JKR the force is 4 F_c y^6, or 4 F_c (y^3 - 1/2)^2 with the springs (solver/attraction.c). */
static real pressing_force(const conducting *c, const block *o, int64_t i, int64_t k)
{
	const law_constants *l = c->of.constants + rule_of(&c->of, k, pair_on_wall(c->kind));
	if (l->cohesion == COHESION_NONE && !is_bonded(c->of.list, k)) return c->of.contact->force[k].normal;
	const real springs = c->of.list->jn[k] / c->of.dt;
	if (l->cohesion != COHESION_JKR) return springs;
	const real roots = sqrt(springs) + sqrt(3 * SCREE_PI * l->surface * o->radius[i]);
	return roots * roots;
}

/* contact radius of row k, in m */
static real radius_of(const conducting *c, const block *o, const heat_rule *r, int64_t i, int64_t k)
{
	const contact_work *now = c->of.contact;
	if (c->by_force) {
		const real force = pressing_force(c, o, i, k);
		return force > 0 && r->modulus > 0 ? scree_pow((real)0.75 * force * o->radius[i] / r->modulus, (real)1 / 3) : 0;
	}
	const bool on_wall = pair_on_wall(c->kind);
	if (c->of.constants[rule_of(&c->of, k, on_wall)].cohesion == COHESION_JKR) return c->of.list->stiff[k];
	const partners p = get_partners(o, i);
	const real depth = scree_pair_kinds[c->kind].formula ? sphere_contact_of(p.apart, p.ra, p.rb).depth : now->depth[k];
	return depth > 0 ? sqrt(o->radius[i] * depth) : 0;
}

static void conduct(const conducting *c, const block *o, int64_t i, int64_t k)
{
	const pair_list *l = c->of.list;
	const bool on_wall = pair_on_wall(c->kind);
	const heat_rule *r = c->of.heat + rule_of(&c->of, k, on_wall);
	const wall *w = on_wall ? c->of.wall->row + c->of.wall->surface_wall[l->cb[k]] : NULL;
	if (!l->touch[k] || !(r->conduction > 0) || (w && !w->conducts)) return;
	const real there = w ? w->temperature : c->temperature[l->cb[k]];
	const real heat = c->of.dt * r->conduction * radius_of(c, o, r, i, k) * (there - c->temperature[l->ca[k]]);
	give(c->of.own, l->ca[k], heat);
	if (w)
		scree_fixed_add(&c->of.own->heat.walls, heat);
	else
		give(c->of.own, l->cb[k], -heat);
}

static void piece(void *what, int64_t from, int64_t to, int thread)
{
	conducting c = *(const conducting *)what;
	const pair_list *l = c.of.list;
	const bool on_wall = pair_on_wall(c.kind);
	block o;
	c.of.own = (thread_work *)c.of.thread + thread;
	for (int64_t p = from; p < to; ++p)
		for (int64_t first = l->base[p], end = first + l->used[p]; first < end; first += BLOCK) {
			const int64_t n = end - first < BLOCK ? end - first : BLOCK;
			scree_gather_partners(&o, &c.of, first, n, on_wall);
			scree_gather_reduced(&o, c.of.contact, first, n, on_wall);
			for (int64_t i = 0; i < n; ++i) conduct(&c, &o, i, first + i);
		}
}

static void conduct_all(const model *m, const state *s, work *w)
{
	conducting c = {.of = job_of(m, s, w),
					.m = m,
					.b = &s->body,
					.temperature = body_temperatures(&s->body),
					.by_force = m->implicit};
	for (c.kind = 0; c.kind < PAIR_KINDS; ++c.kind) {
		c.of.list = (pair_list *)s->pair + c.kind;
		c.of.contact = &w->pair[c.kind].contact;
		if (c.of.list->count && !scree_pair_kinds[c.kind].patch)
			scree_parallel(piece, &c, c.of.list->pieces, scree_pair_list_grain(c.of.list, GRAIN));
	}
}

/* ------------------------------------------------------------------ bodies */

static void warm(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const kind_job *o = what;
	const bodies *b = &o->s->body;
	real *temperature = body_temperatures(b);
	for (int64_t i = from; i < to; ++i) {
		fixed sum = {0, 0};
		for (int t = 0; t < o->w->threads; ++t) scree_fixed_join(&sum, o->w->thread[t].heat.body[i]);
		const real capacity = b->mass[i] * o->m->material.row[b->material[i]].capacity;
		if (capacity > 0) temperature[i] += scree_fixed_value(sum) / capacity;
	}
}

void scree_heat_begin(const model *m, const state *s, work *w)
{
	if (!m->heat) return;
	for (int t = 0; t < w->threads; ++t) {
		thread_heat *h = &w->thread[t].heat;
		if (h->bodies < s->body.count) {
			scree_free(h->body);
			h->bodies = s->body.count + s->body.count / 4;
			h->body = scree_alloc((size_t)h->bodies, sizeof *h->body);
		}
		if (s->body.count) memset(h->body, 0, (size_t)s->body.count * sizeof *h->body);
		h->walls = h->friction = (fixed){0, 0};
	}
	w->heats = true;
}

void scree_heat_end(const model *m, state *s, work *w)
{
	if (!m->heat) return;
	conduct_all(m, s, w);
	scree_parallel(warm, &(kind_job){.m = m, .s = s, .w = w}, s->body.owned, BODY_GRAIN);
	for (int t = 0; t < w->threads; ++t) {
		scree_fixed_join(&s->energy.heat_walls, w->thread[t].heat.walls);
		scree_fixed_join(&s->energy.heat_friction, w->thread[t].heat.friction);
	}
	w->heats = false;
}
