/* flat.h: contact in the plane z = 0, of discs, ellipses and convex polygons with one another and with walls: which
 * function for which two. Private to src/narrow. */
#ifndef SCREE_NARROW_FLAT_FLAT_H
#define SCREE_NARROW_FLAT_FLAT_H

#include "narrow/narrow.h"

/* by depth */
void scree_flat_depth(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_depth_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
						   touch_list *out);
/* by area: one point, its overlap area/chord, its weight the chord, m (docs/theory/area.md) */
void scree_flat_area(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_area_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
						  touch_list *out);
/* by thickness: one point, its overlap and weight those of an energy E* l weight overlap^2/2 (docs/theory/overlap.md)
 */
void scree_flat_thickness(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_thickness_wall(const placed *body, const walls *s, int32_t wall, int32_t facets, const int32_t *facet,
							   touch_list *out);
const char *scree_flat_refuses(const walls *s, int32_t wall);
/* a disc alone, by depth: with a wall that is a polygon */
void scree_flat_disc_wall(vec3 centre, real radius, const walls *s, int32_t wall, touch_list *out);

#endif
