/* rank_trees.h: maxima and sums over all ranks, computed with messages along a binary tree, for transports that have
 * no functions for this. The results are independent of the order of ranks, because they are maxima and sums of
 * integers. */
#ifndef SCREE_TESTS_RANK_TREES_H
#define SCREE_TESTS_RANK_TREES_H

#include "ranks/messages/transport.h"

bool scree_tree_greatest(channel *c, int32_t count, real *x, fail *why);
bool scree_tree_add(channel *c, int32_t count, fixed *x, fail *why);
bool scree_tree_both(channel *c, int32_t mosts, real *most, int32_t sums, fixed *sum, fail *why);

#endif
