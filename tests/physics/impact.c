/* Impacts: free fall, bouncing, and restitution of spheres and of cubes that land flat, for both laws. */
#include "kernel/quat.h"
#include "lab.h"
#include "test.h"

static void free_fall_is_exact(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0));
	w->model.gravity = v3(0, 0, -9.81);
	lab_add_moving(w, 1, 0.01, v3(0, 0, 1), quat_one(), v3(0.3, 0, 0), v3(1, 2, 3));
	lab_prepare(w, 1e-4);
	lab_steps(w, 3000);
	real t = w->state.time;
	NEAR(w->state.body.z[0], 1 - 9.81 / 2 * t * t, 1e-12, "height");
	NEAR(w->state.body.x[0], 0.3 * t, 1e-13, "way");
	NEAR(w->state.body.vz[0], -9.81 * t, 1e-12, "speed");
	NEAR(w->state.body.wz[0], 3, 1e-12, "spin of a cube stays");
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(e.residual, 0, 1e-12 * e.brought, "energy");
	scree_world_free(w);
}

/* restitution of a head-on impact in which the contact lasts for about `steps` steps */
static real rebound(int32_t shape, bool plane, contact_rule rule, int64_t steps)
{
	scree_world *w = lab_world(rule);
	real d = 0.01, v = 0.1;
	if (plane) {
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, shape, d, v3(0, 0, d / 2 + 1e-6), quat_one(), v3(0, 0, -v), v3(0, 0, 0));
	} else {
		lab_add_moving(w, shape, d, v3(0, 0, d / 2 + 1e-6), quat_one(), v3(0, 0, -v / 2), v3(0, 0, 0));
		lab_add_moving(w, shape, d, v3(0, 0, -d / 2 - 1e-6), quat_one(), v3(0, 0, v / 2), v3(0, 0, 0));
	}
	w->model.guard.speed = v; /* speed for which the Hertzian contact time is computed */
	lab_prepare(w, 0);
	lab_prepare(w, w->model.contact_time / (real)steps);
	w->model.guard.speed = 0;
	bool touched = false;
	for (int64_t k = 0; k < 40 * steps; ++k) {
		lab_steps(w, 1);
		if (w->work.touching) touched = true;
		if (touched && !w->work.touching) break;
	}
	CHECK(touched && !w->work.touching, "no impact happened, or it never ended");
	real out = plane ? w->state.body.vz[0] : w->state.body.vz[lab_row(w, 1)] - w->state.body.vz[lab_row(w, 2)];
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(e.residual, 0, 4e-4 * 1000.0 / (real)steps * 1000.0 / (real)steps * e.brought, "energy of the impact");
	scree_world_free(w);
	return out / v;
}

static void restitution_is_the_prescribed_one(void **state)
{
	(void)state;
	const real wanted[6] = {0.2, 0.3, 0.5, 0.8, 0.9, 0.98};
	for (int law = 0; law < 2; ++law) {
		for (int shape = 0; shape < 2; ++shape) {
			for (int plane = 0; plane < 2; ++plane) {
				for (int k = 0; k < 6; ++k) {
					contact_rule rule = law ? lab_hertz(wanted[k], 0.3) : lab_linear(1e4, wanted[k], 0.3);
					real fine = rebound(shape, plane, rule, 1000), usual = rebound(shape, plane, rule, 50);
					if (plane)
						print_message("restitution %g: %s %s %.5f at 1000 steps, %.5f at the default step\n", wanted[k],
									  law ? "hertz" : "linear", shape ? "cube" : "sphere", fine, usual);
					NEAR(fine, wanted[k], 1e-3, "restitution at 1000 steps a contact");
					NEAR(usual, wanted[k], 0.03, "restitution at the default step");
				}
			}
		}
	}
}

/* largest overlap and contact time of an elastic impact according to Hertz */
static void hertz_time_and_depth(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(1, 0));
	real d = 0.02, v = 0.2;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, 0, d, v3(0, 0, d / 2), quat_one(), v3(0, 0, -v), v3(0, 0, 0));
	w->model.guard.speed = v;
	lab_prepare(w, 0);
	lab_prepare(w, w->model.contact_time / 4000);
	w->model.guard.speed = 0;
	real depth = 0, began = -1, ended = -1;
	for (int k = 0; k < 6000 && ended < 0; ++k) {
		lab_steps(w, 1);
		depth = real_max(depth, d / 2 - w->state.body.z[0]);
		if (w->work.touching && began < 0) began = w->state.time;
		if (!w->work.touching && began >= 0) ended = w->state.time;
	}
	/* two half spaces of the same material: 1/E* = 2 (1-nu^2)/E */
	real young = 1e7 / (2 * (1 - 0.0625)), mass = w->state.body.mass[0];
	real expected = pow(15 * mass * v * v / (16 * young * sqrt(d / 2)), 0.4);
	NEAR(depth / expected, 1, 1e-4, "greatest overlap after Hertz");
	NEAR((ended - began) / (2.9432 * expected / v), 1, 1e-3, "time of contact after Hertz");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(free_fall_is_exact),
		cmocka_unit_test(restitution_is_the_prescribed_one),
		cmocka_unit_test(hertz_time_and_depth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
