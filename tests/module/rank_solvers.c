/* Solvers on ranks: worlds with elastic, implicit and hard contacts evolve exactly as in one process, like worlds with
 * forces (ranks.c). */
#include "rank_steps.h"
#include "test.h"

#include <stdlib.h>

#define CROWD		  "tests/module/ranks/crowd.scene.yaml"
#define GAS			  "scenes/shaken_gas.scene.yaml"
#define IMPLICIT	  "run={until: 0.2 s, response: implicit}"
#define LONG_STEP	  "run={until: 0.3 s, response: implicit, step: 0.3 ms, guard: {overlap: 50 %}}"
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

static const stepped_scene solved[] = {
	{GAS, {"run.until=1 s"}, 1500, false, false, {{1, {0}, false, false}, {5, {0}, true, false}}},
	{FLAT_GAS, {"contacts.default.restitution=0.5"}, 1200, false, false, {{7, {0}, false, true}}},
	{CROWD, {"run.step=60 us"}, 700, false, true, {{3, {3, 1, 1}, true, false}, {8, {2, 2, 2}, true, false}}},
	{CROWD, {"run.step=60 us"}, 1500, true, true, {{25, {5, 5, 1}, true, false}, {5, {5, 1, 1}, false, false}}},
	{"scenes/flat_implicit.scene.yaml", {0}, 500, false, false, {{1, {0}, false, false}, {2, {0}, true, false}}},
	{"scenes/implicit_drum.scene.yaml", {0}, 150, false, false, {{5, {0}, true, false}}},
	{"scenes/hard_blocks.scene.yaml", {0}, 200, false, false, {{3, {0}, true, false}}},
	{"scenes/hard_blocks.scene.yaml", {0}, 470, true, false, {{8, {2, 2, 2}, false, false}, {5, {0}, true, false}}},
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
	{GIANT, {IMPLICIT}, 600, true, true, {{7, {0}, false, true}, {25, {5, 5, 1}, false, false}}},
	{"scenes/periodic_bricks.scene.yaml", {IMPLICIT}, 100, false, false, {{4, {2, 2, 1}, true, false}}},
	{"scenes/periodic_clumps.scene.yaml", {IMPLICIT}, 100, false, false, {{4, {2, 2, 1}, true, false}}},
	{"scenes/hooks.scene.yaml", {LONG_STEP}, 450, false, false, {{8, {2, 2, 2}, true, false}}},
	{"scenes/flat_mix.scene.yaml", {IMPLICIT}, 500, false, false, {{7, {0}, false, true}}},
	{"scenes/periodic_shear.scene.yaml", {IMPLICIT}, 200, false, false, {{3, {3, 1, 1}, false, false}}},
	{"scenes/settling_spheres.scene.yaml", {IMPLICIT, WATER}, 200, false, false, {{3, {0}, true, false}}},
};

static void solvers_step_like_the_whole(void **state)
{
	(void)state;
	step_like_the_whole(sizeof solved / sizeof *solved, solved, NULL);
}

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

/* Each rank gives the same results as one process, or ends with an error message that names ranks. */
static void faults_end_in_a_sentence(void **state)
{
	(void)state;
	static const char *const set[] = {IMPLICIT};
	stepping *s = whole(GIANT, set, 1, 30);
	s->wanders = true;
	step_in_spite_of_faults(s, 6, (real)2e-5, 20);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(solvers_step_like_the_whole),
		cmocka_unit_test(sixty_four_ranks),
		cmocka_unit_test(faults_end_in_a_sentence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
