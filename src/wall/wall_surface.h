/* wall_surface.h: properties of a wall's facets as a surface: closed or open, orientation, and acting side. The
 * properties are derived only from the facets, so a wall read from a snapshot has the same properties. */
#ifndef SCREE_WALL_WALL_SURFACE_H
#define SCREE_WALL_WALL_SURFACE_H

#include "wall/walls.h"

/* An edge and its two facets, as rows of this wall starting at 0; the second row is -1 if there is only one facet. */
typedef struct wall_edge {
	int32_t facet[2];
	vec3 from, to; /* ends, in the wall's frame */
} wall_edge;

typedef struct wall_surface {
	int32_t facets;
	int32_t open;	 /* number of edges with only one facet */
	int32_t crowded; /* number of edges with more than two facets */
	int32_t turned;	 /* number of edges that both facets traverse in the same direction because one facet is reversed */
	int32_t turned_facets; /* sum over connected parts of the number of facets with the less frequent orientation */
	/* first edge of each kind; first_turned.facet[0] is one of the reversed facets */
	wall_edge first_open, first_crowded, first_turned;
	bool closed;  /* each edge is traversed equally often in both directions, so the surface has an inside */
	real volume;  /* enclosed volume if closed; > 0 if normals point outwards */
	real outward; /* from -1 to 1: degree to which normals point away from the centre of the bounds, weighted by area */
	vec3 normal;  /* mean of the normals, weighted by area; its length is 1 if they are parallel */
	vec3 low, high; /* bounds, wall's frame */
} wall_surface;

/* returns the properties of a wall made of facets */
wall_surface scree_wall_surface(const walls *s, int32_t row);
/* direction of the normals: 1 outwards, -1 inwards, 0 undecided */
SCREE_FN int wall_surface_side(const wall_surface *l)
{
	if (!l->closed && real_abs(l->outward) < (real)0.2) return 0;
	return l->outward > 0 ? 1 : -1;
}
/* Returns the fraction of the solid angle around p (in the wall's frame) covered by backs of the wall minus the
 * fraction covered by fronts: 1 inside a closed wall with outward normals, -1 with inward normals, 0 outside. */
real scree_wall_backs(const walls *s, int32_t row, vec3 p);

#endif
