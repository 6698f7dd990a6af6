/* sharing.h: the ways in which threads share the contacts of surfaces with a halo (docs/theory/sharing.md). Results
 * do not depend on them. */
#ifndef SCREE_MODEL_SHARING_H
#define SCREE_MODEL_SHARING_H

#include <stdbool.h>

typedef struct sharing {
	const char *name, *help;
	enum { SHARE_PIECES, SHARE_PAIRS, SHARE_TRIANGLES, SHARE_NESTED } unit; /* unit of work */
	bool even; /* one part per thread; else small parts, taken by the next free thread */
} sharing;

extern const sharing scree_sharings[]; /* the first row is the default */
extern const int scree_sharing_count;
const sharing *scree_sharing_find(const char *name); /* NULL: none */

#endif
