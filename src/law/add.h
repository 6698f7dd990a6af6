/* add.h: adds the contacts of a block to both partners and to the ledger, in whole quanta, independent of order
 * (docs/theory/sums.md). Compiled once for all laws. */
#ifndef SCREE_LAW_ADD_H
#define SCREE_LAW_ADD_H

#include "law/block.h"

/* Items 0 .. n-1 of the block are contact rows first .. first+n-1. */
void scree_add_block(const job *j, const block *o, int64_t first, int64_t n, bool on_wall);
/* Adds energies of contacts, in quanta that are not yet whole. Energies that another part of the world counts are set
 * to zero. */
void scree_add_energies(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall);
/* heat.c: adds the heat of friction of a block: part of energies in quanta that are not yet whole, before those that
 * another part of the world counts are set to zero. */
void scree_add_friction_heat(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall);

#endif
