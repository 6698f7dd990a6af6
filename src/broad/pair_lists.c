#include "broad/pair_lists.h"

#include "base/memory.h"
#include "base/sort.h"
#include "stages.h"

#include <string.h>

/* ------------------------------------------------------------------ histories by key */

static bool on_wall(int kind) { return kind == PAIR_SPHERE_WALL || kind == PAIR_CONVEX_WALL; }

void scree_pair_keys_take(scree_world *w, pair_keys keys[PAIR_KINDS], int first, int last)
{
	for (int kind = first; kind < last; ++kind) {
		pair_list *l = w->pair + kind;
		pair_keys *k = keys + kind;
		k->count = l->count;
		k->ida = scree_alloc((size_t)l->count, sizeof *k->ida);
		k->idb = scree_alloc((size_t)l->count, sizeof *k->idb);
		for (int64_t i = 0; i < l->count; ++i) {
			k->ida[i] = w->body.id[l->a[i]];
			k->idb[i] = on_wall(kind) ? (uint64_t)l->b[i] : w->body.id[l->b[i]];
		}
		k->old = *l;
		*l = (pair_list){.remembers = l->remembers};
	}
}

void scree_pair_lists_forget(scree_world *w)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		pair_list *l = w->pair + kind;
		for (int64_t k = 0; k < l->count; ++k) l->axis[k] = 0, l->clear[k] = 0;
		for (int32_t p = 0; p < l->pieces; ++p)
			memset(l->touch + l->piece[p], 0, (size_t)l->used[p] * sizeof *l->touch);
		scree_free(l->met);
		l->met = NULL;
		l->count = 0;
		l->pieces = 0;
	}
}

/* rows of bodies by id */
typedef struct row_table {
	int64_t count;
	sort_item *item;
} row_table;

static row_table rows_by_id(const bodies *b)
{
	row_table t = {b->count, scree_alloc((size_t)b->count, sizeof *t.item)};
	sort_item *tmp = scree_alloc((size_t)b->count, sizeof *tmp);
	for (int32_t i = 0; i < b->count; ++i) t.item[i] = (sort_item){b->id[i], i};
	scree_sort(t.item, tmp, b->count);
	scree_free(tmp);
	return t;
}

static int32_t row_of(const row_table *t, uint64_t id)
{
	int64_t low = scree_sort_find(t->item, 0, t->count, id);
	return low < t->count && t->item[low].key == id ? t->item[low].value : -1;
}

/* start[i] .. start[i+1]-1 are the slots whose first body is i; slots are sorted by it */
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

/* Contact row `row` of `to` remembers what row `was` of `from` did. */
static void hand_over(pair_list *to, int64_t row, const pair_list *from, int64_t was)
{
	for (int f = 0; f < scree_history_table.count; ++f) {
		const field *o = scree_history_table.row + f;
		if (!scree_pair_has(to, f)) continue;
		((real *)scree_field_array(to, o))[row] = ((const real *)scree_field_array(from, o))[was];
	}
}

/* the slot of a body's row with this partner, or -1 */
static int64_t find_slot(const scree_world *w, int kind, const int64_t *start, int32_t row, uint64_t partner)
{
	const pair_list *l = w->pair + kind;
	if (row < 0) return -1;
	for (int64_t k = start[row]; k < start[row + 1]; ++k) {
		uint64_t id = on_wall(kind) ? (uint64_t)l->b[k] : w->body.id[l->b[k]];
		if (id == partner) return k;
	}
	return -1;
}

/* Slots that were handed a contact carry its old row in `row`; now every piece packs its own. */
static void pack(pair_list *l, const pair_list *old)
{
	for (int32_t p = 0; p < l->pieces; ++p) {
		int64_t next = l->piece[p];
		for (int64_t k = l->piece[p]; k < l->piece[p + 1]; ++k) {
			if (l->row[k] < 0) continue;
			hand_over(l, next, old, l->row[k]);
			l->slot[next] = (int32_t)k;
			l->ca[next] = l->a[k];
			l->cb[next] = l->b[k];
			l->touch[next] = 1;
			l->row[k] = (int32_t)next++;
		}
		l->used[p] = (int32_t)(next - l->piece[p]);
	}
}

static void give_kind(scree_world *w, int kind, pair_keys *keys, const row_table *rows)
{
	pair_list *l = w->pair + kind, *old = &keys->old;
	int64_t *start = starts_of(l, w->body.count);
	uint64_t last = 0;
	int32_t row = -1;
	for (int64_t i = 0; i < keys->count; ++i) {
		bool touching = old->row[i] >= 0 && old->touch[old->row[i]];
		if (!touching && !old->axis[i]) continue;
		if (i == 0 || keys->ida[i] != last) row = row_of(rows, keys->ida[i]);
		last = keys->ida[i];
		int64_t k = find_slot(w, kind, start, row, keys->idb[i]);
		if (k >= 0) {
			l->row[k] = touching ? old->row[i] : -1;
			l->axis[k] = old->axis[i];
		} else if (touching) {
			scree_contact_end(&w->energy, old, old->row[i], w->dt);
		}
	}
	pack(l, old);
	scree_free(start);
}

void scree_pair_keys_give(scree_world *w, pair_keys keys[PAIR_KINDS], int first, int last)
{
	row_table rows = rows_by_id(&w->body);
	for (int kind = first; kind < last; ++kind) {
		give_kind(w, kind, keys + kind, &rows);
		scree_free(keys[kind].ida);
		scree_free(keys[kind].idb);
		scree_pair_list_free(&keys[kind].old);
	}
	scree_free(rows.item);
}

/* ------------------------------------------------------------------ slots of two bodies */

/* which list a pair belongs to and who is first; false when neither can move */
static bool classify(const scree_world *w, int32_t *a, int32_t *b, int *kind)
{
	const bodies *o = &w->body;
	if (o->inv_mass[*a] == 0 && o->inv_mass[*b] == 0) return false;
	shape_type ta = w->shape.row[o->shape[*a]].type, tb = w->shape.row[o->shape[*b]].type;
	if (ta > tb || (ta == tb && o->id[*a] > o->id[*b])) {
		int32_t swap = *a;
		*a = *b;
		*b = swap;
	}
	bool balls = ta == SHAPE_SPHERE && tb == SHAPE_SPHERE;
	if (w->flat)
		*kind = balls && !(w->flat && w->narrow->gives) ? PAIR_SPHERE_SPHERE : PAIR_CONVEX_CONVEX;
	else
		*kind = ta != tb ? PAIR_SPHERE_CONVEX : balls ? PAIR_SPHERE_SPHERE : PAIR_CONVEX_CONVEX;
	return true;
}

/* short rows by insertion, long ones (a giant among fines) by radix */
static void sort_row(sort_item *item, int64_t count)
{
	if (count > 48) {
		sort_item *tmp = scree_alloc((size_t)count, sizeof *tmp);
		scree_sort(item, tmp, count);
		scree_free(tmp);
		return;
	}
	for (int64_t i = 1; i < count; ++i) {
		sort_item x = item[i];
		int64_t k = i;
		for (; k > 0 && item[k - 1].key > x.key; --k) item[k] = item[k - 1];
		item[k] = x;
	}
}

static void fill_kind(scree_world *w, int kind, const int32_t (*pair)[2], const int8_t *of, int64_t count)
{
	pair_list *l = w->pair + kind;
	int32_t bodies_count = w->body.count;
	int64_t *start = scree_alloc((size_t)bodies_count + 2, sizeof *start), slots = 0;
	for (int64_t k = 0; k < count; ++k) {
		if (of[k] != kind) continue;
		++start[pair[k][0] + 2];
		++slots;
	}
	for (int32_t i = 0; i < bodies_count; ++i) start[i + 2] += start[i + 1];
	sort_item *item = scree_alloc((size_t)slots, sizeof *item);
	for (int64_t k = 0; k < count; ++k)
		if (of[k] == kind) item[start[pair[k][0] + 1]++] = (sort_item){w->body.id[pair[k][1]], pair[k][1]};
	scree_pair_list_reserve(l, slots);
	l->count = slots;
	for (int32_t i = 0; slots && i < bodies_count; ++i) {
		sort_row(item + start[i], start[i + 1] - start[i]);
		for (int64_t k = start[i]; k < start[i + 1]; ++k) {
			l->a[k] = i;
			l->b[k] = item[k].value;
		}
	}
	scree_pair_list_cut_even(l, kind == PAIR_SPHERE_SPHERE ? SCREE_PIECE_SPHERES : SCREE_PIECE_CONVEX);
	scree_free(item);
	scree_free(start);
}

void scree_pair_lists_bodies(scree_world *w, const box_pairs *found)
{
	int8_t *of = scree_alloc((size_t)found->count, sizeof *of);
	for (int64_t k = 0; k < found->count; ++k) {
		int kind;
		of[k] = classify(w, &found->pair[k][0], &found->pair[k][1], &kind) ? (int8_t)kind : -1;
	}
	for (int kind = PAIR_SPHERE_SPHERE; kind <= PAIR_CONVEX_CONVEX; ++kind)
		fill_kind(w, kind, found->pair, of, found->count);
	scree_free(of);
}

/* ------------------------------------------------------------------ for each body its pairs */

static uint64_t partner_key(const scree_world *w, int kind, const pair_list *l, int64_t k, bool second)
{
	if (on_wall(kind)) return (uint64_t)l->b[k];
	return (1ull << 63) + w->body.id[second ? l->a[k] : l->b[k]];
}

void scree_incidence_make(scree_world *w)
{
	incidence *m = &w->meets;
	int32_t n = w->body.count;
	if (m->row_capacity < n + 2) {
		scree_free(m->row);
		m->row_capacity = n + n / 4 + 2;
		m->row = scree_alloc((size_t)m->row_capacity, sizeof *m->row);
	}
	memset(m->row, 0, ((size_t)n + 2) * sizeof *m->row);
	int64_t all = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		all += on_wall(kind) ? l->count : 2 * l->count;
		for (int64_t k = 0; k < l->count; ++k) {
			++m->row[l->a[k] + 2];
			if (!on_wall(kind)) ++m->row[l->b[k] + 2];
		}
	}
	for (int32_t i = 0; i < n; ++i) m->row[i + 2] += m->row[i + 1];
	if (!m->item || m->item_capacity < all) { /* an array even if there is no pair */
		scree_free(m->item);
		m->item_capacity = all + all / 4 + 1;
		m->item = scree_alloc((size_t)m->item_capacity, sizeof *m->item);
	}
	meeting *loose = scree_alloc((size_t)all, sizeof *loose);
	sort_item *order = scree_alloc((size_t)all, sizeof *order);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->pair + kind;
		for (int64_t k = 0; k < l->count; ++k) {
			for (int second = 0; second < (on_wall(kind) ? 1 : 2); ++second) {
				int64_t e = m->row[(second ? l->b[k] : l->a[k]) + 1]++;
				loose[e] = (meeting){(int32_t)k, (int16_t)kind, (int16_t)second};
				order[e] = (sort_item){partner_key(w, kind, l, k, second), (int32_t)e};
			}
		}
	}
	for (int32_t i = 0; all && i < n; ++i) sort_row(order + m->row[i], m->row[i + 1] - m->row[i]);
	for (int64_t e = 0; e < all; ++e) m->item[e] = loose[order[e].value];
	scree_free(loose);
	scree_free(order);
}
