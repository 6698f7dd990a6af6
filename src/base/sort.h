/* sort.h: stable radix sort of 64-bit keys with a 32-bit payload. */
#ifndef SCREE_BASE_SORT_H
#define SCREE_BASE_SORT_H

#include "base/real.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sort_item {
	uint64_t key;
	int32_t value;
} sort_item;

void scree_sort(sort_item *items, sort_item *tmp, int64_t count); /* in ascending order of key; tmp: [count] */
void scree_sort_alone(sort_item *items, int64_t count);			  /* the same, but allocates its own memory */
/* The same, in place, for short lists such as the partners of a body. Long lists (a giant's partners) also work. */
void scree_sort_short(sort_item *items, int64_t count);
/* index of the first of the sorted items low .. high-1 whose key is at least `key`; high if there is none */
int64_t scree_sort_find(const sort_item *items, int64_t low, int64_t high, uint64_t key);

#define SCREE_SWAP(a, b)                                                                                               \
	do {                                                                                                               \
		const __typeof__(a) was_a = (a);                                                                               \
		(a) = (b), (b) = was_a;                                                                                        \
	} while (0)

/* qsort of a list that may be empty: a null pointer must not be passed to the C library, even for zero items. */
void scree_sort_by(void *items, int64_t count, size_t size, int (*order)(const void *, const void *));
/* orders for scree_sort_by: of reals, and of items that begin with one to four int32_t, compared one after another */
int scree_sort_rising(const void *a, const void *b);
int scree_sort_one(const void *a, const void *b);
int scree_sort_two(const void *a, const void *b);
int scree_sort_three(const void *a, const void *b);
int scree_sort_four(const void *a, const void *b);
/* items to be sorted by size, largest first, then by row */
typedef struct sized {
	real size;
	int32_t row[2];
} sized;
int scree_sort_largest(const void *a, const void *b);
/* points to be sorted by x, y and z, then by row */
typedef struct point_row {
	vec3 p;
	int32_t row;
} point_row;
int scree_sort_points(const void *a, const void *b);

#endif
