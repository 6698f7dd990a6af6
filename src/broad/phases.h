/* phases.h: functions common to broad phases. */
#ifndef SCREE_BROAD_PHASES_H
#define SCREE_BROAD_PHASES_H

#include "broad/broad.h"

#include <string.h>

void scree_box_pairs_add(box_pairs *p, int32_t a, int32_t b);
bool scree_brute_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out); /* broad.c */
bool scree_grid_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_sort_sweep_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_slots_x_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_slots_y_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_slots_cells_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
bool scree_sweep_find(broad_search *s, const box_list *boxes, bool all, box_pairs *out);
void *scree_sweep_make(void);
void scree_sweep_forget(void *memory);

/* An integer with the order of x; 0 and -0 are equal. */
SCREE_FN uint64_t sort_key(real x)
{
	uint64_t bits;
	real y = x + 0;
	memcpy(&bits, &y, sizeof bits);
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

SCREE_FN bool boxes_meet(const box_list *l, int32_t a, int32_t b)
{
	return l->low[0][a] <= l->high[0][b] && l->low[0][b] <= l->high[0][a] && l->low[1][a] <= l->high[1][b] &&
		   l->low[1][b] <= l->high[1][a] && l->low[2][a] <= l->high[2][b] && l->low[2][b] <= l->high[2][a];
}

/* Whether two nearby boxes meet. One branch is for all three axes together, since the result per axis is unpredictable.
 * Differences have the sign of the comparison (IEEE 754, gradual underflow). */
SCREE_FN bool near_boxes_meet(const box_list *l, int32_t a, int32_t b)
{
	real x = real_max(l->low[0][a] - l->high[0][b], l->low[0][b] - l->high[0][a]);
	real y = real_max(l->low[1][a] - l->high[1][b], l->low[1][b] - l->high[1][a]);
	real z = real_max(l->low[2][a] - l->high[2][b], l->low[2][b] - l->high[2][a]);
	return !(real_max(real_max(x, y), z) > 0);
}

#endif
