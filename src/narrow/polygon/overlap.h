/* overlap.h: the common area of two convex polygons, and the forces if energy is a function of it
 * (docs/theory/polygons.md); private to src/narrow, its tests and its benchmark. */
#ifndef SCREE_NARROW_POLYGON_OVERLAP_H
#define SCREE_NARROW_POLYGON_OVERLAP_H

#include "narrow/polygon/pair.h"

/* A chord is the straight line that one polygon's border cuts off from the other one: from the point where a's border
 * enters b to where it leaves it. Vectors are in the frame of a. */
typedef struct flat_overlap {
	real area;
	real gx, gy; /* sum over the chords of length times normal from b to a: minus the derivative of the area by a's
					position */
	real moment; /* minus the derivative by a's angle: torque of g about the centre of a */
	real mx, my; /* mean of the chords' middles, weighted by length */
	real length; /* total length of the chords */
	/* number of corners of the overlap polygon that are corners of a or b, if it was built by marching */
	int32_t chain;
	bool marched;						 /* two crossings, proved to be all; else a was cut by every edge of b */
	int32_t hint, changes, all, borders; /* hint and counts of features: kernel/patch.h */
} flat_overlap;

/* The border of an overlap, counter-clockwise, in the frame of a. The edge from corner i is b's if second[i]. */
typedef struct flat_ring {
	int32_t count;
	real *x, *y;
	bool *second;
} flat_ring;

/* False without overlap; then out->area is 0 and *apart a lower bound of the distance. The result is a function of the
 * poses alone, to the last bit. ring: NULL, or has room for a's corners, twice b's and two more. */
bool scree_flat_overlap(const polygon_pair *p, int32_t hint, flat_overlap *out, flat_ring *ring, real *apart);

/* The same arguments as narrow.convex_convex of narrow.h, with one point: its overlap is area / |g|, its weight the
 * length |g|, where g is the resultant of the chords; the point is on its line of action. */
void scree_polygon_overlap(const placed *a, const placed *b, int32_t hint, patch *out);
/* The same arguments, for laws on depth: points along the edge of least penetration, weights by length. */
void scree_polygon_patch(const placed *a, const placed *b, int32_t hint, patch *out);

#endif
