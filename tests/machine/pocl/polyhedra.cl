/* polyhedra.cl: the three steps of a pair of polyhedra (src/kernel/overlap_pair.h), one pair per item */
#include "kernel/overlap_pair.h"

__kernel void regions(__global const convex_rows *shapes, __global const convex_pose *body, __global overlap_frame *frame,
					  __global cut_solid *solid, __global int *outcome)
{
	size_t i = get_global_id(0);
	convex_pose a = body[2 * i], b = body[2 * i + 1];
	frame[i] = overlap_frame_of(&a, &b, shapes);
	outcome[i] = overlap_solid_of(frame + i, shapes, solid + i);
}

__kernel void sums(__global const convex_rows *shapes, __global const overlap_frame *frame, __global const cut_solid *solid,
				   __global const int *outcome, __global overlap_sums *sum)
{
	size_t i = get_global_id(0);
	if (outcome[i] == OVERLAP_FOUND) overlap_sums_of(frame + i, shapes, solid + i, sum + i);
}

__kernel void effects(__global const overlap_frame *frame, __global const overlap_sums *sum, __global int *outcome,
					  __global overlap_contact *contact)
{
	size_t i = get_global_id(0);
	if (outcome[i] != OVERLAP_FOUND) return;
	overlap_contact c;
	if (!overlap_contact_of(&sum[i].region, overlap_otherwise(frame + i), &c)) outcome[i] = OVERLAP_NONE;
	contact[i] = c;
}
