/* pair_set.h: a set of pairs of small numbers, by open addressing. */
#ifndef SCREE_BROAD_PAIR_SET_H
#define SCREE_BROAD_PAIR_SET_H

#include <stdbool.h>
#include <stdint.h>

/* Every slot of the table is a pair (the lower number in the upper half) or empty. Zeroed is an empty set. */
typedef struct pair_set {
	int64_t count, places; /* slots: a power of two, or 0 */
	uint64_t *key;		   /* [slots] */
} pair_set;

static const uint64_t PAIR_EMPTY = UINT64_MAX;

bool scree_pair_set_add(pair_set *s, int32_t a, int32_t b);	   /* true: it was absent */
bool scree_pair_set_remove(pair_set *s, int32_t a, int32_t b); /* true: it was present */
bool scree_pair_set_has(const pair_set *s, int32_t a, int32_t b);
/* Removes the pairs that contain a removed number a, which has row[a] < 0. */
void scree_pair_set_purge(pair_set *s, const int32_t *row);
void scree_pair_set_clear(pair_set *s);
void scree_pair_set_free(pair_set *s);

#endif
