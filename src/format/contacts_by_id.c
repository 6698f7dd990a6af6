#include "format/contacts_by_id.h"

#include "base/memory.h"
#include "base/sort.h"
#include "state/contact_key.h"
#include "state/contact_rows.h"
#include "state/pairs.h"
#include "world/world.h"

/* Sorts rows from .. to-1 with the same first body; most are already in order after the search for pairs. */
static void sort_partners(const scree_world *w, int kind, int64_t *row, int32_t from, int32_t to)
{
	for (int32_t i = from + 1; i < to; ++i) {
		int64_t x = row[i];
		contact_key key = scree_contact_key(&w->model, &w->state, kind, x);
		int32_t k = i;
		for (; k > from; --k) {
			contact_key before = scree_contact_key(&w->model, &w->state, kind, row[k - 1]);
			if (contact_key_order(&before, &key) <= 0) break;
			row[k] = row[k - 1];
		}
		row[k] = x;
	}
}

int64_t *scree_contacts_by_id(const scree_world *w, int kind, int32_t *count)
{
	const pair_list *l = w->state.pair + kind;
	const uint64_t *id = w->state.body.id;
	*count = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		*count += scree_contact_counted(&w->state, kind, c.row);
	int64_t *row = scree_alloc((size_t)*count, sizeof *row);
	sort_item *item = scree_alloc((size_t)*count, sizeof *item), *tmp = scree_alloc((size_t)*count, sizeof *tmp);
	int32_t k = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		if (scree_contact_counted(&w->state, kind, c.row)) item[k++] = (sort_item){id[l->ca[c.row]], (int32_t)c.row};
	scree_sort(item, tmp, *count);
	scree_free(tmp);
	for (k = 0; k < *count; ++k) row[k] = item[k].value;
	scree_free(item);
	for (int32_t from = 0; from < *count; from = k) {
		for (k = from + 1; k < *count && id[l->ca[row[k]]] == id[l->ca[row[from]]];) ++k;
		sort_partners(w, kind, row, from, k);
	}
	return row;
}
