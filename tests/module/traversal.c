/* The walk through a multi-level grid (bench/traversal.c), compared with traces written by hand. It then serves as a
 * reference: Algorithm 4 of Krestenitis (2017), which walks through the cells of the tree, finds the same pairs as the
 * engine finds in its tables. Needs SCREE_PAPERS. */
#include "../bench/traversal.h"
#include "box_pairs.h"
#include "levels_check.h"
#include "test.h"

#include "base/maths.h"
#include "base/memory.h"
#include "broad/broad.h"
#include "choices/choices.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 400, TEXT = 4096 };

typedef struct crowd {
	real side[6][MOST];
	int32_t count;
	bool flat;
} crowd;

static box_list list_of(const crowd *c)
{
	return (box_list){
		c->count, {c->side[0], c->side[1], c->side[2]}, {c->side[3], c->side[4], c->side[5]}, NULL, c->flat};
}

static void add(crowd *c, const real at[3], real wide)
{
	for (int d = 0; d < (c->flat ? 2 : 3); ++d) {
		c->side[d][c->count] = at[d] - wide / 2;
		c->side[d + 3][c->count] = at[d] + wide / 2;
	}
	c->count += 1;
}

/* ------------------------------------------------------------------ by hand */

typedef struct trace {
	char text[TEXT];
	size_t length;
} trace;

static void say(trace *t, char what, const level_place *p, const char *more)
{
	t->length += (size_t)snprintf(t->text + t->length, TEXT - t->length, "%s%c%d.%d%d%s", t->length ? " " : "", what,
								  (int)p->level, (int)p->at[0], (int)p->at[1], more);
}

static void on_vertex(void *what, const level_place *p) { say(what, 'v', p, ""); }
static void on_cell(void *what, const level_place *p, bool refined) { say(what, 'c', p, refined ? "*" : ""); }

/* One small body in the lower left corner of the unit square: the grid is refined around it as far as possible. v: a
 * vertex is touched, c: a cell is entered, each as level.xy; *: the cell is divided. */
static void traces_are_those_written_by_hand(void **state)
{
	(void)state;
	static const struct {
		const char *phase, *trace;
		traversal_order order;
	} row[] = {
		{"levels/adaptive/k2",
		 "v0.00 v0.10 v0.01 v0.11 c0.00* v1.00 v1.10 v1.01 v1.11 c1.00* v2.00 v2.10 v2.01 v2.11 c2.00 v2.20 v2.21 "
		 "c2.10 "
		 "v2.02 v2.12 c2.01 v2.22 c2.11 v1.20 v1.21 c1.10 v1.02 v1.12 c1.01 v1.22 c1.11",
		 TRAVERSAL_MORTON},
		{"levels/adaptive/k2",
		 "v0.00 v0.10 v0.01 v0.11 c0.00* v1.00 v1.10 v1.01 v1.11 c1.00* v2.00 v2.10 v2.01 v2.11 c2.00 v2.20 v2.21 "
		 "c2.10 "
		 "v2.12 v2.22 c2.11 v2.02 c2.01 v1.02 v1.12 c1.01 v1.21 v1.22 c1.11 v1.20 c1.10",
		 TRAVERSAL_HILBERT},
		{"levels/adaptive/k2",
		 "v0.00 v0.10 v0.01 v0.11 c0.00* v1.00 v1.10 v1.01 v1.11 c1.00* v1.20 v1.21 c1.10 v1.02 v1.12 c1.01 v1.22 "
		 "c1.11 "
		 "v2.00 v2.10 v2.01 v2.11 c2.00 v2.20 v2.21 c2.10 v2.02 v2.12 c2.01 v2.22 c2.11",
		 TRAVERSAL_ROWS},
		{"levels/adaptive",
		 "v0.00 v0.10 v0.01 v0.11 c0.00* v1.00 v1.10 v1.01 v1.11 c1.00 v1.02 v1.12 c1.01 v1.03 v1.13 c1.02 v1.22 v1.23 "
		 "c1.12 v1.21 c1.11 v1.20 c1.10 v1.30 v1.31 c1.20 v1.32 c1.21 v1.33 c1.22",
		 TRAVERSAL_PEANO},
	};
	for (size_t r = 0; r < sizeof row / sizeof *row; ++r) {
		crowd *c = scree_alloc(1, sizeof *c);
		broad_search s = {.bounded = true, .area_high = {1, 1, 1}};
		box_pairs found = {0};
		c->flat = true;
		add(c, (const real[3]){0.05, 0.05}, 0.2);
		box_list l = list_of(c);
		for (int k = 0; k < 6; ++k) scree_broad_search(&s, scree_broad_find(row[r].phase), &l, true, &found);
		trace t = {0};
		traversal_events e = {&t, on_vertex, on_cell};
		traverse(&s, row[r].order, &e);
		CHECK(!strcmp(t.text, row[r].trace), "%s, order %d: %s", row[r].phase, row[r].order, t.text);
		scree_box_pairs_free(&found);
		scree_broad_search_free(&s);
		scree_free(c);
	}
}

/* ------------------------------------------------------------------ any grid */

typedef struct watcher {
	const levels *s;
	traversal_order order;
	level_table vertices, cells;
	level_place last; /* the undivided cell that was entered last */
	bool begun;
	int64_t leaves, breaks; /* breaks: number of leaves that do not share a side with the previous leaf */
} watcher;

static void see_vertex(void *what, const level_place *p)
{
	watcher *w = what;
	CHECK(scree_level_table_find(&w->vertices, p) < 0, "a vertex of level %d is touched twice", (int)p->level);
	scree_level_table_add(&w->vertices, p);
}

/* returns whether two cells, possibly of different levels, share a side or part of a side */
static bool share_side(const levels *s, const level_place *a, const level_place *b)
{
	int touching = 0;
	for (int d = 0; d < s->axes; ++d) {
		int64_t low = a->at[d] * s->mesh[a->level], high = low + s->mesh[a->level];
		int64_t from = b->at[d] * s->mesh[b->level], to = from + s->mesh[b->level];
		if (high < from || to < low) return false;
		touching += high == from || to == low;
	}
	return touching == 1;
}

static void see_cell(void *what, const level_place *p, bool refined)
{
	watcher *w = what;
	CHECK(scree_level_table_find(&w->cells, p) < 0, "a cell of level %d is entered twice", (int)p->level);
	scree_level_table_add(&w->cells, p);
	for (int c = 0; c < 1 << w->s->axes; ++c) {
		level_place v = *p;
		for (int d = 0; d < w->s->axes; ++d) v.at[d] += c >> d & 1;
		CHECK(scree_level_table_find(&w->vertices, &v) >= 0, "a cell is entered before its corner %d is touched", c);
	}
	level_place above = {.level = p->level - 1};
	for (int d = 0; d < w->s->axes; ++d) above.at[d] = p->at[d] / w->s->k;
	CHECK(p->level == 0 || scree_level_table_find(&w->cells, &above) >= 0, "a cell is entered before the one it is in");
	if (refined) return;
	w->breaks += w->begun && !share_side(w->s, &w->last, p);
	w->leaves += 1;
	w->last = *p;
	w->begun = true;
}

/* bodies of sizes 1 to 11 in the unit cube or square, some of them in a heap */
static crowd *any_crowd(random_stream *r, bool flat)
{
	crowd *c = scree_alloc(1, sizeof *c);
	c->flat = flat;
	int32_t count = 40 + (int32_t)(scree_random_bits(r) % 100);
	real dense = scree_random_bits(r) % 2 ? 0.3 : 1, largest = scree_random_between(r, 0.05, 0.4);
	for (int32_t i = 0; i < count; ++i) {
		real at[3];
		for (int d = 0; d < 3; ++d) at[d] = (i % 2 ? dense : 1) * scree_random_real(r);
		real smaller = scree_random_between(r, 0, 2.4);
		add(c, at, largest * scree_exp(-smaller));
	}
	return c;
}

static bool has_order(const levels *s, traversal_order order)
{
	return order == TRAVERSAL_HILBERT ? s->k == 2 : order == TRAVERSAL_PEANO ? s->k == 3 : true;
}

/* whether a regular grid has too many cells to visit all of them in a test */
static bool is_too_large(const levels *s)
{
	real cells = 1;
	for (int32_t level = traversal_deepest(s); level > 0; --level)
		for (int d = 0; d < s->axes; ++d) cells *= (real)s->k;
	return s->grid == LEVELS_REGULAR && cells > 1e4;
}

static void walk(const broad_search *s, traversal_order order, int64_t *breaks)
{
	watcher w = {.s = s->memory, .order = order};
	traversal_events e = {&w, see_vertex, see_cell};
	traverse(s, order, &e);
	CHECK(w.vertices.count == levels_grid_vertices(s), "order %d: %d vertices", order, w.vertices.count);
	if (order == TRAVERSAL_HILBERT || order == TRAVERSAL_PEANO)
		CHECK(w.breaks == 0, "order %d: %lld of %lld cells are away from the one before", order, (long long)w.breaks,
			  (long long)w.leaves);
	*breaks += w.breaks;
	scree_level_table_free(&w.vertices);
	scree_level_table_free(&w.cells);
}

static bool has_pair(const box_pairs *p, const int32_t pair[2])
{
	return p->count && bsearch(pair, p->pair, (size_t)p->count, sizeof *p->pair, box_pairs_order);
}

typedef struct tally {
	int64_t pairs, early, virtuals, breaks[TRAVERSAL_ORDERS];
} tally;

/* The engine finds the same pairs, each once, with the same number of comparisons on a regular grid. On other grids,
 * the tables also contain neighbouring vertices that do not share a cell. */
static void hold_pairs(const broad_search *s, const box_list *l, traversal_order order, const box_pairs *wanted,
					   int64_t comparisons, tally *t)
{
	const levels *grid = s->memory;
	box_pairs found = {0};
	traversal_counts n = traversal_find(s, l, order, &found);
	box_pairs_sort(&found);
	for (int64_t k = 0; k < found.count; ++k) {
		CHECK(has_pair(wanted, found.pair[k]), "%s, order %d: a pair too many", s->by->name, order);
		CHECK(!k || memcmp(found.pair[k], found.pair[k - 1], sizeof *found.pair) != 0, "%s, order %d: a pair twice",
			  s->by->name, order);
	}
	CHECK(found.count == wanted->count, "%s, order %d: %lld pairs, not %lld", s->by->name, order,
		  (long long)found.count, (long long)wanted->count);
	CHECK(grid->grid != LEVELS_REGULAR || n.comparisons == comparisons, "%s, order %d: %lld comparisons, not %lld",
		  s->by->name, order, (long long)n.comparisons, (long long)comparisons);
	t->pairs += wanted->count;
	t->virtuals += n.virtuals;
	t->early += n.early;
	scree_box_pairs_free(&found);
}

static void all_is_met_once_and_pairs_are_found(void **state)
{
	(void)state;
	static const char *const phase[] = {"levels/regular",	 "levels/adaptive",	   "levels/reluctant",
										"levels/regular/k2", "levels/adaptive/k2", "levels/reluctant/k2"};
	tally t[6] = {0};
	FOR_SEEDS(8)
	{
		random_stream r = scree_random_start(test_seed, 5);
		crowd *c = any_crowd(&r, test_seed % 2 == 0);
		box_list l = list_of(c);
		for (int p = 0; p < 6; ++p) {
			broad_search s = {.bounded = true, .area_high = {1, 1, 1}};
			box_pairs wanted = {0};
			int64_t before = 0;
			for (int k = 0; k < 9; ++k) {
				before = s.count.comparisons;
				scree_broad_search(&s, scree_broad_find(phase[p]), &l, true, &wanted);
			}
			box_pairs_sort(&wanted);
			for (traversal_order order = 0; order < TRAVERSAL_ORDERS && !is_too_large(s.memory); ++order) {
				if (!has_order(s.memory, order)) continue;
				walk(&s, order, t[p].breaks + order);
				hold_pairs(&s, &l, order, &wanted, s.count.comparisons - before, t + p);
			}
			scree_box_pairs_free(&wanted);
			scree_broad_search_free(&s);
		}
		scree_free(c);
	}
	for (int p = 0; p < 6 && test_cases(8) >= 8; ++p)
		CHECK(t[p].pairs > 500 && t[p].virtuals > t[p].early && t[p].early && t[p].breaks[TRAVERSAL_ROWS] &&
				  t[p].breaks[TRAVERSAL_MORTON],
			  "%s: %lld pairs, %lld virtual particles, %lld early", phase[p], (long long)t[p].pairs,
			  (long long)t[p].virtuals, (long long)t[p].early);
}

/* ------------------------------------------------------------------ pairs of vertices */

typedef struct pair_count {
	const levels *s;
	int64_t pairs, inner;
} pair_count;

static void no_vertex(void *what, const level_place *p)
{
	(void)what;
	(void)p;
}

static void count_pairs(void *what, const level_place *cell, bool refined)
{
	(void)refined;
	pair_count *n = what;
	int32_t pair[28][2], deepest = traversal_deepest(n->s), pairs = 0;
	if (cell->level < deepest) return;
	pairs = traversal_corner_pairs(n->s, deepest, cell, pair);
	int64_t cells = n->s->mesh[0] / n->s->mesh[cell->level];
	bool inner = true;
	for (int d = 0; d < n->s->axes; ++d) inner = inner && cell->at[d] < cells - 1;
	if (inner) CHECK(pairs == (n->s->axes == 2 ? 4 : 13), "%d pairs of a cell", pairs);
	n->pairs += pairs;
	n->inner += inner;
}

/* An inner cell contributes half of the pairs of its lowest vertex. n^d vertices have ((3n-2)^d - n^d)/2 pairs of
 * neighbours. */
static void each_pair_of_vertices_has_one_cell(void **state)
{
	(void)state;
	for (int flat = 0; flat < 2; ++flat) {
		crowd *c = scree_alloc(1, sizeof *c);
		broad_search s = {.bounded = true, .area_high = {1, 1, 1}};
		box_pairs found = {0};
		c->flat = flat;
		add(c, (const real[3]){0.5, 0.5, 0.5}, 0.1);
		box_list l = list_of(c);
		scree_broad_search(&s, scree_broad_find("levels/regular"), &l, true, &found);
		pair_count n = {.s = s.memory};
		traversal_events e = {&n, no_vertex, count_pairs};
		traverse(&s, TRAVERSAL_PEANO, &e);
		int64_t wanted = flat ? (28 * 28 - 10 * 10) / 2 : (28 * 28 * 28 - 10 * 10 * 10) / 2;
		CHECK(n.pairs == wanted && n.inner == (flat ? 64 : 512), "%lld pairs of vertices, %lld cells",
			  (long long)n.pairs, (long long)n.inner);
		scree_box_pairs_free(&found);
		scree_broad_search_free(&s);
		scree_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(traces_are_those_written_by_hand),
		cmocka_unit_test(all_is_met_once_and_pairs_are_found),
		cmocka_unit_test(each_pair_of_vertices_has_one_cell),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
