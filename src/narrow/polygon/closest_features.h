/* closest_features.h: distance of two convex polygons by their closest features, which are tracked from call to call
 * (Lin and Canny 1991, in the plane; docs/theory/polygons.md). */
#ifndef SCREE_NARROW_POLYGON_CLOSEST_FEATURES_H
#define SCREE_NARROW_POLYGON_CLOSEST_FEATURES_H

#include "narrow/polygon/pair.h"

/* A feature is 2 i for corner i, 2 i + 1 for the edge that starts there. */
typedef struct feature_pair {
	/* if overlapping: two edges that cross, or any two features if one polygon is inside the other */
	int32_t fa, fb;
	int32_t hint;	   /* for the next call with this pair, > 0 */
	int32_t sweeps;	   /* number of feature pairs tested: 1 if the hint was right */
	int32_t changes;   /* number of replacements of a feature by a neighbour */
	int32_t exhausted; /* number of tests of all features */
	int32_t searched;  /* number of searches of whole borders for a crossing */
	bool overlapping, nested;
	xy a, b;	   /* closest points; if overlapping: the crossing of the edges, twice */
	xy n;		   /* unit, from b to a; 0 if overlapping */
	real distance; /* >= 0 */
} feature_pair;

/* All vectors are relative to a's centre, in the axes of the poses. hint: from the last call, or 0, or anything else.
 * If the polygons are apart, distance and points are exact to rounding (1e-14 of the size) for any hint. For parallel
 * edges that face each other, the points are in the middle of their common range. */
void scree_closest_features(const flat_placed *a, const flat_placed *b, int32_t hint, feature_pair *out);

/* Does the same in the frame of a pair, for narrow phases. crossing: two crossing edges are needed if the polygons
 * overlap */
void scree_features_track(const polygon_pair *p, int32_t hint, bool crossing, feature_pair *out);

/* bit of a hint: the features are edges that crossed */
enum { FEATURES_CROSSED = 1 << 28 };
SCREE_FN int32_t features_pack(int32_t fa, int32_t fb) { return 1 + fa + fb * (2 * POLYGON_CORNERS); }
SCREE_FN bool features_crossed(int32_t hint) { return (((uint32_t)hint - 1U) & FEATURES_CROSSED) != 0; }
/* False if the hint holds no features of this pair. */
SCREE_FN bool features_unpack(const polygon_pair *p, int32_t hint, int32_t *fa, int32_t *fb)
{
	uint32_t h = ((uint32_t)hint - 1U) & ~(uint32_t)FEATURES_CROSSED;
	*fa = (int32_t)(h % (2 * POLYGON_CORNERS));
	*fb = (int32_t)(h / (2 * POLYGON_CORNERS));
	return *fa < 2 * p->na && *fb < 2 * p->nb;
}

#endif
