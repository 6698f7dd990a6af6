/* clump_share.h: one ball's share of a union of balls, for clump.c and measures. */
#ifndef SCREE_SHAPE_CLUMP_CLUMP_SHARE_H
#define SCREE_SHAPE_CLUMP_CLUMP_SHARE_H

#include "shape/principal.h"

/* points of equal power of two balls: x.u = h */
typedef struct clump_plane {
	vec3 u; /* unit vector away from this ball */
	real h;
} clump_plane;

typedef struct clump_edge {
	real x, y;	  /* its start */
	real m, n, s; /* line of the edge: m x + n y = s, where (m, n) is an outward unit vector */
} clump_edge;

/* Returns the moments about 0 of the part of the unit ball with x.u <= h for all planes. Planes must be in ascending
 * order of h, so that planes without a facet are excluded early; work: room for 2 (count + 4) edges. */
moments scree_clump_share(int32_t count, const clump_plane *plane, clump_edge *work);

void scree_add_product(real second[6], real weight, vec3 a, vec3 b); /* += weight (a b^T + b a^T)/2 */

#endif
