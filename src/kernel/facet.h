/* facet.h: forms of walls, and the facets of polygons and meshes, as a processor and a device store them. */
#ifndef SCREE_KERNEL_FACET_H
#define SCREE_KERNEL_FACET_H

#include "base/real.h"

/* in a world in the plane, planes are lines and cylinders along z are circles; solid polygons exist only there */
typedef enum wall_type { WALL_PLANE, WALL_CYLINDER, WALL_CONE, WALL_FACETS, WALL_POLYGON, WALL_TYPES } wall_type;

typedef enum wall_side {
	SIDE_INSIDE, /* for cylinders and cones: bodies are inside the tube */
	SIDE_OUTSIDE
} wall_side;

/* Within the tolerance, an edge borders a facet (>= 0) or nothing (EDGE_OPEN), or it is on the face of another facet
 * (EDGE_COVERED and below). The other facet belongs to this wall or to a wall that moves with it. A covered edge is not
 * a border, since bodies cannot reach the edge without touching the other facet's face. */
enum { EDGE_OPEN = -1, EDGE_COVERED = -2 };
SCREE_FN bool edge_is_covered(int32_t next) { return next <= EDGE_COVERED; }
/* Converts between the covering facet and the stored value; the function is its own inverse. */
SCREE_FN int32_t edge_cover(int32_t next) { return EDGE_COVERED - next; }

/* A convex planar polygon. Edge k runs from corner k to corner k+1. */
typedef struct facet {
	int32_t wall, surface;
	vec3 normal; /* unit, towards the bodies for one-sided walls; corners are counter-clockwise seen from its tip */
	real off;	 /* plane: normal.p = off */
	int32_t first, corners; /* rows of walls.corner */
	vec3 low, high;			/* bounds, wall's frame */
} facet;

typedef struct wall_meeting {
	int32_t facet, next; /* facet: a covering facet; next: next item of the list, or -1 at the end of the list */
} wall_meeting;

/* Connections of surfaces, seen from one side, as a tree: links to parents, added from strong to weak (wall/links.c) */
typedef struct surface_link {
	int32_t up, when; /* surface that this one was joined to, or -1; rank of the link among all links of the wall */
	real part;		  /* strength of the link: 1 for a ridge, the cosine of the angle for a valley */
} surface_link;

/* A surface, given by its first facet. */
typedef struct surface_face {
	vec3 normal, middle;
} surface_face;

#endif
