/* Failures that users of parallel codes have reported, with one test for each: bodies lost or duplicated during load
 * balancing, shapes and periods that a partition does not support, many ranks, parts without bodies, and bodies on a
 * border. The number in the comment on each test is the issue number of the report. For bodies far larger than the
 * others, see copies.c; for load balancing, ranks.c; for damaged messages, transport.c. */
#include "rank_steps.h"
#include "test.h"

#include <stdlib.h>

#include "bisect.h"

#define SPHERES "scenes/settling_spheres.scene.yaml"
#define SHAPES	"tests/module/ranks/shapes.scene.yaml"
#define FLAT	"tests/module/ranks/flat.scene.yaml"

/* A short test makes a fraction of the steps, but no fewer than `least`. */
static stepping *stepped(const char *file, const char *const *set, int sets, int64_t steps)
{
	stepping *s = calloc(1, sizeof *s);
	s->file = file, s->set = set, s->sets = sets, s->steps = steps;
	step_whole(s);
	CHECK(!*s->said, "%s: %s", file, s->said);
	return s;
}

/* LAMMPS 2463, 3942: load balancing loses atoms for some seeds. The hash after each step must equal the hash of the
 * undivided world; a lost or duplicated body would change it. */
static void balance_at_each_search_loses_no_body(void **state)
{
	(void)state;
	static const division cuts = {5, {0}, true, false};
	const int64_t steps = test_factor() > 1 ? MOST_STEPS : test_cases(500);
	for (uint64_t seed = 1; seed <= (test_factor() > 1 ? 8 : 1); ++seed) {
		char fill[40];
		snprintf(fill, sizeof fill, "fill.0.seed=%d", (int)seed);
		const char *set[] = {fill, "run.until=10 s"};
		stepping *s = stepped(SPHERES, set, 2, steps);
		for (int by_work = 0; by_work < 2; ++by_work) {
			s->by_work = by_work;
			s->way = seed;
			step_on(s, &cuts, 1);
			CHECK(s->moved > steps / 10 || steps < 500, "%lld bodies moved", (long long)s->moved);
			CHECK(!by_work || s->cuts > 10 || steps < 500, "%lld cuts", (long long)s->cuts);
		}
		free(s);
	}
}

/* ------------------------------------------------------------------ shapes, periods, partitions, faults */

static const struct {
	const char *file, *size, *shape;
} forms[] = {
	{SHAPES, "s=6.12 mm", "sphere: {diameter: 1}"},
	{SHAPES, "s=6.12 mm", "box: [1, 1, 1]"},
	{SHAPES, "s=6.12 mm", "regular: octahedron"},
	{SHAPES, "s=6.12 mm", "hull: [[-0.5, -0.5, -0.5], [0.5, -0.5, -0.4], [0, 0.5, -0.5], [0, 0, 0.6]]"},
	{SHAPES, "s=6.12 mm", "clump: {centers: [[-0.25, 0, 0], [0.25, 0, 0]], radii: [0.25]}"},
	{SHAPES, "s=6.12 mm", "ellipsoid: [1, 0.9, 1]"},
	{SHAPES, "s=6.12 mm", "superquadric: {axes: [1, 1, 0.9], n: [5, 2.5]}"},
	{SHAPES, "s=6.12 mm", "cylinder: {length: 1}"},
	{SHAPES, "s=6.12 mm", "capsule: {length: 1, diameter: 0.8}"},
	{SHAPES, "s=7.2 mm", "granulate: {seed: 3, as: compound}"},
	{SHAPES, "s=6.4 mm", "granulate: {seed: 3, order: hull-then-scale, as: surface, halo: 0.05}"},
	{FLAT, "s=6.12 mm", "disc: 1"},
	{FLAT, "s=6.12 mm", "ellipse: {length: 1.1, width: 0.9}"},
	{FLAT, "s=6.12 mm", "polygon: {points: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]}"},
	{SHAPES, "s=7.3 mm", "regular: icosahedron"},
};
static const char *const ends[] = {NULL, "world.periodic=[x]", "world.periodic=[x, y]"};

/* A partition used to divide a world. */
typedef struct rule {
	const partition_row *by;
	int32_t ranks, parts[3];
	bool periodic, flat; /* kinds of worlds that the partition can divide */
} rule;
static const rule rules[] = {
	{&scree_partition_grid, 4, {4, 1, 1}, true, true},	{&scree_partition_grid, 6, {2, 3, 1}, true, true},
	{&scree_partition_grid, 8, {2, 2, 2}, true, false}, {&scree_partition_rcb, 5, {0}, true, true},
	{&scree_partition_hexagons, 7, {0}, false, true},
};
enum { FORMS = sizeof forms / sizeof *forms, RULES = sizeof rules / sizeof *rules };

/* Number of runs that evolved exactly like the undivided world, and number of runs that ended with a message; no run
 * may end in any other way. */
typedef struct ends_of_ranks {
	int64_t right, told;
} ends_of_ranks;

static void step_with_faults(stepping *s, const rule *by, uint64_t seed, bool periodic, ends_of_ranks *count)
{
	const real often = seed % 3 ? 0 : (real)1e-4;
	const fault_script script = {seed, {often, (real)0.1, often, often}};
	const thread_ranks all = {by->ranks, 1 + (int32_t)(seed % 2), seed, step_rank, s};
	s->plan = (partition_plan){.ranks = by->ranks, .parts = {by->parts[0], by->parts[1], by->parts[2]}, .cut = bisect};
	s->by = by->by;
	s->wanders = !periodic || by->by->cut;
	s->script = &script;
	memset(s->rank_said, 0, sizeof s->rank_said);
	CHECK(scree_thread_ranks_run(&all, NULL), "%d ranks", by->ranks);
	for (int32_t k = 0; k < by->ranks; ++k) {
		const char *said = s->rank_said[k];
		count->right += !*said, count->told += *said != 0;
		CHECK(!*said || (often > 0 && strstr(said, "rank ")), "%s: rank %d of %d by %s: '%s'", s->set[0], k, by->ranks,
			  by->by->name, said);
		CHECK(!strstr(said, ": hash "), "%s: rank %d of %d by %s: '%s'", s->set[0], k, by->ranks, by->by->name, said);
	}
}

/* Returns the number of contacts across borders. */
static int64_t step_form(int form, int periods, int64_t *runs, ends_of_ranks *count)
{
	const bool flat = !strcmp(forms[form].file, FLAT);
	char shape[200];
	snprintf(shape, sizeof shape, "shapes={grain: {%s}}", forms[form].shape);
	const char *set[] = {shape, forms[form].size, ends[periods]};
	if (flat && periods > 1) return 0;
	stepping *s = stepped(forms[form].file, set, periods ? 3 : 2, test_cases(24) < 24 ? test_cases(24) : 24);
	for (int n = 0; n < RULES; ++n) {
		const bool due = test_factor() > 1 || (form + periods + n) % RULES < (test_short() ? 1 : 2);
		if (!due || (periods && !rules[n].periodic) || (flat && !rules[n].flat)) continue;
		step_with_faults(s, rules + n, (uint64_t)++ * runs, periods, count);
	}
	const int64_t across = s->across;
	free(s);
	return across;
}

/* LAMMPS 1385: with ellipsoids in periodic space, a partition hangs or fails. Messages are delayed and reordered, and
 * in a third of the runs damaged or lost. */
static void shapes_and_periods_on_each_partition_with_faults(void **state)
{
	(void)state;
	ends_of_ranks count = {0, 0};
	int64_t runs = 0;
	for (int k = 0; k < FORMS; ++k) {
		int64_t across = 0;
		for (int periods = 0; periods < 3; ++periods) across += step_form(k, periods, &runs, &count);
		CHECK(across > 0 || test_cases(24) < 24, "%s: no contacts across borders", forms[k].shape);
	}
	print_message("%lld runs: %lld ranks right, %lld with a sentence\n", (long long)runs, (long long)count.right,
				  (long long)count.told);
	CHECK(count.right > 2 * count.told, "too many faults");
	CHECK(count.told > 0 || test_cases(24) < 24, "no faults");
}

/* ------------------------------------------------------------------ numbers of ranks, empty parts, borders */

/* LAMMPS 3526: runs on many ranks crash. */
static void ranks_up_to_96(void **state)
{
	(void)state;
	static const division rows[] = {{64, {4, 4, 4}, true, false}, {91, {0}, true, true}, {96, {8, 6, 2}, true, false}};
	stepping *s = stepped(SPHERES, NULL, 0, test_cases(30) < 30 ? test_cases(30) : 30);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) step_on(s, rows + k, 1 + (int32_t)k % 2);
	free(s);
}

/* MPAS-Model 224: ranks without particles fail. Bodies fly up through thin parts that are empty at first, and moving
 * cuts leave parts empty. */
static void parts_may_be_empty(void **state)
{
	(void)state;
	static const char *const set[] = {"fill.0.velocity=[0, 0, 1 m/s]"};
	static const division rows[] = {{40, {1, 1, 40}, false, false}, {40, {8, 5, 1}, true, false}};
	const int64_t steps = test_cases(120) < 120 ? test_cases(120) : 120;
	stepping *s = stepped(SHAPES, set, 1, steps);
	int64_t empty = 0, emptied = 0, filled = 0;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		step_on(s, rows + k, 1);
		empty += s->empty, emptied += s->emptied, filled += s->filled;
	}
	print_message("%lld parts empty at the start, %lld emptied, %lld filled\n", (long long)empty, (long long)emptied,
				  (long long)filled);
	CHECK((empty && emptied && filled) || steps < 120, "no part is empty, becomes empty, or is filled");
	free(s);
}

/* AutoPas 891: a body exactly on a boundary ends the run. A row of the lattice starts on the cut y = 0, moves along it,
 * and stays on the cut as long as the forces from both sides are equal. */
static void bodies_exactly_on_cuts(void **state)
{
	(void)state;
	static const char *const set[] = {"fill.0.velocity=[0.1 m/s, 0, -0.2 m/s]"};
	static const division rows[] = {{2, {1, 2, 1}, false, false}, {8, {2, 4, 1}, false, false}};
	const int64_t steps = test_cases(60) < 60 ? test_cases(60) : 60;
	stepping *s = stepped(SHAPES, set, 1, steps);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		step_on(s, rows + k, 1);
		print_message("%lld bodies on cuts\n", (long long)s->on_cuts);
		CHECK(s->on_cuts >= 12 * steps / 2, "%lld bodies were on a cut", (long long)s->on_cuts);
	}
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(balance_at_each_search_loses_no_body),
		cmocka_unit_test(shapes_and_periods_on_each_partition_with_faults),
		cmocka_unit_test(ranks_up_to_96),
		cmocka_unit_test(parts_may_be_empty),
		cmocka_unit_test(bodies_exactly_on_cuts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
