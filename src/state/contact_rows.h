/* contact_rows.h: keys of the contact rows of a state, and whether this part of the world counts a row. */
#ifndef SCREE_STATE_CONTACT_ROWS_H
#define SCREE_STATE_CONTACT_ROWS_H

#include "state/contact_key.h"
#include "state/pairs.h"
#include "state/state.h"

SCREE_FN contact_key contact_key_of(const pair_list *l, bool on_wall, const uint64_t *id, const walls *s, int64_t slot)
{
	contact_key k = {id[l->a[slot]], 0, {0, 0, 0}, 0, 0};
	if (on_wall) {
		int32_t wall = s->surface_wall[l->b[slot]];
		k.b = (uint64_t)wall;
		k.feature = (uint64_t)(l->b[slot] - s->row[wall].first_surface);
	} else {
		k.b = id[l->b[slot]];
		if (l->met) k.image = l->met[slot];
	}
	return k;
}

/* Tests whether this part of the world counts contact row k; with a wall, the part that owns the body does. */
SCREE_FN bool scree_contact_counted(const state *s, int kind, int64_t k)
{
	const pair_list *l = s->pair + kind;
	return pair_on_wall(kind) || bodies_counted(&s->body, l->ca[k], l->cb[k]);
}

#endif
