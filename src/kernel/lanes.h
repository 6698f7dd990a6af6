/* lanes.h: four sums side by side, one per point of a triangle or per component of a normal, so that the order of
 * additions is the same for any vector width. + and * work on lanes, and on a real and lanes. */
#ifndef SCREE_KERNEL_LANES_H
#define SCREE_KERNEL_LANES_H

#include "base/real.h"

#ifdef __OPENCL_C_VERSION__
typedef double4 lanes;
#elif defined(__CUDACC__) /* it has no vector types with operators */
typedef struct lanes {
	real x, y, z, w;
} lanes;
#else
#pragma GCC diagnostic ignored "-Wpsabi" /* lanes are passed between inline functions only */
typedef real lanes __attribute__((vector_size(4 * sizeof(real)), aligned(2 * sizeof(real))));
#endif

SCREE_FN lanes lanes_of(real x, real y, real z, real w)
{
#ifdef __OPENCL_C_VERSION__
	return (lanes)(x, y, z, w);
#else
	lanes l = {x, y, z, w};
	return l;
#endif
}

#ifdef __CUDACC__
SCREE_FN lanes operator+(lanes a, lanes b) { return lanes_of(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
SCREE_FN lanes operator*(lanes a, lanes b) { return lanes_of(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
SCREE_FN lanes operator*(real s, lanes a) { return lanes_of(s * a.x, s * a.y, s * a.z, s * a.w); }
SCREE_FN lanes &operator+=(lanes &a, lanes b) { return a = a + b; }
#endif

#if defined(__OPENCL_C_VERSION__) || defined(__CUDACC__)
SCREE_FN real lanes_sum(const lanes *l) { return (l->x + l->y) + (l->z + l->w); }
SCREE_FN vec3 lanes_vector(const lanes *l) { return v3(l->x, l->y, l->z); }
#else
SCREE_FN real lanes_sum(const lanes *l)
{
	lanes a = *l;
	return (a[0] + a[1]) + (a[2] + a[3]);
}
SCREE_FN vec3 lanes_vector(const lanes *l)
{
	lanes a = *l;
	return v3(a[0], a[1], a[2]);
}
#endif

#endif
