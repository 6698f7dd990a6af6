/* closest_features.h: distance of two convex polygons by their closest features, tracked from call to call (Lin and
 * Canny 1991, in the plane; docs/theory/polygons.md). */
#ifndef SCREE_NARROW_POLYGON_CLOSEST_FEATURES_H
#define SCREE_NARROW_POLYGON_CLOSEST_FEATURES_H

#include "narrow/polygon/pair.h"

/* A feature is 2 i for corner i, 2 i + 1 for the edge that leaves it. */
typedef struct feature_pair {
	int32_t fa, fb;	   /* overlapping: two edges that cross, or, nested, any two features */
	int32_t hint;	   /* for the next call with this pair, > 0 */
	int32_t sweeps;	   /* how often two features were looked at: 1 when the hint was right */
	int32_t changes;   /* how often one of them was replaced by a neighbour */
	int32_t exhausted; /* how often all features were asked */
	int32_t searched;  /* how often whole borders were searched for a crossing */
	bool overlapping, nested;
	real ax, ay, bx, by; /* closest points; overlapping: where the edges cross, twice */
	real nx, ny;		 /* unit, from b to a; 0 when overlapping */
	real distance;		 /* >= 0 */
} feature_pair;

/* All vectors from a's centre, in the axes in which the poses are given. hint: of the last call, or 0, or anything
 * else. When the polygons are apart, distance and points are those of the poses to rounding (1e-14 of the size)
 * whatever the hint is; parallel edges that face each other give the middle of what they share. */
void scree_closest_features(const flat_placed *a, const flat_placed *b, int32_t hint, feature_pair *out);

/* The same in the frame of a pair, as the narrow phases call it; crossing: whether two crossing edges are wanted of
 * polygons that overlap. */
void scree_features_track(const polygon_pair *p, int32_t hint, bool crossing, feature_pair *out);

/* One look at two features of f: true when one or both have been replaced, false when they are the closest ones, or
 * when the polygons overlap. A step of the loop above, for those who want to watch it. */
bool scree_features_look(const polygon_pair *p, feature_pair *f);

/* in a hint, beside the features: they are edges that crossed */
enum { FEATURES_CROSSED = 1 << 28 };
SCREE_FN int32_t features_pack(int32_t fa, int32_t fb) { return 1 + fa + fb * (2 * POLYGON_CORNERS); }
SCREE_FN bool features_crossed(int32_t hint) { return (((uint32_t)hint - 1U) & FEATURES_CROSSED) != 0; }
/* false: no features of this pair */
SCREE_FN bool features_unpack(const polygon_pair *p, int32_t hint, int32_t *fa, int32_t *fb)
{
	uint32_t h = ((uint32_t)hint - 1U) & ~(uint32_t)FEATURES_CROSSED;
	*fa = (int32_t)(h % (2 * POLYGON_CORNERS));
	*fb = (int32_t)(h / (2 * POLYGON_CORNERS));
	return *fa < 2 * p->na && *fb < 2 * p->nb;
}

#endif
