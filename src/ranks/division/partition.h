/* partition.h: division of space among ranks. Each point has one owner, determined by the point and the plan, or by
 * cuts that are the same on all ranks. A point on a border belongs to one side. Outer parts are unbounded. The memory
 * of a partition does not depend on the number of ranks, except for `rcb`, which takes 16 bytes per rank. */
#ifndef SCREE_RANKS_DIVISION_PARTITION_H
#define SCREE_RANKS_DIVISION_PARTITION_H

#include "base/fail.h"
#include "base/real.h"

typedef struct weighted_point {
	vec3 at;
	real work; /* positive */
} weighted_point;

typedef struct weighted_points {
	int64_t count;
	weighted_point *row;
} weighted_points;

typedef struct part_box {
	vec3 low, high;
} part_box;

/* Chooses the part of each point ([count]) so that all parts have nearly equal work: a plane separates the first parts
 * from the last ones, then each side is divided in the same way. Returns false with an error message on failure. */
typedef bool cut_fn(int32_t parts, const weighted_points *p, int32_t *part, fail *why);

typedef struct partition_plan {
	int32_t ranks;
	vec3 low, high;	  /* box that is divided, in m; the cell along periodic axes */
	bool periodic[3]; /* periodic axes: positions are within the cell, whose ends meet */
	bool deforms; /* whether the cell changes size: low and high then describe the initial cell (scree_rank_place) */
	bool flat;	  /* whether the world is two-dimensional (z = 0) */
	int32_t parts[3]; /* for a grid: parts along each axis; 0 for the smallest area of cuts */
	/* for rcb */
	cut_fn *cut;  /* for example scree_zoltan_cut (ranks/mpi/zoltan.h); NULL if this build has none */
	real balance; /* largest work of a rank, divided by the mean, above which parts are cut again; 0 means 1.1 */
} partition_plan;

/* A plane that separates parts first .. middle-1 from parts middle .. end-1. */
typedef struct cut_plane {
	real at; /* points above this coordinate (in m) belong to the upper parts, others to the lower ones */
	int32_t axis, middle;
} cut_plane;

struct partition_row;

/* In a sheared world, images across the gradient are displaced along the flow by this distance. */
typedef struct sliding_images {
	bool on;
	int32_t flow, gradient; /* axes */
	real by;				/* m */
} sliding_images;

typedef struct partition {
	const struct partition_row *by;
	partition_plan plan;
	sliding_images slide; /* current slide, used by `neighbours` */
	int32_t rings;		  /* number of rings of hexagons around the one in the middle */
	real apart;			  /* distance between the centres of two neighbouring hexagons, in m */
	vec3 middle;
	cut_plane *plane; /* [ranks - 1] of rcb: a plane, then planes of lower, then of upper parts; NULL if not cut */
} partition;

typedef struct partition_row {
	const char *name;
	/* Returns false with an error message if the partition does not support the plan. */
	bool (*make)(partition *p, fail *why);
	int32_t (*owner)(const partition *p, vec3 at);
	/* Tests whether this rank owns any point of a box. May also return true for a box close by. */
	bool (*meets)(const partition *p, int32_t rank, vec3 low, vec3 high);
	/* Returns the ranks with points whose distance to a point of this rank is at most `reach` along each axis, or
	 * slightly more, in ascending order of rank. If a is near b, then b is near a. Free with scree_free. */
	int32_t *(*neighbours)(const partition *p, int32_t rank, real reach, int32_t *count);
	/* Cuts parts for equal work on one rank, which sends `plane` to others; false on failure. NULL: parts stay. */
	bool (*cut)(partition *p, const weighted_points *all, fail *why);
} partition_row;

extern const partition_row scree_partition_grid, scree_partition_hexagons, scree_partition_rcb;
/* Tests whether these planes of rcb, which may come from another rank, divide parts first .. end-1. */
bool scree_rcb_planes_divide(const cut_plane *p, int32_t first, int32_t end);
/* NULL if there is no such row */
const partition_row *scree_partition_find(const char *name);
/* Returns false with an error message on failure. */
bool scree_partition_make(partition *p, const partition_row *by, const partition_plan *plan, fail *why);
void scree_partition_free(partition *p);
/* Gap along an axis between two boxes, negative if they overlap, also across periodic borders, in m. The result is
 * bit-identical if a and b are exchanged. */
real scree_partition_gap(const partition *p, int32_t axis, const part_box *a, const part_box *b);
/* Tests whether boxes, or images, are at most `reach` apart along each axis; the order of a and b has no effect. */
bool scree_partition_near(const partition *p, const part_box *a, const part_box *b, real reach);

#endif
