/* phases.h: what the broad phases share. */
#ifndef SCREE_BROAD_PHASES_H
#define SCREE_BROAD_PHASES_H

#include "broad/broad.h"

void scree_box_pairs_add(box_pairs *p, int32_t a, int32_t b);
bool scree_grid_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_brute_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);

SCREE_FN bool boxes_meet(const box_list *l, int32_t a, int32_t b)
{
	return l->low[0][a] <= l->high[0][b] && l->low[0][b] <= l->high[0][a] && l->low[1][a] <= l->high[1][b] &&
		   l->low[1][b] <= l->high[1][a] && l->low[2][a] <= l->high[2][b] && l->low[2][b] <= l->high[2][a];
}

#endif
