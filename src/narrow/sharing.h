/* sharing.h: how threads share the contacts of surfaces with a halo (docs/theory/sharing.md). No bit depends on it. */
#ifndef SCREE_NARROW_SHARING_H
#define SCREE_NARROW_SHARING_H

#include "narrow/narrow.h"

typedef struct sharing {
	const char *name, *help;
	enum { SHARE_PIECES, SHARE_PAIRS, SHARE_TRIANGLES, SHARE_NESTED } unit; /* what is handed out */
	bool even; /* as many parts as there are threads; else small ones, for whoever is free */
} sharing;

extern const sharing scree_sharings[]; /* the first one is the standard */
extern const int scree_sharing_count;
const sharing *scree_sharing_find(const char *name); /* NULL: none */

/* What one thread found of one pair, or of a body and a wall: rows first .. first+count-1 of its list. */
typedef struct points_ahead {
	int32_t of; /* slot; of walls: the group */
	int32_t thread, first, count;
	real apart; /* as of scree_surface_surface */
	bool crossed;
	real work; /* until it was looked at: a guess, in triangles; 0: no triangles to be shared */
} points_ahead;

typedef struct points_found {
	int64_t count, capacity;
	points_ahead *item; /* by rising slots or groups */
	real work;			/* of all */
} points_found;

#endif
