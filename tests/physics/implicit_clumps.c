/* Clumps in implicit steps and with hard contacts (docs/theory/implicit.md): pairs with several contacts come to rest,
 * and a clump of one ball acts like a ball. */
#include "base/maths.h"
#include "base/random.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/response.h"
#include "test.h"

static const real G = 9.81, D = 0.01;
static const char *const response_name[2] = {"implicit", "hard"};
enum { BALL, CUBE, ONE_BALL, TRIPOD, TETRAPOD, DUMBBELL };
enum { IMPLICIT, HARD, FORCES };

static scree_world *clump_world_of(int response, contact_rule rule)
{
	scree_world *w = lab_world(rule);
	const vec3 none = {0, 0, 0};
	const real half = 0.5, arm = (real)0.2598, thick[5] = {0.3, 0.22, 0.22, 0.22, 0.22};
	const vec3 at[5] = {none, {arm, arm, arm}, {arm, -arm, -arm}, {-arm, arm, -arm}, {-arm, -arm, arm}};
	const vec3 ends[2] = {{-half, 0, 0}, {half, 0, 0}};
	const real radii[2] = {half, half};
	fail why = {0};
	CHECK(scree_shapes_add_clump(&w->model.shape, "one ball", 1, &none, &half, false, &why) == ONE_BALL &&
			  scree_shapes_add_clump(&w->model.shape, "tripod", 4, at + 1, thick + 1, false, &why) == TRIPOD &&
			  scree_shapes_add_clump(&w->model.shape, "tetrapod", 5, at, thick, false, &why) == TETRAPOD &&
			  scree_shapes_add_clump(&w->model.shape, "dumbbell", 2, ends, radii, false, &why) == DUMBBELL,
		  "%s", why.text);
	if (response < FORCES) model_respond(&w->model, scree_response_find(response_name[response]));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	return w;
}

static scree_world *clump_world(int response, real friction)
{
	return clump_world_of(response, lab_hertz(0.3, friction));
}

static void slope(scree_world *w, real degrees)
{
	const real angle = degrees * SCREE_PI / 180;
	w->model.gravity = v3(G * scree_sin(angle), 0, -G * scree_cos(angle));
}

/* speed of the fastest point of any body in m/s */
static real fastest(const scree_world *w)
{
	const bodies *b = &w->state.body;
	real most = 0;
	for (int32_t i = 0; i < b->count; ++i)
		most = real_max(most, v3_norm(body_velocity(b, i)) + D * v3_norm(body_angular_velocity(b, i)));
	return most;
}

/* The clump stands on three of its balls. If stiffnesses followed the overlaps from step to step, or contacts started
 * only when balls overlap, the clump would rock and creep at 1 mm/s. */
static void a_clump_rests_on_a_slope(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r)
		for (int32_t shape = TRIPOD; shape <= TETRAPOD; ++shape) FOR_SEEDS(4)
			{
				scree_world *w = clump_world(r, 0.5);
				random_stream random = scree_random_start(test_seed, 3);
				slope(w, 15);
				lab_add_moving(w, shape, D, v3(0, 0, 0.6 * D), scree_random_rotation(&random), v3(0, 0, 0),
							   v3(0, 0, 0));
				lab_prepare(w, 0);
				lab_steps(w, (int64_t)(1 / w->model.dt));
				const int64_t sweeps = w->state.impulse.sweeps;
				const real x = w->state.body.x[0];
				lab_steps(w, 100);
				CHECK(w->work.touching == 3, "it has %lld contacts", (long long)w->work.touching);
				NEAR(fastest(w), 0, 1e-12, "velocity");
				NEAR(w->state.body.x[0], x, 1e-12 * D, "it creeps");
				CHECK(w->state.impulse.sweeps - sweeps <= 400, "%lld sweeps in 100 steps",
					  (long long)(w->state.impulse.sweeps - sweeps));
				scree_world_free(w);
			}
}

/* Clumps resting on clumps. */
static void a_heap_of_clumps_rests(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r) {
		scree_world *w = clump_world(r, 0.5);
		random_stream random = scree_random_start(7, 4);
		slope(w, 0);
		for (int k = 0; k < 20; ++k)
			lab_add_moving(w, TETRAPOD, D, v3(0.3 * D * (k % 3), 0.3 * D * (k % 2), (0.6 + 1.05 * k) * D),
						   scree_random_rotation(&random), v3(0, 0, 0), v3(0, 0, 0));
		lab_prepare(w, 0);
		lab_steps(w, (int64_t)(0.5 / w->model.dt));
		const real mean = (real)w->state.impulse.sweeps / (real)w->state.step;
		lab_steps(w, (int64_t)(1.5 / w->model.dt));
		const int64_t sweeps = w->state.impulse.sweeps;
		lab_steps(w, 100);
		print_message("%s: %g sweeps a step in the fall\n", response_name[r], mean);
		CHECK(mean < 5.5, "%g sweeps a step", mean);
		print_message("%s: %g m/s, %g sweeps a step\n", response_name[r], fastest(w),
					  (real)(w->state.impulse.sweeps - sweeps) / 100);
		NEAR(fastest(w), 0, 1e-6, "velocity");
		scree_world_free(w);
	}
}

/* A dumbbell hits the plane with one ball while the other ball is close to the plane: there is one contact, which
 * damps the whole mass, as with forces. Returns the dumbbell's angular velocity after the ball has bounced. */
static real spin_of_bounce(int response, contact_rule rule)
{
	scree_world *w = clump_world_of(response, rule);
	const real tilt = 0.02;
	const quat turn = quat_exp(v3(0, tilt, 0), 1);
	lab_add_moving(w, DUMBBELL, D, v3(0, 0, D / 2 * (1 + scree_sin(tilt)) + 1e-6), turn, v3(0, 0, -0.05), v3(0, 0, 0));
	lab_prepare(w, 1e-5);
	real most = 0;
	for (int k = 0; k < 1000; ++k) {
		lab_steps(w, 1);
		if (most > 1 && w->work.touching == 0) break;
		most = real_max(most, v3_norm(body_angular_velocity(&w->state.body, 0)));
	}
	const real spin = w->state.body.wy[0];
	CHECK(w->work.touching == 0, "it is still in touch");
	scree_world_free(w);
	return spin;
}

static void one_ball_of_two_bounces_as_by_forces(void **state)
{
	(void)state;
	const contact_rule rule[2] = {lab_linear(2e4, 0.5, 0), lab_hertz(0.5, 0)};
	for (int k = 0; k < 2; ++k) {
		const real forces = spin_of_bounce(FORCES, rule[k]), implicit = spin_of_bounce(IMPLICIT, rule[k]);
		print_message("law %d: %g and %g 1/s\n", k, forces, implicit);
		NEAR(implicit / forces, 1, 0.01, "angular velocity");
	}
}

/* Two bodies of this shape on a slope, one on top of the other; returns their positions after some time. */
static void roll(int response, int32_t shape, vec3 at[2])
{
	scree_world *w = clump_world(response, 0.3);
	slope(w, 30);
	lab_add(w, shape, D, v3(0, 0, 0.5 * D));
	lab_add(w, shape, D, v3(0.1 * D, 0, 1.5 * D));
	w->model.guard.speed = 2;
	lab_prepare(w, 1e-4);
	lab_steps(w, 800);
	for (int i = 0; i < 2; ++i) at[i] = body_position(&w->state.body, lab_row(w, (uint64_t)i + 1));
	scree_world_free(w);
}

/* Impulses on clumps act midway between the current and the predicted poses, and impulses on balls at the current
 * poses; hard contacts of clumps are softer. */
static void a_clump_of_one_ball_is_a_ball(void **state)
{
	(void)state;
	for (int r = 0; r < 2; ++r) {
		vec3 ball[2], clump[2];
		roll(r, BALL, ball);
		roll(r, ONE_BALL, clump);
		CHECK(ball[0].x > 0.005, "it has rolled");
		for (int i = 0; i < 2; ++i) NEAR(v3_norm(v3_sub(ball[i], clump[i])), 0, (r ? 1e-2 : 1e-4) * D, "a ball");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clump_rests_on_a_slope),
		cmocka_unit_test(a_heap_of_clumps_rests),
		cmocka_unit_test(one_ball_of_two_bounces_as_by_forces),
		cmocka_unit_test(a_clump_of_one_ball_is_a_ball),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
