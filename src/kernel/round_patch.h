/* round_patch.h: contacts between a convex polyhedron and a cylinder or a cone, in the frame of the body at size 1.
 *
 * Inside a tube the overlap rho - r(z) is convex over the body. The largest values are at corners and where sides of
 * faces cross the tube's ends; these are the contact points. Outside a tube, the overlap depends on the smallest
 * distance from the axis, which is on an edge of the body and has a closed form. The generator of the tube through this
 * point is a line that pushes the body (wall_line.h). The contact points of a face that rests on a tube are therefore
 * the two ends of their common line.
 *
 * Ends. A tube has no caps. A body that extends beyond an end can also move out along the axis, pushed by the rim (a
 * sequence of short lines). The shorter way out is used; if both ways are nearly equal, they are blended. */
#ifndef SCREE_KERNEL_ROUND_PATCH_H
#define SCREE_KERNEL_ROUND_PATCH_H

#include "kernel/wall_line.h"

enum { RIM_HALF = 24, RIM_QUARTER = 8 };
/* the rim replaces the side if the way out at the rim is shorter by this factor */
SCREE_CONSTANT real RIM_FADE = 0.7;
SCREE_CONSTANT real ROUND_TINY = 1e-12;

typedef struct round_tube {
	SCREE_GLOBAL const convex_solid *body;
	vec3 at, axis;		/* centre of the first end; unit axis */
	real radius, taper; /* radius at z: radius + taper z */
	real low, high;		/* heights of the ends; infinite for an endless tube */
	real c, s;			/* cosine and sine of the taper */
	bool inside;
	vec3 aside;			 /* unit vector perpendicular to the axis, towards the centre of the body */
	real body_z, body_f; /* height of the body's centre along the axis, and its distance f from the tube's side */
} round_tube;

/* A point, given by its height, its distance from the tube's side, and its direction from the axis. */
typedef struct round_spot {
	real z, f;
	vec3 e;
} round_spot;

SCREE_FN round_spot round_spot_of(const round_tube *t, vec3 p)
{
	vec3 r = v3_sub(p, t->at);
	real z = v3_dot(r, t->axis);
	vec3 across = v3_madd(r, -z, t->axis);
	real rho = v3_norm(across);
	const round_spot o = {z, (rho - t->radius - t->taper * z) * t->c, rho > 0 ? v3_mul(1 / rho, across) : t->aside};
	return o;
}

/* Returns the outward normal of the tube's side in the direction e. */
SCREE_FN vec3 round_side_normal(const round_tube *t, vec3 e) { return v3_madd(v3_mul(t->c, e), -t->s, t->axis); }

SCREE_FN_APART round_tube round_see(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const convex_placed *body,
									SCREE_GLOBAL const table_wall *w)
{
	const bool endless = !(w->length < INFINITY);
	round_tube t;
	t.body = s;
	t.at = v3_mul(1 / body->size, mat3_tmul(body->turn, v3_sub(w->point, body->at)));
	t.axis = mat3_tmul(body->turn, w->axis);
	t.radius = w->radius / body->size;
	t.high = endless ? INFINITY : w->length / body->size;
	t.low = endless ? -INFINITY : 0;
	t.taper = w->type == WALL_CONE ? (w->radius2 - w->radius) / w->length : 0;
	t.c = 1 / sqrt(1 + t.taper * t.taper);
	t.s = t.taper * t.c;
	t.inside = w->side == SIDE_INSIDE;
	t.aside = v3_across(t.axis);
	const round_spot x = round_spot_of(&t, v3(0, 0, 0));
	t.aside = x.e, t.body_z = x.z, t.body_f = x.f;
	return t;
}

/* Finds the part of the segment from a to b (heights za, zb) between the ends. */
SCREE_FN bool round_between_ends(const round_tube *t, real za, real zb, real *t0, real *t1)
{
	*t0 = 0;
	*t1 = 1;
	if ((za < t->low && zb < t->low) || (za > t->high && zb > t->high)) return false;
	if (za < t->low) *t0 = (t->low - za) / (zb - za);
	if (za > t->high) *t0 = (t->high - za) / (zb - za);
	if (zb < t->low) *t1 = (t->low - za) / (zb - za);
	if (zb > t->high) *t1 = (t->high - za) / (zb - za);
	return *t0 <= *t1;
}

SCREE_FN_APART void round_add_inside_point(SCREE_GLOBAL wall_patch *w, const round_tube *t, vec3 p, vec3 face_normal,
										   real area)
{
	round_spot x = round_spot_of(t, p);
	if (!(x.f > 0)) return;
	vec3 n = round_side_normal(t, x.e);
	real g = v3_dot(face_normal, n);
	if (g > 0) wall_add_node(w, p, v3_neg(n), x.f, g * area * x.f);
}

/* Returns the overlap at a point of a face with this normal, for the arm. */
SCREE_FN real round_pressed_at(const round_tube *t, vec3 p, vec3 face_normal)
{
	round_spot x = round_spot_of(t, p);
	return real_max(x.f, 0) * real_max(v3_dot(face_normal, round_side_normal(t, x.e)), 0);
}

/* Adds the pressure on a side of a face. The ratio of the overlap at the middle to the overlap at the ends is the
 * fraction of the pressure that acts along the side; the rest acts at the ends. A side across the tube does not touch
 * at its middle; sides along the tube, or in a narrow tube, press along their length. */
SCREE_FN_APART void round_press_side(SCREE_GLOBAL wall_patch *w, const round_tube *t, vec3 p, vec3 q, vec3 face_normal,
									 real area)
{
	real at_p = round_pressed_at(t, p, face_normal), at_q = round_pressed_at(t, q, face_normal),
		 length = v3_norm(v3_sub(q, p));
	if (!(at_p + at_q > 0 && length > 0)) return;
	real along = 2 * round_pressed_at(t, v3_mul((real)0.5, v3_add(p, q)), face_normal) / (at_p + at_q);
	real part = real_min(along, 1), line = 2 * area * part / length, ends = area * (1 - part);
	wall_press_at(w, p, line * at_p);
	wall_press_at(w, q, line * at_q);
	wall_press_close(w);
	wall_press_at(w, p, ends * at_p);
	wall_press_close(w);
	wall_press_at(w, q, ends * at_q);
	wall_press_close(w);
}

SCREE_FN vec3 round_face_centre(SCREE_GLOBAL const convex_solid *s, int32_t f)
{
	vec3 a = wall_vertex(s, s->corner[s->first[f]]), m = wall_face_normal(s, f), moment = v3(0, 0, 0);
	real area = 0;
	for (int32_t k = s->first[f] + 1; k + 1 < s->first[f + 1]; ++k) {
		vec3 b = v3_sub(wall_vertex(s, s->corner[k]), a), c = v3_sub(wall_vertex(s, s->corner[k + 1]), a);
		real t = v3_dot(m, v3_cross(b, c));
		area += t;
		moment = v3_madd(moment, t / 3, v3_add(b, c));
	}
	return area > 0 ? v3_madd(a, 1 / area, moment) : a;
}

/* Finds the two ends of the intersection of face f with the plane normal to the axis at this height. */
SCREE_FN bool round_section(const round_tube *t, int32_t f, real height, vec3 *cross)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	int32_t first = s->first[f], n = s->first[f + 1] - first, found = 0;
	for (int32_t k = 0; k < n && found < 2; ++k) {
		vec3 a = wall_vertex(s, s->corner[first + k]), b = wall_vertex(s, s->corner[first + (k + 1 < n ? k + 1 : 0)]);
		real za = v3_dot(v3_sub(a, t->at), t->axis) - height, zb = v3_dot(v3_sub(b, t->at), t->axis) - height;
		if ((za < 0) != (zb < 0)) cross[found++] = v3_madd(a, za / (za - zb), v3_sub(b, a));
	}
	return found == 2;
}

/* Each vertex is assigned half of the triangles that its two sides form with the centroid. */
SCREE_FN_APART void round_whole_inside_face(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	vec3 m = wall_face_normal(s, f), c = round_face_centre(s, f);
	int32_t first = s->first[f], n = s->first[f + 1] - first, before = s->corner[first + n - 1];
	vec3 a = v3_sub(wall_vertex(s, before), c);
	for (int32_t k = 0; k < n; ++k) {
		int32_t v = s->corner[first + k];
		vec3 b = v3_sub(wall_vertex(s, v), c);
		real area = real_abs(v3_dot(m, v3_cross(a, b))) / 4;
		if (w->depth[before] > 0) w->lump[before] += area * real_max(v3_dot(m, w->normal[before]), 0);
		if (w->depth[v] > 0) w->lump[v] += area * real_max(v3_dot(m, w->normal[v]), 0);
		if (w->depth[before] > 0 || w->depth[v] > 0)
			round_press_side(w, t, wall_vertex(s, before), wall_vertex(s, v), m, area);
		before = v;
		a = b;
	}
}

/* Adds a face that extends beyond an end. */
SCREE_FN_APART void round_inside_face(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	vec3 m = wall_face_normal(s, f), c = round_face_centre(s, f), cross[2];
	int32_t first = s->first[f], n = s->first[f + 1] - first;
	for (int k = 0; k < 2 && t->high < INFINITY; ++k) {
		if (!round_section(t, f, k ? t->high : t->low, cross)) continue;
		real area = v3_norm(v3_cross(v3_sub(cross[0], c), v3_sub(cross[1], c))) / 4;
		round_add_inside_point(w, t, cross[0], m, area);
		round_add_inside_point(w, t, cross[1], m, area);
		round_press_side(w, t, cross[0], cross[1], m, area);
	}
	for (int32_t k = 0; k < n; ++k) {
		vec3 a = wall_vertex(s, s->corner[first + k]), b = wall_vertex(s, s->corner[first + (k + 1 < n ? k + 1 : 0)]);
		real t0, t1, area = v3_norm(v3_cross(v3_sub(a, c), v3_sub(b, c))) / 4;
		real za = v3_dot(v3_sub(a, t->at), t->axis), zb = v3_dot(v3_sub(b, t->at), t->axis);
		/* a side in the plane of an end is the same as the section above */
		if (!round_between_ends(t, za, zb, &t0, &t1) || (za <= t->low && zb <= t->low) ||
			(za >= t->high && zb >= t->high))
			continue;
		vec3 r = v3_sub(b, a), from = t0 > 0 ? v3_madd(a, t0, r) : a, to = t1 < 1 ? v3_madd(a, t1, r) : b;
		round_add_inside_point(w, t, from, m, area * (t1 - t0));
		round_add_inside_point(w, t, to, m, area * (t1 - t0));
		round_press_side(w, t, from, to, m, area * (t1 - t0));
	}
}

SCREE_FN_APART void round_inside_nodes(SCREE_GLOBAL wall_patch *w, const round_tube *t)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	bool any = false;
	for (int32_t v = 0; v < s->vertices; ++v) {
		vec3 r = v3_sub(wall_vertex(s, v), t->at);
		real z = v3_dot(r, t->axis), side = t->radius + t->taper * z, rho2 = v3_norm2(v3_madd(r, -z, t->axis));
		w->depth[v] = w->lump[v] = 0;
		if (side > 0 && rho2 <= side * side) continue;
		round_spot x = round_spot_of(t, wall_vertex(s, v));
		w->depth[v] = x.f;
		w->normal[v] = round_side_normal(t, x.e);
		any |= w->depth[v] > 0;
	}
	wall_press(w, round_side_normal(t, t->aside));
	for (int32_t f = 0; any && f < s->faces; ++f) {
		bool deep = false, over = false;
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) {
			real z = v3_dot(v3_sub(wall_vertex(s, s->corner[k]), t->at), t->axis);
			deep |= w->depth[s->corner[k]] > 0;
			over |= z <= t->low || z >= t->high;
		}
		if (deep && over)
			round_inside_face(w, t, f);
		else if (deep)
			round_whole_inside_face(w, t, f);
	}
	w->arm = wall_arm(w);
	for (int32_t v = 0; any && v < s->vertices; ++v)
		if (w->lump[v] > 0)
			wall_add_node(w, wall_vertex(s, v), v3_neg(w->normal[v]), w->depth[v], w->lump[v] * w->depth[v]);
}

typedef struct round_lowest {
	real f;
	vec3 p, e;
} round_lowest;

/* Finds the minimum of rho - r(z) on a segment between the ends: rho = sqrt(a u^2 + q), and r is linear. */
SCREE_FN_APART void round_least_on_segment(const round_tube *t, vec3 a, vec3 b, round_lowest *best)
{
	vec3 ra = v3_sub(a, t->at), rb = v3_sub(b, t->at);
	real za = v3_dot(ra, t->axis), zb = v3_dot(rb, t->axis), t0, t1;
	if (!round_between_ends(t, za, zb, &t0, &t1)) return;
	vec3 x = v3_madd(ra, -za, t->axis), y = v3_sub(v3_madd(rb, -zb, t->axis), x);
	real y2 = v3_norm2(y), xy = v3_dot(x, y), slope = t->taper * (zb - za), at = slope > 0 ? t1 : t0;
	if (y2 > slope * slope && y2 > ROUND_TINY * ROUND_TINY) {
		real q = real_max(v3_norm2(x) - xy * xy / y2, 0);
		at = real_clamp(-xy / y2 + slope * sqrt(q / (y2 * (y2 - slope * slope))), t0, t1);
	}
	vec3 p = v3_madd(a, at, v3_sub(b, a));
	round_spot o = round_spot_of(t, p);
	const round_lowest found = {o.f, p, o.e};
	if (o.f < best->f) *best = found;
}

/* Finds the minimum on the intersection of face f with the plane of an end. */
SCREE_FN void round_least_on_section(const round_tube *t, int32_t f, real end, round_lowest *best)
{
	vec3 cross[2];
	if (!round_section(t, f, end, cross)) return;
	/* places the points exactly at the end, so that rounding cannot move them past the end */
	for (int k = 0; k < 2; ++k) cross[k] = v3_madd(cross[k], end - v3_dot(v3_sub(cross[k], t->at), t->axis), t->axis);
	round_tube wide = *t;
	wide.low -= 1e-9;
	wide.high += 1e-9;
	round_least_on_segment(&wide, cross[0], cross[1], best);
}

/* Returns the deepest point of the body in the tube's solid, between the ends; f = INFINITY if none. */
SCREE_FN_APART round_lowest round_find_lowest(const round_tube *t)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	round_lowest best = {INFINITY, {0, 0, 0}, t->aside};
	for (int32_t k = 0; k < s->edges; ++k)
		round_least_on_segment(t, wall_vertex(s, s->ends[2 * k]), wall_vertex(s, s->ends[2 * k + 1]), &best);
	for (int32_t f = 0; f < s->faces && t->high < INFINITY; ++f) {
		round_least_on_section(t, f, t->low, &best);
		round_least_on_section(t, f, t->high, &best);
	}
	return best;
}

SCREE_FN_APART void round_try_way(const round_tube *t, vec3 m, real *least, vec3 *way)
{
	m = v3_madd(m, -v3_dot(m, t->axis), t->axis);
	real n = v3_norm(m);
	if (!(n > 1e-9)) return;
	m = v3_mul(1 / n, m);
	real d = wall_reach(t->body, t->at, m);
	if (d < *least) {
		*least = d;
		*way = m;
	}
}

/* The shortest translation perpendicular to the axis that frees the body, if the axis passes through the body. */
SCREE_FN_APART vec3 round_way_off_axis(const round_tube *t)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	real least = INFINITY;
	vec3 way = t->aside;
	for (int32_t k = 0; k < s->edges; ++k) {
		vec3 m = v3_cross(t->axis, v3_sub(wall_vertex(s, s->ends[2 * k + 1]), wall_vertex(s, s->ends[2 * k])));
		round_try_way(t, m, &least, &way);
		round_try_way(t, v3_neg(m), &least, &way);
	}
	for (int32_t f = 0; f < s->faces; ++f) round_try_way(t, v3_neg(wall_face_normal(s, f)), &least, &way);
	return way;
}

SCREE_FN_APART void round_outside_nodes(SCREE_GLOBAL wall_patch *w, const round_tube *t)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	real reach = 2 * s->radius, low = real_max(t->low, t->body_z - reach), high = real_min(t->high, t->body_z + reach),
		 s0, s1;
	if (!(low < high)) return;
	vec3 axis_from = v3_madd(t->at, low, t->axis);
	round_lowest best = round_find_lowest(t);
	bool pierced = wall_chord(s, axis_from, t->axis, high - low, &s0, &s1);
	if (!pierced && !(best.f < 0)) return;
	vec3 e = pierced ? round_way_off_axis(t) : best.e;
	vec3 n = round_side_normal(t, e), u = v3_madd(v3_mul(t->c, t->axis), t->s, e);
	vec3 x = v3_madd(axis_from, t->radius + t->taper * low, e);
	wall_press(w, n);
	if (wall_shadow(s, x, u, (high - low) / t->c, n, &s0, &s1)) wall_line(w, s, x, u, s0, s1, n, 1);
	w->arm = wall_arm(w);
	real sum = 0;
	for (int32_t i = 0; i < w->nodes; ++i) sum += w->node[i].s;
	if (!(sum > 0) && !pierced) {
		w->nodes = 0;
		w->arm = 0;
		wall_add_node(w, best.p, n, -best.f, 1);
	}
}

SCREE_FN_APART void round_rim_line(SCREE_GLOBAL wall_patch *w, const round_tube *t, vec3 a, vec3 b, vec3 m)
{
	vec3 r = v3_sub(b, a);
	real length = v3_norm(r), s0, s1;
	vec3 u = v3_mul(1 / length, r);
	if (wall_chord(t->body, a, u, length, &s0, &s1)) wall_line(w, t->body, a, u, s0, s1, m, 1);
}

/* Divides the rim at height z into chords: finely near the body, or all around if the body is as large as the tube. */
SCREE_FN void round_rim_chords(SCREE_GLOBAL wall_patch *w, const round_tube *t, real z, vec3 m)
{
	real radius = t->radius + t->taper * z, fine = t->body->radius / (8 * radius);
	vec3 e = t->aside, across = v3_cross(t->axis, e), centre = v3_madd(t->at, z, t->axis), before = v3(0, 0, 0);
	if (!(radius > 0)) return;
	if (fine < 1.0 / 16) {
		for (int k = -RIM_HALF; k <= RIM_HALF; ++k) {
			vec3 p = v3_madd(centre, radius, v3_unit(v3_madd(e, k * fine, across)));
			if (k > -RIM_HALF) round_rim_line(w, t, before, p, m);
			before = p;
		}
		return;
	}
	for (int k = 0; k <= 4 * RIM_QUARTER; ++k) {
		vec3 x = e, y = across;
		for (int q = 0; q < k / RIM_QUARTER; ++q) {
			vec3 turned = v3_neg(x);
			x = y;
			y = turned;
		}
		/* a quarter turn is t from 0 to 1 in (1 - t^2, 2 t) / (1 + t^2) */
		real v = (real)(k % RIM_QUARTER) / RIM_QUARTER, c = (1 - v * v) / (1 + v * v), s = 2 * v / (1 + v * v);
		vec3 p = v3_madd(v3_madd(centre, radius * c, x), radius * s, y);
		if (k) round_rim_line(w, t, before, p, m);
		before = p;
	}
}

SCREE_FN_APART void round_rim_nodes(SCREE_GLOBAL wall_patch *w, const round_tube *t, real z, vec3 m)
{
	wall_press(w, m);
	round_rim_chords(w, t, z, m);
	w->arm = wall_arm(w);
}

SCREE_FN_APART real round_deepest(SCREE_GLOBAL const wall_patch *w, int32_t first)
{
	real d = 0;
	for (int32_t i = first; i < w->nodes; ++i)
		if (w->node[i].s > 0) d = real_max(d, w->node[i].d);
	return d;
}

/* Mixes the nodes on the side (all so far) and on the rim by their ways out, and returns the factor for overlaps. */
SCREE_FN_APART real round_mix_with_rim(SCREE_GLOBAL wall_patch *w, const round_tube *t)
{
	real zmin = t->body_z - wall_reach(t->body, v3(0, 0, 0), t->axis);
	real zmax = t->body_z + wall_reach(t->body, v3(0, 0, 0), v3_neg(t->axis));
	int32_t sides = w->nodes;
	real side = round_deepest(w, 0), rim = INFINITY, past = INFINITY, arm = w->arm, rim_arm = 0;
	for (int k = 0; k < 2; ++k) {
		if (k ? !(zmax > t->high) : !(zmin < t->low)) continue;
		int32_t before = w->nodes;
		past = real_min(past, k ? t->high - zmin : zmax - t->low);
		round_rim_nodes(w, t, k ? t->high : t->low, k ? t->axis : v3_neg(t->axis));
		real d = round_deepest(w, before);
		if (!(d > 0) || d >= rim) {
			w->nodes = before;
			continue;
		}
		for (int32_t i = before; i < w->nodes; ++i) w->node[sides + i - before] = w->node[i];
		w->nodes = sides + w->nodes - before;
		rim = d;
		rim_arm = w->arm;
	}
	w->arm = arm;
	bool over = t->body_z < t->low || t->body_z > t->high;
	if (!(rim < INFINITY)) {
		/* no part of the rim is in the body, but the body may soon move out past the end */
		if (over && (t->inside ? t->body_f > 0 : t->body_f < 0)) return 0;
		return real_clamp(1 - (1 - past / side) / (1 - RIM_FADE), 0, 1);
	}
	real mix = real_clamp((1 - rim / side) / (1 - RIM_FADE), 0, 1);
	wall_scale_to(w, 0, sides, 1 - mix);
	wall_scale_to(w, sides, w->nodes, mix);
	w->arm = (1 - mix) * arm + mix * rim_arm;
	if (!over || (t->inside ? t->body_f <= 0 : t->body_f >= 0)) return 1;
	/* the contact must vanish before the centre is between the ends on the other side, where the wall does not act */
	real aside = 0;
	if (t->inside) {
		aside = -round_find_lowest(t).f;
	} else {
		for (int32_t v = 0; v < t->body->vertices; ++v)
			aside = real_max(aside, round_spot_of(t, wall_vertex(t->body, v)).f);
	}
	return real_clamp(aside / rim - 1, 0, 1);
}

/* Tests whether the body's bounding ball reaches the wall; exactly for cylinders. */
SCREE_FN_APART bool round_is_near(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const convex_placed *body,
								  SCREE_GLOBAL const table_wall *w)
{
	const vec3 rel = v3_sub(body->at, w->point);
	const real z = v3_dot(rel, w->axis), bound = body->size * s->radius;
	if ((z < -bound && w->length < INFINITY) || z > w->length + bound) return false;
	if (w->type != WALL_CYLINDER) return true;
	const real rho2 = v3_norm2(v3_madd(rel, -z, w->axis));
	const real clear = w->side == SIDE_INSIDE ? w->radius - bound : w->radius + bound;
	return !(w->side == SIDE_INSIDE ? clear > 0 && rho2 <= clear * clear : rho2 >= clear * clear);
}

/* Finds the nodes of a body at a cylinder or a cone; returns false if there are none. factor: for overlaps */
SCREE_FN_APART bool round_nodes(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s,
								SCREE_GLOBAL const convex_placed *body, SCREE_GLOBAL const table_wall *o,
								SCREE_GLOBAL real *factor)
{
	w->nodes = 0;
	*factor = 0;
	if (!round_is_near(s, body, o)) return false;
	const round_tube t = round_see(s, body, o);
	const bool beside = t.body_z >= t.low && t.body_z <= t.high && t.high < INFINITY;
	if (t.inside ? t.body_f <= -s->radius : t.body_f >= s->radius) return false;
	if (beside && (t.inside ? t.body_f > 0 : t.body_f < 0)) return false;
	wall_vertex_room(w, s);
	if (t.inside)
		round_inside_nodes(w, &t);
	else
		round_outside_nodes(w, &t);
	if (!w->nodes) return false;
	*factor = t.high < INFINITY ? round_mix_with_rim(w, &t) : 1;
	return true;
}

#endif
