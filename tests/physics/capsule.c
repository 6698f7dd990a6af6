/* Capsules in motion: a ball defined as a capsule, impacts that conserve energy, capsules at rest on their side and on
 * each other, and rolling. */
#include "lab.h"
#include "test.h"

#include "base/random.h"
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "kernel/quat.h"
#include "kernel/motion.h"
#include "model/model.h"
#include "model/response.h"
#include "narrow/narrow.h"
#include "wall/walls.h"

static int32_t add_shape(scree_world *w, real length)
{
	fail why = {0};
	const int32_t row = scree_shapes_add_capsule(&w->model.shape, "capsule", length, 1, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* Difference over 0.06 s between the motion of a sphere and the motion of a ball defined as another shape. In implicit
 * steps, the normal between two spheres is evaluated at the start of the step, and the normal between other bodies at
 * its end. */
typedef struct nearness {
	const char *name;
	real at, moves, turns; /* m, m/s, rad/s */
} nearness;
static const nearness all_near[3] = {
	{"forces", 1e-11, 1e-9, 1e-7}, {"implicit", 1e-6, 1e-4, 1e-2}, {"hard", 1e-4, 5e-3, 0.5}};

static scree_world *two_balls(bool first, bool second, const char *response)
{
	scree_world *w = lab_world(lab_hertz(0.7, 0.4));
	const int32_t ball = add_shape(w, 1);
	const bool steps = strcmp(response, "forces") == 0;
	w->model.gravity = v3(0, 0, -9.81);
	model_respond(&w->model, scree_response_find(response));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, first ? ball : 0, 0.01, v3(0, 0, 0.005), quat_one(), v3(0.3, 0, 0), v3(3, 20, 1));
	lab_add_moving(w, second ? ball : 0, 0.012, v3(0.02, 0.001, 0.007), quat_exp(v3(0.3, 1, 0.2), 1), v3(-0.2, 0, 0),
				   v3(0, -5, 4));
	lab_prepare(w, steps ? 1e-6 : 2e-5);
	lab_steps(w, steps ? 60000 : 3000);
	return w;
}

static void a_capsule_without_length_moves_as_a_ball(void **state)
{
	(void)state;
	for (int r = 0; r < 3; ++r) {
		const nearness *near = all_near + r;
		scree_world *plain = two_balls(false, false, near->name);
		for (int k = 1; k < 4; ++k) {
			if (!test_drawn(r + k)) continue;
			scree_world *other = two_balls(k & 1, k & 2, near->name);
			const bodies *a = &plain->state.body, *b = &other->state.body;
			for (int32_t i = 0; i < 2; ++i) {
				NEAR(v3_norm(v3_sub(body_position(a, i), body_position(b, i))), 0, near->at, near->name);
				NEAR(v3_norm(v3_sub(body_velocity(a, i), body_velocity(b, i))), 0, near->moves, near->name);
				NEAR(v3_norm(v3_sub(body_angular_velocity(a, i), body_angular_velocity(b, i))), 0, near->turns,
					 near->name);
			}
			scree_world_free(other);
		}
		CHECK(body_velocity(&plain->state.body, 0).x < 0.2, "the balls have not met");
		scree_world_free(plain);
	}
}

static void impacts_keep_energy_and_momentum(void **state)
{
	(void)state;
	int64_t met = 0;
	FOR_SEEDS(12)
	{
		random_stream r = scree_random_start(test_seed, 2);
		scree_world *w = lab_world(test_seed % 2 ? lab_hertz(1, 0) : lab_linear(1e4, 1, 0));
		const int32_t a = add_shape(w, 2.5), b = add_shape(w, 1.4);
		lab_add_moving(w, a, 0.01, v3(0, 0, 0), scree_random_rotation(&r), v3(0, 0, 0.3), v3(5, 3, -8));
		lab_add_moving(w, b, 0.01, v3(0.002, 0.001, 0.022), scree_random_rotation(&r), v3(0, 0, -0.3), v3(-3, 9, 4));
		lab_prepare(w, 2e-7);
		const real energy = lab_energy(w), mass = w->state.body.mass[0], other = w->state.body.mass[1];
		const vec3 before = v3(0, 0, 0.3 * (mass - other));
		lab_steps(w, 150000);
		const vec3 after =
			v3_add(v3_mul(mass, body_velocity(&w->state.body, 0)), v3_mul(other, body_velocity(&w->state.body, 1)));
		met += body_velocity(&w->state.body, 0).z < 0.2;
		NEAR(lab_energy(w) / energy, 1, 1e-7, "energy");
		NEAR(v3_norm(v3_sub(after, before)) / (1e-3 * 0.3), 0, 1e-9, "momentum");
		scree_world_free(w);
	}
	CHECK(met * 2 > test_cases(12), "%lld pairs met", (long long)met);
}

/* Nearly parallel rods touch at both ends, at one end and where they cross, with each kind of spring. */
static void almost_parallel_rods_keep_energy(void **state)
{
	(void)state;
	FOR_SEEDS(8)
	{
		random_stream r = scree_random_start(test_seed, 3);
		scree_world *w = lab_world(test_seed % 2 ? lab_hertz(1, 0) : lab_linear(1e4, 1, 0));
		const int32_t row = add_shape(w, 3);
		const vec3 askew = v3(scree_random_between(&r, -0.02, 0.02), scree_random_between(&r, -0.02, 0.02), 0);
		lab_add_moving(w, row, 0.01, v3(0, 0, 0), quat_one(), v3(0, 0, 0), v3(0, 0, 0));
		lab_add_moving(w, row, 0.01, v3(0.0102, 0, scree_random_between(&r, -0.015, 0.015)), quat_exp(askew, 1),
					   v3(-0.2, 0, 0), v3(scree_random_between(&r, -3, 3), scree_random_between(&r, -3, 3), 0));
		lab_prepare(w, 2e-7);
		const real energy = lab_energy(w);
		lab_steps(w, 60000);
		NEAR(lab_energy(w) / energy, 1, 1e-4, "energy");
		CHECK(w->state.body.vx[0] < -0.01, "the rods have not met");
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ transitions between contacts */

/* Force along x on the second of two rods that are side by side, with this angle between them, this surface energy,
 * and this velocity of the second rod towards the first. */
static real force_at(real angle, real surface, real speed, const char *response)
{
	contact_rule rule = lab_linear(1e4, speed > 0 ? 0.5 : 1, 0);
	rule.cohesion = surface > 0 ? COHESION_DMT : COHESION_NONE;
	rule.surface = surface;
	scree_world *w = lab_world(rule);
	const int32_t row = add_shape(w, 3);
	model_respond(&w->model, scree_response_find(response));
	new_body held = {.shape = row, .size = 0.01, .orientation = quat_one(), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	const uint64_t id = lab_add_moving(w, row, 0.01, v3(0.0099, 0, 0), quat_exp(v3(angle, 0, 0), 1),
									   v3(speed > 0 ? -speed : 0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 1e-9);
	lab_steps(w, 1);
	const real force = w->state.body.fx[lab_row(w, id)];
	scree_world_free(w);
	return force;
}

/* As the two contacts of parallel rods merge into the one contact of crossing rods, a quantity that is `most` times as
 * large for two contacts as for one changes continuously. */
static void check_fading(real (*of)(real angle), real one, real most, const char *what)
{
	const int angles = test_short() ? 40 : 400;
	real last = 0, wide = 0;
	for (int k = 0; k <= angles; ++k) {
		const real angle = 0.1 * k / angles, now = of(angle) / one;
		CHECK(now > 1 - 1e-4 && now < most + 1e-4, "%s: %g at %g rad", what, now, angle);
		if (k) wide = real_max(wide, real_abs(now - last));
		last = now;
	}
	CHECK(wide < 12.0 / angles, "%s: a jump by %g", what, wide);
	NEAR(of(0) / one, most, 1e-4, what);
	NEAR(of(1.2) / one, 1, 1e-4, what);
}

static const real SURFACE = 0.01, SPEED = 0.01;
static real pull_at(real angle) { return force_at(angle, 0, 0, "forces") - force_at(angle, SURFACE, 0, "forces"); }
static real brake_at(real angle) { return force_at(angle, 0, SPEED, "forces") - force_at(angle, 0, 0, "forces"); }

static void attraction_of_rods_fades(void **state)
{
	(void)state;
	check_fading(pull_at, 4 * SCREE_PI * SURFACE * 0.0025, 2, "pull of DMT");
}

static void linear_dashpots_of_rods_fade(void **state)
{
	(void)state;
	check_fading(brake_at, brake_at(1.2), sqrt(2), "dashpots");
}

static const char *const ways[3] = {"forces", "implicit", "hard"};

static void settle(scree_world *w, int k, real time)
{
	w->model.gravity = v3(0, 0, -9.81);
	model_respond(&w->model, scree_response_find(ways[k]));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_prepare(w, k ? 1e-4 : 2e-6);
	lab_steps(w, (int64_t)(time / (k ? 1e-4 : 2e-6)));
}

/* A capsule that falls onto a floor comes to rest on its side, with a contact at each end. */
static void a_capsule_comes_to_rest_on_its_side(void **state)
{
	(void)state;
	for (int k = test_short(); k < 3; ++k) { /* the response `forces` needs the most steps */
		scree_world *w = lab_world(lab_hertz(0.3, 0.6));
		const int32_t row = add_shape(w, 2);
		for (int32_t m = 0; m < w->model.material.count * w->model.material.count; ++m)
			w->model.material.rule[m].rolling_friction = 0.1;
		lab_add_moving(w, row, 0.01, v3(0, 0, 0.011), quat_exp(v3(0.9, 0.2, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
		settle(w, k, 1);
		const bodies *b = &w->state.body;
		NEAR(v3_norm(body_velocity(b, 0)), 0, 2e-3, ways[k]);
		NEAR(b->z[0], 0.005, 5e-5, ways[k]);
		NEAR(quat_rotate(body_orientation(b, 0), v3(0, 0, 1)).z, 0, 0.01, "the axis lies");
		scree_world_free(w);
	}
}

/* A rod is never placed so that it passes through a plate, a thin slab, a tube or a two-sided plane. */
static void rods_are_not_placed_through_walls(void **state)
{
	(void)state;
	fail why = {0};
	static const int32_t t[6] = {0, 1, 2, 0, 2, 3};
	const vec3 p[4] = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}};
	scree_world *w = lab_world(lab_hertz(0.3, 0.6));
	wall plate = scree_wall_default("plate", 0), plane = scree_wall_default("plane", 0);
	const int32_t row = add_shape(w, 3);
	plate.two_sided = plane.two_sided = true;
	assert_true(scree_walls_add_mesh(&w->model.wall, plate, 4, p, 2, t, &why) == 0);
	assert_true(scree_walls_add_plane(&w->model.wall, plane, v3(0, 0, 0), v3(0, 0, 1), &why) == 1);
	assert_true(scree_walls_add_cylinder(&w->model.wall, scree_wall_default("tube", 0), v3(0, 0, -0.005), v3(0, 1, 0),
										 0.002, 1, SIDE_INSIDE, &why) == 2);
	lab_prepare(w, 1e-6);
	for (int32_t k = 0; k < 3; ++k)
		for (int through = 0; through < 2; ++through) {
			const vec3 at = v3(0.1, 0.2, through ? 0.001 : 0.02);
			const placed b = {w->model.shape.row + row, k < 2 ? at : v3_sub(at, v3(0.1, 0, 0)),
							  quat_matrix(quat_exp(v3(0.1, 0, 0), 1)), 0.01};
			CHECK(scree_curved_meets_wall(&w->model, k, &b) == (through == 1), "wall %d, through: %d", k, through);
		}
	scree_world_free(w);
}

/* A capsule rests on two parallel capsules that are held apart: all axes remain parallel. */
static void parallel_capsules_rest_on_each_other(void **state)
{
	(void)state;
	for (int k = test_short(); k < 3; ++k) {
		scree_world *w = lab_world(lab_hertz(0.3, 0.6));
		const int32_t row = add_shape(w, 3);
		const quat lies = quat_exp(v3(1.5707963267948966, 0, 0), 1);
		const real up = 0.005 + sqrt(0.01 * 0.01 - 0.006 * 0.006);
		for (int i = 0; i < 2; ++i) {
			new_body held = {.shape = row,
							 .size = 0.01,
							 .position = v3(i ? 0.006 : -0.006, 0, 0.005),
							 .orientation = lies,
							 .flags = BODY_HELD};
			scree_world_add(&w->model, &w->state, &w->work, 1, &held);
		}
		lab_add_moving(w, row, 0.01, v3(0, 0.002, up + 2e-4), quat_mul(quat_exp(v3(0, 0, 0.01), 1), lies), v3(0, 0, 0),
					   v3(0, 0, 0));
		settle(w, k, 0.4);
		const bodies *b = &w->state.body;
		NEAR(v3_norm(body_velocity(b, 2)), 0, 1e-3, ways[k]);
		NEAR(b->z[2], up, 5e-5, ways[k]);
		NEAR(quat_rotate(body_orientation(b, 2), v3(0, 0, 1)).z, 0, 1e-3, "the upper axis lies");
		scree_world_free(w);
	}
}

/* The contact time, which determines the step, is at most the Hertzian contact time of an impact on a tip with the
 * capsule's own radius: it is computed for two contacts with the radius of the sphere of equal volume, which is
 * larger. */
static void the_contact_time_is_not_longer_than_an_impact(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) {
		scree_world *w = lab_world(lab_hertz(1, 0));
		const int32_t row = add_shape(w, 1 + 3 * k);
		const real speed = 0.1;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, row, 0.01, v3(0, 0, 0.005 * (1 + 3 * k) + 1e-7), quat_one(), v3(0, 0, -speed), v3(0, 0, 0));
		lab_prepare(w, 0);
		const real expected = w->model.contact_time;
		lab_prepare(w, expected / 500);
		bool touched = false;
		real from = 0;
		for (int n = 0; n < 100000 && !(touched && !w->work.touching); ++n) {
			lab_steps(w, 1);
			if (!touched && w->work.touching) from = w->state.time;
			touched |= w->work.touching > 0;
		}
		CHECK(touched && w->state.time - from >= expected, "a contact of %g s, expected at least %g s",
			  w->state.time - from, expected);
		scree_world_free(w);
	}
}

/* On a slope with enough friction, a capsule lying across the slope rolls with an acceleration of g sin / (1 + I / (m
 * r^2)). */
static void a_capsule_rolls_down(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.9));
	const int32_t row = add_shape(w, 3);
	const real slope = 0.2, g = 9.81, time = 0.3;
	w->model.gravity = v3(g * sin(slope), 0, -g * cos(slope));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, row, 0.01, v3(0, 0, 0.005), quat_exp(v3(1.5707963267948966, 0, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 2e-6);
	lab_steps(w, (int64_t)(time / 2e-6));
	/* volumes of the cylinder and of both hemispheres are in the ratio 2 to 2/3, and their moments of inertia are 1/2 m
	 * r^2 and 2/5 m r^2 */
	const real spin = (2 * 0.5 + 2.0 / 3 * 0.4) / (2 + 2.0 / 3);
	NEAR(w->state.body.vx[0] / (g * sin(slope) * time / (1 + spin)), 1, 2e-3, "speed");
	NEAR(w->state.body.y[0], 0, 1e-9, "it rolls straight");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_capsule_without_length_moves_as_a_ball),
		cmocka_unit_test(impacts_keep_energy_and_momentum),
		cmocka_unit_test(almost_parallel_rods_keep_energy),
		cmocka_unit_test(attraction_of_rods_fades),
		cmocka_unit_test(linear_dashpots_of_rods_fade),
		cmocka_unit_test(a_capsule_comes_to_rest_on_its_side),
		cmocka_unit_test(rods_are_not_placed_through_walls),
		cmocka_unit_test(parallel_capsules_rest_on_each_other),
		cmocka_unit_test(the_contact_time_is_not_longer_than_an_impact),
		cmocka_unit_test(a_capsule_rolls_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
