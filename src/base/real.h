/* real.h: the number type, the vector types and the macros that kernels (src/kernel) need, in C, C++, CUDA or OpenCL C.
 *
 * Only + - * / sqrt, comparison and ?: may be applied to reals that affect the state of a simulation
 * (docs/architecture.md, "The same bits"); other functions are in base/maths.h. */
#ifndef SCREE_BASE_REAL_H
#define SCREE_BASE_REAL_H

#ifdef __OPENCL_C_VERSION__ /* OpenCL C has no libc headers; bool and sqrt are built in */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
typedef char int8_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define INT64_MAX	   LONG_MAX
#define SCREE_FN	   static inline __attribute__((always_inline, unused))
#define SCREE_CONSTANT __constant
#define SCREE_GLOBAL   __global /* qualifies pointers to device memory that kernels receive */
#else
#define SCREE_GLOBAL
#ifdef __CUDACC_RTC__ /* CUDA at run time (NVRTC) also has no libc headers; memcpy is built in, too */
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
#define INFINITY  __longlong_as_double(0x7ff0000000000000ll)
#define INT64_MAX 0x7fffffffffffffffl
#else
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#endif
#ifdef __CUDACC__
#define SCREE_FN static __host__ __device__ inline __attribute__((always_inline, unused))
#else
#define SCREE_FN static inline __attribute__((always_inline, unused))
#endif
#define SCREE_CONSTANT static const /* a constant outside functions */
#endif

/* before a loop that the compiler must not unroll for a device, since an unrolled loop would need too many registers */
#if defined(__OPENCL_C_VERSION__) || defined(__CUDA_ARCH__)
#define SCREE_ROLLED _Pragma("unroll 1")
#else
#define SCREE_ROLLED
#endif

#define SCREE_UNUSED __attribute__((unused)) /* for a parameter that a function must have, but does not use */

typedef double real;
typedef struct vec3 {
	real x, y, z;
} vec3;
typedef struct quat {
	real w, x, y, z;
} quat;
typedef struct mat3 {
	vec3 x, y, z;
} mat3; /* columns: the images of the three axes */

SCREE_FN uint64_t bits_of(real x)
{
#ifdef __OPENCL_C_VERSION__
	return as_ulong(x);
#else
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
#endif
}

#define SCREE_PI 3.14159265358979323846

SCREE_FN vec3 v3(real x, real y, real z)
{
	vec3 v = {x, y, z};
	return v;
}
SCREE_FN vec3 v3_add(vec3 a, vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
SCREE_FN vec3 v3_sub(vec3 a, vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
SCREE_FN vec3 v3_mul(real s, vec3 a) { return v3(s * a.x, s * a.y, s * a.z); }
SCREE_FN vec3 v3_neg(vec3 a) { return v3(-a.x, -a.y, -a.z); }
SCREE_FN real v3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SCREE_FN vec3 v3_cross(vec3 a, vec3 b)
{
	return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
SCREE_FN real v3_norm2(vec3 a) { return v3_dot(a, a); }
SCREE_FN real v3_norm(vec3 a) { return sqrt(v3_dot(a, a)); }
SCREE_FN vec3 v3_madd(vec3 a, real s, vec3 b) { return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }
/* unit vector along a; a itself if it is zero */
SCREE_FN vec3 v3_unit(vec3 a)
{
	real n = v3_norm(a);
	return n > 0 ? v3_mul(1 / n, a) : a;
}
/* a unit vector perpendicular to the unit vector n, always the same for the same n */
SCREE_FN vec3 v3_across(vec3 n)
{
	vec3 e = n.x * n.x < (real)0.5 ? v3(1, 0, 0) : v3(0, 1, 0);
	return v3_unit(v3_cross(n, e));
}

SCREE_FN real real_min(real a, real b) { return a < b ? a : b; }
SCREE_FN real real_max(real a, real b) { return a > b ? a : b; }
SCREE_FN real real_abs(real a) { return a < 0 ? -a : a; }
SCREE_FN real real_floor(real x)
{
	if (!(x > -4503599627370496.0 && x < 4503599627370496.0)) return x; /* already an integer, infinite or NaN */
	const real whole = (real)(int64_t)x;
	return whole > x ? whole - 1 : whole;
}
SCREE_FN real real_clamp(real a, real low, real high) { return a < low ? low : a > high ? high : a; }

SCREE_FN vec3 v3_min(vec3 a, vec3 b) { return v3(real_min(a.x, b.x), real_min(a.y, b.y), real_min(a.z, b.z)); }
SCREE_FN vec3 v3_max(vec3 a, vec3 b) { return v3(real_max(a.x, b.x), real_max(a.y, b.y), real_max(a.z, b.z)); }
/* extends the box from low to high so that it contains a point */
SCREE_FN void v3_widen(vec3 *low, vec3 *high, vec3 p) { *low = v3_min(*low, p), *high = v3_max(*high, p); }
SCREE_FN real v3_greatest(vec3 v) { return real_max(v.x, real_max(v.y, v.z)); }
SCREE_FN bool v3_boxes_meet(vec3 low, vec3 high, vec3 low2, vec3 high2)
{
	return low.x <= high2.x && low2.x <= high.x && low.y <= high2.y && low2.y <= high.y && low.z <= high2.z &&
		   low2.z <= high.z;
}
/* tests that no component exceeds this value and that none is NaN */
SCREE_FN bool v3_within(vec3 v, real most)
{
	return real_abs(v.x) <= most && real_abs(v.y) <= most && real_abs(v.z) <= most;
}
SCREE_FN bool v3_equal(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
SCREE_FN real v3_part(vec3 v, int32_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
SCREE_FN real *v3_along(vec3 *v, int32_t axis) { return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z; }

SCREE_FN vec3 mat3_mul(mat3 m, vec3 v)
{
	return v3(m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
			  m.x.z * v.x + m.y.z * v.y + m.z.z * v.z);
}
/* transpose(m) v; for a rotation, the inverse */
SCREE_FN vec3 mat3_tmul(mat3 m, vec3 v) { return v3(v3_dot(m.x, v), v3_dot(m.y, v), v3_dot(m.z, v)); }

/* In sanitized builds, the compiler must inline only the small functions above: loops need not be fast there, and they
 * compile in a tenth of the time if the compiler chooses what to inline. */
#ifdef SCREE_SANITIZED
#undef SCREE_FN
#define SCREE_FN static inline __attribute__((unused))
#endif

#endif
