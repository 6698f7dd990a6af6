/* threads.h: what each thread hands from stage to stage within a step. */
#ifndef SCREE_WORK_THREADS_H
#define SCREE_WORK_THREADS_H

#include "base/real.h"
#include "state/energy_classes.h"
#include "state/ledger.h"
#include "work/sums.h"

/* Points of patches. Each thread fills a pool of its own, emptied every step; which pool a patch lies in means nothing.
 */
typedef struct contact_points {
	int64_t count, capacity;
	/* m from the centre of a, world axes, midway between the two surfaces. One more behind those of a patch with an arm
	 * is the centre of its area, where friction holds */
	real *x, *y, *z;
	real *depth;  /* m >= 0 */
	real *weight; /* >= 0, sum over a patch 1; of volumes: src/narrow/solid/overlap.h */
	real *pitch;  /* m, couple about the normal over the normal force; 0 but where volumes push */
} contact_points;

typedef struct thread_work {
	contact_points points;				 /* of patches, from the narrow phase to the law */
	ledger ended;						 /* of contacts that ended */
	energy_class classes[ENERGY_LEVELS]; /* likewise, of patches */
	sum_rows rows;						 /* what contacts add to bodies and walls */
	law_tally tally;
} thread_work;

#endif
