/* gather.h: loads the data of both partners of some contacts from their records, for the laws, and adds results to
 * the sums. Partners are scattered
 * in memory; the resulting arrays are consecutive, so that loops over them are vectorized. Compiled once for all
 * laws. */
#ifndef SCREE_LAW_GATHER_H
#define SCREE_LAW_GATHER_H

#include "law/block.h"

enum { AHEAD = 64 }; /* distance of prefetches in rows */

/* Rows from .. from+count-1, which will be used soon. Their data are prefetched in several calls between the loops of a
 * block, since a core cannot wait for that many cache lines at once. */
typedef struct soon {
	int64_t from, count;
} soon;

/* The rows at distance `far` after the next n rows, which begin at `first`. After the last row of a piece come those of
 * the next piece. */
soon scree_soon(const rows *r, int64_t first, int64_t n, int64_t far);
/* Prefetches the records of the rows' second partners, the cache line at `offset`. */
void scree_fetch_records(const job *j, const soon *s, size_t offset);
/* Prefetches the sums of the rows' second partners. */
void scree_fetch_sums(const job *j, const soon *s);
/* Prefetches the histories of the rows. */
void scree_fetch_history(const pair_list *l, const soon *s);
/* Prefetches the numbers of both partners of the rows. */
void scree_fetch_partners(const pair_list *l, const soon *s);

/* Loads the partners of contact rows first .. first+n-1 to items 0 .. n-1 of the block. */
void scree_gather_partners(block *o, const job *j, int64_t first, int64_t n, bool on_wall);
/* Loads the reduced radius, the contact's share of the reduced mass and its part: on walls of the stiffness, between
 * capsules of the pull of a contact that fades. The laws by volume and overlap derive their radii from the reduced
 * radius. */
void scree_gather_reduced(block *o, const contact_work *c, int64_t first, int64_t n, bool on_wall);

/* add.c: adds the contacts of a block to both partners and to the ledger, in whole quanta, independent of order
 * (docs/theory/sums.md). Items 0 .. n-1 of the block are contact rows first .. first+n-1. */
void scree_add_block(const job *j, const block *o, int64_t first, int64_t n, bool on_wall);
/* Adds energies of contacts, in quanta that are not yet whole. Energies that another part of the world counts are set
 * to zero. */
void scree_add_energies(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall);
/* heat.c: adds the heat of friction of a block: part of energies in quanta that are not yet whole, before those that
 * another part of the world counts are set to zero. */
void scree_add_friction_heat(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall);

#endif
