#include "ranks/messages/message.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const uint32_t MAGIC = 0x6d726373, REVERSED = 0x7363726d; /* "scrm" */
enum { VERSION = 1 };

const char *const scree_phase_names[PHASES] = {
	[PHASE_FAILURE] = "failure", [PHASE_GREATEST] = "greatest",		 [PHASE_ADD] = "add",
	[PHASE_GATHER] = "gather",	 [PHASE_BODIES] = "bodies",			 [PHASE_COPIES] = "copies",
	[PHASE_UPDATE] = "update",	 [PHASE_VALUES] = "values",			 [PHASE_RECORDS] = "records",
	[PHASE_FORCES] = "forces",	 [PHASE_CONSTRAINTS] = "constraints"};

/* ------------------------------------------------------------------ writing */

static void *append(message *m, size_t size)
{
	if (m->capacity - m->count < size) {
		const size_t capacity = m->count + size + m->capacity / 2 + 256;
		m->bytes = scree_grow_apart(m->bytes, m->count, capacity, 1);
		m->capacity = capacity;
	}
	void *to = m->bytes + m->count;
	m->count += size;
	return to;
}

static size_t filled_up(size_t size) { return (size + 15) & ~(size_t)15; }

void scree_message_begin(message *m, const message_head *of)
{
	m->count = 0;
	message_head h = *of;
	h.magic = MAGIC, h.version = VERSION;
	h.segments = 0, h.bytes = h.hash = h.unused = 0;
	memcpy(append(m, sizeof h), &h, sizeof h);
}

void *scree_message_segment(message *m, uint64_t tag, size_t size)
{
	SCREE_ASSERT(size < (size_t)1 << 48);
	const segment_head s = {tag, size};
	memcpy(append(m, sizeof s), &s, sizeof s);
	((message_head *)m->bytes)->segments += 1;
	uint8_t *to = append(m, filled_up(size));
	memset(to + size, 0, filled_up(size) - size);
	return to;
}

static uint64_t hash_of(const uint8_t *bytes, size_t count)
{
	const size_t head = sizeof(message_head);
	return scree_hash_join(scree_hash(bytes + head, count - head), bytes, offsetof(message_head, hash));
}

void scree_message_end(message *m)
{
	message_head *h = (message_head *)m->bytes;
	h->bytes = m->count;
	h->hash = hash_of(m->bytes, m->count);
}

void scree_message_free(message *m)
{
	scree_free(m->bytes);
	*m = (message){0};
}

/* ------------------------------------------------------------------ reading */

enum { FAULT = 200 }; /* characters */

/* Tests whether the bytes are a whole message; if not, sets the reason. */
static bool is_whole(const message_reader *r, char fault[FAULT])
{
	const message_head *h = &r->head;
	*fault = 0;
	if (h->magic == REVERSED)
		snprintf(fault, FAULT, "its sender has another byte order");
	else if (h->magic != MAGIC)
		snprintf(fault, FAULT, "it is not a scree message");
	else if (h->version != VERSION)
		snprintf(fault, FAULT, "it is version %u, but this is version %d: all ranks must run the same scree",
				 h->version, VERSION);
	else if (h->bytes > r->count)
		snprintf(fault, FAULT, "it is truncated after %zu of %llu bytes", r->count, (unsigned long long)h->bytes);
	else if (h->bytes < r->count)
		snprintf(fault, FAULT, "%zu bytes arrived, but its header says %llu", r->count, (unsigned long long)h->bytes);
	else if (h->hash != hash_of(r->bytes, r->count))
		snprintf(fault, FAULT, "it is damaged (its hash is wrong)");
	return !*fault;
}

/* Tests whether the segments fill the message exactly. */
static bool is_filled(const message_reader *r, char fault[FAULT])
{
	size_t at = sizeof(message_head);
	uint64_t segments = 0;
	for (; r->count - at >= sizeof(segment_head); ++segments) {
		segment_head s;
		memcpy(&s, r->bytes + at, sizeof s);
		at += sizeof s;
		if (s.size > r->count - at || filled_up((size_t)s.size) > r->count - at) {
			snprintf(fault, FAULT, "segment %llu is longer than the rest of the message", (unsigned long long)segments);
			return false;
		}
		at += filled_up((size_t)s.size);
	}
	if (at == r->count && segments == r->head.segments) return true;
	snprintf(fault, FAULT, "its segments do not fill the message");
	return false;
}

static bool is_awaited(const message_reader *r, const message_head *a, char fault[FAULT])
{
	const message_head *h = &r->head;
	if (h->phase == a->phase && h->step == a->step && h->number == a->number && h->from == a->from && h->to == a->to)
		return true;
	snprintf(fault, FAULT, "it is a message from rank %d to rank %d, phase %s, step %lld, exchange %llu", h->from,
			 h->to, h->phase < PHASES ? scree_phase_names[h->phase] : "unknown", (long long)h->step,
			 (unsigned long long)h->number);
	return false;
}

bool scree_message_open(message_reader *r, const void *bytes, size_t count, const message_head *a, fail *why)
{
	char fault[FAULT] = "its header is incomplete";
	*r = (message_reader){.bytes = bytes, .count = count, .at = sizeof(message_head)};
	if (count >= sizeof r->head) {
		memcpy(&r->head, bytes, sizeof r->head);
		if (is_whole(r, fault) && is_filled(r, fault) && is_awaited(r, a, fault)) return true;
	}
	r->at = r->count = 0; /* no segments */
	return scree_fail(why, FAIL_IO, "rank %d: the message from rank %d, phase %s, step %lld, exchange %llu: %s", a->to,
					  a->from, scree_phase_names[a->phase], (long long)a->step, (unsigned long long)a->number, fault);
}

bool scree_message_next(message_reader *r, segment *s)
{
	segment_head h;
	if (r->count - r->at < sizeof h) return false;
	memcpy(&h, r->bytes + r->at, sizeof h);
	r->at += sizeof h;
	*s = (segment){h.tag, (size_t)h.size, r->bytes + r->at};
	r->at += filled_up((size_t)h.size);
	return true;
}
