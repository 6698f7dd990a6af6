/* clump.h: rigid bodies of overlapping spheres: mass properties. docs/theory/shapes.md, "Clumps". */
#ifndef SCREE_SHAPE_CLUMP_CLUMP_H
#define SCREE_SHAPE_CLUMP_CLUMP_H

#include "base/fail.h"
#include "base/real.h"

enum { CLUMP_MOST = 4096 }; /* spheres of one clump */

/* of a solid of density 1 */
typedef struct solid_mass {
	real volume;
	vec3 centre;	/* centroid */
	real second[6]; /* integral of (x - centre)(x - centre)^T: xx, yy, zz, xy, xz, yz */
} solid_mass;

/* Of the union of the balls: what lies in several of them counts once. Exact but for rounding. Refused, with a
 * sentence: no sphere or more than CLUMP_MOST, a radius that is not above 0, numbers that are not finite, a sphere that
 * lies inside of another one. Separate pieces are one body all the same. */
bool scree_clump_mass(const char *name, int32_t count, const vec3 *centre, const real *radius, solid_mass *out,
					  fail *why);
/* The sum of the balls: what lies in several of them counts as often, as in many codes. Refused as above. */
bool scree_clump_mass_added(const char *name, int32_t count, const vec3 *centre, const real *radius, solid_mass *out,
							fail *why);

#endif
