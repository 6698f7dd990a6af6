/* crossing.h: whether the centre of a body passes through a wall on its straight path between two points. */
#ifndef SCREE_NARROW_WALL_CROSSING_H
#define SCREE_NARROW_WALL_CROSSING_H

#include "wall/walls.h"

/* The path of a centre in the wall's frame. */
typedef struct centre_way {
	vec3 from, to;
	real slack; /* m: facets are larger by this on all sides, so that rounding opens no seam */
} centre_way;

typedef struct wall_crossing {
	vec3 at;		  /* wall's frame */
	bool from_behind; /* the path starts behind a one-sided wall, where it has no contact */
} wall_crossing;

/* Whether the path crosses this facet. Both ends decide their side as the narrow phase does, so that consecutive steps
 * leave no gap. */
bool scree_crosses_facet(const walls *s, int32_t facet, const centre_way *c, wall_crossing *out);
bool scree_crosses_plane(const wall *w, const centre_way *c, wall_crossing *out);
bool scree_crosses_tube(const wall *w, const centre_way *c, wall_crossing *out);
/* Whether the path enters a polygon of the plane. Bodies are pushed out of it. */
bool scree_enters_polygon(const wall *w, const centre_way *c, wall_crossing *out);
/* Distance from the axis less the radius of the side there: >= 0 outside. */
real scree_outside_tube(const wall *w, vec3 p);
/* forms.c */
/* Whether the path crosses this wall, which has no facets. Never if the wall has no sides (wall/walls.h). */
bool scree_crosses_form(const wall *w, const centre_way *c, wall_crossing *out);
/* Distance of a point behind a wall without sides; < 0 in front of it, and for all other walls. */
real scree_behind_form(const wall *w, vec3 at);

#endif
