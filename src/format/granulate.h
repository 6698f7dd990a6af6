/* granulate.h: random grains, each of which is the hull of a cloud of points in random directions at random distances
 * (docs/theory/shapes.md). This header is in format/ because the code for hulls is there. */
#ifndef SCREE_FORMAT_GRANULATE_H
#define SCREE_FORMAT_GRANULATE_H

#include "format/mesh.h"

typedef enum granulate_order {
	SCALE_THEN_HULL, /* convex; points inside the hull do not become corners */
	HULL_THEN_SCALE	 /* 2 n - 4 triangles, not necessarily convex; every point is visible from the middle */
} granulate_order;

typedef struct granulate {
	uint64_t seed, number; /* a grain depends only on these; grains with the same seed are independent */
	int32_t points;		   /* 4 to 4096; default 50 */
	real low, high;		   /* limits of the uniformly distributed radial factors; the defaults are 0.75 and 1 */
	granulate_order order;
} granulate;

/* A closed surface, oriented outwards, with centroid 0 (up to rounding) and the farthest vertex at 1/2. Both kinds of
 * grain start from the same directions and factors. False, with an error message, if numbers are out of range. */
bool scree_granulate(const granulate *g, const char *name, mesh *out, fail *why);

#endif
