/* wall_surface.h: what the facets of a wall are like as a surface: closed or open, turned alike or not, and which side
 * acts. Derived from the facets alone, so that a wall out of a snapshot looks as it did when it was read. */
#ifndef SCREE_WALL_WALL_SURFACE_H
#define SCREE_WALL_WALL_SURFACE_H

#include "wall/walls.h"

/* An edge, and the facets at it: rows of this wall from 0 on; the second is -1 where there is none. */
typedef struct wall_edge {
	int32_t facet[2];
	vec3 from, to; /* wall's frame */
} wall_edge;

typedef struct wall_surface {
	int32_t facets;
	int32_t open;		   /* edges of one facet only */
	int32_t crowded;	   /* edges of more than two */
	int32_t turned;		   /* edges that both facets run the same way: one of them is turned over */
	int32_t turned_facets; /* of each connected part the fewer ones */
	wall_edge first_open, first_crowded, first_turned; /* first_turned.facet[0] is one of the fewer ones */
	bool closed;	/* each edge is run as often one way as the other: there is an inside */
	real volume;	/* closed: what it encloses, > 0 when normals point out of it */
	real outward;	/* -1 .. 1: how much normals point away from the middle of the bounds, by area */
	vec3 normal;	/* mean of the normals, by area; its length says how much they agree */
	vec3 low, high; /* bounds, wall's frame */
} wall_surface;

/* of a wall of facets */
wall_surface scree_wall_surface(const walls *s, int32_t row);
/* 1: its normals point outwards, -1: inwards, 0: most agree on neither */
SCREE_FN int wall_surface_side(const wall_surface *l)
{
	if (!l->closed && real_abs(l->outward) < (real)0.2) return 0;
	return l->outward > 0 ? 1 : -1;
}
/* How much of all directions around p (wall's frame) the wall's backs fill, less what its fronts fill, as seen from p:
 * 1 inside a closed wall whose normals point outwards, -1 where they point inwards, 0 outside of either. */
real scree_wall_backs(const walls *s, int32_t row, vec3 p);

#endif
