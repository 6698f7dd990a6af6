/* pair_lists_given: replaces lists of pairs by those that a device has found. */
#include "base/memory.h"
#include "broad/broad.h"
#include "broad/pair_lists.h"
#include "broad/stage.h"
#include "broad/work.h"

#include <string.h>

static void give_rows(pair_list *l)
{
	for (int32_t p = 0; p < l->pieces; ++p) l->used[p] = (int32_t)(l->piece[p + 1] - l->piece[p]);
	for (int64_t k = 0; k < l->count; ++k) {
		l->row[k] = l->slot[k] = (int32_t)k;
		l->ca[k] = l->a[k];
		l->cb[k] = l->b[k];
	}
}

void scree_pair_list_give(state *s, work *w, int kind, int64_t count, const int32_t *a, const int32_t *b,
						  const image *met)
{
	pair_list *l = s->pair + kind;
	slot_cache *cache = &w->pair[kind].cache;
	contact_work *contact = &w->pair[kind].contact;
	scree_pair_list_reserve(l, count);
	l->count = count;
	if (count > 0) memcpy(l->a, a, (size_t)count * sizeof *a);
	if (count > 0) memcpy(l->b, b, (size_t)count * sizeof *b);
	scree_free(l->met);
	l->met = met ? scree_copy(met, (size_t)count, sizeof *met) : NULL;
	if (pair_on_wall(kind))
		scree_pair_list_cut_at_groups(l, w->near + kind, scree_pair_piece(kind, count));
	else
		scree_pair_list_cut_even(l, scree_pair_piece(kind, count));
	give_rows(l);
	scree_slot_cache_room(cache, count);
	scree_slot_cache_clear(cache);
	scree_contact_work_room(contact, contact->derives, l->capacity);
	scree_broad_search_free(&w->broad->search); /* the pairs of its last search are others */
}
