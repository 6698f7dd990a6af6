/* work.h: what solvers keep from step to step; other stages do not see it. */
#ifndef SCREE_SOLVER_WORK_H
#define SCREE_SOLVER_WORK_H

#include "base/sort.h"

/* A contact row that touches, and the key of its place in the order: of the two ids the lower one and the other one; of
 * a body and a wall id and surface. */
typedef struct meeting_row {
	uint64_t first, second;
	int64_t row;
} meeting_row;

typedef struct meeting_list {
	int64_t count, capacity;
	meeting_row *item;
} meeting_list;

struct solver_work {
	meeting_list *found; /* [threads] of each thread */
	int32_t founds;
	meeting_list pairs, walls; /* in order */
	int64_t sort_room;
	sort_item *sort[2]; /* [sort_room] */
};

#endif
