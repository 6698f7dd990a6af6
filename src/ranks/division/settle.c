/* settle: sends whole bodies, with the histories of all their contacts, to the ranks that own their positions. A
 * contact between bodies of two owners is kept by both owners. */
#include "ranks/division/part.h"

#include "base/memory.h"
#include "model/model.h"
#include "state/id_table.h"
#include "state/kept_contacts.h"
#include "state/pairs.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

/* ------------------------------------------------------------------ rows by id */

/* A body has one owner, and a copy on each rank that needs one. */
static void need_each_once(const id_table *t, const rank_part *part)
{
	for (int64_t k = 1; k < t->count; ++k)
		if (t->item[k].key == t->item[k - 1].key)
			scree_break_off(FAIL_IO, "rank %d: body %llu has arrived from two ranks", part->c->rank,
							(unsigned long long)t->item[k].key);
}

/* ------------------------------------------------------------------ leaving */

typedef struct leaving {
	rank_part *part;
	const bodies *b;
	int32_t *to;   /* [owned] rank of each body */
	id_table away; /* ranks of bodies that leave */
	kept_contacts *kept;
} leaving;

static bool goes_to(const leaving *o, int kind, const contact_key *k, int32_t rank)
{
	return id_value(&o->away, k->a) == rank || (!pair_on_wall(kind) && id_value(&o->away, k->b) == rank);
}

static void write_contacts(const leaving *o, int kind, int32_t rank, message *m)
{
	const kept_contacts *all = o->kept;
	int64_t count = 0;
	for (int64_t k = 0; k < all->count[kind]; ++k) count += goes_to(o, kind, all->key[kind] + k, rank);
	if (!count) return;
	const size_t each = scree_contact_bytes(all->history + kind);
	char *to = scree_message_segment(m, SEGMENT_CONTACTS + (uint64_t)kind, (size_t)count * each);
	for (int64_t k = 0; k < all->count[kind]; ++k) {
		if (!goes_to(o, kind, all->key[kind] + k, rank)) continue;
		to = scree_contact_put(to, all->key[kind] + k, all->history + kind, k);
	}
}

static void write_leaving(const leaving *o, int32_t rank, message *m)
{
	bool any = false;
	for (int64_t k = 0; k < o->away.count && !any; ++k) any = o->away.item[k].value == rank;
	if (!any) return;
	int32_t *row = scree_alloc((size_t)o->b->owned, sizeof *row), count = 0;
	for (int32_t i = 0; i < o->b->owned; ++i)
		if (o->to[i] == rank) row[count++] = i;
	const size_t each = scree_bodies_packed(o->b, SHARE_OWNER);
	scree_bodies_pack(o->b, SHARE_OWNER, count, row, scree_message_segment(m, SEGMENT_BODIES, (size_t)count * each));
	scree_free(row);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) write_contacts(o, kind, rank, m);
}

void scree_ranks_close_rows(bodies *b, const int32_t *to, int32_t rank)
{
	int32_t kept = 0;
	for (int32_t i = 0; i < b->owned; ++i) {
		if (to[i] != rank) continue;
		if (kept != i) scree_bodies_copy(b, kept, i);
		++kept;
	}
	b->owned = b->count = kept;
}

/* ------------------------------------------------------------------ arriving */

/* The position of a body determines its owner. */
static bool belong_here(const rank_part *o, const state *s, int32_t from)
{
	for (int32_t i = from; i < s->body.owned; ++i)
		if (o->space.by->owner(&o->space, scree_rank_place(o, s, body_position(&s->body, i))) != o->c->rank)
			return false;
	return true;
}

/* The functions below return the reason for a failure, or NULL on success. */
static const char *add_bodies(const rank_part *o, const model *m, state *s, share when, const segment *g)
{
	bodies *b = &s->body;
	const size_t each = scree_bodies_packed(b, when);
	const int32_t from = b->owned, count = (int32_t)(g->size / each);
	if (g->size % each || g->size / each > INT32_MAX / 2) return "they end in the middle of a body";
	scree_bodies_reserve(b, from + count);
	scree_bodies_clear(b, from, from + count);
	scree_bodies_unpack(b, when, from, count, g->bytes);
	b->owned += count;
	b->count = b->owned;
	const char *fault = scree_ranks_bodies_fault(m, s, when, from, count);
	return fault ? fault : belong_here(o, s, from) ? NULL : "a body belongs to another rank";
}

const char *scree_ranks_add_contacts(const model *m, const state *s, record_list came[PAIR_KINDS], const segment *g,
									 bool finite)
{
	const uint64_t kind = g->tag - SEGMENT_CONTACTS;
	if (kind >= PAIR_KINDS) return "unknown kind of contacts";
	const char *fault = scree_ranks_contacts_fault(m, s, (int)kind, came[kind].each, g->size, g->bytes, finite);
	if (!fault) scree_records_append(came + kind, g->size, g->bytes);
	return fault;
}

bool scree_ranks_read_bodies(const rank_part *o, const model *m, state *s, share when, record_list came[PAIR_KINDS],
							 message_reader *r, fail *why)
{
	segment g;
	while (scree_message_next(r, &g)) {
		const char *fault =
			g.tag == SEGMENT_BODIES ? add_bodies(o, m, s, when, &g) : scree_ranks_add_contacts(m, s, came, &g, true);
		if (fault)
			return scree_fail(why, FAIL_IO, "rank %d: a message from rank %d has wrong bodies or contacts: %s",
							  r->head.to, r->head.from, fault);
	}
	return true;
}

/* ------------------------------------------------------------------ contacts that stay here */

/* Adds contacts that were on this rank and have a body that the rank now owns. */
static void add_own(record_list *l, const kept_contacts *had, int kind, const id_table *owned)
{
	for (int64_t k = 0; k < had->count[kind]; ++k) {
		const contact_key *key = had->key[kind] + k;
		if (id_value(owned, key->a) < 0 && (pair_on_wall(kind) || id_value(owned, key->b) < 0)) continue;
		scree_contact_put(scree_records_add(l, 1), key, had->history + kind, k);
	}
}

/* A contact may have been sent by both owners. */
static void keep_each_once(kept_contacts *to, const state *s, int kind, record_list *l)
{
	scree_records_sort(l);
	scree_kept_contacts_room(to, s, kind, l->count);
	for (int64_t k = 0; k < l->count; ++k) scree_contact_get(to, kind, k, l->bytes + (size_t)k * l->each);
}

static kept_contacts *contacts_of_owned(const rank_part *part, const state *s, const kept_contacts *had,
										record_list came[PAIR_KINDS])
{
	kept_contacts *o = scree_alloc(1, sizeof *o);
	id_table owned = scree_ids_of_rows(&s->body, 0, s->body.owned);
	need_each_once(&owned, part);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		add_own(came + kind, had, kind, &owned);
		keep_each_once(o, s, kind, came + kind);
		scree_free(came[kind].bytes);
	}
	scree_free(owned.item);
	return o;
}

/* ------------------------------------------------------------------ the exchange */

typedef struct senders {
	int32_t *to, count; /* ranks that receive a message */
	int32_t *from;		/* ranks that may send a message */
	int32_t froms, awaited;
} senders;

/* Ranks that were neighbours in the last search send each other a message even if no bodies move. */
static senders neighbours_of(const rank_part *part)
{
	const int32_t n = part->neighbours;
	int32_t *to = scree_copy(part->neighbour, (size_t)n, sizeof *to);
	return (senders){to, n, scree_copy(to, (size_t)n, sizeof *to), n, n};
}

/* Any ranks may take part if a division begins or cuts moved far. Counts over all ranks give the number of messages. */
static senders any_ranks(const leaving *o, const work *w)
{
	const channel *c = o->part->c;
	const size_t ranks = (size_t)c->ranks;
	senders s = {.to = scree_alloc(ranks, sizeof *s.to), .from = scree_alloc(ranks, sizeof *s.from), .froms = c->ranks};
	fixed *sends = scree_alloc(ranks, sizeof *sends);
	for (int64_t k = 0; k < o->away.count; ++k) sends[o->away.item[k].value].quanta = 1;
	for (int32_t k = 0; k < c->ranks; ++k) {
		if (sends[k].quanta) s.to[s.count++] = k;
		s.from[k] = k;
	}
	w->domain.by->add(w->domain.at, c->ranks, sends);
	const int128 awaited = sends[c->rank].quanta;
	scree_domain_need(&w->domain, awaited >= 0 && awaited < c->ranks, "add", "impossible number of messages");
	s.awaited = (int32_t)awaited;
	scree_free(sends);
	return s;
}

static void exchange_bodies(leaving *o, const model *m, state *s, const senders *by, record_list came[PAIR_KINDS])
{
	channel *c = o->part->c;
	message_reader r;
	fail why;
	scree_channel_begin(c, by->count, by->froms);
	o->part->left += o->away.count;
	for (int32_t k = 0; k < by->count; ++k) {
		write_leaving(o, by->to[k], scree_channel_write(c, k, by->to[k], PHASE_BODIES, s->step));
		scree_channel_send(c, k);
	}
	scree_ranks_close_rows(&s->body, o->to, c->rank);
	const envelope e = {PHASE_BODIES, s->step, by->froms, by->from};
	for (int32_t k = 0; k < by->awaited; ++k) {
		scree_ranks_need(scree_channel_receive(c, &e, &r, &why), &why);
		scree_ranks_need(scree_ranks_read_bodies(o->part, m, s, SHARE_OWNER, came, &r, &why), &why);
	}
	c->by->sent(c);
}

bool scree_rank_is_neighbour(const rank_part *o, int32_t rank)
{
	for (int32_t k = 0; k < o->neighbours; ++k)
		if (o->neighbour[k] == rank) return true;
	return false;
}

/* Whether any body leaves its rank, and whether any body moves beyond the neighbours of its rank. */
typedef struct travel {
	bool any, far;
} travel;

static travel travel_of(const leaving *o, const work *w)
{
	real most = o->away.count > 0;
	for (int64_t k = 0; k < o->away.count && most < 2; ++k)
		if (!scree_rank_is_neighbour(o->part, o->away.item[k].value)) most = 2;
	scree_domain_most(&w->domain, 1, &most);
	scree_domain_need(&w->domain, most == 0 || most == 1 || most == 2, "greatest",
					  "bodies move to ranks that do not exist");
	return (travel){most > 0, most > 1};
}

int32_t *scree_ranks_of_bodies(const rank_part *o, const state *s)
{
	const bodies *b = &s->body;
	int32_t *to = scree_alloc((size_t)b->owned, sizeof *to);
	for (int32_t i = 0; i < b->owned; ++i)
		to[i] = o->space.by->owner(&o->space, scree_rank_place(o, s, body_position(b, i)));
	return to;
}

static leaving find_leaving(rank_part *part, const state *s)
{
	const bodies *b = &s->body;
	leaving o = {.part = part, .b = b, .to = scree_ranks_of_bodies(part, s)};
	sort_item *away = scree_alloc((size_t)b->owned, sizeof *away);
	int64_t count = 0;
	for (int32_t i = 0; i < b->owned; ++i)
		if (o.to[i] != part->c->rank) away[count++] = (sort_item){b->id[i], o.to[i]};
	o.away = scree_ids_sort(away, count);
	return o;
}

kept_contacts *scree_world_keep_all(const model *m, const state *s)
{
	kept_contacts *o = scree_world_keep_contacts(m, s);
	return o ? o : scree_alloc(1, sizeof *o);
}

bool scree_bodies_to_owners(void *at, const model *m, state *s, work *w)
{
	rank_part *part = at;
	if (!part->kept) scree_ranks_balance(part, s, w); /* otherwise the world has just been divided */
	leaving o = find_leaving(part, s);
	const travel goes = travel_of(&o, w);
	if (goes.any) {
		const senders by = goes.far ? any_ranks(&o, w) : neighbours_of(part);
		record_list came[PAIR_KINDS] = {{0}};
		for (int kind = 0; kind < PAIR_KINDS; ++kind) came[kind].each = scree_contact_bytes(s->pair + kind);
		o.kept = scree_world_keep_all(m, s);
		exchange_bodies(&o, m, s, &by, came);
		part->kept = contacts_of_owned(part, s, o.kept, came);
		scree_kept_contacts_free(o.kept);
		scree_free(by.to);
		scree_free(by.from);
	}
	scree_free(o.to);
	scree_free(o.away.item);
	return goes.any || part->kept;
}

/* ------------------------------------------------------------------ back to lists */

/* Tests whether this rank counts a contact that has lost a body, because it owns the body with the lower id. */
static bool is_counted(int kind, const contact_key *k, const id_table *rows, int32_t owned)
{
	const uint64_t lower = pair_on_wall(kind) || k->a < k->b ? k->a : k->b;
	const int32_t row = id_value(rows, lower);
	return row >= 0 && row < owned;
}

static void move_up(kept_contacts *o, int kind, int64_t to, int64_t from)
{
	const pair_list *l = o->history + kind;
	o->key[kind][to] = o->key[kind][from];
	for (int f = 0; f < scree_history_table.count; ++f) {
		if (!scree_pair_has(l, f)) continue;
		real *x = scree_field_array(l, scree_history_table.row + f);
		x[to] = x[from];
	}
}

/* Ends contacts whose other body is no longer near; the remaining contacts are moved up to close the gaps. */
static void end_lost(kept_contacts *o, const model *m, state *s, int kind, const id_table *rows)
{
	int64_t kept = 0;
	for (int64_t k = 0; k < o->count[kind]; ++k) {
		const contact_key *key = o->key[kind] + k;
		const bool there = id_value(rows, key->a) >= 0 && (pair_on_wall(kind) || id_value(rows, key->b) >= 0);
		if (there)
			move_up(o, kind, kept++, k);
		else
			scree_contact_end(is_counted(kind, key, rows, s->body.owned) ? &s->energy : NULL, o->history + kind, k,
							  m->dt);
	}
	o->count[kind] = o->history[kind].count = kept;
}

void scree_kept_contacts_settle(rank_part *part, const model *m, state *s, work *w)
{
	kept_contacts *o = part->kept;
	id_table rows = scree_ids_of_rows(&s->body, 0, s->body.count);
	need_each_once(&rows, part);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) end_lost(o, m, s, kind, &rows);
	scree_free(rows.item);
	scree_world_restore_contacts(m, s, w, o);
	part->kept = NULL;
}

/* ------------------------------------------------------------------ the first division */

/* The ledger and plane counts are sums over parts. The first part keeps the totals; the others start at zero. */
static void forget_sums(state *s)
{
	ledger *e = &s->energy;
	e->lost_normal = e->lost_friction = e->lost_rolling = e->lost_method = (fixed){0};
	e->made = e->wall_work = e->brought = (fixed){0};
	e->heat_walls = e->heat_friction = e->heat_brought = (fixed){0};
	memset(s->energy_guard.classes, 0, sizeof s->energy_guard.classes);
	memset(s->flow, 0, sizeof s->flow);
}

void scree_world_end_division(state *s, work *w, rank_part *part, kept_contacts *had, record_list came[PAIR_KINDS])
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) s->pair[kind].count = s->pair[kind].pieces = 0;
	part->kept = contacts_of_owned(part, s, had, came);
	scree_kept_contacts_free(had);
	if (part->c->rank) forget_sums(s);
	s->body.capacity = 0; /* to release the memory of the whole world */
	scree_bodies_reserve(&s->body, s->body.count + 1);
	w->skin.stale = true;
}
