/* triangle.h: numbers, vectors and triangles for the distance between two triangles; closest points of two segments,
 * and of a point and a triangle. Equations: docs/theory/triangles.md. All functions are pure and have no branches, so
 * that loops over pairs are vectorized. Bounds on the distance account for rounding: any point on each triangle gives
 * an upper bound, and any direction a lower bound (eqs. 8 to 12). Numbers are double; a file that defines
 * SCREE_TRIANGLE_FLOAT before its first include uses the float version. */
#ifndef SCREE_KERNEL_TRIANGLE_H
#define SCREE_KERNEL_TRIANGLE_H

#include "base/real.h"

#ifdef SCREE_TRIANGLE_FLOAT
typedef float tri_number;
/* half the distance from 1 to the next number */
SCREE_CONSTANT tri_number TRI_ROUNDING = 0x1p-24f;
/* squared sines below this limit are rounding error: edges count as parallel, triangles as degenerate */
SCREE_CONSTANT tri_number TRI_PARALLEL = 0x1p-40f;
/* squares below this limit are treated as 0, since they may have lost digits */
SCREE_CONSTANT tri_number TRI_NOTHING = 0x1p-100f;
SCREE_FN tri_number tri_sqrt(tri_number x) { return sqrtf(x); }
#else
typedef real tri_number;
SCREE_CONSTANT tri_number TRI_ROUNDING = 0x1p-53;
SCREE_CONSTANT tri_number TRI_PARALLEL = 0x1p-94;
SCREE_CONSTANT tri_number TRI_NOTHING = 0x1p-900;
SCREE_FN tri_number tri_sqrt(tri_number x) { return sqrt(x); }
#endif

typedef struct tri3 {
	tri_number x, y, z;
} tri3;

SCREE_FN tri3 t3(tri_number x, tri_number y, tri_number z)
{
	tri3 v = {x, y, z};
	return v;
}
SCREE_FN tri3 t3_add(tri3 a, tri3 b) { return t3(a.x + b.x, a.y + b.y, a.z + b.z); }
SCREE_FN tri3 t3_sub(tri3 a, tri3 b) { return t3(a.x - b.x, a.y - b.y, a.z - b.z); }
SCREE_FN tri3 t3_mul(tri_number s, tri3 a) { return t3(s * a.x, s * a.y, s * a.z); }
SCREE_FN tri_number t3_dot(tri3 a, tri3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SCREE_FN tri3 t3_cross(tri3 a, tri3 b)
{
	return t3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
SCREE_FN tri3 t3_madd(tri3 a, tri_number s, tri3 b) { return t3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
SCREE_FN tri3 t3_pick(bool first, tri3 a, tri3 b)
{
	return t3(first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z);
}

SCREE_FN tri_number tri_min(tri_number a, tri_number b) { return a < b ? a : b; }
SCREE_FN tri_number tri_max(tri_number a, tri_number b) { return a > b ? a : b; }
SCREE_FN tri_number tri_abs(tri_number a) { return a < 0 ? -a : a; }
SCREE_FN tri_number tri_clamp(tri_number a, tri_number low, tri_number high)
{
	tri_number above = a > low ? a : low; /* NaN gives low */
	return above < high ? above : high;
}
/* 1/a, or 0 if a is not above 0 */
SCREE_FN tri_number tri_inverse(tri_number a)
{
	tri_number o = 1 / (a > 0 ? a : 1);
	return a > 0 ? o : 0;
}
/* |x| + |y| + |z|, which is between the length and sqrt(3) times the length */
SCREE_FN tri_number t3_size(tri3 a) { return tri_abs(a.x) + tri_abs(a.y) + tri_abs(a.z); }
/* Returns the largest of m and the absolute values of the coordinates. */
SCREE_FN tri_number t3_greatest(tri_number m, tri3 a)
{
	return tri_max(tri_max(m, tri_abs(a.x)), tri_max(tri_abs(a.y), tri_abs(a.z)));
}

/* Weights of corners b and c for a point of a triangle; corner a has the remaining weight. */
typedef struct tri_weights {
	tri_number b, c;
} tri_weights;

SCREE_FN tri_weights tri_weights_of(tri_number b, tri_number c)
{
	tri_weights w = {b, c};
	return w;
}
/* Clamps weights to be at least 0, with a sum of 1 within two rounding errors (eq. 9). */
SCREE_FN tri_weights tri_weights_inside(tri_weights w)
{
	tri_number b = tri_clamp(w.b, 0, 1);
	return tri_weights_of(b, tri_clamp(w.c, 0, 1 - b));
}
/* w: weights inside */
SCREE_FN tri3 tri_point(tri3 a, tri3 b, tri3 c, tri_weights w)
{
	tri_number rest = tri_max(1 - w.b - w.c, 0);
	return t3_madd(t3_madd(t3_mul(rest, a), w.b, b), w.c, c);
}

/* Positions of the closest points of p + s u and q + t v, 0 <= s, t <= 1. */
typedef struct tri_segments {
	tri_number s, t;
	/* whether the segments are parallel and overlap; the closest points are then in the middle of the overlap */
	bool parallel;
	bool within; /* whether neither point is at an end */
} tri_segments;

/* Closest points of two segments (eqs. 3 and 4). Either segment may be a point. The clamping follows the order in
 * Ericson 2005, 5.1.9. r: p - q */
SCREE_FN tri_segments tri_segments_closest(tri3 r, tri3 u, tri3 v)
{
	tri_number uu = t3_dot(u, u), vv = t3_dot(v, v), uv = t3_dot(u, v), ur = t3_dot(u, r), vr = t3_dot(v, r);
	tri_number by_u = tri_inverse(uu), by_v = tri_inverse(vv);
	/* the part of u perpendicular to v; its square avoids the cancellation in uu vv - uv^2 */
	tri3 across = t3_madd(u, -uv * by_v, v);
	tri_number den = t3_dot(across, across);
	bool parallel = den <= TRI_PARALLEL * uu;
	/* if parallel: the ends of the other segment, projected onto the first */
	tri_number first = -ur * by_u, last = (uv - ur) * by_u;
	tri_number low = tri_max(tri_min(first, last), 0), high = tri_min(tri_max(first, last), 1);
	tri_number any = (tri_number)0.5 * (low + high), one = -t3_dot(across, r) / (parallel ? 1 : den);
	tri_number s = tri_clamp(parallel ? any : one, 0, 1);
	tri_number free_t = (uv * s + vr) * by_v, t = tri_clamp(free_t, 0, 1);
	bool ends = t != free_t;
	tri_number again = tri_clamp((uv * t - ur) * by_u, 0, 1);
	tri_number at = ends ? again : s;
	bool within = (bool)(!parallel & (at > 0) & (at < 1) & (t > 0) & (t < 1));
	tri_segments o = {at, t, (bool)(parallel & (low < high)), within};
	return o;
}

/* ------------------------------------------------------------------ a point and a triangle */

typedef struct tri_candidate {
	tri_number far;
	tri_weights at;
} tri_candidate;

SCREE_FN tri_candidate tri_nearer(tri_candidate a, tri_candidate b)
{
	bool first = a.far <= b.far;
	tri_candidate o = {first ? a.far : b.far, {first ? a.at.b : b.at.b, first ? a.at.c : b.at.c}};
	return o;
}

/* Returns the closest point of a triangle. If the foot is outside, all edges are tested, because rounding gives wrong
 * regions for degenerate triangles. r: corner a - the point; e: from a to b; f: from a to c */
SCREE_FN tri_weights tri_closest(tri3 r, tri3 e, tri3 f)
{
	tri3 n = t3_cross(e, f), g = t3_sub(f, e), rb = t3_add(r, e);
	tri_number ee = t3_dot(e, e), ff = t3_dot(f, f), den = t3_dot(n, n);
	tri_number by = tri_inverse(den), s = t3_dot(t3_cross(f, r), n) * by, t = t3_dot(t3_cross(r, e), n) * by;
	bool flat = den > TRI_PARALLEL * ee * ff;
	bool inside = (bool)(flat & (s >= 0) & (t >= 0) & (s + t <= 1));
	tri_number x = tri_clamp(-t3_dot(e, r) * tri_inverse(ee), 0, 1);
	tri_number y = tri_clamp(-t3_dot(f, r) * tri_inverse(ff), 0, 1);
	tri_number z = tri_clamp(-t3_dot(g, rb) * tri_inverse(t3_dot(g, g)), 0, 1);
	tri3 on_e = t3_madd(r, x, e), on_f = t3_madd(r, y, f), on_g = t3_madd(rb, z, g);
	tri_candidate ab = {t3_dot(on_e, on_e), {x, 0}}, ac = {t3_dot(on_f, on_f), {0, y}};
	tri_candidate bc = {t3_dot(on_g, on_g), {1 - z, z}}, best = tri_nearer(tri_nearer(ab, ac), bc);
	return tri_weights_of(inside ? s : best.at.b, inside ? t : best.at.c);
}

/* Two triangles relative to the first corner of the first triangle. The unit is a power of two such that the largest
 * coordinate, `size`, is between 1 and 2, or 0. */
typedef struct tri_pair {
	tri3 a0, a1, a2, b0, b1, b2;
	tri_number size;
} tri_pair;

typedef struct tri_places {
	tri_weights a, b;
} tri_places;

/* low <= distance <= high for any rounding; apart: computed distance between the points */
typedef struct tri_bounds {
	tri_number low, high, apart;
} tri_bounds;

SCREE_FN tri_number tri_pair_size(const tri_pair *p)
{
	tri_number m = t3_greatest(t3_greatest(0, p->a1), p->a2);
	return t3_greatest(t3_greatest(t3_greatest(m, p->b0), p->b1), p->b2);
}

/* Returns false for NaN and for numbers beyond the range of the unit, for which there are no valid bounds. */
SCREE_FN bool tri_sane(tri_number size) { return size <= 4; }

SCREE_FN tri3 tri_point_a(const tri_pair *p, tri_weights w) { return tri_point(p->a0, p->a1, p->a2, w); }
SCREE_FN tri3 tri_point_b(const tri_pair *p, tri_weights w) { return tri_point(p->b0, p->b1, p->b2, w); }
/* vector from the point of b to the point of a */
SCREE_FN tri3 tri_between(const tri_pair *p, tri_places at)
{
	return t3_sub(tri_point_a(p, at.a), tri_point_b(p, at.b));
}

/* Returns an upper bound on the distance (eq. 10). apart: length of tri_between for weights inside the triangles */
SCREE_FN tri_number tri_upper(tri_number apart, tri_number size)
{
	return apart + TRI_ROUNDING * (8 * apart + 24 * size);
}

/* The distance between two planes that are perpendicular to n and have one triangle on either side (eqs. 8 and 11), or
 * 0 if there are no such planes. n: any vector; square: its square */
SCREE_FN tri_number tri_slab(const tri_pair *p, tri3 n, tri_number square)
{
	bool good = square > TRI_NOTHING;
	/* takes the root of `square` itself, as the caller may, so that the compiler can share one root */
	tri_number root = tri_sqrt(square);
	tri3 unit = t3_mul(1 / (good ? root : 1), n);
	tri_number a0 = t3_dot(unit, p->a0), a1 = t3_dot(unit, p->a1), a2 = t3_dot(unit, p->a2);
	tri_number b0 = t3_dot(unit, p->b0), b1 = t3_dot(unit, p->b1), b2 = t3_dot(unit, p->b2);
	tri_number above = tri_min(tri_min(a0, a1), a2) - tri_max(tri_max(b0, b1), b2);
	tri_number below = tri_min(tri_min(b0, b1), b2) - tri_max(tri_max(a0, a1), a2);
	tri_number room = tri_max(above, below), sure = room - TRI_ROUNDING * (8 * room + 16 * p->size);
	return (bool)(good & (sure > 0)) ? sure : 0;
}

/* Bounds from two points (eq. 12) and the direction between them. */
SCREE_FN tri_bounds tri_bounds_of(const tri_pair *p, tri_places at)
{
	tri3 n = tri_between(p, at);
	tri_number square = t3_dot(n, n), apart = tri_sqrt(square), low = tri_slab(p, n, square);
	bool good = tri_sane(p->size);
	tri_bounds o = {good ? low : 0, good ? tri_upper(apart, p->size) : INFINITY, apart};
	return o;
}

#endif
