#include "work/pair_work.h"

#include "base/memory.h"

#include <string.h>

void scree_slot_cache_room(slot_cache *c, int64_t slots)
{
	if (slots <= c->capacity) return;
	const size_t had = (size_t)c->capacity, room = (size_t)(slots + slots / 4);
	c->clear = scree_grow(c->clear, had, room, sizeof *c->clear);
	c->axis = scree_grow(c->axis, had, room, sizeof *c->axis);
	c->capacity = (int64_t)room;
	if (!c->kept) return;
	c->kept = scree_grow(c->kept, had, room, sizeof *c->kept);
	c->waited = scree_grow(c->waited, had, room, sizeof *c->waited);
}

void scree_slot_cache_keep(slot_cache *c)
{
	if (c->kept || !c->capacity) return;
	c->kept = scree_alloc((size_t)c->capacity, sizeof *c->kept); /* zeros */
	c->waited = scree_alloc((size_t)c->capacity, sizeof *c->waited);
}

void scree_slot_cache_clear(slot_cache *c)
{
	const size_t room = (size_t)c->capacity;
	if (!room) return;
	memset(c->clear, 0, room * sizeof *c->clear);
	memset(c->axis, 0, room * sizeof *c->axis);
	if (!c->kept) return;
	memset(c->kept, 0, room * sizeof *c->kept);
	memset(c->waited, 0, room * sizeof *c->waited);
}

void scree_slot_cache_free(slot_cache *c)
{
	scree_free(c->clear);
	scree_free(c->axis);
	scree_free(c->kept);
	scree_free(c->waited);
	*c = (slot_cache){0};
}

void scree_pair_work_free(pair_work *w) { scree_slot_cache_free(&w->cache); }
