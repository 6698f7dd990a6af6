/* clump.h: mass properties of rigid bodies made of overlapping spheres (docs/theory/shapes.md, "Clumps"). */
#ifndef SCREE_SHAPE_CLUMP_CLUMP_H
#define SCREE_SHAPE_CLUMP_CLUMP_H

#include "base/fail.h"
#include "base/real.h"

enum { CLUMP_MOST = 4096 }; /* largest number of spheres in a clump */

/* mass properties of a solid of density 1 */
typedef struct solid_mass {
	real volume;
	vec3 centre;	/* centroid */
	real second[6]; /* integral of (x - centre)(x - centre)^T: xx, yy, zz, xy, xz, yz */
} solid_mass;

/* Computes the mass properties of the union of the balls, in which overlaps count once. The result is exact apart from
 * rounding. Refuses, with a message, an empty clump or more than CLUMP_MOST spheres, a radius that is not positive,
 * numbers that are not finite, and a sphere inside another. A clump may consist of separate pieces. */
bool scree_clump_mass(const char *name, int32_t count, const vec3 *centre, const real *radius, solid_mass *out,
					  fail *why);
/* Like scree_clump_mass, but overlaps count once for each ball that covers them, as in many other codes. */
bool scree_clump_mass_added(const char *name, int32_t count, const vec3 *centre, const real *radius, solid_mass *out,
							fail *why);

#endif
