/* granulate.h: random grains from a seed: a cloud of points in random directions, its hull, radii changed by random
 * factors (docs/theory/shapes.md). It is in format/ since hulls are. */
#ifndef SCREE_FORMAT_GRANULATE_H
#define SCREE_FORMAT_GRANULATE_H

#include "format/mesh.h"

typedef enum granulate_order {
	SCALE_THEN_HULL, /* convex; directions that stay inside are no corners */
	HULL_THEN_SCALE	 /* 2 n - 4 triangles, hollow in places, every point seen from the middle */
} granulate_order;

typedef struct granulate {
	uint64_t seed, number; /* a grain is a function of both; those of one seed are independent */
	int32_t points;		   /* 4 to 4096; 50 */
	real low, high;		   /* radial factors are uniform between both; 0.75, 1 */
	granulate_order order;
} granulate;

/* A closed surface, outward, with its centroid at 0 (but for rounding) and its farthest vertex at 1/2. Both orders
 * begin with the same directions and factors. False, with a sentence: numbers out of range. */
bool scree_granulate(const granulate *g, const char *name, mesh *out, fail *why);

#endif
