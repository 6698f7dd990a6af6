/* triple.h: three numbers that a processor computes at once, in the lanes of a vector. Devices, and processors whose
 * vectors have only two lanes, have a vec3 instead. All operations act on components in the same order, so that results
 * have the same bits on all of them. */
#ifndef SCREE_KERNEL_TRIPLE_H
#define SCREE_KERNEL_TRIPLE_H

#include "base/real.h"

#if defined(__AVX2__) && !defined(__OPENCL_C_VERSION__) && !defined(__CUDACC__)
#define SCREE_TRIPLE_LANES
#endif

#ifndef SCREE_TRIPLE_LANES
typedef vec3 triple;
SCREE_FN triple triple_of(vec3 a) { return a; }
SCREE_FN vec3 triple_vector(triple a) { return a; }
SCREE_FN triple triple_add(triple a, triple b) { return v3_add(a, b); }
SCREE_FN triple triple_sub(triple a, triple b) { return v3_sub(a, b); }
SCREE_FN triple triple_mul(triple a, triple b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
SCREE_FN triple triple_times(real s, triple a) { return v3_mul(s, a); }
SCREE_FN triple triple_next(triple a) { return v3(a.y, a.z, a.x); }
#else
typedef real triple __attribute__((vector_size(4 * sizeof(real)), aligned(2 * sizeof(real)))); /* the fourth is 0 */
SCREE_FN triple triple_of(vec3 a)
{
	triple t = {a.x, a.y, a.z, 0};
	return t;
}
SCREE_FN vec3 triple_vector(triple a) { return v3(a[0], a[1], a[2]); }
SCREE_FN triple triple_add(triple a, triple b) { return a + b; }
SCREE_FN triple triple_sub(triple a, triple b) { return a - b; }
SCREE_FN triple triple_mul(triple a, triple b) { return a * b; }
SCREE_FN triple triple_times(real s, triple a) { return s * a; }
/* y, z, x */
SCREE_FN triple triple_next(triple a)
{
	triple t = {a[1], a[2], a[0], a[3]};
	return t;
}
#endif

SCREE_FN triple triple_zero(void) { return triple_of(v3(0, 0, 0)); }
/* a + b * c */
SCREE_FN triple triple_with(triple a, triple b, triple c) { return triple_add(a, triple_mul(b, c)); }
SCREE_FN triple triple_madd(triple a, real s, triple b) { return triple_add(a, triple_times(s, b)); }
SCREE_FN real triple_sum(triple a)
{
	const vec3 v = triple_vector(a);
	return v.x + v.y + v.z;
}
SCREE_FN real triple_dot(triple a, triple b) { return triple_sum(triple_mul(a, b)); }

#endif
