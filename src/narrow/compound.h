/* compound.h: contacts between bodies made of parts, found pair by pair (docs/theory/parts.md). */
#ifndef SCREE_NARROW_COMPOUND_H
#define SCREE_NARROW_COMPOUND_H

#include "narrow/narrow.h"
#include "narrow/surface/surface.h"

struct known_cuts;

/* Finds contacts between two bodies, each a polyhedron or a compound: one patch for each pair of parts, sorted by
 * feature. Returns 0 if anything touches, otherwise a lower bound on the distance. */
real scree_parts_patches(const narrow *by, struct known_cuts *cuts, const placed *a, const placed *b, patch_list *out);
/* Finds contacts between two bodies, at least one of which is a sphere or a clump: points for pairs of parts. round:
 * radii of spheres with the same volumes as the bodies, which laws use for polyhedra. reach: m; points closer than this
 * are also contacts, with a negative overlap. power: exponent of the overlap in the law's force, 1 or 1.5 */
real scree_parts_points(const placed *a, const placed *b, real round_a, real round_b, real reach, real power,
						point_list *out);
/* Returns part k of a body at its position; a ball's size is its diameter. */
int32_t scree_parts_of(const placed *p);
placed scree_part(const placed *p, int32_t k);

/* Finds contacts between any body a and a body b that is a surface with a halo. Polyhedra and compounds have no halo.
 * Returns a lower bound on the distance if the bodies do not touch. round: as for scree_parts_points */
real scree_points_of_surface(const placed *a, const placed *b, real round_a, real round_b, surface_scratch *scratch,
							 point_list *out, bool *crossed);
placed_surface scree_surface_placed(const placed *p, real round);

#endif
