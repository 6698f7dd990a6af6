/* grid: boxes sorted by the cell of their middle; cells are as large as the largest box, so that boxes that meet lie in
 * neighbouring cells. Space is unbounded: cells exist only where boxes are. Cost: one radix sort, then for each box
 * five runs of the sorted row (its own cell and the neighbours that come later); the starts of the runs only ever move
 * forward. */
#include "broad/phases.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"

#include <string.h>

enum { BITS = 21, GRAIN = 4096 };
static const uint64_t ONE_X = 1, ONE_Y = 1ull << BITS, ONE_Z = 1ull << (2 * BITS);

typedef struct search {
	const box_list *boxes;
	const sort_item *item; /* sorted by cell */
	box_list sorted;	   /* the boxes in that order */
	box_pairs *found;	   /* [pieces] */
} search;

/* first item whose key is at least this */
static int64_t lower_bound(const sort_item *item, int64_t count, uint64_t key)
{
	int64_t low = 0, high = count;
	while (low < high) {
		int64_t mid = low + (high - low) / 2;
		if (item[mid].key < key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void scan(const search *s, int64_t i, int64_t from, uint64_t last, box_pairs *out)
{
	for (int64_t k = from; k < s->boxes->count && s->item[k].key <= last; ++k)
		if (boxes_meet(&s->sorted, (int32_t)i, (int32_t)k))
			scree_box_pairs_add(out, s->item[i].value, s->item[k].value);
}

static void find_piece(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const search *s = what;
	box_pairs *out = s->found + from / GRAIN;
	/* the four rows of cells after the own one: (+y), (-y +z), (+z), (+y +z), each from x-1 to x+1 */
	const uint64_t row[4] = {ONE_Y, ONE_Z - ONE_Y, ONE_Z, ONE_Z + ONE_Y};
	int64_t start[4];
	for (int r = 0; r < 4; ++r) start[r] = lower_bound(s->item, s->boxes->count, s->item[from].key + row[r] - ONE_X);
	for (int64_t i = from; i < to; ++i) {
		uint64_t key = s->item[i].key;
		scan(s, i, i + 1, key + ONE_X, out);
		for (int r = 0; r < 4; ++r) {
			uint64_t first = key + row[r] - ONE_X;
			while (start[r] < s->boxes->count && s->item[start[r]].key < first) ++start[r];
			scan(s, i, start[r], key + row[r] + ONE_X, out);
		}
	}
}

/* cell of each box; false when space is too wide for the keys at this cell size */
static bool cells(const box_list *l, real size, const real origin[3], sort_item *item)
{
	for (int32_t i = 0; i < l->count; ++i) {
		uint64_t key = 0;
		for (int d = 2; d >= 0; --d) {
			real at = scree_floor(((l->low[d][i] + l->high[d][i]) / 2 - origin[d]) / size) + 2;
			if (!(at >= 0 && at < (real)((1 << BITS) - 4))) return false;
			key = key << BITS | (uint64_t)at;
		}
		item[i].key = key;
		item[i].value = i;
	}
	return true;
}

void scree_grid_find(const box_list *l, box_pairs *out)
{
	out->count = 0;
	if (l->count < 2) return;
	real size = 0, origin[3];
	for (int d = 0; d < 3; ++d) {
		origin[d] = l->low[d][0];
		for (int32_t i = 0; i < l->count; ++i) {
			size = real_max(size, l->high[d][i] - l->low[d][i]);
			origin[d] = real_min(origin[d], l->low[d][i]);
		}
	}
	sort_item *item = scree_alloc((size_t)l->count, sizeof *item), *tmp = scree_alloc((size_t)l->count, sizeof *tmp);
	size *= (real)1.0000001;						 /* two middles a full box apart never skip a cell by rounding */
	while (!cells(l, size, origin, item)) size *= 2; /* a body flew far away: larger cells, still right */
	scree_sort(item, tmp, l->count);
	scree_free(tmp);

	search s = {.boxes = l, .item = item};
	real *copy[6];
	for (int d = 0; d < 6; ++d) {
		const real *from = d < 3 ? l->low[d] : l->high[d - 3];
		copy[d] = scree_alloc((size_t)l->count, sizeof *copy[d]);
		for (int32_t i = 0; i < l->count; ++i) copy[d][i] = from[item[i].value];
		if (d < 3)
			s.sorted.low[d] = copy[d];
		else
			s.sorted.high[d - 3] = copy[d];
	}
	int64_t pieces = (l->count + GRAIN - 1) / GRAIN;
	s.found = scree_alloc((size_t)pieces, sizeof *s.found);
	scree_parallel(find_piece, &s, l->count, GRAIN);
	for (int64_t p = 0; p < pieces; ++p) {
		for (int64_t k = 0; k < s.found[p].count; ++k)
			scree_box_pairs_add(out, s.found[p].pair[k][0], s.found[p].pair[k][1]);
		scree_box_pairs_free(s.found + p);
	}
	scree_free(s.found);
	for (int d = 0; d < 6; ++d) scree_free(copy[d]);
	scree_free(item);
}
