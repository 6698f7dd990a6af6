/* partition.h: division of space among ranks. Each point has one owner, which follows from the point and the plan
 * alone: all ranks find the same, and a point on a border belongs to one side. Parts at the outside have no end. A
 * partition takes the same memory for any number of ranks. */
#ifndef SCREE_RANKS_PARTITION_H
#define SCREE_RANKS_PARTITION_H

#include "base/fail.h"
#include "base/real.h"

typedef struct partition_plan {
	int32_t ranks;
	vec3 low, high;	  /* m: box that is divided; the cell along periodic axes */
	bool periodic[3]; /* positions lie within the cell, and its ends meet */
	bool flat;		  /* a world in the plane z = 0 */
	int32_t parts[3]; /* for a grid: number along each axis; 0: chosen for the least area of cuts */
} partition_plan;

struct partition_row;

typedef struct partition {
	const struct partition_row *by;
	partition_plan plan;
	int32_t rings; /* of hexagons around the one in the middle */
	real apart;	   /* m: between the centres of two hexagons */
	vec3 middle;
} partition;

typedef struct partition_row {
	const char *name, *help;
	/* False, with a sentence, if it does not support the plan. */
	bool (*make)(partition *p, fail *why);
	int32_t (*owner)(const partition *p, vec3 at);
	/* Whether the owner of any point of a box is this rank. May be true for a box close by. */
	bool (*meets)(const partition *p, int32_t rank, vec3 low, vec3 high);
	/* Ranks with points whose distance to a point of this one is at most `reach` along each axis, or little more, by
	 * rising rank. If a is near b, b is near a. To be freed with scree_free. */
	int32_t *(*neighbours)(const partition *p, int32_t rank, real reach, int32_t *count);
} partition_row;

extern const partition_row scree_partition_grid, scree_partition_hexagons;
/* NULL: no such row */
const partition_row *scree_partition_find(const char *name);
/* False, with a sentence. */
bool scree_partition_make(partition *p, const partition_row *by, const partition_plan *plan, fail *why);

#endif
