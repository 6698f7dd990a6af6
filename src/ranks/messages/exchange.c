/* exchange: each neighbour gets and sends one message of any size (Algorithm 1). After a failure, all waits return. */
#include "ranks/messages/transport.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { SENTENCE = 1000 }; /* largest number of bytes in an error message sent to other ranks */

/* ------------------------------------------------------------------ rounds of messages */

void scree_channel_free(channel *c)
{
	for (int32_t k = 0; k < c->outs; ++k) scree_message_free(c->out + k);
	scree_free(c->out);
	scree_free(c->heard);
	scree_message_free(&c->in);
	c->out = NULL;
	c->heard = NULL;
	c->outs = c->hears = 0;
}

static void *room(void *list, int32_t *has, int32_t count, size_t size)
{
	if (*has >= count) return list;
	list = scree_grow_apart(list, (size_t)*has, (size_t)count, size);
	*has = count;
	return list;
}

static void room_for_in(channel *c, size_t count)
{
	if (c->in.capacity >= count) return;
	scree_message_free(&c->in);
	c->in = (message){.capacity = count + count / 2, .bytes = scree_grow_apart(NULL, 0, count + count / 2, 1)};
}

void scree_channel_begin(channel *c, int32_t outs, int32_t ins)
{
	c->number += 1;
	c->out = room(c->out, &c->outs, outs, sizeof *c->out);
	c->heard = room(c->heard, &c->hears, ins, sizeof *c->heard);
	if (ins) memset(c->heard, 0, (size_t)ins * sizeof *c->heard);
}

static int32_t tag_of(const channel *c) { return (int32_t)(c->number % TAG_WAITING); }

message *scree_channel_write(channel *c, int32_t k, int32_t to, message_phase phase, int64_t step)
{
	const message_head h = {.phase = phase, .from = c->rank, .to = to, .step = step, .number = c->number};
	if (step > c->step) c->step = step;
	scree_message_begin(c->out + k, &h);
	return c->out + k;
}

static message_head head_of(const message *m)
{
	message_head h;
	memcpy(&h, m->bytes, sizeof h);
	return h;
}

void scree_channel_send(channel *c, int32_t k)
{
	const message *m = c->out + k;
	scree_message_end(c->out + k);
	const message_head h = head_of(m);
	c->messages[h.phase] += 1;
	c->bytes[h.phase] += (int64_t)m->count;
	c->by->send(c, h.to, tag_of(c), m->bytes, m->count);
}

/* ------------------------------------------------------------------ failures */

void scree_channel_fail(channel *c, const fail *why)
{
	if (c->failed) return;
	c->failed = true;
	c->out = room(c->out, &c->outs, 1, sizeof *c->out);
	const size_t length = strlen(why->text) < SENTENCE ? strlen(why->text) : SENTENCE;
	const message_head h = {.phase = PHASE_FAILURE, .from = c->rank, .to = -1};
	scree_message_begin(c->out, &h);
	memcpy(scree_message_segment(c->out, (uint64_t)why->code, length), why->text, length);
	scree_message_end(c->out);
	for (int32_t k = 0; k < c->ranks; ++k)
		if (k != c->rank) c->by->send(c, k, TAG_FAILURE, c->out->bytes, c->out->count);
}

/* Reports the failure to all ranks. Returns false. */
static bool fails(channel *c, const fail *why)
{
	scree_channel_fail(c, why);
	return false;
}

static bool is_code(uint64_t code)
{
	return code == FAIL_INPUT || code == FAIL_GUARD || code == FAIL_IO || code == FAIL_INTERNAL;
}

/* Adopts the error message of a rank that has failed. */
static bool has_failed(channel *c, int32_t from, size_t count, fail *why)
{
	const message_head awaited = {.phase = PHASE_FAILURE, .from = from, .to = -1};
	message_reader r;
	segment s;
	c->failed = true; /* the report of the failed rank was sent to all ranks */
	if (!scree_message_open(&r, c->in.bytes, count, &awaited, why)) return false;
	const bool told = scree_message_next(&r, &s) && is_code(s.tag) && s.size <= SENTENCE;
	return scree_fail(why, told ? (fail_code)s.tag : FAIL_INTERNAL, "rank %d has failed: %.*s", from,
					  told ? (int)s.size : 0, told ? (const char *)s.bytes : "");
}

/* Lists at most three of the ranks from which nothing was received. rank: NULL for 0 .. count-1 */
static void name_silent(int32_t count, const int32_t *rank, const bool *heard, char *text, size_t room)
{
	int32_t silent = 0;
	size_t at = 0;
	for (int32_t k = 0; k < count; ++k) {
		if (heard[k] || ++silent > 3) continue;
		at += (size_t)snprintf(text + at, room - at, "%s%d", silent > 1 ? ", " : "", rank ? rank[k] : k);
	}
	if (silent > 3) snprintf(text + at, room - at, " and %d others", silent - 3);
}

bool scree_channel_give_up(channel *c, message_phase phase, const bool *come, fail *why)
{
	int32_t from = -1;
	size_t count = 0;
	if (c->by->probe(c, TAG_FAILURE, 0, &from, &count) == TAG_FAILURE) {
		room_for_in(c, count);
		c->by->receive(c, from, TAG_FAILURE, c->in.bytes, count);
		return has_failed(c, from, count, why);
	}
	char ranks[100] = "";
	name_silent(c->ranks, NULL, come, ranks, sizeof ranks);
	scree_fail(why, FAIL_IO,
			   "rank %d: rank %s did not join a sum over all ranks within %g s, phase %s, step %lld, exchange %llu",
			   c->rank, *ranks ? ranks : "(all have come)", c->patience, scree_phase_names[phase], (long long)c->step,
			   (unsigned long long)c->number);
	return fails(c, why);
}

static bool waits_in_vain(channel *c, const envelope *e, fail *why)
{
	char ranks[100] = "", within[40] = "";
	name_silent(e->count, e->rank, c->heard, ranks, sizeof ranks);
	if (c->patience < INFINITY) snprintf(within, sizeof within, " within %g s", c->patience);
	scree_fail(why, FAIL_IO, "rank %d: no message from rank %s%s, phase %s, step %lld, exchange %llu", c->rank, ranks,
			   within, scree_phase_names[e->phase], (long long)e->step, (unsigned long long)c->number);
	return fails(c, why);
}

/* ------------------------------------------------------------------ receiving */

/* Tests whether a message from this rank is still awaited; if so, marks it as received. */
static bool hears(channel *c, const envelope *e, int32_t from)
{
	for (int32_t k = 0; k < e->count; ++k)
		if (e->rank[k] == from && !c->heard[k]) return c->heard[k] = true;
	return false;
}

bool scree_channel_receive(channel *c, const envelope *e, message_reader *r, fail *why)
{
	int32_t from = -1;
	size_t count = 0;
	const int32_t tag = c->by->probe(c, tag_of(c), c->patience, &from, &count);
	if (tag < 0) return waits_in_vain(c, e, why);
	room_for_in(c, count);
	c->by->receive(c, from, tag, c->in.bytes, count);
	if (tag == TAG_FAILURE) return has_failed(c, from, count, why);
	const message_head awaited = {.phase = e->phase, .from = from, .to = c->rank, .step = e->step, .number = c->number};
	if (!scree_message_open(r, c->in.bytes, count, &awaited, why)) return fails(c, why);
	if (hears(c, e, from)) return true;
	scree_fail(why, FAIL_IO, "rank %d: unexpected message from rank %d, phase %s, step %lld, exchange %llu", c->rank,
			   from, scree_phase_names[e->phase], (long long)e->step, (unsigned long long)c->number);
	return fails(c, why);
}

/* ------------------------------------------------------------------ Algorithm 1 */

bool scree_exchange(channel *c, const exchange *x, fail *why)
{
	const envelope e = {x->phase, x->step, x->neighbours, x->neighbour};
	SCREE_ASSERT(!c->failed);
	scree_channel_begin(c, x->neighbours, x->neighbours);
	for (int32_t k = 0; k < x->neighbours; ++k) {
		x->encode(x->what, x->neighbour[k], scree_channel_write(c, k, x->neighbour[k], x->phase, x->step));
		scree_channel_send(c, k);
	}
	for (int32_t k = 0; k < x->neighbours; ++k) {
		message_reader r;
		if (!scree_channel_receive(c, &e, &r, why)) return false;
		if (!x->decode(x->what, r.head.from, &r, why)) return fails(c, why);
	}
	c->by->sent(c);
	return true;
}
