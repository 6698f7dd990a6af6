/* sharing.h: how threads share the contacts of surfaces with a halo (docs/theory/sharing.md). Results do not depend on
 * it. */
#ifndef SCREE_MODEL_SHARING_H
#define SCREE_MODEL_SHARING_H

#include <stdbool.h>

typedef struct sharing {
	const char *name, *help;
	enum { SHARE_PIECES, SHARE_PAIRS, SHARE_TRIANGLES, SHARE_NESTED } unit; /* what is handed out */
	bool even; /* as many parts as there are threads; else small ones, for whoever is free */
} sharing;

extern const sharing scree_sharings[]; /* the first one is the standard */
extern const int scree_sharing_count;
const sharing *scree_sharing_find(const char *name); /* NULL: none */

#endif
