/* sphere_contact.h: the contact point of two spheres. Computing it is cheap, so it is not stored. */
#ifndef SCREE_KERNEL_SPHERE_CONTACT_H
#define SCREE_KERNEL_SPHERE_CONTACT_H

#include "base/real.h"

typedef struct sphere_contact {
	vec3 normal; /* from b to a */
	vec3 at;	 /* position relative to the centre of a, midway between the two surfaces */
	real depth;	 /* > 0: they touch */
} sphere_contact;

/* Overlap of two spheres whose centres are sqrt(distance2) apart; radii: sum of both radii */
SCREE_FN real sphere_overlap(real distance2, real radii) { return radii - sqrt(distance2); }

/* apart: vector from the centre of b to the centre of a */
SCREE_FN sphere_contact sphere_contact_of(vec3 apart, real radius_a, real radius_b)
{
	sphere_contact c;
	real distance = sqrt(v3_norm2(apart));
	bool distinct = distance > 0;
	real inverse = 1 / (distinct ? distance : 1);
	/* spheres with the same centre have an arbitrary normal */
	c.normal = v3(apart.x * inverse, apart.y * inverse, distinct ? apart.z * inverse : 1);
	c.depth = radius_a + radius_b - distance;
	c.at = v3_mul(-(radius_a - c.depth / 2), c.normal);
	return c;
}

#endif
