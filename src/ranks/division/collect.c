/* collect: bytes of all ranks go to the first one, in the order of ranks and in pieces, so that it never holds all of
 * them. Each piece is an exchange of its own, in which only two ranks take part. */
#include "ranks/division/part.h"

#include "base/memory.h"

#include <string.h>

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
	if (!right) scree_fail(&why, FAIL_IO, "rank 0: a message of rank %d has wrong rows of a table", rank);
	scree_ranks_need(right, &why);
	take(context, s.bytes, size);
}

void scree_ranks_collect(void *at, size_t size, const void *bytes, domain_take_fn *take, void *context)
{
	channel *c = ((rank_part *)at)->c;
	const int64_t here = (int64_t)size;
	int64_t ranks = 1, *all = scree_ranks_gather(at, &ranks, sizeof here, &here);
	if (ranks != c->ranks)
		scree_break_off(FAIL_IO, "rank %d: %lld sizes of %d ranks", c->rank, (long long)ranks, c->ranks);
	for (int32_t rank = 1; rank < c->ranks; ++rank)
		for (int64_t from = 0; from < all[rank]; from += PIECE) {
			const size_t part = (size_t)(all[rank] - from < PIECE ? all[rank] - from : PIECE);
			scree_channel_begin(c, 1, 1);
			if (c->rank == rank) send_piece(c, (const char *)bytes + from, part);
			if (!c->rank) take_piece(c, rank, part, take, context);
		}
	scree_free(all);
}
