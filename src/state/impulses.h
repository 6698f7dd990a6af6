/* impulses.h: state of worlds with a solver. */
#ifndef SCREE_STATE_IMPULSES_H
#define SCREE_STATE_IMPULSES_H

#include "base/real.h"

typedef struct impulses {
	int64_t collisions; /* since the start */
} impulses;

#endif
