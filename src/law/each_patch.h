/* each_patch.h: contacts of polyhedra and, in the plane, all contacts except contacts of two discs; each has any number
 * of points. Compiled once for each law and type of partner (loop.c.in). */
#ifndef SCREE_LAW_EACH_PATCH_H
#define SCREE_LAW_EACH_PATCH_H

#include "kernel/patch_contact.h"
#include "law/block.h"
#include "law/block_constants.h"

#include <string.h>

/* Normal forces of the patches in a block. */
typedef struct patch_block {
	real force[BLOCK], elastic[BLOCK], power[BLOCK], heat[BLOCK];
	real mx[BLOCK], my[BLOCK], mz[BLOCK];
	real px[BLOCK], py[BLOCK], pz[BLOCK];
	real hx[BLOCK], hy[BLOCK], hz[BLOCK];
	real sx[BLOCK], sy[BLOCK], sz[BLOCK]; /* values of `pulled`; used only with attraction */
	real mean[BLOCK];
} patch_block;

SCREE_FN void put_press(patch_block *to, int64_t i, const patch_press *s)
{
	to->force[i] = s->normal.force, to->elastic[i] = s->normal.elastic;
	to->power[i] = s->normal.power, to->heat[i] = s->normal.heat;
	to->mx[i] = s->moment.x, to->my[i] = s->moment.y, to->mz[i] = s->moment.z;
	to->px[i] = s->at.x, to->py[i] = s->at.y, to->pz[i] = s->at.z;
	to->hx[i] = s->hold.x, to->hy[i] = s->hold.y, to->hz[i] = s->hold.z;
	to->sx[i] = s->pulled.x, to->sy[i] = s->pulled.y, to->sz[i] = s->pulled.z;
	to->mean[i] = s->mean;
}

SCREE_FN patch_press get_press(const patch_block *s, int64_t i)
{
	patch_press o = {{s->force[i], s->elastic[i], s->power[i], s->heat[i]},
					 v3(s->mx[i], s->my[i], s->mz[i]),
					 v3(s->px[i], s->py[i], s->pz[i]),
					 v3(s->hx[i], s->hy[i], s->hz[i]),
					 v3(s->sx[i], s->sy[i], s->sz[i]),
					 s->mean[i]};
	return o;
}

SCREE_FN vec3 point_at(const contact_points *p, int64_t e) { return v3(p->x[e], p->y[e], p->z[e]); }
SCREE_FN patch_point get_point(const contact_points *p, int64_t e)
{
	return (patch_point){point_at(p, e), p->depth[e], p->weight[e]};
}

/* Sum over a patch for the law `overlap`. */
SCREE_FN patch_sum sum_spread(const patch_rates *r, const contact_points *points, int64_t first, int64_t end,
							  const contact_constants *c)
{
	const patch_point e = get_point(points, first);
	patch_spread s = spread_start(r, e, end - first, c);
	for (int64_t k = first + 1; k < end; k += 2) s = spread_add(s, r, e, point_at(points, k), c);
	return spread_sum(&s, r, e);
}

/* Tests whether contacts share stiffness: only on walls, and under laws based on depth; otherwise they share energy. */
SCREE_FN bool in_parts(enum law_row law, bool on_wall) { return on_wall && law < LAWS_OF_POINTS; }

/* Adds the points of patch k, which is item i of the block. */
SCREE_FN void add_points(const job *j, const block *o, patch_block *to, int64_t i, int64_t k, enum law_row law,
						 bool on_wall, enum extra extra)
{
	const contact_work *f = j->contact;
	partners p = get_partners(o, i);
	contact_constants c = get_constants(o, i, law);
	if (in_parts(law, on_wall)) c = normal_in_part(c, o->part[i], law);
	const contact_points *points = &j->thread[f->first[k] >> 32].points;
	int64_t first = (int64_t)(f->first[k] & 0xffffffffu), end = first + f->points[k];
	real pitch = has_pitch(law) ? points->pitch[first] : 0;
	patch_rates r = patch_rates_of(&p, v3(f->nx[k], f->ny[k], f->nz[k]), pitch, end - first, law, on_wall);
	patch_sum sum = law == LAW_OVERLAP ? sum_spread(&r, points, first, end, &c) : patch_empty();
	for (int64_t e = first; law != LAW_OVERLAP && e < end; ++e)
		sum = patch_add(sum, &r, get_point(points, e), &p, &c, law, on_wall);
	for (int64_t e = first; !patch_presses(&sum) && e < end; ++e) sum = patch_add_middle(sum, get_point(points, e));
	patch_press s = patch_press_of(&sum, &r);
	/* only in 3D and not at corners; otherwise the centre of the area coincides with the centre of pressure */
	if (f->arm[k] > 0) s.hold = point_at(points, end);
	if (extra == EXTRA_STICKS) s.pulled = area_centre(points, first, end, on_wall);
	put_press(to, i, &s);
}

SCREE_FN patch_account get_account(const pair_list *l, int64_t k, enum extra extra)
{
	patch_account y = {l->lost_normal[k], l->lost_friction[k], extra == EXTRA_NONE ? 0 : l->lost_rolling[k],
					   l->work[k]};
	return y;
}

/* Updates the energy account of a patch (kernel/patch_contact.h). */
SCREE_FN void keep_account(pair_list *l, int64_t k, const contact_tally *y)
{
	l->lost_normal[k] += y->normal;
	l->lost_friction[k] += y->friction;
	l->work[k] += y->work;
	l->elastic[k] = y->elastic;
	l->power[k] = y->power;
	l->heat[k] = y->heat;
}

/* Completes item i (contact row k) once its points are summed. Returns the overlap relative to the smaller size. */
SCREE_FN real finish_patch(pair_list *l, const contact_work *f, real loose, block *o, const patch_block *s, int64_t i,
						   int64_t k, const loop_numbers *by, enum law_row law, bool on_wall, enum extra extra)
{
	partners p = get_partners(o, i);
	contact_constants c = get_constants(o, i, law);
	if (in_parts(law, on_wall)) c = others_in_part(c, o->part[i], law);
	patch_step t = {v3(f->nx[k], f->ny[k], f->nz[k]), l->touch[k] != 0, f->depth[k], f->arm[k], loose, by->dt};
	contact_history h = get_history(l, k, true, law, extra);
	patch_account y = get_account(l, k, extra);
	contact_result r = patch_contact(&c, &p, get_press(s, i), &t, &y, &h, law, on_wall, extra);
	set_history(l, k, &r.history, true, law, extra);
	keep_account(l, k, &r.tally);
	if (extra != EXTRA_NONE) l->lost_rolling[k] += r.tally.rolling;
	const contact_load load = load_of(o, i, &r, by, on_wall);
	put_load(o, i, &load, 0);
	o->normal[i] = r.normal;
	return t.touches ? overlap_part(&p, t.depth) : 0;
}

/* Stores the forces of patches for output files. */
SCREE_FN void keep_forces(contact_work *f, const block *o, const sums *s, int64_t first, int64_t n)
{
	for (int64_t i = 0; i < n; ++i)
		f->force[first + i] = (contact_force){load_at(o, LOAD_FORCE, i, s->force_quantum),
											  load_at(o, LOAD_TORQUE_A, i, s->torque_quantum), o->normal[i]};
}

/* The next rows to compute together, in from .. end-1: all rows, or a run of touching rows if many do not touch. */
SCREE_FN rows next_rows(const pair_list *l, int64_t from, int64_t end, const law_constants *of)
{
	while (from < end && !l->touch[from]) ++from;
	int64_t n = end - from < BLOCK ? end - from : BLOCK, touching = 0;
	for (int64_t k = from; k < from + n; ++k) touching += l->touch[k] != 0;
	if (4 * touching < n)
		for (n = 1; from + n < end && l->touch[from + n];) ++n;
	return (rows){from, n, of, 0, 0};
}

/* Computes patches in the same way as each_point (each_point.h) computes points. Points are summed patch by patch; the
 * rest is a single vectorized loop. The loop includes rows that do not touch; their results are masked. */
SCREE_FN real each_patch(const job *j, const rows *r, enum law_row law, bool on_wall, enum extra extra)
{
	pair_list list = *j->list;
	contact_work found = *j->contact;
	const loop_numbers numbers = numbers_of(j);
	const real loose = j->loose;
	const int64_t end = r->from + r->count;
	real most = 0;
	block o;
	patch_block s;
	memset(&o, 0, sizeof o); /* rows that do not touch are also computed, so they must hold valid numbers */
	memset(&s, 0, sizeof s);
	if (r->of) put_same_constants(&o, r->of, law);
	for (rows b = next_rows(&list, r->from, end, r->of); b.count > 0;
		 b = next_rows(&list, b.from + b.count, end, r->of)) {
		const soon next = scree_soon(r, b.from, b.count, AHEAD);
		if (!on_wall) scree_fetch_records(j, &next, 0);
		scree_gather_partners(&o, j, b.from, b.count, on_wall);
		if (!r->of) put_their_constants(&o, j, b.from, b.count, law, on_wall);
		if (!on_wall) scree_fetch_records(j, &next, 64);
		scree_gather_reduced(&o, j->contact, b.from, b.count, on_wall);
		if (!on_wall) scree_fetch_sums(j, &next);
		for (int64_t i = 0; i < b.count; ++i)
			if (list.touch[b.from + i]) add_points(j, &o, &s, i, b.from + i, law, on_wall, extra);
#pragma omp simd reduction(max : most)
		for (int64_t i = 0; i < b.count; ++i) {
			real part = finish_patch(&list, &found, loose, &o, &s, i, b.from + i, &numbers, law, on_wall, extra);
			most = part > most ? part : most;
		}
		keep_forces(&found, &o, j->sums, b.from, b.count);
		scree_add_block(j, &o, b.from, b.count, on_wall);
	}
	return most;
}

/* Runs the loop with `extra`; laws based on overlap have no cohesion. */
SCREE_FN real patch_loop(const job *j, const rows *r, enum law_row law, partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	if (extra == EXTRA_NONE) return each_patch(j, r, law, on_wall, EXTRA_NONE);
	if (extra == EXTRA_STICKS && (law == LAW_LINEAR || law == LAW_HERTZ))
		return each_patch(j, r, law, on_wall, EXTRA_STICKS);
	return each_patch(j, r, law, on_wall, EXTRA_TURNS);
}

#endif
