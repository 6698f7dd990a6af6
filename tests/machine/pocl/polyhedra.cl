/* polyhedra.cl: the four steps of a pair of polyhedra (src/kernel/overlap_pair.h), one pair per item; OpenCL C and
 * CUDA */
#include "kernel/item.h"
#include "kernel/overlap_pair.h"

SCREE_KERNEL void regions(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
						  SCREE_GLOBAL overlap_frame *frame, SCREE_GLOBAL overlap_parts *room,
						  SCREE_GLOBAL cut_solid *solid, SCREE_GLOBAL int32_t *outcome)
{
	const int64_t i = item_number();
#ifdef SCREE_LARGE_SOLIDS
	SCREE_GLOBAL overlap_parts *own = room + i;
#else
	overlap_parts memory, *own = &memory;
	(void)room;
#endif
	const convex_pose a = body[2 * i], b = body[2 * i + 1];
	frame[i] = overlap_frame_of(&a, &b, shapes);
	outcome[i] = overlap_solid_of(frame + i, shapes, own, solid + i);
}

SCREE_KERNEL_128 void forms(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
							SCREE_GLOBAL const int32_t *outcome, SCREE_GLOBAL cut_solid *solid)
{
	const int64_t i = item_number();
	if (outcome[i] != OVERLAP_FOUND) return;
	const convex_pair c = convex_pair_of(body + 2 * i, body + 2 * i + 1, shapes);
	overlap_solid_by_form(&c, solid + i);
}

SCREE_KERNEL_128 void sums(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const overlap_frame *frame,
					   SCREE_GLOBAL const cut_solid *solid, SCREE_GLOBAL const int32_t *outcome,
					   SCREE_GLOBAL overlap_sums *sum)
{
	const int64_t i = item_number();
	if (outcome[i] == OVERLAP_FOUND) overlap_sums_of(frame + i, shapes, solid + i, sum + i);
}

SCREE_KERNEL void effects(SCREE_GLOBAL const overlap_frame *frame, SCREE_GLOBAL const overlap_sums *sum,
						  SCREE_GLOBAL int32_t *outcome, SCREE_GLOBAL overlap_contact *contact)
{
	const int64_t i = item_number();
	if (outcome[i] != OVERLAP_FOUND) return;
	if (!overlap_contact_of(&sum[i].region, overlap_otherwise(frame + i), contact + i)) outcome[i] = OVERLAP_NONE;
}
