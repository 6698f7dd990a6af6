/* triangle_bounds.h: bounds of the distance of two triangles, including rounding. Any point on each triangle gives an
 * upper bound, any direction a lower bound (docs/theory/triangles.md, eqs. 8 to 12). Values in, values out. */
#ifndef SCREE_KERNEL_TRIANGLE_BOUNDS_H
#define SCREE_KERNEL_TRIANGLE_BOUNDS_H

#include "kernel/triangle.h"

/* Two triangles relative to the first corner of the first triangle. The unit is a power of two in which the largest
 * coordinate, size, is from 1 to 2, or 0. */
typedef struct tri_pair {
	tri3 a0, a1, a2, b0, b1, b2;
	tri_number size;
} tri_pair;

/* A point on each triangle. */
typedef struct tri_places {
	tri_weights a, b;
} tri_places;

/* low <= distance <= high for any rounding; apart: computed distance of the points */
typedef struct tri_bounds {
	tri_number low, high, apart;
} tri_bounds;

SCREE_FN tri_number tri_pair_size(const tri_pair *p)
{
	tri_number m = t3_greatest(t3_greatest(0, p->a1), p->a2);
	return t3_greatest(t3_greatest(t3_greatest(m, p->b0), p->b1), p->b2);
}

/* False for NaN and for numbers beyond the unit's range, which have no valid bounds. */
SCREE_FN bool tri_sane(tri_number size) { return size <= 4; }

SCREE_FN tri3 tri_point_a(const tri_pair *p, tri_weights w) { return tri_point(p->a0, p->a1, p->a2, w); }
SCREE_FN tri3 tri_point_b(const tri_pair *p, tri_weights w) { return tri_point(p->b0, p->b1, p->b2, w); }
/* from the point of b to that of a */
SCREE_FN tri3 tri_between(const tri_pair *p, tri_places at)
{
	return t3_sub(tri_point_a(p, at.a), tri_point_b(p, at.b));
}

/* Upper bound of the distance (eq. 10). apart: length of tri_between for weights inside the triangles */
SCREE_FN tri_number tri_upper(tri_number apart, tri_number size)
{
	return apart + TRI_ROUNDING * (8 * apart + 24 * size);
}

/* The distance between two planes perpendicular to n with the triangles on either side (eqs. 8 and 11), or 0 if there
 * are no such planes. n: any vector; square: its square */
SCREE_FN tri_number tri_slab(const tri_pair *p, tri3 n, tri_number square)
{
	bool good = square > TRI_NOTHING;
	/* the root of `square` alone: the caller may compute it, too, and the compiler needs one root for both */
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
	tri_bounds o;
	o.low = good ? low : 0;
	o.high = good ? tri_upper(apart, p->size) : INFINITY;
	o.apart = apart;
	return o;
}

#endif
