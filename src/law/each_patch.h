/* each_patch.h: contacts of polyhedra, and in the plane of all but two discs, with any number of points each. Compiled
 * once for each law, in patches_*.c. */
#ifndef SCREE_LAW_EACH_PATCH_H
#define SCREE_LAW_EACH_PATCH_H

#include "kernel/restraint.h"
#include "law/add.h"

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
typedef struct patch_sums {
	real force[BLOCK], elastic[BLOCK], power[BLOCK], heat[BLOCK];
	real mx[BLOCK], my[BLOCK], mz[BLOCK]; /* moment of the normal forces about the centre of a */
	real px[BLOCK], py[BLOCK], pz[BLOCK]; /* where they act; of a patch that does not press: its middle */
	real hx[BLOCK], hy[BLOCK], hz[BLOCK]; /* where friction holds */
	real mean[BLOCK];					  /* overlap, or what `finish` asks for in its place */
} patch_sums;

SCREE_FN vec3 middle_of(const contact_points *p, int64_t from, int64_t end)
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
SCREE_FN void add_points(const job *j, const block *o, patch_sums *to, int64_t i, int64_t k, enum law_row law,
						 bool on_wall)
{
	const pair_list *l = j->list;
	const law_constants of = get_constants(o, i);
	partners p = get_partners(o, i, on_wall);
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]);
	contact_constants c = constants_of(law, &of, reduced_radius(&p, on_wall), reduced_mass(&p, on_wall));
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
		normal_part part = normal_by(law, &c, weight, points->depth[e], v3_dot(at, turn) + lead);
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

/* What a patch is held to: it keeps an account of its own (kernel/restraint.h). */
SCREE_FN void keep_account(pair_list *l, int64_t k, const contact_tally *y)
{
	l->lost_normal[k] += y->normal;
	l->lost_friction[k] += y->friction;
	l->work[k] += y->work;
	l->elastic[k] = y->elastic;
	l->power[k] = y->power;
	l->heat[k] = y->heat;
}

/* The rest of a contact whose points are added up. Returns the overlap over the smaller one's size. */
SCREE_FN real finish_patch(pair_list *l, real dt, real loose, block *o, const patch_sums *s, int64_t i, int64_t k,
						   const loop_numbers *q, enum law_row law, bool on_wall, enum extra extra)
{
	const law_constants of = get_constants(o, i);
	partners p = get_partners(o, i, on_wall);
	bool now = l->touch[k] != 0;
	contact_constants c = constants_of(law, &of, reduced_radius(&p, on_wall), reduced_mass(&p, on_wall));
	vec3 n = v3(l->nx[k], l->ny[k], l->nz[k]), at = v3(s->px[i], s->py[i], s->pz[i]);
	vec3 moment = v3(s->mx[i], s->my[i], s->mz[i]), v = slip_velocity(&p, at, on_wall);
	normal_part sum = {s->force[i], s->elastic[i], s->power[i], s->heat[i]}, pull = {0, 0, 0, 0};
	sticking sticks = {0, 0, false, 0};
	if (extra == EXTRA_STICKS) { /* a patch has no overlap below zero, and its pull acts where it presses */
		real vn = v3_dot(v, n);
		real share = l->stiff[k] > 0 || !jumps(&c, law) ? 1 : share_begun(l->depth[k], -vn * dt);
		sticks = adhere(&c, law, s->mean[i], vn, share, &pull);
	}
	vec3 drag = v3(0, 0, 0);
	if (law == LAW_LINEAR || law == LAW_HERTZ || law == LAW_POWER) {
		vec3 vt = v3_madd(v, -v3_dot(v, n), n);
		real taken = taken_by(l, k, extra), slip = v3_norm(vt);
		if (extra == EXTRA_STICKS) taken -= pull.elastic + dt / 2 * pull.power; /* it may give back that, too */
		real left = real_max(taken, 0) / dt + loose;
		restraint r = restraint_of(left, sum.power - sum.heat, sum.force, slip, c.mass, dt);
		bool keeps = law != LAW_POWER && c.damping == 0 && c.friction == 0 && c.rolling == 0 && loose == 0;
		real holds = taken - dt / 2 * sum.power; /* `taken` is that of half a step ago */
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
	contact_motion m = {n, rubs, slip_velocity(&p, rubs, on_wall), v3_sub(p.wa, p.wb), l->arm[k]};
	contact_history h = get_history(l, k, true, extra);
	contact_result r = contact_of(&c, &m, s->mean[i], sum, moment, &h, &sticks, now, true, law, extra, dt);
	set_history(l, k, &r.history, true, extra);
	keep_account(l, k, &r.tally);
	if (extra != EXTRA_NONE) l->lost_rolling[k] += r.tally.rolling;
	vec3 force = v3_add(r.force, drag), torque = v3_add(r.torque, v3_cross(at, drag));
	put_result(o, i, force, torque, q->forces, q->torques);
	o->normal[i] = r.normal;
	return now ? overlap_part(&p, l->depth[k]) : 0;
}

/* what contacts of patches did, for those who look at them */
SCREE_FN void keep_forces(pair_list *l, const block *o, int64_t first, int64_t n)
{
	for (int64_t i = 0; i < n; ++i)
		l->force[first + i] =
			(contact_force){v3(o->fx[i], o->fy[i], o->fz[i]), v3(o->tx[i], o->ty[i], o->tz[i]), o->normal[i]};
}

/* The next rows that are looked at side by side: not before `from`, before `end`. Rows that do not touch are computed
 * with the others, unless they are many: then only a run of those that do. */
SCREE_FN rows next_rows(const pair_list *l, int64_t from, int64_t end, const law_constants *of)
{
	while (from < end && !l->touch[from]) ++from;
	int64_t n = end - from < BLOCK ? end - from : BLOCK, touching = 0;
	for (int64_t k = from; k < from + n; ++k) touching += l->touch[k] != 0;
	if (4 * touching < n)
		for (n = 1; from + n < end && l->touch[from + n];) ++n;
	const rows r = {from, n, of};
	return r;
}

/* As each_point of each_point.h. The points are added up one patch after the other; what follows is one straight loop
 * that vectorises, also over rows that do not touch: what it makes of those is masked. */
SCREE_FN real each_patch(const job *j, const rows *r, enum law_row law, bool on_wall, enum extra extra)
{
	pair_list list = *j->list;
	const loop_numbers numbers = numbers_of(j);
	const real dt = j->dt, loose = j->loose;
	const int64_t end = r->from + r->count;
	real most = 0;
	block o;
	patch_sums s;
	memset(&o, 0, sizeof o); /* rows that do not touch are computed, too: numbers, not garbage */
	memset(&s, 0, sizeof s);
	if (r->of) put_same_constants(&o, r->of);
	for (rows b = next_rows(&list, r->from, end, r->of); b.count > 0;
		 b = next_rows(&list, b.from + b.count, end, r->of)) {
		if (!on_wall) fetch_next(j, b.from + b.count, end);
		put_partners(&o, j, b.from, b.count, on_wall);
		if (!r->of) put_their_constants(&o, j, b.from, b.count, on_wall);
		for (int64_t i = 0; i < b.count; ++i)
			if (list.touch[b.from + i]) add_points(j, &o, &s, i, b.from + i, law, on_wall);
#pragma omp simd reduction(max : most)
		for (int64_t i = 0; i < b.count; ++i) {
			real part = finish_patch(&list, dt, loose, &o, &s, i, b.from + i, &numbers, law, on_wall, extra);
			most = part > most ? part : most;
		}
		keep_forces(&list, &o, b.from, b.count);
		add_block(j, &o, b.from, b.count, on_wall);
	}
	return most;
}

/* the loop of an extra; laws of overlaps have no cohesion */
SCREE_FN real patches_of(const job *j, const rows *r, enum law_row law, bool on_wall, enum extra extra)
{
	if (extra == EXTRA_NONE) return each_patch(j, r, law, on_wall, EXTRA_NONE);
	if (extra == EXTRA_STICKS && (law == LAW_LINEAR || law == LAW_HERTZ))
		return each_patch(j, r, law, on_wall, EXTRA_STICKS);
	return each_patch(j, r, law, on_wall, EXTRA_TURNS);
}

#endif
