/* incidence.h: for each body its pairs, for those who look at all contacts of a body: walls first by surface, then
 * bodies by their ids. The order depends on ids alone: not on threads, on rows or on which candidates were found. */
#ifndef SCREE_STATE_INCIDENCE_H
#define SCREE_STATE_INCIDENCE_H

#include <stdint.h>

typedef struct meeting {
	int32_t slot;	   /* row in pair[kind]           */
	int16_t kind;	   /* pair_kind                   */
	int16_t is_second; /* the body is the pair's b    */
} meeting;

typedef struct incidence {
	int64_t *row; /* [bodies+1] */
	meeting *item;
	int64_t row_capacity, item_capacity;
} incidence;

#endif
