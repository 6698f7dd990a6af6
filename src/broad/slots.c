/* slots: space divided once and for all, as on the web page "Grouping the particles": strips across x or
 * y, or cells of both, at least as wide as the largest box. Boxes are binned by their middles; each is compared with
 * those of its own slot and of the next ones on one side, so that no pair is looked at twice. Middles outside of the
 * area belong to the outermost slots: right, only slower.
 *
 * In 3D strips are slices and cells are columns: z is left to the comparison of boxes. */
#include "broad/phases.h"

#include "base/memory.h"

typedef struct slots {
	const box_list *boxes;
	int axes, axis[2];
	int32_t count[2];
	real low[2], scale[2];
	int64_t *start; /* [slots+1] first item of each */
	int32_t *item;
} slots;

static real middle(const box_list *l, int d, int32_t i) { return (l->low[d][i] + l->high[d][i]) / 2; }

/* where the area begins and ends along an axis: what the world says, or what the boxes take */
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

/* slots along axis number k, not more than `most` */
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
	/* no rounding takes two boxes that meet farther apart than to the next slot */
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

/* items by slot, rising in each */
static void bin(slots *o)
{
	int32_t boxes = o->boxes->count;
	int64_t count = (int64_t)o->count[0] * o->count[1];
	o->start = scree_alloc((size_t)count + 2, sizeof *o->start);
	o->item = scree_alloc((size_t)boxes, sizeof *o->item);
	int64_t *slot = scree_alloc((size_t)boxes, sizeof *slot);
	for (int32_t i = 0; i < boxes; ++i) ++o->start[(slot[i] = slot_of(o, i)) + 2];
	for (int64_t k = 0; k < count; ++k) o->start[k + 2] += o->start[k + 1];
	for (int32_t i = 0; i < boxes; ++i) o->item[o->start[slot[i] + 1]++] = i;
	scree_free(slot);
}

static void compare(const slots *o, int32_t i, int64_t from, int64_t to, box_pairs *out)
{
	for (int64_t k = from; k < to; ++k)
		if (boxes_meet(o->boxes, i, o->item[k])) scree_box_pairs_add(out, i, o->item[k]);
}

/* all of slot a with all of slot b, or among themselves; returns how many comparisons that is */
static int64_t compare_slots(const slots *o, int64_t a, int64_t b, box_pairs *out)
{
	int64_t in_a = o->start[a + 1] - o->start[a], in_b = o->start[b + 1] - o->start[b];
	for (int64_t k = o->start[a]; k < o->start[a + 1]; ++k)
		compare(o, o->item[k], a == b ? k + 1 : o->start[b], o->start[b + 1], out);
	return a == b ? in_a * (in_a - 1) / 2 : in_a * in_b;
}

/* slot (x, y) with itself and with the next ones: to the right, and of the next row left, above and right */
static int64_t compare_around(const slots *o, int32_t x, int32_t y, box_pairs *out)
{
	static const int32_t next[5][2] = {{0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
	int64_t own = (int64_t)y * o->count[0] + x, comparisons = 0;
	if (o->start[own] == o->start[own + 1]) return 0;
	for (int k = 0; k < 5; ++k) {
		int32_t nx = x + next[k][0], ny = y + next[k][1];
		if (nx < 0 || nx >= o->count[0] || ny >= o->count[1]) continue;
		comparisons += compare_slots(o, own, (int64_t)ny * o->count[0] + nx, out);
	}
	return comparisons;
}

static bool find(broad_search *s, slots o, box_pairs *out)
{
	out->count = 0;
	if (o.boxes->count < 2) return true;
	real most = real_max(4 * (real)o.boxes->count, 1 << 18); /* what lies far away costs time, not memory */
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
	scree_free(o.start);
	scree_free(o.item);
	return true;
}

bool scree_slots_x_find(broad_search *s, const box_list *l, bool all, box_pairs *out)
{
	(void)all;
	return find(s, (slots){.boxes = l, .axes = 1, .axis = {0}}, out);
}

bool scree_slots_y_find(broad_search *s, const box_list *l, bool all, box_pairs *out)
{
	(void)all;
	return find(s, (slots){.boxes = l, .axes = 1, .axis = {1}}, out);
}

bool scree_slots_cells_find(broad_search *s, const box_list *l, bool all, box_pairs *out)
{
	(void)all;
	return find(s, (slots){.boxes = l, .axes = 2, .axis = {0, 1}}, out);
}
