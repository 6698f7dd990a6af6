/* polygon.h: a convex polygon of unit size in the plane z = 0, made once, then read only. Bodies scale it. */
#ifndef SCREE_STATE_POLYGON_H
#define SCREE_STATE_POLYGON_H

#include "base/fail.h"
#include "base/real.h"

/* Most corners: a feature (a corner or an edge) of each of two polygons fits into one int32_t of a cache. */
enum { POLYGON_CORNERS = 8192 };

/* Corner i and the edge that leaves it, to corner i+1. */
typedef struct flat_corner {
	real x, y;	 /* m, from the centroid */
	real tx, ty; /* unit tangent of the edge; its outward normal is (ty, -tx) */
	real length; /* m, of the edge */
} flat_corner;

typedef struct flat_polygon {
	int32_t corners;	 /* >= 3 */
	flat_corner *corner; /* [corners] counter-clockwise */
} flat_polygon;
void scree_polygon_free(flat_polygon *p);

#endif
