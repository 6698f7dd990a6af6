/* The library's handle: external forces on bodies. */
#include "module/library_help.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/maths.h"

static const double *column(scree_sim *s, const char *name)
{
	scree_array a;
	LIBRARY_DO(s, scree_sim_array(s, name, &a));
	return a.data;
}

static double sum_of(const scree_ledger *e) { return e->kinetic + e->potential + e->elastic; }

static const double CENTRE = 0.05; /* m, on all axes */

/* springs attached to the centre; the context is their stiffness in N/m */
static void harmonic(const scree_force_rows *r, void *context)
{
	const double stiffness = *(const double *)context;
	for (int64_t i = 0; i < r->rows; ++i) {
		r->fx[i] -= stiffness * (r->x[i] - CENTRE);
		r->fy[i] -= stiffness * (r->y[i] - CENTRE);
		r->fz[i] -= stiffness * (r->z[i] - CENTRE);
	}
}

static double potential(scree_sim *s, double stiffness)
{
	const double *x[3] = {column(s, "x"), column(s, "y"), column(s, "z")};
	double sum = 0;
	for (int64_t i = 0; i < scree_sim_bodies(s); ++i)
		for (int c = 0; c < 3; ++c) sum += stiffness / 2 * (x[c][i] - CENTRE) * (x[c][i] - CENTRE);
	return sum;
}

#define WEIGHTLESS "world: {gravity: [0 m/s^2, 0 m/s^2, 0 m/s^2]}\nrun: {until: 10 s}\n"

/* a ball oscillates: the sum of its energy and the field energy is constant to second order in the step, and the work
 * of the field is recorded in the ledger, whether the field is set before the first step or later */
static void energy_in_a_harmonic_field(void **state)
{
	(void)state;
	for (int64_t before = 0; before < 200; before += 100) {
		scree_sim *s = library_text(LIBRARY_BALL WEIGHTLESS);
		const double mass = *column(s, "mass"), dt = scree_sim_step_length(s), angular = 1e-3 / dt;
		double stiffness = mass * angular * angular;
		scree_ledger e;
		LIBRARY_DO(s, scree_sim_step(s, before));
		LIBRARY_DO(s, scree_sim_on_force(s, harmonic, &stiffness));
		const double start = potential(s, stiffness);
		for (int k = 1; k <= 40; ++k) {
			LIBRARY_DO(s, scree_sim_step(s, 157)); /* one fortieth of the period */
			LIBRARY_DO(s, scree_sim_ledger(s, &e));
			NEAR(e.kinetic + potential(s, stiffness), start, 1e-6 * start, "energy of ball and field");
			NEAR(e.wall_work, start - potential(s, stiffness), 1e-6 * start, "work of the field");
			NEAR(e.residual, 0, 1e-6 * start, "residual");
		}
		/* one period later, the ball is back at its starting point */
		NEAR(*column(s, "x"), 0.01, 1e-6, "x"), NEAR(*column(s, "z"), 0.01, 1e-6, "z");
		CHECK(e.wall_work < 1e-4 * start, "the field did work of %g J in a period", e.wall_work);
		scree_sim_close(s);
	}
}

static void weight(const scree_force_rows *r, void *context)
{
	(void)context;
	for (int64_t i = 0; i < r->rows; ++i) r->fz[i] -= 9.81 * r->mass[i];
}

/* a weight applied by a function or as a constant force causes the same motion as gravity, including impacts on the
 * floor */
static void a_constant_force_is_gravity(void **state)
{
	(void)state;
	scree_sim *by_gravity =
		library_text(LIBRARY_BALL "world: {gravity: [0 m/s^2, 0 m/s^2, -9.81 m/s^2]}\nrun: {until: 1 s}\n");
	scree_sim *by[2] = {library_text(LIBRARY_BALL WEIGHTLESS), library_text(LIBRARY_BALL WEIGHTLESS)};
	const double mass = *column(by[1], "mass");
	const uint64_t id = 1;
	CHECK(scree_sim_step_length(by[0]) == scree_sim_step_length(by_gravity), "steps differ");
	LIBRARY_DO(by[0], scree_sim_on_force(by[0], weight, NULL));
	LIBRARY_DO(by[1], scree_sim_set_force(by[1], id, (double[3]){0, 0, -9.81 * mass}, NULL));
	for (int k = 0; k < 20; ++k) {
		LIBRARY_DO(by_gravity, scree_sim_step(by_gravity, 100));
		for (int w = 0; w < 2; ++w) {
			scree_ledger e, want;
			LIBRARY_DO(by[w], scree_sim_step(by[w], 100));
			NEAR(*column(by[w], "z"), *column(by_gravity, "z"), 1e-10, "height");
			NEAR(*column(by[w], "vz"), *column(by_gravity, "vz"), 1e-8, "velocity");
			LIBRARY_DO(by[w], scree_sim_ledger(by[w], &e));
			LIBRARY_DO(by_gravity, scree_sim_ledger(by_gravity, &want));
			NEAR(e.wall_work, mass * 9.81 * (0.01 - *column(by[w], "z")), 1e-8, "work of the weight");
			NEAR(e.residual, want.residual, 1e-9, "residual");
		}
	}
	CHECK(fabs(*column(by_gravity, "z") - 0.01) > 1e-3, "it did not fall");
	scree_sim_close(by_gravity);
	scree_sim_close(by[0]);
	scree_sim_close(by[1]);
}

static void a_torque_turns(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL WEIGHTLESS);
	const double inertia = 0.4 * *column(s, "mass") * 25e-6, torque = 1e-6;
	LIBRARY_DO(s, scree_sim_set_force(s, 1, NULL, (double[3]){0, torque, 0}));
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	NEAR(*column(s, "wy"), torque / inertia * scree_sim_time(s), 1e-9 * *column(s, "wy"), "angular velocity");
	NEAR(*column(s, "vx"), 0, 0, "velocity");
	const double reached = *column(s, "wy");
	LIBRARY_DO(s, scree_sim_set_force(s, 1, NULL, NULL));
	LIBRARY_DO(s, scree_sim_step(s, 1000));
	NEAR(*column(s, "wy"), reached, 1e-12 * reached, "it turns without a torque");
	CHECK(scree_sim_set_force(s, 2, NULL, NULL) == SCREE_BAD_INPUT, "a body that does not exist");
	CHECK(scree_sim_set_force(s, 1, (double[3]){(double)NAN, 0, 0}, NULL) == SCREE_BAD_INPUT, "no number");
	scree_sim_close(s);
}

static void nothing(const scree_force_rows *r, void *context)
{
	(void)r;
	++*(int64_t *)context;
}

/* a function that adds no forces does not change the results, whether or not bodies fly */
static void no_force_changes_no_bit(void **state)
{
	(void)state;
	for (int k = 0; k < LIBRARY_FILES; ++k) {
		scree_sim *with = library_open(library_files[k], 2), *without = library_open(library_files[k], 1);
		int64_t calls = 0;
		const scree_code code = scree_sim_on_force(with, nothing, &calls);
		if (strstr(library_files[k], "gas.")) {
			CHECK(code == SCREE_BAD_INPUT && strstr(scree_sim_error(with), "elastic"), "%s", scree_sim_error(with));
			CHECK(scree_sim_set_force(with, 1, NULL, NULL) == SCREE_BAD_INPUT, "a force among elastic collisions");
		}
		LIBRARY_DO(with, scree_sim_step(with, 300));
		LIBRARY_DO(without, scree_sim_step(without, 300));
		CHECK(scree_sim_hash(with) == scree_sim_hash(without), "%s", library_files[k]);
		CHECK(code ? !calls : calls >= 300 && calls < 310, "%lld calls", (long long)calls);
		scree_sim_close(with);
		scree_sim_close(without);
	}
}

/* the results are bitwise identical with any number of threads, and after a restart if the function is set again */
static void bits_with_a_field(void **state)
{
	(void)state;
	char path[] = "/tmp/scree_field_XXXXXX";
	assert_true(close(mkstemp(path)) == 0);
	double stiffness = 0.05;
	uint64_t hash[3];
	for (int threads = 1; threads <= 2; ++threads) {
		scree_sim *s = library_open("scenes/settling_cubes.scene.yaml", threads);
		LIBRARY_DO(s, scree_sim_on_force(s, harmonic, &stiffness));
		LIBRARY_DO(s, scree_sim_set_force(s, 3, (double[3]){0, 0.01, 0}, NULL));
		LIBRARY_DO(s, scree_sim_step(s, 2000));
		LIBRARY_DO(s, scree_sim_save(s, path));
		LIBRARY_DO(s, scree_sim_step(s, 500));
		hash[threads - 1] = scree_sim_hash(s);
		scree_sim_close(s);
	}
	scree_sim *r = scree_sim_restore(path, 1, NULL);
	assert_non_null(r);
	LIBRARY_DO(r, scree_sim_on_force(r, harmonic, &stiffness));
	LIBRARY_DO(r, scree_sim_set_force(r, 3, (double[3]){0, 0.01, 0}, NULL));
	LIBRARY_DO(r, scree_sim_step(r, 500));
	hash[2] = scree_sim_hash(r);
	scree_sim_close(r);
	CHECK(hash[0] == hash[1], "two threads have other bits");
	CHECK(hash[0] == hash[2], "the restored world has other bits");
	unlink(path);
}

static void hear(const char *sentence, void *context) { *(int *)context += strstr(sentence, "constant force") != NULL; }

/* constant forces are not stored in a snapshot, and the log says so */
static void snapshots_hold_no_constant_force(void **state)
{
	(void)state;
	char path[] = "/tmp/scree_force_XXXXXX";
	assert_true(close(mkstemp(path)) == 0);
	int heard = 0;
	scree_sim *s = library_text(LIBRARY_BALL WEIGHTLESS);
	scree_on_log(hear, &heard);
	LIBRARY_DO(s, scree_sim_save(s, path));
	CHECK(!heard, "no force is lost");
	LIBRARY_DO(s, scree_sim_set_force(s, 1, (double[3]){0, 0, 1e-3}, NULL));
	LIBRARY_DO(s, scree_sim_step(s, 10));
	LIBRARY_DO(s, scree_sim_save(s, path));
	scree_on_log(NULL, NULL);
	CHECK(heard == 1, "%d notes", heard);
	scree_sim *r = scree_sim_restore(path, 1, NULL);
	assert_non_null(r);
	const double speed = *column(r, "vz");
	CHECK(speed > 0, "it was not pushed");
	LIBRARY_DO(r, scree_sim_step(r, 1)); /* this step still uses the force stored in the snapshot */
	const double after = *column(r, "vz");
	LIBRARY_DO(r, scree_sim_step(r, 100));
	NEAR(*column(r, "vz"), after, 1e-12, "velocity without the force");
	scree_sim_close(r);
	scree_sim_close(s);
	unlink(path);
}

static void broken(const scree_force_rows *r, void *context)
{
	(void)context;
	r->fx[0] = (double)NAN;
}

static void a_force_that_is_no_number_stops_the_run(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL WEIGHTLESS);
	LIBRARY_DO(s, scree_sim_step(s, 10));
	scree_sim_on_force(s, broken, NULL);
	CHECK(scree_sim_step(s, 10) == SCREE_GUARD, "%s", scree_sim_error(s));
	CHECK(scree_sim_steps(s) <= 12, "%lld steps", (long long)scree_sim_steps(s));
	scree_sim_close(s);
}

static void a_removed_function_acts_no_more(void **state)
{
	(void)state;
	scree_sim *s = library_text(LIBRARY_BALL WEIGHTLESS);
	scree_ledger e;
	LIBRARY_DO(s, scree_sim_on_force(s, weight, NULL));
	LIBRARY_DO(s, scree_sim_step(s, 50));
	LIBRARY_DO(s, scree_sim_on_force(s, NULL, NULL));
	const double speed = *column(s, "vz");
	CHECK(speed < 0, "it did not fall");
	LIBRARY_DO(s, scree_sim_step(s, 50));
	NEAR(*column(s, "vz"), speed, 1e-12, "velocity without the function");
	LIBRARY_DO(s, scree_sim_ledger(s, &e));
	NEAR(e.wall_work, sum_of(&e), 1e-12, "work"), NEAR(e.residual, 0, 1e-12, "residual");
	scree_sim_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(energy_in_a_harmonic_field),
		cmocka_unit_test(a_constant_force_is_gravity),
		cmocka_unit_test(a_torque_turns),
		cmocka_unit_test(no_force_changes_no_bit),
		cmocka_unit_test(bits_with_a_field),
		cmocka_unit_test(snapshots_hold_no_constant_force),
		cmocka_unit_test(a_force_that_is_no_number_stops_the_run),
		cmocka_unit_test(a_removed_function_acts_no_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
