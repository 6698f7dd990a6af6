/* Colours of contacts (src/solver/colours.h), compared with a brute-force greedy colouring of random graphs, with the
 * contacts in any order. */
#include "test.h"

#include "base/memory.h"
#include "solver/colours.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { BODIES = 60, CONTACTS = 600 };

static bool share_a_body(const colour_item *x, const colour_item *y)
{
	return (x->a >= 0 && (x->a == y->a || x->a == y->b)) || (x->b >= 0 && (x->b == y->a || x->b == y->b));
}

static int partners_of(const colour_item *item, int count, int32_t body)
{
	int n = 0;
	for (int k = 0; k < count && body >= 0; ++k) n += (item[k].a == body) + (item[k].b == body);
	return n;
}

static int by_hash(const void *x, const void *y)
{
	const colour_item *p = x, *q = y;
	return (p->hash > q->hash) - (p->hash < q->hash);
}

/* sorts the contacts by hash; colour[k] is the colour of contact k, or -1 if it is in the last block */
static void greedy(colour_item *item, int count, int *colour)
{
	qsort(item, (size_t)count, sizeof *item, by_hash);
	for (int k = 0; k < count; ++k) {
		const bool crowded = partners_of(item, count, item[k].a) > COLOUR_PARTNERS ||
							 partners_of(item, count, item[k].b) > COLOUR_PARTNERS;
		colour[k] = crowded ? -1 : 0;
		for (int j = 0; j < k && !crowded;) {
			const bool taken = colour[j] == colour[k] && share_a_body(item + j, item + k);
			colour[k] += taken;
			j = taken ? 0 : j + 1;
		}
	}
}

/* a graph of this many bodies, the first of which may have very many contacts */
static int random_graph(random_stream *r, colour_item *item)
{
	const int count = 1 + (int)(scree_random_real(r) * CONTACTS), bodies = 2 + (int)(scree_random_real(r) * BODIES);
	const real giant = scree_random_real(r) < 0.5 ? 0.3 : 0, walls = 0.2;
	for (int k = 0; k < count; ++k) {
		const int32_t a = scree_random_real(r) < giant ? 0 : (int32_t)(scree_random_real(r) * bodies);
		const int32_t b = (a + 1 + (int32_t)(scree_random_real(r) * (bodies - 1))) % bodies;
		item[k] = (colour_item){(uint64_t)scree_random_bits(r) << 32 | scree_random_bits(r), a, b, 0, k % 3, k};
		if (scree_random_real(r) < walls) item[k].b = -1;
		if (scree_random_real(r) < walls / 8) item[k].a = -1;
	}
	return count;
}

static void give(colouring *c, const colour_item *item, int count, random_stream *r)
{
	c->all.count = 0;
	for (int k = 0; k < count; ++k) scree_colours_add(&c->all, item[k]);
	for (int k = count - 1; k > 0; --k) {
		const int j = (int)(scree_random_real(r) * (k + 1));
		const colour_item i = c->all.item[k];
		c->all.item[k] = c->all.item[j];
		c->all.item[j] = i;
	}
}

/* item: the contacts sorted by hash, which is the order expected in the last block */
static void check_order(const colouring *c, const colour_item *item, const int *colour, int count)
{
	int64_t at = 0;
	for (int32_t n = 0; n <= c->colours; ++n) {
		CHECK(c->first[n] == at, "colour %d begins at %lld", n, (long long)c->first[n]);
		const int64_t end = n < c->colours ? c->first[n + 1] : c->all.count;
		if (n < c->colours) qsort(c->all.item + at, (size_t)(end - at), sizeof *item, by_hash);
		for (int k = 0; k < count; ++k)
			if (colour[k] == (n < c->colours ? n : -1)) {
				const colour_item *i = c->all.item + at++;
				CHECK(i->hash == item[k].hash && i->a == item[k].a && i->b == item[k].b && i->row == item[k].row &&
						  i->kind == item[k].kind,
					  "contact %lld of colour %d", (long long)at, n);
			}
	}
	CHECK(at == count && c->all.count == count, "%lld of %d", (long long)at, count);
	for (int32_t n = 0; n < c->colours; ++n)
		for (int64_t k = c->first[n]; k < c->first[n + 1]; ++k)
			for (int64_t j = c->first[n]; j < k; ++j)
				CHECK(!share_a_body(c->all.item + j, c->all.item + k), "two contacts of colour %d share a body", n);
}

/* one object for all graphs, so that its memory is reused */
static void like_brute_force(void **state)
{
	(void)state;
	colouring c = {0};
	int blocks = 0;
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 1);
		colour_item item[CONTACTS + 1];
		int colour[CONTACTS + 1];
		const int count = random_graph(&r, item);
		greedy(item, count, colour);
		for (int order = 0; order < 3; ++order) {
			give(&c, item, count, &r);
			scree_colours_find(&c, BODIES + 2);
			check_order(&c, item, colour, count);
		}
		blocks += c.first[c.colours] < count;
	}
	CHECK(blocks * 4 > test_cases(60) || test_cases(60) < 8, "%d graphs have a last block", blocks);
	scree_colours_free(&c);
}

/* two bodies with the maximum number of coloured contacts, and then with one more */
static void last_block(void **state)
{
	(void)state;
	colouring c = {0};
	for (int32_t k = 0; k < 2 * COLOUR_PARTNERS - 1; ++k) {
		const int32_t a = k < COLOUR_PARTNERS - 1 ? 0 : 1, b = k == 2 * COLOUR_PARTNERS - 2 ? 0 : 2 + k;
		scree_colours_add(&c.all, (colour_item){(uint64_t)k, a, b, 0, 0, k});
	}
	scree_colours_find(&c, 2 + 2 * COLOUR_PARTNERS);
	CHECK(c.first[c.colours] == 2 * COLOUR_PARTNERS - 1, "a last block from %lld", (long long)c.first[c.colours]);
	CHECK(c.colours == COLOUR_PARTNERS, "%d colours", c.colours);
	scree_colours_add(&c.all, (colour_item){1000, 0, 2, 0, 0, 1000});
	scree_colours_find(&c, 2 + 2 * COLOUR_PARTNERS);
	CHECK(c.first[c.colours] == COLOUR_PARTNERS - 1, "%lld have colours", (long long)c.first[c.colours]);
	c.all.count = 0;
	scree_colours_find(&c, 0);
	CHECK(c.colours == 0 && c.first[0] == 0, "%d colours of no contacts", c.colours);
	scree_colours_free(&c);
}

typedef struct visits {
	const colouring *c;
	atomic_int *visited; /* [contacts] */
	atomic_int early;	 /* number of visits made before the previous colour had been completed */
} visits;

static void visit(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	visits *v = what;
	for (int64_t k = from; k < to; ++k) {
		int32_t n = 0;
		while (k >= v->c->first[n + 1]) ++n;
		for (int64_t j = 0; j < v->c->first[n]; ++j)
			if (!v->visited[j]) v->early += 1;
		v->visited[k] += 1;
	}
}

/* each coloured contact is visited once, and each colour only after the end of the previous one, on several threads */
static void one_colour_after_the_other(void **state)
{
	(void)state;
	enum { RINGS = 700 };
	colouring c = {0};
	random_stream r = scree_random_start(1, 2);
	for (int32_t k = 0; k < 3 * RINGS; ++k)
		scree_colours_add(&c.all, (colour_item){(uint64_t)scree_random_bits(&r) << 32 | (uint32_t)k, k,
												k % 3 == 2 ? k - 2 : k + 1, 0, 0, k});
	scree_colours_find(&c, 3 * RINGS);
	CHECK(c.colours == 3 && c.first[1] == RINGS && c.first[2] == 2 * RINGS, "%d colours", c.colours);
	visits v = {.c = &c, .visited = scree_alloc(3 * RINGS, sizeof *v.visited)};
	for (int threads = 1; threads <= 3; ++threads) {
		for (int k = 0; k < 3 * RINGS; ++k) v.visited[k] = 0;
		scree_set_threads(threads);
		scree_parallel_shuffle((uint64_t)threads - 1);
		scree_colours_each(&c, visit, &v, NULL);
		scree_parallel_shuffle(0);
		scree_set_threads(0);
		for (int k = 0; k < 3 * RINGS; ++k) CHECK(v.visited[k] == 1, "contact %d: %d visits", k, v.visited[k]);
		CHECK(v.early == 0, "%d visits too early", v.early);
	}
	scree_free((void *)v.visited);
	scree_colours_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_brute_force),
		cmocka_unit_test(last_block),
		cmocka_unit_test(one_colour_after_the_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
