/* principal.h: moments of bodies, and their principal axes and moments of inertia. */
#ifndef SCREE_SHAPE_PRINCIPAL_H
#define SCREE_SHAPE_PRINCIPAL_H

#include "base/real.h"

/* Symmetric 3x3 matrix: xx yy zz xy xz yz. */
typedef struct sym3 {
	real m[6];
} sym3;

/* Integrals over a body. */
typedef struct moments {
	real volume;
	vec3 first;	 /* of x */
	sym3 second; /* of x_i x_j */
} moments;

/* Adds the tetrahedron between the origin and a triangle (Tonon 2004; docs/theory/shapes.md). */
void scree_add_tetrahedron(moments *to, vec3 u, vec3 v, vec3 w);
/* Returns the rotation from the principal frame, of second moments and of inertia, to the frame of `s`. */
quat scree_principal_frame(sym3 s);
/* Moments that differ only by rounding are made equal, so that regular solids rotate like balls. */
vec3 scree_inertia_of(sym3 second);

#endif
