/* zoltan.h: parts of equal work by Zoltan's recursive coordinate bisection. Only this folder includes zoltan.h. */
#ifndef SCREE_RANKS_MPI_ZOLTAN_H
#define SCREE_RANKS_MPI_ZOLTAN_H

#include "ranks/division/partition.h"

/* Runs on one rank only, since a library that waits for other ranks cannot be interrupted when one of them has failed.
 * Starts MPI if necessary. NULL if scree was built without Zoltan. */
extern cut_fn *const scree_zoltan_cut;

#endif
