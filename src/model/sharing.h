/* sharing.h: the ways in which threads share the contacts of surfaces with a halo (docs/theory/sharing.md). Results
 * do not depend on them. */
#ifndef SCREE_MODEL_SHARING_H
#define SCREE_MODEL_SHARING_H

#include "base/real.h"

typedef struct sharing {
	const char *name, *help;
	/* whether it computes pairs one by one before the pieces of the neighbour list; otherwise within these pieces */
	bool ahead;
	/* Tests whether all threads share the triangles of a pair with this estimated work; total: work of all pairs found
	 * ahead. NULL: never */
	bool (*joint)(real work, real total);
	/* whether each thread gets one part; otherwise parts are small, and the next free thread takes each one */
	bool even;
} sharing;

/* value of `joint` for the default */
bool scree_sharing_nested(real work, real total);

#endif
