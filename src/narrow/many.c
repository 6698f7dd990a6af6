/* many: narrow phases that may find several contacts of two bodies, each with a normal of its own. A slot has as many
 * rows as it has contacts, by rising features, or one that does not touch. How many there are is known only once they
 * are found: then the rows of a piece are laid out anew, and histories follow the features. */
#include "narrow/rows.h"

#include <string.h>

static found_contact *add_found(many_scratch *m)
{
	if (m->count == m->capacity) {
		int64_t capacity = m->capacity + m->capacity / 2 + 64;
		m->item = scree_grow(m->item, (size_t)m->count, (size_t)capacity, sizeof *m->item);
		m->capacity = capacity;
	}
	return m->item + m->count++;
}

/* The contact as it will stand in a row; points go to the thread's pool at once. */
static void keep_patch(const scree_world *w, int kind, thread_scratch *tmp, int thread, int32_t slot, uint64_t feature,
					   const patch *p)
{
	found_contact *f = add_found(&tmp->many);
	*f = (found_contact){.slot = slot, .feature = feature, .touches = true, .normal = p->normal, .depth = p->depth};
	f->at = deepest(p->points, p->at, p->deep);
	if (!scree_pair_kinds[kind].patch) return;
	contact_points *to = &tmp->points;
	room_for_points(to, p->points + 1);
	f->arm = p->arm;
	f->points = p->points;
	f->first = (uint64_t)thread << 32 | (uint64_t)to->count;
	put_points(to, p->points, p->at, p->deep, p->weight, p->pitch, p->arm, gives_hold(w) ? &p->hold : NULL);
}

static void look_at_slot(scree_world *w, int kind, int32_t k, thread_scratch *tmp, int thread)
{
	const pair_list *l = w->pair + kind;
	patch_list *out = &tmp->many.patches;
	placed a = placed_of(w, l->a[k], v3(0, 0, 0)), b = placed_of(w, l->b[k], way_to(w, kind, k));
	out->count = 0;
	w->narrow->many(&a, &b, out);
	l->clear[k] = 0; /* nothing is known of distances */
	for (int32_t c = 0; c < out->count; ++c) {
		SCREE_ASSERT(c == 0 || out->feature[c] > out->feature[c - 1]);
		keep_patch(w, kind, tmp, thread, k, out->feature[c], out->item + c);
	}
	if (!out->count) *add_found(&tmp->many) = (found_contact){.slot = k};
}

/* the row of a slot's old range that touched with this feature, or -1 */
static int32_t old_row(const pair_list *l, const found_contact *f)
{
	for (int32_t r = l->row[f->slot], end = r + slot_rows(l, f->slot); f->touches && r < end; ++r)
		if (l->touch[r] && l->feature[r] == f->feature) return r;
	return -1;
}

/* of[r]: which old row of the piece new row r follows. What no row follows has ended. */
static void match(scree_world *w, pair_list *l, int32_t piece, thread_scratch *tmp, int32_t *of, bool *kept)
{
	many_scratch *m = &tmp->many;
	int64_t base = l->base[piece];
	memset(kept, 0, (size_t)l->used[piece] * sizeof *kept);
	for (int64_t r = 0; r < m->count; ++r) {
		int32_t old = old_row(l, m->item + r);
		of[r] = old < 0 ? -1 : old - (int32_t)base;
		if (old >= 0) kept[of[r]] = true;
	}
	for (int32_t o = 0; o < l->used[piece]; ++o)
		if (!kept[o]) no_contact(w, l, base + o, tmp);
}

static void set_row(pair_list *l, int64_t row, const found_contact *f)
{
	l->slot[row] = f->slot;
	l->ca[row] = l->a[f->slot];
	l->cb[row] = l->b[f->slot];
	l->feature[row] = f->feature;
	if (!f->touches) return;
	set_contact(l, row, f->normal, f->at, f->depth);
	l->arm[row] = f->arm;
	l->points[row] = f->points;
	l->first[row] = f->first;
}

static void lay_out(scree_world *w, pair_list *l, int32_t piece, thread_scratch *tmp)
{
	many_scratch *m = &tmp->many;
	int64_t base = l->base[piece];
	int32_t count = (int32_t)m->count, had = l->used[piece], room = count > had ? count : had;
	if (m->room < room) {
		scree_free(m->of);
		scree_free(m->kept);
		scree_free(m->copy);
		m->room = room + room / 4 + 16;
		m->of = scree_alloc((size_t)m->room, sizeof *m->of);
		m->kept = scree_alloc((size_t)m->room, sizeof *m->kept);
		m->copy = scree_alloc((size_t)m->room, sizeof *m->copy);
	}
	match(w, l, piece, tmp, m->of, m->kept);
	scree_pair_rows_move(l, base, had, count, m->of, m->copy);
	for (int32_t r = 0; r < count; ++r) {
		const found_contact *f = m->item + r;
		bool next = r && f->slot == f[-1].slot;
		if (!next) l->row[f->slot] = (int32_t)base + r, l->rows[f->slot] = 0;
		l->rows[f->slot] += 1;
		set_row(l, base + r, f);
	}
	l->used[piece] = count;
	if (l->force)
		memset(l->force + base, 0, (size_t)count * sizeof *l->force); /* those of the last step lie elsewhere */
}

void scree_many_contacts(scree_world *w, int kind, int32_t piece, int thread)
{
	pair_list *l = w->pair + kind;
	thread_scratch *tmp = w->scratch + thread;
	int64_t points = tmp->points.count, slots = 0, base = l->base[piece];
	tmp->many.count = 0;
	for (int64_t row = base; row < base + l->used[piece]; ++row) {
		if (row > base && l->slot[row] == l->slot[row - 1]) continue;
		look_at_slot(w, kind, l->slot[row], tmp, thread);
		++slots;
	}
	/* slots that have no row may get one before the next look: those that have several must leave them room */
	int64_t wanted = tmp->many.count + (l->piece[piece + 1] - l->piece[piece]) - slots;
	l->wants[piece] = wanted > l->base[piece + 1] - base ? (int32_t)wanted : 0;
	if (l->wants[piece])
		tmp->points.count = points;
	else
		lay_out(w, l, piece, tmp);
}
