/* fours.h: sums kept in four lanes, for example one per point of a triangle, so that the order of additions is the same
 * for any vector width. A processor adds to all lanes at once. A thread of a device would have too few registers, so it
 * processes one lane per pass, in LANE_PASSES passes. + and * accept two values of this type, or a real and one of
 * them. */
#ifndef SCREE_KERNEL_FOURS_H
#define SCREE_KERNEL_FOURS_H

#include "base/real.h"

#if defined(__OPENCL_C_VERSION__) || defined(__CUDACC__)
enum { LANE_PASSES = 4 };
typedef real fours;
typedef vec3 fours3;
#else
enum { LANE_PASSES = 1 };
#pragma GCC diagnostic ignored "-Wpsabi" /* lanes are passed only between inline functions */
typedef real fours __attribute__((vector_size(4 * sizeof(real)), aligned(2 * sizeof(real))));
typedef fours fours3; /* the components of a vector */
#endif

/* The lanes of a pass, from the values of all four lanes. */
SCREE_FN fours fours_of(int32_t pass, real x, real y, real z, real w)
{
#if defined(__OPENCL_C_VERSION__) || defined(__CUDACC__)
	return pass == 0 ? x : pass == 1 ? y : pass == 2 ? z : w;
#else
	(void)pass;
	fours l = {x, y, z, w};
	return l;
#endif
}

/* The sum of the four lanes. stride: distance between the lanes of successive passes */
SCREE_FN real fours_sum(SCREE_GLOBAL const fours *l, int32_t stride)
{
#if defined(__OPENCL_C_VERSION__) || defined(__CUDACC__)
	return (l[0] + l[stride]) + (l[2 * stride] + l[3 * stride]);
#else
	(void)stride;
	fours a = *l;
	return (a[0] + a[1]) + (a[2] + a[3]);
#endif
}

SCREE_FN fours3 fours3_madd(fours3 a, real s, vec3 n)
{
#if defined(__OPENCL_C_VERSION__) || defined(__CUDACC__)
	return v3_madd(a, s, n);
#else
	return a + s * fours_of(0, n.x, n.y, n.z, 0);
#endif
}
SCREE_FN vec3 fours3_vector(fours3 a)
{
#if defined(__OPENCL_C_VERSION__) || defined(__CUDACC__)
	return a;
#else
	return v3(a[0], a[1], a[2]);
#endif
}

#endif
