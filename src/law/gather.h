/* gather.h: what a law needs of both partners of some contacts, fetched from their records. Partners lie anywhere; a
 * loop over contacts that reads what lies side by side vectorises. Compiled once for all laws. */
#ifndef SCREE_LAW_GATHER_H
#define SCREE_LAW_GATHER_H

#include "law/block.h"

enum { AHEAD = 64 }; /* rows */

/* Rows from .. from+count-1 will be looked at soon; asked for in turns between the loops of a block, as no core waits
 * for so many lines at once. */
typedef struct soon {
	int64_t from, count;
} soon;

/* The rows that lie `far` behind the next n, which begin at `first`; behind the last row come those of the next piece.
 */
soon scree_soon(const rows *r, int64_t first, int64_t n, int64_t far);
/* Asks for records of their second partners, the cache line at `offset`; for what they will add to; for what they
 * remember; for who they are. */
void scree_fetch_records(const job *j, const soon *s, size_t offset);
void scree_fetch_sums(const job *j, const soon *s);
void scree_fetch_history(const pair_list *l, const soon *s);
void scree_fetch_partners(const pair_list *l, const soon *s);

/* Items 0 .. n-1 of the block are contact rows first .. first+n-1: their partners. */
void scree_gather_partners(block *o, const job *j, int64_t first, int64_t n, bool on_wall);
/* Reduced radius, the contact's share of the reduced mass, of which law and overlap make what they need, and on walls
 * its part of the stiffness. */
void scree_gather_reduced(block *o, const pair_list *l, int64_t first, int64_t n, bool on_wall);

#endif
