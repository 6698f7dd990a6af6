#include "solver/colours.h"

#include "base/fail.h"
#include "base/memory.h"

#include <string.h>

enum { GRAIN = 128 }; /* contacts per piece */

void scree_colours_add(colour_list *l, colour_item i)
{
	l->item = scree_room_for(l->item, l->count, 1, &l->capacity, sizeof *l->item);
	l->item[l->count++] = i;
}

static void room_for_contacts(colouring *c)
{
	if (c->room >= c->all.count) return;
	c->room = c->all.count + c->all.count / 2;
	c->sorted = scree_renew(c->sorted, (size_t)c->room, sizeof *c->sorted);
	c->colour = scree_renew(c->colour, (size_t)c->room, sizeof *c->colour);
	for (int k = 0; k < 2; ++k) c->sort[k] = scree_renew(c->sort[k], (size_t)c->room, sizeof *c->sort[k]);
}

static void room_for_bodies(colouring *c, int32_t bodies)
{
	if (c->bodies >= bodies) return;
	c->bodies = bodies + bodies / 2;
	c->partners = scree_renew(c->partners, (size_t)c->bodies, sizeof *c->partners);
	c->used = scree_renew(c->used, (size_t)c->bodies, sizeof *c->used);
}

static bool share_a_body(const colour_item *x, const colour_item *y)
{
	return (x->a >= 0 && (x->a == y->a || x->a == y->b)) || (x->b >= 0 && (x->b == y->a || x->b == y->b));
}

/* Equal hashes of two contacts of the same body would make the result depend on storage. With 64 bits this practically
 * never happens: among a million contacts about ten million pairs share a body, so the probability is 5e-13. */
static void sort_by_hash(colouring *c)
{
	const colour_item *item = c->all.item;
	sort_item *sorted = c->sort[0];
	for (int64_t k = 0; k < c->all.count; ++k) sorted[k] = (sort_item){item[k].hash, (int32_t)k};
	scree_sort(sorted, c->sort[1], c->all.count);
	for (int64_t k = 1; k < c->all.count; ++k)
		SCREE_ASSERT(sorted[k - 1].key != sorted[k].key ||
					 !share_a_body(item + sorted[k - 1].value, item + sorted[k].value));
}

static void count_partners(colouring *c)
{
	for (int64_t k = 0; k < c->all.count; ++k) {
		const colour_item *i = c->all.item + k;
		if (i->a >= 0) c->partners[i->a] += 1;
		if (i->b >= 0) c->partners[i->b] += 1;
	}
}

static bool is_crowded(const colouring *c, int32_t body) { return body >= 0 && c->partners[body] > COLOUR_PARTNERS; }

static bool is_divided(const colouring *c)
{
	SCREE_ASSERT(!c->domain || !c->domain->by->renew || c->domain->by->share);
	return c->domain && c->domain->by->share;
}

/* Aborts unless the numbers are valid: only the numbers of other parts may be wrong. */
static void need(const colouring *c, bool right, const char *phase, const char *what)
{
	if (right) return;
	if (is_divided(c)) scree_domain_need(c->domain, false, phase, what);
	SCREE_ASSERT(right);
}

/* the smallest colour not yet taken by a contact of its bodies; COLOUR_MOST for the last block */
static int8_t free_colour(colouring *c, const colour_item *i)
{
	if (is_crowded(c, i->a) || is_crowded(c, i->b)) return COLOUR_MOST;
	const uint64_t taken = (i->a >= 0 ? c->used[i->a] : 0) | (i->b >= 0 ? c->used[i->b] : 0);
	need(c, ~taken != 0, "values", "the contacts of two bodies use all colours");
	const int8_t colour = (int8_t)__builtin_ctzll(~taken);
	if (i->a >= 0) c->used[i->a] |= (uint64_t)1 << colour;
	if (i->b >= 0) c->used[i->b] |= (uint64_t)1 << colour;
	return colour;
}

/* ------------------------------------------------------------------ a world in several parts */

static void share_used(const colouring *c)
{
	const body_columns used = {.count = 1, .stride = sizeof *c->used, .of = {c->used}};
	c->domain->by->share(c->domain->at, &used, NULL, 0);
}

/* The owner of a body has all contacts of that body. */
static void share_partners(const colouring *c, int32_t bodies)
{
	for (int32_t i = 0; i < bodies; ++i) c->used[i] = (uint64_t)c->partners[i];
	share_used(c);
	for (int32_t i = 0; i < bodies; ++i) c->partners[i] = (int32_t)c->used[i], c->used[i] = 0;
}

typedef struct choosing {
	colouring *c;
	int64_t *size;
} choosing;

static void choose(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	const choosing *o = what;
	for (int64_t k = from; k < to; ++k) o->size[o->c->colour[k] = free_colour(o->c, o->c->all.item + k)] += 1;
}

static void find_in_turn(colouring *c, int32_t bodies, int64_t *size)
{
	choosing o = {c, size};
	const turns t = {.domain = c->domain,
					 .count = c->all.count,
					 .item = c->all.item,
					 .order = c->sort[0],
					 .bodies = bodies,
					 .values = {.count = 1, .stride = sizeof *c->used, .of = {c->used}},
					 .take = choose,
					 .what = &o};
	share_partners(c, bodies);
	scree_in_turn(&t);
	share_used(c);
	if (bodies) memset(c->partners, 0, (size_t)bodies * sizeof *c->partners);
}

/* ------------------------------------------------------------------ all contacts */

static void clear_bodies(colouring *c)
{
	for (int64_t k = 0; k < c->all.count; ++k) {
		const colour_item *i = c->all.item + k;
		if (i->a >= 0) c->partners[i->a] = 0, c->used[i->a] = 0;
		if (i->b >= 0) c->partners[i->b] = 0, c->used[i->b] = 0;
	}
}

/* Converts the numbers of contacts per colour to first contacts. A part may have no contacts of some colours. */
static void begin_colours(colouring *c, const int64_t size[COLOUR_MOST + 1])
{
	real most[2] = {0, size[COLOUR_MOST] > 0};
	for (int32_t k = 0; k < COLOUR_MOST; ++k)
		if (size[k]) most[0] = k + 1;
	const real here = most[0];
	if (is_divided(c)) scree_domain_most(c->domain, 2, most);
	need(c, most[0] >= here && most[0] <= COLOUR_MOST && (most[1] == 0 || most[1] == 1), "greatest",
		 "contacts have impossible colours");
	c->colours = (int32_t)most[0];
	c->last = most[1] > 0;
	c->first[0] = 0;
	for (int32_t k = 0; k < c->colours; ++k) c->first[k + 1] = c->first[k] + size[k];
}

/* Within a colour, contacts keep the order in which they were given, which is close to the order in memory. */
static void sort_by_colour(colouring *c)
{
	const colour_item *item = c->all.item;
	int64_t next[COLOUR_MOST + 1];
	memcpy(next, c->first, sizeof next);
	next[COLOUR_MOST] = c->first[c->colours];
	for (int64_t k = 0; k < c->all.count; ++k)
		if (c->colour[k] != COLOUR_MOST) c->sorted[next[c->colour[k]]++] = item[k];
	for (int64_t k = 0; k < c->all.count; ++k)
		if (c->colour[c->sort[0][k].value] == COLOUR_MOST) c->sorted[next[COLOUR_MOST]++] = item[c->sort[0][k].value];
	if (c->all.count) memcpy(c->all.item, c->sorted, (size_t)c->all.count * sizeof *c->sorted);
}

static void find_here(colouring *c, int64_t size[COLOUR_MOST + 1])
{
	for (int64_t k = 0; k < c->all.count; ++k) {
		const int32_t i = c->sort[0][k].value;
		size[c->colour[i] = free_colour(c, c->all.item + i)] += 1;
	}
	clear_bodies(c);
}

void scree_colours_find(colouring *c, int32_t bodies)
{
	int64_t size[COLOUR_MOST + 1] = {0};
	room_for_contacts(c);
	room_for_bodies(c, bodies);
	sort_by_hash(c);
	count_partners(c);
	if (is_divided(c))
		find_in_turn(c, bodies, size);
	else
		find_here(c, size);
	begin_colours(c, size);
	sort_by_colour(c);
}

/* One colour: the range that starts at contact `from`. */
typedef struct colour_range {
	parallel_fn *work;
	void *what;
	int64_t from;
} colour_range;

static void call_range(void *what, int64_t from, int64_t to, int thread)
{
	const colour_range *r = what;
	r->work(r->what, r->from + from, r->from + to, thread);
}

void scree_colours_share(const colouring *c, int32_t colour, const body_columns *values)
{
	if (is_divided(c)) c->domain->by->share(c->domain->at, values, c->used, (uint64_t)1 << colour);
}

void scree_colours_each(const colouring *c, parallel_fn *work, void *what, const body_columns *values)
{
	for (int32_t k = 0; k < c->colours; ++k) {
		colour_range r = {work, what, c->first[k]};
		scree_parallel(call_range, &r, c->first[k + 1] - c->first[k], GRAIN);
		scree_colours_share(c, k, values);
	}
}

void scree_colours_last(const colouring *c, parallel_fn *work, void *what, const body_columns *values)
{
	const int64_t from = c->first[c->colours];
	const turns t = {.domain = c->domain,
					 .count = c->all.count - from,
					 .item = c->all.item + from,
					 .bodies = c->bodies,
					 .values = values ? *values : (body_columns){0},
					 .take = work,
					 .what = what};
	if (!is_divided(c)) {
		work(what, 0, t.count, 0);
	} else if (c->last) {
		scree_in_turn(&t);
		c->domain->by->share(c->domain->at, values, NULL, 0);
	}
}

void scree_colours_free(colouring *c)
{
	scree_free(c->all.item);
	scree_free(c->sorted);
	scree_free(c->colour);
	for (int k = 0; k < 2; ++k) scree_free(c->sort[k]);
	scree_free(c->partners);
	scree_free(c->used);
}
