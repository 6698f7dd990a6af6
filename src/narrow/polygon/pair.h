/* pair.h: two convex polygons in the frame of the first. Private to src/narrow, its tests, and its benchmark.
 *
 * The height of a corner of one polygon above an edge of the other is computed with the same expression everywhere, so
 * two searches that end at the same features give bitwise equal results. */
#ifndef SCREE_NARROW_POLYGON_PAIR_H
#define SCREE_NARROW_POLYGON_PAIR_H

#include "kernel/xy.h"
#include "narrow/narrow.h"
#include "shape/shapes.h"

typedef struct flat_placed {
	const flat_polygon *shape;
	real x, y;
	real c, s;
	real size;
} flat_placed;

typedef struct polygon_pair {
	const flat_corner *a, *b;
	int32_t na, nb;
	real sa, sb; /* sizes */
	real x, y;	 /* centre of b in the frame of a */
	real c, s;	 /* cosine and sine of b's angle relative to a */
	real scale;	 /* sum of the two circumradii */
} polygon_pair;

typedef struct flat_edge {
	real x, y, tx, ty, length;
} flat_edge;

/* largest height, relative to scale, that may be rounding error (which is about 1e-15) */
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

/* Returns corner i of a; rows -1 .. corners are valid (shape/shapes.h). */
SCREE_FN xy corner_of_a(const polygon_pair *p, int32_t i) { return (xy){p->sa * p->a[i].x, p->sa * p->a[i].y}; }

SCREE_FN xy corner_of_b(const polygon_pair *p, int32_t i)
{
	real x = p->b[i].x, y = p->b[i].y;
	return (xy){p->x + p->sb * (p->c * x - p->s * y), p->y + p->sb * (p->s * x + p->c * y)};
}

SCREE_FN xy tangent_of_b(const polygon_pair *p, int32_t i)
{
	real x = p->b[i].tx, y = p->b[i].ty;
	return (xy){p->c * x - p->s * y, p->s * x + p->c * y};
}

SCREE_FN flat_edge edge_of_a(const polygon_pair *p, int32_t i)
{
	xy v = corner_of_a(p, i);
	return (flat_edge){v.x, v.y, p->a[i].tx, p->a[i].ty, p->sa * p->a[i].length};
}

SCREE_FN flat_edge edge_of_b(const polygon_pair *p, int32_t i)
{
	xy v = corner_of_b(p, i), t = tangent_of_b(p, i);
	return (flat_edge){v.x, v.y, t.x, t.y, p->sb * p->b[i].length};
}

/* The following functions read one of the two polygons; of_b must be a compile-time constant. */
SCREE_FN int32_t corners_of(const polygon_pair *p, bool of_b) { return of_b ? p->nb : p->na; }
SCREE_FN xy pair_corner(const polygon_pair *p, bool of_b, int32_t i)
{
	return of_b ? corner_of_b(p, i) : corner_of_a(p, i);
}
SCREE_FN xy pair_tangent(const polygon_pair *p, bool of_b, int32_t i)
{
	return of_b ? tangent_of_b(p, i) : (xy){p->a[i].tx, p->a[i].ty};
}
SCREE_FN flat_edge pair_edge(const polygon_pair *p, bool of_b, int32_t i)
{
	return of_b ? edge_of_b(p, i) : edge_of_a(p, i);
}

/* Returns the height of a point above an edge's line, > 0 outside. */
SCREE_FN real height_over(flat_edge e, xy p) { return e.ty * (p.x - e.x) - e.tx * (p.y - e.y); }

SCREE_FN int32_t ring_next(int32_t i, int32_t count) { return i + 1 < count ? i + 1 : 0; }
SCREE_FN int32_t ring_last(int32_t i, int32_t count) { return i > 0 ? i - 1 : count - 1; }

/* Heights of each edge's ends above the other edge's line. */
typedef struct crossing_heights {
	real a_tail, a_head, b_tail, b_head;
} crossing_heights;

SCREE_FN crossing_heights crossing_of(const polygon_pair *p, int32_t k, int32_t l)
{
	flat_edge a = edge_of_a(p, k), b = edge_of_b(p, l);
	return (crossing_heights){height_over(b, (xy){a.x, a.y}), height_over(b, corner_of_a(p, k + 1)),
							  height_over(a, (xy){b.x, b.y}), height_over(a, corner_of_b(p, l + 1))};
}

/* Tests whether two edges cross. A point on a line, within rounding, counts as outside, so touching corners and edges
 * do not cross. Collinear edges do not cross either, since all their heights are rounding error. */
SCREE_FN bool crosses(crossing_heights h, real scale)
{
	real in = -FLAT_ROUNDING * scale;
	return (h.a_tail < in) != (h.a_head < in) && (h.b_tail < in) != (h.b_head < in) &&
		   real_abs(h.a_tail - h.a_head) > -in;
}

/* Tests whether the distance from every end to the other edge's line exceeds rounding error. */
SCREE_FN bool crosses_clearly(crossing_heights h, real scale)
{
	real least = FLAT_ROUNDING * scale;
	return (h.a_tail < -least ? h.a_head > least : h.a_tail > least && h.a_head < -least) &&
		   (h.b_tail < -least ? h.b_head > least : h.b_tail > least && h.b_head < -least);
}

/* Returns the point where edge k of a crosses a line, given the heights of the edge's ends above the line. */
SCREE_FN xy crossing_point(const polygon_pair *p, int32_t k, real tail, real head)
{
	xy v = corner_of_a(p, k), w = corner_of_a(p, k + 1);
	real t = real_clamp(tail / (tail - head), 0, 1);
	return (xy){v.x + t * (w.x - v.x), v.y + t * (w.y - v.y)};
}

/* Searches for the edges where a's border enters or leaves b, starting at edges k and l. Returns false if a walk along
 * neighbours does not find them. near: a point close to both borders; most: largest number of steps */
bool scree_crossing_walk(const polygon_pair *p, bool enters, int32_t most, xy near, int32_t *k, int32_t *l);

/* Result of a search among all pairs of edges for those that (clearly) cross. */
typedef struct crossing_list {
	int32_t count;
	int32_t enter_a, enter_b, leave_a, leave_b; /* first pair of edges of each kind, or -1 if none */
} crossing_list;
crossing_list scree_crossing_search(const polygon_pair *p, bool clearly);

/* Arguments are as in narrow.h. Only differences of a->at and of the z components are used. */
SCREE_FN flat_placed flat_of(const placed *p, const placed *from)
{
	return (flat_placed){&p->shape->flat, p->at.x - from->at.x, p->at.y - from->at.y,
						 p->turn.x.x,	  p->turn.x.y,			p->size};
}

/* Begins a patch without points, and returns true if the bounding circles, with centres (x, y) apart, do not meet. */
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

/* closest_features.c: distance between two convex polygons, from their closest features, which are tracked from call to
 * call (Lin and Canny 1991, in the plane; docs/theory/polygons.md). */
/* A feature is 2 i for corner i, 2 i + 1 for the edge that starts there. */
typedef struct feature_pair {
	/* if overlapping: two edges that cross, or two arbitrary features if one polygon is inside the other */
	int32_t fa, fb;
	int32_t hint;	   /* for the next call with this pair, > 0 */
	int32_t sweeps;	   /* number of feature pairs tested: 1 if the hint was right */
	int32_t changes;   /* number of times a feature was replaced by a neighbour */
	int32_t exhausted; /* number of tests of all features */
	int32_t searched;  /* number of searches for a crossing along the whole borders */
	bool overlapping, nested;
	xy a, b;	   /* closest points; if overlapping, both are the crossing of the edges */
	xy n;		   /* unit, from b to a; 0 if overlapping */
	real distance; /* >= 0 */
} feature_pair;

/* All vectors are relative to a's centre, in the axes of the poses. hint: the value from the last call, 0, or any other
 * value. If the polygons are apart, distance and points are exact up to rounding (1e-14 of the size) for any hint. For
 * parallel edges that face each other, the points are in the middle of the edges' common range. */
void scree_closest_features(const flat_placed *a, const flat_placed *b, int32_t hint, feature_pair *out);

/* The same function in the frame of a pair. crossing: two crossing edges are needed if the polygons overlap */
void scree_features_track(const polygon_pair *p, int32_t hint, bool crossing, feature_pair *out);

/* bit of a hint, set if the features are edges that crossed */
enum { FEATURES_CROSSED = 1 << 28 };
SCREE_FN int32_t features_pack(int32_t fa, int32_t fb) { return 1 + fa + fb * (2 * POLYGON_CORNERS); }
SCREE_FN bool features_crossed(int32_t hint) { return (((uint32_t)hint - 1U) & FEATURES_CROSSED) != 0; }
/* Returns false if the hint does not contain features of this pair. */
SCREE_FN bool features_unpack(const polygon_pair *p, int32_t hint, int32_t *fa, int32_t *fb)
{
	uint32_t h = ((uint32_t)hint - 1U) & ~(uint32_t)FEATURES_CROSSED;
	*fa = (int32_t)(h % (2 * POLYGON_CORNERS));
	*fb = (int32_t)(h / (2 * POLYGON_CORNERS));
	return *fa < 2 * p->na && *fb < 2 * p->nb;
}

/* A chord leads from where a's border enters b to where it leaves b. Vectors are in the frame of a. */
typedef struct flat_overlap {
	real area;
	/* sum over chords of length times normal from b to a, which is minus the area's derivative by a's position */
	xy g;
	real moment; /* minus the derivative of the area with respect to a's angle: the torque of g about the centre of a */
	xy middle;	 /* mean of the chords' midpoints, weighted by length */
	real length; /* total length of the chords */
	bool marched; /* whether exactly two crossings were proved; if not, a was clipped against all edges of b */
	int32_t hint, changes, all, borders; /* hint and feature counts (see kernel/patch.h) */
} flat_overlap;

/* The border of an overlap, counter-clockwise, in the frame of a. The edge from corner i belongs to b if second[i]. */
typedef struct flat_ring {
	int32_t count;
	real *x, *y;
	bool *second;
} flat_ring;

SCREE_FN xy ring_at(const flat_ring *r, int32_t i) { return xy_of(r->x[i], r->y[i]); }

/* r: NULL: nothing */
SCREE_FN void ring_add(flat_ring *r, xy v, bool second)
{
	if (!r) return;
	r->x[r->count] = v.x;
	r->y[r->count] = v.y;
	r->second[r->count++] = second;
}

SCREE_FN void ring_add_between(flat_ring *r, const flat_ring *from, int32_t i, int32_t k, real part, bool second)
{
	const xy p = ring_at(from, i);
	ring_add(r, xy_madd(p, part, xy_sub(ring_at(from, k), p)), second);
}

/* Returns false if there is no overlap; out->area is then 0, and *apart a lower bound on the distance. The result
 * depends bitwise only on the poses. ring: NULL, or room for the corners of a, twice those of b, and two more */
bool scree_flat_overlap(const polygon_pair *p, int32_t hint, flat_overlap *out, flat_ring *ring, real *apart);

/* Finds a contact with one point, with the arguments of narrow.convex_convex. The point has the overlap area / |g| and
 * the weight |g|, and is on the line of action of g, the resultant of the chords. */
void scree_polygon_overlap(const placed *a, const placed *b, int32_t hint, patch *out);
/* Finds a contact for laws that use depth: points along the edge of least penetration, weighted by length. */
void scree_polygon_patch(const placed *a, const placed *b, int32_t hint, patch *out);

#endif
