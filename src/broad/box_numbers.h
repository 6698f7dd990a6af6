/* box_numbers.h: identity of boxes from call to call. A new box gets a number by its id and keeps it, in any row, until
 * it is removed. Broad phases store the data of a box under its number. */
#ifndef SCREE_BROAD_BOX_NUMBERS_H
#define SCREE_BROAD_BOX_NUMBERS_H

#include "broad/broad.h"

/* Zeroed is a valid start. */
typedef struct box_numbers {
	int32_t rows, row_capacity;
	int32_t *number;		 /* [rows] of the last call */
	int32_t count, capacity; /* numbers in use or spare */
	uint64_t *id;			 /* [capacity] id of each number */
	int32_t *row;			 /* [numbers] row in this call; -1: removed */
	int32_t spares, *spare;	 /* numbers of removed boxes */
} box_numbers;

typedef struct box_changes {
	int32_t gone, *number;	/* boxes removed since the last call: their count and numbers */
	int32_t come, *new_row; /* new boxes: their number, and their rows in ascending order of ids */
} box_changes;

static inline uint64_t box_id(const box_list *l, int32_t i) { return l->id ? l->id[i] : (uint64_t)i; }

/* Finds the rows of all numbers; -1 for removed boxes. scree_box_numbers_give then gives numbers to new boxes; until
 * then, removed boxes keep theirs. */
box_changes scree_box_numbers_match(box_numbers *n, const box_list *l);
void scree_box_numbers_give(box_numbers *n, const box_list *l, const box_changes *c);
void scree_box_changes_free(box_changes *c);
void scree_box_numbers_free(box_numbers *n);

#endif
