/* wall_groups.h: candidate facets of walls, from the broad phase to the narrow phase. */
#ifndef SCREE_WORK_WALL_GROUPS_H
#define SCREE_WORK_WALL_GROUPS_H

#include "base/real.h"

/* The slots of one body and one wall, which the narrow phase examines together (seams). */
typedef struct wall_group {
	int32_t body, wall;
	int64_t slot; /* its slots are rows slot .. slot+slots-1 of the pair list, in ascending order of surface */
	int32_t slots, facets;
	int64_t facet; /* its candidate facets are rows facet .. facet+facets-1 of wall_groups.facet */
	real apart; /* cache: m; the centre meets no facet of a wall at rest while the body's displacement is below this */
} wall_group;

typedef struct wall_groups {
	int64_t count, capacity, facets, facet_capacity;
	wall_group *group;
	int32_t *facet;
	int64_t *piece, piece_capacity; /* first group of each piece of the pair list, and the end */
} wall_groups;

#endif
