#include "solver/colours.h"

#include "base/fail.h"
#include "base/memory.h"

#include <string.h>

enum { VALUES = 8 }; /* largest number of values of a body */

/* A contact with a ghost. */
typedef struct border_turn {
	bool sent, came;
	uint64_t value[VALUES]; /* values of the ghost when the contact is processed */
} border_turn;

typedef struct turning {
	const turns *of;
	int64_t left;		 /* number of contacts that have not been processed yet */
	int32_t *waits;		 /* [left] numbers of these contacts, in order */
	int32_t *border_of;	 /* [contacts] index of the contact in `border`, plus 1; 0 if there is no ghost */
	border_turn *border; /* [borders] by hash */
	sort_item *by_hash;	 /* [borders] `value` is the number of the contact */
	int64_t borders;
	int32_t pass, *blocked; /* [bodies] last pass in which a contact of the body had to wait */
	int64_t sends, had;		/* in this pass: number of records, and number of contacts processed */
	int32_t *to;			/* [sends] ghosts whose owners receive the records */
	size_t words;			/* words per record: hash, and values of a body when the contact is processed */
	uint64_t *out;			/* [sends] records, with room for all border contacts */
} turning;

static int32_t ghost_of(const colour_item *i) { return i->ghost - 1; }

static bool ghost_moves(const colour_item *i) { return i->ghost && (i->a == ghost_of(i) || i->b == ghost_of(i)); }

/* Returns the first body of this part that the contact moves; -1 if there is none. */
static int32_t owned_of(const colour_item *i)
{
	return i->a >= 0 && i->a != ghost_of(i) ? i->a : i->b == ghost_of(i) ? -1 : i->b;
}

static char *value_at(const body_columns *o, int32_t column, int32_t row)
{
	return (char *)o->of[column] + (size_t)row * o->stride;
}

/* ------------------------------------------------------------------ one turn */

/* Sends the values of the body that this part owns to the owner of the ghost, but only once. */
static void send(turning *t, const colour_item *i, border_turn *b)
{
	const int32_t own = owned_of(i);
	if (b->sent || own < 0) return;
	uint64_t *record = t->out + (size_t)t->sends * t->words;
	record[0] = i->hash;
	for (int32_t c = 0; c < t->of->values.count; ++c) memcpy(record + 1 + c, value_at(&t->of->values, c, own), 8);
	t->to[t->sends++] = ghost_of(i);
	b->sent = true;
}

static bool is_blocked(const turning *t, int32_t body) { return body >= 0 && t->blocked[body] == t->pass; }

/* Makes later contacts of these bodies wait too. */
static bool block(turning *t, const colour_item *i)
{
	const int32_t own = owned_of(i);
	if (own >= 0) t->blocked[own] = t->pass;
	if (!i->ghost && i->b >= 0) t->blocked[i->b] = t->pass;
	return false;
}

/* Processes the contact and returns true if its turn has come; otherwise later contacts of its bodies wait too. */
static bool has_turn(turning *t, int32_t k)
{
	const colour_item *i = t->of->item + k;
	const int32_t own = owned_of(i);
	if (is_blocked(t, own) || (!i->ghost && is_blocked(t, i->b))) return block(t, i);
	if (i->ghost) {
		border_turn *b = t->border + t->border_of[k] - 1;
		send(t, i, b);
		if (ghost_moves(i) && !b->came) return block(t, i);
		for (int32_t c = 0; c < t->of->values.count && b->came; ++c)
			memcpy(value_at(&t->of->values, c, ghost_of(i)), b->value + c, 8);
	}
	t->of->take(t->of->what, k, k + 1, 0);
	return true;
}

static void pass(turning *t)
{
	int64_t left = 0;
	t->pass += 1;
	t->sends = t->had = 0;
	for (int64_t k = 0; k < t->left; ++k)
		if (!has_turn(t, t->waits[k])) t->waits[left++] = t->waits[k];
	t->had = t->left - left;
	t->left = left;
}

/* ------------------------------------------------------------------ all turns */

/* Tests whether contacts on any rank still wait. Each pass processes at least the first waiting contact. */
static bool any_waits(const turning *t)
{
	real now[2] = {t->left > 0, t->had + t->sends > 0};
	scree_domain_most(t->of->domain, 2, now);
	scree_domain_need(t->of->domain, (now[0] == 0 || now[0] == 1) && now[1] >= now[0], "greatest",
					  "contacts wait, but none can be processed");
	return now[0] > 0;
}

/* Returns the row in by_hash of the contact in a record; -1 if this part has no such contact with a ghost. */
static int64_t find_border(const turning *t, const uint64_t *record)
{
	const int64_t n = scree_sort_find(t->by_hash, 0, t->borders, *record);
	return n < t->borders && t->by_hash[n].key == *record ? n : -1;
}

static const char *record_fault(const void *context, int32_t from, const void *record)
{
	(void)from;
	const turning *t = context;
	uint64_t word[1 + VALUES];
	memcpy(word, record, t->words * sizeof *word);
	if (find_border(t, word) < 0) return "a contact is not between bodies of this rank and another rank";
	for (size_t k = 1; k < t->words && t->of->values.finite; ++k) {
		real x;
		memcpy(&x, word + k, sizeof x);
		if (!(x - x == 0)) return "a velocity or another number of a body is not finite";
	}
	return NULL;
}

static void deliver(turning *t)
{
	const domain *d = t->of->domain;
	const domain_records out = {.count = t->sends,
								.size = t->words * sizeof *t->out,
								.row = t->to,
								.record = t->out,
								.fault = record_fault,
								.context = t};
	int64_t count;
	uint64_t *in = d->by->deliver(d->at, &out, &count), *record = in;
	for (int64_t k = 0; k < count; ++k, record += t->words) {
		const int64_t n = find_border(t, record);
		t->border[n].came = true;
		memcpy(t->border[n].value, record + 1, (t->words - 1) * sizeof *record);
	}
	scree_free(in);
}

static void list_waiting(turning *t)
{
	const turns *of = t->of;
	int64_t borders = 0;
	t->left = of->count;
	for (int64_t k = 0; k < of->count; ++k) {
		t->waits[k] = of->order ? of->order[k].value : (int32_t)k;
		borders += of->item[k].ghost > 0;
	}
	t->by_hash = scree_alloc((size_t)borders, sizeof *t->by_hash);
	for (int64_t k = 0; k < of->count; ++k)
		if (of->item[k].ghost) t->by_hash[t->borders++] = (sort_item){of->item[k].hash, (int32_t)k};
}

static void list_borders(turning *t)
{
	sort_item *tmp = scree_alloc((size_t)t->borders, sizeof *tmp);
	scree_sort(t->by_hash, tmp, t->borders);
	scree_free(tmp);
	t->border = scree_alloc((size_t)t->borders, sizeof *t->border);
	t->to = scree_alloc((size_t)t->borders, sizeof *t->to);
	t->out = scree_alloc((size_t)t->borders * t->words, sizeof *t->out);
	for (int64_t k = 0; k < t->borders; ++k) {
		SCREE_ASSERT(!k || t->by_hash[k - 1].key != t->by_hash[k].key);
		t->border_of[t->by_hash[k].value] = (int32_t)k + 1;
	}
}

static void free_turning(turning *t)
{
	scree_free(t->waits);
	scree_free(t->by_hash);
	scree_free(t->border_of);
	scree_free(t->blocked);
	scree_free(t->border);
	scree_free(t->to);
	scree_free(t->out);
}

void scree_in_turn(const turns *o)
{
	const size_t count = (size_t)o->count;
	turning t = {.of = o, .words = 1 + (size_t)o->values.count};
	t.waits = scree_alloc(count, sizeof *t.waits);
	t.border_of = scree_alloc(count, sizeof *t.border_of);
	t.blocked = scree_alloc((size_t)o->bodies, sizeof *t.blocked);
	list_waiting(&t);
	list_borders(&t);
	pass(&t);
	while (any_waits(&t)) {
		deliver(&t);
		pass(&t);
	}
	free_turning(&t);
}
