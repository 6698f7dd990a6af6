/* curves: data fetched by a walk through a grid of many levels (bench/traversal.h), for several orders of the cells and
 * of the bodies in memory.
 *
 * walk: Algorithm 4 of seed 002, which fetches the bodies of a vertex when the vertex is touched, and the bodies at
 *   the corners of a cell when the cell is entered and they are compared.
 * pairs: the engine's loop over its pairs, in ascending order of both rows, with rows in the order in which the walk
 *   first touches bodies, and in random order.
 *
 * Each body is a record of 128 bytes. All fetched cache lines of 64 bytes are pushed onto a stack of the latest ones: a
 * line within the first n is a hit in a cache of n lines that evicts the least recently used line.
 *
 * `grid` has 21,200 equal spheres that fill 0.3 of the unit cube, on regular grids with 27^3 and 32^3 cells; `sizes`
 * has 10,000 spheres whose sizes span a ratio of 1:9, at the same density, on adaptive grids. */
#include "traversal.h"

#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "broad/broad.h"
#include "choices/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, RECORD = 128, SIZES = 3 };
static const int64_t cache_lines[SIZES] = {32768 / LINE, 262144 / LINE, 1048576 / LINE};

/* ------------------------------------------------------------------ depths in the stack of cache lines */

/* The time of the last fetch of each cache line is marked; the depth of a line is the number of later marks. */
typedef struct stack {
	int64_t now, times, *mark; /* sums over ranges whose lengths are powers of two (Fenwick tree) */
	int64_t lines, *last;	   /* 0: never */
	int64_t fetches, misses[SIZES];
} stack;

static void mark(stack *s, int64_t at, int64_t by)
{
	for (; at <= s->times; at += at & -at) s->mark[at] += by;
}

static int64_t marks_until(const stack *s, int64_t at)
{
	int64_t sum = 0;
	for (; at > 0; at -= at & -at) sum += s->mark[at];
	return sum;
}

/* moves the marks of all fetched lines to the smallest possible times */
static void renumber(stack *s)
{
	int64_t *line_at = scree_alloc((size_t)s->times + 1, sizeof *line_at), next = 0;
	for (int64_t k = 0; k < s->lines; ++k)
		if (s->last[k]) line_at[s->last[k]] = k + 1;
	memset(s->mark, 0, (size_t)(s->times + 1) * sizeof *s->mark);
	for (int64_t t = 1; t <= s->times; ++t) {
		if (!line_at[t]) continue;
		s->last[line_at[t] - 1] = ++next;
		mark(s, next, 1);
	}
	s->now = next;
	scree_free(line_at);
}

static stack *stack_new(int64_t lines)
{
	stack *s = scree_alloc(1, sizeof *s);
	s->lines = lines;
	s->times = 4 * lines + 1024;
	s->mark = scree_alloc((size_t)s->times + 1, sizeof *s->mark);
	s->last = scree_alloc((size_t)lines, sizeof *s->last);
	return s;
}

static void stack_free(stack *s)
{
	scree_free(s->mark);
	scree_free(s->last);
	scree_free(s);
}

static void fetch_line(stack *s, int64_t line)
{
	if (s->now == s->times) renumber(s);
	int64_t was = s->last[line], deep = was ? marks_until(s, s->now) - marks_until(s, was) : INT64_MAX;
	for (int k = 0; k < SIZES; ++k) s->misses[k] += deep >= cache_lines[k];
	if (was) mark(s, was, -1);
	s->last[line] = ++s->now;
	mark(s, s->now, 1);
	s->fetches += 1;
}

static void fetch_body(stack *s, int64_t place)
{
	for (int64_t k = 0; k < RECORD / LINE; ++k) fetch_line(s, place * (RECORD / LINE) + k);
}

/* ------------------------------------------------------------------ bodies */

typedef struct crowd {
	int32_t count;
	real *side[6];
} crowd;

static crowd *crowd_new(int32_t count, real largest, int ratio)
{
	crowd *c = scree_alloc(1, sizeof *c);
	random_stream r = scree_random_start(11, (uint64_t)ratio);
	c->count = count;
	for (int d = 0; d < 6; ++d) c->side[d] = scree_alloc((size_t)count, sizeof(real));
	for (int32_t i = 0; i < count; ++i) {
		real half = largest / 2 * scree_exp(-scree_log((real)ratio) * scree_random_real(&r));
		for (int d = 0; d < 3; ++d) {
			real at = scree_random_between(&r, 0, 1);
			c->side[d][i] = at - half;
			c->side[d + 3][i] = at + half;
		}
	}
	return c;
}

static void crowd_free(crowd *c)
{
	for (int d = 0; d < 6; ++d) scree_free(c->side[d]);
	scree_free(c);
}

static box_list list_of(const crowd *c)
{
	return (box_list){
		.count = c->count, .low = {c->side[0], c->side[1], c->side[2]}, .high = {c->side[3], c->side[4], c->side[5]}};
}

/* ------------------------------------------------------------------ the walk */

typedef struct walk {
	const levels *s;
	int32_t deepest, next;
	int32_t *place; /* position of a body in memory, or -1 if it has not been touched yet */
	stack *stack;	/* NULL while positions are being assigned */
} walk;

static const level_vertex *vertex_of(const walk *w, const level_place *p)
{
	int32_t n = scree_level_table_find(&w->s->vertices, p);
	return n < 0 || !w->s->vertex[n].bodies ? NULL : w->s->vertex + n;
}

static void fetch_vertex(walk *w, const level_vertex *v)
{
	for (int32_t k = v->first; k < v->first + v->bodies; ++k) {
		int32_t body = w->s->item[k];
		if (w->place[body] < 0) w->place[body] = w->next++;
		if (w->stack) fetch_body(w->stack, w->place[body]);
	}
}

static void on_vertex(void *what, const level_place *p)
{
	const level_vertex *v = vertex_of(what, p);
	if (v) fetch_vertex(what, v);
}

static void on_cell(void *what, const level_place *cell, bool refined)
{
	(void)refined;
	walk *w = what;
	const level_vertex *corner[8];
	for (int c = 0; c < 8; ++c) {
		level_place p = *cell;
		for (int d = 0; d < 3; ++d) p.at[d] += c >> d & 1;
		corner[c] = vertex_of(w, &p);
	}
	int32_t pair[28][2], pairs = traversal_corner_pairs(w->s, w->deepest, cell, pair);
	for (int32_t k = 0; k < pairs; ++k) {
		if (!corner[pair[k][0]] || !corner[pair[k][1]]) continue;
		fetch_vertex(w, corner[pair[k][0]]);
		fetch_vertex(w, corner[pair[k][1]]);
	}
}

static void give_places(const broad_search *s, traversal_order order, walk *w)
{
	traversal_events e = {w, on_vertex, on_cell};
	for (int32_t i = 0; i < w->s->numbers.rows; ++i) w->place[i] = -1;
	w->next = 0;
	w->stack = NULL;
	traverse(s, order, &e);
	for (int32_t i = 0; i < w->s->numbers.rows; ++i)
		if (w->place[i] < 0) w->place[i] = w->next++; /* outside */
}

static void shuffle(int32_t *place, int32_t count)
{
	random_stream r = scree_random_start(5, 5);
	for (int32_t i = count - 1; i > 0; --i) {
		int32_t k = (int32_t)(scree_random_bits(&r) % (uint64_t)(i + 1)), swap = place[i];
		place[i] = place[k];
		place[k] = swap;
	}
}

/* ------------------------------------------------------------------ figures */

static void print(const char *scene, const char *what, const char *order, const stack *s, int32_t bodies)
{
	printf("%-6s %-6s %-10s %9.2f", scene, what, order, (double)s->fetches / bodies);
	for (int k = 0; k < SIZES; ++k) printf(" %9.3f", (double)s->misses[k] / bodies);
	printf("\n");
	fflush(stdout);
}

static void measure_walk(const char *scene, const char *name, const broad_search *s, traversal_order order, walk *w)
{
	w->stack = stack_new((int64_t)w->s->numbers.rows * RECORD / LINE);
	traversal_events e = {w, on_vertex, on_cell};
	traverse(s, order, &e);
	print(scene, "walk", name, w->stack, w->s->numbers.rows);
	stack_free(w->stack);
	w->stack = NULL;
}

static int by_rows(const void *a, const void *b)
{
	const int32_t *p = a, *q = b;
	return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static void measure_pairs(const char *scene, const char *name, const box_pairs *found, const walk *w)
{
	int32_t(*pair)[2] = scree_alloc((size_t)found->count, sizeof *pair);
	for (int64_t k = 0; k < found->count; ++k) {
		int32_t a = w->place[found->pair[k][0]], b = w->place[found->pair[k][1]];
		pair[k][0] = a < b ? a : b;
		pair[k][1] = a < b ? b : a;
	}
	qsort(pair, (size_t)found->count, sizeof *pair, by_rows);
	stack *s = stack_new((int64_t)w->s->numbers.rows * RECORD / LINE);
	for (int64_t k = 0; k < found->count; ++k) {
		fetch_body(s, pair[k][0]);
		fetch_body(s, pair[k][1]);
	}
	print(scene, "pairs", name, s, w->s->numbers.rows);
	stack_free(s);
	scree_free(pair);
}

static void measure(const char *scene, crowd *c, const char *phase)
{
	static const char *const name[2][TRAVERSAL_ORDERS] = {{"rows/2", "Morton/2", "Hilbert", NULL},
														  {"rows/3", "Morton/3", NULL, "Peano"}};
	broad_search s = {.bounded = true, .area_high = {1, 1, 1}};
	box_pairs found = {0};
	box_list l = list_of(c);
	for (int k = 0; k < 8; ++k) scree_broad_search(&s, scree_broad_find(phase), &l, true, &found);
	const levels *grid = s.memory;
	walk w = {.s = grid, .deepest = traversal_deepest(grid)};
	w.place = scree_alloc((size_t)c->count, sizeof *w.place);
	for (traversal_order order = 0; order < TRAVERSAL_ORDERS; ++order) {
		const char *told = name[grid->k == 3][order];
		if (!told) continue;
		give_places(&s, order, &w);
		measure_walk(scene, told, &s, order, &w);
		measure_pairs(scene, told, &found, &w);
	}
	shuffle(w.place, c->count);
	measure_pairs(scene, "any", &found, &w);
	scree_free(w.place);
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
}

int main(void)
{
	scree_set_threads(1);
	printf("lines of %d bytes a body: fetched, and missed by caches of 32 kB, 256 kB, 1 MB; %d is the least\n", LINE,
		   RECORD / LINE);
	printf("%-6s %-6s %-10s %9s %9s %9s %9s\n", "scene", "what", "order", "fetched", "32 kB", "256 kB", "1 MB");
	crowd *equal = crowd_new(21200, 0.03, 1);
	measure("grid", equal, "levels/regular/k2");
	measure("grid", equal, "levels/regular");
	crowd_free(equal);
	crowd *mixture = crowd_new(10000, 0.09, 9);
	measure("sizes", mixture, "levels/adaptive/k2");
	measure("sizes", mixture, "levels/adaptive");
	crowd_free(mixture);
	return 0;
}
