/* sharing.h: how threads share contacts of surfaces with a halo (docs/theory/sharing.md), with the same results. */
#ifndef SCREE_MODEL_SHARING_H
#define SCREE_MODEL_SHARING_H

#include "base/real.h"

typedef struct sharing {
	const char *name, *help;
	/* whether pairs are computed one by one before the pieces of the neighbour list, instead of within them */
	bool ahead;
	/* whether all threads share a pair's triangles, given its work and that of all pairs found ahead. NULL: never */
	bool (*joint)(real work, real total);
	/* whether each thread receives one part; otherwise parts are small, and each part goes to the next free thread */
	bool even;
} sharing;

/* value of `joint` for the default */
bool scree_sharing_nested(real work, real total);

#endif
