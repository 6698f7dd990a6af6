/* wall_surface.h: properties of the facets of a wall as a surface: closed or open, orientation, and the side that
 * acts. Derived from the facets alone, so that a wall from a snapshot gives the same result as when it was read. */
#ifndef SCREE_WALL_WALL_SURFACE_H
#define SCREE_WALL_WALL_SURFACE_H

#include "wall/walls.h"

/* An edge, and the facets at it: rows of this wall from 0 on; the second is -1 if there is none. */
typedef struct wall_edge {
	int32_t facet[2];
	vec3 from, to; /* wall's frame */
} wall_edge;

typedef struct wall_surface {
	int32_t facets;
	int32_t open;		   /* edges of one facet only */
	int32_t crowded;	   /* edges of more than two */
	int32_t turned;		   /* edges that both facets traverse in the same direction: one of them is reversed */
	int32_t turned_facets; /* the smaller number of each connected part */
	wall_edge first_open, first_crowded, first_turned; /* first_turned.facet[0] belongs to the smaller number */
	bool closed;	/* each edge is traversed equally often in both directions: there is an inside */
	real volume;	/* if closed: enclosed volume, > 0 if normals point outwards */
	real outward;	/* -1 .. 1: degree to which normals point away from the middle of the bounds, by area */
	vec3 normal;	/* mean of the normals, by area; its length shows how parallel they are */
	vec3 low, high; /* bounds, wall's frame */
} wall_surface;

/* for a wall of facets */
wall_surface scree_wall_surface(const walls *s, int32_t row);
/* 1: its normals point outwards, -1: inwards, 0: undecided */
SCREE_FN int wall_surface_side(const wall_surface *l)
{
	if (!l->closed && real_abs(l->outward) < (real)0.2) return 0;
	return l->outward > 0 ? 1 : -1;
}
/* Fraction of the solid angle around p (wall's frame) that the wall's backs fill, less that of its fronts, as seen
 * from p: 1 inside a closed wall with normals outwards, -1 with normals inwards, 0 outside of either. */
real scree_wall_backs(const walls *s, int32_t row, vec3 p);

#endif
