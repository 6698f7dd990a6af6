/* polyhedra.cl: one pair of polyhedra per item */
#include "kernel/overlap_pair.h"

#include "polyhedra.h"

__kernel void pairs(__global const convex_rows *shapes, __global const convex_pose *body, __global pair_result *out)
{
	size_t i = get_global_id(0);
	convex_pose a = body[2 * i], b = body[2 * i + 1];
	out[i] = pair_result_of(&a, &b, shapes);
}
