/* Bodies at rest remain where they are, and the energy balance closes. */
#include "base/maths.h"
#include "kernel/quat.h"
#include "lab.h"
#include "prepare/prepare.h"
#include "test.h"

static const real G = 9.81;

/* over 1e6 steps, neither position nor orientation drifts */
static void cube_at_rest_stays(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.3, 0.5));
	real d = 0.01;
	w->model.gravity = v3(G * 0.3, 0, -G * 0.95); /* on a slope on which friction holds the cube */
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 1, d, v3(0, 0, d / 2));
	lab_prepare(w, 0);
	lab_steps(w, 50000);
	vec3 at = body_position(&w->state.body, 0);
	quat q = body_orientation(&w->state.body, 0);
	lab_steps(w, test_cases(1000000)); /* fewer steps in sanitized builds */
	real moved = v3_norm(v3_sub(body_position(&w->state.body, 0), at));
	CHECK(moved < 1e-6 * d, "a cube at rest moved by %g of its size", moved / d);
	quat turn = quat_mul(body_orientation(&w->state.body, 0), quat_conj(q));
	CHECK(v3_norm(v3(turn.x, turn.y, turn.z)) < 1e-6, "and turned by %g", 2 * v3_norm(v3(turn.x, turn.y, turn.z)));
	CHECK(w->work.greatest_speed < 1e-9, "its speed is %g", w->work.greatest_speed);
	scree_world_free(w);
}

/* a heap of cubes and spheres in a box, dropped from a loose lattice */
static scree_world *heap(contact_rule rule, real step_part)
{
	scree_world *w = lab_world(rule);
	real d = 0.01, wide = 0.022;
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_plane(w, v3(-wide, 0, 0), v3(1, 0, 0));
	lab_plane(w, v3(wide, 0, 0), v3(-1, 0, 0));
	lab_plane(w, v3(0, -wide, 0), v3(0, 1, 0));
	lab_plane(w, v3(0, wide, 0), v3(0, -1, 0));
	random_stream r = scree_random_start(6, 1);
	for (int k = 0; k < 27; ++k) {
		vec3 at = v3(0.0144 * (k % 3 - 1), 0.0144 * (k / 3 % 3 - 1), 0.009 + 0.018 * (k / 9));
		lab_add_moving(w, k % 3 ? 1 : 0, k % 3 ? 0.8 * d : d, at, scree_random_rotation(&r), v3(0, 0, 0), v3(0, 0, 0));
	}
	fail why = {0};
	CHECK(scree_world_prepare(w, step_part, 0, &why), "%s", why.text);
	return w;
}

static void ledger_closes_when_settled(void **state)
{
	(void)state;
	if (test_few(2, 1) < 2) return; /* the heap must come to rest, even if there are few cases */
	contact_rule rule = lab_linear(2e4, 0.3, 0.5);
	rule.rolling_friction = 0.05; /* rolling resistance, so that spheres also come to rest */
	scree_world *w = heap(rule, 0);
	real weight = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) weight += w->state.body.mass[i] * G * w->state.body.round[i];
	lab_steps(w, (int64_t)(2 / w->model.dt));
	energy_row before = scree_world_energy(&w->model, &w->state, &w->work);
	lab_steps(w, 10000);
	energy_row after = scree_world_energy(&w->model, &w->state, &w->work);
	/* spheres may spin forever about the normal of a single contact, because none of the laws used resists this */
	CHECK(w->work.greatest_speed < 1e-3, "not settled: something moves at %g m/s", w->work.greatest_speed);
	NEAR((after.residual - before.residual) / weight, 0, 1e-6, "residual of 1e4 settled steps over m g R");
	scree_world_free(w);
}

/* The residual of an impact with friction, damping, rolling and spin is of second order in the step with both laws. */
static void residual_is_of_second_order(void **state)
{
	(void)state;
	for (int law = 0; law < 2; ++law) {
		real residual[2], lost = 0;
		for (int k = 0; k < 2; ++k) {
			contact_rule rule = law ? lab_hertz(0.6, 0.3) : lab_linear(1e4, 0.6, 0.3);
			rule.rolling_friction = 0.02;
			/* the first contact occurs at a random time within a step, so the mean over many impacts is smooth */
			residual[k] = 0;
			for (int n = 0; n < 40; ++n) {
				scree_world *w = lab_world(rule);
				lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
				lab_add_moving(w, 0, 0.01, v3(0, 0, 0.0051 + 1e-6 * n), quat_one(), v3(0.3, 0.1, -0.5),
							   v3(40, -70, 30));
				w->model.guard.speed = 1;
				fail why = {0};
				CHECK(scree_world_prepare(w, k ? 0.01 : 0.02, 0, &why), "%s", why.text);
				w->model.guard.speed = 0;
				lab_steps(w, (int64_t)(0.004 / w->model.dt));
				CHECK(w->work.touching == 0 && w->state.body.vz[0] > 0, "it has not bounced");
				energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
				residual[k] += real_abs(e.residual) / 40;
				lost = e.lost_normal + e.lost_friction + e.lost_rolling;
				scree_world_free(w);
			}
		}
		print_message("law %d: residual %.2e and %.2e of %.2e J lost\n", law, residual[0], residual[1], lost);
		CHECK(residual[0] < 0.01 * lost, "the ledger misses %g of %g J", residual[0], lost);
		CHECK(residual[1] < 0.4 * residual[0], "half the step leaves %g of the residual", residual[1] / residual[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cube_at_rest_stays),
		cmocka_unit_test(ledger_closes_when_settled),
		cmocka_unit_test(residual_is_of_second_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
