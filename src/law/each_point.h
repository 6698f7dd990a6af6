/* each_point.h: contacts with a single point, such as between spheres. The work is split into a few short vectorized
 * loops: while roots and divisions of one block of contacts are computed, the processor starts on the next block.
 * Compiled once for each law and type of partner (loop.c.in). */
#ifndef SCREE_LAW_EACH_POINT_H
#define SCREE_LAW_EACH_POINT_H

#include "kernel/point_contact.h"
#include "law/block.h"
#include "law/block_constants.h"

/* Contact points of a block, and their contributions to the ledger. */
typedef struct point_block {
	real nx[BLOCK], ny[BLOCK], nz[BLOCK], px[BLOCK], py[BLOCK], pz[BLOCK], depth[BLOCK];
	/* values passed from the first half to the second (kernel/point_contact.h) */
	real force[BLOCK], power[BLOCK], heat[BLOCK], scale[BLOCK], ratio[BLOCK], damping[BLOCK], cap[BLOCK], less[BLOCK];
	real rx[BLOCK], ry[BLOCK], rz[BLOCK], sx[BLOCK], sy[BLOCK], sz[BLOCK], length[BLOCK]; /* rate, spring */
	real deepest[BLOCK], torn[BLOCK], yielded[BLOCK], pull[BLOCK];						  /* law plastic */
	real energy[TALLIES][BLOCK];														  /* quanta, before rounding */
} point_block __attribute__((aligned(64))); /* add.c sums energies eight at a time */

/* Computes the contact points of rows first .. first+n-1 of spheres; copies others from the narrow phase. */
SCREE_FN void put_contacts(point_block *to, const block *o, const contact_work *c, int64_t first, int64_t n,
						   partner with)
{
#pragma omp simd
	for (int64_t i = 0; i < n; ++i) {
		int64_t k = first + i;
		sphere_contact at = {v3(0, 0, 1), v3(0, 0, 0), 0};
		if (with == OF_SPHERES) {
			at = sphere_contact_of(v3(o->x[i], o->y[i], o->z[i]), o->ra[i], o->rb[i]);
		} else {
			at.normal = v3(c->nx[k], c->ny[k], c->nz[k]);
			at.at = v3(c->px[k], c->py[k], c->pz[k]);
			at.depth = c->depth[k];
		}
		to->nx[i] = at.normal.x, to->ny[i] = at.normal.y, to->nz[i] = at.normal.z;
		to->px[i] = at.at.x, to->py[i] = at.at.y, to->pz[i] = at.at.z;
		to->depth[i] = at.depth;
	}
}

SCREE_FN sphere_contact get_contact(const point_block *s, int64_t i)
{
	return (sphere_contact){v3(s->nx[i], s->ny[i], s->nz[i]), v3(s->px[i], s->py[i], s->pz[i]), s->depth[i]};
}

SCREE_FN void put_energies(point_block *to, int64_t i, const tally_load *q)
{
	to->energy[TALLY_NORMAL][i] = q->normal;
	to->energy[TALLY_FRICTION][i] = q->friction;
	to->energy[TALLY_ROLLING][i] = q->rolling;
	to->energy[TALLY_MADE][i] = q->made;
	to->energy[TALLY_POWER][i] = q->power;
	to->energy[TALLY_HEAT][i] = q->heat;
}

SCREE_FN point_step step_of(const block *o, const point_block *s, const pair_list *l, int64_t i, int64_t k, real dt,
							partner with)
{
	const partners p = get_partners(o, i);
	const sphere_contact at = get_contact(s, i);
	bool touches = with == OF_SPHERES ? at.depth > 0 : l->touch[k] != 0;
	return (point_step){slip_velocity(&p, at.at, with == OF_WALL), v3_sub(p.wa, p.wb), touches, dt};
}

SCREE_FN void put_trial(point_block *to, int64_t i, const point_trial *g, enum law_row law)
{
	if (law == LAW_PLASTIC) {
		to->deepest[i] = g->deepest, to->torn[i] = g->torn;
		to->yielded[i] = g->yielded, to->pull[i] = g->sticks.pull;
	}
	to->force[i] = g->normal.force, to->power[i] = g->normal.power, to->heat[i] = g->normal.heat;
	to->scale[i] = g->of.stiff.now, to->ratio[i] = g->of.stiff.ratio;
	to->damping[i] = g->of.damping, to->cap[i] = g->of.cap, to->less[i] = g->of.less;
	to->rx[i] = g->of.rate.flat.x, to->ry[i] = g->of.rate.flat.y, to->rz[i] = g->of.rate.flat.z;
	to->sx[i] = g->of.spring.to.flat.x, to->sy[i] = g->of.spring.to.flat.y, to->sz[i] = g->of.spring.to.flat.z;
	to->length[i] = g->of.spring.length;
}

/* Returns the results of the first half, for contacts without cohesion. h: the history before the step */
SCREE_FN point_trial get_trial(const point_block *s, int64_t i, const contact_history *h, bool touches,
							   enum law_row law)
{
	point_trial g;
	g.touches = touches;
	g.normal.force = s->force[i], g.normal.power = s->power[i], g.normal.heat = s->heat[i];
	g.normal.elastic = 0; /* not used in the second half */
	g.sticks.pull = g.sticks.radius = g.sticks.left = 0, g.sticks.ended = false;
	g.deepest = g.torn = g.yielded = 0;
	if (law == LAW_PLASTIC) {
		g.deepest = s->deepest[i], g.torn = s->torn[i];
		g.yielded = s->yielded[i], g.sticks.pull = s->pull[i];
	}
	g.of.stiff = stiffening_by(h->scale, s->scale[i], s->ratio[i]);
	g.of.damping = s->damping[i], g.of.cap = s->cap[i], g.of.less = s->less[i];
	g.of.rate.flat = v3(s->rx[i], s->ry[i], s->rz[i]), g.of.rate.spin = 0;
	g.of.spring.to.flat = v3(s->sx[i], s->sy[i], s->sz[i]), g.of.spring.to.spin = 0;
	g.of.spring.length = s->length[i];
	return g;
}

SCREE_FN contact_constants constants_here(const block *o, int64_t i, enum law_row law, partner with, enum extra extra)
{
	const contact_constants c = get_constants(o, i, law);
	return with == OF_BODIES && extra == EXTRA_STICKS ? pull_in_part(c, o->part[i]) : c;
}

/* Computes the first half for item i of a block, which is contact row k. */
SCREE_FN void trial_row(const pair_list *l, const block *o, point_block *s, int64_t i, int64_t k, real dt,
						enum law_row law, partner with, enum extra extra)
{
	const contact_constants c = constants_here(o, i, law, with, extra);
	const sphere_contact at = get_contact(s, i);
	const point_step t = step_of(o, s, l, i, k, dt, with);
	const contact_history h = get_history(l, k, false, law, extra);
	const point_trial g = point_trial_of(&c, &at, &t, &h, law, extra);
	put_trial(s, i, &g, law);
}

SCREE_FN void trial_rows(const pair_list *l, const block *o, point_block *s, int64_t first, int64_t n, real dt,
						 enum law_row law, partner with, enum extra extra)
{
#pragma omp simd
	for (int64_t i = 0; i < n; ++i) trial_row(l, o, s, i, first + i, dt, law, with, extra);
}

/* Computes the second half, or both for cohesive contacts. Returns the overlap divided by the size of the smaller
 * body. */
SCREE_FN real slip_row(pair_list *l, block *o, point_block *s, int64_t i, int64_t k, const loop_numbers *by,
					   enum law_row law, partner with, enum extra extra)
{
	const partners p = get_partners(o, i);
	const contact_constants c = constants_here(o, i, law, with, extra);
	const sphere_contact at = get_contact(s, i);
	const point_step t = step_of(o, s, l, i, k, by->dt, with);
	const contact_history h = get_history(l, k, false, law, extra);
	const point_trial g =
		extra == EXTRA_STICKS ? point_trial_of(&c, &at, &t, &h, law, extra) : get_trial(s, i, &h, t.touches, law);
	const point_result r = point_slip(&c, &at, &t, &g, &h, law, extra);
	l->touch[k] = r.touches ? (uint64_t)1 : (uint64_t)0;
	set_history(l, k, &r.of.history, false, law, extra);
	const real gone = r.touches ? 0 : h.stored + h.rolled + h.twisted;
	const tally_load energies = tally_load_of(&r.of.tally, gone, r.torn, by->energies, by->dt);
	const contact_load load = load_of(o, i, &r.of, by, with == OF_WALL);
	put_load(o, i, &load, energies.most);
	put_energies(s, i, &energies);
	return r.touches ? overlap_part(&p, at.depth) : 0;
}

/* All arguments except j and the rows are compile-time constants. */
SCREE_FN real each_point(const job *j, const rows *r, enum law_row law, partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	pair_list list = *j->list; /* a copy: fields accessed through a pointer would be reloaded for each contact */
	const contact_work found = *j->contact;
	const loop_numbers numbers = numbers_of(j);
	real most = 0;
	block o;
	point_block s;
	if (r->of) put_same_constants(&o, r->of, law);
	for (int64_t start = 0; start < r->count; start += BLOCK) {
		int64_t n = r->count - start < BLOCK ? r->count - start : BLOCK, first = r->from + start;
		const soon next = scree_soon(r, first, n, AHEAD), after = scree_soon(r, first, n, 2 * AHEAD);
		if (!on_wall) scree_fetch_records(j, &next, 0);
		scree_gather_partners(&o, j, first, n, on_wall);
		if (!r->of) put_their_constants(&o, j, first, n, law, on_wall);
		if (!on_wall) scree_fetch_records(j, &next, 64);
		scree_gather_reduced(&o, j->contact, first, n, on_wall);
		put_contacts(&s, &o, &found, first, n, with);
		scree_fetch_history(j->list, &next);
		scree_fetch_partners(j->list, &after);
		if (!on_wall) scree_fetch_sums(j, &next);
		if (extra != EXTRA_STICKS) trial_rows(&list, &o, &s, first, n, numbers.dt, law, with, extra);
#pragma omp simd reduction(max : most)
		for (int64_t i = 0; i < n; ++i) {
			real part = slip_row(&list, &o, &s, i, first + i, &numbers, law, with, extra);
			most = part > most ? part : most;
		}
		scree_add_block(j, &o, first, n, on_wall);
		scree_add_energies(j, s.energy, first, n, on_wall);
	}
	return most;
}

SCREE_FN real point_loop(const job *j, const rows *r, enum law_row law, partner with, enum extra extra)
{
	switch (extra) {
	case EXTRA_NONE:
		return each_point(j, r, law, with, EXTRA_NONE);
	case EXTRA_TURNS:
		return each_point(j, r, law, with, EXTRA_TURNS);
	default:
		return each_point(j, r, law, with, law == LAW_POWER ? EXTRA_TURNS : EXTRA_STICKS);
	}
}

#endif
