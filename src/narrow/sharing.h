/* sharing.h: distribution of the contacts of surfaces with a halo among threads (docs/theory/sharing.md). It does not
 * affect results. */
#ifndef SCREE_NARROW_SHARING_H
#define SCREE_NARROW_SHARING_H

#include "model/sharing.h"
#include "narrow/narrow.h"

/* Result of one thread for one pair, or for a body and a wall: rows first .. first+count-1 of the thread's list. */
typedef struct points_ahead {
	int32_t of; /* the slot; for walls, the group */
	int32_t thread, first, count;
	real apart;			  /* as returned by scree_surface_surface */
	bool crossed, shared; /* shared: all threads share the triangles of this pair */
	real work;			  /* estimated work in triangles; 0: there are no triangles to share */
} points_ahead;

typedef struct points_found {
	int64_t count, capacity;
	points_ahead *item; /* in the order of slots or groups */
	real work;			/* total work of all items */
} points_found;

#endif
