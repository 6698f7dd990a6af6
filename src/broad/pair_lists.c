#include "broad/pair_lists.h"

#include "base/memory.h"
#include "broad/broad.h"
#include "shape/shape_forms.h"
#include "state/id_table.h"
#include "world/world.h"

#include <string.h>

/* ------------------------------------------------------------------ histories by key */

void scree_pair_keys_take(state *s, work *w, pair_keys keys[PAIR_KINDS], bool walls_alone)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (walls_alone && !pair_on_wall(kind)) continue;
		pair_list *l = s->pair + kind;
		pair_keys *k = keys + kind;
		k->count = l->count;
		k->ida = scree_alloc((size_t)l->count, sizeof *k->ida);
		k->idb = scree_alloc((size_t)l->count, sizeof *k->idb);
		for (int64_t i = 0; i < l->count; ++i) {
			k->ida[i] = s->body.id[l->a[i]];
			k->idb[i] = pair_on_wall(kind) ? (uint64_t)l->b[i] : s->body.id[l->b[i]];
		}
		k->old = *l;
		k->owned = s->body.owned;
		*l = (pair_list){.remembers = l->remembers};
		slot_cache *cache = &w->pair[kind].cache;
		scree_slot_cache_room(cache, k->count); /* a newly loaded list has no ranges yet */
		k->cache = *cache;
		*cache = (slot_cache){0};
	}
}

void scree_pair_lists_forget(state *s, work *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = s->pair + kind;
		for (int32_t p = 0; p < l->pieces; ++p) memset(l->touch + l->base[p], 0, (size_t)l->used[p] * sizeof *l->touch);
		scree_slot_cache_clear(&w->pair[kind].cache);
		scree_free(l->met);
		l->met = NULL;
		l->count = 0;
		l->pieces = 0;
	}
}

/* Slots start[i] .. start[i+1]-1 have i as their first body, by which slots are sorted. */
static int64_t *starts_of(const pair_list *l, int32_t count)
{
	int64_t *start = scree_alloc((size_t)count + 1, sizeof *start);
	int64_t k = 0;
	for (int32_t i = 0; i < count; ++i) {
		start[i] = k;
		while (k < l->count && l->a[k] == i) ++k;
	}
	start[count] = k;
	return start;
}

static void hand_over(pair_list *to, int64_t row, const pair_list *from, int64_t was)
{
	for (int f = 0; f < scree_history_table.count; ++f) {
		const field *o = scree_history_table.row + f;
		if (!scree_pair_has(to, f)) continue;
		((real *)scree_field_array(to, o))[row] = ((const real *)scree_field_array(from, o))[was];
	}
}

/* Returns the slot of a body's row with this partner, or -1. met: the partner's image (NULL without periods) */
static int64_t find_slot(const state *s, int kind, const int64_t *start, int32_t row, uint64_t partner,
						 const image *met)
{
	const pair_list *l = s->pair + kind;
	const bool on_wall = pair_on_wall(kind);
	if (row < 0) return -1;
	for (int64_t k = start[row]; k < start[row + 1]; ++k) {
		uint64_t id = on_wall ? (uint64_t)l->b[k] : s->body.id[l->b[k]];
		if (id == partner && (!met || image_order(l->met[k], *met) == 0)) return k;
	}
	return -1;
}

/* Makes room for the row ranges of slots; no row is in use yet. */
static void make_room(pair_list *l)
{
	int32_t *room = scree_alloc((size_t)l->pieces, sizeof *room);
	for (int32_t p = 0; p < l->pieces; ++p) {
		room[p] = (int32_t)(l->piece[p + 1] - l->piece[p]);
		for (int64_t k = l->piece[p]; k < l->piece[p + 1]; ++k)
			if (slot_rows(l, k) > 1) room[p] += slot_rows(l, k) - 1;
	}
	int32_t *was = l->row; /* rows of the old list; the memory of this array is kept */
	l->row = scree_alloc((size_t)l->capacity, sizeof *l->row);
	memset(l->row, 0xff, (size_t)l->capacity * sizeof *l->row);
	scree_pair_list_widen(l, room);
	memcpy(l->row, was, (size_t)l->count * sizeof *was);
	SCREE_FREE_ALL(was, room);
}

/* For slots that continue a contact, `row` contains the old row; each piece copies these rows to its own range. */
static void pack(pair_list *l, const pair_list *old)
{
	if (l->rows) make_room(l);
	for (int32_t p = 0; p < l->pieces; ++p) {
		int64_t next = l->base[p];
		for (int64_t k = l->piece[p]; k < l->piece[p + 1]; ++k) {
			int32_t was = l->row[k], rows = slot_rows(l, k);
			if (was < 0) continue;
			l->row[k] = (int32_t)next;
			for (int32_t q = 0; q < rows; ++q, ++next) {
				hand_over(l, next, old, was + q);
				l->slot[next] = (int32_t)k;
				l->ca[next] = l->a[k];
				l->cb[next] = l->b[k];
				l->touch[next] = 1;
				if (l->feature) l->feature[next] = old->feature[was + q];
			}
		}
		l->used[p] = (int32_t)(next - l->base[p]);
	}
}

/* Tests whether this part of the world counted the contact with key i. */
static bool was_counted(int kind, const pair_keys *k, int64_t i)
{
	return pair_on_wall(kind) || (k->ida[i] < k->idb[i] ? k->old.a[i] : k->old.b[i]) < k->owned;
}

/* Ends the contact with key i, which no longer has a slot. */
static void end_contacts(const model *m, state *s, int kind, pair_keys *keys, int64_t i)
{
	pair_list *old = &keys->old;
	ledger *to = was_counted(kind, keys, i) ? &s->energy : NULL;
	for (int32_t r = old->row[i], end = r + slot_rows(old, i); r < end; ++r)
		if (old->touch[r]) scree_contact_end(to, old, r, m->dt);
}

static void give_kind(const model *m, state *s, work *w, int kind, pair_keys *keys, const id_table *rows)
{
	pair_list *l = s->pair + kind, *old = &keys->old;
	slot_cache *cache = &w->pair[kind].cache;
	const slot_cache *was = &keys->cache;
	int64_t *start = starts_of(l, s->body.count);
	uint64_t last = 0;
	int32_t row = -1;
	if (was->kept) scree_slot_cache_keep(cache);
	if (was->form) scree_slot_cache_forms(cache);
	for (int64_t i = 0; i < keys->count; ++i) {
		bool touching = slot_touches(old, i);
		if (!touching && !was->axis[i]) continue;
		if (i == 0 || keys->ida[i] != last) row = id_value(rows, keys->ida[i]);
		last = keys->ida[i];
		int64_t k = find_slot(s, kind, start, row, keys->idb[i], old->met ? old->met + i : NULL);
		if (k >= 0) {
			l->row[k] = touching ? old->row[i] : -1;
			if (l->rows) l->rows[k] = touching ? slot_rows(old, i) : 0;
			cache->axis[k] = was->axis[i];
			if (cache->kept) cache->kept[k] = was->kept[i], cache->waited[k] = was->waited[i];
			if (cache->form) cache->form[k] = was->form[i];
		} else if (touching) {
			end_contacts(m, s, kind, keys, i);
		}
	}
	pack(l, old);
	scree_free(start);
}

void scree_pair_keys_give(const model *m, state *s, work *w, pair_keys keys[PAIR_KINDS], bool walls_alone)
{
	id_table rows = scree_ids_of_rows(&s->body, 0, s->body.count);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (walls_alone && !pair_on_wall(kind)) continue;
		give_kind(m, s, w, kind, keys + kind, &rows);
		SCREE_FREE_ALL(keys[kind].ida, keys[kind].idb);
		scree_pair_list_free(&keys[kind].old);
		scree_slot_cache_free(&keys[kind].cache);
	}
	scree_free(rows.item);
}

/* ------------------------------------------------------------------ slots of two bodies */

typedef struct kinds_here {
	int8_t of[SHAPE_TYPES][SHAPE_TYPES]; /* kind of a pair, from the types of its first and second body */
} kinds_here;

static kinds_here kinds_of(pair_place place)
{
	kinds_here k;
	for (int a = 0; a < SHAPE_TYPES; ++a)
		for (int b = 0; b < SHAPE_TYPES; ++b)
			k.of[a][b] = (int8_t)scree_pair_kind_of(place, shape_side((shape_type)a), shape_side((shape_type)b));
	return k;
}

/* Returns the list of a pair and orders its bodies; -1 if neither can move, or if both are ghosts. */
static int8_t classify(const model *m, const state *s, const kinds_here *kinds, int32_t *a, int32_t *b)
{
	const bodies *o = &s->body;
	if (o->inv_mass[*a] == 0 && o->inv_mass[*b] == 0) return -1;
	if (*a >= o->owned && *b >= o->owned && !o->at_points) return -1;
	shape_type ta = m->shape.row[o->shape[*a]].type, tb = m->shape.row[o->shape[*b]].type;
	if (ta > tb || (ta == tb && o->id[*a] > o->id[*b])) {
		int32_t swap = *a;
		*a = *b;
		*b = swap;
		return kinds->of[tb][ta];
	}
	return kinds->of[ta][tb];
}

/* Returns the image of b through which a and b of candidate k meet, as stored in the pair. */
static image image_of(const model *m, const state *s, const candidates *c, int64_t k, int32_t a, int32_t b)
{
	int32_t code = c->moved[k] < 0 ? IMAGE_NONE : c->moved[k] == b ? c->code[k] : image_reverse(c->code[k]);
	return image_kept(&m->period, &s->images, code, body_cell(&s->body, a), body_cell(&s->body, b));
}

/* Sorts slots from .. to-1 of one body by image where a partner has several images. */
static void sort_images(pair_list *l, int64_t from, int64_t to)
{
	for (int64_t i = from + 1; i < to; ++i) {
		image m = l->met[i];
		int64_t k = i;
		for (; k > from && l->b[k - 1] == l->b[i] && image_order(l->met[k - 1], m) > 0; --k) l->met[k] = l->met[k - 1];
		l->met[k] = m;
	}
}

/* Writes the slots of body i. item: rows of candidates in worlds with periods, otherwise rows of partners */
static void fill_body(const model *m, state *s, int kind, int32_t i, const sort_item *item, const candidates *c,
					  int64_t from, int64_t to)
{
	pair_list *l = s->pair + kind;
	for (int64_t k = from; k < to; ++k) {
		l->a[k] = i;
		l->b[k] = l->met ? c->found.pair[item[k].value][1] : item[k].value;
		if (l->met) l->met[k] = image_of(m, s, c, item[k].value, i, l->b[k]);
	}
	if (l->met) sort_images(l, from, to);
}

static void fill_kind(const model *m, state *s, int kind, const candidates *c, const int8_t *of)
{
	pair_list *l = s->pair + kind;
	const int32_t(*pair)[2] = (const int32_t(*)[2])c->found.pair;
	int32_t bodies_count = s->body.count;
	int64_t *start = scree_alloc((size_t)bodies_count + 2, sizeof *start), slots = 0, count = c->found.count;
	for (int64_t k = 0; k < count; ++k) {
		if (of[k] != kind) continue;
		++start[pair[k][0] + 2];
		++slots;
	}
	for (int32_t i = 0; i < bodies_count; ++i) start[i + 2] += start[i + 1];
	sort_item *item = scree_alloc((size_t)slots, sizeof *item);
	for (int64_t k = 0; k < count; ++k)
		if (of[k] == kind)
			item[start[pair[k][0] + 1]++] = (sort_item){s->body.id[pair[k][1]], m->period.on ? (int32_t)k : pair[k][1]};
	scree_pair_list_reserve(l, slots);
	if (m->period.on) l->met = scree_alloc((size_t)slots, sizeof *l->met);
	l->count = slots;
	for (int32_t i = 0; slots && i < bodies_count; ++i) {
		scree_sort_short(item + start[i], start[i + 1] - start[i]);
		fill_body(m, s, kind, i, item, c, start[i], start[i + 1]);
	}
	scree_pair_list_cut_even(l, scree_pair_piece(kind, slots));
	SCREE_FREE_ALL(item, start);
}

void scree_pair_lists_bodies(const model *m, state *s, work *w, candidates *c)
{
	box_pairs *found = &c->found;
	const kinds_here kinds = kinds_of(scree_world_place(m));
	int8_t *of = scree_alloc((size_t)found->count, sizeof *of);
	for (int64_t k = 0; k < found->count; ++k) of[k] = classify(m, s, &kinds, &found->pair[k][0], &found->pair[k][1]);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		if (pair_on_wall(kind)) continue;
		fill_kind(m, s, kind, c, of);
		scree_slot_cache_room(&w->pair[kind].cache, s->pair[kind].count);
	}
	scree_free(of);
}
