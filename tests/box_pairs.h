/* box_pairs.h: pairs found by a broad phase, in ascending order, with the smaller row of each pair first. */
#ifndef SCREE_TESTS_BOX_PAIRS_H
#define SCREE_TESTS_BOX_PAIRS_H

#include "broad/broad.h"

#include <stdlib.h>
#include <string.h>

static inline int box_pairs_order(const void *a, const void *b) { return memcmp(a, b, 2 * sizeof(int32_t)); }

static inline void box_pairs_sort(box_pairs *p)
{
	for (int64_t k = 0; k < p->count; ++k) {
		if (p->pair[k][0] < p->pair[k][1]) continue;
		int32_t swap = p->pair[k][0];
		p->pair[k][0] = p->pair[k][1];
		p->pair[k][1] = swap;
	}
	if (p->count) qsort(p->pair, (size_t)p->count, sizeof *p->pair, box_pairs_order);
}

#endif
