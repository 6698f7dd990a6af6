/* surfaces.h: contacts of any body with a surface that has a halo (docs/theory/halo.md). */
#ifndef SCREE_NARROW_SURFACES_H
#define SCREE_NARROW_SURFACES_H

#include "narrow/surface/surface.h"

/* The second one is a surface with a halo; the first one anything: a polyhedron and a compound have no halo. round: as
 * of scree_parts_points. Returns a lower bound of the distance where nothing touches. */
real scree_points_of_surface(const placed *a, const placed *b, real round_a, real round_b, surface_scratch *scratch,
							 point_list *out, bool *crossed);
/* A surface with a halo at its place. */
placed_surface scree_surface_placed(const placed *p, real round);

#endif
