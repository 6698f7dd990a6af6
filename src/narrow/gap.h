/* gap.h: distance of two convex pieces, or depth of their overlap. */
#ifndef SCREE_NARROW_GAP_H
#define SCREE_NARROW_GAP_H

#include "narrow/narrow.h"

/* m: a lower bound of the distance of two separate convex pieces (balls, polyhedra; in the plane discs, ellipses,
 * polygons). If they overlap, minus the shortest separating translation. It does not depend on the law or on the order
 * of the pieces. */
real scree_gap(const placed *a, const placed *b, bool flat);

#endif
