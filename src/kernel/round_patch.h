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

SCREE_FN real round_height(const round_tube *t, vec3 p) { return v3_dot(v3_sub(p, t->at), t->axis); }

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

/* Finds the part of a segment between heights za and zb that is at most `slack` beyond the ends. */
SCREE_FN bool round_between_ends(const round_tube *t, real slack, real za, real zb, real *t0, real *t1)
{
	const real low = t->low - slack, high = t->high + slack;
	*t0 = 0;
	*t1 = 1;
	if ((za < low && zb < low) || (za > high && zb > high)) return false;
	if (za < low) *t0 = (low - za) / (zb - za);
	if (za > high) *t0 = (high - za) / (zb - za);
	if (zb < low) *t1 = (low - za) / (zb - za);
	if (zb > high) *t1 = (high - za) / (zb - za);
	return *t0 <= *t1;
}

SCREE_FN_APART void round_add_inside_point(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f, const vec3 *p,
										   real area)
{
	round_spot x = round_spot_of(t, *p);
	if (!(x.f > 0)) return;
	vec3 n = round_side_normal(t, x.e);
	real g = v3_dot(wall_face_normal(t->body, f), n);
	if (g > 0) wall_add_node(w, *p, v3_neg(n), x.f, g * area * x.f);
}

/* Returns the overlap at a point of face f, for the arm. */
SCREE_FN_APART real round_pressed_at(const round_tube *t, int32_t f, vec3 p)
{
	round_spot x = round_spot_of(t, p);
	return real_max(x.f, 0) * real_max(v3_dot(wall_face_normal(t->body, f), round_side_normal(t, x.e)), 0);
}

/* Adds the pressure on a side of face f. The ratio of the overlap at the middle to the overlap at the ends is the
 * fraction of the pressure that acts along the side; the rest acts at the ends. A side across the tube does not touch
 * at its middle; sides along the tube, or in a narrow tube, press along their length. */
SCREE_FN_APART void round_press_side(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f, const vec3 *end,
									 real area)
{
	real at_p = round_pressed_at(t, f, end[0]), at_q = round_pressed_at(t, f, end[1]),
		 length = v3_norm(v3_sub(end[1], end[0]));
	if (!(at_p + at_q > 0 && length > 0)) return;
	real along = 2 * round_pressed_at(t, f, v3_mul((real)0.5, v3_add(end[0], end[1]))) / (at_p + at_q);
	real part = real_min(along, 1), line = 2 * area * part / length, ends = area * (1 - part);
	wall_press_at(w, end[0], line * at_p);
	wall_press_at(w, end[1], line * at_q);
	wall_press_close(w);
	wall_press_at(w, end[0], ends * at_p);
	wall_press_close(w);
	wall_press_at(w, end[1], ends * at_q);
	wall_press_close(w);
}

/* Adds the nodes and the pressure of a side of face f. */
SCREE_FN void round_add_inside_side(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f, const vec3 *end,
									real area)
{
	round_add_inside_point(w, t, f, end, area);
	round_add_inside_point(w, t, f, end + 1, area);
	round_press_side(w, t, f, end, area);
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
		real za = round_height(t, a) - height, zb = round_height(t, b) - height;
		if ((za < 0) != (zb < 0)) cross[found++] = v3_madd(a, za / (za - zb), v3_sub(b, a));
	}
	return found == 2;
}

/* Adds the side to corner k of face f. Each vertex is assigned half of the triangles that its two sides form with the
 * face's centroid. */
SCREE_FN_APART void round_whole_inside_side(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f, int32_t k,
											const vec3 *centre)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	const int32_t first = s->first[f], v = s->corner[first + k];
	const int32_t before = s->corner[k ? first + k - 1 : s->first[f + 1] - 1];
	const vec3 m = wall_face_normal(s, f), end[2] = {wall_vertex(s, before), wall_vertex(s, v)};
	real area = real_abs(v3_dot(m, v3_cross(v3_sub(end[0], *centre), v3_sub(end[1], *centre)))) / 4;
	if (w->depth[before] > 0) w->lump[before] += area * real_max(v3_dot(m, w->normal[before]), 0);
	if (w->depth[v] > 0) w->lump[v] += area * real_max(v3_dot(m, w->normal[v]), 0);
	if (w->depth[before] > 0 || w->depth[v] > 0) round_press_side(w, t, f, end, area);
}

/* Adds the part between the ends of the side from corner k of face f, which has this centre. */
SCREE_FN_APART void round_inside_side(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f, int32_t k,
									  const vec3 *centre)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	const int32_t first = s->first[f], n = s->first[f + 1] - first;
	vec3 a = wall_vertex(s, s->corner[first + k]), b = wall_vertex(s, s->corner[first + (k + 1 < n ? k + 1 : 0)]);
	real t0, t1, area = v3_norm(v3_cross(v3_sub(a, *centre), v3_sub(b, *centre))) / 4;
	real za = round_height(t, a), zb = round_height(t, b);
	/* a side in the plane of an end is the same as the section above */
	if (!round_between_ends(t, 0, za, zb, &t0, &t1) || (za <= t->low && zb <= t->low) ||
		(za >= t->high && zb >= t->high))
		return;
	const vec3 r = v3_sub(b, a), part[2] = {t0 > 0 ? v3_madd(a, t0, r) : a, t1 < 1 ? v3_madd(a, t1, r) : b};
	round_add_inside_side(w, t, f, part, area * (t1 - t0));
}

/* Adds a face; over: it extends beyond an end. */
SCREE_FN_APART void round_inside_face(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f, bool over)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	vec3 c = round_face_centre(s, f), cross[2];
	for (int k = 0; k < 2 && over && t->high < INFINITY; ++k)
		if (round_section(t, f, k ? t->high : t->low, cross))
			round_add_inside_side(w, t, f, cross, v3_norm(v3_cross(v3_sub(cross[0], c), v3_sub(cross[1], c))) / 4);
	for (int32_t k = 0; k < s->first[f + 1] - s->first[f]; ++k) {
		if (over)
			round_inside_side(w, t, f, k, &c);
		else
			round_whole_inside_side(w, t, f, k, &c);
	}
}

/* Finds the overlaps of the vertices; returns whether there are any. */
SCREE_FN_APART bool round_inside_depths(SCREE_GLOBAL wall_patch *w, const round_tube *t)
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
	return any;
}

SCREE_FN void round_add_inside_face(SCREE_GLOBAL wall_patch *w, const round_tube *t, int32_t f)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	bool deep = false, over = false;
	for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) {
		const real z = round_height(t, wall_vertex(s, s->corner[k]));
		deep |= w->depth[s->corner[k]] > 0;
		over |= z <= t->low || z >= t->high;
	}
	if (deep) round_inside_face(w, t, f, over);
}

SCREE_FN_APART void round_inside_nodes(SCREE_GLOBAL wall_patch *w, const round_tube *t)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	const bool any = round_inside_depths(w, t);
	wall_press(w, round_side_normal(t, t->aside));
	for (int32_t f = 0; any && f < s->faces; ++f) round_add_inside_face(w, t, f);
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
SCREE_FN_APART void round_least_on_segment(const round_tube *t, const vec3 *segment, real slack, round_lowest *best)
{
	const vec3 a = segment[0], b = segment[1];
	vec3 ra = v3_sub(a, t->at), rb = v3_sub(b, t->at);
	real za = v3_dot(ra, t->axis), zb = v3_dot(rb, t->axis), t0, t1;
	if (!round_between_ends(t, slack, za, zb, &t0, &t1)) return;
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
	for (int k = 0; k < 2; ++k) cross[k] = v3_madd(cross[k], end - round_height(t, cross[k]), t->axis);
	round_least_on_segment(t, cross, 1e-9, best);
}

/* Finds the deepest point of the body in the tube's solid, between the ends; f = INFINITY if none. */
SCREE_FN_APART void round_find_lowest(const round_tube *t, round_lowest *best)
{
	SCREE_GLOBAL const convex_solid *s = t->body;
	const round_lowest none = {INFINITY, {0, 0, 0}, t->aside};
	*best = none;
	for (int32_t k = 0; k < s->edges; ++k) {
		const vec3 edge[2] = {wall_vertex(s, s->ends[2 * k]), wall_vertex(s, s->ends[2 * k + 1])};
		round_least_on_segment(t, edge, 0, best);
	}
	for (int32_t f = 0; f < s->faces && t->high < INFINITY; ++f) {
		round_least_on_section(t, f, t->low, best);
		round_least_on_section(t, f, t->high, best);
	}
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
	real reach = 2 * s->radius, low = real_max(t->low, t->body_z - reach), high = real_min(t->high, t->body_z + reach);
	if (!(low < high)) return;
	wall_line l = {v3_madd(t->at, low, t->axis), t->axis, {0, 0, 0}, 0, 0};
	round_lowest best;
	round_find_lowest(t, &best);
	bool pierced = wall_chord(s, high - low, &l);
	if (!pierced && !(best.f < 0)) return;
	vec3 e = pierced ? round_way_off_axis(t) : best.e;
	l.m = round_side_normal(t, e);
	l.u = v3_madd(v3_mul(t->c, t->axis), t->s, e);
	l.x = v3_madd(l.x, t->radius + t->taper * low, e);
	wall_press(w, l.m);
	if (wall_shadow(s, (high - low) / t->c, &l)) wall_line_nodes(w, s, &l);
	w->arm = wall_arm(w);
	if (!(wall_strength(w, 0, w->nodes) > 0) && !pierced) {
		w->nodes = 0;
		w->arm = 0;
		wall_add_node(w, best.p, l.m, -best.f, 1);
	}
}

/* The rim of an end, which pushes along the axis. */
typedef struct round_rim {
	real z, radius;
	real fine; /* length of a chord, relative to the radius, near a body that is small compared with the tube */
	vec3 m;
	vec3 corner; /* where the last chord ends */
} round_rim;

SCREE_FN round_rim round_rim_of(const round_tube *t, bool second)
{
	round_rim o;
	o.z = second ? t->high : t->low;
	o.radius = t->radius + t->taper * o.z;
	o.fine = t->body->radius / (8 * o.radius);
	o.m = second ? t->axis : v3_neg(t->axis);
	return o;
}

SCREE_FN bool round_rim_is_fine(const round_rim *o) { return o->fine < 1.0 / 16; }

/* Returns corner k of the rim: finely divided near the body, or all around if the body is as large as the tube. */
SCREE_FN_APART vec3 round_rim_corner(const round_tube *t, const round_rim *o, int k)
{
	vec3 e = t->aside, across = v3_cross(t->axis, e), centre = v3_madd(t->at, o->z, t->axis);
	if (round_rim_is_fine(o)) return v3_madd(centre, o->radius, v3_unit(v3_madd(e, k * o->fine, across)));
	vec3 x = e, y = across;
	for (int q = 0; q < k / RIM_QUARTER; ++q) {
		vec3 turned = v3_neg(x);
		x = y;
		y = turned;
	}
	/* a quarter turn is t from 0 to 1 in (1 - t^2, 2 t) / (1 + t^2) */
	real v = (real)(k % RIM_QUARTER) / RIM_QUARTER, c = (1 - v * v) / (1 + v * v), s = 2 * v / (1 + v * v);
	return v3_madd(v3_madd(centre, o->radius * c, x), o->radius * s, y);
}

/* Sets the line to the chord from the last corner to corner k; returns its length. */
SCREE_FN_APART real round_rim_chord(const round_tube *t, round_rim *o, int k, wall_line *l)
{
	l->x = o->corner;
	o->corner = round_rim_corner(t, o, k);
	const vec3 r = v3_sub(o->corner, l->x);
	const real length = v3_norm(r);
	l->u = v3_mul(1 / length, r);
	return length;
}

SCREE_FN_APART void round_rim_chords(SCREE_GLOBAL wall_patch *w, const round_tube *t, round_rim *o)
{
	const int first = round_rim_is_fine(o) ? -RIM_HALF : 0, last = round_rim_is_fine(o) ? RIM_HALF : 4 * RIM_QUARTER;
	wall_line l;
	l.m = o->m;
	o->corner = round_rim_corner(t, o, first);
	for (int k = first + 1; k <= last; ++k) {
		const real length = round_rim_chord(t, o, k, &l);
		if (wall_chord(t->body, length, &l)) wall_line_nodes(w, t->body, &l);
	}
}

SCREE_FN_APART real round_deepest(SCREE_GLOBAL const wall_patch *w, int32_t first)
{
	real d = 0;
	for (int32_t i = first; i < w->nodes; ++i)
		if (w->node[i].s > 0) d = real_max(d, w->node[i].d);
	return d;
}

/* The ways out of a tube, and the lever arms there. */
typedef struct round_ways {
	int32_t sides;	/* number of nodes on the side, before those on the rim */
	real side, rim; /* across the side, and past the nearer rim; INFINITY: the body contains no part of a rim */
	real past;		/* along the axis until the whole body is past an end */
	real arm, rim_arm;
} round_ways;

/* Adds the nodes on the rim of one end, and removes those of the other end, if this way out is shorter. */
SCREE_FN_APART void round_rim_nodes(SCREE_GLOBAL wall_patch *w, const round_tube *t, bool second, round_ways *o)
{
	const int32_t before = w->nodes;
	round_rim rim = round_rim_of(t, second);
	wall_press(w, rim.m);
	if (rim.radius > 0) round_rim_chords(w, t, &rim);
	const real arm = wall_arm(w), d = round_deepest(w, before);
	const int32_t added = w->nodes - before;
	w->nodes = before;
	if (!(d > 0) || d >= o->rim) return;
	for (int32_t i = 0; i < added; ++i) w->node[o->sides + i] = w->node[before + i];
	w->nodes = o->sides + added;
	o->rim = d;
	o->rim_arm = arm;
}

/* Tests whether the body's centre is beyond an end, and on the other side of the tube's side, where it does not act. */
SCREE_FN bool round_centre_is_past(const round_tube *t)
{
	return (t->body_z < t->low || t->body_z > t->high) && (t->inside ? t->body_f > 0 : t->body_f < 0);
}

/* Returns the factor for overlaps of a contact with the rim if the centre is past the side: the contact must vanish
 * before the centre is between the ends. */
SCREE_FN_APART real round_fade_past_side(const round_tube *t, real rim)
{
	real aside = 0;
	round_lowest lowest;
	if (t->inside) {
		round_find_lowest(t, &lowest);
		aside = -lowest.f;
	}
	for (int32_t v = 0; v < t->body->vertices && !t->inside; ++v)
		aside = real_max(aside, round_spot_of(t, wall_vertex(t->body, v)).f);
	return real_clamp(aside / rim - 1, 0, 1);
}

/* Adds the nodes on the rims to those on the side (all so far), and finds the ways out. */
SCREE_FN_APART void round_add_rims(SCREE_GLOBAL wall_patch *w, const round_tube *t, round_ways *o)
{
	const real low = t->body_z - wall_reach(t->body, v3(0, 0, 0), t->axis);
	const real high = t->body_z + wall_reach(t->body, v3(0, 0, 0), v3_neg(t->axis));
	const bool second = high > t->high;
	o->sides = w->nodes, o->arm = w->arm, o->side = round_deepest(w, 0);
	o->rim = o->past = INFINITY, o->rim_arm = 0;
	if (second) o->past = t->high - low;
	if (low < t->low) {
		o->past = real_min(o->past, high - t->low);
		round_rim_nodes(w, t, false, o);
	}
	if (second) round_rim_nodes(w, t, true, o);
	w->arm = o->arm;
}

/* Mixes the nodes on the side and on the rim by their ways out, and returns the factor for overlaps. */
SCREE_FN_APART real round_mix_with_rim(SCREE_GLOBAL wall_patch *w, const round_tube *t, const round_ways *o)
{
	const bool past = round_centre_is_past(t);
	/* no part of the rim is in the body, but the body may soon move out past the end */
	if (!(o->rim < INFINITY)) return past ? 0 : real_clamp(1 - (1 - o->past / o->side) / (1 - RIM_FADE), 0, 1);
	const real mix = real_clamp((1 - o->rim / o->side) / (1 - RIM_FADE), 0, 1);
	wall_scale_to(w, 0, o->sides, 1 - mix);
	wall_scale_to(w, o->sides, w->nodes, mix);
	w->arm = (1 - mix) * o->arm + mix * o->rim_arm;
	return past ? round_fade_past_side(t, o->rim) : 1;
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
	*factor = 1;
	if (!(t.high < INFINITY)) return true;
	round_ways ways;
	round_add_rims(w, &t, &ways);
	*factor = round_mix_with_rim(w, &t, &ways);
	return true;
}

#endif
