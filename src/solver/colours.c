#include "solver/colours.h"

#include "base/fail.h"
#include "base/memory.h"

#include <string.h>

enum { GRAIN = 128 }; /* contacts per piece */

void scree_colours_add(colour_list *l, colour_item i)
{
	if (l->count == l->capacity) {
		const int64_t capacity = 2 * l->capacity + 256;
		l->item = scree_grow(l->item, (size_t)l->count, (size_t)capacity, sizeof *l->item);
		l->capacity = capacity;
	}
	l->item[l->count++] = i;
}

static void room_for_contacts(colouring *c)
{
	if (c->room >= c->all.count) return;
	c->room = c->all.count + c->all.count / 2;
	scree_free(c->sorted);
	scree_free(c->colour);
	c->sorted = scree_alloc((size_t)c->room, sizeof *c->sorted);
	c->colour = scree_alloc((size_t)c->room, sizeof *c->colour);
	for (int k = 0; k < 2; ++k) {
		scree_free(c->sort[k]);
		c->sort[k] = scree_alloc((size_t)c->room, sizeof *c->sort[k]);
	}
}

static void room_for_bodies(colouring *c, int32_t bodies)
{
	if (c->bodies >= bodies) return;
	c->bodies = bodies + bodies / 2;
	scree_free(c->partners);
	scree_free(c->used);
	c->partners = scree_alloc((size_t)c->bodies, sizeof *c->partners);
	c->used = scree_alloc((size_t)c->bodies, sizeof *c->used);
}

static bool share_a_body(const colour_item *x, const colour_item *y)
{
	return (x->a >= 0 && (x->a == y->a || x->a == y->b)) || (x->b >= 0 && (x->b == y->a || x->b == y->b));
}

/* Equal hashes of two contacts of one body would make the result depend on storage. With 64 bits this does not happen:
 * of a million contacts some ten million pairs share a body, so the probability is 5e-13. */
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

/* the smallest colour that no contact of its bodies has; COLOUR_MOST: the last block */
static int8_t free_colour(colouring *c, const colour_item *i)
{
	if (is_crowded(c, i->a) || is_crowded(c, i->b)) return COLOUR_MOST;
	const uint64_t taken = (i->a >= 0 ? c->used[i->a] : 0) | (i->b >= 0 ? c->used[i->b] : 0);
	const int8_t colour = (int8_t)__builtin_ctzll(~taken);
	if (i->a >= 0) c->used[i->a] |= (uint64_t)1 << colour;
	if (i->b >= 0) c->used[i->b] |= (uint64_t)1 << colour;
	return colour;
}

static void clear_bodies(colouring *c)
{
	for (int64_t k = 0; k < c->all.count; ++k) {
		const colour_item *i = c->all.item + k;
		if (i->a >= 0) c->partners[i->a] = 0, c->used[i->a] = 0;
		if (i->b >= 0) c->partners[i->b] = 0, c->used[i->b] = 0;
	}
}

/* Within a colour contacts stay in the order in which they were given, near to that in memory. */
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

void scree_colours_find(colouring *c, int32_t bodies)
{
	int64_t size[COLOUR_MOST + 1] = {0};
	room_for_contacts(c);
	room_for_bodies(c, bodies);
	sort_by_hash(c);
	count_partners(c);
	for (int64_t k = 0; k < c->all.count; ++k) {
		const int32_t i = c->sort[0][k].value;
		size[c->colour[i] = free_colour(c, c->all.item + i)] += 1;
	}
	clear_bodies(c);
	c->colours = 0;
	c->first[0] = 0;
	for (int32_t k = 0; k < COLOUR_MOST && size[k]; ++k) c->first[++c->colours] = c->first[k] + size[k];
	sort_by_colour(c);
}

/* One colour: the range that begins at contact `from`. */
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

void scree_colours_each(const colouring *c, parallel_fn *work, void *what)
{
	for (int32_t k = 0; k < c->colours; ++k) {
		colour_range r = {work, what, c->first[k]};
		scree_parallel(call_range, &r, c->first[k + 1] - c->first[k], GRAIN);
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
