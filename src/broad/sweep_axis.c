
#include "base/memory.h"
#include "base/sort.h"
#include "broad/phases.h"

#include <string.h>

/* A total order makes the list reproducible: first by value, then with lower ends before upper ends, so that touching
 * boxes meet, and last by id. The lower end of a box is never after its upper end. */
SCREE_FN bool before(box_end x, box_end y, const uint64_t *id)
{
	if (x.value != y.value) return x.value < y.value;
	if ((x.code ^ y.code) & 1) return !(x.code & 1);
	return id[x.code >> 1] < id[y.code >> 1];
}

/* Tests whether boxes meet on all axes except d, by new values, since ends on other axes may be partly updated. */
SCREE_FN bool meet_beside(const sweep_boxes *o, int d, int32_t a, int32_t b)
{
	const real *p = o->side[a], *q = o->side[b];
	for (int e = 0; e < o->axes; ++e)
		if (e != d && !(p[e] <= q[e + 3] && q[e] <= p[e + 3])) return false;
	return true;
}

static void note(sweep_axis *a, int32_t x, int32_t y, bool add)
{
	a->change = scree_room(a->change, a->changes, &a->change_capacity, sizeof *a->change);
	a->change[a->changes++] = (pair_change){x, y, add};
}

/* Moves x to the left of y. */
SCREE_FN void exchange(sweep_axis *a, const sweep_boxes *o, int d, box_end x, box_end y)
{
	if (!((x.code ^ y.code) & 1)) return; /* two lower or two upper ends: no pair begins or ends */
	int32_t p = (int32_t)(x.code >> 1), q = (int32_t)(y.code >> 1);
	if (x.code & 1)
		note(a, p, q, false); /* added regardless of whether the boxes meet on the other axes */
	else if (meet_beside(o, d, p, q))
		note(a, p, q, true);
}

int64_t scree_sweep_settle(sweep_axis *a, const sweep_boxes *o, int d, int64_t s)
{
	box_end *end = a->end, x = end[s];
	x.value = o->side[x.code >> 1][x.code & 1 ? d + 3 : d];
	int64_t k = s;
	while (k > 0 && before(x, end[k - 1], o->id)) {
		exchange(a, o, d, x, end[k - 1]);
		end[k] = end[k - 1];
		--k;
	}
	end[k] = x;
	return s - k;
}

void scree_sweep_update(sweep_axis *a, const sweep_boxes *o, int d, int64_t limit)
{
	enum { AHEAD = 16 };
	a->changes = a->exchanges = 0;
	a->gave_up = false;
	int64_t exchanges = 0;
	for (int64_t s = 0; s < a->count; ++s) {
		__builtin_prefetch(o->side[a->end[s + AHEAD < a->count ? s + AHEAD : s].code >> 1]);
		exchanges += scree_sweep_settle(a, o, d, s);
		if (exchanges > limit) a->gave_up = true;
		if (a->gave_up) break;
	}
	a->exchanges = exchanges;
}

static void make_room(sweep_axis *a, int64_t count)
{
	if (count <= a->capacity) return;
	int64_t capacity = count + count / 2 + 64;
	a->end = scree_grow(a->end, (size_t)a->count, (size_t)capacity, sizeof *a->end);
	a->capacity = capacity;
}

void scree_sweep_append(sweep_axis *a, int32_t box)
{
	make_room(a, a->count + 2);
	for (uint32_t upper = 0; upper < 2; ++upper) a->end[a->count++] = (box_end){0, 2 * (uint32_t)box + upper};
}

void scree_sweep_purge(sweep_axis *a, const int32_t *row)
{
	int64_t kept = 0;
	for (int64_t k = 0; k < a->count; ++k) {
		a->end[kept] = a->end[k];
		kept += row[a->end[k].code >> 1] >= 0 ? 1 : 0;
	}
	a->count = kept;
}

void scree_sweep_sort(sweep_axis *a, const sweep_boxes *o, int d, const int32_t *box, int32_t count)
{
	int64_t ends = 2 * (int64_t)count;
	a->count = a->changes = 0;
	make_room(a, ends);
	sort_item *item = scree_alloc((size_t)ends, sizeof *item);
	/* the sort is stable: equal items keep this order */
	for (int64_t k = 0; k < ends; ++k) {
		bool upper = k >= count;
		int32_t i = box[upper ? k - count : k];
		item[k].key = sort_key(o->side[i][upper ? d + 3 : d]);
		item[k].value = 2 * i + (upper ? 1 : 0);
	}
	scree_sort_alone(item, ends);
	for (int64_t k = 0; k < ends; ++k) {
		uint32_t code = (uint32_t)item[k].value;
		a->end[k] = (box_end){o->side[code >> 1][code & 1 ? d + 3 : d], code};
	}
	a->count = ends;
	scree_free(item);
}

void scree_sweep_axis_free(sweep_axis *a)
{
	SCREE_FREE_ALL(a->end, a->change);
	memset(a, 0, sizeof *a);
}
