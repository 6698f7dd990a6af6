/* Symplectic Euler, velocity first (Krestenitis 2017, "update"): closed forms of the scheme itself, and its order.
 * Needs SCREE_PAPERS. */
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/integrator.h"
#include "test.h"

static scree_world *euler_world(contact_rule rule)
{
	scree_world *w = lab_world(rule);
	w->model.integrator = scree_choice_find(&scree_integrators, "symplectic_euler");
	CHECK(w->model.integrator, "there is no symplectic_euler");
	return w;
}

/* After n steps, a falling body is at x0 + n dt v0 + n(n+1)/2 dt^2 g, half a step ahead of the parabola. */
static void a_falling_body_is_half_a_step_ahead(void **state)
{
	(void)state;
	scree_world *w = euler_world(lab_linear(1e5, 1, 0));
	const real dt = 1e-3, n = 500;
	w->model.gravity = v3(0, 0, -10);
	lab_add_moving(w, 0, 1, v3(0, 0, 7), quat_one(), v3(1, 0, 2), v3(0, 0, 0));
	lab_prepare(w, dt);
	lab_steps(w, (int64_t)n);
	NEAR(w->state.body.x[0], n * dt, 1e-12, "x");
	NEAR(w->state.body.z[0], 7 + n * dt * 2 - 10 * dt * dt * n * (n + 1) / 2, 1e-12, "z");
	NEAR(w->state.body.vz[0], 2 - 10 * n * dt, 1e-12, "velocity");
	scree_world_free(w);
}

/* A ball oscillating on a linear spring; y: displacement from the rest position, t: time in radians. */
typedef struct swing {
	scree_world *w;
	real omega, rest;
} swing;

static swing ball_on_spring(real dt)
{
	swing s = {.w = euler_world(lab_linear(1e5, 1, 0))};
	lab_plane(s.w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(s.w, 0, 1, v3(0, 0, 0.45));
	s.omega = sqrt(1e5 / s.w->state.body.mass[0]);
	s.w->model.gravity = v3(0, 0, -0.1 * s.omega * s.omega);
	s.rest = 0.4;
	lab_prepare(s.w, dt / s.omega);
	return s;
}

static real y_of(const swing *s) { return s->w->state.body.z[0] - s->rest; }
static real v_of(const swing *s) { return s->w->state.body.vz[0] / s->omega; }
static real energy(const swing *s) { return y_of(s) * y_of(s) + v_of(s) * v_of(s); }
/* invariant of the scheme: v^2 + y^2 - dt y v is constant */
static real invariant(const swing *s, real dt) { return energy(s) - dt * y_of(s) * v_of(s); }

static void energy_swings_with_the_step_and_does_not_drift(void **state)
{
	(void)state;
	real off[2];
	for (int k = 0; k < 2; ++k) {
		const real dt = 0.1 / (k + 1);
		swing s = ball_on_spring(dt);
		const real begins = energy(&s), kept = invariant(&s, dt);
		off[k] = 0;
		for (int n = 0; n < 20000; ++n) {
			lab_steps(s.w, 1);
			off[k] = real_max(off[k], fabs(energy(&s) / begins - 1));
			NEAR(invariant(&s, dt) / kept, 1, 1e-9, "invariant");
		}
		scree_world_free(s.w);
	}
	NEAR(off[0], 0.05, 0.005, "energy at 0.1 radians a step");
	NEAR(off[0] / off[1], 2, 0.1, "order of the energy");
}

static void positions_are_of_first_order(void **state)
{
	(void)state;
	real worst[2] = {0, 0};
	for (int k = 0; k < 2; ++k) {
		const real dt = 0.02 / (k + 1);
		swing s = ball_on_spring(dt);
		for (int n = 1; n * dt < 10; ++n) {
			lab_steps(s.w, 1);
			worst[k] = real_max(worst[k], fabs(y_of(&s) - 0.05 * cos(n * dt)));
		}
		scree_world_free(s.w);
	}
	NEAR(worst[0] / worst[1], 2, 0.1, "order of positions");
}

/* Without torque, a brick rotates exactly, bit for bit, like a brick integrated with the default method. */
static void a_free_body_turns_as_by_default(void **state)
{
	(void)state;
	scree_world *w[2] = {euler_world(lab_linear(1e5, 1, 0)), lab_world(lab_linear(1e5, 1, 0))};
	for (int k = 0; k < 2; ++k) {
		fail why = {0};
		const vec3 half = v3(0.5, 0.3, 0.2);
		vec3 p[8];
		for (int c = 0; c < 8; ++c)
			p[c] = v3(c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y, c & 4 ? half.z : -half.z);
		const int32_t brick = scree_shapes_add_hull(&w[k]->model.shape, "brick", 8, p, &why);
		CHECK(brick >= 0, "%s", why.text);
		lab_add_moving(w[k], brick, 1, v3(0, 0, 0), quat_one(), v3(0, 0, 0), v3(1, 20, 0.1));
		lab_prepare(w[k], 1e-4);
		lab_steps(w[k], 3000);
	}
	const bodies *a = &w[0]->state.body, *b = &w[1]->state.body;
	CHECK(a->qw[0] == b->qw[0] && a->qx[0] == b->qx[0] && a->qy[0] == b->qy[0] && a->qz[0] == b->qz[0], "orientation");
	CHECK(a->lx[0] == b->lx[0] && a->ly[0] == b->ly[0] && a->lz[0] == b->lz[0], "angular momentum");
	CHECK(fabs(a->wz[0]) > 1, "it turns over: %g", a->wz[0]);
	for (int k = 0; k < 2; ++k) scree_world_free(w[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_falling_body_is_half_a_step_ahead),
									   cmocka_unit_test(energy_swings_with_the_step_and_does_not_drift),
									   cmocka_unit_test(positions_are_of_first_order),
									   cmocka_unit_test(a_free_body_turns_as_by_default)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
