/* partners.h: data of the two bodies, or of the body and the wall, of a contact, for contact laws. Values in, values
 * out. on_wall: b is a wall; a constant to the compiler. */
#ifndef SCREE_KERNEL_PARTNERS_H
#define SCREE_KERNEL_PARTNERS_H

#include "base/real.h"

/* The bodies a and b of one contact; b may be a wall. */
typedef struct partners {
	/* velocity of a relative to b (of the centres; on a wall: at the centre of a), and angular velocities */
	vec3 v, wa, wb;
	vec3 apart;	 /* from the centre of b (wall: from the wall's position) to the centre of a */
	real ra, rb; /* radii */
	real ma, mb; /* 1 / masses; on a wall, ma is the mass of a */
} partners;

SCREE_FN real reduced_radius(const partners *p, bool on_wall)
{
	return on_wall ? p->ra : p->ra * p->rb / (p->ra + p->rb);
}
SCREE_FN real reduced_mass(const partners *p, bool on_wall) { return on_wall ? p->ma : 1 / (p->ma + p->mb); }
/* Overlap over the diameter of the smaller body. */
SCREE_FN real overlap_part(const partners *p, real depth) { return depth / (2 * real_min(p->ra, p->rb)); }

/* Velocity of a relative to b at the point `at` from the centre of a. */
SCREE_FN vec3 slip_velocity(const partners *p, vec3 at, bool on_wall)
{
	vec3 from_b = on_wall ? at : v3_add(at, p->apart); /* on a wall the stored velocity is that at the centre of a */
	return v3_add(p->v, v3_sub(v3_cross(p->wa, at), v3_cross(p->wb, from_b)));
}

/* Torque on b about its centre (for a wall: about its position). With the opposite force, the sum about any point is
 * zero. apart: from the centre of b (or the wall's position) to the centre of a */
SCREE_FN vec3 torque_on(vec3 force, vec3 torque, vec3 apart) { return v3_neg(v3_add(torque, v3_cross(apart, force))); }

#endif
