/* surfaces.h: contacts of any body with a surface that has a halo (docs/theory/halo.md). */
#ifndef SCREE_NARROW_SURFACES_H
#define SCREE_NARROW_SURFACES_H

#include "narrow/surface/surface.h"

/* Contacts of body a, which is any body, with body b, a surface with a halo. Polyhedra and compounds have no halo.
 * Returns a lower bound of the distance if nothing touches. round: as for scree_parts_points */
real scree_points_of_surface(const placed *a, const placed *b, real round_a, real round_b, surface_scratch *scratch,
							 point_list *out, bool *crossed);
/* A surface with a halo at the body's pose. */
placed_surface scree_surface_placed(const placed *p, real round);

#endif
