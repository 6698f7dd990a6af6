/* points.h: contacts with one point each, of a slot or of a body and a wall; private to src/narrow. */
#ifndef SCREE_NARROW_POINTS_H
#define SCREE_NARROW_POINTS_H

#include "narrow/sharing.h"
#include "world/world.h"

typedef struct points_here {
	const point_found *point; /* until the thread finds the next ones */
	int32_t count;
	real apart;	  /* as of scree_surface_surface */
	bool crossed; /* surfaces go through each other */
} points_here;

/* Of a slot, or of a group of a wall, where the body is a surface: in the wall's frame. */
points_here scree_points_of(const model *m, state *s, work *w, int kind, int32_t of, int thread);
/* Finds those of the pairs of this kind ahead, if the world shares them so. */
void scree_share_pairs(const model *m, state *s, work *w, int kind);
/* How many of `count` items a thread takes at once; small: where they are taken as they come. */
int64_t scree_sharing_grain(const sharing *s, int64_t count, int64_t small);

#endif
