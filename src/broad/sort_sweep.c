/* sort_sweep: boxes are processed in the order of their lower ends along one axis, and each box is compared with
 * earlier boxes that have not ended ("sort and sweep", Baraff 1992). Boxes are kept in strips perpendicular to a second
 * axis, and are compared only within strips: in 2D the cost is O(N), plus the sort. */
#include "broad/phases.h"

#include "base/memory.h"
#include "base/sort.h"

typedef struct strip {
	int32_t count, capacity;
	int32_t *row;
} strip;

typedef struct strips {
	const box_list *boxes;
	int along, across; /* axes of the sweep and the strips */
	int32_t count;
	real low, scale;
	strip *strip;
	int64_t comparisons;
} strips;

/* Approximate number of boxes that fit side by side along an axis. */
static real length_of(const box_list *l, int d, real *low, real *spread)
{
	real high = l->high[d][0], sum = 0;
	*low = l->low[d][0];
	for (int32_t i = 0; i < l->count; ++i) {
		*low = real_min(*low, l->low[d][i]);
		high = real_max(high, l->high[d][i]);
		sum += l->high[d][i] - l->low[d][i];
	}
	*spread = high - *low;
	return sum > 0 ? *spread / sum * l->count : *spread > 0 ? (real)l->count : 0;
}

/* The sweep is along the longest axis, and the strips are perpendicular to the next longest one. */
static strips choose_axes(const box_list *l)
{
	strips s = {.boxes = l, .along = 0, .across = 1, .count = 1};
	real length[3] = {-1, -1, -1}, low[3], spread[3];
	for (int d = 0; d < (l->flat ? 2 : 3); ++d) length[d] = length_of(l, d, low + d, spread + d);
	for (int d = 1; d < 3; ++d)
		if (length[d] > length[s.along]) s.along = d;
	s.across = s.along == 0 ? 1 : 0;
	for (int d = 0; d < 3; ++d)
		if (d != s.along && length[d] > length[s.across]) s.across = d;
	real wanted = real_clamp(length[s.across] / 2, 1, (real)l->count); /* an average box is in two or three strips */
	s.count = (int32_t)wanted;
	s.low = low[s.across];
	s.scale = spread[s.across] > 0 ? s.count / spread[s.across] : 0;
	s.strip = scree_alloc((size_t)s.count, sizeof *s.strip);
	return s;
}

static int32_t strip_of(const strips *s, real x)
{
	real at = (x - s->low) * s->scale;
	return at > 0 ? (int32_t)real_min(at, (real)(s->count - 1)) : 0;
}

static void add_row(strip *t, int32_t i)
{
	if (t->count == t->capacity) {
		t->capacity = t->capacity * 2 + 8;
		t->row = scree_grow(t->row, (size_t)t->count, (size_t)t->capacity, sizeof *t->row);
	}
	t->row[t->count++] = i;
}

/* Compares box i with the boxes in strip k, and removes boxes that have ended from the strip. */
static void scan_strip(strips *s, int32_t i, int32_t k, box_pairs *out)
{
	const box_list *l = s->boxes;
	strip *t = s->strip + k;
	real begin = l->low[s->along][i], across = l->low[s->across][i];
	for (int32_t n = 0; n < t->count;) {
		int32_t j = t->row[n];
		if (l->high[s->along][j] < begin) {
			t->row[n] = t->row[--t->count];
			continue;
		}
		++n;
		++s->comparisons;
		/* adds the pair only in the first strip that contains both boxes */
		if (boxes_meet(l, i, j) && strip_of(s, real_max(across, l->low[s->across][j])) == k)
			scree_box_pairs_add(out, i, j);
	}
}

bool scree_sort_sweep_find(broad_search *search, const box_list *l, SCREE_UNUSED bool all, box_pairs *out)
{
	out->count = 0;
	if (l->count < 2) return true;
	strips s = choose_axes(l);
	sort_item *item = scree_alloc((size_t)l->count, sizeof *item);
	for (int32_t i = 0; i < l->count; ++i) item[i] = (sort_item){sort_key(l->low[s.along][i]), i};
	scree_sort_alone(item, l->count);
	for (int32_t n = 0; n < l->count; ++n) {
		int32_t i = item[n].value;
		int32_t first = strip_of(&s, l->low[s.across][i]), last = strip_of(&s, l->high[s.across][i]);
		for (int32_t k = first; k <= last; ++k) {
			scan_strip(&s, i, k, out);
			add_row(s.strip + k, i);
		}
	}
	for (int32_t k = 0; k < s.count; ++k) scree_free(s.strip[k].row);
	SCREE_FREE_ALL(s.strip, item);
	search->count.comparisons += s.comparisons;
	return true;
}
