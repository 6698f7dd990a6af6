#include "rank_play.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

enum { MOST_SEGMENTS = 4, TERMS = 3 };

static int by_rank(const void *a, const void *b) { return *(const int32_t *)a - *(const int32_t *)b; }

int32_t rank_neighbours(int32_t rank, int32_t ranks, int32_t reach, int32_t *neighbour)
{
	int32_t count = 0;
	for (int32_t k = -reach; k <= reach; ++k) {
		const int32_t other = ((rank + k) % ranks + ranks) % ranks;
		bool known = other == rank;
		for (int32_t n = 0; n < count; ++n) known |= neighbour[n] == other;
		if (!known) neighbour[count++] = other;
	}
	qsort(neighbour, (size_t)count, sizeof *neighbour, by_rank);
	return count;
}

typedef struct play {
	const play_plan *p;
	const channel *c;
	int64_t round;
	int32_t heard;
} play;

static random_stream content_of(const play *o, int32_t from, int32_t to)
{
	return scree_random_start(o->p->seed, (uint64_t)o->round << 40 | (uint64_t)from << 20 | (uint64_t)to);
}

static size_t draw_size(const play *o, random_stream *r) { return scree_random_bits(r) % (o->p->most + 1); }

/* One message in five is empty. */
static uint32_t draw_segments(random_stream *r) { return scree_random_bits(r) % (MOST_SEGMENTS + 1); }

static void encode(void *what, int32_t to, message *m)
{
	const play *o = what;
	random_stream r = content_of(o, o->c->rank, to);
	for (uint32_t k = draw_segments(&r); k > 0; --k) {
		const size_t size = draw_size(o, &r);
		uint8_t *bytes = scree_message_segment(m, k, size);
		for (size_t n = 0; n < size; ++n) bytes[n] = (uint8_t)scree_random_bits(&r);
	}
}

static bool decode(void *what, int32_t from, message_reader *m, fail *why)
{
	play *o = what;
	random_stream r = content_of(o, from, o->c->rank);
	segment s;
	bool right = true;
	for (uint32_t k = draw_segments(&r); k > 0 && right; --k) {
		right = scree_message_next(m, &s) && s.tag == k && s.size == draw_size(o, &r);
		for (size_t n = 0; right && n < s.size; ++n)
			right = ((const uint8_t *)s.bytes)[n] == (uint8_t)scree_random_bits(&r);
	}
	o->heard += 1;
	right = right && !scree_message_next(m, &s);
	return right || scree_fail(why, FAIL_INTERNAL, "wrong content from rank %d", from);
}

/* The number that a rank contributes in a round. */
static real number_of(const play *o, int32_t rank, int32_t term)
{
	random_stream r = scree_random_start(~o->p->seed, (uint64_t)o->round << 32 | (uint64_t)rank);
	real x = 0;
	for (int32_t k = 0; k <= term; ++k) x = scree_random_between(&r, -1, 1);
	return x * (term == 2 ? (real)1e15 : 1);
}

/* Each rank has 0 to 3 numbers. */
static int32_t rows_of(int32_t rank) { return rank % 4; }

static bool rows_are_right(const play *o, channel *c, fail *why)
{
	rank_rows *all = scree_alloc((size_t)c->ranks, sizeof *all);
	real mine[4];
	for (int32_t k = 0; k < rows_of(c->rank); ++k) mine[k] = number_of(o, c->rank, k);
	const size_t size = (size_t)rows_of(c->rank) * sizeof *mine;
	all[c->rank] = (rank_rows){scree_copy(mine, size, 1), size};
	bool good = scree_tree_gather(c, all, why), right = good;
	for (int32_t rank = 0; rank < c->ranks && right; ++rank) {
		right = all[rank].size == (size_t)rows_of(rank) * sizeof *mine;
		for (int32_t k = 0; right && k < rows_of(rank); ++k)
			right = ((const real *)all[rank].bytes)[k] == number_of(o, rank, k);
	}
	for (int32_t rank = 0; rank < c->ranks; ++rank) scree_free(all[rank].bytes);
	scree_free(all);
	return good && (right || scree_fail(why, FAIL_INTERNAL, "wrong content: rows of all ranks, at rank %d", c->rank));
}

static bool sums_are_right(const play *o, channel *c, fail *why)
{
	real most[TERMS], wanted[TERMS];
	fixed sum[TERMS] = {0}, all[TERMS] = {0};
	for (int32_t k = 0; k < TERMS; ++k) {
		scree_fixed_add(sum + k, most[k] = wanted[k] = number_of(o, c->rank, k));
		for (int32_t rank = 0; rank < c->ranks; ++rank) {
			const real x = number_of(o, rank, k);
			wanted[k] = real_max(wanted[k], x);
			scree_fixed_add(all + k, x);
		}
	}
	const bool both = o->round % 2;
	if (both && !c->by->both(c, TERMS, most, TERMS, sum, why)) return false;
	if (!both && (!c->by->greatest(c, TERMS, most, why) || !c->by->add(c, TERMS, sum, why))) return false;
	if (!rows_are_right(o, c, why)) return false;
	for (int32_t k = 0; k < TERMS; ++k)
		if (most[k] != wanted[k] || sum[k].quanta != all[k].quanta || sum[k].beyond != all[k].beyond)
			return scree_fail(why, FAIL_INTERNAL, "wrong content: a sum of rank %d", c->rank);
	return true;
}

bool rank_play(channel *c, const play_plan *p, fail *why)
{
	int32_t *neighbour = calloc(2 * (size_t)p->reach + 1, sizeof *neighbour);
	play o = {p, c, 0, 0};
	exchange x = {.phase = PHASE_BODIES,
				  .neighbours = rank_neighbours(c->rank, c->ranks, p->reach, neighbour),
				  .neighbour = neighbour,
				  .encode = encode,
				  .decode = decode,
				  .what = &o};
	bool right = true;
	for (; o.round < p->rounds && right; ++o.round) {
		o.heard = 0;
		x.step = o.round;
		right = scree_exchange(c, &x, why);
		if (right && o.heard != x.neighbours) right = scree_fail(why, FAIL_INTERNAL, "wrong content: a message more");
		right = right && sums_are_right(&o, c, why);
	}
	free(neighbour);
	return right;
}

/* In a maximum, NaN counts as the largest number, and a sum with a NaN is NaN. */
static bool odd_sums(channel *c, bool both, fail *why)
{
	const real rank = c->rank, last = c->ranks - 1;
	real x[4] = {rank == last ? (real)NAN : rank, rank == last ? (real)INFINITY : -rank, -(real)INFINITY, rank};
	fixed sum[2] = {0};
	scree_fixed_add(sum, rank == last ? (real)NAN : 1);
	scree_fixed_add(sum + 1, c->rank % 2 ? (real)-1e25 : (real)1e25);
	if (both && (!c->by->both(c, 4, x, 2, sum, why) || !c->by->both(c, 0, NULL, 0, NULL, why))) return false;
	if (!both && (!c->by->greatest(c, 4, x, why) || !c->by->add(c, 2, sum, why) || !c->by->add(c, 0, NULL, why)))
		return false;
	const real none = scree_fixed_value(sum[0]), all = c->ranks % 2 ? (real)1e25 : 0;
	const bool right = x[0] != x[0] && x[1] == (real)INFINITY && x[2] == -(real)INFINITY && x[3] == last &&
					   none != none && scree_fixed_value(sum[1]) == all;
	return right || scree_fail(why, FAIL_INTERNAL, "wrong content: sums of rank %d", c->rank);
}

bool rank_sums(channel *c, fail *why) { return odd_sums(c, false, why) && odd_sums(c, true, why); }
