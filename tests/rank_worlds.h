/* rank_worlds.h: divides a world, of which each rank has a copy, among the ranks. */
#ifndef SCREE_TESTS_RANK_WORLDS_H
#define SCREE_TESTS_RANK_WORLDS_H

#include "ranks/division/part.h"
#include "world/world.h"

/* Along periodic axes, the box of a plan is set to the cell. */
void plan_cell(const scree_world *w, partition_plan *o);
/* Removes the bodies of other ranks, along with their share of the ledger. */
void keep_own_bodies(scree_world *w, rank_part *part);

#endif
