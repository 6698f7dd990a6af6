/* patches: contacts of polyhedra, and in the plane of all but two discs, with any number of points each. */
#include "kernel/restraint.h"
#include "law/block.h"
#include "law/contact.h"
#include "law/loops.h"

#include <string.h>

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

/* What the points of the patches of a block add up to. */
typedef struct sums {
	real force[BLOCK], elastic[BLOCK], power[BLOCK], heat[BLOCK];
	real mx[BLOCK], my[BLOCK], mz[BLOCK]; /* moment of the normal forces about the centre of a */
	real px[BLOCK], py[BLOCK], pz[BLOCK]; /* where they act; of a patch that does not press: its middle */
	real hx[BLOCK], hy[BLOCK], hz[BLOCK]; /* where friction holds */
	real mean[BLOCK];					  /* overlap, or what `finish` asks for in its place */
} sums;

static vec3 middle_of(const contact_points *p, int64_t from, int64_t end)
{
	vec3 sum = v3(0, 0, 0);
	real weight = 0;
	for (int64_t e = from; e < end; ++e) {
		sum = v3_madd(sum, p->weight[e], v3(p->x[e], p->y[e], p->z[e]));
		weight += p->weight[e];
	}
	return v3_mul(1 / weight, sum);
}

/* Patch k, which is item i of the block: its points share stiffness and mass by weight, each with its own overlap and
 * velocity. */
SCREE_FN void add_points(const job *j, const block *o, sums *to, int64_t i, int64_t k, const law_constants *of,
						 constants_fn *constants, normal_fn *push, enum law_row law, bool on_wall)
{
	const pair_list *l = j->list;
	partners p = get_partners(o, i);
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]);
	contact_constants c = constants(of, reduced_radius(&p, on_wall), reduced_mass(&p, on_wall));
	const contact_points *points = &j->scratch[l->first[k] >> 32].points;
	int64_t first = (int64_t)(l->first[k] & 0xffffffffu), end = first + l->points[k];
	/* both bodies are rigid: at.turn + lead is the rate at which they part at a point */
	vec3 w = v3_sub(p.wa, p.wb), turn = v3_cross(n, w), pressed = v3(0, 0, 0);
	real lead = v3_dot(slip_velocity(&p, v3(0, 0, 0), on_wall), n), mean = 0, pitch = 0;
	if (law == LAW_VOLUME || law == LAW_OVERLAP) {
		pitch = points->pitch[first];
		lead += pitch * v3_dot(w, n);
	}
	normal_part sum = {0, 0, 0, 0};
	/* each has the overlap and the weight of all; they part the force among them */
	real share = law == LAW_OVERLAP ? 1 / (real)(end - first) : 1;
	for (int64_t e = first; e < end; ++e) {
		vec3 at = v3(points->x[e], points->y[e], points->z[e]);
		real weight = weight_of(points->weight[e], &p, &c, at, law, on_wall);
		normal_part part = push(&c, weight, points->depth[e], v3_dot(at, turn) + lead);
		sum.force += share * part.force;
		sum.elastic += share * part.elastic;
		sum.power += share * part.power;
		sum.heat += share * part.heat;
		mean += is_energy(law) ? share * weight : weight * points->depth[e];
		pressed = v3_madd(pressed, share * part.force, at);
	}
	vec3 moment = v3_madd(v3_cross(pressed, n), pitch * sum.force, n);
	vec3 at = sum.force > 0 ? v3_mul(1 / sum.force, pressed) : middle_of(points, first, end);
	to->force[i] = sum.force, to->elastic[i] = sum.elastic, to->power[i] = sum.power, to->heat[i] = sum.heat;
	to->mx[i] = moment.x, to->my[i] = moment.y, to->mz[i] = moment.z;
	to->px[i] = at.x, to->py[i] = at.y, to->pz[i] = at.z;
	to->mean[i] = mean;
	/* not in the plane, not at corners: there the centre of the area is that of the pressure */
	vec3 hold = l->arm[k] > 0 ? v3(points->x[end], points->y[end], points->z[end]) : at;
	to->hx[i] = hold.x, to->hy[i] = hold.y, to->hz[i] = hold.z;
}

/* J: what a contact took from the bodies and has not given back, but for what its springs of friction and rolling hold:
 * that they give by themselves. What it dissipated and what its normal springs did is known half a step ahead. */
SCREE_FN real taken_by(const pair_list *l, int64_t k, enum extra extra)
{
	real taken = l->lost_normal[k] + l->lost_friction[k] - l->work[k];
	return extra == EXTRA_NONE ? taken : taken + l->lost_rolling[k];
}

/* Where friction acts. While it sticks its springs are spread evenly: at the centre of the area. Where it slides it
 * follows the pressure. Between nine tenths of what it can bear and all of it, it goes from the one to the other. (If
 * it always followed the pressure, a body that rocks on a slope would be turned by its friction, and that would rock it
 * on.) */
SCREE_FN vec3 where_friction_acts(const pair_list *l, int64_t k, const contact_constants *c, vec3 hold, vec3 pressed,
								  real force)
{
	real size = sqrt(2 * c->shear * real_max(l->stiff[k] * l->bent[k], 0)), cap = c->friction * real_max(force, 0);
	real slides = cap > 0 ? real_clamp(10 * size / cap - 9, 0, 1) : 1;
	return v3_madd(hold, slides, v3_sub(pressed, hold));
}

/* The rest of a contact whose points are added up. Returns the overlap over the smaller one's size. */
SCREE_FN real finish_patch(const job *j, block *o, const sums *s, int64_t i, int64_t k, const law_constants *of,
						   constants_fn *constants, enum law_row law, bool on_wall, enum extra extra)
{
	const pair_list *l = j->list;
	partners p = get_partners(o, i);
	bool now = l->touch[k] != 0;
	contact_constants c = constants(of, reduced_radius(&p, on_wall), reduced_mass(&p, on_wall));
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]), at = v3(s->px[i], s->py[i], s->pz[i]);
	vec3 moment = v3(s->mx[i], s->my[i], s->mz[i]), v = slip_velocity(&p, at, on_wall);
	normal_part sum = {s->force[i], s->elastic[i], s->power[i], s->heat[i]}, pull = {0, 0, 0, 0};
	sticking sticks = {0, 0, false, 0};
	if (extra == EXTRA_STICKS) { /* a patch has no overlap below zero, and its pull acts where it presses */
		real vn = v3_dot(v, n);
		real share = l->stiff[k] > 0 || !jumps(&c, law) ? 1 : share_begun(l->depth[k], -vn * j->dt);
		sticks = adhere(&c, law, s->mean[i], vn, share, &pull);
	}
	vec3 drag = v3(0, 0, 0);
	if (law == LAW_LINEAR || law == LAW_HERTZ || law == LAW_POWER) {
		vec3 vt = v3_madd(v, -v3_dot(v, n), n);
		real taken = taken_by(l, k, extra), slip = v3_norm(vt);
		if (extra == EXTRA_STICKS) taken -= pull.elastic + j->dt / 2 * pull.power; /* it may give back that, too */
		real left = real_max(taken, 0) / j->dt + j->loose;
		restraint r = restraint_of(left, sum.power - sum.heat, sum.force, slip, c.mass, j->dt);
		bool keeps = law != LAW_POWER && c.damping == 0 && c.friction == 0 && c.rolling == 0 && j->loose == 0;
		real holds = taken - j->dt / 2 * sum.power; /* `taken` is that of half a step ago */
		if (keeps && sum.power > 0) r.part *= repaid(holds, sum.elastic);
		sum.force *= r.part;
		sum.power = r.part * sum.power - r.drag * slip * slip;
		sum.heat *= r.part;
		moment = v3_mul(r.part, moment);
		drag = v3_mul(now ? -r.drag : 0, vt);
	}
	if (extra == EXTRA_STICKS) {
		sum.force += pull.force, sum.elastic += pull.elastic, sum.power += pull.power, sum.heat += pull.heat;
		moment = v3_add(moment, v3_cross(at, v3_mul(pull.force, n)));
	}
	vec3 rubs = law == LAW_POWER ? at : where_friction_acts(l, k, &c, v3(s->hx[i], s->hy[i], s->hz[i]), at, sum.force);
	vec3 vr = slip_velocity(&p, rubs, on_wall);
	contact_force f = finish(j, k, now, &p, &c, n, rubs, vr, s->mean[i], sum, moment, true, law, extra, &sticks);
	f.force = v3_add(f.force, drag);
	f.torque = v3_add(f.torque, v3_cross(at, drag));
	put_force(o, i, f);
	return now ? overlap_part(&p, l->depth[k]) : 0;
}

/* of the rows start .. start+n-1 of a job, how many touch? */
SCREE_FN int64_t count_touching(const pair_list *l, int64_t from, const int32_t *listed, int64_t start, int64_t n)
{
	int64_t touching = 0;
	for (int64_t i = start; i < start + n; ++i) touching += l->touch[listed ? listed[i] : from + i] != 0;
	return touching;
}

/* The rows of a block that touch, one by one; as each_patch. The force of one that does not is zero as it is. */
SCREE_FN real finish_few(const job *j, block *o, const sums *s, int64_t first, const int32_t *listed, int64_t n,
						 const law_constants *of, constants_fn *constants, enum law_row law, bool on_wall,
						 enum extra extra)
{
	real most = 0;
	for (int64_t i = 0; i < n; ++i) {
		int64_t k = listed ? listed[i] : first + i;
		if (!j->list->touch[k]) continue;
		const law_constants its = of ? *of : get_constants(o, i);
		most = real_max(most, finish_patch(j, o, s, i, k, &its, constants, law, on_wall, extra));
		j->list->force[k] = get_force(o, i);
	}
	return most;
}

/* As each_point of each_point.h. The points are added up one patch after the other; what follows is one straight loop
 * that vectorises, also over rows that do not touch: what it makes of those is masked. Where few rows touch, and where
 * laws differ, they run one by one. */
SCREE_FN real each_patch(const job *given, int64_t from, int64_t count, const int32_t *listed, const law_constants *of,
						 constants_fn *constants, normal_fn *push, enum law_row law, partner with, enum extra extra)
{
	const bool on_wall = with == OF_WALL;
	pair_list list = *given->list;
	job j = *given;
	j.list = &list;
	const law_constants same = of ? *of : given->constants[0];
	real most = 0;
	block o;
	sums s;
	memset(&o, 0, sizeof o); /* rows that do not touch are computed, too: numbers, not garbage */
	memset(&s, 0, sizeof s);
	for (int64_t start = 0; start < count; start += BLOCK) {
		int64_t n = count - start < BLOCK ? count - start : BLOCK, first = from + start;
		int64_t touching = count_touching(&list, from, listed, start, n);
		if (!touching) continue;
		for (int64_t i = 0; i < n; ++i) {
			int64_t k = listed ? listed[start + i] : first + i, soon = start + i + AHEAD < count ? i + AHEAD : i;
			int64_t next = listed ? listed[start + soon] : first + soon;
			if (!on_wall) fetch_soon(given, next);
			o.image[i] = 0;
			if (!list.touch[k]) continue;
			const law_constants *its = of ? &same : given->constants + rule_of(given, k, on_wall);
			put_partners(&o, i, partners_of(given, k, on_wall));
			if (!of) put_constants(&o, i, its);
			add_points(&j, &o, &s, i, k, its, constants, push, law, on_wall);
		}
		if (listed || 4 * touching < n) {
			const int32_t *rows = listed ? listed + start : NULL;
			real few = finish_few(&j, &o, &s, first, rows, n, of ? &same : NULL, constants, law, on_wall, extra);
			most = real_max(most, few);
			continue;
		}
		if (of) {
#pragma omp simd reduction(max : most)
			for (int64_t i = 0; i < n; ++i) {
				real part = finish_patch(&j, &o, &s, i, first + i, &same, constants, law, on_wall, extra);
				most = part > most ? part : most;
			}
		} else {
#pragma omp simd reduction(max : most)
			for (int64_t i = 0; i < n; ++i) {
				const law_constants its = get_constants(&o, i);
				real part = finish_patch(&j, &o, &s, i, first + i, &its, constants, law, on_wall, extra);
				most = part > most ? part : most;
			}
		}
		for (int64_t i = 0; i < n; ++i) list.force[first + i] = get_force(&o, i);
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
DRY_LOOPS(each_patch, overlap, LAW_OVERLAP, bodies, OF_BODIES)
DRY_LOOPS(each_patch, overlap, LAW_OVERLAP, wall, OF_WALL)

#define CELLS(law, cell)                                                                                               \
	{                                                                                                                  \
		[PAIR_CONVEX_CONVEX] = cell(each_patch, law, bodies), [PAIR_CONVEX_WALL] = cell(each_patch, law, wall),        \
	}
loop_fn *const scree_patch_loops[LAWS][PAIR_KINDS][EXTRAS] = {
	[LAW_LINEAR] = CELLS(linear, CELL),		  [LAW_HERTZ] = CELLS(hertz, CELL),
	[LAW_POWER] = CELLS(power, CELL),		  [LAW_VOLUME] = CELLS(volume, DRY_CELL),
	[LAW_AREA] = CELLS(area, DRY_CELL),		  [LAW_AREA_LITERAL] = CELLS(area_literal, DRY_CELL),
	[LAW_OVERLAP] = CELLS(overlap, DRY_CELL),
};
