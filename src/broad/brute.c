#include "broad/broad.h"
#include "broad/phases.h"

bool scree_brute_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out)
{
	(void)all;
	out->count = 0;
	s->count.comparisons += (int64_t)boxes->count * (boxes->count - 1) / 2;
	for (int32_t a = 0; a < boxes->count; ++a)
		for (int32_t b = a + 1; b < boxes->count; ++b)
			if (boxes_meet(boxes, a, b)) scree_box_pairs_add(out, a, b);
	return true;
}
