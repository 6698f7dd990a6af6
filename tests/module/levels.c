/* Multi-level grids: counts for a scene small enough to be worked out by hand, the two bodies of Krestenitis (2017),
 * and rules that hold after every search while bodies of all sizes move, appear, disappear, grow and leave the domain.
 * Needs SCREE_PAPERS. */
#include "box_pairs.h"
#include "broad/broad.h"
#include "papers/levels/levels.h"
#include "levels_check.h"
#include "test.h"

#include "base/maths.h"
#include "base/memory.h"
#include "choices/choices.h"

enum { MOST = 300, ROWS = 6 };
static const char *const row_name[ROWS] = {"levels/regular",	"levels/adaptive",	  "levels/reluctant",
										   "levels/regular/k2", "levels/adaptive/k2", "levels/reluctant/k2"};

typedef struct crowd {
	real side[6][MOST];
	uint64_t id[MOST];
	int32_t count;
	bool flat;
} crowd;

static box_list list_of(const crowd *c)
{
	return (box_list){
		c->count, {c->side[0], c->side[1], c->side[2]}, {c->side[3], c->side[4], c->side[5]}, c->id, c->flat};
}

static void set(crowd *c, int32_t i, vec3 middle, vec3 half)
{
	const real m[3] = {middle.x, middle.y, middle.z}, h[3] = {half.x, half.y, half.z};
	for (int d = 0; d < 3; ++d) {
		c->side[d][i] = d == 2 && c->flat ? 0 : m[d] - h[d];
		c->side[d + 3][i] = d == 2 && c->flat ? 0 : m[d] + h[d];
	}
}

/* number of searches; all rules must hold after each of them */
static void find(broad_search *s, const char *name, const crowd *c, box_pairs *out)
{
	box_list l = list_of(c);
	fail why = {0};
	scree_broad_search(s, scree_broad_find(name), &l, true, out);
	if (l.count) CHECK(levels_check(s, &l, &why), "%s, search %lld: %s", name, (long long)s->count.searches, why.text);
}

/* ------------------------------------------------------------------ by hand */

/* A (0.2 wide) next to B and C (0.05), D (0.05) far away; E is larger than the domain, and F is outside it. */
static crowd *six_bodies(void)
{
	static const real at[6][3] = {{0.35, 0.35, 0.2},  {0.40, 0.40, 0.05}, {0.47, 0.40, 0.05},
								  {0.90, 0.90, 0.05}, {0.50, 0.50, 1.5},  {1.50, 0.50, 0.1}};
	crowd *c = scree_alloc(1, sizeof *c);
	c->flat = true;
	for (; c->count < 6; ++c->count) {
		const real *b = at[c->count];
		c->id[c->count] = 7 * (uint64_t)c->count;
		set(c, c->count, v3(b[0], b[1], 0), v3(b[2] / 2, b[2] / 2, 0));
	}
	return c;
}

typedef struct counts {
	int64_t vertices, comparisons, virtuals, moves, refinements, coarsenings;
} counts;

static void counted(const broad_search *s, int search, counts wanted)
{
	const broad_counts *c = &s->count;
	counts is = {c->vertices, c->comparisons, c->virtuals, c->moves, c->refinements, c->coarsenings};
	CHECK(!memcmp(&is, &wanted, sizeof is),
		  "%s, search %d: %lld vertices, %lld comparisons, %lld virtual particles, %lld moves, %lld refinements, %lld "
		  "coarsenings",
		  s->by->name, search, (long long)is.vertices, (long long)is.comparisons, (long long)is.virtuals,
		  (long long)is.moves, (long long)is.refinements, (long long)is.coarsenings);
}

/* Each search makes nine comparisons with bodies in the overflow list, five with E and four with F; after B, C and D
 * are removed, only three. */
static void a_scene_done_by_hand(void **state)
{
	(void)state;
	enum { SEARCHES = 9 };
	static const counts wanted[4][SEARCHES] = {
		/* A at (1; 1, 1), B and C at (2; 4, 4), D at (2; 8, 8): B is compared with C, and both are compared with A,
		   which is found from their vertex */
		{{3, 12, 1, 0, 0, 0},
		 {3, 24, 2, 0, 0, 0},
		 {3, 36, 3, 0, 0, 0},
		 {3, 48, 4, 0, 0, 0},
		 {1, 51, 4, 0, 0, 0},
		 {1, 54, 4, 0, 0, 0},
		 {1, 57, 4, 0, 0, 0},
		 {1, 60, 4, 0, 0, 0},
		 {1, 63, 4, 0, 0, 0}},
		/* all on level 0: A, B, C at one vertex, D at the opposite one; after refinement of one cell, on level 1; then
		   as above, after refinement of four cells around (1; 1, 1) and one at (1; 3, 3). When A is the only body left,
		   these five refinements are not needed, and search 8 removes them. */
		{{2, 15, 0, 0, 0, 0},
		 {4, 27, 0, 4, 1, 0},
		 {6, 39, 1, 7, 6, 0},
		 {6, 51, 2, 7, 6, 0},
		 {2, 54, 2, 7, 6, 0},
		 {2, 57, 2, 7, 6, 0},
		 {2, 60, 2, 7, 6, 0},
		 {2, 63, 2, 7, 6, 5},
		 {2, 66, 2, 7, 6, 5}},
		/* the same, but D is alone on level 1 and stays there; at the end A moves up to level 0 */
		{{2, 15, 0, 0, 0, 0},
		 {4, 27, 0, 4, 1, 0},
		 {5, 39, 1, 6, 5, 0},
		 {5, 51, 2, 6, 5, 0},
		 {2, 54, 2, 6, 5, 0},
		 {2, 57, 2, 6, 5, 0},
		 {2, 60, 2, 6, 5, 0},
		 {1, 63, 2, 7, 5, 5},
		 {1, 66, 2, 7, 5, 5}},
		/* A at (2; 1, 1), B at (4; 6, 6), C at (4; 8, 6) on a border between cells, D at (4; 14, 14) */
		{{4, 11, 2, 0, 0, 0},
		 {4, 22, 4, 0, 0, 0},
		 {4, 33, 6, 0, 0, 0},
		 {4, 44, 8, 0, 0, 0},
		 {1, 47, 8, 0, 0, 0},
		 {1, 50, 8, 0, 0, 0},
		 {1, 53, 8, 0, 0, 0},
		 {1, 56, 8, 0, 0, 0},
		 {1, 59, 8, 0, 0, 0}},
	};
	for (int r = 0; r < 4; ++r) {
		crowd *c = six_bodies();
		broad_search s = {.bounded = true, .area_high = {1, 1, 1}};
		box_pairs found = {0};
		for (int search = 0; search < SEARCHES; ++search) {
			if (search == 4) { /* B, C and D are removed: E and F take over their rows */
				for (int d = 0; d < 6; ++d) memmove(c->side[d] + 1, c->side[d] + 4, 2 * sizeof(real));
				memmove(c->id + 1, c->id + 4, 2 * sizeof *c->id);
				c->count = 3;
			}
			find(&s, row_name[r], c, &found);
			counted(&s, search + 1, wanted[r][search]);
			CHECK(s.count.overflow == 2, "%lld overflow", (long long)s.count.overflow);
			CHECK(found.count == (search < 4 ? 6 : 1), "%lld pairs", (long long)found.count);
		}
		scree_box_pairs_free(&found);
		scree_broad_search_free(&s);
		scree_free(c);
	}
}

/* ------------------------------------------------------------------ two bodies */

/* The bodies of Appendix B of Krestenitis (2017) in iteration i: they approach each other along the diagonal of the
 * unit cube. */
static void two_bodies(crowd *c, int i)
{
	real t = 1e-4 * i, a = 0.05 + (real)2 / 9 + t * (0.5 - (real)2 / 9),
		 b = 0.05 + (real)2 / 3 + t * (0.5 - (real)2 / 3);
	set(c, 0, v3(a, a, a), v3(0.015, 0.015, 0.015));
	set(c, 1, v3(b, b, b), v3(0.015, 0.015, 0.015));
}

/* On the regular grid, whose mesh width is the first below 0.3, b reaches a vertex next to the vertex of a in iteration
 * 6,334. With a mesh width of 1/3, as in the adaptive grid, this happens in iteration 8,556. In iteration 6,334, the
 * reluctant grid has both bodies in one cell, compares them once, and refines the cell. */
static void two_bodies_are_compared_as_printed(void **state)
{
	(void)state;
	crowd *c = scree_alloc(1, sizeof *c);
	c->count = 2;
	c->id[1] = 1;
	for (int r = 0; r < 3; ++r) {
		broad_search s = {.bounded = true, .area_high = {1, 1, 1}, .mesh = 0.3};
		box_pairs found = {0};
		int first = 0, last_quiet = 0, compared = 0;
		for (int i = 1; i <= 9000; ++i) {
			int64_t before = s.count.comparisons;
			two_bodies(c, i);
			find(&s, row_name[r], c, &found);
			bool quiet = s.count.comparisons == before;
			if (!first && !quiet) first = i;
			if (quiet) last_quiet = i;
			compared += !quiet;
		}
		int wanted = r == 0 ? 6334 : 8556, once = r == 2;
		CHECK(first == (r == 1 ? 8556 : 6334), "%s: compared first in iteration %d", row_name[r], first);
		CHECK(last_quiet == wanted - 1 && compared == 9000 - wanted + 1 + once,
			  "%s: not compared in iteration %d, compared %d times", row_name[r], last_quiet, compared);
		scree_box_pairs_free(&found);
		scree_broad_search_free(&s);
	}
	scree_free(c);
}

/* The paper's traversal misses a body that moves by more than one cell in a step: the largest permitted step is the
 * width of the body's cells divided by its speed. For these two bodies, at a speed of 5/18, the largest permitted step
 * is 1/9 on the regular grid and 1/27 on the adaptive one; the reluctant grid is as coarse as the regular one until the
 * bodies are neighbours. */
static void a_finer_grid_admits_shorter_steps(void **state)
{
	(void)state;
	static const struct {
		int iteration, cells[3];
	} wanted[] = {{20, {9, 27, 9}}, {6300, {9, 27, 9}}, {8600, {9, 27, 27}}};
	crowd *c = scree_alloc(1, sizeof *c);
	c->count = 3; /* the third body is outside the domain and has no vertex */
	c->id[1] = 1;
	c->id[2] = 2;
	set(c, 2, v3(3, 3, 3), v3(0.1, 0.1, 0.1));
	for (int r = 0; r < 3; ++r) {
		broad_search s = {.bounded = true, .area_high = {1, 1, 1}, .mesh = 0.3};
		box_pairs found = {0};
		for (int i = 1, k = 0; k < 3; ++i) {
			two_bodies(c, i);
			find(&s, row_name[r], c, &found);
			if (i < wanted[k].iteration) continue;
			real width = 1 / (real)wanted[k++].cells[r], step = width * 18 / 5;
			for (int b = 0; b < 2; ++b)
				CHECK(real_abs(levels_cell_width(&s, b) - width) < 1e-12, "%s, iteration %d: cells of %g m",
					  row_name[r], i, levels_cell_width(&s, b));
			CHECK(levels_cell_width(&s, 2) == 0, "%s: cells around a body outside", row_name[r]);
			/* a body that crosses several cells at once is still found, in this search and in the next one */
			if (k < 3) continue;
			two_bodies(c, i + (int)(2.5 * step * 1e4));
			find(&s, row_name[r], c, &found);
		}
		scree_box_pairs_free(&found);
		scree_broad_search_free(&s);
	}
	scree_free(c);
}

/* ------------------------------------------------------------------ motions */

typedef struct motion {
	crowd now;
	vec3 at[MOST], half[MOST], v[MOST];
	uint64_t next;
	int kind;
	random_stream r;
} motion;

/* size ratios up to 1:1000; equal sizes; clusters that drift apart; all bodies moving to one point; on a lattice, from
 * vertex to vertex; points; far from their starting positions */
enum { SIZES, EQUAL, CLUSTERS, COLLAPSE, LATTICE, POINTS, FAR, KINDS };

static vec3 any(random_stream *r, real wide)
{
	real x = scree_random_between(r, -wide, wide), y = scree_random_between(r, -wide, wide);
	return v3(x, y, scree_random_between(r, -wide, wide));
}

static void birth(motion *m)
{
	int32_t i = m->now.count++;
	random_stream *r = &m->r;
	m->now.id[i] = m->next++;
	m->at[i] = any(r, 5);
	m->v[i] = any(r, 0.1);
	m->half[i] = v3(0.4, 0.3, 0.5);
	if (m->kind == SIZES) m->half[i] = v3_mul(scree_exp(scree_random_between(r, -6.9, 0)), v3(2, 2, 2));
	if (m->kind == CLUSTERS) m->at[i] = v3_add(v3_mul(0.1, m->at[i]), v3((real)(i % 3), (real)(i % 2), 0));
	if (m->kind == CLUSTERS) m->v[i] = v3_mul(0.2, m->at[i]);
	if (m->kind == COLLAPSE) m->v[i] = v3_mul(-0.01, m->at[i]), m->half[i] = v3(0.02, 0.02, 0.02);
	if (m->kind == LATTICE) {
		m->at[i] = v3(scree_floor(m->at[i].x), scree_floor(m->at[i].y), scree_floor(m->at[i].z));
		m->half[i] = v3(0.5, 0.5, 0.5);
		m->v[i] = v3(1, 0, 0);
	}
	if (m->kind == POINTS) m->half[i] = v3(0, 0, 0), m->at[i] = v3((real)(i % 3), (real)(i % 5), 0);
	if (m->kind == FAR) m->v[i] = v3(1, 0, 0);
	/* one body in thirty is outside any domain, and another one is larger than the domain */
	if (i % 30 == 17) m->at[i] = v3_add(m->at[i], v3(0, 40, 0));
	if (i % 30 == 23) m->half[i] = v3(20, 20, 20);
}

static void death(motion *m, int32_t i)
{
	int32_t last = --m->now.count;
	m->now.id[i] = m->now.id[last];
	m->at[i] = m->at[last];
	m->half[i] = m->half[last];
	m->v[i] = m->v[last];
}

static void swap_rows(motion *m, int32_t i, int32_t j)
{
	uint64_t id = m->now.id[i];
	vec3 at = m->at[i], half = m->half[i], v = m->v[i];
	m->now.id[i] = m->now.id[j], m->at[i] = m->at[j], m->half[i] = m->half[j], m->v[i] = m->v[j];
	m->now.id[j] = id, m->at[j] = at, m->half[j] = half, m->v[j] = v;
}

static int32_t any_row(motion *m) { return (int32_t)(scree_random_bits(&m->r) % (uint64_t)m->now.count); }

static void move(motion *m, int step)
{
	for (int32_t i = 0; i < m->now.count; ++i) {
		if (m->kind == LATTICE && step % 3) continue;
		if (step % 40 > 30) continue; /* sometimes no body moves, so cells are removed */
		m->at[i] = v3_add(m->at[i], m->v[i]);
		if (m->kind != FAR && real_abs(m->at[i].x) > 6) m->at[i].x *= -1;
		if (step % 50 == 49) m->v[i] = v3_neg(m->v[i]);
	}
	if (step % 3 == 0 && m->now.count < MOST) birth(m);
	if (step % 3 == 1 && m->now.count > 2) death(m, any_row(m));
	if (step % 60 == 20) /* most of them are removed */
		while (m->now.count > 5) death(m, any_row(m));
	if (step % 60 == 35) /* many come */
		for (int k = 0; k < 80 && m->now.count < MOST; ++k) birth(m);
	if (step % 23 == 5) /* the rows are permuted, but the boxes stay the same */
		for (int32_t i = 0; i < m->now.count; ++i) swap_rows(m, i, any_row(m));
	if (step % 17 == 3 && m->now.count) { /* one body jumps and grows, and another one shrinks */
		int32_t i = any_row(m), j = any_row(m);
		m->at[i] = any(&m->r, 8);
		m->half[i] = v3_mul(4, m->half[i]);
		m->half[j] = v3_mul(0.1, m->half[j]);
	}
	for (int32_t i = 0; i < m->now.count; ++i) set(&m->now, i, m->at[i], m->half[i]);
}

static bool same_pairs(const box_pairs *a, const box_pairs *b)
{
	return a->count == b->count && (!a->count || !memcmp(a->pair, b->pair, (size_t)a->count * sizeof *a->pair));
}

static motion *motion_of(uint64_t seed)
{
	motion *m = scree_alloc(1, sizeof *m);
	*m = (motion){.kind = (int)(seed % KINDS), .r = scree_random_start(seed, 1), .next = 1};
	m->now.flat = seed / KINDS % 2;
	for (uint64_t k = 5 + seed * 37 % 120; k; --k) birth(m);
	return m;
}

static void all_holds_while_bodies_move(void **state)
{
	(void)state;
	enum { STEPS = 240 };
	int64_t pairs = 0, moves[ROWS] = {0}, coarsenings[ROWS] = {0}, overflow[ROWS] = {0}, virtuals[ROWS] = {0};
	FOR_SEEDS(56)
	{
		motion *m = motion_of(test_seed);
		broad_search s[ROWS] = {0}, referee = {0};
		box_pairs found = {0}, wanted = {0};
		for (int r = 0; r < ROWS; ++r) {
			bool bounded = test_seed / (2 * KINDS) % 2;
			real mesh = test_seed % 5 == 1 ? 3 : 0;
			s[r] = (broad_search){
				.bounded = bounded, .area_low = {-7, -6, -6}, .area_high = {7, 6, (real)INFINITY}, .mesh = mesh};
		}
		for (int step = 0; step < STEPS; ++step) {
			move(m, step);
			box_list l = list_of(&m->now);
			scree_broad_search(&referee, scree_broad_find("brute"), &l, true, &wanted);
			box_pairs_sort(&wanted);
			pairs += wanted.count;
			for (int r = (int)(test_seed % 2); r < ROWS; r += 2) {
				find(s + r, row_name[r], &m->now, &found);
				box_pairs_sort(&found);
				CHECK(same_pairs(&found, &wanted), "step %d of motion %d: %s missed or invented a pair", step, m->kind,
					  row_name[r]);
				overflow[r] += s[r].count.overflow;
			}
		}
		for (int r = 0; r < ROWS; ++r) {
			moves[r] += s[r].count.moves;
			coarsenings[r] += s[r].count.coarsenings;
			virtuals[r] += s[r].count.virtuals;
			scree_broad_search_free(s + r);
		}
		scree_box_pairs_free(&found);
		scree_box_pairs_free(&wanted);
		scree_broad_search_free(&referee);
		scree_free(m);
	}
	CHECK(pairs > 1000, "%lld pairs", (long long)pairs);
	for (int r = 0; r < ROWS && test_cases(56) >= 56; ++r)
		CHECK(moves[r] && overflow[r] && virtuals[r] && (coarsenings[r] > 0) == (r % 3 > 0),
			  "%s: %lld moves, %lld virtual particles, %lld coarsenings, %lld overflow", row_name[r],
			  (long long)moves[r], (long long)virtuals[r], (long long)coarsenings[r], (long long)overflow[r]);
}

/* ------------------------------------------------------------------ what is left */

/* The grid is empty eight searches after all bodies have been removed. */
static void no_vertices_without_bodies(void **state)
{
	(void)state;
	for (int r = 0; r < ROWS; ++r) {
		motion *m = motion_of(3);
		broad_search s = {.bounded = true, .area_low = {-7, -6, -6}, .area_high = {7, 6, 6}};
		box_pairs found = {0};
		for (int step = 0; step < 30; ++step) {
			move(m, step);
			find(&s, row_name[r], &m->now, &found);
		}
		CHECK(r % 3 == 0 || s.count.refinements > 100, "%lld refinements", (long long)s.count.refinements);
		m->now.count = 1; /* adds a body larger than the domain, because a search needs at least one body */
		m->now.id[0] = 12345;
		set(&m->now, 0, v3(0, 0, 0), v3(90, 90, 90));
		for (int k = 0; k < 8; ++k) find(&s, row_name[r], &m->now, &found);
		CHECK(s.count.vertices == 0 && s.count.refinements == s.count.coarsenings, "%s: %lld vertices, %lld cells",
			  row_name[r], (long long)s.count.vertices, (long long)(s.count.refinements - s.count.coarsenings));
		m->now.count = 0;
		find(&s, row_name[r], &m->now, &found);
		CHECK(found.count == 0 && s.count.vertices == 0, "%lld pairs of nobody", (long long)found.count);
		scree_box_pairs_free(&found);
		scree_broad_search_free(&s);
		scree_free(m);
	}
}

/* A hundred small bodies are added at once where the grid is coarse: the grid is refined before they are compared. */
static void a_crowd_is_relieved_at_once(void **state)
{
	(void)state;
	for (int r = 0; r < ROWS; ++r) {
		crowd *c = scree_alloc(1, sizeof *c);
		broad_search s = {.bounded = true, .area_high = {1, 1, 1}};
		box_pairs found = {0};
		for (; c->count < 100; ++c->count) {
			int32_t i = c->count;
			c->id[i] = (uint64_t)i;
			set(c, i, v3(0.1 + 0.01 * (i % 10), 0.1 + 0.01 * (i / 10), 0.1), v3(0.001, 0.001, 0.001));
		}
		find(&s, row_name[r], c, &found);
		CHECK(s.count.comparisons < 20 * c->count, "%s: %lld comparisons", row_name[r], (long long)s.count.comparisons);
		scree_box_pairs_free(&found);
		scree_broad_search_free(&s);
		scree_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scene_done_by_hand),
		cmocka_unit_test(two_bodies_are_compared_as_printed),
		cmocka_unit_test(a_finer_grid_admits_shorter_steps),
		cmocka_unit_test(all_holds_while_bodies_move),
		cmocka_unit_test(no_vertices_without_bodies),
		cmocka_unit_test(a_crowd_is_relieved_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
