/* applied.h: forces on bodies from outside, by a function of the caller (model/model.h), in the last step. */
#ifndef SCREE_WORK_APPLIED_H
#define SCREE_WORK_APPLIED_H

#include "base/real.h"

typedef struct applied {
	real *force[6]; /* [room] */
	int32_t room;
	real power; /* W, in the last step */
	bool steps; /* bodies have moved since the implicit step before: it is not an evaluation of the same time */
} applied;

#endif
