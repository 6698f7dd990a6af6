/* support.h: the support function of a smooth body; private to src/narrow/smooth. */
#ifndef SCREE_NARROW_SMOOTH_SUPPORT_H
#define SCREE_NARROW_SMOOTH_SUPPORT_H

#include "narrow/smooth/smooth.h"

typedef struct support {
	real reach;		 /* largest n.x of the body's points, from its centre */
	vec3 at;		 /* the point that has it */
	real tt, tu, uu; /* second derivatives along t and u */
} support;

/* n, t, u: perpendicular unit vectors */
support scree_smooth_support(const smooth *s, vec3 n, vec3 t, vec3 u);

/* The outward unit normal of a superquadric at a point, or at the point of the surface on the ray through it; in the
 * axes of the body. */
vec3 scree_smooth_normal(const smooth *s, vec3 p);

#endif
