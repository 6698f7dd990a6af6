/* points.h: contacts with one point, for a slot or for a body and a wall; private to src/narrow. */
#ifndef SCREE_NARROW_POINTS_H
#define SCREE_NARROW_POINTS_H

#include "narrow/sharing.h"
#include "world/world.h"

typedef struct points_here {
	const point_found *point; /* valid until the thread's next call */
	int32_t count;
	real apart;	  /* as returned by scree_surface_surface */
	bool crossed; /* the surfaces cross */
} points_here;

/* Contacts of a slot, or of a group of a wall if the body is a surface; these are in the wall's frame. */
points_here scree_points_of(const model *m, state *s, work *w, int kind, int32_t of, int thread);
/* Finds the contacts of this kind of pairs in advance if the world shares pairs among threads. */
void scree_share_pairs(const model *m, state *s, work *w, int kind);
/* Number of items, out of `count`, that a thread takes at a time. small: the number if threads take items
 * dynamically */
int64_t scree_sharing_grain(const sharing *s, int64_t count, int64_t small);

#endif
