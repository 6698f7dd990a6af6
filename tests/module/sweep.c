/* The incremental sort-and-update of Schinner (1999): its tables, one exchange at a time, its worked example and its
 * worst case; also all broad phases, with their state, compared with brute force while boxes are moved, added and
 * removed. */
#include "broad/broad.h"
#include "broad/phases.h"
#include "lab.h"
#include "test.h"

#include "base/maths.h"
#include "base/memory.h"
#include "broad/stage.h"
#include "choices/choices.h"
#include "world/world.h"

#include <stdlib.h>

enum { MOST = 400 };

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

static void set(crowd *c, int32_t i, int d, real low, real high)
{
	c->side[d][i] = low;
	c->side[d + 3][i] = high;
}

/* intervals along x; all boxes are equal along y */
static crowd *intervals(int32_t count)
{
	crowd *c = scree_alloc(1, sizeof *c);
	c->count = count;
	c->flat = true;
	for (int32_t i = 0; i < count; ++i) {
		c->id[i] = (uint64_t)i + 1;
		set(c, i, 1, 0, 1);
		set(c, i, 2, 0, 0);
	}
	return c;
}

static bool search(broad_search *s, const char *name, const crowd *c, box_pairs *out)
{
	box_list l = list_of(c);
	return scree_broad_search(s, scree_broad_find(name), &l, true, out);
}

/* ------------------------------------------------------------------ two intervals */

static bool one_d(const real x[4]) { return real_max(x[0], x[2]) <= real_min(x[1], x[3]); }

static void set_two(crowd *c, const real x[4], bool beside)
{
	set(c, 0, 0, x[0], x[1]);
	set(c, 1, 0, x[2], x[3]);
	set(c, 1, 1, beside ? 0.5 : 2, 3);
}

/* every order of b_m, e_m, b_n, e_n with b <= e, including ties: each is one of the numbers 0 .. 3; returns the number
 * of orders */
static int orders(real x[256][4])
{
	int count = 0;
	for (int k = 0; k < 256; ++k) {
		const real v[4] = {k & 3, k >> 2 & 3, k >> 4 & 3, k >> 6};
		if (v[0] <= v[1] && v[2] <= v[3]) memcpy(x[count++], v, sizeof v);
	}
	return count;
}

static void all_orders_of_two_intervals(void **state)
{
	(void)state;
	static real x[256][4];
	int count = orders(x), strict = 0, meet = 0;
	crowd *c = intervals(2);
	for (int k = 0; k < count; ++k) {
		bool ties = false;
		for (int i = 0; i < 4; ++i)
			for (int j = 0; j < i; ++j) ties |= x[k][i] == x[k][j];
		strict += !ties;
		meet += !ties && one_d(x[k]);
		set_two(c, x[k], true);
		for (int b = 0; scree_broad_row(b); ++b) {
			broad_search s = {0};
			box_pairs found = {0};
			search(&s, scree_broad_row(b)->name, c, &found);
			CHECK(found.count == one_d(x[k]), "%s: [%g %g] and [%g %g]", scree_broad_row(b)->name, x[k][0], x[k][1],
				  x[k][2], x[k][3]);
			scree_box_pairs_free(&found);
			scree_broad_search_free(&s);
		}
	}
	/* in 6 of 24 orders, both intervals have their ends in the right order, and in four of these six the intervals
	 * overlap */
	CHECK(count == 100 && strict == 6 && meet == 4, "%d orders, %d without ties, %d of these overlap", count, strict,
		  meet);
	scree_free(c);
}

/* inversions: number of pairs of ends whose order by value, kind (b before e) and id has changed */
static int inversions(const real was[4], const real is[4])
{
	int count = 0;
	for (int i = 0; i < 4; ++i)
		for (int j = 0; j < 4; ++j) {
			bool kinds = (i & 1) != (j & 1), first = kinds ? !(i & 1) : i < j;
			bool before = was[i] != was[j] ? was[i] < was[j] : first;
			bool after = is[i] != is[j] ? is[i] < is[j] : first;
			count += before && !after;
		}
	return count;
}

/* Tables 1 and 3 for every transition from one order to another: the pairs are right, and the number of exchanges
 * equals the number of inversions. */
static void every_change_of_order(void **state)
{
	(void)state;
	static real x[256][4];
	int count = orders(x);
	crowd *c = intervals(2);
	for (int beside = 0; beside < 4; ++beside) /* whether the intervals on the other axis overlap, before and now */
		for (int from = 0; from < count; ++from)
			for (int to = 0; to < count; ++to) {
				broad_search s = {.patient = true};
				box_pairs found = {0};
				set_two(c, x[from], beside & 1);
				search(&s, "sweep", c, &found);
				set_two(c, x[to], beside >> 1);
				search(&s, "sweep", c, &found);
				/* along y, b_n moves past e_m or back, while e_n does not move */
				int wanted = inversions(x[from], x[to]) + ((beside & 1) != beside >> 1);
				CHECK(found.count == (one_d(x[to]) && beside >> 1), "from order %d to %d: pair", from, to);
				CHECK(s.count.exchanges == wanted, "from order %d to %d: %lld exchanges, not %d", from, to,
					  (long long)s.count.exchanges, wanted);
				scree_box_pairs_free(&found);
				scree_broad_search_free(&s);
			}
	scree_free(c);
}

/* one row of Table 1 or 3 */
static void table_row(const real was[4], const real is[4], bool beside, const char *row, int adds, int removes)
{
	crowd *c = intervals(2);
	broad_search s = {.patient = true};
	box_pairs found = {0};
	set_two(c, was, beside);
	search(&s, "sweep", c, &found);
	int64_t pairs = found.count;
	set_two(c, is, beside);
	search(&s, "sweep", c, &found);
	CHECK(s.count.exchanges == 1, "%s: %lld exchanges", row, (long long)s.count.exchanges);
	CHECK(s.count.adds == adds && s.count.removes == removes && found.count == pairs + adds - removes,
		  "%s: %lld added, %lld removed, %lld pairs after %lld", row, (long long)s.count.adds,
		  (long long)s.count.removes, (long long)found.count, (long long)pairs);
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
	scree_free(c);
}

static void the_four_rows_of_the_tables(void **state)
{
	(void)state;
	for (int beside = 1; beside >= 0; --beside) { /* whether the intervals on the other axis overlap (as in Table 1) */
		table_row((real[]){0, 4, 1, 5}, (real[]){1.5, 4, 1, 5}, beside, "b b -> b b", 0, 0);
		table_row((real[]){0, 4, 1, 5}, (real[]){0, 5.5, 1, 5}, beside, "e e -> e e", 0, 0);
		table_row((real[]){0, 4, 3, 5}, (real[]){0, 2, 3, 5}, beside, "b e -> e b", 0, beside);
		table_row((real[]){0, 2, 3, 5}, (real[]){0, 4, 3, 5}, beside, "e b -> b e", beside, 0);
	}
}

/* touching counts as overlapping; of two equal lower ends, the one with the lower id is first, regardless of rows */
static void ties(void **state)
{
	(void)state;
	sweep_axis a = {0};
	const real side[3][6] = {{1, 0, 0, 2, 1, 1}, {1, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 1, 1}};
	const uint64_t id[3] = {9, 7, 8};
	sweep_boxes boxes = {side, id, 2};
	for (int32_t i = 0; i < 3; ++i) scree_sweep_append(&a, i);
	scree_sweep_update(&a, &boxes, 0, INT64_MAX);
	const uint32_t wanted[6] = {2 * 2, 2 * 1, 2 * 0, 2 * 1 + 1, 2 * 2 + 1, 2 * 0 + 1};
	for (int k = 0; k < 6; ++k) CHECK(a.end[k].code == wanted[k], "place %d holds end %u", k, a.end[k].code);
	sweep_axis b = {0};
	const int32_t by_id[3] = {1, 2, 0};
	scree_sweep_sort(&b, &boxes, 0, by_id, 3);
	for (int k = 0; k < 6; ++k)
		CHECK(b.end[k].code == wanted[k], "sorted at once, place %d holds end %u", k, b.end[k].code);
	scree_sweep_axis_free(&a);
	scree_sweep_axis_free(&b);
}

/* ------------------------------------------------------------------ the worked example */

static const char *name_of(const sweep_axis *a, char text[40])
{
	char *at = text;
	for (int64_t k = 0; k < a->count; ++k)
		at += sprintf(at, "%c%u ", a->end[k].code & 1 ? 'e' : 'b', (a->end[k].code >> 1) + 1);
	at[-1] = 0;
	return text;
}

/* Fig. 4 and Table 2: b1 b2 e1 e2 b3 e3 becomes b2 b1 e1 b3 e2 e3 in five steps of the insertion sort. */
static void the_worked_example(void **state)
{
	(void)state;
	const int32_t box[3] = {0, 1, 2};
	const uint64_t id[3] = {1, 2, 3};
	const real was[3][6] = {{0, 0, 0, 2, 1, 1}, {1, 0, 0, 3, 1, 1}, {4, 0, 0, 5, 1, 1}};
	const real is[3][6] = {{1, 0, 0, 2, 1, 1}, {0, 0, 0, 4, 1, 1}, {3, 0, 0, 5, 1, 1}};
	const char *const after[6] = {
		NULL, "b2 b1 e1 e2 b3 e3", "b2 b1 e1 e2 b3 e3", "b2 b1 e1 e2 b3 e3", "b2 b1 e1 b3 e2 e3", "b2 b1 e1 b3 e2 e3"};
	const int64_t exchanges[6] = {0, 1, 0, 0, 1, 0}, changes[6] = {0, 0, 0, 0, 1, 1};
	char text[40];
	sweep_axis a = {0};
	sweep_boxes before = {was, id, 2}, now = {is, id, 2};
	scree_sweep_sort(&a, &before, 0, box, 3);
	assert_string_equal(name_of(&a, text), "b1 b2 e1 e2 b3 e3");
	scree_sweep_settle(&a, &now, 0, 0);
	for (int64_t s = 1; s < 6; ++s) {
		int64_t passed = scree_sweep_settle(&a, &now, 0, s);
		CHECK(passed == exchanges[s] && a.changes == changes[s], "step %lld: %lld exchanges, %lld changes",
			  (long long)s, (long long)passed, (long long)a.changes);
		assert_string_equal(name_of(&a, text), after[s]);
	}
	/* the first exchange, b1 with b2, has no effect; the second one, e2 with b3, adds the pair (2; 3) */
	CHECK(a.change[0].add && a.change[0].a + a.change[0].b == 1 + 2 && a.change[0].a * a.change[0].b == 2, "pair %d %d",
		  a.change[0].a, a.change[0].b);
	scree_sweep_axis_free(&a);
}

/* ------------------------------------------------------------------ worst cases */

/* T boxes one above the other, reversed in one step (Fig. 6): all ends swap positions, and in the next step none do */
static void a_tower_turns_over(void **state)
{
	(void)state;
	enum { T = 100 };
	crowd *c = intervals(T);
	for (int patient = 0; patient < 2; ++patient) {
		broad_search s = {.patient = patient}, referee = {0};
		box_pairs found = {0}, wanted = {0};
		for (int32_t i = 0; i < T; ++i) set(c, i, 0, i, i + 0.9);
		search(&s, "sweep", c, &found);
		for (int step = 0; step < 3; ++step) {
			int64_t before = s.count.exchanges;
			for (int32_t i = 0; i < T; ++i) set(c, i, 0, T - i - 0.03 * step, T - i + 0.9 + 0.04 * step);
			search(&s, "sweep", c, &found);
			search(&referee, "brute", c, &wanted);
			int64_t exchanges = s.count.exchanges - before;
			CHECK(found.count == wanted.count, "step %d: %lld pairs", step, (long long)found.count);
			if (patient && step == 0) CHECK(exchanges == 2 * T * (T - 1), "%lld exchanges", (long long)exchanges);
			if (step == 1)
				CHECK(exchanges == 0, "%lld exchanges when boxes grow but do not meet", (long long)exchanges);
			if (step == 2) CHECK(exchanges == T - 1, "%lld exchanges when neighbours meet", (long long)exchanges);
		}
		CHECK(s.count.fallbacks == (patient ? 1 : 2), "%lld sorts at once", (long long)s.count.fallbacks);
		CHECK(found.count == T - 1, "%lld pairs of neighbours", (long long)found.count);
		scree_box_pairs_free(&found);
		scree_box_pairs_free(&wanted);
		scree_broad_search_free(&s);
		scree_broad_search_free(&referee);
	}
	scree_free(c);
}

static void search_once(void *what)
{
	broad_search s = {0};
	box_pairs found = {0};
	search(&s, "sweep", what, &found);
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
}

/* a lower end that is not below its upper end stops the program with an internal error */
static void what_is_no_number_is_caught(void **state)
{
	(void)state;
	crowd *c = intervals(3);
	for (int bad = 0; bad < 3; ++bad) {
		memory_list list = {0};
		fail why = {0};
		for (int32_t i = 0; i < 3; ++i) set(c, i, 0, i, i + 2);
		if (bad) c->side[3][1] = bad == 1 ? (real)NAN : 0.5;
		scree_memory_into(&list);
		bool whole = scree_attempt(search_once, c, &why);
		scree_memory_into(NULL);
		scree_memory_drop(&list);
		CHECK(whole ? !bad : bad && why.code == FAIL_INTERNAL, "it went on, or broke: %s", why.text);
	}
	scree_free(c);
}

/* ------------------------------------------------------------------ motions compared with brute force */

typedef struct motion {
	crowd now;
	vec3 at[MOST], half[MOST], v[MOST];
	uint64_t next;
	int kind;
	random_stream r;
} motion;

/* random boxes, clusters, size ratios up to 1:100, shear, a long bar over small boxes, towers that topple, a lattice of
 * coincident and touching boxes, and all boxes at one position */
enum { RANDOM, CLUSTERED, SIZES, SHEARED, BAR, TOWERS, LATTICE, ONE_PLACE, KINDS };

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
	m->half[i] = v3(0.4, 0.3, 0.5);
	m->v[i] = any(r, 0.1);
	if (m->kind == CLUSTERED) m->at[i] = v3_add(v3_mul(0.1, m->at[i]), v3((real)(i % 3) * 4, (real)(i % 2) * 4, 0));
	if (m->kind == SIZES) m->half[i] = v3_mul(scree_exp(scree_random_between(r, -4.6, 0)), v3(2, 2, 2));
	if (m->kind == SHEARED) m->v[i] = v3(0.2 * m->at[i].y, 0, 0);
	if (m->kind == BAR) m->half[i] = i == 0 ? v3(5, 5, 1) : v3(0.1, 0.1, 0.1);
	if (m->kind == TOWERS) {
		m->at[i] = v3((real)(i % 3), (real)i, 0);
		m->half[i] = v3(0.6, 0.4, 0.4);
		m->v[i] = v3(0, 0, 0);
	}
	if (m->kind == LATTICE) {
		m->at[i] = v3(scree_floor(m->at[i].x), scree_floor(m->at[i].y), scree_floor(m->at[i].z));
		m->half[i] = v3(0.5, 0.5, 0.5);
		m->v[i] = v3(1, 0, 0);
	}
	if (m->kind == ONE_PLACE) m->at[i] = v3(1, 1, 1);
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

static void move(motion *m, int step)
{
	random_stream *r = &m->r;
	for (int32_t i = 0; i < m->now.count; ++i) {
		if (m->kind == LATTICE && step % 3) continue; /* boxes may move exactly to neighbouring lattice positions */
		m->at[i] = v3_add(m->at[i], m->v[i]);
		if (m->kind == TOWERS && step % 10 == 9) m->at[i].y = 50 - m->at[i].y;
		if (real_abs(m->at[i].x) > 6) m->at[i].x *= -1;
		if (step % 50 == 49) m->v[i] = v3_neg(m->v[i]);
	}
	if (step % 4 == 0 && m->now.count < MOST) birth(m);
	if (step % 4 == 2 && m->now.count > 2) death(m, (int32_t)(scree_random_bits(r) % (uint64_t)m->now.count));
	if (step % 23 == 5) /* the rows are permuted, but the boxes stay the same */
		for (int32_t i = 0; i < m->now.count; ++i)
			swap_rows(m, i, (int32_t)(scree_random_bits(r) % (uint64_t)m->now.count));
	for (int32_t i = 0; i < m->now.count; ++i) {
		set(&m->now, i, 0, m->at[i].x - m->half[i].x, m->at[i].x + m->half[i].x);
		set(&m->now, i, 1, m->at[i].y - m->half[i].y, m->at[i].y + m->half[i].y);
		set(&m->now, i, 2, m->at[i].z - m->half[i].z, m->at[i].z + m->half[i].z);
		if (m->now.flat) set(&m->now, i, 2, 0, 0);
	}
}

/* pairs found by one broad phase, as ids */
typedef struct said {
	broad_search s;
	int64_t count;
	uint64_t (*id)[2];
} said;

static int by_ids(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
	return (x[1] > y[1]) - (x[1] < y[1]);
}

/* returns true if there are new pairs; otherwise the previous ones remain valid */
static bool ask(said *o, const broad *b, const crowd *c)
{
	box_list l = list_of(c);
	box_pairs found = {0};
	if (!scree_broad_search(&o->s, b, &l, false, &found)) return false;
	scree_free(o->id);
	o->count = found.count;
	o->id = scree_alloc((size_t)found.count, sizeof *o->id);
	for (int64_t k = 0; k < found.count; ++k) {
		uint64_t p = c->id[found.pair[k][0]], q = c->id[found.pair[k][1]];
		o->id[k][0] = p < q ? p : q;
		o->id[k][1] = p < q ? q : p;
	}
	if (o->count) qsort(o->id, (size_t)o->count, sizeof *o->id, by_ids);
	scree_box_pairs_free(&found);
	return true;
}

static void every_phase_follows_what_brute_finds(void **state)
{
	(void)state;
	enum { PHASES = 16, STEPS = 60 };
	int64_t pairs = 0, unchanged = 0, fallbacks = 0, removes = 0;
	CHECK(choice_count(&scree_broads) < PHASES, "more broad phases than this test has room for");
	FOR_SEEDS(48)
	{
		motion *m = scree_alloc(1, sizeof *m);
		said said_by[PHASES] = {0}, patient = {.s = {.patient = true}}, referee = {0};
		*m = (motion){.kind = (int)(test_seed % KINDS), .r = scree_random_start(test_seed, 1), .next = 1};
		m->now.flat = test_seed / KINDS % 2;
		for (uint64_t k = 10 + test_seed * 37 % 150; k; --k) birth(m);
		for (int step = 0; step < STEPS; ++step) {
			move(m, step);
			if (step % 7 == 6) step % 2 ? move(m, step) : (void)0; /* sometimes the boxes move twice between searches */
			ask(&referee, scree_broad_find("brute"), &m->now);
			pairs += referee.count;
			for (int b = 0; b <= choice_count(&scree_broads); ++b) {
				said *o = b < choice_count(&scree_broads) ? said_by + b : &patient;
				const broad *by = b < choice_count(&scree_broads) ? scree_broad_row(b) : scree_broad_find("sweep");
				ask(o, by, &m->now);
				CHECK(o->count == referee.count, "step %d of motion %d: %s found %lld pairs, not %lld", step, m->kind,
					  by->name, (long long)o->count, (long long)referee.count);
				CHECK(!o->count || !memcmp(o->id, referee.id, (size_t)o->count * sizeof *o->id),
					  "step %d of motion %d: %s missed or invented a pair", step, m->kind, by->name);
			}
		}
		for (int b = 0; b <= choice_count(&scree_broads); ++b) {
			said *o = b < choice_count(&scree_broads) ? said_by + b : &patient;
			unchanged += o->s.count.unchanged;
			fallbacks += o->s.count.fallbacks;
			removes += o->s.count.removes;
			scree_free(o->id);
			scree_broad_search_free(&o->s);
		}
		scree_free(referee.id);
		scree_broad_search_free(&referee.s);
		scree_free(m);
	}
	CHECK(pairs > 100 * test_cases(48) && unchanged && fallbacks > test_cases(48) && removes > test_cases(48),
		  "%lld pairs, %lld times unchanged, %lld sorts at once, %lld removed", (long long)pairs, (long long)unchanged,
		  (long long)fallbacks, (long long)removes);
}

/* ------------------------------------------------------------------ a packing at rest */

/* a static packing without a skin: no exchanges in ten thousand steps, and lists are not rebuilt */
static void a_packing_at_rest_costs_no_exchange(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.5));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 64; ++k) lab_add(w, 0, 0.01, v3(0.01 * (k % 4), 0.01 * (k / 4 % 4), 0.005 + 0.01 * (k / 16)));
	w->model.search = scree_broad_find("sweep");
	w->model.skin_given = true;
	lab_prepare(w, 1e-5);
	lab_steps(w, 10);
	broad_counts before = scree_work_search(&w->work)->count;
	const int32_t *slots = w->state.pair[PAIR_SPHERE_SPHERE].a, *on_wall = w->state.pair[PAIR_SPHERE_WALL].a;
	int64_t count = w->state.pair[PAIR_SPHERE_SPHERE].count;
	lab_steps(w, 10000);
	broad_counts now = scree_work_search(&w->work)->count;
	CHECK(now.searches - before.searches == 10000, "%lld searches", (long long)(now.searches - before.searches));
	CHECK(now.exchanges == before.exchanges, "%lld exchanges", (long long)(now.exchanges - before.exchanges));
	CHECK(now.unchanged - before.unchanged == 10000 && count >= 144, "%lld pairs", (long long)count);
	CHECK(w->state.pair[PAIR_SPHERE_SPHERE].a == slots && w->state.pair[PAIR_SPHERE_WALL].a == on_wall,
		  "slots were made anew");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_orders_of_two_intervals),
		cmocka_unit_test(every_change_of_order),
		cmocka_unit_test(the_four_rows_of_the_tables),
		cmocka_unit_test(ties),
		cmocka_unit_test(the_worked_example),
		cmocka_unit_test(a_tower_turns_over),
		cmocka_unit_test(what_is_no_number_is_caught),
		cmocka_unit_test(every_phase_follows_what_brute_finds),
		cmocka_unit_test(a_packing_at_rest_costs_no_exchange),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
