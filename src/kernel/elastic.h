/* elastic.h: two smooth balls collide in no time (docs/theory/impulses.md). */
#ifndef SCREE_KERNEL_ELASTIC_H
#define SCREE_KERNEL_ELASTIC_H

#include "base/real.h"

typedef struct elastic_hit {
	vec3 impulse; /* N s: on a; the opposite one on b */
	real lost;	  /* J: kinetic energy that is gone in the frame of either of the two */
} elastic_hit;

/* From b to a. Centres on one point have no direction: the one with the lower id is sent along x, which lies in the
 * plane of flat worlds, too. */
SCREE_FN vec3 elastic_apart(vec3 apart, real radii)
{
	const real one_point =
		(real)1e-24; /* of the square of the radii: so near, rounding alone would give the direction */
	return v3_norm2(apart) > one_point * radii * radii ? apart : v3(radii, 0, 0);
}

/* apart: from b to a; closing: velocity of b less that of a; soft: 1/mass of a + 1/mass of b. Zero where they separate
 * or keep their distance. J = (1 + e) s / (apart^2 soft) with s = apart . closing, and the impulse is J apart: what
 * lies across the line of centres does not change. */
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
