/* slice: sends bodies and contacts to ranks by ids, for files that all ranks write in parallel (world/slice.h). */
#include "ranks/division/part.h"

#include "base/memory.h"
#include "state/contact_rows.h"
#include "state/id_table.h"
#include "state/pairs.h"
#include "world/world.h"

#include <string.h>

typedef struct slicing {
	rank_part *part;
	const domain *d;
	uint64_t
		*first; /* [ranks] lowest id of each slice; the first slice has all ids below the lowest id of the second */
} slicing;

/* ------------------------------------------------------------------ ranges of ids */

/* Returns the number of bodies before a rank's slice. Slices have whole units of bodies; the last may be shorter. */
static int64_t bodies_before(int64_t all, int64_t unit, int32_t ranks, int32_t rank)
{
	const int64_t units = (all + unit - 1) / unit, first = (units * rank + ranks - 1) / ranks;
	return first < units ? first * unit : all;
}

/* Bisection: first[k] becomes the lowest id below which there are before[k] bodies. */
static void find_first(const slicing *o, const state *s, const int64_t *before, const sort_item *own)
{
	const int32_t ranks = o->part->c->ranks;
	fixed *below = scree_alloc((size_t)ranks, sizeof *below);
	uint64_t *high = scree_alloc((size_t)ranks, sizeof *high), *low = o->first;
	for (int32_t k = 0; k < ranks; ++k) high[k] = s->next_id;
	for (uint64_t left = s->next_id; left; left /= 2) {
		for (int32_t k = 0; k < ranks; ++k)
			below[k] = (fixed){.quanta = scree_sort_find(own, 0, s->body.owned, low[k] + (high[k] - low[k]) / 2)};
		o->d->by->add(o->d->at, ranks, below);
		for (int32_t k = 0; k < ranks; ++k) {
			const uint64_t middle = low[k] + (high[k] - low[k]) / 2;
			if (below[k].quanta >= before[k])
				high[k] = middle;
			else
				low[k] = middle + 1;
		}
	}
	scree_free(high);
	scree_free(below);
}

/* Returns the last rank whose slice begins at or below this id. */
static int32_t rank_of(const slicing *o, uint64_t id)
{
	int32_t low = 0, high = o->part->c->ranks;
	while (high - low > 1) {
		const int32_t middle = low + (high - low) / 2;
		if (o->first[middle] <= id)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* ------------------------------------------------------------------ rows to their ranks, in rounds */

enum { ROUND = 4096 }; /* largest number of rows that a rank has in transit at a time */
/* largest number per rank, so that sums over ranks stay within 64 bits */
static const int64_t MOST_CONTACTS = (int64_t)1 << 40;

/* Number of rounds after which all ranks have sent their rows. */
static int64_t rounds_of(const slicing *o, int64_t rows)
{
	real most = (real)rows;
	scree_domain_most(o->d, 1, &most);
	scree_domain_need(o->d, most >= (real)rows && most <= (real)MOST_CONTACTS, "greatest",
					  "impossible number of rows on a rank");
	return ((int64_t)most + ROUND - 1) / ROUND;
}

/* Rows that this rank sends in a round. */
typedef struct round_rows {
	int64_t from, count;
} round_rows;

static round_rows rows_in(int64_t round, int64_t rows)
{
	const int64_t from = round * ROUND < rows ? round * ROUND : rows;
	return (round_rows){from, rows - from < ROUND ? rows - from : ROUND};
}

/* Returns the number of senders. Each round must have rows, so a wrong number of rounds is detected here. */
static int32_t count_senders(const slicing *o, const int64_t *count)
{
	const channel *c = o->part->c;
	fixed *sends = scree_alloc((size_t)c->ranks + 1, sizeof *sends), *rows = sends + c->ranks;
	for (int32_t k = 0; k < c->ranks; ++k) {
		sends[k].quanta = k != c->rank && count[k] > 0;
		rows->quanta += count[k];
	}
	const int128 here = rows->quanta;
	o->d->by->add(o->d->at, c->ranks + 1, sends);
	const int128 senders = sends[c->rank].quanta;
	scree_domain_need(o->d, rows->quanta > 0 && rows->quanta >= here, "add", "no rank has rows in this round");
	scree_domain_need(o->d, senders >= 0 && senders < c->ranks, "add", "impossible number of messages");
	scree_free(sends);
	return (int32_t)senders;
}

static bool take_rows(record_list *l, message_reader *r, fail *why)
{
	segment g;
	const bool right = scree_message_next(r, &g) && g.tag == SEGMENT_RECORDS;
	return (right && scree_records_append(l, g.size, g.bytes)) ||
		   scree_fail(why, FAIL_IO, "rank %d: a message from rank %d has wrong records", r->head.to, r->head.from);
}

static void send_rows(const slicing *o, const record_list *l, const int64_t *count, int64_t step)
{
	channel *c = o->part->c;
	const char *from = l->bytes;
	int32_t n = 0;
	for (int32_t k = 0; k < c->ranks; ++k) {
		const size_t size = (size_t)count[k] * l->each;
		if (size && k != c->rank) {
			memcpy(scree_message_segment(scree_channel_write(c, n, k, PHASE_GATHER, step), SEGMENT_RECORDS, size), from,
				   size);
			scree_channel_send(c, n++);
		}
		from += size;
	}
}

static void receive_rows(const slicing *o, record_list *l, int32_t senders, int64_t step)
{
	channel *c = o->part->c;
	int32_t *rank = scree_alloc((size_t)c->ranks, sizeof *rank);
	for (int32_t k = 0; k < c->ranks; ++k) rank[k] = k;
	const envelope e = {PHASE_GATHER, step, c->ranks, rank};
	message_reader r;
	fail why;
	for (int32_t k = 0; k < senders; ++k) {
		scree_ranks_need(scree_channel_receive(c, &e, &r, &why), &why);
		scree_ranks_need(take_rows(l, &r, &why), &why);
	}
	scree_free(rank);
}

/* Replaces the rows by those of this rank's slice, unordered. count: [ranks] numbers of adjacent rows for each rank. */
static void exchange_rows(const slicing *o, record_list *l, const int64_t *count, int64_t step)
{
	channel *c = o->part->c;
	const int32_t senders = count_senders(o, count);
	record_list came = {.each = l->each};
	int64_t before = 0;
	scree_channel_begin(c, c->ranks, c->ranks);
	send_rows(o, l, count, step);
	for (int32_t k = 0; k < c->rank; ++k) before += count[k];
	scree_records_append(&came, (size_t)count[c->rank] * l->each, l->bytes + (size_t)before * l->each);
	receive_rows(o, &came, senders, step);
	c->by->sent(c);
	scree_free(l->bytes);
	*l = came;
}

/* ------------------------------------------------------------------ bodies */

static void sort_by_id(bodies *b)
{
	int32_t *order = scree_bodies_by_id(b);
	void *tmp = scree_alloc((size_t)b->count, 8);
	scree_bodies_permute(b, order, tmp);
	scree_free(tmp);
	scree_free(order);
}

/* Adds those bodies of a round that belong to this rank's slice. */
static void exchange_bodies(const slicing *o, const state *s, const sort_item *own, round_rows now, bodies *to)
{
	const bodies *b = &s->body;
	record_list l = {.each = scree_bodies_packed(b, SHARE_NEVER), .count = now.count};
	int32_t row[ROUND];
	int64_t *count = scree_alloc((size_t)o->part->c->ranks, sizeof *count);
	l.bytes = scree_alloc((size_t)now.count, l.each);
	for (int64_t k = 0; k < now.count; ++k) {
		row[k] = own[now.from + k].value;
		count[rank_of(o, own[now.from + k].key)] += 1;
	}
	scree_bodies_pack(b, SHARE_NEVER, now.count, row, l.bytes);
	exchange_rows(o, &l, count, s->step);
	scree_bodies_reserve(to, to->count + (int32_t)l.count);
	scree_bodies_unpack(to, SHARE_NEVER, to->count, l.count, l.bytes);
	to->count += (int32_t)l.count;
	scree_free(l.bytes);
	scree_free(count);
}

static void need(const slicing *o, const char *fault)
{
	if (fault) scree_break_off(FAIL_IO, "rank %d: another rank has sent wrong rows: %s", o->part->c->rank, fault);
}

static void slice_bodies(const slicing *o, const model *m, const state *s, const sort_item *own,
						 int64_t bodies_of_slice, bodies *to)
{
	const bodies *b = &s->body;
	const int64_t rounds = rounds_of(o, b->owned);
	scree_bodies_ask(to, b->asked);
	scree_bodies_reserve(to, (int32_t)bodies_of_slice);
	for (int64_t k = 0; k < rounds; ++k) exchange_bodies(o, s, own, rows_in(k, b->owned), to);
	to->owned = to->count;
	need(o, scree_ranks_index_fault(m, s, to, 0, to->count));
	if (to->count != bodies_of_slice) need(o, "their number of bodies differs from the count of all ranks");
	sort_by_id(to);
}

/* ------------------------------------------------------------------ contacts */

/* Adds those contacts of a round that belong to this rank's slice. Each row begins with a key. */
static void exchange_round(const slicing *o, const record_list *l, round_rows now, int64_t step, record_list *to)
{
	int64_t *count = scree_alloc((size_t)o->part->c->ranks, sizeof *count);
	const char *from = l->bytes + (size_t)now.from * l->each;
	for (int64_t k = 0; k < now.count; ++k) {
		uint64_t id;
		memcpy(&id, from + (size_t)k * l->each + offsetof(contact_key, a), sizeof id);
		count[rank_of(o, id)] += 1;
	}
	record_list rows = {.each = l->each, .count = now.count, .bytes = scree_copy(from, (size_t)now.count, l->each)};
	exchange_rows(o, &rows, count, step);
	scree_records_append(to, (size_t)rows.count * l->each, rows.bytes);
	scree_free(rows.bytes);
	scree_free(count);
}

/* Exchanges rows that begin with a key, in the order of keys. */
static void exchange_contacts(const slicing *o, record_list *l, int64_t step)
{
	const int64_t rounds = rounds_of(o, l->count);
	record_list came = {.each = l->each};
	for (int64_t k = 0; k < rounds; ++k) exchange_round(o, l, rows_in(k, l->count), step, &came);
	scree_free(l->bytes);
	*l = came;
}

static record_list histories(const model *m, const state *s, int kind)
{
	const pair_list *l = s->pair + kind;
	record_list o = {.each = scree_contact_bytes(l)};
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		if (!scree_contact_counted(s, kind, c.row)) continue;
		const contact_key key = scree_contact_key(m, s, kind, c.row);
		scree_contact_put(scree_records_add(&o, 1), &key, l, c.row);
	}
	scree_records_sort(&o);
	return o;
}

/* Sets `before` and `all`. */
static void count_contacts(const slicing *o, slice_contacts *contact)
{
	int64_t here[PAIR_KINDS], ranks = 1;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) here[kind] = contact[kind].count;
	int64_t(*count)[PAIR_KINDS] = o->d->by->gather(o->d->at, &ranks, sizeof here, here);
	for (int64_t k = 0; k < ranks; ++k)
		for (int kind = 0; kind < PAIR_KINDS; ++kind) {
			if (count[k][kind] < 0 || count[k][kind] > MOST_CONTACTS) need(o, "a number of contacts is out of range");
			contact[kind].all += count[k][kind];
			if (k < o->part->c->rank) contact[kind].before += count[k][kind];
		}
	scree_free(count);
}

static void slice_histories(const slicing *o, const model *m, const state *s, slice_contacts *contact)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		record_list l = histories(m, s, kind);
		contact[kind].each = l.each;
		if (!scree_domain_any(o->d, l.count > 0)) continue;
		exchange_contacts(o, &l, s->step);
		need(o, scree_ranks_contacts_fault(m, s, kind, l.each, (size_t)l.count * l.each, l.bytes, false));
		scree_records_sort(&l);
		contact[kind].bytes = l.bytes;
		contact[kind].count = l.count;
	}
	count_contacts(o, contact);
}

static int by_key(const void *a, const void *b)
{
	const contact_line *x = a, *y = b;
	return contact_key_order(&x->key, &y->key);
}

static const char *line_fault(const model *m, const contact_line *l)
{
	const contact_entry *e = &l->entry;
	if (l->kind < 0 || l->kind >= PAIR_KINDS) return "unknown kind of contacts";
	if (e->wall < -1 || e->wall >= m->wall.count) return "a contact refers to a wall that does not exist";
	for (int side = 0; side < 2; ++side)
		if (e->material[side] < 0 || e->material[side] >= m->material.count)
			return "a body has a material that does not exist";
	return NULL;
}

static void slice_lines(const slicing *o, const model *m, const state *s, const work *w, world_slice *to)
{
	record_list l = {.each = sizeof(contact_line)};
	l.bytes = (char *)scree_contact_lines(m, s, w, &l.count);
	scree_sort_by(l.bytes, l.count, l.each, by_key);
	exchange_contacts(o, &l, s->step);
	to->line = (contact_line *)(void *)l.bytes;
	to->lines = l.count;
	for (int64_t k = 0; k < l.count; ++k) need(o, line_fault(m, to->line + k));
	scree_contact_lines_sort(to->line, to->lines);
}

/* ------------------------------------------------------------------ the slice */

world_slice *scree_ranks_slice(void *at, const model *m, const state *s, const work *w, int64_t unit, int content)
{
	rank_part *part = at;
	const int32_t ranks = part->c->ranks;
	world_slice *to = scree_alloc(1, sizeof *to);
	slicing o = {part, &w->domain, scree_alloc((size_t)ranks, sizeof *o.first)};
	state sums = *s;
	int64_t *before = scree_alloc((size_t)ranks, sizeof *before);
	sort_item *own = scree_ids_of_rows(&s->body, 0, s->body.owned).item;
	to->all = scree_domain_count(o.d, s->body.owned);
	scree_domain_need(o.d, (uint64_t)to->all < s->next_id, "add", "there are more bodies than ids");
	for (int32_t k = 0; k < ranks; ++k) before[k] = bodies_before(to->all, unit, ranks, k);
	to->before = before[part->c->rank];
	const int64_t after = bodies_before(to->all, unit, ranks, part->c->rank + 1);
	find_first(&o, s, before, own);
	if (content != SLICE_LINES_ALONE) slice_bodies(&o, m, s, own, after - to->before, &to->body);
	if (content == SLICE_LINES || content == SLICE_LINES_ALONE) slice_lines(&o, m, s, w, to);
	if (content == SLICE_HISTORIES) slice_histories(&o, m, s, to->contact);
	scree_ranks_sums(o.d, &sums);
	to->energy = sums.energy;
	to->energy_guard = sums.energy_guard;
	memcpy(to->flow, sums.flow, sizeof to->flow);
	scree_free(own);
	scree_free(before);
	scree_free(o.first);
	return to;
}
