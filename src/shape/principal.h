/* principal.h: principal axes and moments of inertia from second moments. */
#ifndef SCREE_SHAPE_PRINCIPAL_H
#define SCREE_SHAPE_PRINCIPAL_H

#include "base/real.h"

/* Symmetric 3x3: xx yy zz xy xz yz. */
typedef struct sym3 {
	real m[6];
} sym3;

/* Rotation from the principal frame to the frame of the second moments. Second moments and inertia have the same
 * axes. */
quat scree_principal_frame(sym3 s);
/* Makes moments equal that differ by rounding alone, so that regular solids rotate like a ball. */
vec3 scree_even_out(vec3 inertia);

#endif
