/* restore: gives pairs their histories back after loading. The slots made here are used until the next search for
 * pairs, which finds the histories by key, as usual. */
#include "prepare/prepare.h"

#include "base/memory.h"
#include "base/sort.h"
#include "state/bonds.h"
#include "state/contact_key.h"
#include "state/id_table.h"
#include "state/kept_contacts.h"
#include "world/world.h"

static int32_t row_with(const id_table *rows, uint64_t id)
{
	const int32_t row = id_value(rows, id);
	SCREE_ASSERT(row >= 0);
	return row;
}

/* Tests whether contacts share a slot: of two bodies through one image, or of a body and one surface of a wall. */
static bool same_slot(const contact_key *x, const contact_key *y, bool on_wall)
{
	bool same = x->a == y->a && x->b == y->b && image_order(x->image, y->image) == 0;
	return same && (!on_wall || x->feature == y->feature);
}

static void set_slot(const model *m, state *s, int kind, const id_table *rows, const contact_key *key)
{
	pair_list *l = s->pair + kind;
	bool on_wall = pair_on_wall(kind);
	int64_t k = l->count++;
	l->a[k] = row_with(rows, key->a);
	l->b[k] = on_wall ? m->wall.row[key->b].first_surface + (int32_t)key->feature : row_with(rows, key->b);
	if (l->met) l->met[k] = key->image;
	if (l->rows) l->rows[k] = 0;
}

/* Assigns a row to contact k of the file: rows are in the order of slots, and slots are in the order of keys. */
static void set_row(pair_list *l, int64_t slot, int64_t row, const pair_list *history, const contact_key *key,
					int64_t k, bool on_wall)
{
	if (l->row[slot] < 0) l->row[slot] = (int32_t)row;
	if (l->rows) l->rows[slot] += 1;
	if (l->feature) l->feature[row] = on_wall ? key[k].part : key[k].feature;
	l->slot[row] = (int32_t)slot;
	l->ca[row] = l->a[slot];
	l->cb[row] = l->b[slot];
	l->touch[row] = 1;
	for (int f = 0; f < scree_history_table.count; ++f) {
		const field *o = scree_history_table.row + f;
		if (!scree_pair_has(l, f)) continue;
		((real *)scree_field_array(l, o))[row] = ((const real *)scree_field_array(history, o))[k];
	}
}

/* Makes rows for all slots, whose partners all touch; several contacts between two bodies share one slot. */
static void set_rows(pair_list *l, int64_t count, const contact_key *key, const pair_list *history, bool on_wall)
{
	int32_t *room = scree_alloc((size_t)l->pieces, sizeof *room);
	int64_t k = 0;
	for (int32_t p = 0; p < l->pieces; ++p)
		for (int64_t slot = l->piece[p]; slot < l->piece[p + 1]; ++slot)
			for (++k, ++room[p]; l->rows && k < count && same_slot(key + k - 1, key + k, on_wall); ++k) ++room[p];
	scree_pair_list_widen(l, room);
	k = 0;
	for (int32_t p = 0; p < l->pieces; ++p) {
		int64_t row = l->base[p];
		for (int64_t slot = l->piece[p]; slot < l->piece[p + 1]; ++slot) do
				set_row(l, slot, row++, history, key, k++, on_wall);
			while (l->rows && k < count && same_slot(key + k - 1, key + k, on_wall));
		l->used[p] = (int32_t)(row - l->base[p]);
	}
	scree_free(room);
}

/* Resets the work data of a restored list. */
static void renew_work(pair_work *w, const pair_row *row, const pair_list *l)
{
	const uint32_t geometry = row->formula ? 0 : DERIVES_GEOMETRY,
				   radii = row->several && !row->patch ? DERIVES_RADII : 0,
				   derives = w->contact.derives | geometry | radii;
	scree_pair_work_free(w);
	scree_slot_cache_room(&w->cache, l->count);
	scree_contact_work_room(&w->contact, derives, l->capacity);
}

void scree_world_restore_pairs(const model *m, state *s, work *w, int kind, int64_t count, const contact_key *key,
							   const pair_list *history)
{
	const pair_row *row = scree_pair_kinds + kind;
	const id_table rows = scree_ids_of_rows(&s->body, 0, s->body.count);
	pair_list *l = s->pair + kind;
	bool several = scree_world_several(m, kind), on_wall = row->on_wall;
	l->count = 0;
	l->pieces = 0;
	scree_pair_list_remember(l, history->remembers | (several ? REMEMBERS_FEATURES : 0));
	scree_pair_list_reserve(l, count);
	scree_free(l->met);
	l->met = m->period.on && !row->on_wall ? scree_alloc((size_t)count, sizeof *l->met) : NULL;
	for (int64_t k = 0; k < count; ++k)
		if (!k || !several || !same_slot(key + k - 1, key + k, on_wall)) set_slot(m, s, kind, &rows, key + k);
	scree_pair_list_cut_even(l, scree_pair_piece(kind, l->count));
	set_rows(l, count, key, history, on_wall);
	renew_work(w->pair + kind, row, l);
	scree_free(rows.item);
	w->skin.stale = true;
}

typedef struct keyed_row {
	contact_key key;
	int64_t row;
} keyed_row;

static int by_key(const void *a, const void *b)
{
	const keyed_row *x = a, *y = b;
	return contact_key_order(&x->key, &y->key);
}

void scree_kept_contacts_room(kept_contacts *o, const state *s, int kind, int64_t count)
{
	pair_list *l = o->history + kind;
	scree_pair_list_reserve(l, count);
	scree_pair_list_remember(l, s->pair[kind].remembers);
	l->count = count;
	o->key[kind] = scree_alloc((size_t)count, sizeof *o->key[kind]);
	o->count[kind] = count;
}

static bool is_kept(const pair_list *l, int64_t k, bool all) { return all || l->stiff[k] > 0 || is_bonded(l, k); }

static void keep_kind(kept_contacts *o, const model *m, const state *s, int kind, int64_t count, bool all)
{
	const pair_list *l = s->pair + kind;
	keyed_row *row = scree_alloc((size_t)count, sizeof *row);
	int64_t n = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		if (is_kept(l, c.row, all)) row[n++] = (keyed_row){scree_contact_key(m, s, kind, c.row), c.row};
	scree_sort_by(row, n, sizeof *row, by_key);
	scree_kept_contacts_room(o, s, kind, n);
	for (int64_t k = 0; k < n; ++k) o->key[kind][k] = row[k].key;
	for (int f = 0; f < scree_history_table.count; ++f) {
		if (!scree_pair_has(l, f)) continue;
		const real *from = scree_field_array(l, scree_history_table.row + f);
		real *to = scree_field_array(o->history + kind, scree_history_table.row + f);
		for (int64_t k = 0; k < n; ++k) to[k] = from[row[k].row];
	}
	scree_free(row);
}

kept_contacts *scree_world_keep_contacts(const model *m, const state *s)
{
	const bool all = s->begun;
	int64_t count[PAIR_KINDS] = {0}, sum = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = s->pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) count[kind] += is_kept(l, c.row, all);
		sum += count[kind];
	}
	if (!sum) return NULL;
	kept_contacts *o = scree_alloc(1, sizeof *o);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) keep_kind(o, m, s, kind, count[kind], all);
	return o;
}

void scree_kept_contacts_free(kept_contacts *o)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		scree_pair_list_free(o->history + kind);
		scree_free(o->key[kind]);
	}
	scree_free(o);
}

void scree_world_restore_contacts(const model *m, state *s, work *w, kept_contacts *o)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		scree_world_restore_pairs(m, s, w, kind, o->count[kind], o->key[kind], o->history + kind);
	scree_kept_contacts_free(o);
}
