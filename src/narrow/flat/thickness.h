/* thickness.h: contact energy from the thickness of an overlap in the plane (docs/theory/overlap.md); private to
 * src/narrow and its tests. */
#ifndef SCREE_NARROW_FLAT_THICKNESS_H
#define SCREE_NARROW_FLAT_THICKNESS_H

#include "kernel/xy.h"
#include "narrow/polygon/overlap.h"

enum { FLAT_MONOMIALS = 10 }; /* number of monomials of x and y up to the third degree, in the order of thickness.c */

/* Sums over the border of an overlap, counter-clockwise, in axes in which it is thin along y. Over the region: the
 * integrals of 1, x, y, xx, xy, yy. Along the second body's border: those of the normal's components times the
 * monomials. */
typedef struct flat_sums {
	xy from, along; /* origin, and direction of the y axis */
	real inner[6], border[2][FLAT_MONOMIALS];
} flat_sums;

/* Starts the sums. from: a point of the overlap at its lower end along the unit vector `along` */
flat_sums scree_flat_sums_start(xy from, xy along);
void scree_flat_sums_ring(flat_sums *s, const flat_ring *r);

/* Effect of an energy on a body: u = U/(E* l), m^2; force and torque over E* l; a point in the middle of the contact,
 * weighted by u. Sums over all regions. */
typedef struct flat_energy {
	real u;
	xy push;
	real moment; /* torque about the origin */
	xy wide;	 /* along the contact, root mean square distance in the region added last */
	xy middle;	 /* middle of the contact times u */
} flat_energy;

/* Adds the energy of an overlap; false if it has no area. */
bool scree_flat_energy_add(flat_energy *e, const flat_sums *s);
/* Writes a patch of three points, which share the force, in axes rotated by `turn`. Weight w and overlap d satisfy u =
 * w d^2/2 and |push| = w d. least: a force up to this counts as zero */
void scree_flat_energy_patch(const flat_energy *e, mat3 turn, xy otherwise, real least, patch *out);

/* Converts a patch by depth of a round body, or of one at a round obstacle, to one with the stiffness of a disc. */
SCREE_FN void flat_stiff_as_disc(patch *out)
{
	for (int32_t k = 0; k < out->points; ++k) out->weight[k] = SCREE_PI / 4;
}

/* For laws on thickness, of polygons; arguments are those of the functions in narrow.h and round.h. */
void scree_flat_thickness_polygons(const placed *a, const placed *b, int32_t hint, patch *out);
void scree_flat_thickness_polygon_line(const placed *body, vec3 point, vec3 normal, patch *out);
void scree_flat_thickness_polygon_circle(const placed *body, vec3 centre, real radius, bool inside, patch *out);

#endif
