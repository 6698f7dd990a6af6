/* wall_line.h: the contact points between a polyhedron and a line (an edge of a wall, the generator of a cylinder),
 * which pushes along m. The points are the corners of the body's profile above the line, with lengths instead of areas.
 */
#ifndef SCREE_KERNEL_WALL_LINE_H
#define SCREE_KERNEL_WALL_LINE_H

#include "kernel/item.h"
#include "kernel/wall_patch.h"

/* faces cross where their heights above a line differ by less than this value */
SCREE_CONSTANT real WALL_SAME_HEIGHT = 1e-12;

/* Finds the part of the line x + s u, 0 <= s <= length, inside the body; returns false if there is no such part. */
SCREE_FN_APART bool wall_chord(SCREE_GLOBAL const convex_solid *s, vec3 x, vec3 u, real length, real *s0, real *s1)
{
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
	*s0 = low;
	*s1 = high;
	return true;
}

/* The distance along -m from the point t of the line to face f, and its derivative with respect to t. */
SCREE_FN bool wall_face_height(SCREE_GLOBAL const convex_solid *s, int32_t f, vec3 x, vec3 u, vec3 m, real t, real *h,
							   real *slope)
{
	vec3 n = wall_face_normal(s, f);
	real a = -v3_dot(n, m);
	if (!(a > WALL_STEEP)) return false;
	*slope = -v3_dot(n, u) / a;
	*h = (s->off[f] - v3_dot(n, v3_madd(x, t, u))) / a;
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

/* Finds the part of the line x + s u, 0 <= s <= length, behind the body's surface as seen along m: for each of its
 * points, the body is along -m or contains the point. */
SCREE_FN_APART bool wall_shadow(SCREE_GLOBAL const convex_solid *s, vec3 x, vec3 u, real length, vec3 m, real *s0,
								real *s1)
{
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
	*s0 = low;
	*s1 = high;
	return true;
}

/* Returns the next t where the lowest face above the line changes, or `end`. */
SCREE_FN real wall_next_bend(SCREE_GLOBAL const convex_solid *s, vec3 x, vec3 u, vec3 m, real t, real end, real h,
							 real slope)
{
	real at = end, hf, sf;
	for (int32_t f = 0; f < s->faces; ++f) {
		if (!wall_face_height(s, f, x, u, m, t, &hf, &sf) || !(sf < slope)) continue;
		real when = t + (hf - h) / (slope - sf);
		if (when > t && when < at) at = when;
	}
	return at;
}

SCREE_FN void wall_press_along(SCREE_GLOBAL wall_patch *w, vec3 x, vec3 u, real t0, real t1, real h0, real h1)
{
	if (!(h0 < INFINITY && h1 < INFINITY)) return;
	wall_press_at(w, v3_madd(x, t0, u), h0);
	wall_press_at(w, v3_madd(x, t1, u), h1);
	wall_press_close(w);
}

/* Adds the nodes along the part s0 .. s1 of a line that pushes along m, and the line's pressure. */
SCREE_FN_APART void wall_line(SCREE_GLOBAL wall_patch *w, SCREE_GLOBAL const convex_solid *s, vec3 x, vec3 u, real s0,
							  real s1, vec3 m, real strength)
{
	real t = s0, before = 0, last = 0;
	for (int32_t turns = 0; turns <= s->faces + 1; ++turns) {
		real h = INFINITY, slope = INFINITY, hf, sf;
		for (int32_t f = 0; f < s->faces; ++f)
			if (wall_face_height(s, f, x, u, m, t, &hf, &sf) && hf < h) h = hf;
		/* the face that crosses here and continues below */
		for (int32_t f = 0; f < s->faces; ++f)
			if (wall_face_height(s, f, x, u, m, t, &hf, &sf) && hf < h + WALL_SAME_HEIGHT && sf < slope) slope = sf;
		real end = t < s1 ? wall_next_bend(s, x, u, m, t, s1, h, slope) : s1;
		real after = end - t;
		if (turns) wall_press_along(w, x, u, t - before, t, last, h);
		last = h;
		if (h > 0 && h < INFINITY) {
			vec3 p = v3_madd(v3_madd(x, t, u), -h, m);
			wall_add_node(w, p, m, h, strength * (before + after) / 2 * h);
		}
		if (!(t < s1)) break;
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
