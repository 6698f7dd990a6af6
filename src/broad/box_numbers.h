/* box_numbers.h: who is who from call to call. Boxes get numbers by their ids when they come and keep them until they
 * are gone; rows may change as they like. What a broad phase remembers of a box stands under its number. */
#ifndef SCREE_BROAD_BOX_NUMBERS_H
#define SCREE_BROAD_BOX_NUMBERS_H

#include "broad/broad.h"

/* Zeroed is a beginning. */
typedef struct box_numbers {
	int32_t rows, row_capacity;
	int32_t *number;		 /* [rows] of the last call */
	int32_t count, capacity; /* numbers ever given, those of boxes that are gone included */
	uint64_t *id;			 /* by number */
	int32_t *row;			 /* by number: of this call; -1: gone */
	int32_t spares, *spare;	 /* numbers of boxes that are gone */
} box_numbers;

typedef struct box_changes {
	int32_t gone, *number;	/* of boxes that are not there any more */
	int32_t come, *new_row; /* of boxes that were not there before, by rising ids */
} box_changes;

static inline uint64_t box_id(const box_list *l, int32_t i) { return l->id ? l->id[i] : (uint64_t)i; }

/* Finds the rows of all numbers: -1 for what is gone, whose numbers mean what they meant until the call of
 * scree_box_numbers_give, which gives numbers to what has come. */
box_changes scree_box_numbers_match(box_numbers *n, const box_list *l);
void scree_box_numbers_give(box_numbers *n, const box_list *l, const box_changes *c);
void scree_box_changes_free(box_changes *c);
void scree_box_numbers_free(box_numbers *n);

#endif
