/* flat.h: contacts in the plane z = 0 of discs, ellipses and convex polygons with each other and with walls. Selects
 * the function for each combination of shapes. Private to src/narrow. */
#ifndef SCREE_NARROW_FLAT_FLAT_H
#define SCREE_NARROW_FLAT_FLAT_H

#include "narrow/narrow.h"

/* Contacts for laws that use depth. */
void scree_flat_depth(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_depth_wall(const placed *body, const near_wall *to, touch_list *out);
/* Contacts for laws that use area: one point with the overlap area/chord and the chord, in m, as weight
 * (docs/theory/area.md). */
void scree_flat_area(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_area_wall(const placed *body, const near_wall *to, touch_list *out);
/* Contacts for laws that use thickness: overlap and weight give the energy E* l weight overlap^2/2
 * (docs/theory/overlap.md). */
void scree_flat_thickness(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_thickness_wall(const placed *body, const near_wall *to, touch_list *out);
const char *scree_flat_refuses(const walls *s, int32_t wall);
/* Contact of a disc with a polygonal wall, measured by depth. */
void scree_flat_disc_wall(vec3 centre, real radius, const wall *w, touch_list *out);

#endif
