/* each_point.h: contacts with one point, those of spheres. A few straight loops that vectorise, one after the other:
 * the processor looks ahead into the next contacts of a short one while roots and divisions of these are computed.
 * Where pairs of materials have different laws, over the runs of rows of one law. Compiled once for each law and
 * partner (loop.c.in). */
#ifndef SCREE_LAW_EACH_POINT_H
#define SCREE_LAW_EACH_POINT_H

#include "kernel/point_contact.h"
#include "law/add.h"

/* Where the partners touch, and what the law says to the ledger. */
typedef struct point_block {
	real nx[BLOCK], ny[BLOCK], nz[BLOCK], px[BLOCK], py[BLOCK], pz[BLOCK], depth[BLOCK];
	real normal[BLOCK], friction[BLOCK], rolling[BLOCK], work[BLOCK], power[BLOCK], heat[BLOCK];
	real gone[BLOCK], torn[BLOCK];
	int64_t energy[TALLIES][BLOCK]; /* quanta */
} point_block;

/* of spheres by formula, of others what the narrow phase found; contact rows first .. first+n-1 */
SCREE_FN void put_contacts(point_block *to, const block *o, const pair_list *l, int64_t first, int64_t n, partner with)
{
#pragma omp simd
	for (int64_t i = 0; i < n; ++i) {
		int64_t k = first + i;
		sphere_contact at = {v3(0, 0, 1), v3(0, 0, 0), 0};
		if (with == OF_SPHERES) {
			at = sphere_contact_of(v3(o->x[i], o->y[i], o->z[i]), o->a[OF_ROUND][i], o->b[OF_ROUND][i]);
		} else {
			at.normal = v3(l->nx[k], l->ny[k], l->nz[k]);
			at.at = v3(l->px[k], l->py[k], l->pz[k]);
			at.depth = l->depth[k];
		}
		to->nx[i] = at.normal.x, to->ny[i] = at.normal.y, to->nz[i] = at.normal.z;
		to->px[i] = at.at.x, to->py[i] = at.at.y, to->pz[i] = at.at.z;
		to->depth[i] = at.depth;
	}
}

SCREE_FN sphere_contact get_contact(const point_block *s, int64_t i)
{
	sphere_contact at = {v3(s->nx[i], s->ny[i], s->nz[i]), v3(s->px[i], s->py[i], s->pz[i]), s->depth[i]};
	return at;
}

SCREE_FN void put_tally(point_block *to, int64_t i, const contact_tally *y, real gone, real torn)
{
	to->normal[i] = y->normal, to->friction[i] = y->friction, to->rolling[i] = y->rolling;
	to->work[i] = y->work, to->power[i] = y->power, to->heat[i] = y->heat;
	to->gone[i] = gone, to->torn[i] = torn;
}

/* the energies in quanta */
SCREE_FN void put_energies(point_block *s, block *o, int64_t n, const loop_numbers *by)
{
#pragma omp simd
	for (int64_t i = 0; i < n; ++i) {
		const contact_tally y = {s->normal[i], s->friction[i], s->rolling[i], s->work[i], 0, s->power[i], s->heat[i]};
		tally_quanta q = tally_quanta_of(&y, s->gone[i], s->torn[i], by->energies, by->dt);
		s->energy[TALLY_NORMAL][i] = q.normal;
		s->energy[TALLY_FRICTION][i] = q.friction;
		s->energy[TALLY_ROLLING][i] = q.rolling;
		s->energy[TALLY_MADE][i] = q.made;
		s->energy[TALLY_POWER][i] = q.power;
		s->energy[TALLY_HEAT][i] = q.heat;
		o->most[i] += q.most;
	}
}

/* What contacts of items 0 .. n-1 that are counted elsewhere leave to the ledger there. */
SCREE_FN void forget_elsewhere(const job *j, point_block *s, int64_t first, int64_t n, bool on_wall)
{
	for (int64_t i = 0; i < n; ++i)
		for (int t = 0; counted_elsewhere(j, first + i, on_wall) && t < TALLIES; ++t) s->energy[t][i] = 0;
}

/* Energies of points, for the ledger. */
SCREE_FN void add_tally(law_tally *to, const point_block *s, int64_t n, bool turns)
{
	for (int t = 0; t < TALLIES; ++t) {
		if (t == TALLY_ROLLING && !turns) continue;
		uint64_t sum = 0; /* unsigned: what no sum holds is told by `unbearable`, and is no trap */
		for (int64_t i = 0; i < n; ++i) sum += (uint64_t)s->energy[t][i];
		to->energy[t] += (int64_t)sum;
	}
}

/* Item i of a block, which is contact row k. Returns the overlap over the smaller one's size. */
SCREE_FN real block_row(pair_list *l, block *o, point_block *s, int64_t i, int64_t k, real dt, enum law_row law,
						partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	partners p = get_partners(o, i, on_wall);
	const contact_constants c = get_constants(o, i);
	const sphere_contact at = get_contact(s, i);
	contact_history h = get_history(l, k, false, extra);
	bool touches = with == OF_SPHERES ? at.depth > 0 : l->touch[k] != 0;
	point_step t = {slip_velocity(&p, at.at, on_wall), v3_sub(p.wa, p.wb), touches, dt};
	point_result r = point_contact(&c, &at, &t, &h, law, extra);
	l->touch[k] = r.touches ? (uint64_t)1 : (uint64_t)0;
	set_history(l, k, &r.of.history, false, extra);
	put_result(o, i, &r.of);
	put_tally(s, i, &r.of.tally, r.touches ? 0 : h.stored + h.rolled + h.twisted, r.torn);
	return r.touches ? overlap_part(&p, at.depth) : 0;
}

/* Everything but j and the rows is a constant to the compiler. */
SCREE_FN real each_point(const job *j, const rows *r, enum law_row law, partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	pair_list list = *j->list; /* a copy: what is fetched through pointers is fetched for each contact */
	const loop_numbers numbers = numbers_of(j);
	const int64_t end = r->from + r->count;
	real most = 0;
	block o;
	point_block s;
	if (r->of) put_same_constants(&o, r->of, law);
	for (int64_t start = 0; start < r->count; start += BLOCK) {
		int64_t n = r->count - start < BLOCK ? r->count - start : BLOCK, first = r->from + start;
		if (!on_wall) fetch_records(j, list.cb, first, n, end, 0);
		put_partners(&o, j, first, n, on_wall);
		if (!r->of) put_their_constants(&o, j, first, n, law, on_wall);
		if (!on_wall) fetch_records(j, list.cb, first, n, end, 64);
		put_reduced(&o, n, on_wall);
		put_contacts(&s, &o, &list, first, n, with);
		if (!on_wall) fetch_sums(j, list.cb, first, n);
#pragma omp simd reduction(max : most)
		for (int64_t i = 0; i < n; ++i) {
			real part = block_row(&list, &o, &s, i, first + i, numbers.dt, law, with, extra);
			most = part > most ? part : most;
		}
		put_quanta(&o, n, &numbers);
		put_energies(&s, &o, n, &numbers);
		add_block(j, &o, first, n, on_wall);
		if (j->divided) forget_elsewhere(j, &s, first, n, on_wall);
		add_tally(&j->own->tally, &s, n, extra != EXTRA_NONE);
	}
	return most;
}

/* the loop of an extra */
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
