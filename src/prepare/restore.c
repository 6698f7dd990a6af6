/* restore: gives pairs their history after loading. The slots made here live until the next search for pairs,
 * which hands the history over by key like any other. */
#include "prepare/prepare.h"

#include "base/memory.h"
#include "base/sort.h"
#include "broad/pair_lists.h"

static int32_t row_with(const sort_item *item, int64_t count, uint64_t id)
{
	int64_t low = scree_sort_find(item, 0, count, id);
	SCREE_ASSERT(low < count && item[low].key == id);
	return item[low].value;
}

/* bodies that touch do so through the nearest image */
static image image_now(const scree_world *w, int32_t a, int32_t b)
{
	const bodies *o = &w->body;
	int32_t code = scree_periods_nearest(&w->period, body_position(o, a), body_position(o, b));
	return image_kept(&w->period, code, body_cell(o, a), body_cell(o, b));
}

void scree_world_restore_pairs(scree_world *w, int kind, int64_t count, const uint64_t *ida, const uint64_t *idb,
							   const pair_list *history)
{
	const bodies *b = &w->body;
	sort_item *item = scree_alloc((size_t)b->count, sizeof *item), *tmp = scree_alloc((size_t)b->count, sizeof *tmp);
	for (int32_t i = 0; i < b->count; ++i) item[i] = (sort_item){b->id[i], i};
	scree_sort(item, tmp, b->count);
	pair_list *l = w->pair + kind;
	l->count = 0;
	scree_pair_list_reserve(l, count);
	l->count = count;
	scree_free(l->met);
	l->met = w->period.on && kind < PAIR_SPHERE_WALL ? scree_alloc((size_t)count, sizeof *l->met) : NULL;
	scree_pair_list_cut_even(l, SCREE_PIECE_CONVEX);
	for (int64_t k = 0; k < count; ++k) {
		l->a[k] = row_with(item, b->count, ida[k]);
		l->b[k] = kind >= PAIR_SPHERE_WALL ? (int32_t)idb[k] : row_with(item, b->count, idb[k]);
		l->row[k] = l->slot[k] = (int32_t)k; /* every slot touches and has its row */
		l->ca[k] = l->a[k];
		l->cb[k] = l->b[k];
		l->touch[k] = 1;
		if (l->met) l->met[k] = image_now(w, l->a[k], l->b[k]);
		for (int f = 0; f < scree_history_table.count; ++f) {
			const field *row = scree_history_table.row + f;
			((real *)scree_field_array(l, row))[k] = ((const real *)scree_field_array(history, row))[k];
		}
	}
	for (int32_t p = 0; p < l->pieces; ++p) l->used[p] = (int32_t)(l->piece[p + 1] - l->piece[p]);
	scree_free(item);
	scree_free(tmp);
	w->margin.stale = true;
}
