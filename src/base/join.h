/* join.h: disjoint sets as trees of rows; if up[i] = i, row i is the root of its set. The root of a set is its lowest
 * row, so that results do not depend on the order of joins (Tarjan 1975, with path halving). */
#ifndef SCREE_BASE_JOIN_H
#define SCREE_BASE_JOIN_H

#include <stdint.h>

#include "base/real.h"

SCREE_FN int32_t join_root(int32_t *up, int32_t i)
{
	while (up[i] != i) i = up[i] = up[up[i]];
	return i;
}

SCREE_FN void join_two(int32_t *up, int32_t i, int32_t j)
{
	i = join_root(up, i), j = join_root(up, j);
	if (i < j)
		up[j] = i;
	else
		up[i] = j;
}

#endif
