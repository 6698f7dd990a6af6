#include "work/pair_work.h"

#include "base/field.h"
#include "base/memory.h"
#include "state/pairs.h"

#include <string.h>

void scree_slot_cache_room(slot_cache *c, int64_t slots)
{
	if (slots <= c->capacity) return;
	const size_t had = (size_t)c->capacity, room = (size_t)slots;
	c->clear = scree_grow(c->clear, had, room, sizeof *c->clear);
	c->axis = scree_grow(c->axis, had, room, sizeof *c->axis);
	c->capacity = (int64_t)room;
	if (c->form) c->form = scree_grow(c->form, had, room, sizeof *c->form);
	if (!c->kept) return;
	c->kept = scree_grow(c->kept, had, room, sizeof *c->kept);
	c->waited = scree_grow(c->waited, had, room, sizeof *c->waited);
}

void scree_slot_cache_keep(slot_cache *c)
{
	if (c->kept || !c->capacity) return;
	c->kept = scree_alloc((size_t)c->capacity, sizeof *c->kept); /* zeroed */
	c->waited = scree_alloc((size_t)c->capacity, sizeof *c->waited);
}

void scree_slot_cache_forms(slot_cache *c)
{
	if (!c->form && c->capacity) c->form = scree_alloc((size_t)c->capacity, sizeof *c->form); /* zeroed */
}

void scree_slot_cache_clear(slot_cache *c)
{
	const size_t room = (size_t)c->capacity;
	if (!room) return;
	memset(c->clear, 0, room * sizeof *c->clear);
	memset(c->axis, 0, room * sizeof *c->axis);
	if (c->form) memset(c->form, 0, room * sizeof *c->form);
	if (!c->kept) return;
	memset(c->kept, 0, room * sizeof *c->kept);
	memset(c->waited, 0, room * sizeof *c->waited);
}

void scree_slot_cache_free(slot_cache *c)
{
	SCREE_FREE_ALL(c->clear, c->axis, c->kept, c->waited, c->form);
	*c = (slot_cache){0};
}

#define ROW(member, unit, help, type, group)                                                                           \
	{                                                                                                                  \
#member, unit, help, offsetof(contact_work, member), type, SHARE_NEVER, false, group                           \
	}
#define VECTOR(x, y, z, ...) ROW(x, __VA_ARGS__), ROW(y, __VA_ARGS__), ROW(z, __VA_ARGS__)

static const field columns[] = {
	VECTOR(nx, ny, nz, "", "normal from b to a", KIND_F64, DERIVES_GEOMETRY),
	VECTOR(px, py, pz, "m", "contact point, relative to the centre of a", KIND_F64, DERIVES_GEOMETRY),
	ROW(depth, "m", "greatest overlap", KIND_F64, DERIVES_GEOMETRY),
	ROW(arm, "m", "mean distance of the pressure from its centroid", KIND_F64, DERIVES_GEOMETRY),
	ROW(points, "", "number of points of the patch", KIND_I32, DERIVES_GEOMETRY),
	ROW(first, "", "index of the first point of the patch", KIND_U64, DERIVES_GEOMETRY),
	VECTOR(ux, uy, uz, "", "normal now", KIND_F64, DERIVES_NOW),
	VECTOR(qx, qy, qz, "m", "current contact point, relative to the centre of a", KIND_F64, DERIVES_NOW),
	ROW(ra, "m", "radius of the first body where it touches", KIND_F64, DERIVES_RADII),
	ROW(rb, "m", "radius of the second body where it touches", KIND_F64, DERIVES_RADII),
	ROW(firm, "", "stiffness relative to the other contacts of the pair", KIND_F64, DERIVES_SHARES),
	ROW(share, "", "fraction of the reduced mass", KIND_F64, DERIVES_SHARES),
	ROW(part, "", "fraction of the stiffness", KIND_F64, DERIVES_PARTS),
};

enum { COLUMNS = sizeof columns / sizeof *columns };
_Static_assert(COLUMNS == offsetof(contact_work, force) / sizeof(void *), "each array has a row");

static void *column_room(void *array, bool has, int64_t used, int64_t rows, size_t size)
{
	if (has) return scree_grow(array, array ? (size_t)used : 0, (size_t)rows, size);
	scree_free(array);
	return NULL;
}

void scree_contact_work_room(contact_work *c, uint32_t derives, int64_t rows)
{
	if (derives == c->derives && rows <= c->capacity) return;
	const int64_t used = c->capacity, room = rows > used ? rows : used;
	for (int k = 0; k < COLUMNS; ++k) {
		const field *f = columns + k;
		void *array = column_room(scree_field_array(c, f), derives & f->group, used, room, scree_kind_size(f->type));
		memcpy((char *)c + f->at, &array, sizeof array);
	}
	c->force = column_room(c->force, derives & DERIVES_FORCE, used, room, sizeof *c->force);
	c->derives = derives;
	c->capacity = room;
}

static void move_column(void *array, int64_t to, int64_t from, int64_t rows, size_t size)
{
	if (array) memmove((char *)array + (size_t)to * size, (char *)array + (size_t)from * size, (size_t)rows * size);
}

void scree_contacts_widen(contact_work *c, pair_list *l, const int32_t *room)
{
	int64_t *was = scree_copy(l->base, (size_t)l->pieces, sizeof *was);
	scree_pair_list_widen(l, room);
	scree_contact_work_room(c, c->derives, l->capacity);
	for (int32_t p = l->pieces; p-- > 0;) { /* starts with the last piece, since rows move up */
		for (int k = 0; k < COLUMNS; ++k)
			move_column(scree_field_array(c, columns + k), l->base[p], was[p], l->used[p],
						scree_kind_size(columns[k].type));
		move_column(c->force, l->base[p], was[p], l->used[p], sizeof *c->force);
	}
	scree_free(was);
}

void scree_pair_work_free(pair_work *w)
{
	scree_slot_cache_free(&w->cache);
	scree_fields_free((field_table){columns, COLUMNS}, &w->contact);
	scree_free(w->contact.force);
	w->contact = (contact_work){0};
}

static size_t row_size(int f) { return scree_kind_size(columns[f].type); }

size_t scree_contact_work_packed(const contact_work *c)
{
	size_t bytes = c->derives & DERIVES_FORCE ? sizeof *c->force : 0;
	for (int f = 0; f < COLUMNS; ++f) bytes += c->derives & columns[f].group ? row_size(f) : 0;
	return bytes;
}

void scree_contact_work_pack(const contact_work *c, int64_t k, char *to)
{
	for (int f = 0; f < COLUMNS; ++f) {
		if (!(c->derives & columns[f].group)) continue;
		memcpy(to, (const char *)scree_field_array(c, columns + f) + (size_t)k * row_size(f), row_size(f));
		to += row_size(f);
	}
	if (c->derives & DERIVES_FORCE) memcpy(to, c->force + k, sizeof *c->force);
}

void scree_contact_work_unpack(contact_work *c, int64_t k, const char *from)
{
	for (int f = 0; f < COLUMNS; ++f) {
		if (!(c->derives & columns[f].group)) continue;
		memcpy((char *)scree_field_array(c, columns + f) + (size_t)k * row_size(f), from, row_size(f));
		from += row_size(f);
	}
	if (c->derives & DERIVES_FORCE) memcpy(c->force + k, from, sizeof *c->force);
	if (c->points) c->points[k] = 0;
}
