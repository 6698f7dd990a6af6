#include "format/contacts_by_id.h"

#include "base/memory.h"
#include "world/world.h"

#include <stdlib.h>

static int compare(const void *x, const void *y)
{
	const contact_by_id *a = x, *b = y;
	return contact_key_order(&a->key, &b->key);
}

contact_by_id *scree_contacts_by_id(const scree_world *w, int kind, int32_t *count)
{
	const pair_list *l = w->pair + kind;
	*count = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		*count += scree_contact_counted(w, kind, c.row);
	contact_by_id *t = scree_alloc((size_t)*count, sizeof *t);
	int32_t k = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		if (scree_contact_counted(w, kind, c.row)) t[k++] = (contact_by_id){scree_contact_key(w, kind, c.row), c.row};
	if (k) qsort(t, (size_t)k, sizeof *t, compare);
	return t;
}
