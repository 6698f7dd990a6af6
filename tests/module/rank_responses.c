/* A world whose response or materials change between two steps is bitwise identical on ranks and in one process, with
 * the step chosen by each response. */
#include "rank_steps.h"
#include "test.h"

#include <stdlib.h>

/* Bodies of several shapes, in periodic space and in the plane; the response changes during the run. */
static void responses_change_on_ranks(void **state)
{
	(void)state;
	static const char *const file[] = {"tests/module/ranks/bits.scene.yaml", "scenes/periodic_bricks.scene.yaml",
									   "scenes/flat_implicit.scene.yaml"};
	static const division of[] = {{1, {0}, false, false}, {2, {0}, true, false}, {4, {2, 2, 1}, false, false}};
	static const char *const set[] = {"run={until: 1 s, response: implicit, guard: {overlap: 0, speed: 100 m/s}}"};
	static const change_at change[] = {{40, "forces", 1}, {100, "hard", 1}, {130, "implicit", 1}, {160, "forces", 1}};
	for (int k = 0; k < 3; ++k) {
		stepping *s = calloc(1, sizeof *s);
		s->file = file[k], s->set = set, s->sets = 1;
		s->steps = test_cases(200) < 200 ? test_cases(200) : 200;
		s->change = change, s->changes = 4;
		step_whole(s);
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		for (int d = 0; d < 3; ++d) {
			step_on(s, of + d, 1 + d % 2);
			CHECK(s->across > 0 || k > 0 || of[d].ranks == 1 || s->steps < 200, "%s: no contacts across borders",
				  s->file);
		}
		free(s);
	}
}

/* In implicit steps, the search at predicted positions moves rows of contacts, including in the first step after a
 * change. */
static void materials_change_on_ranks(void **state)
{
	(void)state;
	static const char *const file[] = {"tests/module/ranks/bits.scene.yaml", "scenes/periodic_bricks.scene.yaml",
									   "scenes/flat_implicit.scene.yaml"};
	static const division of[] = {{1, {0}, false, false}, {2, {0}, true, false}, {4, {2, 2, 1}, false, false}};
	static const char *const set[][1] = {{"run={until: 1 s, response: implicit, guard: {overlap: 0, speed: 100 m/s}}"},
										 {"run={until: 1 s, response: hard, guard: {overlap: 0, speed: 100 m/s}}"}};
	static const change_at change[] = {{40, NULL, 0.5}, {80, NULL, 1.5}, {120, NULL, 0.8}, {160, NULL, 1}};
	for (int k = 0; k < 6; ++k) {
		stepping *s = calloc(1, sizeof *s);
		s->file = file[k / 2], s->set = set[k % 2], s->sets = 1;
		s->steps = test_cases(200) < 200 ? test_cases(200) : 200;
		s->change = change, s->changes = 4;
		step_whole(s);
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		for (int d = 0; d < 3; ++d) step_on(s, of + d, 1 + d % 2);
		free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(responses_change_on_ranks),
		cmocka_unit_test(materials_change_on_ranks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
