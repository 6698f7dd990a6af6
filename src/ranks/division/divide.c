/* divide: rules of division among ranks, and the first division of a world complete on all ranks or on the first. */
#include "ranks/division/part.h"

#include "base/memory.h"
#include "state/id_table.h"
#include "state/kept_contacts.h"
#include "state/pairs.h"
#include "state/state.h"
#include "work/work.h"

const domain_row scree_domain_ranks = {.most = scree_ranks_most,
									   .add = scree_ranks_add,
									   .both = scree_ranks_both,
									   .gather = scree_ranks_gather,
									   .owns = scree_ranks_owns,
									   .settle = scree_bodies_to_owners,
									   .renew = scree_owners_to_copies,
									   .refresh = scree_copies_follow,
									   .sent = scree_rows_of_copies,
									   .share = scree_owners_to_ghosts,
									   .deliver = scree_records_to_owners,
									   .slice = scree_ranks_slice,
									   .collect = scree_ranks_collect,
									   .break_off = scree_ranks_break_off};

void scree_world_begin_division(work *w, rank_part *part)
{
	w->domain = (domain){.by = part->rule ? part->rule : &scree_domain_ranks, .at = part, .first = part->c->rank == 0};
}

void scree_world_divide(const model *m, state *s, work *w, rank_part *part)
{
	record_list none[PAIR_KINDS] = {{0}};
	scree_world_begin_division(w, part);
	scree_ranks_cut(part, s);
	int32_t *to = scree_ranks_of_bodies(part, s);
	kept_contacts *kept = scree_world_keep_all(m, s);
	scree_ranks_close_rows(&s->body, to, part->c->rank);
	scree_free(to);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) none[kind].each = scree_contact_bytes(s->pair + kind);
	scree_world_end_division(s, w, part, kept, none);
}

/* ------------------------------------------------------------------ a world of the first rank */

/* The first rank sends the bodies of a new world to their owners, with the histories of their contacts. Bodies and
 * contacts are sent in blocks, so that no other rank ever holds more than its own bodies and one block. */
enum { BLOCK = 4096 }; /* number of bodies or contacts in the messages of one round, over all ranks */

typedef struct handing {
	rank_part *part;
	const domain *d;
	const model *m;
	state *s;
	int32_t *to;		 /* at the first rank: [owned] rank of each body */
	id_table rank;		 /* the same ranks, in the order of ids */
	kept_contacts *kept; /* contacts, by kind */
	record_list came[PAIR_KINDS];
} handing;

/* Writes the bodies of this rank that are in rows from .. from+BLOCK-1. */
static void write_bodies(const handing *o, int64_t from, int32_t rank, message *m)
{
	const bodies *b = &o->s->body;
	int32_t row[BLOCK], count = 0;
	for (int64_t i = from; i < b->owned && i < from + BLOCK; ++i)
		if (o->to[i] == rank) row[count++] = (int32_t)i;
	if (!count) return;
	void *to = scree_message_segment(m, SEGMENT_BODIES, (size_t)count * scree_bodies_packed(b, SHARE_NEVER));
	scree_bodies_pack(b, SHARE_NEVER, count, row, to);
}

static int32_t rank_of(const handing *o, uint64_t id)
{
	const int32_t rank = id_value(&o->rank, id);
	SCREE_ASSERT(rank >= 0);
	return rank;
}

/* The ranks that receive each contact of a block. */
typedef struct contact_ranks {
	int32_t of[BLOCK][2];
	int32_t count;
} contact_ranks;

static void find_ranks(const handing *o, int kind, int64_t from, contact_ranks *block)
{
	const int64_t left = o->kept->count[kind] - from;
	block->count = left < BLOCK ? (int32_t)left : BLOCK;
	for (int32_t k = 0; k < block->count; ++k) {
		const contact_key *key = o->kept->key[kind] + from + k;
		block->of[k][0] = rank_of(o, key->a);
		block->of[k][1] = pair_on_wall(kind) ? block->of[k][0] : rank_of(o, key->b);
	}
}

static void write_contacts(const handing *o, int kind, int64_t from, const contact_ranks *block, int32_t rank,
						   message *m)
{
	const kept_contacts *all = o->kept;
	int64_t count = 0;
	for (int32_t k = 0; k < block->count; ++k) count += block->of[k][0] == rank || block->of[k][1] == rank;
	if (!count) return;
	const size_t each = scree_contact_bytes(all->history + kind);
	char *to = scree_message_segment(m, SEGMENT_CONTACTS + (uint64_t)kind, (size_t)count * each);
	for (int32_t k = 0; k < block->count; ++k) {
		if (block->of[k][0] != rank && block->of[k][1] != rank) continue;
		to = scree_contact_put(to, all->key[kind] + from + k, all->history + kind, from + k);
	}
}

static void receive(handing *o)
{
	const int32_t first = 0;
	const envelope e = {PHASE_BODIES, o->s->step, 1, &first};
	message_reader r;
	fail why;
	scree_ranks_need(scree_channel_receive(o->part->c, &e, &r, &why), &why);
	scree_ranks_need(scree_ranks_read_bodies(o->part, o->m, o->s, SHARE_NEVER, o->came, &r, &why), &why);
}

/* kind: kind of contacts; -1 for bodies */
static void hand_round(handing *o, int kind, int64_t from)
{
	channel *c = o->part->c;
	contact_ranks *block = scree_alloc(1, sizeof *block);
	if (c->rank == 0 && kind >= 0) find_ranks(o, kind, from, block);
	scree_channel_begin(c, c->ranks - 1, 1);
	for (int32_t rank = 1; c->rank == 0 && rank < c->ranks; ++rank) {
		message *m = scree_channel_write(c, rank - 1, rank, PHASE_BODIES, o->s->step);
		if (kind < 0)
			write_bodies(o, from, rank, m);
		else
			write_contacts(o, kind, from, block, rank, m);
		scree_channel_send(c, rank - 1);
	}
	if (c->rank > 0) receive(o);
	c->by->sent(c);
	scree_free(block);
}

static void find_owners(handing *o)
{
	const bodies *b = &o->s->body;
	sort_item *rank = scree_alloc((size_t)b->owned, sizeof *rank);
	o->to = scree_ranks_of_bodies(o->part, o->s);
	for (int32_t i = 0; i < b->owned; ++i) {
		rank[i] = (sort_item){b->id[i], o->to[i]};
		o->part->left += o->to[i] != 0;
	}
	o->rank = scree_ids_sort(rank, b->owned);
}

/* Makes room for the bodies of this rank. all: number of bodies on all ranks */
static void make_room(handing *o, int64_t all)
{
	const channel *c = o->part->c;
	fixed *count = scree_alloc((size_t)c->ranks, sizeof *count);
	for (int32_t i = 0; i < o->s->body.owned; ++i) count[o->to[i]].quanta += 1;
	scree_ranks_add(o->part, c->ranks, count);
	const int128 here = count[c->rank].quanta;
	scree_domain_need(o->d, here >= 0 && here <= all, "add", "the number of bodies differs from the first rank");
	if (c->rank > 0) scree_bodies_reserve(&o->s->body, (int32_t)here + 1);
	scree_free(count);
}

static const real MOST_ROWS = 1e15; /* a real can hold any integer up to this limit */

static void hand_all(handing *o)
{
	const channel *c = o->part->c;
	real rows[1 + PAIR_KINDS] = {(real)o->s->body.owned};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) rows[1 + kind] = (real)o->kept->count[kind];
	const int64_t owned = o->s->body.owned;
	scree_ranks_most(o->part, 1 + PAIR_KINDS, rows);
	for (int kind = -1; kind < PAIR_KINDS && c->rank == 0; ++kind) /* no other rank has contacts */
		scree_domain_need(o->d, rows[1 + kind] == (real)(kind < 0 ? owned : o->kept->count[kind]), "greatest",
						  "the number of bodies or contacts differs from the first rank");
	scree_domain_need(o->d, rows[0] < (real)o->s->next_id && rows[0] < INT32_MAX, "greatest",
					  "the number of bodies differs from the first rank");
	for (int k = 0; k < 1 + PAIR_KINDS; ++k)
		scree_domain_need(o->d, rows[k] >= 0 && rows[k] < MOST_ROWS, "greatest",
						  "impossible number of bodies or contacts on a rank");
	make_room(o, (int64_t)rows[0]);
	for (int kind = -1; kind < PAIR_KINDS; ++kind)
		for (int64_t from = 0; from < (int64_t)rows[1 + kind]; from += BLOCK) hand_round(o, kind, from);
	if (c->rank == 0) scree_ranks_close_rows(&o->s->body, o->to, 0);
}

void scree_world_hand_out(const model *m, state *s, work *w, rank_part *part)
{
	handing o = {.part = part, .d = &w->domain, .m = m, .s = s};
	scree_world_begin_division(w, part);
	SCREE_ASSERT(part->c->rank == 0 || !s->body.count);
	scree_ranks_cut(part, s);
	if (part->c->rank == 0) find_owners(&o);
	o.kept = scree_world_keep_all(m, s);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) o.came[kind].each = scree_contact_bytes(s->pair + kind);
	hand_all(&o);
	scree_free(o.to);
	scree_free(o.rank.item);
	scree_world_end_division(s, w, part, o.kept, o.came);
}
