/* Stages, and changes by a program, are checked against the step and the response that apply after them: a wall that
 * begins to press has the same mass as if it had pressed from the start, and changes are never refused because of an
 * earlier step. */
#include "module/library_help.h"

#include <math.h>
#include <string.h>

/* A layer of nine balls at rest on a floor, below a lid that does not touch them, without gravity. lid, run:
 * additional keys of the lid's servo and of the run; stages: all stages, or empty */
static scree_sim *under_lid(const char *active, const char *lid, const char *run, const char *stages)
{
	char text[3000];
	snprintf(text, sizeof text,
			 LIBRARY_ROUND
			 "world: {gravity: [0, 0, 0]}\n"
			 "walls:\n"
			 "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}\n"
			 "  lid: {plane: {point: [0, 0, 40 mm], normal: [0, 0, -1]}, material: m, active: %s,\n"
			 "        motion: {servo: {force: 0.1 N, max_speed: 50 m/s%s}}}\n"
			 "fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0, 0, 0], max: [60 mm, 60 mm, 20 mm]}}, "
			 "material: m, shape: ball, size: 10 mm}]\n"
			 "run: {%s}\n%s",
			 active, lid, run, stages);
	return library_text(text);
}

static double speed_of_lid(scree_sim *s)
{
	scree_wall w;
	LIBRARY_DO(s, scree_sim_wall(s, scree_sim_find_wall(s, "lid"), &w));
	return -w.velocity[2];
}

/* mass of the lid in kg, from its acceleration over ten steps */
static double mass_of_lid(scree_sim *s)
{
	const double had = speed_of_lid(s), from = scree_sim_time(s);
	LIBRARY_DO(s, scree_sim_step(s, 10));
	return 0.1 * (scree_sim_time(s) - from) / (speed_of_lid(s) - had);
}

/* mass in kg of a lid that presses from the start */
static double mass_from_the_start(const char *run)
{
	char text[200];
	snprintf(text, sizeof text, "%s, until: 1 s", run);
	scree_sim *s = under_lid("true", "", text, "");
	const double mass = mass_of_lid(s);
	scree_sim_close(s);
	return mass;
}

/* the state after the first stage, when a lid begins to press. lid: additional keys of the lid's servo; then: keys of
 * the run from the second stage on */
static scree_sim *seated(const char *lid, const char *run, const char *then)
{
	char stages[400];
	snprintf(stages, sizeof stages,
			 "stages:\n- {name: none, until: 10 ms}\n"
			 "- {name: seat, walls: {lid: {active: true}}, run: {%s}, until: 1 s}\n",
			 then);
	scree_sim *s = under_lid("false", lid, run, stages);
	LIBRARY_DO(s, scree_sim_run_until(s, 0.01));
	return s;
}

/* mass in kg of a lid that begins to press in the second stage */
static double mass_from_a_stage(const char *run, const char *then)
{
	scree_sim *s = seated("", run, then);
	const double mass = mass_of_lid(s);
	assert_int_equal(scree_sim_stage(s), 1);
	scree_sim_close(s);
	return mass;
}

/* Long steps with forces need a heavier lid if contacts are damped; in implicit steps, the solver moves lids together
 * with their contacts, so no heavier lid is needed. */
#define LONG "response: forces, step: {time: 2 ms, unsafe: true}"
static void lids_have_the_mass_for_their_step(void **state)
{
	(void)state;
	static const char *const then[][3] = {
		{"response: implicit, step: 2 ms", "step: 10 us", "response: implicit, step: 10 us"},
		{"response: implicit, step: 10 us", "step: 2 ms", "response: implicit, step: 2 ms"},
		{"response: hard, step: 2 ms", "step: 10 us", "response: hard, step: 10 us"},
		{"response: hard, step: 10 us", "response: implicit, step: 2 ms", "response: implicit, step: 2 ms"},
		{"response: implicit, step: 2 ms", "response: forces, step: 20 us", "response: forces, step: 20 us"},
		{"response: forces, step: 20 us", "response: hard, step: 2 ms", "response: hard, step: 2 ms"},
		{LONG, "response: hard, step: 2 ms", "response: hard, step: 2 ms"},
	};
	const double light = mass_from_the_start(then[0][2]), heavy = mass_from_the_start(LONG);
	NEAR(mass_from_the_start(then[1][2]), light, 1e-6 * light, "a long implicit step");
	CHECK(heavy > 2 * light, "%g kg and %g kg: the step does not matter", light, heavy);
	for (size_t k = 0; k < sizeof then / sizeof *then; ++k) {
		const double wanted = mass_from_the_start(then[k][2]), is = mass_from_a_stage(then[k][0], then[k][1]);
		print_message("%s, then %s: %g kg, from the start %g kg\n", then[k][0], then[k][1], is, wanted);
		NEAR(is, wanted, 1e-6 * wanted, then[k][1]);
	}
}

/* A lid with a given mass may be too light for the previous step, or for forces between hard and implicit steps. */
static void light_lids_are_tested_with_the_new_step(void **state)
{
	(void)state;
	static const char *const then[][2] = {{"response: implicit, step: 2 ms", "step: 10 us"},
										  {"response: hard, step: 5 us", "response: implicit, step: 5 us"}};
	for (size_t k = 0; k < sizeof then / sizeof *then; ++k) {
		scree_sim *s = seated(", mass: 0.6 g", then[k][0], then[k][1]);
		NEAR(mass_of_lid(s), 6e-4, 1e-9, then[k][1]);
		scree_sim_close(s);
	}
}

/* Longer implicit steps, and stiffer contacts, need no more mass than the mass derived when the lid began to press,
 * since the solver moves the lid together with its contacts. */
static void derived_masses_stay_by_implicit_steps(void **state)
{
	(void)state;
	static const char *const then[] = {"run: {step: 2 ms}", "materials: {m: {young: 100 MPa}}, run: {step: 0.2 ms}",
									   "materials: {m: {young: 1 GPa}}"};
	static const char *const run[] = {"response: implicit, step: 0.1 ms", "response: hard, step: 0.1 ms"};
	for (int k = 0; k < 12; ++k) {
		const bool from_start = k / 6;
		const char *more = then[k % 6 / 2];
		char stages[500];
		snprintf(stages, sizeof stages,
				 "stages:\n- {name: none, until: 1 ms}\n- {name: press, walls: {lid: {active: true}}, until: 2 ms}\n"
				 "- {name: more, %s, until: 1 s}\n",
				 more);
		scree_sim *s = under_lid(from_start ? "true" : "false", "", run[k % 2], stages);
		LIBRARY_DO(s, scree_sim_run_until(s, 0.001));
		const double had = mass_of_lid(s);
		LIBRARY_DO(s, scree_sim_run_until(s, 0.003));
		const double is = mass_of_lid(s);
		print_message("%s, then %s: %g kg after %g kg\n", run[k % 2], more, is, had);
		CHECK(scree_sim_stage(s) == 2, "%s: no third stage", more);
		NEAR(is, had, 1e-6 * had, more);
		scree_sim_close(s);
	}
}

/* The strain rate of a cell may be raised if the same change shortens the step. */
static void cells_are_tested_with_the_new_step(void **state)
{
	(void)state;
	static const char *const then[] = {"step: 10 us", "response: implicit, step: 10 us"};
	for (int k = 0; k < 2; ++k) {
		char text[2000];
		snprintf(
			text, sizeof text,
			LIBRARY_ROUND
			"world: {gravity: [0, 0, 0], periodic: [x, y, z], domain: {min: [0, 0, 0], max: [60 mm, 60 mm, 60 mm]}, "
			"strain_rate: [0, 0, -20 1/s]}\n"
			"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0, 0, 0], max: [60 mm, 60 mm, 60 mm]}}, "
			"material: m, shape: ball, size: 5 mm}]\n"
			"run: {step: 40 us}\n"
			"stages:\n- {name: slow, until: 1 ms}\n"
			"- {name: fast, world: {strain_rate: [0, 0, -80 1/s]}, run: {%s}, until: 1 ms}\n",
			then[k]);
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_run_until(s, 0.002));
		scree_cell c;
		LIBRARY_DO(s, scree_sim_cell(s, &c));
		NEAR(c.strain[2], -0.02 - 0.08, 1e-3, "strain");
		scree_sim_close(s);
	}
}

/* A stage with longer steps begins during a call that ends at a given time. */
static void runs_end_at_their_time(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL "run: {step: 1 us, response: implicit}\n"
											 "stages:\n- {name: short, until: 1 ms}\n"
											 "- {name: long, run: {step: 100 us}, until: 1 s}\n");
	LIBRARY_DO(s, scree_sim_run_until(s, 0.001));
	LIBRARY_DO(s, scree_sim_run_until(s, 0.0051));
	NEAR(scree_sim_time(s), 0.0051, 1e-9, "time");
	scree_sim_close(s);
}

/* ------------------------------------------------------------------ faster bodies */

/* A ball that sinks in water: its motion makes drag stiffer. The drag then exceeds the limit tested before a run
 * starts, but not the limit of the guard during the run. */
#define WATER                                                                                                          \
	LIBRARY_ROUND                                                                                                      \
	"world: {fluid: {density: 1000 kg/m^3, viscosity: 1 mPa*s}}\n"                                                     \
	"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0, 0, 0], max: [20 mm, 20 mm, 20 mm]}}, "                 \
	"material: m, shape: ball, size: 5 mm}]\n"                                                                         \
	"run: {response: %s, step: 25 ms%s}\n"

static const char *const responses[] = {"implicit", "hard"};

static void fast_bodies_do_not_stop_a_stage(void **state)
{
	(void)state;
	static const char *const then[] = {"world: {gravity: [1 m/s^2, 0, -5 m/s^2]}",
									   "contacts: {default: {friction: 0.1}}"};
	for (int k = 0; k < 4; ++k) {
		char text[2000];
		snprintf(text, sizeof text, WATER "stages:\n- {name: sink, until: 1 s}\n- {name: then, %s, until: 1 s}\n",
				 responses[k % 2], "", then[k / 2]);
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_run_until(s, 2));
		assert_int_equal(scree_sim_stage(s), 1);
		scree_sim_close(s);
	}
}

static scree_body ball_of(double size, double x, double speed)
{
	return (scree_body){
		.material = "m", .shape = "ball", .size = size, .position = {x, 0, 0}, .velocity = {speed, 0, 0}};
}

static void slow_bodies_stop_their_own_change(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		char text[2000];
		snprintf(text, sizeof text, WATER, responses[k], ", until: 9 s");
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_step(s, 40));
		scree_body b = ball_of(5e-3, 0.1, 0);
		LIBRARY_DO(s, scree_sim_add(s, 1, &b, NULL));
		b = ball_of(4e-4, 0.2, 0);
		CHECK(scree_sim_add(s, 1, &b, NULL) == SCREE_BAD_INPUT, "a ball that is braked faster than all others");
		CHECK(strstr(scree_sim_error(s), "too large for the drag of the fluid"), "%s", scree_sim_error(s));
		LIBRARY_DO(s, scree_sim_set_gravity(s, (double[3]){0, 0, -5}));
		LIBRARY_DO(s, scree_sim_step(s, 10));
		scree_sim_close(s);
	}
}

static const char beyond[] = "; the run has already exceeded this limit by a factor of ";

/* The caller makes a body with a halo faster than the step permits: other changes are still accepted, but faster walls
 * are not. */
static void halos_tolerate_what_they_did(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		char text[2000];
		snprintf(text, sizeof text,
				 LIBRARY_STUFF
				 "shapes: {hook: {mesh: {file: scenes/hook.off, as: surface, halo: 0.03}}}\n"
				 "world: {gravity: [0, 0, 0]}\n"
				 "walls: {floor: {plane: {point: [0, 0, -1 m], normal: [0, 0, 1]}, material: m}}\n"
				 "fill: [{lattice: {spacing: 60 mm}, region: {box: {min: [0, 0, 0], max: [60 mm, 60 mm, 60 mm]}}, "
				 "material: m, shape: hook, size: 20 mm}]\n"
				 "run: {response: %s, step: 1 ms, until: 1 s}\n",
				 responses[k]);
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_step(s, 3));
		LIBRARY_DO(s, scree_sim_place(s, 1, NULL, NULL, (double[3]){1, 0, 0}, NULL));
		LIBRARY_DO(s, scree_sim_set_material(s, "m", "young", 2e6));
		LIBRARY_DO(s, scree_sim_move_wall(s, 0, (double[3]){0, 0, 0}, NULL));
		CHECK(scree_sim_move_wall(s, 0, (double[3]){0, 0, 0.5}, NULL) == SCREE_BAD_INPUT, "a fast wall");
		CHECK(strstr(scree_sim_error(s), "too large for halos"), "%s", scree_sim_error(s));
		CHECK(strstr(scree_sim_error(s), beyond), "%s", scree_sim_error(s));
		LIBRARY_DO(s, scree_sim_move_wall(s, 0, (double[3]){0, 0, 0}, NULL));
		scree_sim_close(s);
	}
}

/* A stage makes the material stiffer when a ball has become too fast for the current step: the stage is refused with a
 * message that names it, unless it also shortens the step. */
static void refused_stages_have_their_name(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL "run: {until: 1 s}\n");
	const double step = 0.95 * scree_sim_safe_step(s);
	scree_sim_close(s);
	for (int k = 0; k < 2; ++k) {
		char text[2000];
		snprintf(text, sizeof text,
				 LIBRARY_BALL "run: {step: %.9g s}\n"
							  "stages:\n- {name: rest, until: %.9g s}\n"
							  "- {name: stiff, materials: {m: {young: 1.05 MPa}}%s, until: 1 ms}\n",
				 step, 5 * step, k ? ", run: {step: 1 us}" : "");
		s = library_text(text);
		LIBRARY_DO(s, scree_sim_step(s, 3));
		LIBRARY_DO(s, scree_sim_place(s, 1, NULL, NULL, (double[3]){0, 0, 50}, NULL));
		LIBRARY_DO(s, scree_sim_step(s, 2));
		const scree_code code = scree_sim_step(s, 1);
		print_message("%s\n", scree_sim_error(s));
		CHECK(code == (k ? SCREE_DONE : SCREE_BAD_INPUT), "%s", scree_sim_error(s));
		if (!k) CHECK(strstr(scree_sim_error(s), "stage stiff cannot begin at "), "%s", scree_sim_error(s));
		if (!k) CHECK(strstr(scree_sim_error(s), beyond), "%s", scree_sim_error(s));
		scree_sim_close(s);
	}
}

/* Bodies that have spread out need a lid heavier than the derived mass; other changes to the run do not alter this
 * mass. */
static void lids_stay_as_they_are(void **state)
{
	(void)state;
	static const char *const then[] = {"world: {gravity: [1 m/s^2, 0, 0]}", "contacts: {default: {friction: 0.1}}"};
	for (int k = 0; k < 4; ++k) {
		char text[3000];
		snprintf(text, sizeof text,
				 LIBRARY_ROUND
				 "world: {gravity: [0, 0, 0]}\n"
				 "walls:\n"
				 "  lid: {plane: {point: [0, 0, 200 mm], normal: [0, 0, -1]}, material: m,\n"
				 "        motion: {servo: {force: 0.1 N, max_speed: 50 m/s}}}\n"
				 "fill:\n"
				 "- {lattice: {spacing: 11 mm}, region: {box: {min: [0, 0, 0], max: [22 mm, 22 mm, 33 mm]}}, "
				 "material: m, shape: ball, size: 10 mm, velocity: [1 m/s, 0, 0]}\n"
				 "- {lattice: {spacing: 11 mm}, region: {box: {min: [-22 mm, 0, 0], max: [0, 22 mm, 33 mm]}}, "
				 "material: m, shape: ball, size: 10 mm, velocity: [-1 m/s, 0, 0]}\n"
				 "run: {response: %s, step: 2 ms}\n"
				 "stages:\n- {name: spread, until: 60 ms}\n- {name: then, %s, until: 40 ms}\n",
				 responses[k % 2], then[k / 2]);
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_step(s, 15));
		const double had = mass_of_lid(s);
		LIBRARY_DO(s, scree_sim_run_until(s, 0.06));
		NEAR(mass_of_lid(s), had, 1e-6 * had, then[k / 2]);
		assert_int_equal(scree_sim_stage(s), 1);
		scree_sim_close(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lids_have_the_mass_for_their_step),
		cmocka_unit_test(light_lids_are_tested_with_the_new_step),
		cmocka_unit_test(derived_masses_stay_by_implicit_steps),
		cmocka_unit_test(cells_are_tested_with_the_new_step),
		cmocka_unit_test(runs_end_at_their_time),
		cmocka_unit_test(fast_bodies_do_not_stop_a_stage),
		cmocka_unit_test(slow_bodies_stop_their_own_change),
		cmocka_unit_test(halos_tolerate_what_they_did),
		cmocka_unit_test(refused_stages_have_their_name),
		cmocka_unit_test(lids_stay_as_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
