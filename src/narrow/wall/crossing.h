/* crossing.h: whether the centre of a body passes through a wall on a straight path between two points. */
#ifndef SCREE_NARROW_WALL_CROSSING_H
#define SCREE_NARROW_WALL_CROSSING_H

#include "wall/walls.h"

/* The path of a centre in the wall's frame. */
typedef struct centre_way {
	vec3 from, to;
	real slack; /* m: enlargement of facets on all sides, so that rounding opens no seam */
} centre_way;

typedef struct wall_crossing {
	vec3 at;		  /* wall's frame */
	bool from_behind; /* the path starts behind a one-sided wall, where there is no contact */
} wall_crossing;

/* Whether the path crosses this facet. The side of each end is determined as in the narrow phase, so that there is no
 * gap between consecutive steps. */
bool scree_crosses_facet(const walls *s, int32_t facet, const centre_way *c, wall_crossing *out);
bool scree_crosses_plane(const wall *w, const centre_way *c, wall_crossing *out);
bool scree_crosses_tube(const wall *w, const centre_way *c, wall_crossing *out);
/* Whether the path enters a polygon in the plane; the polygon pushes bodies out. */
bool scree_enters_polygon(const wall *w, const centre_way *c, wall_crossing *out);
/* Distance from the axis less the radius of the side at that height: >= 0 outside. */
real scree_outside_tube(const wall *w, vec3 p);
/* forms.c */
/* Whether the path crosses this wall, which has no facets. False if the wall has no sides (wall/walls.h). */
bool scree_crosses_form(const wall *w, const centre_way *c, wall_crossing *out);
/* Distance of a point behind a wall without sides. It is < 0 in front of the wall, and for all other walls. */
real scree_behind_form(const wall *w, vec3 at);

#endif
