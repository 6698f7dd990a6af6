/* each_point.h: contacts with one point, those of spheres. One straight loop that vectorises; where pairs of materials
 * have different laws, the listed rows of one law one by one. Compiled once for each law, in points_*.c. */
#ifndef SCREE_LAW_EACH_POINT_H
#define SCREE_LAW_EACH_POINT_H

#include "kernel/sphere_contact.h"
#include "law/block.h"
#include "law/contact.h"
#include "law/loops.h"

/* one row with one point at most; *part: the overlap over the smaller one's size */
SCREE_FN contact_force one_point(const job *j, int64_t k, const partners *p, const law_constants *of,
								 constants_fn *constants, normal_fn *push, enum law_row law, partner with,
								 enum extra extra, real *part)
{
	const pair_list *l = j->list;
	bool on_wall = with == OF_WALL;
	sphere_contact at;
	if (with == OF_SPHERES) {
		at = sphere_contact_of(p->apart, p->ra, p->rb);
	} else {
		at.normal = v3(l->nx[k], l->ny[k], l->nz[k]);
		at.at = v3(l->px[k], l->py[k], l->pz[k]);
		at.depth = l->depth[k];
	}
	contact_constants c = constants(of, reduced_radius(p, on_wall), reduced_mass(p, on_wall));
	bool now = with == OF_SPHERES ? at.depth > 0 : l->touch[k] != 0;
	bool ended = false;
	real end = 0, depth = at.depth;
	if (extra == EXTRA_STICKS) {
		bool touched = l->touch[k] != 0;
		end = end_of(&c, law);
		now = at.depth > 0 ? now : touched && at.depth > end;
		ended = jumps(&c, law) && touched && !now;
		depth = ended ? end : at.depth;
	}
	if (with == OF_SPHERES || extra == EXTRA_STICKS)
		l->touch[k] = now ? (uint64_t)1 : l->touch[k] != 0 ? (uint64_t)ENDED : (uint64_t)0;
	vec3 v = slip_velocity(p, at.at, on_wall);
	real vn = v3_dot(v, at.normal);
	normal_part normal = push(&c, 1, extra == EXTRA_STICKS ? real_max(depth, 0) : depth, vn);
	sticking sticks = {0, 0, false, 0};
	if (extra == EXTRA_STICKS) {
		real left = ended ? share_ended(end - at.depth, vn * j->dt) : 0;
		real begun = l->stiff[k] > 0 || !jumps(&c, law) ? 1 : share_begun(at.depth, -vn * j->dt);
		sticks = adhere(&c, law, depth, vn, ended ? left : begun, &normal);
		sticks.left = left;
		sticks.ended = ended;
	}
	vec3 moment = v3_cross(at.at, v3_mul(normal.force, at.normal));
	*part = now ? overlap_part(p, at.depth) : 0;
	return finish(j, k, now, p, &c, at.normal, at.at, v, depth, normal, moment, false, law, extra, &sticks);
}

/* Item i of a block, which is contact row k; of: the constants, or NULL for those in the block. Returns as `part` does.
 */
SCREE_FN real block_row(const job *j, block *o, int64_t i, int64_t k, const law_constants *of, constants_fn *constants,
						normal_fn *push, enum law_row law, partner with, enum extra extra)
{
	partners p = get_partners(o, i);
	const law_constants c = of ? *of : get_constants(o, i);
	real part;
	put_force(o, i, one_point(j, k, &p, &c, constants, push, law, with, extra, &part));
	return part;
}

/* Contact rows from .. from+count-1, or those in `listed`; of: their constants, or NULL where they differ. Everything
 * but j, the rows and of is a constant to the compiler. */
SCREE_FN real each_point(const job *given, int64_t from, int64_t count, const int32_t *listed, const law_constants *of,
						 constants_fn *constants, normal_fn *push, enum law_row law, partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	pair_list list = *given->list; /* copies: what is fetched through pointers is fetched for each contact */
	job j = *given;
	j.list = &list;
	const law_constants same = of ? *of : given->constants[0];
	real most = 0;
	block o;
	for (int64_t start = 0; start < count; start += BLOCK) {
		int64_t n = count - start < BLOCK ? count - start : BLOCK, first = from + start;
		for (int64_t i = 0; i < n; ++i) {
			int64_t k = listed ? listed[start + i] : first + i, soon = start + i + AHEAD < count ? i + AHEAD : i;
			if (!on_wall) fetch_soon(given, listed ? listed[start + soon] : first + soon);
			put_partners(&o, i, partners_of(given, k, on_wall));
			if (!of) put_constants(&o, i, given->constants + rule_of(given, k, on_wall));
		}
		for (int64_t i = 0; listed && i < n; ++i) {
			real part = block_row(&j, &o, i, listed[start + i], NULL, constants, push, law, with, extra);
			most = part > most ? part : most;
		}
		if (!listed && of) {
#pragma omp simd reduction(max : most)
			for (int64_t i = 0; i < n; ++i) {
				real part = block_row(&j, &o, i, first + i, &same, constants, push, law, with, extra);
				most = part > most ? part : most;
			}
		} else if (!listed) {
#pragma omp simd reduction(max : most)
			for (int64_t i = 0; i < n; ++i) {
				real part = block_row(&j, &o, i, first + i, NULL, constants, push, law, with, extra);
				most = part > most ? part : most;
			}
		}
		for (int64_t i = 0; i < n; ++i) list.force[listed ? listed[start + i] : first + i] = get_force(&o, i);
	}
	return most;
}

#endif
