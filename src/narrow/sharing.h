/* sharing.h: how threads share the contacts of surfaces with a halo (docs/theory/sharing.md). No bit depends on it. */
#ifndef SCREE_NARROW_SHARING_H
#define SCREE_NARROW_SHARING_H

#include "model/sharing.h"
#include "narrow/narrow.h"

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
