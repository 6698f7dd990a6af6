/* round_gap.h: the signed gap of an ellipse and an ellipse or a convex polygon, in the plane; private to src/narrow.
 *
 * Let h be the support functions and r the vector from the centre of b to that of a. The gap is the maximum, over all
 * unit vectors n, of
 *
 *     g(n) = n.r - h_a(-n) - h_b(n).
 *
 * It is the distance of two separate bodies, and minus the shortest separating translation of two overlapping bodies.
 * In other words, it is the signed distance of the point r from the border of the Minkowski sum S of b and -a. */
#ifndef SCREE_NARROW_FLAT_ROUND_GAP_H
#define SCREE_NARROW_FLAT_ROUND_GAP_H

#include "narrow/narrow.h"
#include "shape/flat_support.h"

/* The semi-axes of a disc or an ellipse, and its rotation relative to the frame. */
oval scree_flat_oval(const placed *p, mat3 frame);

/* A signed gap and its position, in the world's axes. */
typedef struct flat_gap {
	real gap;
	xy n;	/* from b to a */
	xy arm; /* from the centre of a to the point of a's border that is nearest to b's border */
} flat_gap;

/* a: a disc or an ellipse; b: a disc, an ellipse or a polygon */
flat_gap scree_flat_gap(const placed *a, const placed *b);

#endif
