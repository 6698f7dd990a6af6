/* work.h: memory of solvers from step to step; private to solvers. */
#ifndef SCREE_SOLVER_WORK_H
#define SCREE_SOLVER_WORK_H

#include "base/sort.h"

/* A touching contact row, and its sort keys: between two bodies the lower id, then the other; with a wall the body's
 * id and the surface. */
typedef struct meeting_row {
	uint64_t first, second;
	int64_t row;
} meeting_row;

typedef struct meeting_list {
	int64_t count, capacity;
	meeting_row *item;
} meeting_list;

struct solver_work {
	meeting_list *found; /* [threads] rows found by each thread */
	int32_t founds;
	meeting_list pairs, walls; /* sorted */
	int64_t sort_room;
	sort_item *sort[2]; /* [sort_room] */
	void *own;			/* memory of a row in src/papers, which sets both members; NULL: none */
	void (*free_own)(void *own);
};

#endif
