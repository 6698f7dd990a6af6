/* phases.h: functions common to broad phases. */
#ifndef SCREE_BROAD_PHASES_H
#define SCREE_BROAD_PHASES_H

#include "broad/broad.h"
#include "base/real.h"

#include <string.h>

void scree_box_pairs_add(box_pairs *p, int32_t a, int32_t b);
bool scree_brute_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out); /* broad.c */
bool scree_grid_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_sort_sweep_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_slots_x_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_slots_y_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_slots_cells_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_sweep_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
void *scree_sweep_make(void);
void scree_sweep_forget(void *memory);

/* Returns an integer key that sorts like x; 0 and -0 are equal. */
SCREE_FN uint64_t sort_key(real x)
{
	uint64_t bits;
	real y = x + 0;
	memcpy(&bits, &y, sizeof bits);
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

SCREE_FN bool boxes_meet(const box_list *l, int32_t a, int32_t b)
{
	return l->low[0][a] <= l->high[0][b] && l->low[0][b] <= l->high[0][a] && l->low[1][a] <= l->high[1][b] &&
		   l->low[1][b] <= l->high[1][a] && l->low[2][a] <= l->high[2][b] && l->low[2][b] <= l->high[2][a];
}

/* Tests whether two nearby boxes meet. A single branch covers all three axes, since the outcome for each axis is
 * unpredictable. The sign of each difference decides the comparison (IEEE 754, gradual underflow). */
SCREE_FN bool near_boxes_meet(const box_list *l, int32_t a, int32_t b)
{
	real x = real_max(l->low[0][a] - l->high[0][b], l->low[0][b] - l->high[0][a]);
	real y = real_max(l->low[1][a] - l->high[1][b], l->low[1][b] - l->high[1][a]);
	real z = real_max(l->low[2][a] - l->high[2][b], l->low[2][b] - l->high[2][a]);
	return !(real_max(real_max(x, y), z) > 0);
}

/* Numbers that identify boxes from call to call. A box, found by its id, keeps its number, whatever its row, until it
 * is removed. Broad phases store the data of a box under its number. All zero is a valid initial state. */
typedef struct box_numbers {
	int32_t rows, row_capacity;
	int32_t *number;		 /* [rows] number of the box in each row of the last call */
	int32_t count, capacity; /* count of numbers, in use or free */
	uint64_t *id;			 /* [capacity] id of each number */
	int32_t *row;			 /* [numbers] row in this call; -1 if removed */
	int32_t spares, *spare;	 /* numbers of removed boxes */
} box_numbers;

typedef struct box_changes {
	int32_t gone, *number;	/* count and numbers of the boxes removed since the last call */
	int32_t come, *new_row; /* count of the new boxes, and their rows in ascending order of ids */
} box_changes;

static inline uint64_t box_id(const box_list *l, int32_t i) { return l->id ? l->id[i] : (uint64_t)i; }

/* Finds the rows of all numbers; -1 for removed boxes, whose numbers scree_box_numbers_give gives to new boxes. */
box_changes scree_box_numbers_match(box_numbers *n, const box_list *l);
void scree_box_numbers_give(box_numbers *n, const box_list *l, const box_changes *c);
void scree_box_changes_free(box_changes *c);
void scree_box_numbers_free(box_numbers *n);

/* sweep_axis.c: the sorted ends of boxes along one axis, and the insertion sort that keeps their order (Schinner 1999).
 * A box has the same number in each call. The update of an axis writes only its own data, so each axis can be updated
 * in its own thread; changes of pairs are collected in a list and applied afterwards. */
typedef struct box_end {
	real value;
	uint32_t code; /* 2 * box, plus 1 for the upper end */
} box_end;

/* A change in the list of pairs, as given by a row of Table 3 in Schinner (1999). */
typedef struct pair_change {
	int32_t a, b;
	bool add; /* if false, removes the pair if it is present */
} pair_change;

typedef struct sweep_axis {
	_Alignas(64) int64_t count; /* axes are in separate cache lines, since different threads write them */
	int64_t capacity;
	box_end *end; /* the ends, as sorted in the last update */
	int64_t changes, change_capacity;
	pair_change *change; /* changes in this update, in the order of the exchanges */
	int64_t exchanges;	 /* exchanges in this update */
	bool gave_up;		 /* whether there were more exchanges than the limit, in which case sorting is incomplete */
} sweep_axis;

/* All boxes by number, with their current sides. */
typedef struct sweep_boxes {
	const real (*side)[6]; /* low x y z, high x y z */
	const uint64_t *id;	   /* determines the order of boxes with equal values */
	int axes;			   /* 2 or 3 */
} sweep_boxes;

/* Sets the value of end s and inserts the end among the sorted ends before it; returns the number of ends passed. */
int64_t scree_sweep_settle(sweep_axis *a, const sweep_boxes *boxes, int d, int64_t s);
/* Empties the list of changes, then settles all ends one after another; stops after `limit` exchanges. */
void scree_sweep_update(sweep_axis *a, const sweep_boxes *boxes, int d, int64_t limit);
/* Sorts all ends of these boxes (in ascending order of ids) by radix sort. */
void scree_sweep_sort(sweep_axis *a, const sweep_boxes *boxes, int d, const int32_t *box, int32_t count);
/* Appends both ends of a new box; the next update moves them to their positions. */
void scree_sweep_append(sweep_axis *a, int32_t box);
void scree_sweep_purge(sweep_axis *a, const int32_t *row); /* removes the ends of boxes with row[box] < 0 */
void scree_sweep_axis_free(sweep_axis *a);

#endif
