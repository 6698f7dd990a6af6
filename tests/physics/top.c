/* The free asymmetric top: angular momentum and energy over 1e6 steps with |w| dt = 1e-3, and the period of its flips.
 */
#include "kernel/quat.h"
#include "kernel/motion.h"
#include "lab.h"
#include "test.h"

static void top_keeps_momentum_and_energy(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(0.01, 0.5, 0));
	fail why = {0};
	int32_t brick = scree_shapes_add_box(&w->model.shape, "brick", v3(1, 2, 3), &why);
	CHECK(brick >= 0, "%s", why.text);
	lab_add_moving(w, brick, 0.01, v3(0, 0, 0), quat_one(), v3(0, 0, 0),
				   v3(0.01, 1, 0.02)); /* close to the unstable axis */
	lab_prepare(w, 1e-3);
	vec3 l0 = v3(w->state.body.lx[0], w->state.body.ly[0], w->state.body.lz[0]);
	real e0 = v3_dot(l0, body_angular_velocity(&w->state.body, 0)) / 2, worst = 0, flipped = 0;
	for (int k = 0; k < 1000; ++k) {
		lab_steps(w, 1000);
		vec3 l = v3(w->state.body.lx[0], w->state.body.ly[0], w->state.body.lz[0]);
		NEAR(v3_norm(v3_sub(l, l0)) / v3_norm(l0), 0, 1e-6, "angular momentum");
		real e = v3_dot(l, body_angular_velocity(&w->state.body, 0)) / 2;
		worst = real_max(worst, fabs(e / e0 - 1));
		vec3 body = quat_unrotate(body_orientation(&w->state.body, 0), body_angular_velocity(&w->state.body, 0));
		flipped = real_min(flipped, body.y);
	}
	NEAR(worst, 0, 1e-6, "energy over 1e6 steps");
	CHECK(flipped < -0.9, "a spin about the middle axis must flip (Dzhanibekov): %g", flipped);
	scree_world_free(w);
}

/* the energy error is proportional to the square of the step */
static void splitting_is_of_second_order(void **state)
{
	(void)state;
	real error[2];
	for (int k = 0; k < 2; ++k) {
		vec3 inertia = v3(1, 2, 3), l = v3(0.7, 2, 0.9);
		quat q = quat_one();
		real h = k ? 0.005 : 0.01, e0 = v3_dot(l, spin_of(q, l, inertia)), worst = 0;
		for (int i = 0; i < (k ? 20000 : 10000); ++i) {
			q = turn_free(q, l, inertia, h);
			worst = real_max(worst, fabs(v3_dot(l, spin_of(q, l, inertia)) - e0));
		}
		error[k] = worst;
	}
	NEAR(error[0] / error[1], 4, 0.1, "ratio of errors for half the step");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(top_keeps_momentum_and_energy),
		cmocka_unit_test(splitting_is_of_second_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
