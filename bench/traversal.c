/* traversal: the walk consists of two recursions, one through cells and one through the levels above a vertex.
 *
 * Hilbert's curve for any number of axes follows Hamilton (2006): the corners of a cell are visited in the order of a
 * Gray code, rotated so that the curve enters at one corner and leaves along one axis. Peano's curve runs back and
 * forth: an axis is reversed where the digits of the other axes have an odd sum, both inside the children and in their
 * order. */
#include "traversal.h"

#include "broad/broad.h"
#include "broad/phases.h"

typedef struct walk {
	const levels *s;
	int32_t deepest; /* deepest level of cells in the regular grid */
	traversal_order order;
	const traversal_events *event;
	level_table touched;
} walk;

/* orientation of the curve in a cell. For Hilbert's curve, bits of the corner where it enters, and the axis along which
 * it leaves. For Peano's curve, bits of the reversed axes */
typedef struct lie {
	uint32_t corner, axis;
} lie;

/* ------------------------------------------------------------------ the grid */

int32_t traversal_deepest(const levels *s)
{
	int64_t deepest = 0;
	for (int32_t n = 0; n < s->vertices.numbers; ++n)
		if (s->vertices.place[n].level > deepest) deepest = s->vertices.place[n].level;
	return (int32_t)deepest;
}

static bool has_children(const levels *s, int32_t deepest, const level_place *cell)
{
	return s->grid == LEVELS_REGULAR ? cell->level < deepest : is_refined(s, cell);
}

bool traversal_has_cell(const levels *s, int32_t deepest, const level_place *cell)
{
	int64_t cells = s->mesh[0] / s->mesh[cell->level];
	for (int d = 0; d < s->axes; ++d)
		if (cell->at[d] < 0 || cell->at[d] >= cells) return false;
	if (cell->level == 0) return true;
	level_place above = {.level = cell->level - 1};
	for (int d = 0; d < s->axes; ++d) above.at[d] = cell->at[d] / s->k;
	return has_children(s, deepest, &above);
}

/* ------------------------------------------------------------------ curves */

static uint32_t turned(uint32_t bits, uint32_t by, uint32_t axes)
{
	by %= axes;
	return (bits << by | bits >> (axes - by)) & ((1u << axes) - 1);
}

static uint32_t gray(uint32_t n) { return n ^ n >> 1; }

static uint32_t trailing_ones(uint32_t n)
{
	uint32_t count = 0;
	for (; n & 1; n >>= 1) ++count;
	return count;
}

static lie hilbert_child(uint32_t n, lie of, uint32_t axes, int64_t at[3])
{
	uint32_t corner = turned(gray(n), of.axis + 1, axes) ^ of.corner;
	for (uint32_t d = 0; d < axes; ++d) at[d] = corner >> d & 1;
	uint32_t enter = n ? gray((n - 1) / 2 * 2) : 0, along = n ? trailing_ones(n & 1 ? n : n - 1) % axes : 0;
	return (lie){of.corner ^ turned(enter, of.axis + 1, axes), (of.axis + along + 1) % axes};
}

/* the first axis varies most slowly */
static lie peano_child(uint32_t n, lie of, uint32_t axes, int64_t at[3])
{
	uint32_t digit[3] = {0}, all = 0;
	for (uint32_t d = axes; d-- > 0; n /= 3) all += digit[d] = n % 3;
	lie child = of;
	for (uint32_t d = 0, before = 0; d < axes; before += digit[d++]) {
		bool back = (before ^ of.corner >> d) & 1;
		at[d] = back ? 2 - digit[d] : digit[d];
		child.corner ^= ((all - digit[d]) & 1) << d;
	}
	return child;
}

/* position of child number n in its cell, and orientation of the curve in this child */
static lie child_of(const walk *w, uint32_t n, lie of, int64_t at[3])
{
	uint32_t axes = (uint32_t)w->s->axes;
	if (w->order == TRAVERSAL_HILBERT) return hilbert_child(n, of, axes, at);
	if (w->order == TRAVERSAL_PEANO) return peano_child(n, of, axes, at);
	for (uint32_t d = 0; d < axes; ++d, n /= (uint32_t)w->s->k) at[d] = n % (uint32_t)w->s->k;
	return of;
}

/* ------------------------------------------------------------------ the walk */

static level_place corner_of(const level_place *cell, int c, int axes)
{
	level_place vertex = *cell;
	for (int d = 0; d < axes; ++d) vertex.at[d] += c >> d & 1;
	return vertex;
}

static void enter(walk *w, const level_place *cell)
{
	for (int c = 0; c < 1 << w->s->axes; ++c) {
		level_place vertex = corner_of(cell, c, w->s->axes);
		if (scree_level_table_find(&w->touched, &vertex) >= 0) continue;
		scree_level_table_add(&w->touched, &vertex);
		w->event->touch_vertex_first_time(w->event->what, &vertex);
	}
	w->event->enter_cell(w->event->what, cell, has_children(w->s, w->deepest, cell));
}

static void descend(walk *w, const level_place *cell, lie of)
{
	enter(w, cell);
	if (!has_children(w->s, w->deepest, cell)) return;
	uint32_t children = 1;
	for (int d = 0; d < w->s->axes; ++d) children *= (uint32_t)w->s->k;
	for (uint32_t n = 0; n < children; ++n) {
		int64_t at[3] = {0};
		lie inside = child_of(w, n, of, at);
		level_place child = {.level = cell->level + 1};
		for (int d = 0; d < w->s->axes; ++d) child.at[d] = cell->at[d] * w->s->k + at[d];
		descend(w, &child, inside);
	}
}

static void row_by_row(walk *w)
{
	const levels *s = w->s;
	for (int32_t level = 0; level <= w->deepest; ++level) {
		int64_t cells = s->mesh[0] / s->mesh[level];
		level_place p = {.level = level};
		for (p.at[2] = 0; p.at[2] < (s->axes == 3 ? cells : 1); ++p.at[2])
			for (p.at[1] = 0; p.at[1] < cells; ++p.at[1])
				for (p.at[0] = 0; p.at[0] < cells; ++p.at[0])
					if (traversal_has_cell(s, w->deepest, &p)) enter(w, &p);
	}
}

void traverse(const broad_search *search, traversal_order order, const traversal_events *e)
{
	const levels *s = search->memory;
	walk w = {.s = s, .deepest = traversal_deepest(s), .order = order, .event = e};
	if (order == TRAVERSAL_ROWS)
		row_by_row(&w);
	else
		descend(&w, &(level_place){0}, (lie){0, 0});
	scree_level_table_free(&w.touched);
}

/* ------------------------------------------------------------------ the algorithm's comparisons */

/* Cells that contain both corners differ along the axes on which the corners are equal. Along these axes the pair is at
 * the lower or the upper side of a cell, and belongs to the cell for which the bits form the smallest number. Returns
 * whether the pair belongs to a cell other than `cell`. */
static bool is_others(const levels *s, int32_t deepest, const level_place *cell, int a, int b)
{
	int shared = ((1 << s->axes) - 1) & ~(a ^ b), sides = a & shared;
	for (int move = shared; move; move = (move - 1) & shared) {
		level_place other = *cell;
		for (int d = 0; d < s->axes; ++d)
			if (move >> d & 1) other.at[d] += a >> d & 1 ? 1 : -1;
		if ((sides ^ move) < sides && traversal_has_cell(s, deepest, &other)) return true;
	}
	return false;
}

int32_t traversal_corner_pairs(const levels *s, int32_t deepest, const level_place *cell, int32_t pair[28][2])
{
	int32_t count = 0;
	for (int a = 0; a < 1 << s->axes; ++a)
		for (int b = a + 1; b < 1 << s->axes; ++b) {
			if (is_others(s, deepest, cell, a, b)) continue;
			pair[count][0] = a;
			pair[count++][1] = b;
		}
	return count;
}

typedef struct comparison {
	const levels *s;
	const box_list *boxes;
	int32_t deepest;
	level_table touched;
	traversal_counts count;
	box_pairs *out;
} comparison;

static void compare(comparison *f, int32_t a, int32_t b)
{
	f->count.comparisons += 1;
	if (boxes_meet(f->boxes, a, b)) scree_box_pairs_add(f->out, a, b);
}

/* NULL if the table has no vertex at this position */
static const level_vertex *vertex_of(const comparison *f, const level_place *p)
{
	int32_t n = scree_level_table_find(&f->s->vertices, p);
	return n < 0 ? NULL : f->s->vertex + n;
}

static void compare_vertices(comparison *f, const level_vertex *a, const level_vertex *b)
{
	const int32_t *item = f->s->item;
	for (int32_t k = a->first; k < a->first + a->bodies; ++k)
		for (int32_t m = b->first; m < b->first + b->bodies; ++m) compare(f, item[k], item[m]);
}

/* corners of the cells of a coarser level that contain a vertex */
static void compare_virtuals(comparison *f, const level_place *fine, const level_vertex *v, int32_t level)
{
	int64_t ratio = f->s->mesh[level] / f->s->mesh[fine->level], low[3] = {0}, high[3] = {0};
	for (int d = 0; d < f->s->axes; ++d) {
		low[d] = fine->at[d] / ratio - (fine->at[d] % ratio == 0); /* a vertex on a border is in both cells */
		high[d] = fine->at[d] / ratio + 1;
	}
	level_place p = {.level = level};
	for (p.at[2] = low[2]; p.at[2] <= high[2]; ++p.at[2])
		for (p.at[1] = low[1]; p.at[1] <= high[1]; ++p.at[1])
			for (p.at[0] = low[0]; p.at[0] <= high[0]; ++p.at[0]) {
				const level_vertex *coarse = vertex_of(f, &p);
				if (!coarse || !coarse->bodies) continue;
				f->count.virtuals += coarse->bodies;
				if (scree_level_table_find(&f->touched, &p) < 0) f->count.early += coarse->bodies;
				compare_vertices(f, v, coarse);
			}
}

static void on_vertex(void *what, const level_place *p)
{
	comparison *f = what;
	f->count.vertices += 1;
	scree_level_table_add(&f->touched, p);
	const level_vertex *v = vertex_of(f, p);
	if (!v || !v->bodies) return;
	for (int32_t k = v->first; k < v->first + v->bodies; ++k)
		for (int32_t m = k + 1; m < v->first + v->bodies; ++m) compare(f, f->s->item[k], f->s->item[m]);
	for (int32_t level = 0; level < p->level; ++level) compare_virtuals(f, p, v, level);
}

static void on_cell(void *what, const level_place *cell, bool refined)
{
	(void)refined;
	comparison *f = what;
	f->count.cells += 1;
	const level_vertex *corner[8];
	int bodies = 0;
	for (int c = 0; c < 1 << f->s->axes; ++c) {
		level_place p = corner_of(cell, c, f->s->axes);
		corner[c] = vertex_of(f, &p);
		bodies += corner[c] && corner[c]->bodies;
	}
	if (bodies < 2) return;
	int32_t pair[28][2], pairs = traversal_corner_pairs(f->s, f->deepest, cell, pair);
	for (int32_t k = 0; k < pairs; ++k)
		if (corner[pair[k][0]] && corner[pair[k][1]]) compare_vertices(f, corner[pair[k][0]], corner[pair[k][1]]);
}

traversal_counts traversal_find(const broad_search *search, const box_list *l, traversal_order order, box_pairs *out)
{
	const levels *s = search->memory;
	comparison f = {.s = s, .boxes = l, .deepest = traversal_deepest(s), .out = out};
	traversal_events e = {&f, on_vertex, on_cell};
	out->count = 0;
	traverse(search, order, &e);
	scree_level_table_free(&f.touched);
	return f.count;
}
