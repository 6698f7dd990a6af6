#include "state/pairs.h"

#include "base/memory.h"

#include <string.h>

#define ROW(member, unit, help, type, saved, group)                                                                    \
	{                                                                                                                  \
#member, unit, help, offsetof(pair_list, member), type, SHARE_OWNER, saved, group                              \
	}

static const field slots[] = {
	ROW(a, "", "row of the first body", KIND_I32, false, 0),
	ROW(b, "", "row of the second body, or surface", KIND_I32, false, 0),
	ROW(row, "", "contact row, or -1", KIND_I32, false, 0),
	ROW(clear, "m", "no contact while the ways of both add up to less", KIND_F64, false, 0),
	ROW(axis, "", "cache of the narrow phase", KIND_I32, false, 0),
};

static const field contacts[] = {
	ROW(sx, "m", "tangential spring", KIND_F64, true, 0),
	ROW(sy, "m", "tangential spring", KIND_F64, true, 0),
	ROW(sz, "m", "tangential spring", KIND_F64, true, 0),
	ROW(stiff, "m", "scale of the tangential stiffness", KIND_F64, true, 0),
	ROW(bent, "J", "elastic energy of the tangential spring", KIND_F64, true, 0),
	ROW(rx, "rad", "rolling spring", KIND_F64, true, REMEMBERS_TURNS),
	ROW(ry, "rad", "rolling spring", KIND_F64, true, REMEMBERS_TURNS),
	ROW(rz, "rad", "rolling spring", KIND_F64, true, REMEMBERS_TURNS),
	ROW(rolled, "J", "elastic energy of the rolling spring", KIND_F64, true, REMEMBERS_TURNS),
	ROW(twist, "rad", "torsional spring", KIND_F64, true, REMEMBERS_TURNS),
	ROW(twisted, "J", "elastic energy of the torsional spring", KIND_F64, true, REMEMBERS_TURNS),
	ROW(elastic, "J", "elastic energy of the normal spring", KIND_F64, true, REMEMBERS_ACCOUNT),
	ROW(power, "W", "work rate of the normal spring, with its restraint, on the bodies", KIND_F64, true,
		REMEMBERS_ACCOUNT),
	ROW(work, "J", "work of the normal spring on the bodies, and what geometry made", KIND_F64, true,
		REMEMBERS_ACCOUNT),
	ROW(heat, "W", "rate of dissipation", KIND_F64, true, REMEMBERS_ACCOUNT),
	ROW(lost_normal, "J", "dissipated normally", KIND_F64, true, REMEMBERS_ACCOUNT),
	ROW(lost_friction, "J", "dissipated by friction", KIND_F64, true, REMEMBERS_ACCOUNT),
	ROW(lost_rolling, "J", "dissipated by rolling and torsional resistance", KIND_F64, true, REMEMBERS_ACCOUNT),
	ROW(spun, "m", "tangential spring about the normal: arm times angle", KIND_F64, true, REMEMBERS_ACCOUNT),
	/* this step's contact, behind what is history */
	ROW(slot, "", "the slot whose row it is", KIND_I32, false, 0),
	ROW(ca, "", "row of the first body", KIND_I32, false, 0),
	ROW(cb, "", "row of the second body, or surface", KIND_I32, false, 0),
	ROW(touch, "", "touches", KIND_U64, false, 0),
	ROW(nx, "", "normal from b to a", KIND_F64, false, REMEMBERS_GEOMETRY),
	ROW(ny, "", "normal from b to a", KIND_F64, false, REMEMBERS_GEOMETRY),
	ROW(nz, "", "normal from b to a", KIND_F64, false, REMEMBERS_GEOMETRY),
	ROW(px, "m", "contact point from the centre of a", KIND_F64, false, REMEMBERS_GEOMETRY),
	ROW(py, "m", "contact point from the centre of a", KIND_F64, false, REMEMBERS_GEOMETRY),
	ROW(pz, "m", "contact point from the centre of a", KIND_F64, false, REMEMBERS_GEOMETRY),
	ROW(depth, "m", "greatest overlap", KIND_F64, false, REMEMBERS_GEOMETRY),
	ROW(arm, "m", "mean distance of the pressure from its centre", KIND_F64, false, REMEMBERS_GEOMETRY),
	ROW(points, "", "points of the patch", KIND_I32, false, REMEMBERS_GEOMETRY),
	ROW(first, "", "first point of the patch", KIND_U64, false, REMEMBERS_GEOMETRY),
};

enum {
	SLOTS = sizeof slots / sizeof *slots,
	CONTACTS = sizeof contacts / sizeof *contacts,
	HISTORY = (offsetof(pair_list, slot) - offsetof(pair_list, sx)) / sizeof(void *)
};
_Static_assert(SLOTS + CONTACTS == (offsetof(pair_list, force) - offsetof(pair_list, a)) / sizeof(void *),
			   "each array has its row");

const field_table scree_slot_table = {slots, SLOTS};
const field_table scree_contact_table = {contacts, CONTACTS};
const field_table scree_history_table = {contacts, HISTORY};

uint32_t scree_pair_needs(int k) { return contacts[k].group; }

bool scree_pair_has(const pair_list *l, int k)
{
	uint32_t needs = scree_pair_needs(k);
	return (l->remembers & needs) == needs;
}

/* its arrays get room for `count` contacts */
static void grow_contacts(pair_list *l, int64_t used, int64_t count)
{
	for (int k = 0; k < CONTACTS; ++k) {
		const field_table one = {contacts + k, 1};
		if (scree_pair_has(l, k))
			scree_fields_grow(one, l, scree_field_array(l, contacts + k) ? used : 0, count);
		else
			scree_fields_free(one, l);
	}
	if (l->remembers & REMEMBERS_FORCE) {
		l->force = scree_grow(l->force, l->force ? (size_t)used : 0, (size_t)count, sizeof *l->force);
	} else {
		scree_free(l->force);
		l->force = NULL;
	}
}

void scree_pair_list_reserve(pair_list *l, int64_t count)
{
	if (count <= l->capacity) return;
	int64_t capacity = (count + count / 4 + 15) / 16 * 16;
	scree_fields_grow(scree_slot_table, l, l->count, capacity);
	grow_contacts(l, l->count, capacity);
	l->capacity = capacity;
}

void scree_pair_list_remember(pair_list *l, uint32_t what)
{
	if (l->remembers == what) return;
	l->remembers = what;
	grow_contacts(l, l->count, l->capacity);
}

void scree_history_clear(pair_list *l, int64_t from, int64_t to)
{
	for (int k = 0; k < HISTORY; ++k)
		if (scree_pair_has(l, k)) scree_fields_clear((field_table){contacts + k, 1}, l, from, to);
}

void scree_pair_list_cut(pair_list *l, int32_t pieces, const int64_t *start)
{
	if (pieces > l->piece_capacity) {
		scree_free(l->piece);
		scree_free(l->used);
		l->piece_capacity = pieces + pieces / 4 + 4;
		l->piece = scree_alloc((size_t)l->piece_capacity + 1, sizeof *l->piece);
		l->used = scree_alloc((size_t)l->piece_capacity, sizeof *l->used);
	}
	l->pieces = pieces;
	l->largest = 0;
	for (int32_t p = 0; p < pieces; ++p) {
		l->piece[p] = start[p];
		l->piece[p + 1] = start[p + 1];
		l->used[p] = 0;
		if (start[p + 1] - start[p] > l->largest) l->largest = (int32_t)(start[p + 1] - start[p]);
	}
	for (int64_t k = 0; k < l->count; ++k) l->row[k] = -1;
}

void scree_pair_list_cut_even(pair_list *l, int32_t size)
{
	int32_t pieces = (int32_t)((l->count + size - 1) / size);
	int64_t *start = scree_alloc((size_t)pieces + 1, sizeof *start);
	for (int32_t p = 0; p < pieces; ++p) start[p] = (int64_t)p * size;
	start[pieces] = l->count;
	scree_pair_list_cut(l, pieces, start);
	scree_free(start);
}

void scree_pair_list_free(pair_list *l)
{
	scree_fields_free(scree_slot_table, l);
	scree_fields_free(scree_contact_table, l);
	scree_free(l->piece);
	scree_free(l->used);
	scree_free(l->met);
	scree_free(l->force);
	memset(l, 0, sizeof *l);
}
