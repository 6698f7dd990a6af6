/* work.h: memory that the broad phase keeps from step to step; private to it. */
#ifndef SCREE_BROAD_WORK_H
#define SCREE_BROAD_WORK_H

#include "broad/broad.h"

/* Memory of one thread while it chooses the rows of one piece. */
typedef struct row_room {
	int32_t room;
	int32_t *was, *of; /* [room] slots that had a row before, and the old row of each new row */
	real *copy;		   /* [room] */
} row_room;

struct broad_work {
	broad_search search;
	row_room *thread; /* [threads] */
	int32_t threads;
};

#endif
