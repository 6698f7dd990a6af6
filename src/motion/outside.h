/* outside.h: whether any body has left the domain. */
#ifndef SCREE_MOTION_OUTSIDE_H
#define SCREE_MOTION_OUTSIDE_H

#include "world/world.h"

SCREE_FN bool scree_any_outside(const bodies *b, int64_t from, int64_t to, const guards *g)
{
	int out = 0;
#pragma omp simd reduction(+ : out)
	for (int64_t i = from; i < to; ++i) {
		bool in = b->x[i] >= g->low.x && b->x[i] <= g->high.x && b->y[i] >= g->low.y && b->y[i] <= g->high.y &&
				  b->z[i] >= g->low.z && b->z[i] <= g->high.z;
		out += in ? 0 : 1;
	}
	return out > 0;
}

#endif
