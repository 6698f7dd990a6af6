/* gather.h: loads the data of both partners of some contacts from their records, for laws. Partners are scattered in
 * memory; loops over the resulting arrays are vectorized. Compiled once for all laws. */
#ifndef SCREE_LAW_GATHER_H
#define SCREE_LAW_GATHER_H

#include "law/block.h"

enum { AHEAD = 64 }; /* distance of prefetches in rows */

/* Rows from .. from+count-1 will be used soon; they are prefetched in turns between the loops of a block, since no core
 * waits for so many lines at once. */
typedef struct soon {
	int64_t from, count;
} soon;

/* The rows that are `far` after the next n, which begin at `first`; after the last row come those of the next piece. */
soon scree_soon(const rows *r, int64_t first, int64_t n, int64_t far);
/* Prefetches records of their second partners, the cache line at `offset`. */
void scree_fetch_records(const job *j, const soon *s, size_t offset);
/* Prefetches the sums of their second partners. */
void scree_fetch_sums(const job *j, const soon *s);
/* Prefetches their histories. */
void scree_fetch_history(const pair_list *l, const soon *s);
/* Prefetches the rows of both partners. */
void scree_fetch_partners(const pair_list *l, const soon *s);

/* Loads the partners of contact rows first .. first+n-1 to items 0 .. n-1 of the block. */
void scree_gather_partners(block *o, const job *j, int64_t first, int64_t n, bool on_wall);
/* Loads the reduced radius, the contact's share of the reduced mass, from which law and overlap derive their own, and
 * on walls its part of the stiffness. */
void scree_gather_reduced(block *o, const pair_list *l, int64_t first, int64_t n, bool on_wall);

#endif
