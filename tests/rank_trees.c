#include "rank_trees.h"

#include "base/memory.h"

#include <string.h>

/* neighbours of a rank in the tree */
typedef struct family {
	int32_t parent, child[2], children;
} family;

static family family_of(const channel *c)
{
	const int32_t first = 2 * c->rank + 1;
	return (family){(c->rank - 1) / 2, {first, first + 1}, first + 1 < c->ranks ? 2 : first < c->ranks ? 1 : 0};
}

typedef void join_fn(int32_t count, void *to, const void *other);
/* Returns whether the numbers of another rank may be combined with the numbers of this rank; all: they are totals over
 * all ranks, including this one. A NaN must remain NaN, and a maximum cannot decrease. */
typedef bool may_join_fn(int32_t count, const void *here, const void *other, bool all);

typedef struct collection {
	channel *c;
	message_phase phase;
	int32_t count; /* numbers */
	size_t size;   /* size of all numbers in bytes */
	void *numbers;
	join_fn *join;
	may_join_fn *may_join;
} collection;

static bool greatest_may_join(real here, real other, bool all) { return !all || other != other || here <= other; }

static bool sum_may_join(fixed here, fixed other, bool all)
{
	return !all || here.beyond != FIXED_NO_NUMBER || other.beyond == FIXED_NO_NUMBER;
}

static bool all_greatest_may_join(int32_t count, const void *here, const void *other, bool all)
{
	bool right = true;
	for (int32_t k = 0; k < count; ++k)
		right &= greatest_may_join(((const real *)here)[k], ((const real *)other)[k], all);
	return right;
}

static bool all_sums_may_join(int32_t count, const void *here, const void *other, bool all)
{
	bool right = true;
	for (int32_t k = 0; k < count; ++k) right &= sum_may_join(((const fixed *)here)[k], ((const fixed *)other)[k], all);
	return right;
}

static void join_greatest(int32_t count, void *to, const void *other) { greatest_join(count, to, other); }

static void join_sums(int32_t count, void *to, const void *other)
{
	for (int32_t k = 0; k < count; ++k) scree_fixed_join((fixed *)to + k, ((const fixed *)other)[k]);
}

static void join_terms(int32_t count, void *to, const void *other) { scree_joint_terms_join(count, to, other); }

static real greatest_of(const joint_term *t)
{
	real x;
	memcpy(&x, &t->quanta, sizeof x);
	return x;
}

static bool term_may_join(const joint_term *here, const joint_term *other, bool all)
{
	const joint_term bare = {.quanta = (int128)(uint64_t)other->quanta}; /* only the 64 bits of one number */
	if (other->is_sum != here->is_sum) return false;
	if (here->is_sum)
		return sum_may_join((fixed){here->quanta, here->beyond}, (fixed){other->quanta, other->beyond}, all);
	return other->quanta == bare.quanta && !other->beyond &&
		   greatest_may_join(greatest_of(here), greatest_of(other), all);
}

static bool all_terms_may_join(int32_t count, const void *here, const void *other, bool all)
{
	bool right = true;
	for (int32_t k = 0; k < count; ++k)
		right &= term_may_join((const joint_term *)here + k, (const joint_term *)other + k, all);
	return right;
}

/* sends message `k` of the round */
static void give(const collection *o, int32_t k, int32_t to)
{
	message *m = scree_channel_write(o->c, k, to, o->phase, 0);
	void *payload = scree_message_segment(m, o->phase, o->size);
	if (o->size) memcpy(payload, o->numbers, o->size);
	scree_channel_send(o->c, k);
}

/* Receives the numbers from one of these ranks; all: they are totals over all ranks. Returns NULL with an error message
 * on failure. */
static const void *take(const collection *o, int32_t count, const int32_t *rank, bool all, fail *why)
{
	const char *fault = "another number of terms";
	const envelope e = {o->phase, 0, count, rank};
	message_reader r;
	segment s = {0};
	if (!scree_channel_receive(o->c, &e, &r, why)) return NULL;
	if (scree_message_next(&r, &s) && s.size == o->size && s.tag == (uint64_t)o->phase && r.head.segments == 1) {
		if (o->may_join(o->count, o->numbers, s.bytes, all)) return s.bytes;
		fault = "terms that cannot be joined with those of this rank";
	}
	scree_fail(why, FAIL_INTERNAL, "rank %d: rank %d has %s, phase %s, exchange %llu", o->c->rank, r.head.from, fault,
			   scree_phase_names[o->phase], (unsigned long long)o->c->number);
	scree_channel_fail(o->c, why);
	return NULL;
}

static bool take_parent(const collection *o, int32_t parent, fail *why)
{
	o->c->heard[0] = false; /* a child may already have reported */
	const void *all = take(o, 1, &parent, true, why);
	if (all && o->size) memcpy(o->numbers, all, o->size);
	return all != NULL;
}

static bool collect(const collection *o, fail *why)
{
	channel *c = o->c;
	const family f = family_of(c);
	SCREE_ASSERT(!c->failed);
	scree_channel_begin(c, 3, 2);
	for (int32_t k = 0; k < f.children; ++k) {
		const void *other = take(o, f.children, f.child, false, why);
		if (!other) return false;
		o->join(o->count, o->numbers, other);
	}
	if (c->rank > 0) {
		give(o, 2, f.parent);
		if (!take_parent(o, f.parent, why)) return false;
	}
	for (int32_t k = 0; k < f.children; ++k) give(o, k, f.child[k]);
	c->by->sent(c);
	return true;
}

bool scree_tree_greatest(channel *c, int32_t count, real *x, fail *why)
{
	const collection o = {c, PHASE_GREATEST, count, (size_t)count * sizeof *x, x, join_greatest, all_greatest_may_join};
	return collect(&o, why);
}

bool scree_tree_add(channel *c, int32_t count, fixed *x, fail *why)
{
	const collection o = {c, PHASE_ADD, count, (size_t)count * sizeof *x, x, join_sums, all_sums_may_join};
	return collect(&o, why);
}

bool scree_tree_both(channel *c, int32_t mosts, real *most, int32_t sums, fixed *sum, fail *why)
{
	const int32_t count = mosts + sums;
	joint_term *term = scree_alloc((size_t)count, sizeof *term);
	const collection o = {c, PHASE_ADD, count, (size_t)count * sizeof *term, term, join_terms, all_terms_may_join};
	scree_joint_terms_pack(term, mosts, most, sums, sum);
	const bool good = collect(&o, why);
	if (good) scree_joint_terms_unpack(term, mosts, most, sums, sum);
	scree_free(term);
	return good;
}
