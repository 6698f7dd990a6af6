/* applied.h: forces on bodies from outside, which a function of the caller gives in each step. */
#ifndef SCREE_WORK_APPLIED_H
#define SCREE_WORK_APPLIED_H

#include "base/real.h"

struct state;

/* Adds forces (N) and torques (N m, about centres of mass) of owned bodies to the zeros of force[0] .. force[5]. */
typedef void applied_fn(const struct state *s, real time, real *const force[6], void *context);

typedef struct applied {
	applied_fn *call; /* NULL: no such forces */
	void *context;
	real *force[6]; /* [room] */
	int32_t room;
	real power; /* W, in the last step */
} applied;

#endif
