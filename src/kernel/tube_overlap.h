/* tube_overlap.h: contacts of a convex polyhedron with a cylinder or a cone, by the thickness of the region behind it.
 *
 * The wall is approximated by a prism or a pyramid with many narrow sides that rotates with the body. The direction
 * from the axis to the body's centre points to the middle of a side, so seams have no effect. The sides deviate from
 * the round wall by at most 3e-4 of the body's radius. The rotation of the sides corresponds to a force at the body's
 * centre that makes the torque about the axis zero. With this additional force, force and torque are the gradient of
 * the energy (docs/theory/overlap.md). Near the axis this direction changes quickly and is meaningless, so fixed sides
 * replace the rotating sides. Around a post the overlap is the region behind all sides. In a drum the overlap is the
 * sum of the regions behind each side, which are separated by half planes through the axis. A body that may touch both
 * sides of a drum has two energies, one for each half of the drum.
 *
 * On a processor, src/narrow/wall/parts.h defines SCREE_WALL_PARTS and the same names for regions of any size.
 * On a device, larger ones are reported. */
#ifndef SCREE_KERNEL_TUBE_OVERLAP_H
#define SCREE_KERNEL_TUBE_OVERLAP_H

#include "kernel/convex_solid.h"
#include "kernel/item.h"
#include "kernel/overlap_faces.h"
#include "kernel/wall_parts.h"
#include "kernel/wall_rows.h"

/* tangent of half a side's angle, divided by the square root of the ratio of body radius to wall radius */
SCREE_CONSTANT real TUBE_SIDE = 0.03;
/* distances from the axis, relative to the body's radius, below which sides are fixed and above which sides rotate */
SCREE_CONSTANT real TUBE_STILL = 0.25, TUBE_TURNS = 0.5;
/* The energies of one side or of each half of a drum, for rotating and for fixed sides. */
enum { TUBE_MOST_SIDES = 4096, TUBE_HALVES = 2, TUBE_WAYS = 2, TUBE_SUMS = TUBE_HALVES * TUBE_WAYS };

/* The wall in the frame of the body, at the body's size, relative to the body's centre. */
typedef struct overlap_tube {
	/* centre of the first end, unit axis, direction from the axis to the body, and direction perpendicular to both */
	vec3 end, axis, middle, across;
	real far, reach; /* distance of the body's centre from the axis; radius of the body */
	/* radius at the sides' midpoints: radius + taper z; least: minimum radius between the ends */
	real radius, taper, least;
	real length;
	real cosine, sine;	   /* cosine and sine of a side's angle */
	int32_t inside, still; /* still: true if the sides do not rotate with the body */
} overlap_tube;

/* The effect of each sum of regions, if there is one. */
typedef struct tube_results {
	int32_t is[TUBE_SUMS];
	overlap_effect of[TUBE_SUMS];
} tube_results;

#ifndef SCREE_WALL_PARTS
/* The parts of a body behind the sides of a tube. */
typedef struct tube_parts {
	overlap_tube tube[TUBE_WAYS]; /* with rotating and with fixed sides */
	wall_parts of;
	tube_results result;
} tube_parts;
#endif

/* ------------------------------------------------------------------ the tube */

/* Initializes fixed sides, starting at a direction that is the same for all bodies. */
SCREE_FN void tube_hold_still(SCREE_GLOBAL overlap_tube *t, mat3 turn, vec3 axis)
{
	t->middle = mat3_tmul(turn, v3_across(axis));
	t->across = v3_cross(t->axis, t->middle);
	t->still = true;
}

SCREE_FN void tube_set_sides(SCREE_GLOBAL overlap_tube *t, SCREE_GLOBAL const table_wall *w)
{
	const real other = w->type == WALL_CONE ? w->radius2 : w->radius;
	const real tangent = TUBE_SIDE * sqrt(real_min(t->reach / real_max(w->radius, other), 1));
	const real in = 1 / (1 + tangent * tangent);
	/* sides are as far outside the wall at their seams as they are inside at their middles */
	const real apothem = 1 - tangent * tangent / 6;
	t->radius = apothem * w->radius;
	t->taper = w->type == WALL_CONE ? apothem * (other - w->radius) / w->length : 0;
	t->least = apothem * real_min(w->radius, other);
	t->cosine = (1 - tangent * tangent) * in;
	t->sine = 2 * tangent * in;
}

/* Computes the tube with rotating sides, t[0], and with fixed sides, t[1]. */
SCREE_FN void tube_see(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const convex_placed *body,
					   SCREE_GLOBAL const table_wall *w, SCREE_GLOBAL overlap_tube *t)
{
	const real other = w->type == WALL_CONE ? w->radius2 : w->radius;
	const vec3 axis = mat3_tmul(body->turn, w->axis), end = mat3_tmul(body->turn, v3_sub(w->point, body->at));
	const vec3 aside = v3_madd(v3_neg(end), v3_dot(end, axis), axis);
	const real far = v3_norm(aside);
	const bool off_axis = far > (real)1e-9 * real_max(w->radius, other);
	t->axis = axis;
	t->end = end;
	t->length = w->length;
	t->reach = body->size * s->radius;
	t->inside = w->side == SIDE_INSIDE;
	t->still = false;
	t->far = off_axis ? far : 0;
	tube_set_sides(t, w);
	t[1] = *t;
	tube_hold_still(t + 1, body->turn, w->axis);
	if (!off_axis) *t = t[1];
	if (!off_axis) return;
	t->middle = v3_mul(1 / far, aside);
	t->across = v3_cross(axis, t->middle);
}

/* Tests whether the body may touch the tube. A body outside a tube with ends is not affected by its inner side. */
SCREE_FN bool tube_is_near(SCREE_GLOBAL const overlap_tube *t, SCREE_GLOBAL const table_wall *w)
{
	const real most = w->type == WALL_CONE ? real_max(w->radius, w->radius2) : w->radius;
	const real z = -v3_dot(t->end, t->axis);
	const bool ends = t->length < INFINITY;
	if (ends && (z < -t->reach || z > t->length + t->reach)) return false;
	if (t->inside && ends && t->far > t->radius + t->taper * z) return false;
	return t->inside ? !(t->far + t->reach < t->least) : !(t->far - t->reach > most);
}

/* ------------------------------------------------------------------ the sides */

SCREE_FN vec3 tube_turned(SCREE_GLOBAL const overlap_tube *t, vec3 e, real cosine, real sine)
{
	return v3_madd(v3_mul(cosine, e), sine, v3_cross(t->axis, e));
}

/* Returns the plane of the side in direction e: n.p <= off is inside the tube. */
SCREE_FN vec3 tube_side_plane(SCREE_GLOBAL const overlap_tube *t, vec3 e, real *off)
{
	const vec3 m = v3_madd(e, -t->taper, t->axis);
	const real length = v3_norm(m);
	const vec3 n = v3_mul(1 / length, m);
	*off = v3_dot(n, t->end) + t->radius / length;
	return n;
}

SCREE_FN bool tube_reaches_beyond(SCREE_GLOBAL const convex_solid *s, real size, vec3 n, real off)
{
	SCREE_ROLLED
	for (int32_t v = 0; v < s->vertices; ++v)
		if (size * v3_dot(n, v3(s->vx[v], s->vy[v], s->vz[v])) > off) return true;
	return false;
}

/* Cuts at an end of the tube, if it has ends. */
SCREE_FN vec3 tube_end_plane(SCREE_GLOBAL const overlap_tube *t, bool last, real *off)
{
	const real z = v3_dot(t->axis, t->end);
	*off = last ? z + t->length : -z;
	return last ? t->axis : v3_neg(t->axis);
}

SCREE_FN int32_t tube_ends(SCREE_GLOBAL const overlap_tube *t) { return t->length < INFINITY ? 2 : 0; }

/* Finds the region outside a side, between the half planes through `before` and `after`, counter-clockwise. */
SCREE_FN_APART bool tube_outside_of_side(SCREE_GLOBAL const overlap_tube *t, SCREE_GLOBAL const convex_solid *s,
										 real size, vec3 e, vec3 before, vec3 after, SCREE_ROOM parts_cutting *c)
{
	real off;
	vec3 n = tube_side_plane(t, e, &off);
	if (!tube_reaches_beyond(s, size, n, off)) return false;
	n = v3_neg(n);
	off = -off;
	parts_start(c, s, size, OVERLAP_SLACK * t->reach);
	SCREE_ROLLED
	for (int32_t k = 0; k < 3 + tube_ends(t); ++k) {
		if (k == 1) n = v3_cross(before, t->axis);
		if (k == 2) n = v3_cross(t->axis, after);
		if (k == 1 || k == 2) off = v3_dot(n, t->end);
		if (k > 2) n = tube_end_plane(t, k == 4, &off);
		if (!parts_cut(c, n, off)) return false;
	}
	return true;
}

/* True if all further sides are out of reach or opposite. turn: to the left (1) or to the right (-1) */
SCREE_FN bool tube_done(SCREE_GLOBAL const overlap_tube *t, vec3 before, real turn)
{
	const real aside = v3_dot(t->across, before) * turn, ahead = v3_dot(t->middle, before);
	return aside < 0 || (t->far > t->reach && (ahead < 0 || t->far * aside > t->reach));
}

/* The sides to the left or right of the middle side, starting at its middle, or with or without the middle side. */
typedef enum tube_first { TUBE_HALF_FIRST, TUBE_WITH_FIRST, TUBE_WITHOUT_FIRST } tube_first;

SCREE_FN void tube_add_sides(SCREE_GLOBAL const overlap_tube *t, SCREE_GLOBAL const convex_solid *s, real size,
							 real turn, tube_first first, int32_t sum, SCREE_ROOM parts_cutting *c)
{
	const real hc = sqrt((1 + t->cosine) / 2), hs = turn * t->sine / (2 * hc);
	vec3 e = t->middle;
	SCREE_ROLLED
	for (int32_t k = 0; k < TUBE_MOST_SIDES; ++k, e = tube_turned(t, e, t->cosine, turn * t->sine)) {
		vec3 before = tube_turned(t, e, hc, -hs), after = tube_turned(t, e, hc, hs);
		if (k > 0 && tube_done(t, before, turn)) return;
		if (k == 0 && first == TUBE_WITHOUT_FIRST) continue;
		if (k == 0 && first == TUBE_HALF_FIRST) before = e;
		if (tube_outside_of_side(t, s, size, e, turn > 0 ? before : after, turn > 0 ? after : before, c))
			parts_add(c, sum, v3_neg(e));
	}
}

SCREE_FN void tube_in_drum(SCREE_GLOBAL const overlap_tube *t, SCREE_GLOBAL const convex_solid *s, real size,
						   int32_t sum, SCREE_ROOM parts_cutting *c)
{
	const bool wide = t->reach > t->least / 2;
	SCREE_ROLLED
	for (int32_t k = 0; k < TUBE_HALVES; ++k)
		tube_add_sides(t, s, size, k ? -1 : 1,
					   wide ? TUBE_HALF_FIRST
					   : k	? TUBE_WITHOUT_FIRST
							: TUBE_WITH_FIRST,
					   wide ? sum + k : sum, c);
}

/* Cuts along the sides left or right of the middle side; returns false if nothing remains. */
SCREE_FN bool tube_cut_sides(SCREE_GLOBAL const overlap_tube *t, real turn, SCREE_ROOM parts_cutting *c)
{
	vec3 e = t->middle;
	real off;
	SCREE_ROLLED
	for (int32_t k = 0; k < TUBE_MOST_SIDES; ++k, e = tube_turned(t, e, t->cosine, turn * t->sine)) {
		if (k > 0 && v3_dot(t->across, e) * turn <= 0) return true;
		if (t->far * v3_dot(t->middle, e) + t->reach < t->least) return true;
		if (k == 0 && turn < 0) continue;
		const vec3 n = tube_side_plane(t, e, &off);
		if (!parts_cut(c, n, off)) return false;
	}
	return true;
}

SCREE_FN void tube_around_post(SCREE_GLOBAL const overlap_tube *t, SCREE_GLOBAL const convex_solid *s, real size,
							   SCREE_ROOM parts_cutting *c)
{
	real off;
	parts_start(c, s, size, OVERLAP_SLACK * t->reach);
	SCREE_ROLLED
	for (int32_t k = 0; k < 2; ++k)
		if (!tube_cut_sides(t, k ? -1 : 1, c)) return;
	SCREE_ROLLED
	for (int32_t k = 0; k < tube_ends(t); ++k) {
		const vec3 n = tube_end_plane(t, k, &off);
		if (!parts_cut(c, n, off)) return;
	}
	parts_add(c, 0, t->middle);
}

/* Share of the rotating sides in the energy, which depends only on the distance from the axis; 1 around a post. */
SCREE_FN real tube_share(SCREE_GLOBAL const overlap_tube *t, real *slope)
{
	const real low = t->reach * TUBE_STILL, way = t->reach * (TUBE_TURNS - TUBE_STILL);
	const real x = real_min(real_max((t->far - low) / way, 0), 1);
	*slope = 6 * x * (1 - x) / way;
	return t->inside ? x * x * (3 - 2 * x) : 1;
}

/* Finds the parts of the body behind the sides. t: as set by tube_see */
SCREE_FN void tube_find_parts(SCREE_GLOBAL const overlap_tube *t, SCREE_GLOBAL const convex_solid *s, real size,
							  SCREE_ROOM parts_cutting *c)
{
	real slope;
	const real share = tube_share(t, &slope);
	if (!t->inside) tube_around_post(t, s, size, c);
	SCREE_ROLLED
	for (int32_t k = 0; k < TUBE_WAYS && t->inside; ++k)
		if (k ? share < 1 : share > 0) tube_in_drum(t + k, s, size, TUBE_HALVES * k, c);
}

/* ------------------------------------------------------------------ the contact */

SCREE_FN void tube_add_effect(overlap_effect *e, SCREE_GLOBAL const overlap_effect *more)
{
	e->energy += more->energy;
	e->nothing += more->nothing;
	e->arm += more->arm;
	e->push = v3_add(e->push, more->push);
	e->moment = v3_add(e->moment, more->moment);
	e->middle = v3_add(e->middle, more->middle);
	e->hold = v3_add(e->hold, more->hold);
	e->areas = v3_add(e->areas, more->areas);
	e->widest = real_max(e->widest, more->widest);
	e->wide[0] = more->wide[0];
	e->wide[1] = more->wide[1];
}

/* The effect of both halves for rotating (0) or fixed sides (1). Rotation with the body makes a force, which makes the
 * torque about the axis zero. */
SCREE_FN overlap_effect tube_effect(SCREE_GLOBAL const overlap_tube *t, SCREE_GLOBAL const tube_results *all,
									int32_t way)
{
	overlap_effect e = overlap_no_effect();
	for (int32_t k = TUBE_HALVES * way; k < TUBE_HALVES * (way + 1); ++k)
		if (all->is[k]) tube_add_effect(&e, all->of + k);
	const real torque = v3_dot(t->axis, v3_sub(e.moment, v3_cross(t->end, e.push)));
	if (e.energy > 0 && !t->still && way == 0) e.push = v3_madd(e.push, -torque / t->far, t->across);
	return e;
}

SCREE_FN vec3 tube_between(vec3 a, vec3 b, real part) { return v3_madd(v3_mul(1 - part, a), part, b); }
SCREE_FN real tube_level(real a, real b, real part) { return (1 - part) * a + part * b; }

/* Returns the mean of two effects; the second effect has the weight `part`. */
SCREE_FN overlap_effect tube_mixed(const overlap_effect *a, const overlap_effect *b, real part)
{
	overlap_effect e = *b;
	if (!(part > (real)0.5)) e = *a;
	e.energy = tube_level(a->energy, b->energy, part);
	e.nothing = tube_level(a->nothing, b->nothing, part);
	e.arm = tube_level(a->arm, b->arm, part);
	e.push = tube_between(a->push, b->push, part);
	e.moment = tube_between(a->moment, b->moment, part);
	e.middle = tube_between(a->middle, b->middle, part);
	e.hold = tube_between(a->hold, b->hold, part);
	e.areas = tube_between(a->areas, b->areas, part);
	e.widest = real_max(a->widest, b->widest);
	return e;
}

/* Computes the contact: in a drum with rotating sides far from the axis, and with fixed sides near the axis. In
 * between, the energy is a weighted sum of both energies, so the energy is still a function of position. The derivative
 * of the weights gives a force along the line between axis and centre. Returns false if there is no overlap. */
SCREE_FN bool tube_contact(SCREE_GLOBAL const overlap_tube *t, SCREE_GLOBAL const tube_results *all,
						   SCREE_GLOBAL overlap_contact *c)
{
	real slope;
	const real share = tube_share(t, &slope);
	overlap_effect e = tube_effect(t, all, share > 0 ? 0 : 1);
	if (share > 0 && share < 1) {
		const overlap_effect still = tube_effect(t, all, 1);
		const real change = -(slope * (e.energy - still.energy));
		e = tube_mixed(&still, &e, share);
		e.push = v3_madd(e.push, change, t->middle);
	}
	if (!(e.energy > 0)) return false;
	overlap_screw(&e, t->inside ? v3_neg(t->middle) : t->middle, c);
	return true;
}

#ifndef SCREE_WALL_PARTS
SCREE_FN overlap_outcome tube_regions_of(SCREE_GLOBAL const convex_pose *body, SCREE_GLOBAL const convex_rows *shapes,
										 SCREE_GLOBAL const table_wall *w, SCREE_ROOM parts_cutting *c,
										 SCREE_GLOBAL tube_parts *out)
{
	SCREE_GLOBAL const convex_rows *s = shapes + body->shape;
	parts_clear(c, &out->of);
	for (int32_t k = 0; k < TUBE_SUMS; ++k) out->result.is[k] = 0;
	tube_see(s, body, w, out->tube);
	if (!tube_is_near(out->tube, w)) return OVERLAP_NONE;
	tube_find_parts(out->tube, s, body->size, c);
	for (int32_t k = 0; k < out->of.parts; ++k) out->result.is[out->of.sum[k]] = 1;
	if (out->of.full) return OVERLAP_TOO_LARGE;
	return out->of.parts ? OVERLAP_FOUND : OVERLAP_NONE;
}

/* Computes one of the TUBE_SUMS sums; its parts are neighbours in the list. */
SCREE_FN_APART void tube_sum_of(SCREE_GLOBAL const convex_rows *s, SCREE_GLOBAL const tube_parts *p, int32_t sum,
								SCREE_GLOBAL overlap_sums *out)
{
	SCREE_GLOBAL const wall_parts *of = &p->of;
	int32_t part = 0;
	if (!p->result.is[sum]) return;
	while (of->sum[part] != sum) ++part;
	parts_sum(s, of, part, overlap_lowest(of->solid + part, of->along[part]), of->along[part], out);
}

/* Computes the effect of one of the sums. */
SCREE_FN void tube_effect_of(SCREE_GLOBAL tube_parts *p, int32_t sum, SCREE_GLOBAL const overlap_sums *of)
{
	overlap_effect e = overlap_no_effect();
	if (!p->result.is[sum]) return;
	p->result.is[sum] = region_effect(&of->region, &e);
	p->result.of[sum] = e;
}
#endif

#endif
