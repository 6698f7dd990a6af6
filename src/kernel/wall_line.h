/* wall_line.h: the contact points between a polyhedron and a line (an edge of a wall, the generator of a cylinder),
 * which pushes along m. The points are the corners of the body's profile above the line, with lengths instead of areas.
 */
#ifndef SCREE_KERNEL_WALL_LINE_H
#define SCREE_KERNEL_WALL_LINE_H

#include "kernel/item.h"
#include "kernel/wall_patch.h"

/* faces cross where their heights above a line differ by less than this value */
SCREE_CONSTANT real WALL_SAME_HEIGHT = 1e-12;

/* A line x + s u, which pushes along m, and the ends s0 <= s1 of a part of it. */
typedef struct wall_line {
	vec3 x, u, m;
	real s0, s1;
} wall_line;

/* Finds the part of the line inside the body, 0 <= s <= length; returns false if there is no such part. */
SCREE_FN_APART bool wall_chord(SCREE_GLOBAL const convex_solid *s, real length, wall_line *l)
{
	const vec3 x = l->x, u = l->u;
	real low = 0, high = length;
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = wall_face_normal(s, f);
		real h = s->off[f] - v3_dot(n, x), slope = v3_dot(n, u);
		if (slope > 0) {
			if (h < slope * high) high = h / slope;
		} else if (slope < 0) {
			if (h < slope * low) low = h / slope;
		} else if (h < 0) {
			return false;
		}
		if (!(low < high)) return false;
	}
	l->s0 = low;
	l->s1 = high;
	return true;
}

/* The distance along -m from the point t of the line to a face, and its derivative with respect to t. */
typedef struct wall_height {
	real h, slope;
} wall_height;

SCREE_FN bool wall_face_height(SCREE_GLOBAL const convex_solid *s, int32_t f, const wall_line *l, real t,
							   wall_height *o)
{
	vec3 n = wall_face_normal(s, f);
	real a = -v3_dot(n, l->m);
	if (!(a > WALL_STEEP)) return false;
	o->slope = -v3_dot(n, l->u) / a;
	o->h = (s->off[f] - v3_dot(n, v3_madd(l->x, t, l->u))) / a;
	return true;
}

SCREE_FN bool wall_keep_above(real h, real slope, real *low, real *high)
{
	if (slope > 0)
		*low = real_max(*low, -h / slope);
	else if (slope < 0)
		*high = real_min(*high, -h / slope);
	else if (h < 0)
		return false;
	return *low < *high;
}

/* Finds the part of the line, 0 <= s <= length, behind the body's surface as seen along m: for each of its points, the
 * body is along -m or contains the point. */
SCREE_FN_APART bool wall_shadow(SCREE_GLOBAL const convex_solid *s, real length, wall_line *l)
{
	const vec3 x = l->x, u = l->u, m = l->m;
	real low = 0, high = length;
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = wall_face_normal(s, f);
		real a = -v3_dot(n, m), h = s->off[f] - v3_dot(n, x), slope = -v3_dot(n, u);
		if (a < -WALL_STEEP) continue;
		/* the line must be above the face or, if the face is parallel to m, next to it */
		if (!wall_keep_above(h, slope, &low, &high)) return false;
		if (!(a > WALL_STEEP)) continue;
		/* moved along m by some distance, the line must also be below each face on the opposite side */
		for (int32_t g = 0; g < s->faces; ++g) {
			vec3 n2 = wall_face_normal(s, g);
			real b = v3_dot(n2, m);
			if (!(b > WALL_STEEP)) continue;
			real h2 = s->off[g] - v3_dot(n2, x), slope2 = -v3_dot(n2, u);
			if (!wall_keep_above(h * b + h2 * a, slope * b + slope2 * a, &low, &high)) return false;
		}
	}
	l->s0 = low;
	l->s1 = high;
	return true;
}

/* Returns the height of the lowest face above the line at t, and the slope of the face that continues below from there.
 */
SCREE_FN_APART wall_height wall_lowest_face(SCREE_GLOBAL const convex_solid *s, const wall_line *l, real t)
{
	wall_height o = {INFINITY, INFINITY}, at;
	for (int32_t f = 0; f < s->faces; ++f)
		if (wall_face_height(s, f, l, t, &at) && at.h < o.h) o.h = at.h;
	for (int32_t f = 0; f < s->faces; ++f)
		if (wall_face_height(s, f, l, t, &at) && at.h < o.h + WALL_SAME_HEIGHT && at.slope < o.slope)
			o.slope = at.slope;
	return o;
}

/* Returns the next t where the lowest face above the line changes, or s1. */
SCREE_FN_APART real wall_next_bend(SCREE_GLOBAL const convex_solid *s, const wall_line *l, real t, wall_height low)
{
	real next = l->s1;
	wall_height at;
	for (int32_t f = 0; f < s->faces; ++f) {
		if (!wall_face_height(s, f, l, t, &at) || !(at.slope < low.slope)) continue;
		real when = t + (at.h - low.h) / (low.slope - at.slope);
		if (when > t && when < next) next = when;
	}
	return next;
}

SCREE_FN void wall_press_along(SCREE_GLOBAL wall_patch *w, const wall_line *l, real t0, real t1, real h0, real h1)
{
	if (!(h0 < INFINITY && h1 < INFINITY)) return;
	wall_press_at(w, v3_madd(l->x, t0, l->u), h0);
	wall_press_at(w, v3_madd(l->x, t1, l->u), h1);
	wall_press_close(w);
}

/* Adds the nodes and the pressure of a line from s0 to s1. */
SCREE_FN_APART void wall_line_nodes(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s, const wall_line *l)
{
	real t = l->s0, before = 0, last = 0;
	for (int32_t turns = 0; turns <= s->faces + 1; ++turns) {
		const wall_height low = wall_lowest_face(s, l, t);
		const real end = t < l->s1 ? wall_next_bend(s, l, t, low) : l->s1, after = end - t, h = low.h;
		if (turns) wall_press_along(w, l, t - before, t, last, h);
		last = h;
		if (h > 0 && h < INFINITY)
			wall_add_node(w, v3_madd(v3_madd(l->x, t, l->u), -h, l->m), l->m, h, (before + after) / 2 * h);
		if (!(t < l->s1)) break;
		before = after;
		t = end;
	}
}

/* Returns the largest depth of the body behind the plane through x with normal m. */
SCREE_FN_APART real wall_reach(SCREE_GLOBAL const convex_solid *s, vec3 x, vec3 m)
{
	real low = INFINITY;
	for (int32_t v = 0; v < s->vertices; ++v) {
		real h = m.x * s->vx[v] + m.y * s->vy[v] + m.z * s->vz[v];
		low = h < low ? h : low;
	}
	return v3_dot(m, x) - low;
}

#endif
