/* grid: boxes are divided into levels and, in each level, sorted by the cell of their centre. A level contains all
 * boxes more than half as large as its largest box, which sets its cell size. So boxes of a level that meet are in
 * neighbouring cells, and the cost per box is independent of the largest box (Iwai, Hong and Greil 1999; Ogarko and
 * Luding 2012).
 *
 * Space is unbounded: cells exist only where there are boxes. The cost is one radix sort and one pass over runs of
 * sorted rows. Each box reads five runs in its own level (its cell and the neighbouring cells that follow), whose
 * starts only move forward, and a few cells of coarser levels that may contain the centre of a box meeting this one. */
#include "broad/phases.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sort.h"

enum { BITS = 21, GRAIN = 4096, LEVELS = 12, NARROWER = 2 };
static const uint64_t ONE_X = 1, ONE_Y = 1ull << BITS, ONE_Z = 1ull << (2 * BITS);

typedef struct level {
	real size;			 /* size of a cell */
	int64_t first, last; /* the level contains items first .. last-1 */
} level;

typedef struct search {
	const box_list *boxes;
	sort_item *item;  /* items sorted by level, then by cell */
	box_list sorted;  /* the boxes in the order of items */
	box_pairs *found; /* [pieces] */
	real origin[3];
	level level[LEVELS]; /* the levels, the coarsest first; some may be empty */
} search;

/* ------------------------------------------------------------------ levels and cells */

static real extent(const box_list *l, int32_t i)
{
	real e = 0;
	for (int d = 0; d < 3; ++d) e = real_max(e, l->high[d][i] - l->low[d][i]);
	return e;
}

static int level_of(real e, real largest)
{
	int k = 0;
	for (real bound = largest / NARROWER; k < LEVELS - 1 && e <= bound; bound /= NARROWER) ++k;
	return k;
}

/* Groups items by level, in the order of the boxes, and computes the cell sizes. */
static void make_levels(search *s)
{
	const box_list *l = s->boxes;
	real largest = 0;
	for (int32_t i = 0; i < l->count; ++i) largest = real_max(largest, extent(l, i));
	int64_t count[LEVELS] = {0}, next = 0;
	for (int32_t i = 0; i < l->count; ++i) {
		real e = extent(l, i);
		int k = level_of(e, largest);
		++count[k];
		s->level[k].size = real_max(s->level[k].size, e);
	}
	for (int k = 0; k < LEVELS; next += count[k++]) s->level[k].first = s->level[k].last = next;
	for (int32_t i = 0; i < l->count; ++i) s->item[s->level[level_of(extent(l, i), largest)].last++].value = i;
	for (int k = 0; k < LEVELS; ++k) {
		/* rounding must not put an empty cell between the centres of two boxes that meet */
		real size = s->level[k].size * (real)1.0000001;
		s->level[k].size = size > 0 ? size : largest > 0 ? largest : 1;
	}
}

SCREE_FN real cell_of(const search *s, real x, int d, real size) { return scree_floor((x - s->origin[d]) / size) + 2; }

/* Finds the cells of a level's boxes. Returns false if space is too large for the keys at this cell size. */
static bool find_cells(search *s, const level *v)
{
	const box_list *l = s->boxes;
	for (int64_t k = v->first; k < v->last; ++k) {
		int32_t i = s->item[k].value;
		uint64_t key = 0;
		for (int d = 2; d >= 0; --d) {
			real at = cell_of(s, (l->low[d][i] + l->high[d][i]) / 2, d, v->size);
			if (!(at >= 0 && at < (real)((1 << BITS) - 4))) return false;
			key = key << BITS | (uint64_t)at;
		}
		s->item[k].key = key;
	}
	return true;
}

static void sort_levels(search *s)
{
	sort_item *tmp = scree_alloc((size_t)s->boxes->count, sizeof *tmp);
	for (int k = 0; k < LEVELS; ++k) {
		level *v = s->level + k;
		while (!find_cells(s, v)) v->size *= 2; /* a body is far away; larger cells are also correct */
		scree_sort(s->item + v->first, tmp, v->last - v->first);
	}
	scree_free(tmp);
}

static int64_t lower_bound(const search *s, const level *v, uint64_t key)
{
	return scree_sort_find(s->item, v->first, v->last, key);
}

/* ------------------------------------------------------------------ pairs */

static void scan(const search *s, const level *v, int64_t i, int64_t from, uint64_t last, box_pairs *out)
{
	for (int64_t k = from; k < v->last && s->item[k].key <= last; ++k)
		if (near_boxes_meet(&s->sorted, (int32_t)i, (int32_t)k))
			scree_box_pairs_add(out, s->item[i].value, s->item[k].value);
}

/* Adds pairs of items from .. to-1 with later items in their level. */
static void within_level(const search *s, const level *v, int64_t from, int64_t to, box_pairs *out)
{
	/* the four rows of cells that follow the box's own: (+y), (-y +z), (+z), (+y +z), each from x-1 to x+1 */
	const uint64_t row[4] = {ONE_Y, ONE_Z - ONE_Y, ONE_Z, ONE_Z + ONE_Y};
	int64_t start[4];
	for (int r = 0; r < 4; ++r) start[r] = lower_bound(s, v, s->item[from].key + row[r] - ONE_X);
	for (int64_t i = from; i < to; ++i) {
		uint64_t key = s->item[i].key;
		scan(s, v, i, i + 1, key + ONE_X, out);
		for (int r = 0; r < 4; ++r) {
			uint64_t first = key + row[r] - ONE_X;
			while (start[r] < v->last && s->item[start[r]].key < first) ++start[r];
			scan(s, v, i, start[r], key + row[r] + ONE_X, out);
		}
	}
}

/* Rows of cells of a coarser level that may contain the centres of boxes that meet a given box, and the items in these
 * cells; there are at most four rows along y and along z. */
typedef struct cell_rows {
	uint64_t low[3], high[3];
	int rows;
	int64_t from[16], to[16];
} cell_rows;

/* Finds the cells within half a coarse box of a box. Returns whether they are the same as for the previous box. */
static bool reach_cells(const search *s, const level *v, int64_t i, cell_rows *o)
{
	bool same = true;
	for (int d = 0; d < 3; ++d) {
		/* cells are larger than boxes by at least 1e-7, so that rounding cannot miss a cell */
		real low = cell_of(s, s->sorted.low[d][i] - v->size / 2, d, v->size);
		real high = cell_of(s, s->sorted.high[d][i] + v->size / 2, d, v->size);
		uint64_t first = (uint64_t)real_max(low, 0);
		uint64_t last = (uint64_t)real_clamp(high, 0, (real)((1 << BITS) - 1));
		same &= first == o->low[d] && last == o->high[d];
		o->low[d] = first;
		o->high[d] = last;
	}
	return same;
}

static void find_rows(const search *s, const level *v, cell_rows *o)
{
	o->rows = 0;
	for (uint64_t z = o->low[2]; z <= o->high[2]; ++z)
		for (uint64_t y = o->low[1]; y <= o->high[1]; ++y) {
			uint64_t row = z * ONE_Z + y * ONE_Y;
			int64_t from = lower_bound(s, v, row + o->low[0]), to = from;
			while (to < v->last && s->item[to].key <= row + o->high[0]) ++to;
			o->from[o->rows] = from;
			o->to[o->rows] = to;
			o->rows += to > from;
		}
}

/* Adds pairs of items from .. to-1 with items of a coarser level. */
static void with_coarser(const search *s, const level *v, int64_t from, int64_t to, box_pairs *out)
{
	cell_rows o = {.low = {UINT64_MAX, 0, 0}}; /* a value that does not occur for any box */
	for (int64_t i = from; i < to; ++i) {
		if (!reach_cells(s, v, i, &o)) find_rows(s, v, &o);
		for (int r = 0; r < o.rows; ++r)
			for (int64_t k = o.from[r]; k < o.to[r]; ++k)
				if (near_boxes_meet(&s->sorted, (int32_t)i, (int32_t)k))
					scree_box_pairs_add(out, s->item[i].value, s->item[k].value);
	}
}

static void find_piece(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const search *s = what;
	box_pairs *out = s->found + from / GRAIN;
	for (int k = 0; k < LEVELS; ++k) {
		const level *v = s->level + k;
		int64_t first = from > v->first ? from : v->first, last = to < v->last ? to : v->last;
		if (first >= last) continue;
		within_level(s, v, first, last, out);
		for (int c = 0; c < k; ++c)
			if (s->level[c].first < s->level[c].last) with_coarser(s, s->level + c, first, last, out);
	}
}

static void copy_boxes(search *s, real *copy[6])
{
	const box_list *l = s->boxes;
	for (int d = 0; d < 6; ++d) {
		const real *from = d < 3 ? l->low[d] : l->high[d - 3];
		copy[d] = scree_alloc((size_t)l->count, sizeof *copy[d]);
		for (int32_t i = 0; i < l->count; ++i) copy[d][i] = from[s->item[i].value];
		*(d < 3 ? s->sorted.low + d : s->sorted.high + (d - 3)) = copy[d];
	}
}

bool scree_grid_find(SCREE_UNUSED broad_search *unused, const box_list *l, SCREE_UNUSED bool all, box_pairs *out)
{
	out->count = 0;
	if (l->count < 2) return true;
	search s = {.boxes = l, .item = scree_alloc((size_t)l->count, sizeof *s.item)};
	for (int d = 0; d < 3; ++d) {
		s.origin[d] = l->low[d][0];
		for (int32_t i = 1; i < l->count; ++i) s.origin[d] = real_min(s.origin[d], l->low[d][i]);
	}
	make_levels(&s);
	sort_levels(&s);
	real *copy[6];
	copy_boxes(&s, copy);

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
	scree_free(s.item);
	return true;
}
