/* impulses.h: what worlds with a solver save. */
#ifndef SCREE_STATE_IMPULSES_H
#define SCREE_STATE_IMPULSES_H

#include "base/real.h"

typedef struct impulses {
	real correction;	/* part of an overlap that is taken back each step */
	int64_t collisions; /* since the start */
} impulses;

#endif
