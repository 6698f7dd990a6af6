#include "rank_faults.h"

#include "base/memory.h"
#include "rank_trees.h"

#include <string.h>

enum { LONGEST_DELAY = 12, MOST_BITS = 8 };

/* A copy of a message. */
typedef struct copy {
	int32_t to, tag;
	int32_t wait; /* number of other messages to send first */
	bool sent;
	size_t count;
	uint8_t *bytes;
} copy;

struct faults {
	channel inner; /* the channel that delivers the messages */
	const fault_script *of;
	random_stream random;
	copy *copy; /* [copies] messages delayed or being sent */
	int32_t copies, capacity;
	int64_t made[MESSAGE_FAULTS];
};

static bool happens(faults *o, message_fault kind)
{
	const bool now = scree_random_real(&o->random) < o->of->part[kind];
	o->made[kind] += now;
	return now;
}

static void change_bits(faults *o, copy *m)
{
	const uint32_t bits = 1 + scree_random_bits(&o->random) % MOST_BITS;
	for (uint32_t k = 0; k < bits && m->count; ++k) {
		const uint64_t bit = scree_random_bits(&o->random) % (8 * (uint64_t)m->count);
		m->bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static copy *add_copy(faults *o)
{
	if (o->copies == o->capacity) {
		const int32_t capacity = 2 * o->capacity + 16;
		o->copy = scree_grow(o->copy, (size_t)o->copies, (size_t)capacity, sizeof *o->copy);
		o->capacity = capacity;
	}
	return o->copy + o->copies++;
}

static void release(faults *o, copy *m)
{
	o->inner.by->send(&o->inner, m->to, m->tag, m->bytes, m->count);
	m->sent = true;
}

static void release_all(faults *o)
{
	for (int32_t k = 0; k < o->copies; ++k)
		if (!o->copy[k].sent) release(o, o->copy + k);
}

/* Counts one more sent message towards the release of each delayed message. */
static void count_down(faults *o)
{
	for (int32_t k = 0; k < o->copies; ++k)
		if (!o->copy[k].sent && --o->copy[k].wait <= 0) release(o, o->copy + k);
}

static void send(channel *c, int32_t to, int32_t tag, const void *bytes, size_t count)
{
	faults *o = c->at;
	count_down(o);
	if (happens(o, FAULT_LOSE)) return;
	memory_list *before = scree_memory_into(NULL); /* blocks outside any list, like a channel's blocks */
	copy *m = add_copy(o);
	*m = (copy){.to = to, .tag = tag, .count = count, .bytes = scree_copy(bytes, count, 1)};
	scree_memory_into(before);
	if (count && happens(o, FAULT_TRUNCATE)) m->count = scree_random_bits(&o->random) % count;
	if (happens(o, FAULT_GARBLE)) change_bits(o, m);
	if (happens(o, FAULT_DELAY))
		m->wait = (int32_t)(1 + scree_random_bits(&o->random) % LONGEST_DELAY);
	else
		release(o, m);
}

/* A rank that must wait does not hold messages back, because another one may be waiting for them. */
static int32_t probe(channel *c, int32_t tag, real patience, int32_t *from, size_t *count)
{
	faults *o = c->at;
	const int32_t now = o->inner.by->probe(&o->inner, tag, 0, from, count);
	if (now >= 0 || !(patience > 0)) return now;
	release_all(o);
	return o->inner.by->probe(&o->inner, tag, patience, from, count);
}

static void receive(channel *c, int32_t from, int32_t tag, void *bytes, size_t count)
{
	faults *o = c->at;
	o->inner.by->receive(&o->inner, from, tag, bytes, count);
}

static void sent(channel *c)
{
	faults *o = c->at;
	o->inner.by->sent(&o->inner);
	int32_t kept = 0;
	for (int32_t k = 0; k < o->copies; ++k)
		if (o->copy[k].sent)
			scree_free(o->copy[k].bytes);
		else
			o->copy[kept++] = o->copy[k];
	o->copies = kept;
}

static const transport_row with_faults = {.send = send,
										  .probe = probe,
										  .receive = receive,
										  .sent = sent,
										  .greatest = scree_tree_greatest,
										  .add = scree_tree_add,
										  .both = scree_tree_both};

faults *scree_faults_begin(channel *c, const fault_script *of)
{
	faults *o = scree_alloc(1, sizeof *o);
	o->inner = (channel){.by = c->by, .at = c->at, .rank = c->rank, .ranks = c->ranks, .patience = c->patience};
	o->of = of;
	o->random = scree_random_start(of->seed, (uint64_t)c->rank);
	c->by = &with_faults;
	c->at = o;
	return o;
}

int64_t scree_faults_made(const faults *o, message_fault kind) { return o->made[kind]; }

void scree_faults_end(channel *c)
{
	faults *o = c->at;
	release_all(o);
	sent(c);
	c->by = o->inner.by;
	c->at = o->inner.at;
	scree_free(o->copy);
	scree_free(o);
}
