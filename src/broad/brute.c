#include "broad/phases.h"

void scree_brute_find(const box_list *boxes, box_pairs *out)
{
	out->count = 0;
	for (int32_t a = 0; a < boxes->count; ++a)
		for (int32_t b = a + 1; b < boxes->count; ++b)
			if (boxes_meet(boxes, a, b)) scree_box_pairs_add(out, a, b);
}
