/* values: values that solvers send between the drift and the kick. Ghosts receive their owners' values, in an order of
 * rows known to both sides; records are sent to owners. Neighbours with nothing to send exchange no messages. */
#include "ranks/division/part.h"

#include "base/memory.h"

#include <string.h>

/* ------------------------------------------------------------------ values of owners */

typedef struct sharing {
	rank_part *part;
	const body_columns *values;
	const uint64_t *mask; /* NULL: all rows */
	uint64_t bits;
} sharing;

static bool is_chosen(const sharing *o, int32_t row) { return !o->mask || o->mask[row] & o->bits; }

static int32_t count_out(const sharing *o, const border *b)
{
	int32_t count = 0;
	for (int32_t k = 0; k < b->rows; ++k) count += is_chosen(o, b->row[k]);
	return count;
}

static int32_t count_in(const sharing *o, const border *b)
{
	int32_t count = 0;
	for (int32_t k = b->first; k < b->first + b->copies; ++k) count += is_chosen(o, k);
	return count;
}

static char *value_at(const body_columns *o, int32_t column, int32_t row)
{
	return (char *)o->of[column] + (size_t)row * o->stride;
}

static void encode_values(void *what, int32_t to, message *m)
{
	const sharing *o = what;
	const border *b = scree_border_with(o->part, to);
	const size_t each = (size_t)o->values->count * 8, size = (size_t)count_out(o, b) * each;
	char *at = size ? scree_message_segment(m, SEGMENT_VALUES, size) : NULL;
	for (int32_t k = 0; k < b->rows; ++k)
		for (int32_t c = 0; c < o->values->count && is_chosen(o, b->row[k]); ++c, at += 8)
			memcpy(at, value_at(o->values, c, b->row[k]), 8);
}

static bool is_number(const void *at)
{
	real x;
	memcpy(&x, at, sizeof x);
	return x - x == 0;
}

static bool decode_values(void *what, int32_t from, message_reader *r, fail *why)
{
	const sharing *o = what;
	const border *b = scree_border_with(o->part, from);
	bool right = true;
	segment s = {.tag = SEGMENT_VALUES};
	scree_message_next(r, &s);
	if (s.tag != SEGMENT_VALUES || s.size != (size_t)count_in(o, b) * (size_t)o->values->count * 8)
		return scree_fail(why, FAIL_IO, "rank %d: a message from rank %d has %zu bytes of values for %d copies",
						  r->head.to, from, s.size, count_in(o, b));
	const char *at = s.bytes;
	for (int32_t k = b->first; k < b->first + b->copies; ++k)
		for (int32_t c = 0; c < o->values->count && is_chosen(o, k); ++c, at += 8) {
			right &= !o->values->finite || is_number(at);
			memcpy(value_at(o->values, c, k), at, 8);
		}
	return right || scree_fail(why, FAIL_IO,
							   "rank %d: a message from rank %d has wrong values: a velocity or another number of a "
							   "body is not finite, phase %s, step %lld",
							   r->head.to, from, scree_phase_names[r->head.phase], (long long)r->head.step);
}

void scree_owners_to_ghosts(void *at, const body_columns *values, const uint64_t *mask, uint64_t bits)
{
	rank_part *part = at;
	sharing o = {part, values, mask, bits};
	int32_t *rank = scree_alloc((size_t)part->neighbours, sizeof *rank), count = 0;
	for (int32_t k = 0; k < part->neighbours; ++k)
		if (count_out(&o, part->border + k) || count_in(&o, part->border + k)) rank[count++] = part->neighbour[k];
	const exchange x = {PHASE_VALUES, part->step, count, rank, encode_values, decode_values, &o};
	fail why;
	scree_ranks_need(scree_exchange(part->c, &x, &why), &why);
	scree_free(rank);
}

/* ------------------------------------------------------------------ records to owners */

typedef struct delivery {
	rank_part *part;
	const domain_records *out;
	const int32_t *rank; /* [count] ranks of the neighbours */
	record_list came;
} delivery;

static void encode_records(void *what, int32_t to, message *m)
{
	const delivery *o = what;
	size_t count = 0;
	for (int64_t k = 0; k < o->out->count; ++k) count += o->rank[k] == to;
	char *at = count ? scree_message_segment(m, SEGMENT_RECORDS, count * o->out->size) : NULL;
	for (int64_t k = 0; k < o->out->count; ++k) {
		if (o->rank[k] != to) continue;
		memcpy(at, (const char *)o->out->record + (size_t)k * o->out->size, o->out->size);
		at += o->out->size;
	}
}

static const char *record_fault(const delivery *o, int32_t from, const segment *s)
{
	const domain_records *all = o->out;
	const char *fault = s->tag != SEGMENT_RECORDS ? "they are not records" : NULL;
	if (!fault && s->size % all->size) fault = "they end in the middle of a record";
	for (size_t at = 0; !fault && all->fault && at < s->size; at += all->size)
		fault = all->fault(all->context, from, (const char *)s->bytes + at);
	return fault;
}

static bool decode_records(void *what, int32_t from, message_reader *r, fail *why)
{
	delivery *o = what;
	segment s;
	if (!scree_message_next(r, &s)) return true;
	const char *fault = record_fault(o, from, &s);
	if (fault)
		return scree_fail(why, FAIL_IO, "rank %d: a message from rank %d has wrong records: %s, phase %s, step %lld",
						  r->head.to, from, fault, scree_phase_names[r->head.phase], (long long)r->head.step);
	return scree_records_append(&o->came, s.size, s.bytes);
}

void *scree_records_to_ranks(rank_part *part, message_phase phase, const domain_records *out, const int32_t *rank,
							 int64_t *came)
{
	delivery o = {.part = part, .out = out, .rank = rank, .came = {.each = out->size}};
	const exchange x = {phase, part->step, part->neighbours, part->neighbour, encode_records, decode_records, &o};
	fail why;
	scree_ranks_need(scree_exchange(part->c, &x, &why), &why);
	*came = o.came.count;
	return o.came.bytes;
}

static int32_t owner_of(const rank_part *o, int32_t row)
{
	for (int32_t k = 0; k < o->neighbours; ++k)
		if (row >= o->border[k].first && row < o->border[k].first + o->border[k].copies) return o->neighbour[k];
	return -1;
}

void *scree_records_to_owners(void *at, const domain_records *out, int64_t *came)
{
	int32_t *rank = scree_alloc((size_t)out->count, sizeof *rank);
	for (int64_t k = 0; k < out->count; ++k) rank[k] = owner_of(at, out->row[k]);
	void *in = scree_records_to_ranks(at, PHASE_RECORDS, out, rank, came);
	scree_free(rank);
	return in;
}
