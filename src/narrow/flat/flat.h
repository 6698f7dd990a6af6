/* flat.h: contacts in the plane z = 0 between discs, ellipses, convex polygons, and walls. Selects the function for
 * each combination of shapes. Private to src/narrow. */
#ifndef SCREE_NARROW_FLAT_FLAT_H
#define SCREE_NARROW_FLAT_FLAT_H

#include "narrow/narrow.h"

/* Contacts for laws that use depth. */
void scree_flat_depth(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_depth_wall(const placed *body, const near_wall *to, touch_list *out);
/* Contacts for laws that use area: one point whose overlap is area/chord and whose weight is the chord, in m
 * (docs/theory/area.md). */
void scree_flat_area(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_area_wall(const placed *body, const near_wall *to, touch_list *out);
/* Contacts for laws that use thickness: the energy is E* l weight overlap^2/2 (docs/theory/overlap.md). */
void scree_flat_thickness(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_thickness_wall(const placed *body, const near_wall *to, touch_list *out);
const char *scree_flat_refuses(const walls *s, int32_t wall);
/* Contact between a disc and a polygonal wall, measured by depth. */
void scree_flat_disc_wall(vec3 centre, real radius, const wall *w, touch_list *out);

#endif
