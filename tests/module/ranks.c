/* A world divided among ranks by a partition of space evolves exactly like the undivided world: at each step, the hash
 * is independent of the number of ranks. Bodies move to the rank that owns their position, each is owned exactly once,
 * and copies equal their originals. */
#include "rank_steps.h"
#include "test.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ scenes */

static const struct {
	const char *file;
	int steps;
	bool longer;	/* run only if SCREE_TEST_FACTOR is above 1 */
	division of[3]; /* 0 ranks: none */
} scenes[] = {
	{"scenes/settling_spheres.scene.yaml", 2400, false, {{1, {0}, false, false}, {3, {0}, true, false}}},
	{"scenes/settling_spheres.scene.yaml", 2400, true, {{8, {0}, true, false}, {7, {0}, false, true}}},
	{"scenes/settling_cubes.scene.yaml", 3000, false, {{3, {0}, true, false}}},
	{"scenes/settling_cubes.scene.yaml", 3000, true, {{8, {0}, false, false}}},
	{"scenes/mixed_drum.scene.yaml", 400, false, {{5, {0}, true, false}}},
	{"scenes/flat_shear.scene.yaml", 1600, false, {{2, {0}, false, false}}},
	{"scenes/flat_shear.scene.yaml", 1600, true, {{8, {0}, false, false}}},
	{"scenes/periodic_shear.scene.yaml", 1600, false, {{3, {3, 1, 1}, false, false}}},
	{"scenes/periodic_shear.scene.yaml", 1600, true, {{8, {2, 2, 2}, false, false}}},
	{"scenes/periodic_cell.scene.yaml", 1500, false, {{3, {3, 1, 1}, false, false}}},
	{"scenes/periodic_cell.scene.yaml", 1500, true, {{8, {2, 2, 2}, false, false}}},
	{"scenes/periodic_bricks.scene.yaml", 2300, false, {{4, {2, 2, 1}, true, false}}},
	{"scenes/periodic_bricks.scene.yaml", 2300, true, {{5, {0}, false, false}, {8, {2, 2, 2}, true, false}}},
	{"scenes/servo_lid.scene.yaml", 300, false, {{8, {0}, true, false}}},
	{"scenes/sticky_beads.scene.yaml", 3000, false, {{3, {0}, true, false}}},
	{"scenes/halos.scene.yaml", 200, false, {{5, {0}, true, false}}},
#if SCREE_PAPERS
	{"scenes/gear_beads.scene.yaml", 600, false, {{5, {0}, true, false}}},
#endif
	{"scenes/rain.scene.yaml", 5800, true, {{8, {0}, true, false}}}, /* parts that are empty at the start */
	{GIANT, 500, false, {{16, {4, 4, 1}, true, false}, {7, {0}, false, true}}},
	{GIANT, 2000, true, {{8, {2, 2, 2}, false, false}, {25, {5, 5, 1}, true, false}}},
	{STREAM, 800, false, {{6, {3, 2, 1}, false, false}, {4, {2, 1, 2}, true, false}}},
	{STREAM, 3000, true, {{6, {3, 2, 1}, false, false}, {8, {2, 2, 2}, true, false}}},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Number of contacts across borders and of bodies that change ranks, in all runs at full length. */
static void ranks_step_like_the_whole(void **state)
{
	(void)state;
	for (int n = 0; n < SCENES; ++n) {
		if ((scenes[n].longer && test_factor() < 2) || !test_drawn(n)) continue;
		stepping *s = whole(scenes[n].file, NULL, 0, scenes[n].steps);
		int64_t across = 0, moved = 0;
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		for (const division *d = scenes[n].of; d < scenes[n].of + 3 && d->ranks; ++d) {
			step_on(s, d, 1 + (int32_t)(d - scenes[n].of));
			across += s->across, moved += s->moved;
		}
		print_message("%s: %lld contacts across borders, %lld moves\n", s->file, (long long)across, (long long)moved);
		CHECK(moved > 0 || s->steps < scenes[n].steps, "%s: no body has moved", s->file);
		free(s);
	}
}

/* Dividing parts by work, whether once, when the load is uneven, or at each search, does not change results. */
static void balance_changes_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *file;
		int steps;
		division of[4];
	} rows[] = {
		{"scenes/settling_spheres.scene.yaml",
		 1200,
		 {{1, {0}, false, false}, {2, {0}, true, false}, {3, {0}, false, false}, {5, {0}, true, false}}},
		{"scenes/settling_cubes.scene.yaml", 2600, {{5, {0}, true, false}}},
		{"scenes/periodic_bricks.scene.yaml", 1200, {{5, {0}, true, false}}},
		{GIANT, 300, {{8, {0}, true, false}}},
		{STREAM, 800, {{5, {0}, true, false}}},
		{"scenes/settling_spheres.scene.yaml", 60, {{64, {0}, true, false}}},
	};
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		if (!test_drawn((int64_t)n + 2)) continue;
		stepping *s = whole(rows[n].file, NULL, 0, rows[n].steps);
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		s->by_work = true;
		for (const division *d = rows[n].of; d < rows[n].of + 4 && d->ranks; ++d) {
			step_on(s, d, 1);
			CHECK(s->cuts >= d->ranks, "%s, %d ranks: not cut", s->file, d->ranks);
			print_message("%s, %d ranks: %lld cuts, %lld moves, %lld contacts across borders\n", s->file, d->ranks,
						  (long long)s->cuts / d->ranks, (long long)s->moved, (long long)s->across);
		}
		free(s);
	}
}

/* Bodies distributed by the first rank move exactly as in the undivided world. */
static void bodies_are_handed_out(void **state)
{
	(void)state;
	static const char *const files[] = {"scenes/settling_spheres.scene.yaml", "scenes/mixed_drum.scene.yaml",
										"scenes/periodic_shear.scene.yaml", GIANT, STREAM};
	static const division of[] = {{1, {0}, false, false}, {3, {3, 1, 1}, false, false}, {8, {2, 2, 2}, true, false}};
	for (size_t n = 0; n < sizeof files / sizeof *files; ++n) {
		if (!test_drawn((int64_t)n + 1)) continue;
		stepping *s = whole(files[n], NULL, 0, 60);
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		s->handed = true;
		for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
			s->by_work = false;
			step_on(s, of + k, 1 + (int32_t)(k % 2));
			CHECK(s->moved > 0 || of[k].ranks == 1, "%s: no body was handed out", s->file);
			s->by_work = true;
			step_on(s, of + k, 1);
		}
		free(s);
	}
}

/* Faults while bodies are distributed also end with an error message on all ranks. */
static void faults_while_handing_out(void **state)
{
	(void)state;
	stepping *s = whole("scenes/settling_spheres.scene.yaml", NULL, 0, 5);
	s->handed = true;
	step_in_spite_of_faults(s, 6, (real)1e-3, 60);
	free(s);
}

/* A rank waits for messages only from its neighbours, and has no table of all ranks. */
static void bodies_go_to_neighbours(void **state)
{
	(void)state;
	static const division row = {64, {64, 1, 1}, false, false};
	stepping *s = whole("tests/module/ranks/row.scene.yaml", NULL, 0, 150);
	CHECK(!*s->said, "%s", s->said);
	step_on(s, &row, 1);
	CHECK((s->moved >= 64 || s->steps < 150) && s->awaited == 2, "%lld bodies have moved, %d ranks are awaited",
		  (long long)s->moved, s->awaited);
	free(s);
}

/* ------------------------------------------------------------------ guards and faults */

/* All ranks stop in the same step as the undivided world, with the same error message. */
static void guards_stop_all_ranks(void **state)
{
	(void)state;
	static const char spheres[] = "scenes/settling_spheres.scene.yaml", cubes[] = "scenes/settling_cubes.scene.yaml";
	static const char outside[] = "world.domain={min: [-1 m, -1 m, 5 mm], max: [1 m, 1 m, 1 m]}";
	static const struct {
		const char *file, *set, *words;
	} rows[] = {{spheres, "run.guard.speed=0.3 m/s", "body "}, /* two bodies have the same speed */
				{spheres, "run.guard.overlap=0.01 %", "overlap of "},
				{cubes, "run.guard.energy=0.01 %", "energy is not conserved"},
				{spheres, outside, "body "}};
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		stepping *s = calloc(1, sizeof *s);
		*s = (stepping){.file = rows[n].file, .set = &rows[n].set, .sets = 1, .steps = MOST_STEPS};
		step_whole(s);
		CHECK(!strncmp(s->said, rows[n].words, strlen(rows[n].words)), "%s: '%s'", rows[n].set, s->said);
		s->plan = (partition_plan){.ranks = 4};
		s->by = &scree_partition_grid;
		s->wanders = true;
		const thread_ranks all = {4, 1, 1, step_rank, s};
		CHECK(scree_thread_ranks_run(&all, NULL), "4 ranks");
		char expected[SAID];
		snprintf(expected, sizeof expected, "step %lld: %.1100s", (long long)s->ended, s->said);
		for (int k = 0; k < 4; ++k)
			CHECK(!strcmp(s->rank_said[k], expected), "%s: rank %d: '%s', not '%s'", rows[n].set, k, s->rank_said[k],
				  expected);
		free(s);
	}
}

static void breaking_row(const breaking *row, const char *sentence)
{
	stepping *s = calloc(1, sizeof *s);
	*s = (stepping){.file = "scenes/settling_spheres.scene.yaml", .steps = 10};
	step_whole(s);
	s->breaking = row;
	s->plan = (partition_plan){.ranks = 5};
	s->by = &scree_partition_grid;
	for (uint64_t seed = 1; seed <= 8; ++seed) {
		const thread_ranks all = {5, 1 + (int32_t)(seed % 2), seed, step_rank, s};
		char expected[SAID];
		snprintf(expected, sizeof expected, "step %d: rank 3 has failed: %s", (int)row->step, sentence);
		CHECK(scree_thread_ranks_run(&all, NULL), "5 ranks");
		for (int k = 0; k < 5; ++k) {
			CHECK(!strncmp(s->rank_said[k], expected, strlen(expected)), "rank %d: '%s', not '%s'", k, s->rank_said[k],
				  expected);
			CHECK(s->rank_code[k] == row->code, "rank %d: code %d", k, (int)s->rank_code[k]);
		}
	}
	free(s);
}

/* All ranks end with the same error message and code. */
static void one_rank_breaks_off(void **state)
{
	(void)state;
	const breaking fault = {FAIL_INTERNAL, 4}, disk = {FAIL_IO, 0};
	breaking_row(&fault, "internal error at a file:7: 3 + 1 == 3");
	breaking_row(&disk, "the disk is made of cheese");
}

/* Failures on some ranks: 0 or a failure code. */
static fail_code random_code(uint64_t seed, int32_t rank)
{
	static const fail_code codes[] = {FAIL_NONE, FAIL_INPUT, FAIL_GUARD, FAIL_IO, FAIL_INTERNAL};
	random_stream r = scree_random_start(seed, (uint64_t)rank);
	return codes[scree_random_bits(&r) % 5 * (scree_random_bits(&r) % 3 == 0)];
}

static void agree_on(channel *c, void *what)
{
	rank_part part = {.c = c};
	const domain d = {.by = &scree_domain_ranks, .at = &part};
	const uint64_t seed = *(const uint64_t *)what;
	const fail_code here = random_code(seed, c->rank);
	fail_code least = FAIL_NONE;
	fail why = {.code = here, .error = here ? 28 : 0};
	char expected[40] = "";
	/* ranks in the second half have no error message, like parts that do not contain the cause */
	if (here && c->rank < c->ranks / 2) snprintf(why.text, sizeof why.text, "rank %d says %d", c->rank, here);
	for (int32_t k = c->ranks / 2; k-- > 0;) {
		const fail_code there = random_code(seed, k);
		if (!there || (least && there > least)) continue;
		least = there;
		snprintf(expected, sizeof expected, "rank %d says %d", k, there);
	}
	if (c->rank >= c->ranks / 2 && here) why.code = least ? least : FAIL_NONE;
	const bool good = scree_domain_agree(&d, !why.code, &why);
	CHECK(good == !least && (good || (why.code == least && why.error == 28 && !strcmp(why.text, expected))),
		  "rank %d: %d '%s', not %d '%s'", c->rank, why.code, why.text, least, expected);
}

static void ranks_agree_on_a_failure(void **state)
{
	(void)state;
	FOR_SEEDS(40)
	{
		const thread_ranks all = {2 + (int32_t)(test_seed % 17), 1, test_seed, agree_on, &test_seed};
		CHECK(scree_thread_ranks_run(&all, NULL), "ranks");
	}
}

/* Each rank gives the same results as the undivided world, or ends with an error message that names ranks. */
static void faults_end_in_a_sentence(void **state)
{
	(void)state;
	stepping *s = whole("scenes/settling_spheres.scene.yaml", NULL, 0, 60);
	s->wanders = true;
	step_in_spite_of_faults(s, 8, (real)1e-4, 60);
	free(s);
}

/* ------------------------------------------------------------------ bytes per copy and step */

typedef struct copy_bytes {
	const char *file, *set[2];
	int64_t each; /* bytes per copy and step */
} copy_bytes;

/* Bytes in the messages of one exchange with rows of this size: one header per message, and a segment padded to 16
 * bytes. */
static int64_t bytes_of_updates(const rank_part *part, int64_t each)
{
	int64_t bytes = 0;
	for (int32_t k = 0; k < part->neighbours; ++k) {
		const int64_t size = part->border[k].rows * each;
		bytes += (int64_t)sizeof(message_head);
		bytes += size ? (int64_t)sizeof(segment_head) + (size + 15) / 16 * 16 : 0;
	}
	return bytes;
}

enum { AT_ONCE = 10 }; /* so many steps that most of them are not followed by an exchange for the caller */

/* Makes steps until AT_ONCE of them have passed without a search, so copies receive only updates. */
static bool updates_have_these_bytes(stepping *s, scree_world *w, char *said)
{
	const rank_part *part = w->work.domain.at;
	const channel *c = part->c;
	const copy_bytes *of = s->for_end;
	int64_t born, bytes, messages, rows = 0;
	int tries = 0;
	do {
		born = c->messages[PHASE_COPIES], bytes = c->bytes[PHASE_UPDATE], messages = c->messages[PHASE_UPDATE];
		if (!scree_steps(w, AT_ONCE)) {
			snprintf(said, SAID, "%.1100s", w->work.why.text);
			return false;
		}
	} while (c->messages[PHASE_COPIES] > born && ++tries < 100);
	bytes = c->bytes[PHASE_UPDATE] - bytes;
	const int64_t exchanges = (c->messages[PHASE_UPDATE] - messages) / (part->neighbours + !part->neighbours);
	const int64_t expected = exchanges * bytes_of_updates(part, of->each);
	for (int32_t k = 0; k < part->neighbours; ++k) rows += part->border[k].rows;
	if (rows && (exchanges == AT_ONCE || exchanges == AT_ONCE + 1) && bytes == expected) return true;
	snprintf(said, SAID, "%lld bytes in %lld exchanges of %lld copies with %d neighbours, not %lld", (long long)bytes,
			 (long long)exchanges, (long long)rows, part->neighbours, (long long)expected);
	return false;
}

/* Checks the numbers given in docs/ranks.md. */
static void copies_take_these_bytes(void **state)
{
	(void)state;
	static const copy_bytes rows[] = {
		{"scenes/settling_spheres.scene.yaml", {NULL}, 104},
		{"scenes/hot_balls.scene.yaml", {NULL}, 112},
		{"scenes/periodic_shear.scene.yaml", {NULL}, 124},
		{"scenes/settling_spheres.scene.yaml", {"run.response=implicit"}, 160},
		{"scenes/settling_cubes.scene.yaml", {"run.response=hard"}, 160},
		{"scenes/rods.scene.yaml", {"run.response=implicit"}, 172},
		{"scenes/settling_spheres.scene.yaml",
		 {"run={until: 1 s, response: elastic, step: 20 us}", "contacts.default={restitution: 0.5}"},
		 112},
		{"tests/module/ranks/crowd.scene.yaml", {NULL}, 124},
	};
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		if (!test_drawn((int64_t)n)) continue;
		stepping *s = whole(rows[n].file, rows[n].set, (rows[n].set[0] != NULL) + (rows[n].set[1] != NULL), 60);
		static const division three = {3, {3, 1, 1}, false, false};
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		s->at_end = updates_have_these_bytes;
		s->for_end = (void *)(uintptr_t)(rows + n);
		step_on(s, &three, 1);
		free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_take_these_bytes), cmocka_unit_test(ranks_step_like_the_whole),
		cmocka_unit_test(guards_stop_all_ranks),   cmocka_unit_test(ranks_agree_on_a_failure),
		cmocka_unit_test(one_rank_breaks_off),	   cmocka_unit_test(balance_changes_nothing),
		cmocka_unit_test(bodies_go_to_neighbours), cmocka_unit_test(faults_end_in_a_sentence),
		cmocka_unit_test(bodies_are_handed_out),   cmocka_unit_test(faults_while_handing_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
