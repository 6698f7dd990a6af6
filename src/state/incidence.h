/* incidence.h: for each body its pairs in the order in which its forces are summed: walls first by surface, then
 * bodies by their ids. The order depends on ids alone: not on threads, on rows or on which candidates were found. */
#ifndef SCREE_STATE_INCIDENCE_H
#define SCREE_STATE_INCIDENCE_H

#include <stdint.h>

typedef struct meeting {
	int32_t slot;	   /* row in pair[kind]           */
	int16_t kind;	   /* pair_kind                   */
	int16_t is_second; /* the body is the pair's b    */
} meeting;

/* What a body takes from a contact row. Rows without contact hold zeros, which change no sum. */
typedef struct pull {
	int32_t row;	 /* of the world's array of contact_force                  */
	int32_t partner; /* row of the pair's a if the body is its b, else -1       */
} pull;

enum { SCREE_PULLS_AHEAD = 32 }; /* behind the last pull are as many empty ones, for who looks ahead */

typedef struct incidence {
	int64_t *row; /* [bodies+1] */
	meeting *item;
	pull *pulls;		  /* of slots that have a contact row, packed at the beginning of each body's items: */
	int32_t *used;		  /* [bodies] how many */
	int64_t contact_rows; /* of all lists */
	int64_t row_capacity, item_capacity;
} incidence;

#endif
