/* whole: gathers the world of all ranks on rank 0, for files and pictures. Bodies are sent with all of their columns,
 * and contacts with their histories and with the geometry and forces of the last step, so that everything read from
 * this world is the same, bit for bit, as in a single process. */
#include "ranks/division/part.h"

#include "base/memory.h"
#include "state/contact_rows.h"
#include "state/id_table.h"
#include "state/kept_contacts.h"
#include "state/pairs.h"
#include "world/world.h"

#include <string.h>

/* ------------------------------------------------------------------ sending */

static int64_t count_contacts(const state *s, int kind)
{
	int64_t count = 0;
	for (contact_walk c = contact_first(s->pair + kind); contact_more(s->pair + kind, &c); ++c.row)
		count += scree_contact_counted(s, kind, c.row);
	return count;
}

/* Records begin with keys, which are aligned. */
static size_t record_bytes(const scree_world *w, int kind)
{
	const size_t each = scree_contact_bytes(w->state.pair + kind);
	return each + (scree_contact_work_packed(&w->work.pair[kind].contact) + 7) / 8 * 8;
}

/* Writes the contacts that this rank counts. */
static void put_contacts(const scree_world *w, int kind, char *to)
{
	const pair_list *l = w->state.pair + kind;
	const contact_work *work = &w->work.pair[kind].contact;
	const size_t after_history = record_bytes(w, kind) - scree_contact_bytes(l);
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		if (!scree_contact_counted(&w->state, kind, c.row)) continue;
		const contact_key key = scree_contact_key(&w->model, &w->state, kind, c.row);
		to = scree_contact_put(to, &key, l, c.row);
		scree_contact_work_pack(work, c.row, to);
		to += after_history;
	}
}

static void put_bodies(const bodies *b, char *to)
{
	int32_t *row = scree_alloc((size_t)b->owned, sizeof *row);
	for (int32_t i = 0; i < b->owned; ++i) row[i] = i;
	scree_bodies_pack(b, SHARE_NEVER, b->owned, row, to);
	scree_free(row);
}

static void send_part(channel *c, const scree_world *w)
{
	const bodies *b = &w->state.body;
	message *m = scree_channel_write(c, 0, 0, PHASE_GATHER, w->state.step);
	put_bodies(b, scree_message_segment(m, SEGMENT_BODIES, (size_t)b->owned * scree_bodies_packed(b, SHARE_NEVER)));
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const size_t size = (size_t)count_contacts(&w->state, kind) * record_bytes(w, kind);
		if (size) put_contacts(w, kind, scree_message_segment(m, SEGMENT_CONTACTS + (uint64_t)kind, size));
	}
	scree_channel_send(c, 0);
	c->by->sent(c);
}

/* ------------------------------------------------------------------ receiving */

/* The functions below return the reason for a failure, or NULL on success. */
static const char *add_bodies(scree_world *w, const segment *g)
{
	bodies *b = &w->state.body;
	const size_t each = scree_bodies_packed(b, SHARE_NEVER), count = g->size / each;
	const int32_t from = b->count;
	if (g->size % each || count > (size_t)(b->capacity - from)) return "their number differs from its count";
	scree_bodies_unpack(b, SHARE_NEVER, from, (int64_t)count, g->bytes);
	b->count += (int32_t)count;
	b->owned = b->count;
	return scree_ranks_index_fault(&w->model, &w->state, b, from, (int32_t)count);
}

static bool take_part(scree_world *w, record_list came[PAIR_KINDS], message_reader *r, fail *why)
{
	segment g;
	while (scree_message_next(r, &g)) {
		const char *fault = g.tag == SEGMENT_BODIES ? add_bodies(w, &g)
													: scree_ranks_add_contacts(&w->model, &w->state, came, &g, false);
		if (fault)
			return scree_fail(why, FAIL_IO, "rank 0: a message from rank %d has wrong bodies or contacts: %s",
							  r->head.from, fault);
	}
	return true;
}

static void take_own(const scree_world *part, bodies *b, record_list came[PAIR_KINDS])
{
	const bodies *own = &part->state.body;
	char *packed = scree_alloc((size_t)own->owned, scree_bodies_packed(own, SHARE_NEVER));
	put_bodies(own, packed);
	scree_bodies_unpack(b, SHARE_NEVER, 0, own->owned, packed);
	b->count = b->owned = own->owned;
	scree_free(packed);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const int64_t count = count_contacts(&part->state, kind);
		if (count) put_contacts(part, kind, scree_records_add(came + kind, count));
	}
}

static void take_all(channel *c, int64_t step, scree_world *w, record_list came[PAIR_KINDS])
{
	int32_t *rank = scree_alloc((size_t)c->ranks, sizeof *rank);
	for (int32_t k = 1; k < c->ranks; ++k) rank[k - 1] = k;
	const envelope e = {PHASE_GATHER, step, c->ranks - 1, rank};
	for (int32_t k = 1; k < c->ranks; ++k) {
		message_reader r;
		fail why;
		scree_ranks_need(scree_channel_receive(c, &e, &r, &why), &why);
		scree_ranks_need(take_part(w, came, &r, &why), &why);
	}
	scree_free(rank);
}

/* Checks that both bodies of each contact have arrived. */
static void need_partners(const scree_world *w, int kind, const record_list *l)
{
	const id_table rows = scree_ids_of_rows(&w->state.body, 0, w->state.body.count);
	for (int64_t k = 0; k < l->count; ++k) {
		contact_key key;
		memcpy(&key, l->bytes + (size_t)k * l->each, sizeof key);
		if (id_value(&rows, key.a) < 0 || (!pair_on_wall(kind) && id_value(&rows, key.b) < 0))
			scree_break_off(FAIL_IO, "rank 0: a contact of bodies %llu and %llu has arrived without these bodies",
							(unsigned long long)key.a, (unsigned long long)key.b);
	}
	scree_free(rows.item);
}

/* Puts contacts into lists, in the order of their keys. */
static void restore(scree_world *w, int kind, record_list *l)
{
	kept_contacts kept = {.count = {0}};
	contact_work *work = &w->work.pair[kind].contact;
	scree_records_sort(l);
	need_partners(w, kind, l);
	scree_kept_contacts_room(&kept, &w->state, kind, l->count);
	for (int64_t k = 0; k < l->count; ++k) scree_contact_get(&kept, kind, k, l->bytes + (size_t)k * l->each);
	scree_world_restore_pairs(&w->model, &w->state, &w->work, kind, l->count, kept.key[kind], kept.history + kind);
	const char *from = l->bytes + scree_contact_bytes(w->state.pair + kind);
	for (contact_walk c = contact_first(w->state.pair + kind); contact_more(w->state.pair + kind, &c); ++c.row) {
		scree_contact_work_unpack(work, c.row, from);
		from += l->each;
	}
	scree_pair_list_free(kept.history + kind);
	scree_free(kept.key[kind]);
	scree_free(l->bytes);
}

/* ------------------------------------------------------------------ the world */

/* Makes a world like the part, with room for bodies and contacts but none of either. */
static scree_world *new_whole(const scree_world *part, int64_t bodies_of_all)
{
	scree_world *w = scree_alloc(1, sizeof *w);
	*w = *part;
	w->memory = (memory_list){0};
	w->work.domain = scree_domain_alone;
	w->state.body = (bodies){0};
	scree_bodies_ask(&w->state.body, part->state.body.asked);
	scree_bodies_reserve(&w->state.body, (int32_t)bodies_of_all);
	w->state.pair = scree_alloc(PAIR_KINDS, sizeof *w->state.pair);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		scree_pair_list_remember(w->state.pair + kind, part->state.pair[kind].remembers);
		w->work.pair[kind] = (pair_work){.contact.derives = part->work.pair[kind].contact.derives};
	}
	return w;
}

/* Adds up the ledger, the accounts of patches and the counts of planes over all parts. */
void scree_ranks_sums(const domain *d, state *s)
{
	enum { LEDGER = 10, EACH = 3 };
	ledger *e = &s->energy;
	energy_class *of = s->energy_guard.classes;
	enum { FLOW = LEDGER + EACH * ENERGY_LEVELS };
	fixed sum[FLOW + FLOW_SUMS * FLOW_PLANES] = {e->lost_normal,  e->lost_friction, e->lost_rolling, e->made,
												 e->wall_work,	  e->brought,		e->heat_walls,	 e->heat_friction,
												 e->heat_brought, e->lost_method};
	for (int k = 0; k < ENERGY_LEVELS; ++k) {
		fixed *to = sum + LEDGER + EACH * k;
		to[0] = of[k].made, to[1] = of[k].lost, to[2].quanta = of[k].patches;
	}
	for (int k = 0; k < FLOW_PLANES; ++k) flow_to_sums(s->flow + k, sum + FLOW + FLOW_SUMS * k);
	d->by->add(d->at, sizeof sum / sizeof *sum, sum);
	for (int k = 0; k < FLOW_PLANES; ++k) s->flow[k] = flow_of_sums(sum + FLOW + FLOW_SUMS * k);
	e->lost_normal = sum[0], e->lost_friction = sum[1], e->lost_rolling = sum[2];
	e->made = sum[3], e->wall_work = sum[4], e->brought = sum[5];
	e->heat_walls = sum[6], e->heat_friction = sum[7], e->heat_brought = sum[8], e->lost_method = sum[9];
	for (int k = 0; k < ENERGY_LEVELS; ++k) {
		const fixed *from = sum + LEDGER + EACH * k;
		of[k] = (energy_class){from[0], from[1], (int64_t)from[2].quanta};
	}
}

scree_world *scree_ranks_whole(rank_part *o, const scree_world *part)
{
	channel *c = o->c;
	const int64_t all = scree_world_bodies(part);
	state sums = part->state;
	scree_domain_need(&part->work.domain, (uint64_t)all < part->state.next_id, "add", "there are more bodies than ids");
	scree_ranks_sums(&part->work.domain, &sums);
	scree_channel_begin(c, 1, c->ranks);
	if (c->rank) {
		send_part(c, part);
		return NULL;
	}
	record_list came[PAIR_KINDS] = {{0}};
	for (int kind = 0; kind < PAIR_KINDS; ++kind) came[kind].each = record_bytes(part, kind);
	scree_world *w = new_whole(part, all);
	w->state.energy = sums.energy;
	w->state.energy_guard = sums.energy_guard;
	memcpy(w->state.flow, sums.flow, sizeof sums.flow);
	take_own(part, &w->state.body, came);
	take_all(c, part->state.step, w, came);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) restore(w, kind, came + kind);
	return w;
}

void scree_ranks_whole_free(scree_world *whole)
{
	if (!whole) return;
	scree_bodies_free(&whole->state.body);
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		scree_pair_list_free(whole->state.pair + kind);
		scree_pair_work_free(whole->work.pair + kind);
	}
	scree_free(whole->state.pair);
	scree_free(whole);
}
