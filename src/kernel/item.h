/* item.h: functions that a host calls on a device (kernels), the number of the item that a call computes, functions
 * that kernels call, and atomic operations, which return the number before. Only kernels include this header. */
#ifndef SCREE_KERNEL_ITEM_H
#define SCREE_KERNEL_ITEM_H

#include "base/real.h"

/* for a large function that a device calls, since its registers would not suffice for a kernel that contains it */
#if defined(__OPENCL_C_VERSION__)
#define SCREE_FN_APART static __attribute__((noinline, unused))
#elif defined(__CUDACC__)
#define SCREE_FN_APART static __host__ __device__ __attribute__((noinline, unused))
#else
#define SCREE_FN_APART static inline __attribute__((unused))
#endif

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define SCREE_KERNEL	 __kernel
#define SCREE_KERNEL_128 __kernel
#define SCREE_ITEM_FN	 SCREE_FN /* for a function that uses atomic operations */
SCREE_FN int64_t item_number(void) { return (int64_t)get_global_id(0); }
SCREE_FN uint64_t atomic_plus(SCREE_GLOBAL uint64_t *to, uint64_t x) { return atom_add(to, x); }
SCREE_FN uint64_t atomic_swap(SCREE_GLOBAL uint64_t *to, uint64_t if_it_is, uint64_t x)
{
	return atom_cmpxchg(to, if_it_is, x);
}
#elif defined(__CUDACC__)
#define SCREE_KERNEL	 extern "C" __global__
#define SCREE_KERNEL_128 extern "C" __global__ __launch_bounds__(128, 4) /* at most 128 registers */
#define SCREE_ITEM_FN	 static __device__ inline
static __device__ inline int64_t item_number(void) { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ inline uint64_t atomic_plus(uint64_t *to, uint64_t x)
{
	return atomicAdd((unsigned long long *)to, (unsigned long long)x);
}
static __device__ inline uint64_t atomic_swap(uint64_t *to, uint64_t if_it_is, uint64_t x)
{
	return atomicCAS((unsigned long long *)to, (unsigned long long)if_it_is, (unsigned long long)x);
}
#endif

#endif
