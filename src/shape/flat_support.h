/* flat_support.h: support functions (the farthest point along a direction) and boxes of shapes in the plane. */
#ifndef SCREE_SHAPE_FLAT_SUPPORT_H
#define SCREE_SHAPE_FLAT_SUPPORT_H

#include "kernel/xy.h"
#include "shape/shapes.h"

/* An ellipse centred at the origin: `along` is the unit vector of its semi-axis a; b is perpendicular. */
typedef struct oval {
	xy along;
	real a, b;
} oval;

/* the semi-axes of a disc or an ellipse of this size; along: unit vector of its x axis */
oval scree_shape_oval(const shape *s, real size, xy along);

/* returns the support function h(n); *at: the farthest point of the border */
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

/* Returns the corner farthest along n, the first of two equal ones counter-clockwise, in O(log corners) time. */
int32_t scree_flat_farthest(const flat_polygon *p, xy n);

SCREE_FN int32_t flat_after(const flat_polygon *p, int32_t k) { return k + 1 < p->corners ? k + 1 : 0; }
SCREE_FN int32_t flat_before(const flat_polygon *p, int32_t k) { return k > 0 ? k - 1 : p->corners - 1; }
SCREE_FN xy flat_corner_at(const flat_polygon *p, int32_t k, real size)
{
	return xy_of(size * p->corner[k].x, size * p->corner[k].y);
}
/* outward normal of the edge from corner k */
SCREE_FN xy flat_edge_normal(const flat_polygon *p, int32_t k) { return xy_of(p->corner[k].ty, -p->corner[k].tx); }

/* Computes the tight box of a disc, an ellipse, or a polygon at a position, rotated about z; z is 0. */
void scree_flat_box(const shape *s, real size, vec3 at, mat3 turn, vec3 *low, vec3 *high);

#endif
