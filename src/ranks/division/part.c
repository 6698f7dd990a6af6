#include "ranks/division/part.h"

#include "base/memory.h"
#include "state/state.h"

#include <string.h>

void scree_ranks_need(bool good, const fail *why)
{
	if (!good) scree_break_off(why->code, "%s", why->text);
}

void scree_ranks_most(void *at, int32_t count, real *x)
{
	const rank_part *o = at;
	fail why;
	scree_ranks_need(o->c->by->greatest(o->c, count, x, &why), &why);
}

void scree_ranks_add(void *at, int32_t count, fixed *x)
{
	const rank_part *o = at;
	fail why;
	scree_ranks_need(o->c->by->add(o->c, count, x, &why), &why);
}

void scree_ranks_both(void *at, int32_t mosts, real *most, int32_t sums, fixed *sum)
{
	const rank_part *o = at;
	fail why;
	scree_ranks_need(o->c->by->both(o->c, mosts, most, sums, sum, &why), &why);
}

void *scree_ranks_gather(void *at, int64_t *count, size_t size, const void *rows)
{
	const rank_part *o = at;
	rank_rows *all = scree_alloc((size_t)o->c->ranks, sizeof *all);
	fail why;
	size_t bytes = 0;
	all[o->c->rank] = (rank_rows){scree_copy(rows, (size_t)*count, size), (size_t)*count * size};
	scree_ranks_need(scree_tree_gather(o->c, all, &why), &why);
	for (int32_t k = 0; k < o->c->ranks; ++k) {
		if (all[k].size % size)
			scree_break_off(FAIL_IO, "rank %d: the rows from rank %d end in the middle of a row", o->c->rank, k);
		bytes += all[k].size;
	}
	char *to = scree_alloc(bytes, 1);
	bytes = 0;
	for (int32_t k = 0; k < o->c->ranks; ++k) {
		if (all[k].size) memcpy(to + bytes, all[k].bytes, all[k].size);
		bytes += all[k].size;
		scree_free(all[k].bytes);
	}
	*count = (int64_t)(bytes / size);
	scree_free(all);
	return to;
}

/* ------------------------------------------------------------------ bytes in pieces */

/* Sends the bytes of all ranks to the first rank, in the order of ranks and in pieces, so that the first rank never
 * holds all of them. Each piece is an exchange in which only two ranks take part. */
enum { PIECE = 1 << 20 };

static void send_piece(channel *c, const void *bytes, size_t size)
{
	message *m = scree_channel_write(c, 0, 0, PHASE_GATHER, 0);
	memcpy(scree_message_segment(m, SEGMENT_RECORDS, size), bytes, size);
	scree_channel_send(c, 0);
	c->by->sent(c);
}

static void take_piece(channel *c, int32_t rank, size_t size, domain_take_fn *take, void *context)
{
	const envelope e = {PHASE_GATHER, 0, 1, &rank};
	message_reader r;
	segment s = {0};
	fail why;
	scree_ranks_need(scree_channel_receive(c, &e, &r, &why), &why);
	const bool right = scree_message_next(&r, &s) && s.tag == SEGMENT_RECORDS && s.size == size;
	if (!right) scree_fail(&why, FAIL_IO, "rank 0: a message from rank %d has wrong table rows", rank);
	scree_ranks_need(right, &why);
	take(context, s.bytes, size);
}

void scree_ranks_collect(void *at, size_t size, const void *bytes, domain_take_fn *take, void *context)
{
	channel *c = ((rank_part *)at)->c;
	const int64_t here = (int64_t)size;
	int64_t ranks = 1, *all = scree_ranks_gather(at, &ranks, sizeof here, &here);
	if (ranks != c->ranks)
		scree_break_off(FAIL_IO, "rank %d: received %lld sizes from %d ranks", c->rank, (long long)ranks, c->ranks);
	for (int32_t rank = 1; rank < c->ranks; ++rank)
		for (int64_t from = 0; from < all[rank]; from += PIECE) {
			const size_t part = (size_t)(all[rank] - from < PIECE ? all[rank] - from : PIECE);
			scree_channel_begin(c, 1, 1);
			if (c->rank == rank) send_piece(c, (const char *)bytes + from, part);
			if (!c->rank) take_piece(c, rank, part, take, context);
		}
	scree_free(all);
}

/* ------------------------------------------------------------------ the cell and its owners */

vec3 scree_rank_stretch(const rank_part *o, const state *s)
{
	vec3 by = v3(1, 1, 1);
	for (int32_t d = 0; o->space.plan.deforms && d < 3; ++d)
		if (o->space.plan.periodic[d])
			*v3_along(&by, d) =
				(v3_part(o->space.plan.high, d) - v3_part(o->space.plan.low, d)) / v3_part(s->images.size, d);
	return by;
}

vec3 scree_rank_place(const rank_part *o, const state *s, vec3 at)
{
	if (!o->space.plan.deforms) return at;
	const vec3 by = scree_rank_stretch(o, s), low = s->images.low;
	for (int32_t d = 0; d < 3; ++d)
		if (o->space.plan.periodic[d])
			*v3_along(&at, d) = v3_part(o->space.plan.low, d) + v3_part(by, d) * (v3_part(at, d) - v3_part(low, d));
	return at;
}

bool scree_ranks_owns(void *at, vec3 position)
{
	const rank_part *o = at;
	return o->space.by->owner(&o->space, position) == o->c->rank;
}

typedef struct report {
	channel *c;
	const fail *why;
} report;

static void tell(void *what)
{
	const report *o = what;
	scree_channel_fail(o->c, o->why);
}

/* If there is no memory for the report, the other ranks wait until they time out. */
void scree_ranks_break_off(void *at, fail *why)
{
	const rank_part *part = at;
	report o = {part->c, why};
	fail again;
	if (part->c->failed) return;
	scree_attempt(tell, &o, &again);
	scree_fail_in(why, "rank %d has failed", part->c->rank);
}

void scree_rank_part_free(rank_part *o)
{
	for (int32_t k = 0; k < o->neighbours; ++k) scree_free(o->border[k].row);
	scree_free(o->border);
	scree_free(o->neighbour);
	o->border = NULL;
	o->neighbour = NULL;
	o->neighbours = 0;
}
