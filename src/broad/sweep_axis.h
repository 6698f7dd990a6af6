/* sweep_axis.h: the sorted ends of boxes along one axis, and the insertion sort that keeps their order (Schinner 1999).
 *
 * A box has a number here that stays from call to call. An axis writes only its own data, so that each axis has its own
 * thread; changes of pairs are collected in a list and applied afterwards. */
#ifndef SCREE_BROAD_SWEEP_AXIS_H
#define SCREE_BROAD_SWEEP_AXIS_H

#include "base/real.h"

typedef struct box_end {
	real value;
	uint32_t code; /* 2 * box + 1 if it is the upper end */
} box_end;

/* One row of Table 3 of Schinner (1999) that changes the list of pairs. */
typedef struct pair_change {
	int32_t a, b;
	bool add; /* false: remove the pair if it is present */
} pair_change;

typedef struct sweep_axis {
	_Alignas(64) int64_t count; /* axes are in different cache lines, since different threads write them */
	int64_t capacity;
	box_end *end; /* ends as sorted in the last update */
	int64_t changes, change_capacity;
	pair_change *change; /* changes in this update, in the order of the exchanges */
	int64_t exchanges;	 /* exchanges in this update */
	bool gave_up;		 /* more exchanges than the limit: the order is not finished */
} sweep_axis;

/* All boxes by their numbers, with present sides. */
typedef struct sweep_boxes {
	const real (*side)[6]; /* low x y z, high x y z */
	const uint64_t *id;	   /* order of equal values */
	int axes;			   /* 2 or 3 */
} sweep_boxes;

/* Sets the new value of end s and inserts it into the sorted ends before it; returns the number of ends passed. */
int64_t scree_sweep_settle(sweep_axis *a, const sweep_boxes *boxes, int d, int64_t s);
/* Empties the list of changes, then settles all ends in turn; stops after `limit` exchanges. */
void scree_sweep_update(sweep_axis *a, const sweep_boxes *boxes, int d, int64_t limit);
/* Sorts all ends of these boxes (in order of rising id) by radix sort. */
void scree_sweep_sort(sweep_axis *a, const sweep_boxes *boxes, int d, const int32_t *box, int32_t count);
/* Appends both ends of a new box; the next update sorts them in. */
void scree_sweep_append(sweep_axis *a, int32_t box);
/* Removes the ends of boxes with row[box] < 0. */
void scree_sweep_purge(sweep_axis *a, const int32_t *row);
void scree_sweep_axis_free(sweep_axis *a);

#endif
