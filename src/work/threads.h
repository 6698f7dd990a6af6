/* threads.h: data that each thread passes from stage to stage within a step. */
#ifndef SCREE_WORK_THREADS_H
#define SCREE_WORK_THREADS_H

#include "base/real.h"
#include "state/energy_classes.h"
#include "state/ledger.h"
#include "work/sums.h"

/* Points of patches in a pool per thread, emptied in each step; results do not depend on a patch's pool. */
typedef struct contact_points {
	int64_t count, capacity;
	/* position relative to the centre of a, world axes, in m, midway between the two surfaces. A patch with an arm has
	 * one more point after the others: the centre of its area, where friction acts */
	real *x, *y, *z;
	real *depth;  /* m, >= 0 */
	real *weight; /* >= 0, and the sum over a patch is 1; for volumes, see src/narrow/solid/overlap.h */
	real *pitch;  /* couple about the normal divided by the normal force, in m; 0 except for volumes */
} contact_points;

/* The centre of a patch's area, where attraction acts in laws of depth. Weights are areas, on walls times overlaps. */
SCREE_FN vec3 area_centre(const contact_points *p, int64_t first, int64_t end, bool on_wall)
{
	vec3 sum = v3(0, 0, 0);
	real all = 0;
	for (int64_t k = first; k < end; ++k) {
		const real area = !on_wall ? p->weight[k] : p->depth[k] > 0 ? p->weight[k] / p->depth[k] : 0;
		sum = v3_madd(sum, area, v3(p->x[k], p->y[k], p->z[k])), all += area;
	}
	return v3_mul(1 / all, sum);
}

/* Heat given to bodies by contacts in a step, and the shares from walls and from friction, in J. */
typedef struct thread_heat {
	int64_t bodies;
	fixed *body; /* [bodies] */
	fixed walls, friction;
} thread_heat;

typedef struct thread_work {
	contact_points points;				 /* points of patches, from the narrow phase to the law */
	ledger ended;						 /* contacts that ended */
	energy_class classes[ENERGY_LEVELS]; /* patches that ended */
	sum_rows rows;						 /* sums of contacts for bodies and walls */
	law_tally tally;
	thread_heat heat; /* heat given to bodies, in worlds with heat */
} thread_work;

#endif
