/* crossing.h: does the centre of a body change sides of a wall on its straight way from one place to another? */
#ifndef SCREE_NARROW_WALL_CROSSING_H
#define SCREE_NARROW_WALL_CROSSING_H

#include "wall/walls.h"

/* The way of a centre in the wall's frame. */
typedef struct centre_way {
	vec3 from, to;
	real slack; /* m: a facet is larger by this on all sides, so that rounding opens no seam */
} centre_way;

typedef struct wall_crossing {
	vec3 at;		  /* wall's frame */
	bool from_behind; /* out of what a one-sided wall does not see */
} wall_crossing;

/* Through this facet? Both ends decide their side as the narrow phase does, so that steps that follow each other leave
 * no gap. */
bool scree_crosses_facet(const walls *s, int32_t facet, const centre_way *c, wall_crossing *out);
bool scree_crosses_plane(const wall *w, const centre_way *c, wall_crossing *out);
bool scree_crosses_tube(const wall *w, const centre_way *c, wall_crossing *out);
/* Into a polygon of the plane? Out of it bodies are pushed. */
bool scree_enters_polygon(const wall *w, const centre_way *c, wall_crossing *out);
/* distance from the axis less that of the side there: >= 0 outside */
real scree_outside_tube(const wall *w, vec3 p);
/* forms.c */
/* Through this wall, which has no facets? Never where it has no sides (wall/walls.h). */
bool scree_crosses_form(const wall *w, const centre_way *c, wall_crossing *out);
/* How far a place is behind a wall that has no sides; < 0 in front of it, and for all other walls. */
real scree_behind_form(const wall *w, vec3 at);

#endif
