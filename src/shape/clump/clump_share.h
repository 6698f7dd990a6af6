/* clump_share.h: inside of clump.c: what one ball has of a union of balls. */
#ifndef SCREE_SHAPE_CLUMP_CLUMP_SHARE_H
#define SCREE_SHAPE_CLUMP_CLUMP_SHARE_H

#include "base/real.h"

/* where the powers of two balls are the same: x.u = h */
typedef struct clump_plane {
	vec3 u; /* unit, away from this ball */
	real h;
} clump_plane;

/* integrals of 1, x and x x^T (xx, yy, zz, xy, xz, yz) */
typedef struct clump_moments {
	real volume;
	vec3 first;
	real second[6];
} clump_moments;

typedef struct clump_edge {
	real x, y;	  /* where it begins */
	real m, n, s; /* its line: m x + n y = s, (m, n) unit and outward */
} clump_edge;

/* Of the ball of radius 1 about 0: the part of it where x.u <= h for all planes. They come by rising h, which
 * soonest tells planes that have no part of it; work holds 2 (count + 4) edges. */
clump_moments scree_clump_share(int32_t count, const clump_plane *plane, clump_edge *work);

void scree_add_product(real second[6], real weight, vec3 a, vec3 b); /* += weight (a b^T + b a^T)/2 */

#endif
