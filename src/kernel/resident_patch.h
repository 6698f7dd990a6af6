/* resident_patch.h: the law of one patch, between two polyhedra or a polyhedron and a wall, in the memory of a device
 * (law/each_patch.h). on_wall: a compile-time constant. */
#ifndef SCREE_KERNEL_RESIDENT_PATCH_H
#define SCREE_KERNEL_RESIDENT_PATCH_H

#include "kernel/energy_class.h"
#include "kernel/patch_contact.h"
#include "kernel/resident_contact.h"

#ifndef RESIDENT_SOLIDS
#define RESIDENT_SOLIDS 0
#endif
/* Whether the world has cylinders or cones as walls. */
#ifndef RESIDENT_TUBES
#define RESIDENT_TUBES 0
#endif
/* Whether it has walls of facets. */
#ifndef RESIDENT_FACETS
#define RESIDENT_FACETS 0
#endif

/* Number of columns of histories, from rx on, that rows of patches do not have. */
#ifndef RESIDENT_LEFT_OUT
#define RESIDENT_LEFT_OUT 0
#endif
#define ROW_OF_PATCH(name) (ROW_##name - RESIDENT_LEFT_OUT)

/* In worlds by overlap, spheres have the law hertz, and constants are those of spheres. */
#if RESIDENT_SOLIDS == SOLIDS_BY_OVERLAP
#define RESIDENT_PATCH_LAW(c) LAW_OVERLAP
#else
#define RESIDENT_PATCH_LAW(c) RESIDENT_LAW(c)
#endif

/* The patch of a row in this step, with its normal forces, between the kernels that find it and the law. After the law,
 * `hold` and `pulled` are the force and the torque on body a, which outputs need. */
typedef struct found_patch {
	patch_press press;
	vec3 normal;
	real depth, arm;
	real part;	/* between bodies, overlap relative to their thickness; on walls, fraction of the stiffness */
	real share; /* on walls: fraction of the mass that it damps */
	int64_t touches;
} found_patch;

/* ------------------------------------------------------------------ normal forces */

/* Points in the memory of a device, of arrays that have `stride` and `at_stride` numbers per point. */
typedef struct patch_points {
	SCREE_GLOBAL const vec3 *at;
	SCREE_GLOBAL const real *depth, *weight;
	int32_t count, at_stride, stride;
} patch_points;

SCREE_FN patch_point patch_point_in(const patch_points *p, int32_t k)
{
	SCREE_GLOBAL const real *at = (SCREE_GLOBAL const real *)p->at + k * p->at_stride;
	const patch_point e = {v3(at[0], at[1], at[2]), p->depth[k * p->stride], p->weight[k * p->stride]};
	return e;
}

/* The centre of the area. by_depth: the weights are areas times overlaps (area_centre in work/threads.h) */
SCREE_FN vec3 patch_centre(const patch_points *p, bool by_depth)
{
	patch_sum s = patch_empty();
	SCREE_ROLLED
	for (int32_t k = 0; k < p->count; ++k) {
		patch_point e = patch_point_in(p, k);
		if (by_depth) e.weight = e.depth > 0 ? e.weight / e.depth : 0;
		s = patch_add_middle(s, e);
	}
	return v3_mul(1 / s.weight, s.middle);
}

SCREE_FN patch_sum patch_sum_of(const patch_points *p, const patch_rates *r, const resident_contact *o,
								const contact_constants *all, enum law_row law, bool on_wall)
{
	const contact_constants c = on_wall ? normal_in_part(*all, o->stiffness, law) : *all;
	patch_sum s = patch_empty();
	SCREE_ROLLED
	for (int32_t k = 0; k < p->count; ++k) s = patch_add(s, r, patch_point_in(p, k), &o->of, &c, law, on_wall);
	SCREE_ROLLED
	for (int32_t k = 0; !patch_presses(&s) && k < p->count; ++k) s = patch_add_middle(s, patch_point_in(p, k));
	return s;
}

SCREE_FN contact_constants patch_constants(const resident_memory *m, const resident_contact *o, bool on_wall)
{
	const law_constants of = m->constants[o->materials[0] * m->rule->materials + o->materials[1]];
	const real mass = on_wall ? reduced_mass(&o->of, on_wall) * o->share : reduced_mass(&o->of, on_wall);
	return constants_of(RESIDENT_PATCH_LAW(&of), &of, reduced_radius(&o->of, on_wall), mass);
}

/* The law is a constant for each sum, as in the loops of the processor. */
SCREE_FN patch_sum patch_sum_by(const resident_memory *m, const resident_contact *o, const patch_points *p,
								const patch_rates *r, bool on_wall)
{
	const contact_constants c = patch_constants(m, o, on_wall);
	const law_constants of = m->constants[o->materials[0] * m->rule->materials + o->materials[1]];
	switch (RESIDENT_PATCH_LAW(&of)) {
	case LAW_LINEAR:
		return patch_sum_of(p, r, o, &c, LAW_LINEAR, on_wall);
	case LAW_POWER:
		return patch_sum_of(p, r, o, &c, LAW_POWER, on_wall);
	case LAW_PLASTIC:
		return patch_sum_of(p, r, o, &c, LAW_PLASTIC, on_wall);
	default:
		return patch_sum_of(p, r, o, &c, LAW_HERTZ, on_wall);
	}
}

/* Sums the normal forces of points by depth. */
SCREE_FN patch_press patch_press_by_depth(const resident_memory *m, const resident_contact *o, const patch_points *p,
										  vec3 normal, real arm, bool on_wall)
{
	const patch_rates r = patch_rates_of(&o->of, normal, 0, p->count, LAW_LINEAR, on_wall);
	const patch_sum sum = patch_sum_by(m, o, p, &r, on_wall);
	patch_press s = patch_press_of(&sum, &r);
	if (arm > 0) s.hold = patch_centre(p, false);
	if (RESIDENT_EXTRA(m->rule) == EXTRA_STICKS) s.pulled = patch_centre(p, on_wall);
	return s;
}

/* point: five points in world axes, relative to the centre of a, with the same depth and weight */
SCREE_FN patch_press patch_press_by_overlap(const resident_memory *m, const resident_contact *o, const vec3 *point,
											vec3 normal, real pitch, real depth, real weight, bool on_wall)
{
	enum { POINTS = 5 };
	const contact_constants c = patch_constants(m, o, on_wall);
	const patch_rates r = patch_rates_of(&o->of, normal, pitch, POINTS, LAW_OVERLAP, on_wall);
	const patch_point e = {point[0], depth, weight};
	patch_spread spread = spread_start(&r, e, POINTS, &c);
	for (int k = 1; k < POINTS; k += 2) spread = spread_add(spread, &r, e, point[k], &c);
	patch_sum sum = spread_sum(&spread, &r, e);
	for (int k = 0; !patch_presses(&sum) && k < POINTS; ++k) {
		const patch_point one = {point[k], depth, weight};
		sum = patch_add_middle(sum, one);
	}
	return patch_press_of(&sum, &r);
}

/* ------------------------------------------------------------------ the law */

SCREE_FN patch_account account_in(const columns *rows, int64_t k, enum extra extra)
{
	const patch_account y = {real_in(rows, ROW_OF_PATCH(lost_normal), k), real_in(rows, ROW_OF_PATCH(lost_friction), k),
							 extra == EXTRA_NONE ? 0 : real_in(rows, ROW_OF_PATCH(lost_rolling), k),
							 real_in(rows, ROW_OF_PATCH(work), k)};
	return y;
}

SCREE_FN void account_put(const columns *rows, int64_t k, const patch_account *y, const contact_tally *t,
						  enum extra extra)
{
	real_put(rows, ROW_OF_PATCH(lost_normal), k, y->lost_normal + t->normal);
	real_put(rows, ROW_OF_PATCH(lost_friction), k, y->lost_friction + t->friction);
	if (extra != EXTRA_NONE) real_put(rows, ROW_OF_PATCH(lost_rolling), k, y->lost_rolling + t->rolling);
	real_put(rows, ROW_OF_PATCH(work), k, y->work + t->work);
	real_put(rows, ROW_OF_PATCH(elastic), k, t->elastic);
	real_put(rows, ROW_OF_PATCH(power), k, t->power);
	real_put(rows, ROW_OF_PATCH(heat), k, t->heat);
}

SCREE_FN void account_add(const columns *rows, int64_t k, const contact_tally *t, enum extra extra)
{
	const patch_account y = account_in(rows, k, extra);
	account_put(rows, k, &y, t, extra);
}

/* A patch has no history of the law plastic. */
SCREE_FN contact_history patch_history(const columns *rows, int64_t k, enum extra extra)
{
	contact_history h = history_in(rows, k, LAW_LINEAR, extra);
	h.spun = real_in(rows, ROW_OF_PATCH(spun), k);
	return h;
}

SCREE_FN void patch_history_put(const columns *rows, int64_t k, const contact_history *h, enum extra extra)
{
	history_put(rows, k, h, LAW_LINEAR, extra);
	real_put(rows, ROW_OF_PATCH(spun), k, h->spun);
}

/* The patch of row k that has been found, without its normal forces. */
SCREE_FN resident_contact patch_in(const resident_memory *m, SCREE_GLOBAL const found_patch *f, const columns *rows,
								   int64_t k, bool on_wall)
{
	resident_contact o = on_wall ? resident_on_surface(m, rows, k) : resident_of_bodies(m, rows, k);
	o.at.depth = f->depth;
	o.part = on_wall ? 0 : f->part;
	if (on_wall) o.share = f->share, o.stiffness = f->part;
	return o;
}

/* What a law reads, but for the contact itself. */
typedef struct patch_input {
	contact_constants c;
	patch_step t;
	contact_history h;
	patch_account y;
} patch_input;

SCREE_FN patch_input patch_input_of(const resident_memory *m, const resident_contact *o,
									SCREE_GLOBAL const found_patch *f, const columns *rows, int64_t k, enum law_row law,
									enum extra extra, bool turns, bool on_wall)
{
	const contact_constants all = patch_constants(m, o, on_wall);
	const patch_input i = {on_wall ? others_in_part(all, o->stiffness, law) : all,
						   {f->normal, true, f->depth, f->arm, m->rule->loose, m->rule->dt},
						   patch_history(rows, k, turns ? extra : EXTRA_NONE),
						   account_in(rows, k, extra)};
	return i;
}

/* What one part of the computation passes to the next, in memory (resident_turn). */
typedef struct patch_passed {
	contact_turning turning;
	vec3 drag;
	real pull, radius;	/* of `sticking`: a patch does not end within a step */
	vec3 force, torque; /* on a */
} patch_passed;

SCREE_FN patch_held patch_held_in(SCREE_GLOBAL const found_patch *f, SCREE_GLOBAL const patch_passed *to)
{
	const patch_held s = {f->press, to->drag, {to->pull, to->radius, false, 0}};
	return s;
}

/* Attraction, and the limit on energy, which changes the normal forces that have been found. */
SCREE_FN void patch_hold(const resident_memory *m, SCREE_GLOBAL found_patch *f, const columns *rows, int64_t k,
						 SCREE_GLOBAL patch_passed *to, enum law_row law, enum extra extra, bool on_wall)
{
	const resident_contact o = patch_in(m, f, rows, k, on_wall);
	const patch_input i = patch_input_of(m, &o, f, rows, k, law, extra, false, on_wall);
	const patch_held s = patch_held_of(&i.c, &o.of, f->press, &i.t, &i.y, &i.h, law, on_wall, extra);
	f->press.normal = s.press.normal;
	f->press.moment = s.press.moment;
	to->drag = s.drag;
	to->pull = s.sticks.pull;
	to->radius = s.sticks.radius;
}

SCREE_FN void patch_turn(const resident_memory *m, SCREE_GLOBAL const found_patch *f, const columns *rows, int64_t k,
						 SCREE_GLOBAL patch_passed *to, enum law_row law, enum extra extra, bool on_wall)
{
	const resident_contact o = patch_in(m, f, rows, k, on_wall);
	const patch_input i = patch_input_of(m, &o, f, rows, k, law, extra, true, on_wall);
	const patch_held s = patch_held_in(f, to);
	const patch_trial g = patch_trial_of(&i.c, &o.of, &s, &i.t, &i.h, law, on_wall, extra);
	const contact_turning u = patch_turning(&i.c, &s, &i.t, &g, &i.h, law, extra);
	turning_put(rows, k, &u, &to->turning);
}

/* Friction. The energies of a patch stay in its account until it ends. */
SCREE_FN void patch_rub(const resident_memory *m, SCREE_GLOBAL const found_patch *f, const columns *rows, int64_t k,
						SCREE_GLOBAL patch_passed *to, enum law_row law, enum extra extra, bool on_wall)
{
	const resident_contact o = patch_in(m, f, rows, k, on_wall);
	const patch_input i = patch_input_of(m, &o, f, rows, k, law, extra, false, on_wall);
	const patch_held s = patch_held_in(f, to);
	const patch_trial g = patch_trial_of(&i.c, &o.of, &s, &i.t, &i.h, law, on_wall, extra);
	contact_result r = patch_friction(&i.c, &s, &i.t, &g, &i.h, law, extra);
	patch_history_put(rows, k, &r.history, EXTRA_NONE);
	if (extra != EXTRA_NONE) {
		const contact_turning u = to->turning;
		add_turning(&r, &u, f->normal, true);
	}
	account_add(rows, k, &r.tally, extra);
	add_drag(&r, f->press.at, to->drag);
	to->force = r.force;
	to->torque = r.torque;
}

/* Parts of the law, in order. Each has its own switch of laws: a compiler would otherwise keep in registers what they
 * have in common. part: a compile-time constant */
enum patch_part { PATCH_HOLD, PATCH_TURN, PATCH_RUB };

SCREE_FN void patch_by(const resident_memory *m, SCREE_GLOBAL found_patch *f, const columns *rows, int64_t k,
					   SCREE_GLOBAL patch_passed *to, enum patch_part part, enum law_row law, enum extra extra,
					   bool on_wall)
{
	if (part == PATCH_HOLD) patch_hold(m, f, rows, k, to, law, extra, on_wall);
	if (part == PATCH_TURN && extra != EXTRA_NONE) patch_turn(m, f, rows, k, to, law, extra, on_wall);
	if (part == PATCH_RUB) patch_rub(m, f, rows, k, to, law, extra, on_wall);
}

SCREE_FN void patch_extra(const resident_memory *m, SCREE_GLOBAL found_patch *f, const columns *rows, int64_t k,
						  SCREE_GLOBAL patch_passed *to, enum patch_part part, enum law_row law, bool on_wall)
{
	switch (RESIDENT_EXTRA(m->rule)) {
	case EXTRA_NONE:
		patch_by(m, f, rows, k, to, part, law, EXTRA_NONE, on_wall);
		return;
	case EXTRA_TURNS:
		patch_by(m, f, rows, k, to, part, law, EXTRA_TURNS, on_wall);
		return;
	default:
		patch_by(m, f, rows, k, to, part, law, law == LAW_LINEAR || law == LAW_HERTZ ? EXTRA_STICKS : EXTRA_TURNS,
				 on_wall);
	}
}

SCREE_FN void patch_by_law(const resident_memory *m, SCREE_GLOBAL found_patch *f, const columns *rows, int64_t k,
						   SCREE_GLOBAL patch_passed *to, enum patch_part part, bool on_wall)
{
	const resident_contact o = patch_in(m, f, rows, k, on_wall);
	const law_constants of = constants_between(m, &o);
	switch (RESIDENT_PATCH_LAW(&of)) {
	case LAW_LINEAR:
		patch_extra(m, f, rows, k, to, part, LAW_LINEAR, on_wall);
		return;
	case LAW_POWER:
		patch_extra(m, f, rows, k, to, part, LAW_POWER, on_wall);
		return;
	case LAW_PLASTIC:
		patch_extra(m, f, rows, k, to, part, LAW_PLASTIC, on_wall);
		return;
	case LAW_OVERLAP:
		patch_extra(m, f, rows, k, to, part, LAW_OVERLAP, on_wall);
		return;
	default:
		patch_extra(m, f, rows, k, to, part, LAW_HERTZ, on_wall);
	}
}

/* Computes one step of the patch in row k and its next history. to: memory of this item */
SCREE_FN resident_result patch_step_of(const resident_memory *m, SCREE_GLOBAL found_patch *f, const columns *rows,
									   int64_t k, SCREE_GLOBAL patch_passed *to, bool on_wall)
{
	patch_by_law(m, f, rows, k, to, PATCH_HOLD, on_wall);
	patch_by_law(m, f, rows, k, to, PATCH_TURN, on_wall);
	patch_by_law(m, f, rows, k, to, PATCH_RUB, on_wall);
	*touch_in(rows, k) = 1;
	const resident_contact o = patch_in(m, f, rows, k, on_wall);
	const contact_history unused = {{0, 0, 0}, 0, 0, 0, {0, 0, 0}, 0, 0, 0, 0, 0};
	const point_result p = {{to->force, to->torque, 0, unused, {0, 0, 0, 0, 0, 0, 0}}, true, 0};
	return resident_result_of(&o, &p, 0, m->rule, on_wall);
}

/* ------------------------------------------------------------------ its end */

/* Energies of the patch in row k, which ends; its history is then zero. */
SCREE_FN resident_end patch_ended(const columns *rows, int64_t k, enum extra extra, real dt)
{
	const contact_history h = patch_history(rows, k, extra);
	const contact_history none = {{0, 0, 0}, 0, 0, 0, {0, 0, 0}, 0, 0, 0, 0, 0};
	const patch_account y = account_in(rows, k, extra), empty = {0, 0, 0, 0};
	const contact_tally nothing = {0, 0, 0, 0, 0, 0, 0};
	const real held = h.stored + (h.rolled + h.twisted);
	const resident_end e = {y.lost_normal, y.lost_friction, y.lost_rolling,
							y.work - dt / 2 * real_in(rows, ROW_OF_PATCH(power), k) - held};
	patch_history_put(rows, k, &none, extra);
	account_put(rows, k, &empty, &nothing, extra);
	*touch_in(rows, k) = 0;
	return e;
}

SCREE_FN real energy_of_flight_in(const columns *b, int64_t i)
{
	return real_in(b, SPHERE_inv_mass, i) > 0 ? real_in(b, SPHERE_mass, i) * v3_norm2(vector_in(b, SPHERE_vx, i)) / 2
											  : 0;
}

/* Class of a patch that ends (patch_class in state/patch_accounts.h). b: -1 for a wall */
SCREE_FN int patch_class_of(const columns *body, int32_t a, int32_t b, const resident_end *e)
{
	const real lost = e->normal + e->friction + e->rolling, least = real_max(real_abs(e->made), lost);
	const real faster = real_max(energy_of_flight_in(body, a), b < 0 ? 0 : energy_of_flight_in(body, b));
	return energy_class_of(real_max(least, faster));
}

#endif
