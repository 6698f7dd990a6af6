/* elastic.h: instantaneous collision of two smooth balls (docs/theory/impulses.md). */
#ifndef SCREE_KERNEL_ELASTIC_H
#define SCREE_KERNEL_ELASTIC_H

#include "base/real.h"

typedef struct elastic_hit {
	vec3 impulse; /* N s, on a; the opposite on b */
	real lost;	  /* J: loss of kinetic energy, in any frame */
} elastic_hit;

/* Vector from b to a. If the centres coincide it is along x, an axis that worlds in the plane have, too, upwards or
 * downwards. */
SCREE_FN vec3 elastic_apart(vec3 apart, real radii, bool up)
{
	const real one_point =
		/* bound on the squared distance relative to the squared sum of radii: below it the direction would be rounding
		 * error */
		(real)1e-24;
	return v3_norm2(apart) > one_point * radii * radii ? apart : v3(up ? radii : -radii, 0, 0);
}

/* Collision of two balls: J = (1 + e) s / (apart^2 soft) with s = apart . closing, and the impulse is J apart. The
 * impulse is zero if the balls separate or keep their distance. Velocities across the line of centres do not change.
 * apart: from b to a; closing: velocity of b less that of a; soft: 1/mass of a + 1/mass of b */
SCREE_FN elastic_hit elastic_collide(vec3 apart, vec3 closing, real soft, real restitution)
{
	elastic_hit h = {{0, 0, 0}, 0};
	real s = v3_dot(apart, closing);
	if (!(s > 0) || !(soft > 0)) return h;
	real part = s / v3_norm2(apart) / soft;
	h.impulse = v3_mul((1 + restitution) * part, apart);
	h.lost = (1 - restitution * restitution) / 2 * part * s;
	return h;
}

#endif
