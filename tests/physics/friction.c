/* Friction and rolling: blocks and spheres on slopes and planes (formulas: docs/theory/laws.md, "Known answers"). */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/integrator.h"
#include "test.h"

static const real G = 9.81;

/* rotates gravity as if the plane were tilted by this angle */
static void tilt(scree_world *w, real angle) { w->model.gravity = v3(G * sin(angle), 0, -G * cos(angle)); }

/* distance that a cube slides in a tenth of a second after the slope has reached this angle */
static real slide_of_cube(real friction, real angle)
{
	scree_world *w = lab_world(lab_linear(1e4, 0.3, friction));
	real d = 0.01, m = 2500 * d * d * d;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	/* the cube starts at its static overlap */
	lab_add(w, 1, d, v3(0, 0, d / 2 - m * G * cos(angle) / 1e4));
	tilt(w, 0);
	lab_prepare(w, 0);
	/* tilts slowly to the angle: a jolt would make the cube slip, and 0.1 % of gravity would hardly stop it */
	int64_t half = (int64_t)(0.1 / w->model.dt);
	for (int64_t k = 0; k < 4 * half; ++k) {
		tilt(w, angle * (real)k / (real)(4 * half));
		lab_steps(w, 1);
	}
	tilt(w, angle);
	real x = w->state.body.x[0];
	lab_steps(w, half);
	x = w->state.body.x[0] - x;
	scree_world_free(w);
	return x;
}

/* speed gained by a sliding cube in 1/20 s on a slope far steeper than the angle of friction */
static real gain_when_sliding(real friction, real angle)
{
	scree_world *w = lab_world(lab_linear(1e4, 0.3, friction));
	real d = 0.01, m = 2500 * d * d * d;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 1, d, v3(0, 0, d / 2 - m * G * cos(angle) / 1e4));
	tilt(w, angle);
	lab_prepare(w, 0);
	int64_t half = (int64_t)(0.05 / w->model.dt);
	lab_steps(w, half); /* leaves time for friction to build up and for the pressure under the block to settle */
	real v = w->state.body.vx[0];
	lab_steps(w, half);
	v = (w->state.body.vx[0] - v) / ((real)half * w->model.dt);
	scree_world_free(w);
	return v;
}

static void block_sticks_and_slips_at_its_angle(void **state)
{
	(void)state;
	for (int k = 0; k < 3; ++k) {
		real friction = 0.2 + 0.2 * k, angle = atan(friction);
		NEAR(slide_of_cube(friction, atan(0.999 * friction)), 0, 1e-7, "0.1 % below the angle of friction it rests");
		real way = slide_of_cube(friction, atan(1.001 * friction));
		/* a = g (sin - mu cos), although sliding starts slightly earlier */
		real a = G * cos(angle) * 0.001 * friction;
		CHECK(way > 0.9 * a * 0.005, "0.1 %% above it slips: %g m", way);
		real steep = atan(1.3 * friction);
		real full = G * (sin(steep) - friction * cos(steep));
		NEAR(gain_when_sliding(friction, steep) / full, 1, 1e-3, "sliding acceleration");
	}
}

/* A sphere thrown so that it slips eventually rolls: u = 5/7 u0 after t = 2 u0/(7 mu g) */
static void thrown_sphere_rolls(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(1e5, 0.3, 0.3));
	real d = 0.02, u0 = 0.5, m = 2500 * SCREE_PI / 6 * d * d * d;
	w->model.gravity = v3(0, 0, -G);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, 0, d, v3(0, 0, d / 2 - m * G / 1e5), quat_one(), v3(u0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 0);
	real t = 2 * u0 / (7 * 0.3 * G);
	lab_steps(w, (int64_t)(0.5 * t / w->model.dt));
	NEAR(w->state.body.vx[0], u0 - 0.3 * G * w->state.time, 2e-4, "slows by friction while it slips");
	lab_steps(w, (int64_t)(t / w->model.dt));
	NEAR(w->state.body.vx[0] / u0, 5.0 / 7, 1e-4, "final speed");
	NEAR(w->state.body.wy[0] * d / 2 / u0, 5.0 / 7, 2e-3, "rolls without slip");
	scree_world_free(w);
}

static void sphere_rolls_down(void **state)
{
	(void)state;
	const real rolling[2] = {0, 0.05};
	for (int k = 0; k < 2; ++k) {
		contact_rule rule = lab_linear(1e5, 0.3, 0.5);
		rule.rolling_friction = rolling[k];
		scree_world *w = lab_world(rule);
		real d = 0.02, angle = 0.2, m = 2500 * SCREE_PI / 6 * d * d * d;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add(w, 0, d, v3(0, 0, d / 2 - m * G * cos(angle) / 1e5));
		tilt(w, angle);
		lab_prepare(w, 0);
		lab_steps(w, (int64_t)(0.2 / w->model.dt));
		real a = 5.0 / 7 * G * (sin(angle) - rolling[k] * cos(angle));
		NEAR(w->state.body.vx[0] / (a * w->state.time), 1, 5e-3, "rolling acceleration");
		energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		NEAR(e.residual / e.kinetic, 0, 1e-4, "energy");
		scree_world_free(w);
	}
}

/* the sphere stays at rest if and only if tan(angle) <= rolling friction */
static void rolling_resistance_holds(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		contact_rule rule = lab_linear(1e5, 0.3, 0.5);
		rule.rolling_friction = 0.1;
		scree_world *w = lab_world(rule);
		real d = 0.02, angle = atan(k ? 0.105 : 0.095), m = 2500 * SCREE_PI / 6 * d * d * d;
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add(w, 0, d, v3(0, 0, d / 2 - m * G * cos(angle) / 1e5));
		tilt(w, angle);
		lab_prepare(w, 0);
		int64_t half = (int64_t)(0.5 / w->model.dt);
		lab_steps(w, half);
		real x = w->state.body.x[0];
		lab_steps(w, half / 4);
		x = w->state.body.x[0] - x;
		if (k)
			CHECK(x > 1e-4, "above its angle the sphere must roll: %g", x);
		else
			NEAR(x, 0, 1e-7, "below its angle the sphere rests");
		scree_world_free(w);
	}
}

/* A ball oscillates vertically on its contact and about a horizontal axis on its rolling spring, at half the frequency:
 * a spring of fixed angle and varying stiffness would gain energy (parametric resonance). As in eq. 12 of laws.md,
 * growth and shrinkage of the contact can only remove energy from the spring. */
static void a_swing_of_the_load_drives_no_rolling(void **state)
{
	(void)state;
	for (int about = 0; about < 2; ++about) { /* rolling, torsion */
		contact_rule rule = lab_hertz(1, 0);
		/* this makes 2.25 k_n (mu R)^2 / (0.4 m R^2) a quarter of k_n / m */
		real mu = sqrt(0.25 * 0.4 / 2.25), radius = 0.005, spin = 0.05;
		*(about ? &rule.twisting_friction : &rule.rolling_friction) = mu;
		scree_world *w = lab_world(rule);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		w->model.gravity = v3(0, 0, -G);
		real mass = 2500 * 4 * SCREE_PI / 3 * radius * radius * radius;
		vec3 turn = about ? v3(0, 0, spin) : v3(0, spin, 0);
		lab_add_moving(w, 0, 2 * radius, v3(0, 0, radius), quat_one(), v3(0, 0, 0), turn);
		w->model.guard.speed = 0.01;
		lab_prepare(w, 0);
		real k = w->model.constants[0].stiffness * sqrt(radius), rest = pow(mass * G / k, 2.0 / 3);
		w->state.body.z[0] = radius - 1.5 * rest;
		w->model.guard.speed = 0;
		real inertia = 0.4 * mass * radius * radius, before = inertia * spin * spin / 2, most = 0;
		real period = 2 * SCREE_PI / sqrt(1.5 * k * sqrt(rest) / mass);
		for (int64_t i = 0; i < (int64_t)(40 * period / w->model.dt); ++i) {
			lab_steps(w, 1);
			vec3 s = v3(w->state.body.wx[0], w->state.body.wy[0], w->state.body.wz[0]);
			most = real_max(most, inertia * v3_norm2(s) / 2);
		}
		/* error due to the time step: (w dt)^2 / 4 for a spring in this scheme, where w is half of the contact's
		 * frequency */
		CHECK(most <= before * (1 + pow(SCREE_PI * w->model.dt / period, 2)), "%s: energy of the spin %g, at first %g",
			  about ? "torsion" : "rolling", most, before);
		CHECK(w->work.touching == 1, "it left the plane");
		scree_world_free(w);
	}
}

/* The larger the coefficient, the more strongly a thrown ball is decelerated once it rolls, until it cannot roll at
 * all; with every integrator, its energy never grows, and its losses are accounted for. */
static void no_rolling_friction_makes_energy(void **state)
{
	(void)state;
	static const real rolling[] = {0.1, 0.5, 1, 3, 10, 100}, restitution[] = {0.1, 0.5, 0.9, 1};
	static const char *const integrators[] = {"velocity_verlet", "gear5"};
	const int apart = test_few(2, 1) < 2 ? 5 : 1;
	for (int k = 0; k < 6 * 4 * 2 * (1 + SCREE_PAPERS); k += apart) {
		real e = restitution[k / 6 % 4], d = 0.02, u = 0.5;
		contact_rule rule = k / 24 % 2 ? lab_hertz(e, 0.5) : lab_linear(1e5, e, 0.5);
		rule.rolling_friction = rolling[k % 6];
		scree_world *w = lab_world(rule);
		w->model.integrator = scree_choice_find(&scree_integrators, integrators[k / 48]);
		w->model.gravity = v3(0, 0, -G);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, 0, d, v3(0, 0, d / 2), quat_one(), v3(u, 0, 0), v3(0, u / d, 0));
		lab_prepare(w, 0);
		real first = lab_energy(w), kinetic = scree_world_energy(&w->model, &w->state, &w->work).kinetic, most = first;
		for (int step = 0; step < (int)(0.1 / w->model.dt); ++step) {
			lab_steps(w, 1);
			most = real_max(most, lab_energy(w));
		}
		energy_row now = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(most <= first + 1e-3 * kinetic, "rolling friction %g, e = %g, %s: %g J of %g J more", rolling[k % 6], e,
			  w->model.integrator->name, most - first, kinetic);
		NEAR(now.residual / kinetic, 0, 1e-2, "what the integration made or took");
		if (rolling[k % 6] >= 1 && e < 1) /* undamped it rocks */
			NEAR(real_max(real_abs(w->state.body.vx[0]), real_abs(w->state.body.wy[0]) * d / 2), 0, 0.05 * u,
				 "it cannot roll");
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(block_sticks_and_slips_at_its_angle),
		cmocka_unit_test(thrown_sphere_rolls),
		cmocka_unit_test(sphere_rolls_down),
		cmocka_unit_test(rolling_resistance_holds),
		cmocka_unit_test(a_swing_of_the_load_drives_no_rolling),
		cmocka_unit_test(no_rolling_friction_makes_energy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
