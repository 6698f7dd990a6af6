/* box_numbers.h: identity of boxes from call to call. A box gets a number by its id when it is added and keeps it until
 * it is removed, in any row. Broad phases store data of a box under its number. */
#ifndef SCREE_BROAD_BOX_NUMBERS_H
#define SCREE_BROAD_BOX_NUMBERS_H

#include "broad/broad.h"

/* Zeroed is a valid start. */
typedef struct box_numbers {
	int32_t rows, row_capacity;
	int32_t *number;		 /* [rows] of the last call */
	int32_t count, capacity; /* numbers in use or spare */
	uint64_t *id;			 /* by number */
	int32_t *row;			 /* [numbers] row in this call; -1: removed */
	int32_t spares, *spare;	 /* numbers of removed boxes */
} box_numbers;

typedef struct box_changes {
	int32_t gone, *number;	/* numbers of boxes removed since the last call */
	int32_t come, *new_row; /* rows of new boxes, by rising ids */
} box_changes;

static inline uint64_t box_id(const box_list *l, int32_t i) { return l->id ? l->id[i] : (uint64_t)i; }

/* Finds the rows of all numbers; -1 for removed boxes, whose numbers stay theirs until scree_box_numbers_give, which
 * gives numbers to new boxes. */
box_changes scree_box_numbers_match(box_numbers *n, const box_list *l);
void scree_box_numbers_give(box_numbers *n, const box_list *l, const box_changes *c);
void scree_box_changes_free(box_changes *c);
void scree_box_numbers_free(box_numbers *n);

#endif
