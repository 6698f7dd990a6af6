/* flow_count.h: bodies that have passed through a plane (model/flow_planes.h) since the start of a run. In a divided
 * world each part has its share. */
#ifndef SCREE_STATE_FLOW_COUNT_H
#define SCREE_STATE_FLOW_COUNT_H

#include "base/fixed.h"

typedef struct flow_count {
	int64_t count[2]; /* along the normal, against it */
	fixed mass[2];	  /* kg */
} flow_count;

/* The numbers of a count as sums, to be added over the parts of a world, and back. */
enum { FLOW_SUMS = 4 };
SCREE_FN void flow_to_sums(const flow_count *f, fixed to[FLOW_SUMS])
{
	for (int back = 0; back < 2; ++back) {
		to[2 * back] = (fixed){f->count[back], 0};
		to[2 * back + 1] = f->mass[back];
	}
}
SCREE_FN flow_count flow_of_sums(const fixed from[FLOW_SUMS])
{
	flow_count f = {{(int64_t)from[0].quanta, (int64_t)from[2].quanta}, {from[1], from[3]}};
	return f;
}

#endif
