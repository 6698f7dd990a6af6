/* restore: gives pairs their history after loading. The slots made here live until the next search for pairs,
 * which hands the history over by key like any other. */
#include "prepare/prepare.h"

#include "base/memory.h"
#include "base/sort.h"

static int32_t row_with(const sort_item *item, int64_t count, uint64_t id)
{
	int64_t low = scree_sort_find(item, 0, count, id);
	SCREE_ASSERT(low < count && item[low].key == id);
	return item[low].value;
}

void scree_world_restore_pairs(scree_world *w, int kind, int64_t count, const contact_key *key,
							   const pair_list *history)
{
	const pair_row *row = scree_pair_kinds + kind;
	const bodies *b = &w->body;
	sort_item *item = scree_alloc((size_t)b->count, sizeof *item), *tmp = scree_alloc((size_t)b->count, sizeof *tmp);
	for (int32_t i = 0; i < b->count; ++i) item[i] = (sort_item){b->id[i], i};
	scree_sort(item, tmp, b->count);
	pair_list *l = w->pair + kind;
	l->count = 0;
	scree_pair_list_remember(l, history->remembers | (row->formula ? 0 : REMEMBERS_GEOMETRY));
	scree_pair_list_reserve(l, count);
	l->count = count;
	scree_free(l->met);
	l->met = w->period.on && !row->on_wall ? scree_alloc((size_t)count, sizeof *l->met) : NULL;
	scree_pair_list_cut_even(l, row->piece);
	for (int64_t k = 0; k < count; ++k) {
		l->a[k] = row_with(item, b->count, key[k].a);
		l->b[k] = row->on_wall ? w->wall.row[key[k].b].first_surface + (int32_t)key[k].feature
							   : row_with(item, b->count, key[k].b);
		l->row[k] = l->slot[k] = (int32_t)k; /* every slot touches and has its row */
		l->ca[k] = l->a[k];
		l->cb[k] = l->b[k];
		l->touch[k] = 1;
		if (l->met) l->met[k] = key[k].image;
		for (int f = 0; f < scree_history_table.count; ++f) {
			const field *o = scree_history_table.row + f;
			if (!scree_pair_has(l, f)) continue;
			((real *)scree_field_array(l, o))[k] = ((const real *)scree_field_array(history, o))[k];
		}
	}
	for (int32_t p = 0; p < l->pieces; ++p) l->used[p] = (int32_t)(l->piece[p + 1] - l->piece[p]);
	scree_free(item);
	scree_free(tmp);
	w->margin.stale = true;
}
