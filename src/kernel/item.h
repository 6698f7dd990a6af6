/* item.h: functions that a host calls on a device (kernels), and the number of the item that a call computes. */
#ifndef SCREE_KERNEL_ITEM_H
#define SCREE_KERNEL_ITEM_H

#include "base/real.h"

#ifdef __OPENCL_C_VERSION__
#define SCREE_KERNEL	 __kernel
#define SCREE_KERNEL_128 __kernel
SCREE_FN int64_t item_number(void) { return (int64_t)get_global_id(0); }
#elif defined(__CUDACC__)
#define SCREE_KERNEL	 extern "C" __global__
#define SCREE_KERNEL_128 extern "C" __global__ __launch_bounds__(128, 4) /* at most 128 registers */
static __device__ inline int64_t item_number(void) { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }
#endif

#endif
