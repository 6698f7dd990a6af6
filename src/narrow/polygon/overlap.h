/* overlap.h: the common area of two convex polygons, and the forces if energy is a function of this area
 * (docs/theory/polygons.md); private to src/narrow, its tests and its benchmark. */
#ifndef SCREE_NARROW_POLYGON_OVERLAP_H
#define SCREE_NARROW_POLYGON_OVERLAP_H

#include "narrow/polygon/pair.h"

/* A chord is the straight line from the point where a's border enters b to the point where it leaves b. Vectors are in
 * the frame of a. */
typedef struct flat_overlap {
	real area;
	/* sum over the chords of length times normal from b to a: minus the derivative of the area by a's position */
	xy g;
	real moment;  /* minus the derivative of the area by a's angle: the torque of g about the centre of a */
	xy middle;	  /* mean of the chords' midpoints, weighted by length */
	real length;  /* total length of the chords */
	bool marched; /* two crossings, proved to be all; otherwise a was cut by every edge of b */
	int32_t hint, changes, all, borders; /* hint and counts of features, see kernel/patch.h */
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

/* Adds the point at this part of the way from corner i of a ring to corner k. */
SCREE_FN void ring_add_between(flat_ring *r, const flat_ring *from, int32_t i, int32_t k, real part, bool second)
{
	const xy p = ring_at(from, i);
	ring_add(r, xy_madd(p, part, xy_sub(ring_at(from, k), p)), second);
}

/* False without overlap; then out->area is 0 and *apart a lower bound of the distance. The result is a function of the
 * poses alone, to the last bit. ring: NULL, or with room for the corners of a, twice those of b and two more */
bool scree_flat_overlap(const polygon_pair *p, int32_t hint, flat_overlap *out, flat_ring *ring, real *apart);

/* Contact with one point, with the arguments of narrow.convex_convex in narrow.h. Its overlap is area / |g|, its weight
 * the length |g|, where g is the resultant of the chords. The point is on the line of action of g. */
void scree_polygon_overlap(const placed *a, const placed *b, int32_t hint, patch *out);
/* Contact for laws on depth, with the same arguments: points along the edge of least penetration, weights by length. */
void scree_polygon_patch(const placed *a, const placed *b, int32_t hint, patch *out);

#endif
