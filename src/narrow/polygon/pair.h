/* pair.h: two convex polygons in the frame of the first one; private to src/narrow, its tests and its benchmark.
 *
 * The basic quantity of a pair is the height of a corner of one polygon over the line of an edge of the other. Each
 * height is computed by the same expression everywhere, so that two searches that end at the same features give the
 * same bits. */
#ifndef SCREE_NARROW_POLYGON_PAIR_H
#define SCREE_NARROW_POLYGON_PAIR_H

#include "narrow/narrow.h"
#include "shape/shapes.h"

/* A polygon with its position in the plane and its rotation, as cosine and sine. */
typedef struct flat_placed {
	const flat_polygon *shape;
	real x, y;
	real c, s;
	real size;
} flat_placed;

typedef struct flat_vector {
	real x, y;
} flat_vector;

typedef struct polygon_pair {
	const flat_corner *a, *b;
	int32_t na, nb;
	real sa, sb; /* sizes */
	real x, y;	 /* centre of b in the frame of a */
	real c, s;	 /* cosine and sine of b's angle relative to a */
	real scale;	 /* sum of both circumradii */
} polygon_pair;

/* An edge: its first corner, unit tangent and length. */
typedef struct flat_edge {
	real x, y, tx, ty, length;
} flat_edge;

/* relative to scale: heights up to this may be rounding error (of about 1e-15) */
#define FLAT_ROUNDING ((real)1e-13)

SCREE_FN polygon_pair polygon_pair_of(const flat_placed *a, const flat_placed *b)
{
	real dx = b->x - a->x, dy = b->y - a->y;
	return (polygon_pair){.a = a->shape->corner,
						  .b = b->shape->corner,
						  .na = a->shape->corners,
						  .nb = b->shape->corners,
						  .sa = a->size,
						  .sb = b->size,
						  .x = a->c * dx + a->s * dy,
						  .y = a->c * dy - a->s * dx,
						  .c = a->c * b->c + a->s * b->s,
						  .s = a->c * b->s - a->s * b->c,
						  .scale = a->size * a->shape->radius + b->size * b->shape->radius};
}

/* Corner i of a; rows -1 .. corners are valid (shape/shapes.h). */
SCREE_FN flat_vector corner_of_a(const polygon_pair *p, int32_t i)
{
	return (flat_vector){p->sa * p->a[i].x, p->sa * p->a[i].y};
}

SCREE_FN flat_vector corner_of_b(const polygon_pair *p, int32_t i)
{
	real x = p->b[i].x, y = p->b[i].y;
	return (flat_vector){p->x + p->sb * (p->c * x - p->s * y), p->y + p->sb * (p->s * x + p->c * y)};
}

SCREE_FN flat_vector tangent_of_b(const polygon_pair *p, int32_t i)
{
	real x = p->b[i].tx, y = p->b[i].ty;
	return (flat_vector){p->c * x - p->s * y, p->s * x + p->c * y};
}

SCREE_FN flat_edge edge_of_a(const polygon_pair *p, int32_t i)
{
	flat_vector v = corner_of_a(p, i);
	return (flat_edge){v.x, v.y, p->a[i].tx, p->a[i].ty, p->sa * p->a[i].length};
}

SCREE_FN flat_edge edge_of_b(const polygon_pair *p, int32_t i)
{
	flat_vector v = corner_of_b(p, i), t = tangent_of_b(p, i);
	return (flat_edge){v.x, v.y, t.x, t.y, p->sb * p->b[i].length};
}

/* The same of a or b; of_b: a constant to the compiler. */
SCREE_FN int32_t corners_of(const polygon_pair *p, bool of_b) { return of_b ? p->nb : p->na; }
SCREE_FN flat_vector pair_corner(const polygon_pair *p, bool of_b, int32_t i)
{
	return of_b ? corner_of_b(p, i) : corner_of_a(p, i);
}
SCREE_FN flat_vector pair_tangent(const polygon_pair *p, bool of_b, int32_t i)
{
	return of_b ? tangent_of_b(p, i) : (flat_vector){p->a[i].tx, p->a[i].ty};
}
SCREE_FN flat_edge pair_edge(const polygon_pair *p, bool of_b, int32_t i)
{
	return of_b ? edge_of_b(p, i) : edge_of_a(p, i);
}

/* Height of a point over an edge's line, > 0 outside. */
SCREE_FN real height_over(flat_edge e, flat_vector p) { return e.ty * (p.x - e.x) - e.tx * (p.y - e.y); }

SCREE_FN int32_t ring_next(int32_t i, int32_t count) { return i + 1 < count ? i + 1 : 0; }
SCREE_FN int32_t ring_last(int32_t i, int32_t count) { return i > 0 ? i - 1 : count - 1; }

/* ------------------------------------------------------------------ crossings */

/* Heights of the ends of each edge over the other edge's line. */
typedef struct crossing_heights {
	real a_tail, a_head, b_tail, b_head;
} crossing_heights;

SCREE_FN crossing_heights crossing_of(const polygon_pair *p, int32_t k, int32_t l)
{
	flat_edge a = edge_of_a(p, k), b = edge_of_b(p, l);
	return (crossing_heights){height_over(b, (flat_vector){a.x, a.y}), height_over(b, corner_of_a(p, k + 1)),
							  height_over(a, (flat_vector){b.x, b.y}), height_over(a, corner_of_b(p, l + 1))};
}

/* Whether two edges cross. A point on a line, within rounding, counts as outside: corners and edges that touch do not
 * cross. Collinear edges do not cross, either, since all their heights are rounding error. */
SCREE_FN bool crosses(crossing_heights h, real scale)
{
	real in = -FLAT_ROUNDING * scale;
	return (h.a_tail < in) != (h.a_head < in) && (h.b_tail < in) != (h.b_head < in) &&
		   real_abs(h.a_tail - h.a_head) > -in;
}

/* Whether every end of an edge is farther from the other edge's line than rounding error. */
SCREE_FN bool crosses_clearly(crossing_heights h, real scale)
{
	real least = FLAT_ROUNDING * scale;
	return (h.a_tail < -least ? h.a_head > least : h.a_tail > least && h.a_head < -least) &&
		   (h.b_tail < -least ? h.b_head > least : h.b_tail > least && h.b_head < -least);
}

/* The point where edge k of a crosses a line over which its ends have these heights. */
SCREE_FN flat_vector crossing_point(const polygon_pair *p, int32_t k, real tail, real head)
{
	flat_vector v = corner_of_a(p, k), w = corner_of_a(p, k + 1);
	real t = real_clamp(tail / (tail - head), 0, 1);
	return (flat_vector){v.x + t * (w.x - v.x), v.y + t * (w.y - v.y)};
}

/* Searches for the edges where a's border enters b, or leaves it, from the edges k and l on. False if neighbours do not
 * lead there. near: a point where both borders are close; most: number of steps after which the search stops */
bool scree_crossing_walk(const polygon_pair *p, bool enters, int32_t most, flat_vector near, int32_t *k, int32_t *l);

/* Result of a search of all pairs of edges for pairs that cross (clearly). */
typedef struct crossing_list {
	int32_t count;
	int32_t enter_a, enter_b, leave_a, leave_b; /* first pair of edges of each kind; -1: none */
} crossing_list;
crossing_list scree_crossing_search(const polygon_pair *p, bool clearly);

/* Arguments are those of the functions in narrow.h. Only differences of a->at and of the z components are used. */
SCREE_FN flat_placed flat_of(const placed *p, const placed *from)
{
	return (flat_placed){&p->shape->flat, p->at.x - from->at.x, p->at.y - from->at.y,
						 p->turn.x.x,	  p->turn.x.y,			p->size};
}

/* Begins a patch without points. True if two polygons, whose centres are (x, y) apart, are so far apart that their
 * circles do not meet. */
SCREE_FN bool begin_patch(real x, real y, real scale, int32_t hint, patch *out)
{
	const real way2 = x * x + y * y;
	out->points = 0;
	out->pitch = 0;
	out->axis = hint;
	if (!(way2 > scale * scale)) return false;
	out->depth = scale - sqrt(way2);
	return true;
}

#endif
