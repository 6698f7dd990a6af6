/* wall.h: contacts of smooth bodies with forms of walls, in the frame of the wall; private to src/narrow/smooth. */
#ifndef SCREE_NARROW_SMOOTH_WALL_H
#define SCREE_NARROW_SMOOTH_WALL_H

#include "narrow/smooth/smooth.h"
#include "narrow/touch_list.h"

/* Adds a touch if depth > 0. deepest: the body's point deepest in the wall, from its centre */
SCREE_FN void smooth_touch(touch_list *out, int32_t surface, vec3 normal, vec3 deepest, real depth)
{
	if (depth > 0) scree_touch_point(out, surface, normal, v3_madd(deepest, depth / 2, normal), depth);
}

/* Finds where a function that falls from >= 0 at x[0] to <= 0 at x[1] is 0, by false position. Where the same end moves
 * twice, the value at the other end is halved (Illinois). On flat sides of bodies a slope jumps, so that its size is no
 * measure: an interval that is not half as wide after four steps is halved. */
typedef real smooth_slope(const void *of, real x);
real scree_smooth_zero(smooth_slope *slope, const void *of, const real x[2], const real y[2]);

/* power: as for scree_smooth_wall */
void scree_smooth_tube(const smooth *s, const wall *w, real power, touch_list *out);
void scree_smooth_facets(const smooth *s, const walls *all, int32_t wall, int32_t facets, const int32_t *facet,
						 touch_list *out);

#endif
