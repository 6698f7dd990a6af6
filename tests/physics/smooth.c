/* Ellipsoids and superquadrics in motion: impacts compared with the formula for rigid bodies, conservation of energy
 * and momentum, rest, rolling, and balls defined as other shapes, for all responses. */
#include "lab.h"
#include "test.h"

#include "base/random.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "kernel/motion.h"
#include "model/response.h"
#include "model/model.h"

static int32_t add_nested(scree_world *w, vec3 axes, real power_xy, real power_z)
{
	fail why = {0};
	const int32_t row =
		scree_shapes_add_superquadric(&w->model.shape, "smooth", v3_mul(0.5, axes), power_xy, power_z, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

static int32_t add_shape(scree_world *w, vec3 axes, real power) { return add_nested(w, axes, power, power); }

static quat some_turn(uint64_t seed)
{
	random_stream r = scree_random_start(seed, 1);
	return scree_random_rotation(&r);
}

/* ------------------------------------------------------------------ balls in disguise */

/* A ball that hits a floor and (unless it is far away) another ball, with spin and friction; one or both are
 * ellipsoids. beyond: excess of the second exponent over 2, which selects the code for two exponents */
static scree_world *two_balls(bool first, bool second, real beyond, bool far, const char *response)
{
	scree_world *w = lab_world(lab_hertz(0.7, 0.4));
	const int32_t ball = add_nested(w, v3(1, 1, 1), 2, 2 + beyond);
	w->model.gravity = v3(0, 0, -9.81);
	model_respond(&w->model, scree_response_find(response));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, first ? ball : 0, 0.01, v3(0, 0, 0.005), quat_one(), v3(0.3, 0, 0), v3(3, 20, 1));
	lab_add_moving(w, second ? ball : 0, 0.012, v3(far ? 0.2 : 0.02, 0.001, 0.007), some_turn(3), v3(-0.2, 0, 0),
				   v3(0, -5, 4));
	return w;
}

/* Difference over 0.06 s between the motion of a sphere and the motion of a ball defined as another shape. In implicit
 * steps, the normal between two spheres is evaluated at the start of the step, which makes their force central, and
 * the normal between other bodies at its end. On a plane, all bodies have the same normal. With hard contacts, the
 * springs of bodies that may have several contacts are a quarter as stiff as the springs of spheres. */
typedef struct nearness {
	const char *name;
	real at, moves, turns; /* m, m/s, rad/s */
} nearness;
static const nearness near_pair[3] = {
	{"forces", 1e-11, 1e-9, 1e-7}, {"implicit", 1e-6, 1e-4, 1e-2}, {"hard", 1e-4, 5e-3, 0.5}};
static const nearness near_plane[3] = {
	{"forces", 1e-11, 1e-10, 1e-8}, {"implicit", 1e-11, 1e-10, 1e-8}, {"hard", 1e-4, 5e-3, 0.5}};

static void compare(int first, int second, real beyond, bool far, const nearness *near)
{
	const char *response = near->name;
	const bool steps = strcmp(response, "forces") == 0;
	scree_world *plain = two_balls(false, false, 0, far, response),
				*other = two_balls(first, second, beyond, far, response);
	lab_prepare(plain, steps ? 1e-6 : 2e-5);
	lab_prepare(other, steps ? 1e-6 : 2e-5);
	lab_steps(plain, steps ? 60000 : 3000);
	lab_steps(other, steps ? 60000 : 3000);
	const bodies *a = &plain->state.body, *b = &other->state.body;
	for (int i = 0; i < 2; ++i) {
		NEAR(v3_norm(v3_sub(body_position(a, i), body_position(b, i))), 0, near->at, near->name);
		NEAR(v3_norm(v3_sub(body_velocity(a, i), body_velocity(b, i))), 0, near->moves, near->name);
		NEAR(v3_norm(v3_sub(body_angular_velocity(a, i), body_angular_velocity(b, i))), 0, near->turns, near->name);
	}
	CHECK(far ? a->wy[0] > 40 : a->vx[0] < 0.2, "the balls have not met, or have not rolled: %g m/s, %g rad/s",
		  a->vx[0], a->wy[0]);
	scree_world_free(plain);
	scree_world_free(other);
}

static void a_ball_in_disguise_moves_as_a_ball(void **state)
{
	(void)state;
	for (int r = 0; r < 3; ++r)
		for (int k = 1; k < 5; ++k) {
			if (!test_drawn(r + k)) continue;
			const bool nested = k == 4;
			compare(k & 1 || nested, k & 2 || nested, nested ? 1e-13 : 0, false, near_pair + r);
			compare(k & 1 || nested, k & 2 || nested, nested ? 1e-13 : 0, true, near_plane + r);
		}
}

enum { SPHERE, ELLIPSOID, NESTED, CAPSULE, DISGUISES };
static const char *const disguise_name[DISGUISES] = {"sphere", "ellipsoid", "superquadric", "capsule"};

static int32_t add_disguise(scree_world *w, int which)
{
	fail why = {0};
	if (which == SPHERE) return 0;
	if (which == CAPSULE) return scree_shapes_add_capsule(&w->model.shape, "disguise", 1, 1, &why);
	return add_nested(w, v3(1, 1, 1), 2, which == NESTED ? 2 + 1e-13 : 2);
}

/* Two 10 mm balls that collide in free flight after 0.01 s, with an offset of this fraction of their diameter. */
static scree_world *after_impact(int which, const char *response, real aside, real step)
{
	scree_world *w = lab_world(lab_hertz(0.7, 0.4));
	const int32_t ball = add_disguise(w, which);
	model_respond(&w->model, scree_response_find(response));
	lab_add_moving(w, ball, 0.01, v3(0, 0, 0), some_turn(5), v3(0.3, 0, 0), v3(20, 0, 0));
	lab_add_moving(w, ball, 0.01, v3(0.0102371, aside * 0.01, 0), some_turn(3), v3(-0.2, 0, 0), v3(-5, 0, 0));
	lab_prepare(w, step);
	lab_steps(w, (int64_t)(0.01 / step + 0.5));
	CHECK(w->state.body.vx[0] < 0.2, "%s %s: the balls have not met", response, disguise_name[which]);
	return w;
}

/* Largest distance between the positions of a sphere and of the same ball defined as another shape, in diameters. */
static real apart(int which, int other, const char *response, real aside, real step)
{
	scree_world *w = after_impact(which, response, aside, step), *o = after_impact(other, response, aside, step);
	real most = 0;
	for (int i = 0; i < 2; ++i)
		most = real_max(most, v3_norm(v3_sub(body_position(&w->state.body, i), body_position(&o->state.body, i))));
	scree_world_free(w);
	scree_world_free(o);
	return most / 0.01;
}

/* In a central impact, the normal does not rotate and the single contact has no friction: balls defined as other shapes
 * move like spheres. For these balls, an implicit step predicts less far ahead than for spheres, so the rule for the
 * end of an impact (solver/impacts.c) may apply in a different step: in this test, it does so for one of five step
 * lengths. */
static void central_impacts_are_those_of_spheres(void **state)
{
	(void)state;
	static const char *const response[2] = {"implicit", "hard"};
	for (int k = 0; k < 2; ++k)
		for (int which = ELLIPSOID; which < DISGUISES; ++which) {
			if (!test_drawn(k + which + 2)) continue;
			int other = 0;
			for (real step = 8e-5; step > 4e-6; step /= 2) {
				const real off = apart(which, SPHERE, response[k], 0, step);
				NEAR(off, 0, 1e-5, disguise_name[which]);
				other += off > 1e-9;
			}
			CHECK(other <= !k, "%s %s: %d steps differ", response[k], disguise_name[which], other);
		}
}

/* In an oblique impact, balls defined as different shapes agree with each other. With implicit steps, the difference
 * from spheres is of first order in the step; hard contacts stick or slip on springs of a different stiffness,
 * whatever the step. */
static void oblique_impacts_differ_from_those_of_spheres_alone(void **state)
{
	(void)state;
	static const real hard[2] = {4e-4, 7e-4};
	for (real step = 4e-5; step > (test_short() ? 1.5e-5 : 4e-6); step /= 2) {
		for (int which = ELLIPSOID + 1; which < DISGUISES; ++which) {
			NEAR(apart(which, ELLIPSOID, "implicit", 0.5, step), 0, 1e-9, disguise_name[which]);
			NEAR(apart(which, ELLIPSOID, "hard", 0.5, step), 0, 1e-9, disguise_name[which]);
		}
		NEAR(apart(ELLIPSOID, SPHERE, "implicit", 0.5, step) / step, 0.056, 0.004, "distance over the step");
		const real off = apart(ELLIPSOID, SPHERE, "hard", 0.5, step);
		CHECK(off > hard[0] && off < hard[1], "hard contacts, steps of %g s: %g", step, off);
	}
}

/* ------------------------------------------------------------------ impacts */

typedef struct totals {
	real energy;
	vec3 linear, angular;
} totals;

static totals totals_of(const scree_world *w)
{
	const bodies *b = &w->state.body;
	totals t = {lab_energy(w), {0, 0, 0}, {0, 0, 0}};
	for (int32_t i = 0; i < b->owned; ++i) {
		const vec3 v = v3_mul(b->mass[i], body_velocity(b, i));
		t.linear = v3_add(t.linear, v);
		t.angular = v3_add(t.angular, v3_add(v3_cross(body_position(b, i), v),
											 momentum_of(body_orientation(b, i), body_angular_velocity(b, i),
														 v3(b->ix[i], b->iy[i], b->iz[i]))));
	}
	return t;
}

/* Two frictionless bodies at random poses collide; energy, momentum and angular momentum are conserved. */
static void impacts_keep_energy_and_momentum(void **state)
{
	(void)state;
	int64_t met = 0;
	FOR_SEEDS(12)
	{
		random_stream r = scree_random_start(test_seed, 2);
		scree_world *w = lab_world(test_seed % 2 ? lab_hertz(1, 0) : lab_linear(1e4, 1, 0));
		const int32_t a = test_seed % 4 ? add_shape(w, v3(1, 1.4, 2), 2) : add_nested(w, v3(1.2, 1.2, 1.5), 2, 6);
		const int32_t b = test_seed % 3 == 0   ? add_shape(w, v3(1.2, 1, 1.5), 2)
						  : test_seed % 3 == 1 ? add_shape(w, v3(1.2, 1, 1.5), 3.5)
											   : add_nested(w, v3(1.4, 1, 1.3), 4, 2.5);
		lab_add_moving(w, a, 0.01, v3(0, 0, 0), scree_random_rotation(&r), v3(0, 0, 0.3), v3(5, 3, -8));
		lab_add_moving(w, b, 0.01, v3(0.002, 0.001, 0.022), scree_random_rotation(&r), v3(0, 0, -0.3), v3(-3, 9, 4));
		lab_prepare(w, 2e-7);
		const totals before = totals_of(w);
		lab_steps(w, 150000);
		const totals after = totals_of(w);
		met += body_velocity(&w->state.body, 0).z < 0.2;
		NEAR(after.energy / before.energy, 1, 2e-6, "energy");
		NEAR(v3_norm(v3_sub(after.linear, before.linear)) / (1e-3 * 0.3), 0, 1e-9, "momentum");
		NEAR(v3_norm(v3_sub(after.angular, before.angular)) / (1e-3 * 0.3 * 0.01), 0, 1e-6, "angular momentum");
		scree_world_free(w);
	}
	CHECK(met * 2 > test_cases(12), "%lld pairs met", (long long)met);
}

/* A rigid frictionless body hits a plane at a point that is displaced by r from its centre: the impulse along the
 * normal is 2 v / (1/m + (r x n).I^-1 (r x n)), where v is the speed of this point. */
static void an_ellipsoid_bounces_by_the_formula(void **state)
{
	(void)state;
	const real e = 1;
	scree_world *w = lab_world(lab_linear(1e7, e, 0));
	const int32_t row = add_shape(w, v3(1, 1, 2), 2);
	const real angle = 0.6, semi[2] = {0.005, 0.01}, speed = 0.5;
	/* the long axis is in the x-z plane, because the body is rotated about y */
	const vec3 own = v3(-sin(angle), 0, cos(angle)); /* normal in the body's axes */
	const real h = sqrt(semi[0] * semi[0] * own.x * own.x + semi[1] * semi[1] * own.z * own.z);
	const vec3 down = v3(-semi[0] * semi[0] * own.x / h, 0, -semi[1] * semi[1] * own.z / h);
	const quat turn = quat_exp(v3(0, angle, 0), 1);
	const vec3 at = quat_rotate(turn, down);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, row, 0.01, v3(0, 0, h + 1e-7), turn, v3(0, 0, -speed), v3(0, 0, 0));
	NEAR(-at.z, h, 1e-12, "the lowest point");
	lab_prepare(w, 2e-9);
	lab_steps(w, 100000);
	const real mass = w->state.body.mass[0], inertia = w->state.body.iy[0], arm = at.x;
	const real impulse = (1 + e) * speed / (1 / mass + arm * arm / inertia);
	NEAR(body_velocity(&w->state.body, 0).z, -speed + impulse / mass, 4e-3 * speed, "velocity after the impact");
	NEAR(body_angular_velocity(&w->state.body, 0).y, -arm * impulse / inertia, 4e-3 * speed / 0.005, "spin");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ rest and rolling */

/* An egg that falls onto a floor comes to rest flat, at the height of its short semi-axis minus the overlap. */
static void an_egg_comes_to_rest_flat(void **state)
{
	(void)state;
	const char *const response[3] = {"forces", "implicit", "hard"};
	for (int k = test_short(); k < 3; ++k) { /* the response `forces` needs the most steps */
		scree_world *w = lab_world(lab_hertz(0.3, 0.6));
		const int32_t row = add_shape(w, v3(1, 1, 1.6), k == 1 ? 2.5 : 2);
		for (int32_t m = 0; m < w->model.material.count * w->model.material.count; ++m)
			w->model.material.rule[m].rolling_friction = 0.1;
		w->model.gravity = v3(0, 0, -9.81);
		model_respond(&w->model, scree_response_find(response[k]));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, row, 0.01, v3(0, 0, 0.009), quat_exp(v3(0.9, 0.2, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
		lab_prepare(w, k ? 1e-4 : 2e-6);
		lab_steps(w, k ? 15000 : 750000);
		const bodies *b = &w->state.body;
		NEAR(v3_norm(body_velocity(b, 0)), 0, 2e-3, response[k]);
		NEAR(b->z[0], 0.005, 5e-5, response[k]);
		NEAR(quat_rotate(body_orientation(b, 0), v3(0, 0, 1)).z, 0, 0.05, "the long axis lies");
		scree_world_free(w);
	}
}

/* On a slope with enough friction, an ellipsoid of revolution with its axis across the slope rolls like a cylinder
 * with the same radius of gyration. */
static void an_ellipsoid_rolls_down(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.9));
	const int32_t row = add_shape(w, v3(1, 1, 1.8), 2);
	const real slope = 0.2, g = 9.81, time = 0.3;
	w->model.gravity = v3(g * sin(slope), 0, -g * cos(slope));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, row, 0.01, v3(0, 0, 0.005), quat_exp(v3(1.5707963267948966, 0, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 2e-6);
	lab_steps(w, (int64_t)(time / 2e-6));
	/* I = 2/5 m a^2 about the long axis, so the acceleration is g sin / (1 + 2/5) */
	NEAR(w->state.body.vx[0] / (g * sin(slope) * time / 1.4), 1, 2e-3, "speed");
	NEAR(w->state.body.y[0], 0, 1e-9, "it rolls straight");
	scree_world_free(w);
}

/* Fraction of its energy that an ellipsoid loses to the method while it rocks for a second; swings: number of half
 * swings. */
static real lost_in_rocking(const char *response, real step, int *swings)
{
	scree_world *w = lab_world(lab_hertz(1, 0.9));
	const int32_t row = add_shape(w, v3(1, 0.8, 0.6), 2);
	const real size = 0.02, tilt = 0.35, up = size / 2 * hypot(0.8 * sin(tilt), 0.6 * cos(tilt));
	w->model.gravity = v3(0, 0, -9.81);
	model_respond(&w->model, scree_response_find(response));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	/* hard contacts would push overlapping bodies apart */
	lab_add_moving(w, row, size, v3(0, 0, up - (*response == 'h' ? 0 : 1e-5)), quat_exp(v3(tilt, 0, 0), 1), v3(0, 0, 0),
				   v3(0, 0, 0));
	lab_prepare(w, step);
	const bodies *b = &w->state.body;
	*swings = 0;
	for (real before = 0; w->state.time < 1;) {
		lab_steps(w, 1);
		*swings += before * b->wx[0] < 0;
		before = b->wx[0];
	}
	const real part =
		scree_world_energy(&w->model, &w->state, &w->work).lost_method / (b->mass[0] * 9.81 * (up - 0.3 * size));
	scree_world_free(w);
	return part;
}

/* Implicit steps use the predicted overlap, but the lever arm and the normal at the current pose. With the predicted
 * lever arm and normal, an oscillation of frequency f would lose a fraction 2 pi^2 f (2 a - 1) h of its energy per
 * half swing. The actual loss is about a tenth of this or less. */
static void rocking_loses_little(void **state)
{
	(void)state;
	int swings;
	NEAR(lost_in_rocking("forces", 1e-5, &swings), 0, 1e-12, "by forces");
	for (int k = 0; k < 6; ++k) {
		if (!test_drawn(k + 3)) continue;
		const char *const response = k % 2 ? "hard" : "implicit";
		const real step = k / 2 == 0 ? 2e-4 : k / 2 == 1 ? 5e-4 : 1e-3, lost = lost_in_rocking(response, step, &swings);
		const real ahead = (k % 2 ? 1 : 0.25) * step, f = swings / 2.0;
		const real lags = 1 - exp(-2 * SCREE_PI * SCREE_PI * f * ahead * swings);
		print_message("%s, step %g: %d half swings, lost %.4f; an arm ahead would lose %.4f\n", response, step, swings,
					  lost, lags);
		CHECK(swings == 8, "%d half swings", swings);
		NEAR(lost, 0, 0.11 * lags, response);
	}
}

/* A cylinder released with a tilted axis comes to rest on its end or on its side. */
static void a_cylinder_stands_and_lies(void **state)
{
	(void)state;
	const char *const response[3] = {"forces", "implicit", "hard"};
	for (int k = 0; k < 6; ++k) {
		if (!test_drawn(k + 2)) continue;
		const bool stands = k % 2;
		scree_world *w = lab_world(lab_hertz(0.3, 0.6));
		const int32_t row = add_nested(w, v3(1, 1, 1.2), 2, 8);
		for (int32_t m = 0; m < w->model.material.count * w->model.material.count; ++m)
			w->model.material.rule[m].rolling_friction = 0.1;
		w->model.gravity = v3(0, 0, -9.81);
		model_respond(&w->model, scree_response_find(response[k / 2]));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, row, 0.01, v3(0, 0, 0.0085), quat_exp(v3(stands ? 0.25 : 1.25, 0.1, 0), 1), v3(0, 0, 0),
					   v3(0, 0, 0));
		lab_prepare(w, k > 1 ? 1e-4 : 2e-6);
		lab_steps(w, k > 1 ? 10000 : 500000);
		const bodies *b = &w->state.body;
		const real up = fabs(quat_rotate(body_orientation(b, 0), v3(0, 0, 1)).z);
		NEAR(v3_norm(body_velocity(b, 0)), 0, 2e-3, response[k / 2]);
		NEAR(b->z[0], stands ? 0.006 : 0.005, 5e-5, response[k / 2]);
		NEAR(up, stands, 0.02, stands ? "it stands" : "it lies");
		scree_world_free(w);
	}
}

/* A cylinder rolls down a slope at a rate that depends on its radius of gyration about its axis. With rounded edges
 * (exponent 8), this radius is 0.985 times the radius of gyration of a sharp-edged cylinder, whose acceleration is 2/3
 * g sin. */
static void a_cylinder_rolls_down(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.9));
	const int32_t row = add_nested(w, v3(1, 1, 1.8), 2, 8);
	const shape *s = w->model.shape.row + row;
	const real slope = 0.2, g = 9.81, time = 0.3, part = s->inertia.z / (s->volume * 0.25);
	w->model.gravity = v3(g * sin(slope), 0, -g * cos(slope));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, row, 0.01, v3(0, 0, 0.005), quat_exp(v3(1.5707963267948966, 0, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 2e-6);
	lab_steps(w, (int64_t)(time / 2e-6));
	NEAR(part, 0.5 * tgamma(1.5) / tgamma(1.625) * tgamma(1.375) / tgamma(1.25), 1e-12,
		 "square of the radius of gyration");
	NEAR(w->state.body.vx[0] / (g * sin(slope) * time / (1 + part)), 1, 2e-3, "speed");
	NEAR(1 / (1 + part), 2.0 / 3, 0.01, "a cylinder with edges");
	NEAR(w->state.body.y[0], 0, 1e-9, "it rolls straight");
	scree_world_free(w);
}

/* A cylinder thrown with a spin: its axis precesses about the angular momentum at a rate of L / I, where I is the
 * transverse moment of inertia (Euler's torque-free symmetric top). */
static void a_thrown_cylinder_precesses(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	const int32_t row = add_nested(w, v3(1, 1, 2.2), 2, 8);
	const vec3 spin = v3(30, 0, 80), axis = v3(0, 0, 1);
	const real time = 0.2;
	lab_add_moving(w, row, 0.01, v3(0, 0, 0), quat_one(), v3(0, 0, 0), spin);
	lab_prepare(w, 1e-5);
	lab_steps(w, (int64_t)(time / 1e-5 + 0.5));
	const bodies *b = &w->state.body;
	const vec3 momentum = v3(b->ix[0] * spin.x, 0, b->iz[0] * spin.z);
	const real turned = v3_norm(momentum) / b->ix[0] * time;
	const vec3 wanted = quat_rotate(quat_exp(v3_mul(turned, v3_unit(momentum)), 1), axis);
	NEAR(v3_norm(v3_sub(quat_rotate(body_orientation(b, 0), axis), wanted)), 0, 1e-4, "its axis");
	CHECK(v3_norm(v3_sub(wanted, axis)) > 0.1, "the axis has not turned");
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ball_in_disguise_moves_as_a_ball),
		cmocka_unit_test(central_impacts_are_those_of_spheres),
		cmocka_unit_test(oblique_impacts_differ_from_those_of_spheres_alone),
		cmocka_unit_test(impacts_keep_energy_and_momentum),
		cmocka_unit_test(an_ellipsoid_bounces_by_the_formula),
		cmocka_unit_test(an_egg_comes_to_rest_flat),
		cmocka_unit_test(an_ellipsoid_rolls_down),
		cmocka_unit_test(rocking_loses_little),
		cmocka_unit_test(a_cylinder_stands_and_lies),
		cmocka_unit_test(a_cylinder_rolls_down),
		cmocka_unit_test(a_thrown_cylinder_precesses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
