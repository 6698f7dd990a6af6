/* each_point.h: contacts with one point, those of spheres. One straight loop that vectorises; where pairs of materials
 * have different laws, over the runs of rows of one law. Compiled once for each law, in points_*.c. */
#ifndef SCREE_LAW_EACH_POINT_H
#define SCREE_LAW_EACH_POINT_H

#include "kernel/point_contact.h"
#include "law/add.h"

SCREE_FN void put_tally(block *o, int64_t i, const tally_quanta *q)
{
	o->energy[TALLY_NORMAL][i] = q->normal;
	o->energy[TALLY_FRICTION][i] = q->friction;
	o->energy[TALLY_ROLLING][i] = q->rolling;
	o->energy[TALLY_MADE][i] = q->made;
	o->energy[TALLY_POWER][i] = q->power;
	o->energy[TALLY_HEAT][i] = q->heat;
	o->most[i] += q->most;
}

/* Item i of a block, which is contact row k. Returns the overlap over the smaller one's size. */
SCREE_FN real block_row(pair_list *l, block *o, int64_t i, int64_t k, const loop_numbers *n, enum law_row law,
						partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	const law_constants of = get_constants(o, i);
	partners p = get_partners(o, i, on_wall);
	sphere_contact at = {v3(0, 0, 1), v3(0, 0, 0), 0};
	if (with == OF_SPHERES) {
		at = sphere_contact_of(p.apart, p.ra, p.rb);
	} else {
		at.normal = v3(l->nx[k], l->ny[k], l->nz[k]);
		at.at = v3(l->px[k], l->py[k], l->pz[k]);
		at.depth = l->depth[k];
	}
	contact_constants c = constants_of(law, &of, reduced_radius(&p, on_wall), reduced_mass(&p, on_wall));
	contact_history h = get_history(l, k, false, extra);
	bool touches = with == OF_SPHERES ? at.depth > 0 : l->touch[k] != 0;
	point_step s = {slip_velocity(&p, at.at, on_wall), v3_sub(p.wa, p.wb), touches, n->dt};
	point_result r = point_contact(&c, &at, &s, &h, law, extra);
	l->touch[k] = r.touches ? (uint64_t)1 : (uint64_t)0;
	set_history(l, k, &r.of.history, false, extra);
	put_result(o, i, &r.of, n);
	real gone = r.touches ? 0 : h.stored + h.rolled + h.twisted;
	tally_quanta q = tally_quanta_of(&r.of.tally, gone, r.torn, n->energies, n->dt);
	put_tally(o, i, &q);
	return r.touches ? overlap_part(&p, at.depth) : 0;
}

/* Everything but j and the rows is a constant to the compiler. */
SCREE_FN real each_point(const job *j, const rows *r, enum law_row law, partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	pair_list list = *j->list; /* a copy: what is fetched through pointers is fetched for each contact */
	const loop_numbers numbers = numbers_of(j);
	real most = 0;
	block o;
	if (r->of) put_same_constants(&o, r->of);
	for (int64_t start = 0; start < r->count; start += BLOCK) {
		int64_t n = r->count - start < BLOCK ? r->count - start : BLOCK, first = r->from + start;
		if (!on_wall) fetch_next(j, first + n, r->from + r->count);
		put_partners(&o, j, first, n, on_wall);
		if (!r->of) put_their_constants(&o, j, first, n, on_wall);
#pragma omp simd reduction(max : most)
		for (int64_t i = 0; i < n; ++i) {
			real part = block_row(&list, &o, i, first + i, &numbers, law, with, extra);
			most = part > most ? part : most;
		}
		add_block(j, &o, first, n, on_wall);
		if (j->divided) forget_elsewhere(j, &o, first, n, on_wall);
		add_tally(&j->own->tally, &o, n, extra != EXTRA_NONE);
	}
	return most;
}

/* the loop of an extra */
SCREE_FN real points_of(const job *j, const rows *r, enum law_row law, partner with, enum extra extra)
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
