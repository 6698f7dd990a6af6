#include "format/contacts_by_id.h"

#include "base/memory.h"
#include "world/world.h"

#include <stdlib.h>

static int compare(const void *x, const void *y)
{
	const contact_by_id *a = x, *b = y;
	if (a->ida != b->ida) return a->ida < b->ida ? -1 : 1;
	return a->idb < b->idb ? -1 : a->idb > b->idb;
}

contact_by_id *scree_contacts_by_id(const scree_world *w, int kind, int32_t *count)
{
	const pair_list *l = w->pair + kind;
	*count = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) ++*count;
	contact_by_id *t = scree_alloc((size_t)*count, sizeof *t);
	int32_t k = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		uint64_t idb = kind >= PAIR_SPHERE_WALL ? (uint64_t)l->cb[c.row] : w->body.id[l->cb[c.row]];
		t[k++] = (contact_by_id){w->body.id[l->ca[c.row]], idb, c.row};
	}
	if (k) qsort(t, (size_t)k, sizeof *t, compare);
	return t;
}
