/* flat_round_gap: the signed gap of an ellipse and an ellipse or a convex polygon, in the plane; private to src/narrow.
 *
 * With h the support functions and r the way from the centre of b to that of a, the gap is the maximum over all unit
 * vectors n of
 *
 *     g(n) = n.r - h_a(-n) - h_b(n),
 *
 * the distance of two bodies that are apart, and less the least way to part two that are not. In other words it is the
 * signed distance of the point r to the border of the Minkowski sum S of b and -a. */
#ifndef SCREE_NARROW_FLAT_ROUND_GAP_H
#define SCREE_NARROW_FLAT_ROUND_GAP_H

#include "narrow/narrow.h"

/* A vector in the plane. */
typedef struct xy {
	real x, y;
} xy;

SCREE_FN xy xy_of(real x, real y)
{
	xy v = {x, y};
	return v;
}
SCREE_FN xy xy_flat(vec3 v) { return xy_of(v.x, v.y); }
SCREE_FN vec3 xy_solid(xy v) { return v3(v.x, v.y, 0); }
SCREE_FN xy xy_add(xy a, xy b) { return xy_of(a.x + b.x, a.y + b.y); }
SCREE_FN xy xy_sub(xy a, xy b) { return xy_of(a.x - b.x, a.y - b.y); }
SCREE_FN xy xy_mul(real s, xy a) { return xy_of(s * a.x, s * a.y); }
SCREE_FN xy xy_madd(xy a, real s, xy b) { return xy_of(a.x + s * b.x, a.y + s * b.y); }
SCREE_FN real xy_dot(xy a, xy b) { return a.x * b.x + a.y * b.y; }
SCREE_FN real xy_cross(xy a, xy b) { return a.x * b.y - a.y * b.x; }
SCREE_FN real xy_norm(xy a) { return sqrt(xy_dot(a, a)); }
SCREE_FN xy xy_unit(xy a) { return xy_mul(1 / xy_norm(a), a); }
/* a quarter turn to the left */
SCREE_FN xy xy_left(xy a) { return xy_of(-a.y, a.x); }
/* to the world, by the first two columns of a turn about z, and back */
SCREE_FN xy xy_turned(mat3 t, xy a) { return xy_of(t.x.x * a.x + t.y.x * a.y, t.x.y * a.x + t.y.y * a.y); }
SCREE_FN xy xy_unturned(mat3 t, xy a) { return xy_of(t.x.x * a.x + t.x.y * a.y, t.y.x * a.x + t.y.y * a.y); }

/* An ellipse about the origin: `along` is the unit vector of its semi-axis a, b lies across. */
typedef struct oval {
	xy along;
	real a, b;
} oval;

/* the semi-axes of a disc or an ellipse, and its turn taken back by that of the frame */
oval scree_flat_oval(const placed *p, mat3 frame);

/* h(n), and where on the border */
SCREE_FN real oval_support(const oval *o, xy n, xy *at)
{
	if (o->a == o->b) {
		*at = xy_mul(o->a, n);
		return o->a;
	}
	real p = xy_dot(n, o->along), q = xy_cross(o->along, n);
	real h = sqrt(o->a * o->a * (p * p) + o->b * o->b * (q * q)), u = o->a * o->a * p / h, v = o->b * o->b * q / h;
	*at = xy_of(u * o->along.x - v * o->along.y, u * o->along.y + v * o->along.x);
	return h;
}

/* The corner that lies farthest along n: in O(log corners). Of two, the one that comes first counter-clockwise. */
int32_t scree_flat_farthest(const flat_polygon *p, xy n);

SCREE_FN int32_t flat_after(const flat_polygon *p, int32_t k) { return k + 1 < p->corners ? k + 1 : 0; }
SCREE_FN int32_t flat_before(const flat_polygon *p, int32_t k) { return k > 0 ? k - 1 : p->corners - 1; }
SCREE_FN xy flat_corner_at(const flat_polygon *p, int32_t k, real size)
{
	return xy_of(size * p->corner[k].x, size * p->corner[k].y);
}

/* What touches where, in the world's axes. */
typedef struct flat_gap {
	real gap;
	xy n;	/* from b to a */
	xy arm; /* from the centre of a to the point of its border that b's is nearest to */
} flat_gap;

/* a is a disc or an ellipse, b one of these or a polygon. */
flat_gap scree_flat_gap(const placed *a, const placed *b);

#endif
