/* Solvers on ranks: worlds with elastic, implicit and hard contacts step like the whole, as those with forces do
 * (ranks.c). */
#include "rank_steps.h"
#include "test.h"

#include <stdlib.h>

#define CROWD		  "tests/module/ranks/crowd.scene.yaml"
#define GAS			  "scenes/shaken_gas.scene.yaml"
#define IMPLICIT	  "run={until: 0.2 s, response: implicit}"
#define HARD		  "run={until: 0.2 s, response: hard}"
#define ROLLS_ON_IRON "contacts={default: {restitution: 0.3, friction: 0.4}, glass + iron: {rolling_friction: 0.02}}"
#define STICKY                                                                                                         \
	"contacts.default={law: linear, stiffness: 20 kN/m, restitution: 0.3, friction: 0.5, cohesion: {simple: 200 "      \
	"kJ/m^3}}"
#define HEAVY_LID  "walls.lid.motion.servo.mass=0.3 kg"
#define HEAVY_SIDE "walls.side.motion.servo.mass=0.3 kg"
#define WATER	   "world.fluid={density: 1000 kg/m^3, viscosity: 1e-3 Pa*s}"
#define CUBES	   "scenes/settling_cubes.scene.yaml"
#define FLAT_GAS   "scenes/flat_gas.scene.yaml"

static const struct {
	const char *file, *set[4]; /* changes of the scene */
	int steps;
	bool longer, crowds; /* crowds: contacts with copies come into the last block */
	division of[3];
} solved[] = {
	{GAS, {"run.until=1 s"}, 1500, false, false, {{1, {0}, false, false}, {5, {0}, true, false}}},
	{FLAT_GAS, {"contacts.default.restitution=0.5"}, 1200, false, false, {{7, {0}, false, true}}},
	{CROWD, {"run.step=60 us"}, 700, false, true, {{3, {3, 1, 1}, true, false}, {8, {2, 2, 2}, true, false}}},
	{CROWD, {"run.step=60 us"}, 1500, true, true, {{25, {5, 5, 1}, true, false}, {5, {5, 1, 1}, false, false}}},
	{"scenes/flat_implicit.scene.yaml", {0}, 300, false, false, {{1, {0}, false, false}, {2, {0}, true, false}}},
	{"scenes/implicit_drum.scene.yaml", {0}, 150, false, false, {{5, {0}, true, false}}},
	{"scenes/hard_blocks.scene.yaml", {0}, 200, false, false, {{3, {0}, true, false}}},
	{"scenes/hard_blocks.scene.yaml", {0}, 470, true, false, {{8, {2, 2, 2}, false, false}, {7, {0}, false, true}}},
	{CROWD, {IMPLICIT, ROLLS_ON_IRON}, 200, false, true, {{3, {3, 1, 1}, true, false}, {8, {2, 2, 2}, true, false}}},
	{CROWD, {HARD, ROLLS_ON_IRON}, 600, true, true, {{5, {5, 1, 1}, false, false}, {25, {5, 5, 1}, true, false}}},
	{"scenes/sticky_beads.scene.yaml", {IMPLICIT}, 300, false, false, {{3, {0}, true, false}}},
	{CUBES, {IMPLICIT, STICKY}, 300, false, false, {{3, {0}, true, false}}},
	{"scenes/servo_lid.scene.yaml",
	 {"run.response=implicit", HEAVY_LID, HEAVY_SIDE},
	 100,
	 false,
	 false,
	 {{5, {0}, true, false}}},
	{STREAM, {IMPLICIT}, 150, false, false, {{6, {3, 2, 1}, true, false}}},
	{STREAM, {HARD}, 400, true, false, {{6, {3, 2, 1}, true, false}, {8, {2, 2, 2}, false, false}}},
	{GIANT, {IMPLICIT}, 200, false, true, {{6, {3, 2, 1}, true, false}}},
	{"scenes/periodic_bricks.scene.yaml", {IMPLICIT}, 100, false, false, {{4, {2, 2, 1}, true, false}}},
	{"scenes/periodic_shear.scene.yaml", {IMPLICIT}, 200, false, false, {{3, {3, 1, 1}, false, false}}},
	{"scenes/settling_spheres.scene.yaml", {IMPLICIT, WATER}, 200, false, false, {{3, {0}, true, false}}},
};
enum { SOLVED = sizeof solved / sizeof *solved };

static int count_sets(const char *const *set)
{
	int sets = 0;
	while (sets < 4 && set[sets]) ++sets;
	return sets;
}

static void solvers_step_like_the_whole(void **state)
{
	(void)state;
	for (int n = 0; n < SOLVED; ++n) {
		if (solved[n].longer && test_factor() < 2) continue;
		stepping *s = whole(solved[n].file, solved[n].set, count_sets(solved[n].set), solved[n].steps);
		int64_t across = 0, moved = 0, last = 0;
		CHECK(!*s->said, "%s: %s", s->file, s->said);
		for (const division *d = solved[n].of; d < solved[n].of + 3 && d->ranks; ++d) {
			step_on(s, d, 1 + (int32_t)(d - solved[n].of));
			across += s->across, moved += s->moved, last += s->last;
		}
		print_message("%s: %lld contacts across borders, %lld in the last block, %lld moves\n", s->file,
					  (long long)across, (long long)last, (long long)moved);
		CHECK((moved > 0 && across > 0 && (last > 0) == solved[n].crowds) || s->steps < solved[n].steps, "%s: too few",
			  s->file);
		free(s);
	}
}

#if SCREE_PAPERS
static void some_solvers_are_refused(void **state)
{
	(void)state;
	stepping s = {.file = GAS, .steps = 1, .by = &scree_partition_grid, .plan = {.ranks = 2}};
	static const char *const set[] = {"run={until: 0.1 s, response: ffd/pe}"};
	s.set = set, s.sets = 1;
	const thread_ranks all = {2, 1, 1, step_rank, &s};
	step_whole(&s);
	CHECK(!*s.said, "%s", s.said);
	CHECK(scree_thread_ranks_run(&all, NULL), "2 ranks");
	for (int k = 0; k < 2; ++k)
		CHECK(!strcmp(s.rank_said[k], "the response ffd/pe does not support a world in several parts"), "rank %d: '%s'",
			  k, s.rank_said[k]);
}
#endif

static void sixty_four_ranks(void **state)
{
	(void)state;
	const division fine = {64, {4, 4, 4}, true, false};
	static const char *const set[] = {IMPLICIT};
	stepping *s = whole(CROWD, set, 1, 8);
	CHECK(!*s->said, "%s", s->said);
	step_on(s, &fine, 2);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solvers_step_like_the_whole),
#if SCREE_PAPERS
		cmocka_unit_test(some_solvers_are_refused),
#endif
		cmocka_unit_test(sixty_four_ranks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
