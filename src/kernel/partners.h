/* partners.h: what a contact law knows of the two bodies, or of the body and the wall, that meet. Values in, values
 * out. on_wall: b is a wall, a constant to the compiler. */
#ifndef SCREE_KERNEL_PARTNERS_H
#define SCREE_KERNEL_PARTNERS_H

#include "base/real.h"

/* a and b of one contact */
typedef struct partners {
	vec3 v, wa, wb; /* velocity of a against b (centres; of a wall at the centre of a), angular velocities */
	vec3 apart;		/* from the centre of b (wall: from the place of the wall) to the centre of a */
	real ra, rb;	/* radii */
	real ma, mb;	/* 1 / masses; on a wall ma is the mass of a */
} partners;

SCREE_FN real reduced_radius(const partners *p, bool on_wall)
{
	return on_wall ? p->ra : p->ra * p->rb / (p->ra + p->rb);
}
SCREE_FN real reduced_mass(const partners *p, bool on_wall) { return on_wall ? p->ma : 1 / (p->ma + p->mb); }
/* an overlap over the diameter of the smaller one */
SCREE_FN real overlap_part(const partners *p, real depth) { return depth / (2 * real_min(p->ra, p->rb)); }

/* velocity of a against b at the point `at` from the centre of a */
SCREE_FN vec3 slip_velocity(const partners *p, vec3 at, bool on_wall)
{
	vec3 from_b = on_wall ? at : v3_add(at, p->apart); /* the wall's velocity was taken at the centre of a */
	return v3_add(p->v, v3_sub(v3_cross(p->wa, at), v3_cross(p->wb, from_b)));
}

/* Torque on b about its centre (of a wall: about its place): with the opposite force it keeps the sum about any point
 * zero. apart: from there to the centre of a */
SCREE_FN vec3 torque_on(vec3 force, vec3 torque, vec3 apart) { return v3_neg(v3_add(torque, v3_cross(apart, force))); }

#endif
