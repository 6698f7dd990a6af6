/* slots: a fixed division of space, as on the web page "Grouping the particles": strips across x or y, or cells across
 * both, at least as wide as the largest box (in 3D slices and columns, without a division along z). Boxes are sorted
 * into slots by their centres. Each box is compared with its own slot and with the next slots on one side, so no pair
 * is tested twice. Boxes centred outside the area belong to the outermost slots, which is correct but slower. */
#include "broad/phases.h"

#include "base/memory.h"

typedef struct slots {
	const box_list *boxes;
	int axes, axis[2];
	int32_t count[2];
	real low[2], scale[2];
	int64_t *start; /* [slots+1] first item of each slot */
	int32_t *item;
	int across;					/* the axis that best separates boxes in neighbouring slots */
	real *item_low, *item_high; /* [boxes] sides along that axis, in the order of items */
} slots;

static real middle(const box_list *l, int d, int32_t i) { return (l->low[d][i] + l->high[d][i]) / 2; }

/* Finds the bounds of the area along an axis: the bounds of the world if given, otherwise the bounds of the boxes. */
static void find_area(const broad_search *s, const box_list *l, int d, real *low, real *high)
{
	*low = *high = middle(l, d, 0);
	for (int32_t i = 1; i < l->count; ++i) {
		*low = real_min(*low, middle(l, d, i));
		*high = real_max(*high, middle(l, d, i));
	}
	if (s->bounded && s->area_low[d] > -(real)INFINITY && s->area_high[d] < (real)INFINITY) {
		*low = s->area_low[d];
		*high = s->area_high[d];
	}
}

/* Chooses the number of slots along axis k, at most `most`. */
static void divide(slots *o, const broad_search *s, int k, real most)
{
	const box_list *l = o->boxes;
	int d = o->axis[k];
	real low, high, widest = 0, far = 0;
	find_area(s, l, d, &low, &high);
	for (int32_t i = 0; i < l->count; ++i) {
		widest = real_max(widest, l->high[d][i] - l->low[d][i]);
		far = real_max(far, real_max(real_abs(l->low[d][i]), real_abs(l->high[d][i])));
	}
	/* margin, so that boxes that meet are in the same slot or in neighbouring ones despite rounding */
	real width = widest * (real)1.0000001 + far * (real)1e-15;
	real count = width > 0 ? real_clamp((high - low) / width, 1, most) : 1;
	o->count[k] = (int32_t)count;
	o->low[k] = low;
	o->scale[k] = high > low ? o->count[k] / (high - low) : 0;
}

static int64_t slot_of(const slots *o, int32_t i)
{
	int64_t slot = 0;
	for (int k = o->axes - 1; k >= 0; --k) {
		real at = (middle(o->boxes, o->axis[k], i) - o->low[k]) * o->scale[k];
		slot = slot * o->count[k] + (int64_t)real_clamp(at, 0, (real)(o->count[k] - 1));
	}
	return slot;
}

/* Sorts items by slot, in ascending order within each slot. */
static void bin(slots *o)
{
	const box_list *l = o->boxes;
	int64_t count = (int64_t)o->count[0] * o->count[1];
	o->start = scree_alloc((size_t)count + 2, sizeof *o->start);
	o->item = scree_alloc((size_t)l->count, sizeof *o->item);
	o->item_low = scree_alloc((size_t)l->count, sizeof *o->item_low);
	o->item_high = scree_alloc((size_t)l->count, sizeof *o->item_high);
	int64_t *slot = scree_alloc((size_t)l->count, sizeof *slot);
	for (int32_t i = 0; i < l->count; ++i) ++o->start[(slot[i] = slot_of(o, i)) + 2];
	for (int64_t k = 0; k < count; ++k) o->start[k + 2] += o->start[k + 1];
	for (int32_t i = 0; i < l->count; ++i) {
		int64_t k = o->start[slot[i] + 1]++;
		o->item[k] = i;
		o->item_low[k] = l->low[o->across][i];
		o->item_high[k] = l->high[o->across][i];
	}
	scree_free(slot);
}

/* Compares item k with items from .. to-1. One branch covers both sides, since the outcomes are unpredictable. */
static void compare(const slots *o, int64_t k, int64_t from, int64_t to, box_pairs *out)
{
	const real *low = o->item_low, *high = o->item_high;
	const real low_k = low[k], high_k = high[k];
	for (int64_t j = from; j < to; ++j) {
		if (real_max(low[j] - high_k, low_k - high[j]) > 0) continue;
		if (boxes_meet(o->boxes, o->item[k], o->item[j])) scree_box_pairs_add(out, o->item[k], o->item[j]);
	}
}

/* Compares the boxes in slot (x, y) with each other and with the boxes in the slot to the right and in three slots of
 * the next row (left, above, right), which are adjacent in memory. Returns the number of comparisons. */
static int64_t compare_around(const slots *o, int32_t x, int32_t y, box_pairs *out)
{
	const int64_t *row = o->start + (int64_t)y * o->count[0], *next = row + o->count[0];
	int64_t from = row[x], to = row[x + 1], right = row[x + 1 < o->count[0] ? x + 2 : x + 1];
	if (from == to) return 0;
	int64_t above = 0, above_end = 0; /* range of slots in the next row */
	if (y + 1 < o->count[1]) {
		above = next[x > 0 ? x - 1 : x];
		above_end = next[x + 1 < o->count[0] ? x + 2 : x + 1];
	}
	for (int64_t k = from; k < to; ++k) {
		compare(o, k, k + 1, right, out);
		compare(o, k, above, above_end, out);
	}
	return (to - from) * (to - from - 1) / 2 + (to - from) * (right - to + above_end - above);
}

static bool find(broad_search *s, slots o, box_pairs *out)
{
	out->count = 0;
	if (o.boxes->count < 2) return true;
	real most = real_max(4 * (real)o.boxes->count, 1 << 18); /* distant boxes may cost time, but not memory */
	o.count[0] = o.count[1] = 1;
	for (int k = 0; k < o.axes; ++k) divide(&o, s, k, most);
	while ((real)o.count[0] * o.count[1] > most) {
		int k = o.count[0] > o.count[1] ? 0 : 1;
		o.scale[k] *= (real)(o.count[k] / 2) / o.count[k];
		o.count[k] /= 2;
	}
	bin(&o);
	for (int32_t y = 0; y < o.count[1]; ++y)
		for (int32_t x = 0; x < o.count[0]; ++x) s->count.comparisons += compare_around(&o, x, y, out);
	SCREE_FREE_ALL(o.start, o.item, o.item_low, o.item_high);
	return true;
}

bool scree_slots_x_find(broad_search *s, const box_list *l, SCREE_UNUSED bool all, box_pairs *out)
{
	return find(s, (slots){.boxes = l, .axes = 1, .axis = {0}, .across = 1}, out);
}

bool scree_slots_y_find(broad_search *s, const box_list *l, SCREE_UNUSED bool all, box_pairs *out)
{
	return find(s, (slots){.boxes = l, .axes = 1, .axis = {1}, .across = 0}, out);
}

bool scree_slots_cells_find(broad_search *s, const box_list *l, SCREE_UNUSED bool all, box_pairs *out)
{
	return find(s, (slots){.boxes = l, .axes = 2, .axis = {0, 1}, .across = l->flat ? 0 : 2}, out);
}
