/* pairs_to_rows: gives contact rows to the slots that may touch in the next few steps.
 *
 * in   poses, slots, distances from the narrow phase, previous contact rows
 * out  contact rows of each piece, with their histories
 *
 * Margins of slots last for about 200 steps; in a packing at rest they yield twice as many candidates as there are
 * contacts. Narrower margins are used up sooner, but choosing rows costs little more than one narrow phase.
 * There are few slots for walls, so all of them have rows. */
#include "broad/stage.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "broad/work.h"
#include "kernel/sphere_contact.h"
#include "state/pairs.h"
#include "world/world.h"

#include <string.h>

enum { GRAIN = 1024 };

static const real A_LITTLE_MORE = (real)1.0001; /* factor that allows for rounding in the sums of path lengths */

/* Largest approach of the surfaces of a slot before rows are chosen again, in m. */
SCREE_FN real way_left(const bodies *b, int32_t i, int32_t j)
{
	return A_LITTLE_MORE * (b->inner[i] - b->way[i] + b->inner[j] - b->way[j]);
}

static bool spheres_far(const model *m, const state *s, const work *w, const pair_list *l, int64_t k)
{
	const body_record *a = w->record + l->a[k], *b = w->record + l->b[k];
	const vec3 apart = slot_apart(m, s, a, b, l, k);
	const real gap = -sphere_overlap(v3_norm2(apart), a->radius + b->radius) - w->skin.gap;
	return gap > way_left(&s->body, l->a[k], l->b[k]);
}

/* Tests whether the polyhedra of slot k are still apart, judging by their distance in the last test. */
static bool others_far(const state *s, const pair_list *l, const slot_cache *c, int64_t k)
{
	const real *way = s->body.way;
	return way[l->a[k]] + way[l->b[k]] + way_left(&s->body, l->a[k], l->b[k]) < c->clear[k];
}

/* Chooses slots that get a row, in ascending order. Touching slots keep rows: only the narrow phase ends contacts. */
static int32_t choose(const model *m, const state *s, const work *w, int kind, int32_t piece, int32_t *out)
{
	const pair_list *l = s->pair + kind;
	const slot_cache *c = &w->pair[kind].cache;
	const bool spheres = scree_pair_kinds[kind].formula, walls = pair_on_wall(kind);
	const flights *f = &w->flight;
	int32_t count = 0;
	enum { AHEAD = 16 };
	for (int64_t k = l->piece[piece]; k < l->piece[piece + 1]; ++k) {
		/* prefetches, since partners are scattered in memory */
		if (spheres) __builtin_prefetch(w->record + l->b[k + AHEAD < l->count ? k + AHEAD : k]);
		bool flies = f->chosen && (body_flies(f, l->a[k]) || (!walls && body_flies(f, l->b[k])));
		bool far = flies || (spheres ? spheres_far(m, s, w, l, k) : !walls && others_far(s, l, c, k));
		out[count] = (int32_t)k;
		count += !far || slot_touches(l, k) ? 1 : 0;
	}
	return count;
}

/* Chooses rows for slots with a range of rows: a chosen slot keeps its range. */
static void set_ranges(pair_list *l, int32_t piece, row_room *tmp, int32_t count)
{
	int64_t base = l->base[piece];
	int32_t had = l->used[piece], r = 0, c = 0;
	for (int64_t k = l->piece[piece]; k < l->piece[piece + 1]; ++k) {
		bool chosen = c < count && tmp->was[c] == k;
		int32_t rows = slot_rows(l, k), first = l->row[k] - (int32_t)base, to = r;
		c += chosen;
		for (int32_t q = 0; chosen && q < (rows > 0 ? rows : 1); ++q) tmp->of[r++] = rows > 0 ? first + q : -1;
		l->row[k] = chosen ? (int32_t)base + to : -1;
		l->rows[k] = r - to;
	}
	scree_pair_rows_move(l, base, had, r, tmp->of, tmp->copy);
	for (int64_t k = l->piece[piece]; k < l->piece[piece + 1]; ++k)
		for (int32_t row = l->row[k], end = row + slot_rows(l, k); row < end; ++row) {
			l->slot[row] = (int32_t)k;
			l->ca[row] = l->a[k];
			l->cb[row] = l->b[k];
		}
	l->used[piece] = r;
}

static void set_rows(pair_list *l, int32_t piece, row_room *tmp, int32_t count)
{
	int64_t base = l->base[piece];
	int32_t had = l->used[piece], o = 0;
	const int32_t *slot = tmp->was;
	/* the usual case: the slots have not changed */
	if (count == had && !memcmp(slot, l->slot + base, (size_t)had * sizeof *slot)) return;
	for (int32_t r = 0; r < count; ++r) {
		while (o < had && l->slot[base + o] < slot[r]) l->row[l->slot[base + o++]] = -1;
		tmp->of[r] = o < had && l->slot[base + o] == slot[r] ? o++ : -1;
	}
	while (o < had) l->row[l->slot[base + o++]] = -1;
	scree_pair_rows_move(l, base, had, count, tmp->of, tmp->copy);
	for (int32_t r = 0; r < count; ++r) {
		int64_t row = base + r;
		l->slot[row] = slot[r];
		l->row[slot[r]] = (int32_t)row;
		l->ca[row] = l->a[slot[r]];
		l->cb[row] = l->b[slot[r]];
	}
	l->used[piece] = count;
}

static void choose_rows(void *what, int64_t from, int64_t to, int thread)
{
	const kind_job *j = what;
	pair_list *l = j->s->pair + j->kind;
	row_room *tmp = j->w->broad->thread + thread;
	for (int64_t p = from; p < to; ++p) {
		int32_t count = choose(j->m, j->s, j->w, j->kind, (int32_t)p, tmp->was);
		(l->rows ? set_ranges : set_rows)(l, (int32_t)p, tmp, count);
	}
}

/* Reserves memory for the data of one piece in one thread. */
static void make_room(const state *s, struct broad_work *w)
{
	if (w->threads < scree_threads()) {
		w->thread = scree_grow(w->thread, (size_t)w->threads, (size_t)scree_threads(), sizeof *w->thread);
		w->threads = scree_threads();
	}
	int32_t largest = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		largest = largest > s->pair[kind].largest ? largest : s->pair[kind].largest;
	for (int t = 0; t < w->threads; ++t) {
		row_room *tmp = w->thread + t;
		if (tmp->room >= largest) continue;
		SCREE_FREE_ALL(tmp->was, tmp->of, tmp->copy);
		tmp->room = largest + largest / 4;
		tmp->was = scree_alloc((size_t)tmp->room, sizeof *tmp->was);
		tmp->of = scree_alloc((size_t)tmp->room, sizeof *tmp->of);
		tmp->copy = scree_alloc((size_t)tmp->room, sizeof *tmp->copy);
	}
}

bool scree_rows_stale(const work *w)
{
	const broad_skin *skin = &w->skin;
	if (skin->unsure) return true;
	if (w->flight.chosen && w->flight.left < 0) return true;
	/* the memory was allocated for fewer threads than are running now */
	return !(skin->beyond < 0) || w->threads < scree_threads();
}

/* Tests whether there are pairs whose distances are known only from their last test. */
static bool by_distance(const state *s)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		if (!pair_on_wall(kind) && !scree_pair_kinds[kind].formula && s->pair[kind].count > 0) return true;
	return false;
}

void scree_pairs_to_rows(const model *m, state *s, work *w)
{
	/* computing a row costs several times as much as choosing it, so a wide skin means fewer rows, chosen more often */
	const real most = (real)0.16 * w->skin.smallest;
	w->skin.inner = m->solver ? w->skin.width / ROWS_PART_FAST : real_min(w->skin.width / ROWS_PART, most);
	w->skin.beyond = -INFINITY;
	w->skin.unsure = w->skin.since == 0 && by_distance(s);
	scree_rows_margins(m, s, w);
	scree_pairs_to_flights(m, s, w);
	make_room(s, w->broad);
	scree_threads_room(w);
	kind_job j = {.m = m, .s = s, .w = w};
	for (j.kind = 0; j.kind < PAIR_KINDS; ++j.kind) {
		const pair_list *l = s->pair + j.kind;
		contact_work *c = &w->pair[j.kind].contact;
		scree_contact_work_room(c, c->derives, l->capacity);
		scree_parallel(choose_rows, &j, l->pieces, scree_pair_list_grain(l, GRAIN));
	}
}
