/* patches.cl: the steps of a pair of polyhedra by depth (src/kernel/depth_pair.h), one pair per item; OpenCL C and
 * CUDA */
#include "kernel/depth_pair.h"
#include "kernel/item.h"

SCREE_KERNEL_128 void face_axes(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								SCREE_GLOBAL depth_axes *axes, SCREE_GLOBAL int32_t *outcome)
{
	const int64_t i = item_number();
	const convex_pair c = convex_pair_of(body + 2 * i, body + 2 * i + 1, shapes);
	outcome[i] = depth_faces(&c, axes + i);
}

SCREE_KERNEL_128 void edge_axes(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								SCREE_GLOBAL depth_axes *axes, SCREE_GLOBAL int32_t *outcome)
{
	const int64_t i = item_number();
	if (outcome[i] != DEPTH_FOUND) return;
	const convex_pair c = convex_pair_of(body + 2 * i, body + 2 * i + 1, shapes);
	outcome[i] = depth_edges(&c, axes + i);
}

SCREE_KERNEL_128 void references(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								 SCREE_GLOBAL depth_axes *axes, SCREE_GLOBAL const int32_t *outcome,
								 SCREE_GLOBAL face_stage *stage)
{
	const int64_t i = item_number();
	if (outcome[i] != DEPTH_FOUND) return;
	const convex_pair c = convex_pair_of(body + 2 * i, body + 2 * i + 1, shapes);
	depth_reference(&c, axes + i, stage + i);
}

SCREE_KERNEL_128 void patches(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
							  SCREE_GLOBAL depth_axes *axes, SCREE_GLOBAL int32_t *outcome,
							  SCREE_GLOBAL const face_stage *stage, SCREE_GLOBAL depth_room *room,
							  SCREE_GLOBAL convex_pressure *on, SCREE_GLOBAL convex_points *contact)
{
	const int64_t i = item_number();
	if (outcome[i] != DEPTH_FOUND) return;
#ifdef SCREE_LARGE_SOLIDS
	SCREE_GLOBAL depth_room *own = room + i;
#else
	depth_room memory, *own = &memory;
	(void)room;
#endif
	const int32_t of_b = stage[i].of_b;
	outcome[i] = depth_patch(stage + i, shapes + body[2 * i + of_b].shape, shapes + body[2 * i + !of_b].shape, axes + i,
							 own, on + i, contact + i);
}

SCREE_KERNEL_128 void arms(SCREE_GLOBAL const depth_axes *axes, SCREE_GLOBAL const int32_t *outcome,
						   SCREE_GLOBAL const convex_pressure *on, SCREE_GLOBAL convex_points *contact)
{
	const int64_t i = item_number();
	if (outcome[i] == DEPTH_FOUND) depth_arm(axes + i, on + i, contact + i);
}

SCREE_KERNEL_128 void contacts(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
							   SCREE_GLOBAL const depth_axes *axes, SCREE_GLOBAL const int32_t *outcome,
							   SCREE_GLOBAL convex_points *contact)
{
	const int64_t i = item_number();
	if (outcome[i] != DEPTH_FOUND) return;
	const convex_pair c = convex_pair_of(body + 2 * i, body + 2 * i + 1, shapes);
	depth_complete(&c, axes + i, contact + i);
}
