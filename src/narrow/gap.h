/* gap.h: how far two convex pieces are apart, or how deep they overlap. */
#ifndef SCREE_NARROW_GAP_H
#define SCREE_NARROW_GAP_H

#include "narrow/narrow.h"

/* m: a lower bound of the distance of two convex pieces that are apart (balls, polyhedra; in the plane discs, ellipses,
 * polygons); if they overlap, the least translation that parts them, negative. Whatever the law is. Pieces may stand in
 * either order. */
real scree_gap(const placed *a, const placed *b, bool flat);

#endif
