/* Gear's integrators: their orders, their energy error in a contact, and derivatives that stay with the bodies. The
 * reference for the orders is the damped oscillator x'' = -x - 2 zeta x', computed as a complex exponential. Needs
 * SCREE_PAPERS. */
#include "kernel/gear.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "prepare/prepare.h"
#include "test.h"

#include <complex.h>
#include <stdlib.h>

static const char *const all_gears[] = {"gear4", "gear5/position", "gear5", "gear6/position", "gear6"};
enum { GEARS = 5, EXACT = 99 };

static const gear_rule *rule_of(const char *name)
{
	return ((const integrator *)scree_choice_find(&scree_integrators, name))->gear;
}

/* x and its derivatives at time t, with x(0) = 1, x'(0) = -zeta */
static real oscillator(real zeta, int derivative, real t)
{
	double complex rate = -zeta + I * sqrt(1 - zeta * zeta), x = cexp(rate * t);
	for (int k = 0; k < derivative; ++k) x *= rate;
	return creal(x);
}

typedef struct errors {
	real last, worst;
} errors;

/* From t = 0 to 10. The initial values are exact up to this derivative; higher derivatives are zero. */
static errors of_kernel(const gear_rule *r, real zeta, real dt, int exact)
{
	real q[GEAR_MOST] = {0}, scale = 1;
	errors e = {0, 0};
	for (int k = 0; k < r->values; ++k) {
		q[k] = k <= exact ? scale * oscillator(zeta, k, 0) : 0;
		scale *= dt / (k + 1);
	}
	int steps = (int)(10 / dt + 0.5);
	for (int n = 1; n <= steps; ++n) {
		gear_predict(r->values, q);
		gear_correct(r->values, r->alpha, q, dt * dt / 2 * (-q[0] - 2 * zeta * q[1] / dt));
		e.last = fabs(q[0] - oscillator(zeta, 0, n * dt));
		e.worst = real_max(e.worst, e.last);
	}
	return e;
}

static real order(errors coarse, errors fine) { return log2(coarse.worst / fine.worst); }

/* values of the same table, computed by another program */
static void orders_are_those_of_the_table(void **state)
{
	(void)state;
	static const real want[GEARS][4] = {/* order and error at t = 10 and dt = 0.0125, undamped and with zeta = 0.1 */
										{4, 5.1e-9, 3, 2.1e-7},
										{5, 9.0e-11, 4, 1.6e-9},
										{4, 1.6e-9, 4, 6.0e-10},
										{6, 7.2e-13, 5, 3.3e-11},
										{5, 2.7e-11, 5, 3.9e-11}};
	for (int g = 0; g < GEARS; ++g)
		for (int damped = 0; damped < 2; ++damped) {
			errors e[4];
			real zeta = damped ? 0.1 : 0;
			for (int k = 0; k < 4; ++k) e[k] = of_kernel(rule_of(all_gears[g]), zeta, 0.1 / (1 << k), EXACT);
			print_message("%s, zeta %g: order %.2f, error %.2e, worst %.2e\n", all_gears[g], zeta, order(e[2], e[3]),
						  e[3].last, e[3].worst);
			for (int k = 1; k < 4; ++k) NEAR(order(e[k - 1], e[k]), want[g][2 * damped], 0.15, "order");
			NEAR(e[3].last / want[g][2 * damped + 1], 1, 0.03, "error at t = 10"); /* two digits */
		}
}

/* derivatives that are unknown at the start reduce the order: all except position and velocity, or all above the
 * acceleration */
static void a_start_from_nothing_is_of_first_order(void **state)
{
	(void)state;
	for (int g = 0; g < GEARS; ++g) {
		const gear_rule *r = rule_of(all_gears[g]);
		errors none[2] = {of_kernel(r, 0.1, 0.025, 1), of_kernel(r, 0.1, 0.0125, 1)};
		errors second[2] = {of_kernel(r, 0.1, 0.025, 2), of_kernel(r, 0.1, 0.0125, 2)};
		NEAR(order(none[0], none[1]), 1, 0.05, "order without the acceleration");
		NEAR(order(second[0], second[1]), 2, 0.08, "order with it");
	}
}

/* growth of an oscillation per radian, long after the start */
static real growth(const gear_rule *r, real h, real zeta)
{
	enum { STEPS = 20000 };
	real q[GEAR_MOST] = {1, 0.3 * h, 0.2 * h * h}, sum = 0;
	for (int n = 0; n < STEPS; ++n) {
		gear_predict(r->values, q);
		gear_correct(r->values, r->alpha, q, h * h / 2 * (-q[0] - 2 * zeta * q[1] / h));
		real size = fabs(q[0]) + fabs(q[1] / h) + fabs(q[2]) + fabs(q[3]);
		if (n >= STEPS / 2) sum += log(size);
		for (int k = 0; k < GEAR_MOST; ++k) q[k] /= size;
	}
	return sum / (STEPS / 2 * h);
}

static void limits_of_stability_hold(void **state)
{
	(void)state;
	static const real zetas[] = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 4, 10};
	for (int g = 0; g < GEARS; ++g)
		for (size_t z = 0; z < sizeof zetas / sizeof *zetas; ++z) {
			const gear_rule *r = rule_of(all_gears[g]);
			real h = 1 / (r->limit[0] + r->limit[1] * zetas[z]);
			CHECK(growth(r, h, zetas[z]) < 0, "%s grows at its limit, zeta %g", all_gears[g], zetas[z]);
			CHECK(growth(r, 2 * h, zetas[z]) > 0, "%s: the limit is of no use at zeta %g", all_gears[g], zetas[z]);
		}
}

/* ------------------------------------------------------------------ the engine, end to end */

static scree_world *gear_world(contact_rule rule, const char *name)
{
	scree_world *w = lab_world(rule);
	w->model.integrator = scree_choice_find(&scree_integrators, name);
	CHECK(w->model.integrator, "there is no %s", name);
	return w;
}

/* A ball with a diameter of 1 m rests on a plane, and time is measured in radians; it oscillates about its rest
 * position by half the static overlap. dt: step in radians; exact: the highest derivative that is exact at the start.
 */
typedef struct pressed {
	scree_world *w;
	real rest, swing, zeta, omega;
} pressed;

static pressed pressed_ball(const char *name, real restitution, real dt, int exact)
{
	pressed p = {.w = gear_world(lab_linear(1e5, restitution, 0), name)};
	scree_world *w = p.w;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 0, 1, v3(0, 0, 0.5));
	p.omega = sqrt(1e5 / w->state.body.mass[0]);
	w->model.gravity = v3(0, 0, -0.1 * p.omega * p.omega);
	lab_prepare(w, dt / p.omega);
	p.zeta = w->model.constants->damping;
	p.rest = 0.5 - 0.1;
	p.swing = 0.05;
	w->state.body.z[0] = p.rest + p.swing * oscillator(p.zeta, 0, 0);
	w->state.body.vz[0] = p.swing * p.omega * oscillator(p.zeta, 1, 0);
	real scale = dt * dt / 2;
	for (int k = 2; w->model.integrator->gear && k < w->model.integrator->gear->values; ++k) {
		w->state.body.extra[6 * (k - 2) + 2][0] = k <= exact ? scale * p.swing * oscillator(p.zeta, k, 0) : 0;
		scale *= dt / (k + 1);
	}
	return p;
}

static errors of_engine(const char *name, real restitution, real dt, int exact)
{
	pressed p = pressed_ball(name, restitution, dt, exact);
	errors e = {0, 0};
	int steps = (int)(10 / dt + 0.5);
	for (int n = 1; n <= steps; ++n) {
		lab_steps(p.w, 1);
		e.last = fabs((p.w->state.body.z[0] - p.rest) / p.swing - oscillator(p.zeta, 0, n * dt));
		e.worst = real_max(e.worst, e.last);
	}
	scree_world_free(p.w);
	return e;
}

/* the orders are the same with the laws, sums and stages of a step, for steps of 0.05 and 0.025 radians, at which
 * rounding is negligible */
static void a_ball_in_contact_swings_with_that_order(void **state)
{
	(void)state;
	static const real want[GEARS][2] = {{4, 3}, {5, 4}, {4, 4}, {6, 5}, {5, 5}};
	for (int g = 0; g < GEARS; ++g)
		for (int damped = 0; damped < 2; ++damped) {
			real e = damped ? 0.8 : 1;
			errors coarse = of_engine(all_gears[g], e, 0.05, EXACT), fine = of_engine(all_gears[g], e, 0.025, EXACT);
			errors rough[2] = {of_engine(all_gears[g], e, 0.05, 1), of_engine(all_gears[g], e, 0.025, 1)};
			print_message("%s, restitution %g: order %.2f (%.2e, %.2e), from forces alone %.2f (%.2e)\n", all_gears[g],
						  e, order(coarse, fine), coarse.worst, fine.worst, order(rough[0], rough[1]), rough[1].worst);
			NEAR(order(coarse, fine), want[g][damped], 0.2, "order in a contact");
			CHECK(order(rough[0], rough[1]) > 1.8, "the acceleration of the start is not known");
		}
	errors verlet[2] = {of_engine("velocity_verlet", 0.8, 0.05, 0), of_engine("velocity_verlet", 0.8, 0.025, 0)};
	print_message("velocity_verlet: %.2e %.2e\n", verlet[0].worst, verlet[1].worst);
	NEAR(order(verlet[0], verlet[1]), 2, 0.1, "velocity Verlet");
}

static real energy_of(const pressed *p)
{
	const bodies *b = &p->w->state.body;
	real z = (b->z[0] - p->rest) / p->swing, v = b->vz[0] / (p->swing * p->omega);
	return z * z + v * v;
}

/* Elastic contacts with 50 steps each. Velocity Verlet is symplectic: its energy oscillates and does not drift. The
 * energy of Gear's integrators drifts, per radian, in proportion to the fifth power of the step. */
static void energy_of_a_contact_drifts_slowly(void **state)
{
	(void)state;
	const real h = SCREE_PI / 50, h5 = h * h * h * h * h;
	const int64_t half = test_cases(20000); /* 4e6 steps in total in ./dev check */
	static const real parts[GEARS] = {-1.0 / 12, 0.0746, 0.1277, 0.0006, -0.018};
	for (int g = -1; g < GEARS; ++g) {
		const char *name = g < 0 ? "velocity_verlet" : all_gears[g];
		pressed p = pressed_ball(name, 1, h, EXACT);
		real low = 1, high = 1, first = 0;
		for (int64_t n = 0; n < 2 * half; ++n) {
			lab_steps(p.w, 1);
			real e = energy_of(&p);
			low = real_min(low, e);
			high = real_max(high, e);
			if (n == half - 1) first = high - low;
		}
		real radians = 2 * (real)half * h, drift = log(energy_of(&p));
		print_message("%s: %.3e over %.0f radians, between %.3e and %.3e\n", name, drift, radians, low - 1, high - 1);
		if (g < 0) {
			NEAR(high - low, first, 1e-3 * h * h, "velocity Verlet does not drift");
			CHECK(high - low < h * h, "it wavers by %g", high - low);
		} else {
			NEAR(drift, parts[g] * h5 * radians,
				 0.05 * fabs(parts[g]) * h5 * radians + 2e-3 * h5 * radians + h * h / 50, "drift");
		}
		scree_world_free(p.w);
	}
}

/* The energy of a spring depends on its length: only the integrator causes a residual, which is of the integrator's
 * order, and `made` is zero. */
typedef struct booked {
	real residual, made, sum; /* largest value over two or more oscillations, relative to their energy */
} booked;

static booked book_of(const char *name, real dt)
{
	pressed p = pressed_ball(name, 1, dt, EXACT);
	real unit = p.w->state.body.mass[0] / 2 * p.swing * p.swing * p.omega * p.omega;
	booked most = {0, 0, 0};
	lab_steps(p.w, 1);
	energy_row first = scree_world_energy(&p.w->model, &p.w->state, &p.w->work);
	for (int n = 0; n < (int)(15 / dt); ++n) {
		lab_steps(p.w, 1);
		energy_row e = scree_world_energy(&p.w->model, &p.w->state, &p.w->work);
		real residual = (e.residual - first.residual) / unit, made = (e.made - first.made) / unit;
		most.residual = real_max(most.residual, fabs(residual));
		most.made = real_max(most.made, fabs(made));
		most.sum = real_max(most.sum, fabs(residual + made));
	}
	scree_world_free(p.w);
	return most;
}

static void the_residual_is_of_the_integrator(void **state)
{
	(void)state;
	real verlet = 0;
	for (int g = -1; g < GEARS; ++g) {
		const char *name = g < 0 ? "velocity_verlet" : all_gears[g];
		booked coarse = book_of(name, 0.05), fine = book_of(name, 0.025);
		print_message("%s: residual %.1e %.1e, made %.1e %.1e, sum %.1e %.1e\n", name, coarse.residual, fine.residual,
					  coarse.made, fine.made, coarse.sum, fine.sum);
		if (g < 0) verlet = fine.residual;
		if (g < 0) NEAR(log2(coarse.residual / fine.residual), 2, 0.2, "order of the residual");
		CHECK(coarse.residual > 7 * fine.residual || g < 0, "%s: not of third order", name);
		CHECK(coarse.made == 0 && fine.made == 0, "%s makes %g and %g", name, coarse.made, fine.made);
		CHECK(g < 0 || fine.sum < 0.05 * verlet, "%s leaves %g", name, fine.sum);
	}
}

/* counts force evaluations by the work done by a wind that has hardly any effect */
static void one_evaluation_a_step(void **state)
{
	(void)state;
	for (int g = 0; g < GEARS; ++g) {
		scree_world *w = gear_world(lab_linear(1e4, 0.5, 0), all_gears[g]);
		w->model.fluid =
			(fluid){.on = true, .density = 1, .viscosity = 1e-9, .velocity = v3(2, 0, 0), .drag = DRAG_STOKES};
		lab_add_moving(w, 0, 1, v3(0, 0, 0), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
		lab_prepare(w, 1e-3);
		lab_steps(w, 50);
		real power = 3 * SCREE_PI * 1e-9;
		NEAR(scree_fixed_value(w->state.energy.wall_work) / (1e-3 * power), 50.5, 1e-3,
			 "half at the start and one a step");
		scree_world_free(w);
	}
}

static void what_is_free_moves_exactly(void **state)
{
	(void)state;
	for (int g = 0; g < GEARS; ++g) {
		scree_world *w = gear_world(lab_linear(1e4, 0.5, 0), all_gears[g]);
		vec3 v = v3(0.3, -0.7, 0.1), spin = v3(1, 2, 3);
		lab_add_moving(w, 1, 0.01, v3(0, 0, 1), quat_one(), v, spin);
		lab_prepare(w, 1e-4);
		lab_steps(w, 3000);
		CHECK(w->state.body.vx[0] == v.x && w->state.body.vy[0] == v.y && w->state.body.wz[0] == spin.z,
			  "a free body changed its way");
		NEAR(w->state.body.y[0], v.y * w->state.time, 1e-13, "way");
		quat q = quat_exp(spin, w->state.time), d = quat_mul(quat_conj(q), body_orientation(&w->state.body, 0));
		NEAR(d.x * d.x + d.y * d.y + d.z * d.z, 0, 1e-24, "angle");
		w->model.gravity = v3(0, 0, -9.81);
		uint64_t id = lab_add_moving(w, 0, 0.01, v3(5, 0, 1), quat_one(), v, spin); /* a body added during the run */
		lab_steps(w, 2000);
		int32_t i = lab_row(w, id);
		real t = 2000 * w->model.dt;
		NEAR(w->state.body.z[i], 1 + v.z * t - 9.81 / 2 * t * t, 1e-12, "free fall of a body that came");
		NEAR(w->state.body.vz[i], v.z - 9.81 * t, 1e-12, "its speed");
		scree_world_free(w);
	}
}

/* largest error in the restitution of several impacts that begin at random times within a step */
static real worst_bounce(const char *name, contact_rule rule, real restitution, int steps)
{
	enum { PHASES = 8 };
	const real d = 0.01, v = 0.5;
	real worst = 0;
	for (int phase = 0; phase < PHASES; ++phase) {
		scree_world *w = gear_world(rule, name);
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		lab_add_moving(w, 0, d, v3(0, 0, d / 2 + 1e-6), quat_one(), v3(0, 0, -v), v3(0, 0, 0));
		w->model.guard.speed = v;
		lab_prepare(w, 0);
		w->model.guard.speed = 0;
		lab_prepare(w, w->model.contact_time / steps);
		w->state.body.z[0] += w->model.dt * v * phase / PHASES;
		for (int n = 0; n < 4 * steps && !(w->state.body.vz[0] > 0 && w->state.body.z[0] > d / 2); ++n) lab_steps(w, 1);
		worst = real_max(worst, fabs(w->state.body.vz[0] / v - restitution));
		scree_world_free(w);
	}
	return worst;
}

/* The force jumps when a body with a dashpot touches a wall, and its derivative jumps when a Hertzian sphere touches
 * it: the error is hardly better than first order, whatever the number of values. */
static void a_ball_bounces_with_its_restitution(void **state)
{
	(void)state;
	for (int g = -1; g < GEARS; ++g) {
		const char *name = g < 0 ? "velocity_verlet" : all_gears[g];
		real linear[3], hertz[3];
		for (int k = 0; k < 3; ++k) {
			linear[k] = worst_bounce(name, lab_linear(1e4, 0.8, 0), 0.8, 100 << k);
			hertz[k] = worst_bounce(name, lab_hertz(0.8, 0), 0.8, 100 << k);
		}
		print_message("%s: linear %.2e %.2e %.2e, hertz %.2e %.2e %.2e\n", name, linear[0], linear[1], linear[2],
					  hertz[0], hertz[1], hertz[2]);
		CHECK(linear[2] < 0.6 * linear[1] && linear[1] < 0.6 * linear[0], "%s: linear", name);
		CHECK(hertz[2] < 0.6 * hertz[1] && hertz[1] < 0.6 * hertz[0], "%s: hertz", name);
		CHECK(linear[0] < 0.02 && hertz[0] < 0.02, "%s: far off", name);
	}
}

/* ------------------------------------------------------------------ a flat world, and refusals */

/* a brick falls onto its corner, rotating in the plane: the result is the same as with velocity Verlet and small steps
 */
static vec3 after_the_corner(const char *name, int steps_a_contact)
{
	scree_world *w = gear_world(lab_linear(1e4, 0.9, 0), name);
	fail why = {0};
	w->model.flat = true;
	w->model.thickness = 0.005;
	w->model.narrow = scree_narrow_find("closest-features");
	static const vec3 corner[4] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
	int32_t brick = scree_shapes_add_polygon(&w->model.shape, "brick", 4, corner, &why);
	lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	quat tilt = quat_exp(v3(0, 0, 1), 0.5);
	lab_add_moving(w, brick, 0.01, v3(0, 0.0092, 0), tilt, v3(0, -0.5, 0), v3(0, 0, 0));
	w->model.guard.speed = 0.5;
	lab_prepare(w, 0);
	lab_prepare(w, w->model.contact_time / steps_a_contact);
	real time = w->model.dt * steps_a_contact * 2;
	while (w->state.time < time - w->model.dt / 2) lab_steps(w, 1);
	vec3 end = v3(w->state.body.vy[0], w->state.body.wz[0], w->state.body.qz[0]);
	CHECK(!w->model.integrator->gear || (w->state.body.wx[0] == 0 && w->state.body.wy[0] == 0),
		  "it turned out of the plane");
	NEAR(w->state.body.lz[0], w->state.body.wz[0] * w->state.body.mass[0] * 1e-4 * 5 / 12,
		 1e-12 * fabs(w->state.body.lz[0]), "momentum");
	scree_world_free(w);
	return end;
}

static void a_brick_turns_in_a_flat_world(void **state)
{
	(void)state;
	vec3 truth = after_the_corner("velocity_verlet", 6400);
	for (int g = 0; g < GEARS; ++g) {
		vec3 off = v3_sub(after_the_corner(all_gears[g], 800), truth);
		print_message("%s: off by %.1e m/s, %.1e of %.3g 1/s, %.1e\n", all_gears[g], off.x, off.y, truth.y, off.z);
		NEAR(off.x, 0, 3e-4 * 0.5, "speed, in parts of that of the impact");
		NEAR(off.y, 0, 3e-4 * fabs(truth.y), "angular velocity");
		NEAR(off.z, 0, 1e-5, "angle");
	}
}

static void what_it_cannot_turn_is_refused(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = gear_world(lab_linear(1e4, 0.9, 0), "gear5");
	int32_t brick = scree_shapes_add_box(&w->model.shape, "brick", v3(2, 1, 0.5), &why);
	new_body b = {.shape = brick, .size = 0.01, .orientation = quat_one(), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &b);
	b.flags = BODY_LOCKED;
	b.position.x = 1;
	scree_world_add(&w->model, &w->state, &w->work, 1, &b);
	lab_prepare(w, 1e-5); /* forces do not rotate held or locked bodies */
	lab_add(w, brick, 0.01, v3(2, 0, 0));
	CHECK(!scree_world_prepare(w, 0, 1e-5, &why), "a brick was accepted");
	CHECK(strstr(why.text, "gear5") && strstr(why.text, "'brick'") && strstr(why.text, "velocity_verlet"), "%s",
		  why.text);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ derivatives stay with the bodies */

static real mark(uint64_t id, int row) { return (real)id * 100 + row; }

static void check_marks(const bodies *b)
{
	for (int32_t i = 0; i < b->count; ++i)
		for (int k = 0; k < b->asked.count; ++k)
			CHECK(b->extra[k][i] == mark(b->id[i], k), "row %d of body %llu", k, (unsigned long long)b->id[i]);
}

static void every_loop_walks_both_tables(void **state)
{
	(void)state;
	bodies b = {0};
	random_stream r = scree_random_start(1, 1);
	for (int g = 0; g < GEARS; ++g) {
		const integrator *of = scree_choice_find(&scree_integrators, all_gears[g]);
		scree_bodies_ask(&b, of->asks);
		CHECK(b.asked.count == 6 * (of->gear->values - 2), "%d rows", b.asked.count);
		for (b.count = 0; b.count < 100; ++b.count) {
			scree_bodies_reserve(&b, b.count + 1);
			scree_bodies_clear(&b, b.count, b.count + 1);
			for (int k = 0; k < b.asked.count; ++k) {
				CHECK(b.extra[k][b.count] == 0, "not clear");
				b.extra[k][b.count] = mark((uint64_t)b.count + 1, k);
			}
			b.id[b.count] = (uint64_t)b.count + 1;
		}
		check_marks(&b);
		int32_t order[100];
		uint64_t tmp[100];
		for (int32_t i = 0; i < 100; ++i) {
			int32_t j = (int32_t)(scree_random_bits(&r) % ((uint64_t)i + 1));
			order[i] = order[j];
			order[j] = i;
		}
		scree_bodies_permute(&b, order, tmp);
		check_marks(&b);
		scree_bodies_copy(&b, 7, 93);
		CHECK(b.id[7] == b.id[93], "not copied");
		check_marks(&b);
	}
	scree_bodies_ask(&b, (field_table){NULL, 0});
	CHECK(!b.extra[0] && scree_body_rows(&b) == scree_body_table.count, "what is not asked for is gone");
	scree_bodies_free(&b);
}

/* spheres and cubes falling on each other, with a source and with bodies that leave the domain */
static scree_world *heap(const char *name)
{
	scree_world *w = gear_world(lab_linear(2e4, 0.6, 0.5), name);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -100);
	for (int k = 0; k < 150; ++k)
		lab_add(w, k % 2, 0.01,
				v3(0.011 * (k % 5) + 0.001 * (k % 3), 0.011 * (k / 5 % 5) + 0.001 * (k % 7), 0.006 + 0.012 * (k / 25)));
	source s = {.name = "rain",
				.where = {.type = REGION_BOX, .low = v3(0, 0, 0.09), .high = v3(0.05, 0.05, 0.13)},
				.rate = 2000,
				.until = 1,
				.parts = 1,
				.seed = 1};
	s.part[0] = (mix_part){.shape = 0, .share = 1, .size = {.type = SPREAD_ONE, .a = 0.008}};
	sink low = {.name = "pit",
				.type = SINK_REGION,
				.where = {.type = REGION_BOX, .low = v3(0.06, -1, -1), .high = v3(1, 1, 1)}};
	w->model.population.source = scree_copy(&s, 1, sizeof s);
	w->model.population.sink = scree_copy(&low, 1, sizeof low);
	w->model.population.sources = w->model.population.sinks = 1;
	lab_prepare(w, 0);
	return w;
}

/* Results are bitwise identical with searches for pairs and choices of rows in every step, with bodies in a different
 * order, and with other numbers of threads. The test would detect a corrector that moved bodies without regard to
 * skins. */
static void skins_order_and_threads_change_nothing(void **state)
{
	(void)state;
	scree_world *w = heap("gear5"), *twin = heap("gear5");
	twin->model.unsorted = true;
	for (int k = 0; k < 1500; ++k) {
		twin->work.skin.beyond = 0; /* m: stale */
		if (k % 7 == 0) twin->work.skin.stale = true;
		scree_set_threads(1);
		lab_steps(w, 1);
		scree_set_threads(2 + k % 3);
		lab_steps(twin, 1);
		if (k % 50 == 0)
			CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
					  scree_world_hash(&twin->model, &twin->state, &twin->work),
				  "step %d", k);
	}
	scree_set_threads(0);
	CHECK(scree_world_hash(&w->model, &w->state, &w->work) == scree_world_hash(&twin->model, &twin->state, &twin->work),
		  "at the end");
	CHECK(w->work.touching > 30 && w->state.source[0].made > 5 && w->state.sink[0].taken > 0 &&
			  w->work.rebuilds < twin->work.rebuilds / 2,
		  "%lld contacts, %lld made, %lld taken", (long long)w->work.touching, (long long)w->state.source[0].made,
		  (long long)w->state.sink[0].taken);
	scree_world_free(w);
	scree_world_free(twin);
}

/* predictor and corrector together: no body moves farther than its bound allows */
static void no_way_is_longer_than_its_bound(void **state)
{
	(void)state;
	scree_world *w = heap("gear4");
	w->model.population.sources = w->model.population.sinks = 0;
	vec3 at[150];
	real way[150];
	int compared = 0;
	for (int k = 0; k < 1500; ++k) {
		int64_t rebuilds = w->work.rebuilds;
		for (int32_t i = 0; i < 150; ++i) {
			at[i] = body_position(&w->state.body, i);
			way[i] = w->state.body.way[i];
		}
		lab_steps(w, 1);
		if (w->work.rebuilds != rebuilds) continue;
		for (int32_t i = 0; i < 150; ++i) {
			real moved = v3_norm(v3_sub(body_position(&w->state.body, i), at[i])), most = w->state.body.way[i] - way[i];
			CHECK(moved <= most + 1e-15, "step %d: %g m, bound %g m", k, moved, most);
			++compared;
		}
	}
	CHECK(compared > 10000, "%d", compared);
	w->model.population.sources = w->model.population.sinks = 1;
	scree_world_free(w);
}

/* through a side of a cell, and through a side of a sheared cell, which changes the velocity but not the higher
 * derivatives */
static void periods_are_crossed(void **state)
{
	(void)state;
	scree_world *w = gear_world(lab_linear(1e4, 0.9, 0), "gear5");
	lab_periods(w, "xyz", v3(0, 0, 0), v3(0.1, 0.1, 0.1));
	w->model.period.shears = true;
	w->model.period.rate = 3;
	w->model.period.flow = 0;
	w->model.period.gradient = 1;
	w->model.gravity = v3(0, -9.81, 0);
	lab_add_moving(w, 0, 0.01, v3(0.05, 0.05, 0.05), quat_one(), v3(0.1, 0, 1), v3(0, 0, 0));
	lab_prepare(w, 1e-4);
	lab_steps(w, 4000);
	real t = w->state.time;
	vec3 at = scree_world_unwrapped(&w->model, &w->state, 0);
	NEAR(at.y, 0.05 - 9.81 / 2 * t * t, 1e-11, "fall through many cells");
	NEAR(at.x, 0.05 + 0.1 * t, 1e-10, "along the flow, as if no boundary was there");
	NEAR(at.z, 0.05 + t, 1e-11, "across");
	CHECK(w->state.body.cell_y[0] < -5, "it fell through %d cells", w->state.body.cell_y[0]);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_are_those_of_the_table),
		cmocka_unit_test(a_start_from_nothing_is_of_first_order),
		cmocka_unit_test(limits_of_stability_hold),
		cmocka_unit_test(a_ball_in_contact_swings_with_that_order),
		cmocka_unit_test(energy_of_a_contact_drifts_slowly),
		cmocka_unit_test(the_residual_is_of_the_integrator),
		cmocka_unit_test(one_evaluation_a_step),
		cmocka_unit_test(what_is_free_moves_exactly),
		cmocka_unit_test(a_ball_bounces_with_its_restitution),
		cmocka_unit_test(a_brick_turns_in_a_flat_world),
		cmocka_unit_test(what_it_cannot_turn_is_refused),
		cmocka_unit_test(every_loop_walks_both_tables),
		cmocka_unit_test(skins_order_and_threads_change_nothing),
		cmocka_unit_test(no_way_is_longer_than_its_bound),
		cmocka_unit_test(periods_are_crossed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
