/* exchanges: communications 2 and 4 of Algorithm 2, which follow the two halves of the motion. Owners update the copies
 * of their bodies; they send whole bodies to ranks whose parts a body newly overlaps, and a last update to ranks whose
 * parts it has left. If the centre of a body moves to another part, that part's rank owns the body from then on. */
#include "papers/iglberger2009/exchanges.h"

#include "base/memory.h"
#include "base/sort.h"
#include "broad/pair_lists.h"
#include "model/model.h"
#include "state/id_table.h"
#include "state/state.h"

#include <string.h>

typedef enum news { NEWS_NONE, NEWS_FIRST, NEWS_UPDATE, NEWS_LAST, NEWS } news;

typedef struct synchronising {
	rank_part *part;
	pe_part *own;
	const model *m;
	const state *s;
	bodies *b;
	bool finite;	/* velocities of all bodies are finite */
	uint8_t *news;	/* [neighbours][owned] for each neighbour */
	int32_t *owner; /* [owned] rank */
	id_table ghost; /* rows of copies */
} synchronising;

/* ------------------------------------------------------------------ holders of copies */

static int by_holding(const void *a, const void *b)
{
	const holding *x = a, *y = b;
	if (x->id != y->id) return x->id < y->id ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static void add_holding(pe_part *o, holding h)
{
	if (o->holdings == o->room) {
		const int64_t room = 2 * o->room + 64;
		o->held = scree_grow(o->held, (size_t)o->holdings, (size_t)room, sizeof *o->held);
		o->room = room;
	}
	o->held[o->holdings++] = h;
}

static bool is_held(const pe_part *o, uint64_t id, int32_t rank)
{
	const holding h = {id, rank};
	int64_t low = 0, high = o->holdings;
	while (low < high) {
		const int64_t k = low + (high - low) / 2;
		const int order = by_holding(o->held + k, &h);
		if (!order) return true;
		if (order < 0)
			low = k + 1;
		else
			high = k;
	}
	return false;
}

/* ------------------------------------------------------------------ news for each neighbour */

/* Tests whether the body overlaps the part of a rank enlarged by dx. */
static bool overlaps(const synchronising *o, int32_t rank, int32_t i)
{
	const real half = o->b->radius[i] + o->own->margin;
	const vec3 at = body_position(o->b, i), side = v3(half, half, half);
	return o->part->space.by->meets(&o->part->space, rank, v3_sub(at, side), v3_add(at, side));
}

static news news_for(const synchronising *o, int32_t rank, int32_t i)
{
	const bool here = overlaps(o, rank, i), was = is_held(o->own, o->b->id[i], rank);
	return here ? was ? NEWS_UPDATE : NEWS_FIRST : was ? NEWS_LAST : NEWS_NONE;
}

static void find_news(synchronising *o)
{
	const bodies *b = o->b;
	o->news = scree_alloc((size_t)o->part->neighbours * (size_t)b->owned, 1);
	for (int32_t k = 0; k < o->part->neighbours; ++k)
		for (int32_t i = 0; i < b->owned; ++i)
			o->news[(int64_t)k * b->owned + i] = (uint8_t)news_for(o, o->part->neighbour[k], i);
	o->owner = scree_alloc((size_t)b->owned, sizeof *o->owner);
	for (int32_t i = 0; i < b->owned; ++i) {
		o->owner[i] = o->part->space.by->owner(&o->part->space, body_position(b, i));
		SCREE_ASSERT(o->owner[i] == o->part->c->rank || scree_rank_is_neighbour(o->part, o->owner[i]));
	}
}

static bool holds_now(const synchronising *o, int32_t neighbour, int32_t i)
{
	const uint8_t news = o->news[(int64_t)neighbour * o->b->owned + i];
	return news == NEWS_FIRST || news == NEWS_UPDATE;
}

/* Makes the new list of holders for bodies that keep their owner. Other bodies are sent together with their lists. */
static void renew_holdings(synchronising *o)
{
	const int32_t here = o->part->c->rank;
	o->own->holdings = 0;
	for (int32_t k = 0; k < o->part->neighbours; ++k)
		for (int32_t i = 0; i < o->b->owned; ++i)
			if (o->owner[i] == here && holds_now(o, k, i))
				add_holding(o->own, (holding){o->b->id[i], o->part->neighbour[k]});
}

/* ------------------------------------------------------------------ encoding */

/* Number of bytes in the columns that only owners have. */
static size_t owner_bytes(const bodies *b)
{
	return scree_bodies_packed(b, SHARE_OWNER) - scree_bodies_packed(b, SHARE_BIRTH);
}

/* Copies these columns of row i to or from a message. */
static void move_owner_columns(bodies *b, int32_t i, char *packed, bool in)
{
	for (int f = 0; f < scree_body_rows(b); ++f) {
		const field *o = scree_body_row(b, f);
		if (o->when != SHARE_OWNER) continue;
		const size_t size = scree_kind_size(o->type);
		char *at = (char *)scree_field_array(b, o) + (size_t)i * size;
		memcpy(in ? at : packed, in ? packed : at, size);
		packed += size;
	}
}

/* Lists the rows about which a neighbour is to receive one kind of news; returns their number. */
static int32_t rows_of(const synchronising *o, int32_t neighbour, news kind, int32_t *row)
{
	const uint8_t *news = o->news + (int64_t)neighbour * o->b->owned;
	int32_t count = 0;
	for (int32_t i = 0; i < o->b->owned; ++i)
		if (news[i] == kind) row[count++] = i;
	return count;
}

/* Updates begin with the id; whole bodies contain it. */
static void write_updates(const synchronising *o, message *m, uint64_t tag, int32_t count, const int32_t *row)
{
	const size_t each = scree_bodies_packed(o->b, SHARE_STEP);
	if (!count) return;
	char *to = scree_message_segment(m, tag, (size_t)count * (sizeof(uint64_t) + each));
	for (int32_t k = 0; k < count; ++k, to += sizeof(uint64_t) + each) {
		memcpy(to, o->b->id + row[k], sizeof(uint64_t));
		scree_bodies_pack(o->b, SHARE_STEP, 1, row + k, to + sizeof(uint64_t));
	}
}

/* Writes bodies that a rank owns from now on: the columns that only owners have, and the other ranks with copies. */
static void write_handed(const synchronising *o, int32_t rank, message *m)
{
	const size_t each = sizeof(uint64_t) + owner_bytes(o->b);
	for (int32_t i = 0; i < o->b->owned; ++i) {
		if (o->owner[i] != rank) continue;
		char *to = scree_message_segment(m, SEGMENT_HANDED, each);
		memcpy(to, o->b->id + i, sizeof(uint64_t));
		move_owner_columns(o->b, i, to + sizeof(uint64_t), false);
		o->part->left += 1;
		for (int32_t k = 0; k < o->part->neighbours; ++k) {
			const holding h = {o->b->id[i], o->part->neighbour[k]};
			if (h.rank != rank && holds_now(o, k, i))
				memcpy(scree_message_segment(m, SEGMENT_HOLDER, sizeof h), &h, sizeof h);
		}
		const holding here = {o->b->id[i], o->part->c->rank};
		if (overlaps(o, here.rank, i))
			memcpy(scree_message_segment(m, SEGMENT_HOLDER, sizeof here), &here, sizeof here);
	}
}

static void encode(void *what, int32_t to, message *m)
{
	synchronising *o = what;
	const int32_t neighbour = (int32_t)(scree_border_with(o->part, to) - o->part->border);
	int32_t *row = scree_alloc((size_t)o->b->owned, sizeof *row);
	int32_t count = rows_of(o, neighbour, NEWS_FIRST, row);
	if (count)
		scree_bodies_pack(
			o->b, SHARE_BIRTH, count, row,
			scree_message_segment(m, SEGMENT_FIRST, (size_t)count * scree_bodies_packed(o->b, SHARE_BIRTH)));
	count = rows_of(o, neighbour, NEWS_UPDATE, row);
	write_updates(o, m, SEGMENT_UPDATE, count, row);
	count = rows_of(o, neighbour, NEWS_LAST, row);
	write_updates(o, m, SEGMENT_LAST, count, row);
	write_handed(o, to, m);
	scree_free(row);
}

/* ------------------------------------------------------------------ decoding */

/* The row of a copy; -1 if there is none. New copies are the last rows. */
static int32_t copy_of(const synchronising *o, uint64_t id)
{
	const int32_t row = id_value(&o->ghost, id);
	if (row >= 0) return row;
	for (int32_t i = o->b->owned + (int32_t)o->ghost.count; i < o->b->count; ++i)
		if (o->b->id[i] == id) return i;
	return -1;
}

static void give_roles(pe_part *o, int32_t count, role as)
{
	if (count > o->rows) o->role = scree_grow(o->role, (size_t)o->rows, (size_t)count, 1);
	for (; o->rows < count; ++o->rows) o->role[o->rows] = (uint8_t)as;
}

static const char CUT[] = "they end in the middle of a body", UNKNOWN[] = "a body is not among the copies of this rank";

static const char *add_copies(synchronising *o, const segment *g)
{
	const size_t each = scree_bodies_packed(o->b, SHARE_BIRTH);
	if (g->size % each || g->size / each > INT32_MAX / 2) return CUT;
	const int32_t from = o->b->count, count = (int32_t)(g->size / each);
	scree_bodies_reserve(o->b, from + count);
	scree_bodies_clear(o->b, from, from + count);
	scree_bodies_unpack(o->b, SHARE_BIRTH, from, count, g->bytes);
	o->b->count += count;
	give_roles(o->own, o->b->count, ROLE_COPY);
	return scree_ranks_bodies_fault(o->m, o->s, SHARE_BIRTH, from, count);
}

static const char *update_fault(const synchronising *o, share when, int32_t row)
{
	const char *fault = scree_ranks_pose_fault(o->b, row, 1);
	return !fault && o->finite ? scree_ranks_motion_fault(o->b, when, row, 1) : fault;
}

static const char *update_copies(synchronising *o, const segment *g)
{
	const size_t each = sizeof(uint64_t) + scree_bodies_packed(o->b, SHARE_STEP);
	const char *at = g->bytes;
	uint64_t id;
	for (size_t k = 0; k < g->size / each; ++k, at += each) {
		memcpy(&id, at, sizeof id);
		const int32_t row = copy_of(o, id);
		if (row < 0) return UNKNOWN;
		scree_bodies_unpack(o->b, SHARE_STEP, row, 1, at + sizeof id);
		const char *fault = update_fault(o, SHARE_STEP, row);
		if (fault) return fault;
		if (g->tag == SEGMENT_LAST) o->own->role[row] = ROLE_NONE;
	}
	return g->size % each ? CUT : NULL;
}

static const char *take_over(synchronising *o, const segment *g)
{
	uint64_t id;
	if (g->size != sizeof id + owner_bytes(o->b)) return CUT;
	memcpy(&id, g->bytes, sizeof id);
	const int32_t row = copy_of(o, id);
	if (row < 0) return UNKNOWN;
	move_owner_columns(o->b, row, (char *)(uintptr_t)g->bytes + sizeof id, true);
	o->own->role[row] = ROLE_OWN;
	return update_fault(o, SHARE_OWNER, row);
}

static const char *take_holder(synchronising *o, const segment *g)
{
	holding h;
	if (g->size != sizeof h) return "they end in the middle of a record of a copy's holder";
	memcpy(&h, g->bytes, sizeof h);
	if (h.rank < 0 || h.rank >= o->part->c->ranks) return "a rank that holds a copy does not exist";
	add_holding(o->own, h);
	return NULL;
}

/* Reads a segment. Returns the reason why the message cannot be used; NULL if it can. */
static const char *take_segment(synchronising *o, const segment *g)
{
	switch (g->tag) {
	case SEGMENT_FIRST:
		return add_copies(o, g);
	case SEGMENT_UPDATE:
	case SEGMENT_LAST:
		return update_copies(o, g);
	case SEGMENT_HANDED:
		return take_over(o, g);
	case SEGMENT_HOLDER:
		return take_holder(o, g);
	default:
		return "unknown kind of news about bodies";
	}
}

static bool decode(void *what, int32_t from, message_reader *r, fail *why)
{
	segment g;
	const char *fault = NULL;
	while (!fault && scree_message_next(r, &g)) fault = take_segment(what, &g);
	return !fault ||
		   scree_fail(why, FAIL_IO, "rank %d: a message from rank %d has wrong bodies: %s, phase %s, step %lld",
					  r->head.to, from, fault, scree_phase_names[r->head.phase], (long long)r->head.step);
}

/* ------------------------------------------------------------------ the exchange */

/* Finds the parts that bodies of this rank overlap, or overlapped before they moved. */
static void find_neighbours(synchronising *o, const work *w)
{
	rank_part *part = o->part;
	real most = 0;
	for (int32_t i = 0; i < o->b->owned; ++i) most = real_max(most, o->b->radius[i]);
	scree_domain_most(&w->domain, 1, &most);
	scree_domain_need(&w->domain, most < INFINITY, "greatest", "impossible radius of a body");
	if (!(o->own->margin > 0)) o->own->margin = most / 10;
	scree_rank_part_free(part);
	part->neighbour = part->space.by->neighbours(&part->space, part->c->rank,
												 2 * (most + o->own->margin) + w->drift_way, &part->neighbours);
	part->border = scree_alloc((size_t)part->neighbours, sizeof *part->border);
}

/* Sets roles before messages arrive: they are unchanged, except for bodies that leave. */
static void begin_roles(synchronising *o)
{
	pe_part *own = o->own;
	own->rows = 0;
	give_roles(own, o->b->owned, ROLE_OWN);
	give_roles(own, o->b->count, ROLE_COPY);
	for (int32_t i = 0; i < o->b->owned; ++i)
		if (o->owner[i] != o->part->c->rank)
			own->role[i] = (uint8_t)(overlaps(o, o->part->c->rank, i) ? ROLE_COPY : ROLE_NONE);
}

static void synchronise(rank_part *part, const model *m, state *s, const work *w)
{
	synchronising o = {.part = part, .own = part->own, .m = m, .s = s, .b = &s->body};
	o.finite =
		!m->applied && w->greatest_speed < INFINITY; /* otherwise the guards report numbers that are not finite */
	fail why;
	find_neighbours(&o, w);
	find_news(&o);
	o.ghost = scree_ids_of_rows(o.b, o.b->owned, o.b->count);
	begin_roles(&o);
	renew_holdings(&o);
	part->step = s->step;
	const exchange x = {PHASE_UPDATE, s->step, part->neighbours, part->neighbour, encode, decode, &o};
	scree_ranks_need(scree_exchange(part->c, &x, &why), &why);
	scree_sort_by(o.own->held, o.own->holdings, sizeof *o.own->held, by_holding);
	scree_free(o.news);
	scree_free(o.owner);
	scree_free(o.ghost.item);
}

/* Sorts owned bodies before copies; removes destroyed copies. */
static void change_roles(pe_part *own, bodies *b)
{
	if (own->rows != b->count) return; /* roles have been changed already */
	int32_t *order = scree_alloc((size_t)b->count, sizeof *order), count = 0, end[ROLES];
	for (int role = 0; role < ROLES; ++role) {
		for (int32_t i = 0; i < b->count; ++i)
			if (own->role[i] == role) order[count++] = i;
		end[role] = count;
	}
	void *tmp = scree_alloc((size_t)b->count, sizeof(uint64_t));
	scree_bodies_permute(b, order, tmp);
	b->owned = end[ROLE_OWN];
	b->count = end[ROLE_COPY];
	own->rows = 0;
	scree_free(tmp);
	scree_free(order);
}

/* ------------------------------------------------------------------ the division rule */

/* Communication 2; contacts are found afterwards, with new pairs. */
static bool settle(void *at, const model *m, state *s, work *w)
{
	rank_part *part = at;
	s->body.at_points = true;
	if (!part->own) part->own = scree_alloc(1, sizeof(pe_part));
	((pe_part *)part->own)->b = &s->body;
	if (part->kept) scree_kept_contacts_free(part->kept), part->kept = NULL; /* impulses have no histories */
	change_roles(part->own, &s->body);
	synchronise(part, m, s, w);
	change_roles(part->own, &s->body);
	return true;
}

/* Copies already exist; pairs are valid only in this step. */
static void renew(void *at, const model *m, state *s, work *w)
{
	(void)at, (void)m, (void)w;
	for (int32_t i = s->body.owned; i < s->body.count; ++i) s->body.margin[i] = s->body.way[i] = 0;
}

/* Communication 4. The contacts of this step may still be read: roles change when the next step begins. */
static void end(void *at, const model *m, state *s, work *w) { synchronise(at, m, s, w); }

/* Communication 1 takes place in any case. */
static void begin(void *at, const model *m, state *s, work *w)
{
	const rank_part *part = at;
	const domain_records none = {.size = 1};
	int64_t came;
	scree_pair_lists_forget(s, w);
	w->skin.stale = true;
	if (part->own) change_roles(part->own, &s->body);
	if (!m->applied) scree_free(scree_pe_send_forces(at, &none, &came));
}

const domain_row scree_domain_pe = {.most = scree_ranks_most,
									.add = scree_ranks_add,
									.both = scree_ranks_both,
									.gather = scree_ranks_gather,
									.owns = scree_ranks_owns,
									.settle = settle,
									.deliver = scree_pe_send_forces,
									.slice = scree_ranks_slice,
									.collect = scree_ranks_collect,
									.renew = renew,
									.begin = begin,
									.end = end,
									.break_off = scree_ranks_break_off};
