/* patches: contacts of polyhedra, and in the plane of all but two discs, with any number of points each: one by one
 * over their points. */
#include "law/contact.h"
#include "law/loops.h"

/* What a point counts. Of areas the narrow phase gives the chord, m; then l = 4 ra rb/(ra + rb), of radii of discs of
 * the bodies' areas, or literally of the ways from the centres to the point (docs/theory/area.md). */
SCREE_FN real weight_of(real weight, const partners *p, const contact_constants *c, vec3 at, enum law_row law,
						bool on_wall)
{
	if (law == LAW_AREA) return weight * weight / (16 * c->radius * c->radius);
	if (law != LAW_AREA_LITERAL) return weight;
	real ra = v3_norm(at), rb = v3_norm(v3_add(at, p->apart));
	return weight / (4 * (on_wall ? ra : ra * rb / (ra + rb)));
}

/* one patch: its points share stiffness and mass by weight, each with its own overlap and velocity; friction acts where
 * the normal forces do */
SCREE_FN real one_patch(const job *j, int64_t k, const law_constants *of, constants_fn *constants, normal_fn *push,
						enum law_row law, partner with, enum extra extra)
{
	const pair_list *l = j->list;
	bool on_wall = with == OF_WALL;
	partners p = partners_of(j, k, on_wall);
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]);
	contact_constants c = constants(of ? of : j->constants + rule_of(j, k, on_wall), reduced_radius(&p, on_wall),
									reduced_mass(&p, on_wall));
	const contact_points *points = &j->scratch[l->first[k] >> 32].points;
	int64_t first = (int64_t)(l->first[k] & 0xffffffffu);
	normal_part sum = {0, 0, 0, 0};
	vec3 moment = v3(0, 0, 0), middle = v3(0, 0, 0), pressed = v3(0, 0, 0);
	real mean = 0;
	for (int64_t i = first; i < first + l->points[k]; ++i) {
		vec3 at = v3(points->x[i], points->y[i], points->z[i]);
		real weight = weight_of(points->weight[i], &p, &c, at, law, on_wall),
			 rate = v3_dot(slip_velocity(&p, at, on_wall), n);
		if (law == LAW_VOLUME) rate += points->pitch[i] * v3_dot(v3_sub(p.wa, p.wb), n);
		normal_part part = push(&c, weight, points->depth[i], rate);
		sum.force += part.force;
		sum.elastic += part.elastic;
		sum.power += part.power;
		sum.heat += part.heat;
		mean += is_energy(law) ? weight : weight * points->depth[i];
		moment = v3_add(moment, v3_cross(at, v3_mul(part.force, n)));
		if (law == LAW_VOLUME) moment = v3_madd(moment, points->pitch[i] * part.force, n);
		middle = v3_madd(middle, weight, at);
		pressed = v3_madd(pressed, part.force, at);
	}
	vec3 at = sum.force > 0 ? v3_mul(1 / sum.force, pressed) : middle; /* a patch that pulls: at its middle */
	sticking sticks = {0, 0, false, 0};
	if (extra == EXTRA_STICKS) { /* a patch has no overlap below zero, and its pull acts where it presses */
		real before = sum.force, vn = v3_dot(slip_velocity(&p, at, on_wall), n);
		real share = l->stiff[k] > 0 || !jumps(&c, law) ? 1 : share_begun(l->depth[k], -vn * j->dt);
		sticks = adhere(&c, law, mean, vn, share, &sum);
		moment = v3_add(moment, v3_cross(at, v3_mul(sum.force - before, n)));
	}
	l->force[k] =
		finish(j, k, true, &p, &c, n, at, slip_velocity(&p, at, on_wall), mean, sum, moment, law, extra, &sticks);
	l->force[k].image = p.image;
	return overlap_part(&p, l->depth[k]);
}

SCREE_FN real each_patch(const job *j, int64_t from, int64_t count, const int32_t *listed, const law_constants *of,
						 constants_fn *constants, normal_fn *push, enum law_row law, partner with, enum extra extra)
{
	real most = 0;
	for (int64_t i = 0; i < count; ++i) {
		int64_t then = i + PATCHES_AHEAD < count ? i + PATCHES_AHEAD : i;
		int64_t k = listed ? listed[i] : from + i, soon = listed ? listed[then] : from + then;
		if (with != OF_WALL && j->list->touch[soon]) fetch_soon(j, soon);
		if (j->list->touch[k]) most = real_max(most, one_patch(j, k, of, constants, push, law, with, extra));
	}
	return most;
}

LOOPS(each_patch, linear, LAW_LINEAR, bodies, OF_BODIES)
LOOPS(each_patch, linear, LAW_LINEAR, wall, OF_WALL)
LOOPS(each_patch, hertz, LAW_HERTZ, bodies, OF_BODIES)
LOOPS(each_patch, hertz, LAW_HERTZ, wall, OF_WALL)
LOOPS(each_patch, power, LAW_POWER, bodies, OF_BODIES)
LOOPS(each_patch, power, LAW_POWER, wall, OF_WALL)
DRY_LOOPS(each_patch, volume, LAW_VOLUME, bodies, OF_BODIES)
DRY_LOOPS(each_patch, volume, LAW_VOLUME, wall, OF_WALL)
DRY_LOOPS(each_patch, area, LAW_AREA, bodies, OF_BODIES)
DRY_LOOPS(each_patch, area, LAW_AREA, wall, OF_WALL)
DRY_LOOPS(each_patch, area_literal, LAW_AREA_LITERAL, bodies, OF_BODIES)
DRY_LOOPS(each_patch, area_literal, LAW_AREA_LITERAL, wall, OF_WALL)

#define CELLS(law, cell)                                                                                               \
	{                                                                                                                  \
		[PAIR_CONVEX_CONVEX] = cell(each_patch, law, bodies), [PAIR_CONVEX_WALL] = cell(each_patch, law, wall),        \
	}
loop_fn *const scree_patch_loops[LAWS][PAIR_KINDS][EXTRAS] = {
	[LAW_LINEAR] = CELLS(linear, CELL), [LAW_HERTZ] = CELLS(hertz, CELL),
	[LAW_POWER] = CELLS(power, CELL),	[LAW_VOLUME] = CELLS(volume, DRY_CELL),
	[LAW_AREA] = CELLS(area, DRY_CELL), [LAW_AREA_LITERAL] = CELLS(area_literal, DRY_CELL),
};
