/* polyhedra.h: the result of a pair, on the host and on the device (polyhedra.c) */
#ifndef SCREE_TESTS_POCL_POLYHEDRA_H
#define SCREE_TESTS_POCL_POLYHEDRA_H

#include "kernel/overlap_pair.h"

typedef struct pair_result {
	int64_t outcome, flat; /* overlap_outcome */
	real depth, weight, pitch, arm;
	vec3 normal, hold, point[5]; /* in the frame of a */
} pair_result;

SCREE_FN pair_result pair_result_of(const convex_pose *a, const convex_pose *b, SCREE_GLOBAL const convex_rows *shapes)
{
	pair_result r;
	overlap_contact c;
	r.outcome = overlap_pair(a, b, shapes, &c);
	r.flat = 0;
	r.depth = r.weight = r.pitch = r.arm = 0;
	r.normal = r.hold = r.point[0] = r.point[1] = r.point[2] = r.point[3] = r.point[4] = v3(0, 0, 0);
	if (r.outcome != OVERLAP_FOUND) return r;
	r.flat = c.flat ? 1 : 0;
	r.depth = c.depth;
	r.weight = c.weight;
	r.pitch = c.pitch;
	r.arm = c.arm;
	r.normal = c.normal;
	r.hold = c.hold;
	overlap_spread_points(&c, r.point);
	return r;
}

#endif
