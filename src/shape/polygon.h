/* polygon.h: a convex polygon of unit size in the plane z = 0. It is made once and then only read; bodies scale it. */
#ifndef SCREE_SHAPE_POLYGON_H
#define SCREE_SHAPE_POLYGON_H

#include "base/fail.h"
#include "base/real.h"

/* Largest number of corners: a feature (corner or edge) of each of two polygons fits into one int32_t of a cache. */
enum { POLYGON_CORNERS = 8192 };

/* Corner i and the edge from it to corner i+1. */
typedef struct flat_corner {
	real x, y;	 /* m, from the centroid */
	real tx, ty; /* unit tangent of the edge; its outward normal is (ty, -tx) */
	real length; /* m, length of the edge */
} flat_corner;

typedef struct flat_polygon {
	int32_t corners;	   /* >= 3 */
	real radius, inradius; /* from the centroid: largest distance of a corner, least distance of an edge's line */
	/* [-1 .. corners] counter-clockwise; corner -1 is a copy of the last one and corner `corners` of the first one,
	 * so that loops over neighbours need no test for the end of the ring */
	flat_corner *corner;
} flat_polygon;

/* Fills `out` (all zero before) from corners in the user's frame, counter-clockwise; z is ignored. moment: the second
 * polar moment of the area about the centroid; name: for messages. False with a message if the corners are no convex
 * polygon (docs/theory/polygons.md); out then owns no memory. */
bool scree_polygon_build(flat_polygon *out, const char *name, int32_t corners, const vec3 *point, vec3 *centre,
						 real *area, real *moment, fail *why);
void scree_polygon_free(flat_polygon *p);

#endif
