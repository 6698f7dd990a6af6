/* Stages that change run.response: a packing at rest stays at rest, with the same loads, and the springs of its
 * contacts are kept. A run restored before, at or after a change, with a different number of threads, gives bitwise
 * identical results. Changing the search for neighbours does not affect results. */
#include "module/library_help.h"

#include "scree/outputs.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static double *column(scree_sim *s, const char *name)
{
	scree_array a;
	LIBRARY_DO(s, scree_sim_array(s, name, &a));
	return a.data;
}

static scree_ledger ledger_of(scree_sim *s)
{
	scree_ledger e;
	LIBRARY_DO(s, scree_sim_ledger(s, &e));
	return e;
}

/* force along z on all walls, in N */
static double load_on_walls(scree_sim *s)
{
	double sum = 0;
	for (int k = 0; k < scree_sim_walls(s); ++k) {
		scree_wall w;
		LIBRARY_DO(s, scree_sim_wall(s, k, &w));
		sum -= w.force[2];
	}
	return sum;
}

/* positions of all bodies as three columns, indexed by id - 1 */
static double *places(scree_sim *s)
{
	const int64_t n = scree_sim_bodies(s);
	double *of = calloc((size_t)(3 * n), sizeof *of);
	scree_array id;
	LIBRARY_DO(s, scree_sim_array(s, "id", &id));
	const uint64_t *name = id.data;
	const double *x = column(s, "x"), *y = column(s, "y"), *z = column(s, "z");
	for (int64_t k = 0; k < n; ++k) {
		double *to = of + 3 * (name[k] - 1);
		to[0] = x[k], to[1] = y[k], to[2] = z[k];
	}
	return of;
}

/* largest displacement of a body from these positions, in m; frees the positions */
static double farthest(scree_sim *s, double *since)
{
	double *now = places(s), most = 0;
	for (int64_t k = 0; k < scree_sim_bodies(s); ++k) {
		const double *a = now + 3 * k, *b = since + 3 * k;
		most = fmax(
			most, sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2])));
	}
	free(now);
	free(since);
	return most;
}

static double speed(scree_sim *s)
{
	scree_progress_row row;
	LIBRARY_DO(s, scree_sim_progress(s, &row));
	return row.speed;
}

/* ------------------------------------------------------------------ packings at rest */

#define GRAINS                                                                                                         \
	"scene: 1\n"                                                                                                       \
	"materials: {m: {density: 2500 kg/m^3, young: 2 MPa, poisson: 0.25}}\n"                                            \
	"contacts: {default: {restitution: 0.3, friction: 0.5, rolling_friction: 0.3, twisting_friction: 0.1}}\n"          \
	"shapes: {ball: {sphere: 1}, cube: {box: [0.8, 0.8, 0.8]}}\n"

static double top(scree_sim *s)
{
	const double *z = column(s, "z");
	double high = 0;
	for (int64_t k = 0; k < scree_sim_bodies(s); ++k) high = fmax(high, z[k]);
	return high;
}

/* Steps through the stages that follow the first one, in which the packing comes to rest. */
static void rests(const char *scene, const char *const *response, int changes, double diameter, double weight,
				  double moves, double kinetic)
{
	char text[4000];
	int used = snprintf(text, sizeof text, "%srun: {response: %s}\nstages:\n- {name: fill, until: 1.2 s}\n", scene,
						response[0]);
	for (int k = 1; k <= changes; ++k)
		used += snprintf(text + used, sizeof text - (size_t)used,
						 "- {name: stage%d, run: {response: %s}, until: 60 ms}\n", k, response[k]);
	scree_sim *s = library_text(text);
	LIBRARY_DO(s, scree_sim_run_until(s, 1.2));
	CHECK(speed(s) < 1e-3, "it is not at rest: %g m/s", speed(s));
	CHECK(top(s) > 1.2 * diameter, "no body lies on another one");
	for (int k = 1; k <= changes; ++k) {
		/* overlaps differ with hard contacts, so bodies move slightly */
		const double more = strcmp(response[k - 1], "hard") && strcmp(response[k], "hard") ? 1 : 50;
		double *since = places(s), most = 0;
		const scree_ledger had = ledger_of(s);
		for (int part = 0; part < 59; ++part) {
			LIBRARY_DO(s, scree_sim_run_until(s, 1.2 + 0.06 * (k - 1) + 0.001 * (part + 1)));
			most = fmax(most, ledger_of(s).kinetic);
		}
		assert_int_equal(scree_sim_stage(s), k);
		const scree_ledger now = ledger_of(s);
		const double went = farthest(s, since), of = weight * diameter;
		print_message("%s to %s: bodies moved by %.2g diameters, kinetic energy up to %.2g weights by a diameter, "
					  "brought %.2g, load %.6f of the weight\n",
					  response[k - 1], response[k], went / diameter, most / of, (now.brought - had.brought) / of,
					  load_on_walls(s) / weight);
		CHECK(went < more * moves * diameter, "%s: bodies moved by %g diameters", response[k], went / diameter);
		CHECK(most < more * more * kinetic * of, "%s: kinetic energy %g of a fall by a diameter", response[k],
			  most / of);
		NEAR(load_on_walls(s), weight, (more > 1 ? 0.05 : 0.001) * weight, response[k]);
		NEAR(now.residual, had.residual, (more > 1 ? 1e-2 : 1e-4) * of, "residual");
	}
	scree_sim_close(s);
}

#define BOX "walls: {box: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 1 m], open: [z_max]}, material: m}}\n"

static void a_pile_in_a_box_stays(void **state)
{
	(void)state;
	static const char *const response[] = {"implicit", "forces", "implicit", "forces"};
	const double d = 0.008, weight = 60 * 2500 * 3.14159265358979 / 6 * d * d * d * 9.81;
	rests(GRAINS BOX "fill: [{region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 80 mm]}}, count: 60, material: m, "
					 "shape: ball, size: 8 mm}]\n",
		  response, 3, d, weight, 1e-5, 1e-9);
}

static void a_pile_of_cubes_stays(void **state)
{
	(void)state;
	static const char *const response[] = {"implicit", "forces", "implicit"};
	const double d = 0.008, edge = 0.8 * d, weight = 40 * 2500 * edge * edge * edge * 9.81;
	rests(GRAINS BOX "fill: [{region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 80 mm]}}, count: 40, material: m, "
					 "shape: cube, size: 8 mm, orientation: random}]\n",
		  response, 2, d, weight, 0.005, 1e-5);
}

#define HEAP                                                                                                           \
	"walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}\n"                                    \
	"fill: [{region: {cylinder: {radius: 20 mm, axis: z, center: [0, 0, 35 mm], length: 70 mm}}, count: 80, seed: 3, " \
	"material: m, shape: ball, size: 8 mm}]\n"

/* without side walls, so that it would flow if friction were lost */
static void a_heap_stays(void **state)
{
	(void)state;
	static const char *const response[] = {"implicit", "forces", "implicit", "forces"};
	const double d = 0.008, weight = 80 * 2500 * 3.14159265358979 / 6 * d * d * d * 9.81;
	rests(GRAINS HEAP, response, 3, d, weight, 1e-5, 1e-9);
}

/* Overlaps differ with hard contacts, so bodies move slightly, but the heap does not flow. */
static void a_heap_stays_with_hard_contacts(void **state)
{
	(void)state;
	static const char *const response[] = {"implicit", "hard", "forces", "hard", "implicit"};
	const double d = 0.008, weight = 80 * 2500 * 3.14159265358979 / 6 * d * d * d * 9.81;
	rests(GRAINS HEAP, response, 4, d, weight, 3e-3, 1e-6);
}

/* ------------------------------------------------------------------ a block on a slope */

/* The slope is below the angle of friction, so the block rests. The tangential spring carries the load along the slope:
 * without it, the block would start to slide, at a speed of about the square root of the spring's length times g. */
static void a_block_stays_on_a_slope(void **state)
{
	(void)state;
	static const char *const stages = "run: {response: implicit}\n"
									  "stages:\n"
									  "- {name: land, until: 0.3 s}\n"
									  "- {name: one, run: {response: forces}, until: 20 ms}\n"
									  "- {name: two, run: {response: implicit}, until: 20 ms}\n"
									  "- {name: three, run: {response: hard}, until: 20 ms}\n"
									  "- {name: four, run: {response: forces}, until: 20 ms}\n"
									  "- {name: five, run: {response: hard}, until: 20 ms}\n"
									  "- {name: six, run: {response: implicit}, until: 20 ms}\n";
	for (int shape = 0; shape < 2; ++shape) {
		char text[3000];
		/* a body that does not roll: a clump of three balls */
		snprintf(
			text, sizeof text,
			"scene: 1\n"
			"world: {gravity: [4 m/s^2, 0, -9 m/s^2]}\n"
			"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}}\n"
			"contacts: {default: {restitution: 0.3, friction: 0.6}}\n"
			"shapes: {block: {%s}}\n"
			"walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}\n"
			"fill: [{lattice: {spacing: 20 mm}, region: {box: {min: [0 m, 0 m, -5 mm], max: [20 mm, 20 mm, 15 mm]}},"
			" material: m, shape: block, size: 10 mm}]\n%s",
			shape ? "clump: {centers: [[0.3, 0, 0], [-0.15, 0.26, 0], [-0.15, -0.26, 0]], radii: [0.5]}"
				  : "box: [1, 1, 0.6]",
			stages);
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_run_until(s, 0.3));
		for (int k = 1; k <= 6; ++k) {
			double *since = places(s), most = 0, fast = 0;
			for (int part = 0; part < 40; ++part) {
				LIBRARY_DO(s, scree_sim_run_until(s, 0.3 + 0.02 * (k - 1) + 0.0005 * (part + 1)));
				most = fmax(most, fabs(column(s, "vx")[0]));
				fast = fmax(fast, speed(s));
			}
			const double went = farthest(s, since);
			print_message("%s, stage %s: it moved by %.3g m, at up to %.3g m/s along the slope, %.3g m/s\n",
						  shape ? "clump" : "brick", scree_sim_stage_name(s, k), went, most, fast);
			CHECK(most < (k < 3 ? 1e-5 : 2e-2), "stage %d: %g m/s along the slope", k, most);
			CHECK(went < (k < 3 ? 1e-7 : 2e-4), "stage %d: it moved by %g m", k, went);
		}
		scree_sim_close(s);
	}
}

/* ------------------------------------------------------------------ bits */

static const char SCENE[] = "scenes/responses.scene.yaml";

static void any_step_continues(void **state)
{
	(void)state;
	scree_sim *s = library_open(SCENE, 2);
	int64_t end[5] = {0};
	int at = 0;
	while (scree_sim_time(s) < scree_sim_until(s) - 1e-9) {
		LIBRARY_DO(s, scree_sim_step(s, 1));
		if (scree_sim_stage(s) > at) end[at++] = scree_sim_steps(s) - 1;
	}
	assert_int_equal(at, 4);
	const int64_t all = scree_sim_steps(s);
	const uint64_t hash = scree_sim_hash(s);
	scree_sim_close(s);
	for (int k = 0; k < 4; ++k)
		for (int64_t by = -1; by <= 2; ++by)
			if (test_drawn(k + by + 1)) library_continues(SCENE, end[k] + by, hash, all);
	for (int k = 0; k < 4; ++k) {
		if (!test_drawn(k + 1)) continue;
		s = library_open(SCENE, 1 + k);
		LIBRARY_DO(s, scree_sim_step(s, all));
		CHECK(scree_sim_hash(s) == hash, "%d threads: %016llx", 1 + k, (unsigned long long)scree_sim_hash(s));
		scree_sim_close(s);
	}
}

/* ------------------------------------------------------------------ changes by --set */

static scree_sim *restored(const char *set)
{
	char path[300];
	scree_problems *p;
	snprintf(path, sizeof path, "%s/responses_set_%ld.snap", SCREE_BINARY, (long)getpid());
	scree_sim *s = library_open("scenes/implicit_drum.scene.yaml", 1);
	LIBRARY_DO(s, scree_sim_step(s, 40));
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_sim_close(s);
	s = scree_sim_restore(path, 2, &p);
	CHECK(s, "%s", scree_problems_text(p));
	unlink(path);
	const char *const one[] = {set};
	if (set) LIBRARY_DO(s, scree_sim_change_plan(s, 1, one, NULL));
	return s;
}

/* The step becomes the default step of the new response. */
static void a_set_changes_the_response(void **state)
{
	(void)state;
	scree_sim *s = restored("run.response=forces");
	const double step = scree_sim_step_length(s);
	CHECK(step > 0 && step <= scree_sim_safe_step(s), "a step of %g s", step);
	CHECK(strstr(scree_sim_resolved(s), "response: forces"), "the scene has the old response");
	LIBRARY_DO(s, scree_sim_step(s, 50));
	scree_sim_close(s);
	const char *const given[] = {"run.response=forces", "run.step=2us"}, *const elastic[] = {"run.response=elastic"};
	s = restored(NULL);
	LIBRARY_DO(s, scree_sim_change_plan(s, 2, given, NULL));
	NEAR(scree_sim_step_length(s), 2e-6, 0, "the step that is given");
	scree_sim_close(s);
	s = restored(NULL);
	scree_problems *p;
	assert_int_not_equal(scree_sim_change_plan(s, 1, elastic, &p), SCREE_DONE);
	scree_problems_free(p);
	scree_sim_close(s);
}

/* ------------------------------------------------------------------ methods */

/* A stage that changes the broad phase or the skin does not change results. */
static void neighbours_change_no_bits(void **state)
{
	(void)state;
	static const char *const runs[] = {"", ", run: {broad_phase: sweep/once}",
									   ", run: {broad_phase: sweep, skin: 0.5 mm}", ", run: {skin: 0 m}"};
	uint64_t hash[4];
	for (int k = 0; k < 4; ++k) {
		char text[2000];
		snprintf(text, sizeof text,
				 GRAINS BOX "fill: [{region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 60 mm]}}, count: 40, material: "
							"m, mix: [{shape: ball, share: 1, size: 8 mm}, {shape: cube, share: 1, size: 8 mm}]}]\n"
							"run: {step: 20 us}\n"
							"stages:\n- {name: one, until: 10 ms}\n- {name: two, until: 10 ms%s}\n",
				 runs[k]);
		scree_sim *s = library_text(text);
		LIBRARY_DO(s, scree_sim_run_until(s, 0.02));
		hash[k] = scree_sim_hash(s);
		CHECK(hash[k] == hash[0], "%s: another state", runs[k]);
		scree_sim_close(s);
	}
}

#if SCREE_PAPERS
/* One integrator takes over from another while a ball falls, and the fall continues unchanged. */
static void integrators_follow_one_another(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL "run: {step: 10 us}\n"
											 "stages:\n"
											 "- {name: one, until: 5 ms}\n"
											 "- {name: two, run: {integrator: gear4}, until: 5 ms}\n"
											 "- {name: three, run: {integrator: velocity_verlet}, until: 5 ms}\n");
	LIBRARY_DO(s, scree_sim_run_until(s, 0.015));
	assert_int_equal(scree_sim_stage(s), 2);
	NEAR(column(s, "vz")[0], -9.81 * 0.015, 1e-9, "speed");
	scree_sim_close(s);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_stays_on_a_slope),
		cmocka_unit_test(a_pile_in_a_box_stays),
		cmocka_unit_test(a_pile_of_cubes_stays),
		cmocka_unit_test(a_heap_stays),
		cmocka_unit_test(a_heap_stays_with_hard_contacts),
		cmocka_unit_test(any_step_continues),
		cmocka_unit_test(a_set_changes_the_response),
		cmocka_unit_test(neighbours_change_no_bits),
#if SCREE_PAPERS
		cmocka_unit_test(integrators_follow_one_another),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
