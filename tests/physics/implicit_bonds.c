/* Bonds in implicit steps and with hard contacts (docs/theory/implicit.md, "Bonds"): beams against closed forms, pairs
 * that swing, rotate and break, their energy in the ledger, and changes of the response. */
#include "kernel/bond.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "shape/flat_shapes.h"
#include "state/bonds.h"
#include "test.h"

enum { BONDS = 8, IMPLICIT = 0, HARD, RESPONSES };
static const char *const response_name[RESPONSES] = {"implicit", "hard"};
static const real R = 1e-3, YOUNG = 1e8, RATIO = 2.5, TENSION = 2e5, SHEAR = 1.5e5;
static const real LENGTH = 2.002e-3; /* the spheres do not touch, so that only bonds act */

static contact_rule bonded(real damping)
{
	contact_rule r = lab_hertz(0.5, 0.3);
	r.bond = (bond_rule){.young = YOUNG,
						 .ratio = RATIO,
						 .tension = TENSION,
						 .shear = SHEAR,
						 .factor = 0.9,
						 .damping = damping,
						 .gap = 3e-6,
						 .seed = 1};
	return r;
}

static bond_form form(void)
{
	const bond_rule r = bonded(0).bond;
	return bond_form_of(&r, (bonded_body){R, 1}, (bonded_body){R, 1}, LENGTH, 0);
}

/* Force and torque on one body, growing to their full values until `ramp`, and a drag on all. */
typedef struct load {
	vec3 force, torque;
	real ramp, drag, turning_drag, now;
	uint64_t id;
} load;

static void apply(const struct state *s, real time, real *const force[6], void *context)
{
	load *o = context;
	const bodies *b = &s->body;
	o->now = o->ramp > 0 ? time / o->ramp : 1;
	for (int32_t i = 0; i < b->owned; ++i) {
		const real part = b->id[i] == o->id ? o->now : 0;
		force[0][i] = part * o->force.x - o->drag * b->vx[i];
		force[1][i] = part * o->force.y - o->drag * b->vy[i];
		force[2][i] = part * o->force.z - o->drag * b->vz[i];
		force[3][i] = part * o->torque.x - o->turning_drag * b->wx[i];
		force[4][i] = part * o->torque.y - o->turning_drag * b->wy[i];
		force[5][i] = part * o->torque.z - o->turning_drag * b->wz[i];
	}
}

static scree_world *world_of(contact_rule rule, const char *response)
{
	scree_world *w = lab_world(rule);
	model_respond(&w->model, scree_response_find(response));
	w->model.guard.energy = 0;
	w->model.unsafe = true; /* longer steps than bonds allow */
	return w;
}

/* A row of spheres along x, of which the first is held. step: of that by default */
static scree_world *beam(contact_rule rule, const char *response, int32_t bonds, load *with, real step)
{
	scree_world *w = world_of(rule, response);
	new_body held = {.shape = 0, .size = 2 * R, .position = v3(0, 0, 0), .orientation = quat_one(), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	for (int32_t k = 1; k <= bonds; ++k) with->id = lab_add(w, 0, 2 * R, v3(k * LENGTH, 0, 0));
	w->model.applied = apply;
	w->model.applied_context = with;
	lab_prepare(w, 0);
	if (step > 0) lab_prepare(w, step * w->model.dt);
	return w;
}

static energy_row energy(const scree_world *w) { return scree_world_energy(&w->model, &w->state, &w->work); }
/* J, with the half of the last impulses that acts after the time of the state */
static real lost(const scree_world *w)
{
	const energy_row e = energy(w);
	return e.lost_normal + e.lost_friction + e.lost_rolling;
}

static int64_t broken(const scree_world *w) { return w->state.broken; }
static int64_t bonds_of(const scree_world *w) { return scree_world_bonds(&w->state, &w->work); }
static int32_t end_of(const scree_world *w, const load *o) { return lab_row(w, o->id); }

static vec3 momentum(const scree_world *w, vec3 *angular)
{
	const bodies *b = &w->state.body;
	vec3 sum = v3(0, 0, 0);
	*angular = v3(0, 0, 0);
	for (int32_t i = 0; i < b->count; ++i) {
		const vec3 p = v3_mul(b->mass[i], body_velocity(b, i));
		sum = v3_add(sum, p);
		*angular = v3_add(*angular, v3_add(v3_cross(body_position(b, i), p), v3(b->lx[i], b->ly[i], b->lz[i])));
	}
	return sum;
}

/* a drag that is critical for the slowest swing of a beam with this stiffness at its end */
static void set_drag(scree_world *w, load *o, real stiffness, int32_t bonds)
{
	const real mass = w->state.body.mass[end_of(w, o)];
	o->drag = 2 * sqrt(stiffness / (0.25 * bonds * mass)) * mass;
}

/* ------------------------------------------------------------------ beams at rest */

static const real AREA = SCREE_PI * 0.81e-6, SECOND = SCREE_PI / 4 * 0.6561e-12;

/* m/N: at the end of a cantilever, by Timoshenko */
static real timoshenko(int32_t bonds)
{
	const real l = bonds * LENGTH;
	return l * l * l / (3 * YOUNG * SECOND) + l / (YOUNG / RATIO * AREA);
}

static void a_cantilever_bends_as_timoshenko_says(void **state)
{
	(void)state;
	const bond_form f = form();
	for (int k = 0; k < 4; ++k) {
		const int response = k & 1;
		load o = {.force = v3(0, 0, 1e-4 * R / timoshenko(BONDS))};
		scree_world *w = beam(bonded(0.1), response_name[response], BONDS, &o, k & 2 ? 4 : 1);
		set_drag(w, &o, 1 / timoshenko(BONDS), BONDS);
		lab_steps(w, 2000);
		const real z = w->state.body.z[end_of(w, &o)], bent = 1e-4 * R;
		print_message("%s, step %g s: %.6f of Timoshenko's, %.1f sweeps per step\n", response_name[response],
					  w->model.dt, z / bent, (real)w->state.impulse.sweeps / 2000);
		CHECK(bonds_of(w) == BONDS && broken(w) == 0, "%lld bonds", (long long)bonds_of(w));
		NEAR(z, bent, 0.01 * bent, "Timoshenko");
		real sum = 0; /* a beam that bends in the middle of each bond */
		for (int b = 1; b <= BONDS; ++b) sum += (b - 0.5) * (b - 0.5) * LENGTH * LENGTH / f.bends + 1 / f.across;
		NEAR(z, o.force.z * sum, 1e-3 * bent, "of its bonds");
		scree_world_free(w);
	}
}

static void a_rod_is_stretched_and_twisted(void **state)
{
	(void)state;
	const bond_form f = form();
	for (int twists = 0; twists < 2; ++twists) {
		load o = {0};
		if (twists)
			o.torque = v3(1e-3 * f.twists, 0, 0);
		else
			o.force = v3(1e-3 * f.along * R, 0, 0);
		scree_world *w = beam(bonded(0.1), "implicit", 4, &o, 1);
		const int32_t i = end_of(w, &o);
		o.drag = sqrt(f.along * w->state.body.mass[i]) / 3;
		o.turning_drag = sqrt(f.twists * w->state.body.ix[i]) / 3;
		lab_steps(w, 1000);
		if (twists)
			NEAR(2 * asin(w->state.body.qx[i]), 4e-3, 1e-3 * 4e-3, "angle of the end");
		else
			NEAR(w->state.body.x[i] - 4 * LENGTH, 4e-3 * R, 1e-3 * 4e-3 * R, "way of the end");
		scree_world_free(w);
	}
}

static void discs_bend_in_the_plane(void **state)
{
	(void)state;
	scree_world *w = world_of(bonded(0.1), "implicit");
	load o = {0};
	fail why;
	w->model.flat = true;
	w->model.thickness = 5e-3;
	w->model.narrow = scree_narrow_find("closest-features");
	const int32_t disc = scree_shapes_add_disc(&w->model.shape, "disc", &why);
	CHECK(disc >= 0, "%s", why.text);
	new_body held = {
		.shape = disc, .size = 2 * R, .position = v3(0, 0, 0), .orientation = quat_one(), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	for (int32_t k = 1; k <= BONDS; ++k) o.id = lab_add(w, disc, 2 * R, v3(k * LENGTH, 0, 0));
	const real area = 1.8 * R * 5e-3, second = (real)2 / 3 * 0.729 * R * R * R * 5e-3, long_ = BONDS * LENGTH;
	const real bends = long_ * long_ * long_ / (3 * YOUNG * second), shears = long_ / (YOUNG / RATIO * area);
	o.force = v3(0, 1e-4 * R / (bends + shears), 0);
	w->model.applied = apply;
	w->model.applied_context = &o;
	lab_prepare(w, 0);
	set_drag(w, &o, 1 / (bends + shears), BONDS);
	lab_steps(w, 2000);
	CHECK(bonds_of(w) == BONDS && broken(w) == 0, "%lld bonds", (long long)bonds_of(w));
	const real y = w->state.body.y[end_of(w, &o)];
	NEAR(y, o.force.y * (bends * (1 - 1 / (4.0 * BONDS * BONDS)) + shears), 1e-3 * 1e-4 * R, "of its bonds");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ free pairs */

static scree_world *pair(real damping, const char *response, vec3 apart, vec3 spin, real step)
{
	scree_world *w = world_of(bonded(damping), response);
	lab_add_moving(w, 0, 2 * R, v3(0, 0, 0), quat_one(), v3_mul(-0.5, apart), v3_neg(spin));
	lab_add_moving(w, 0, 2 * R, v3(LENGTH, 0, 0), quat_one(), v3_mul(0.5, apart), spin);
	lab_prepare(w, 0);
	if (step > 0) lab_prepare(w, step * w->model.dt);
	return w;
}

/* Along its line, across, bending and torsion; in short steps and in long ones. */
static void free_pairs_swing_without_loss(void **state)
{
	(void)state;
	static const real steps[] = {0.02, 0.3, 1, 5};
	const struct {
		vec3 apart, spin;
		const char *what;
	} ways[] = {
		{v3(2e-2, 0, 0), v3(0, 0, 0), "stretch"},
		{v3(0, 1e-2, 0), v3(0, 0, 0), "shear"},
		{v3(0, 0, 0), v3(0, 5, 0), "bending"},
		{v3(0, 0, 0), v3(8, 0, 0), "torsion"},
	};
	for (int k = 0; k < 4; ++k)
		for (int n = 0; n < 4; ++n) {
			scree_world *w = pair(0, "implicit", ways[k].apart, ways[k].spin, steps[n]);
			lab_steps(w, 1);
			vec3 turning, turns;
			const vec3 has = momentum(w, &turning);
			const energy_row first = energy(w);
			const real had = first.kinetic + first.elastic, at_first = lost(w);
			lab_steps(w, 2000);
			const energy_row e = energy(w);
			const vec3 p = momentum(w, &turns);
			const real speed = v3_norm(ways[k].apart) + R * v3_norm(ways[k].spin);
			const real mass = w->state.body.mass[0];
			print_message("%s, step %g: loses %.2g of %.3g J, residual %.2g\n", ways[k].what, steps[n],
						  (lost(w) - at_first) / had, had, e.residual / had);
			CHECK(bonds_of(w) == 1, "it broke");
			NEAR(lost(w) - at_first, 0, (k == 1 ? 1e-3 : 1e-6) * had, ways[k].what);
			NEAR(e.residual, 0, 1e-9 * had, "residual");
			NEAR(v3_norm(v3_sub(p, has)), 0, 1e-12 * mass * speed, "momentum");
			NEAR(v3_norm(v3_sub(turns, turning)), 0, 1e-11 * mass * speed * R, "angular momentum");
			scree_world_free(w);
		}
}

/* Shear and bending act on each other where the bodies differ: one sweep still relaxes a bond exactly. */
static void a_sweep_solves_unequal_bodies(void **state)
{
	(void)state;
	scree_world *w = world_of(bonded(0), "implicit");
	const vec3 spin = v3(1, 4, 2);
	lab_add_moving(w, 0, 2 * R, v3(0, 0, 0), quat_one(), v3(0, -2e-2, 1e-2), spin);
	lab_add_moving(w, 0, 4 * R, v3(1.001 * 3 * R, 0, 0), quat_one(), v3(1e-2, 0, 0), v3_neg(spin));
	lab_prepare(w, 0);
	lab_steps(w, 1);
	vec3 turning, turns;
	const vec3 has = momentum(w, &turning);
	const int64_t sweeps = w->state.impulse.sweeps;
	const real at_first = lost(w), had = energy(w).kinetic + energy(w).elastic;
	lab_steps(w, 1000);
	print_message("unequal bodies: %.1f sweeps per step, lose %.2g of %.2g J\n",
				  (real)(w->state.impulse.sweeps - sweeps) / 1000, (lost(w) - at_first) / had, had);
	CHECK(bonds_of(w) == 1, "it broke");
	CHECK(w->state.impulse.sweeps - sweeps == 3000, "%lld sweeps", (long long)(w->state.impulse.sweeps - sweeps));
	NEAR(lost(w) - at_first, 0, 1e-3 * had, "lost");
	const vec3 p = momentum(w, &turns);
	NEAR(v3_norm(v3_sub(p, has)), 0, 1e-11 * v3_norm(has), "momentum");
	NEAR(v3_norm(v3_sub(turns, turning)), 0, 1e-10 * v3_norm(turning), "angular momentum");
	scree_world_free(w);
}

/* The dashpot of short steps takes what it takes by forces. */
static void dashpots_damp_as_by_forces(void **state)
{
	(void)state;
	static const char *const by[] = {"forces", "implicit"};
	real left[2];
	for (int k = 0; k < 2; ++k) {
		scree_world *w = pair(0.05, by[k], v3(2e-2, 0, 0), v3(3, 2, 0), 0);
		lab_prepare(w, 0.01 * w->model.contact_time);
		lab_steps(w, 800);
		left[k] = energy(w).kinetic + energy(w).elastic;
		CHECK(bonds_of(w) == 1, "it broke");
		if (k) NEAR(energy(w).residual, 0, 1e-9 * left[k], "residual");
		scree_world_free(w);
	}
	NEAR(left[1] / left[0], 1, 0.02, "energy that is left");
}

static void pairs_rotate(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = world_of(bonded(0), "implicit");
		const real rate = 300;
		const vec3 spin = v3(rate / 3, 0, rate);
		lab_add_moving(w, 0, 2 * R, v3(-LENGTH / 2, 0, 0), quat_one(), v3(0, -rate * LENGTH / 2, 0), spin);
		lab_add_moving(w, 0, 2 * R, v3(LENGTH / 2, 0, 0), quat_one(), v3(0, rate * LENGTH / 2, 0), spin);
		lab_prepare(w, 0);
		if (k) lab_prepare(w, 4 * w->model.dt);
		lab_steps(w, 1);
		vec3 turning, turns;
		momentum(w, &turning);
		const real before = energy(w).kinetic + energy(w).elastic;
		lab_steps(w, (int64_t)(20 * SCREE_PI / rate / w->model.dt));
		const energy_row e = energy(w);
		momentum(w, &turns);
		print_message("ten turns in steps of %g s: energy %.3g, %.3g of it held\n", w->model.dt,
					  (e.kinetic + e.elastic) / before - 1, e.elastic / before);
		CHECK(bonds_of(w) == 1, "still bonded");
		NEAR(e.kinetic + e.elastic, before, (k ? 5e-3 : 1e-4) * before, "energy");
		NEAR(v3_norm(v3_sub(turns, turning)), 0, 1e-11 * v3_norm(turning), "angular momentum");
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ breakage */

static void bonds_break_at_their_strength(void **state)
{
	(void)state;
	const bond_form f = form();
	const struct {
		vec3 force, torque;
		const char *what;
	} most[] = {
		{v3(TENSION * f.area, 0, 0), v3(0, 0, 0), "tension"},
		{v3(0, 0, 0), v3(SHEAR * f.polar / f.radius, 0, 0), "torsion"},
		{v3(0, 0, 0), v3(0, TENSION * f.second / f.radius, 0), "bending"},
		/* across, without moment at the middle of the bond: its torque balances that of the force there */
		{v3(0, 0, SHEAR * f.area), v3(0, SHEAR * f.area * LENGTH / 2, 0), "shear"},
	};
	for (size_t k = 0; k < sizeof most / sizeof *most; ++k)
		for (int response = 0; response < RESPONSES; ++response) {
			load o = {.force = most[k].force, .torque = most[k].torque};
			scree_world *w = beam(bonded(0.1), response_name[response], 1, &o, 1);
			const int32_t i = end_of(w, &o);
			o.drag = (real)0.1 * sqrt(f.bends * w->state.body.mass[i]) / R;
			o.turning_drag = (real)0.1 * sqrt(f.bends * w->state.body.ix[i]);
			o.ramp = 5000 * w->model.dt;
			while (!broken(w) && o.now < 1.1) lab_steps(w, 1);
			CHECK(broken(w) == 1 && bonds_of(w) == 0, "%s: %lld broken", most[k].what, (long long)broken(w));
			NEAR(o.now, 1, 2e-3, most[k].what);
			scree_world_free(w);
		}
}

/* J: what a bond holds at its strength, pulled or twisted */
static real full(bool twists)
{
	const bond_form f = form();
	const real twist = SHEAR * f.polar / f.radius;
	return twists ? twist * twist / (2 * f.twists) : TENSION * f.area * TENSION * f.area / (2 * f.along);
}

/* A load of three times its strength breaks a bond in one or two steps. It loses what it holds at its strength.
 */
static void what_a_bond_holds_is_lost_when_it_breaks(void **state)
{
	(void)state;
	static const real steps[] = {0.05, 0.3, 1, 2, 5};
	const bond_form f = form();
	for (int k = 0; k < 10; ++k) {
		const bool twists = k & 1;
		load o = {0};
		scree_world *w = beam(bonded(0), "implicit", 1, &o, steps[k / 2]);
		lab_steps(w, 1);
		if (twists)
			o.torque = v3(3 * SHEAR * f.polar / f.radius, 0, 0);
		else
			o.force = v3(3 * TENSION * f.area, 0, 0);
		int64_t n = 0;
		for (; n < 5000 && !broken(w); ++n) lab_steps(w, 1);
		lab_steps(w, 2);
		const energy_row e = energy(w);
		print_message("%s, step %g: breaks in step %lld, loses %.12f of what it holds\n",
					  twists ? "torsion" : "tension", steps[k / 2], (long long)n, e.lost / full(twists));
		CHECK(broken(w) == 1, "it holds");
		NEAR(e.lost / full(twists), 1, 1e-9, "lost by breaking");
		NEAR(e.lost_normal, e.lost, 1e-9 * e.lost, "along the normal");
		NEAR(e.elastic, 0, 1e-12 * e.lost, "still held");
		scree_world_free(w);
	}
}

/* A bond survives a swing with less energy than it holds at its strength, in steps of any length. */
static void slow_bodies_break_no_bond(void **state)
{
	(void)state;
	static const real steps[] = {0.05, 0.5, 1, 3};
	for (int k = 0; k < 4; ++k)
		for (int breaks = 0; breaks < 2; ++breaks) {
			load o = {0};
			scree_world *w = beam(bonded(0), "implicit", 1, &o, steps[k]);
			const bond_form f = form();
			const real mass = w->state.body.mass[end_of(w, &o)];
			lab_steps(w, 1);
			/* a force for so long that it gives an energy, from rest: a constant one stretches twice as far */
			o.force = v3((breaks ? 0.75 : 0.45) * TENSION * f.area, 0, 0);
			const real period = 2 * SCREE_PI * sqrt(mass / f.along);
			while (w->state.time < 20 * period && !broken(w)) lab_steps(w, 1);
			print_message("step %g: %s\n", steps[k], broken(w) ? "breaks" : "holds");
			CHECK(broken(w) == breaks, "a pull of %g of the strength", o.force.x / (TENSION * f.area));
			scree_world_free(w);
		}
}

static scree_world *block(const char *response, real step)
{
	contact_rule r = bonded(0.1);
	r.bond.deviation = 0.2;
	scree_world *w = world_of(r, response);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 64; ++k)
		lab_add_moving(w, 0, 2 * R, v3(k % 4 * LENGTH, k / 4 % 4 * LENGTH, 1.2 * R + k / 16 * LENGTH), quat_one(),
					   v3(2.0 * (k / 16), 0.2, -1), v3(0, 0, 0));
	w->model.gravity = v3(0, 0, -9.81);
	lab_prepare(w, 0);
	if (step > 0) lab_prepare(w, step * w->model.dt);
	return w;
}

/* A block that is thrown on the floor breaks about as by forces. */
static void a_block_breaks(void **state)
{
	(void)state;
	static const char *const by[] = {"forces", "implicit", "hard", "implicit"};
	int64_t first = 0;
	for (int k = 0; k < 4; ++k) {
		scree_world *w = block(by[k], k == 3 ? 0.3 : 0);
		const real until = 2e-3;
		while (w->state.time < until) lab_steps(w, 1);
		lab_steps(w, 1);
		const energy_row e = energy(w);
		print_message("%s, step %g s: %lld bonds broke; lost %.4g, %.4g, %.4g J; kinetic %.4g, elastic %.3g; "
					  "residual %.2g; %.1f sweeps\n",
					  by[k], w->model.dt, (long long)broken(w), e.lost_normal, e.lost_friction, e.lost_rolling,
					  e.kinetic, e.elastic, e.residual, (real)w->state.impulse.sweeps / (real)w->state.step);
		CHECK(broken(w) + bonds_of(w) == 144, "some are lost");
		if (!k) first = broken(w);
		/* by hard contacts the floor is harder */
		NEAR((real)broken(w), (real)first, (k == 2 ? 0.5 : 0.25) * (real)first, "broken bonds");
		if (k) NEAR(e.residual, 0, 1e-7 * (e.lost + e.kinetic), "residual");
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ changes of the response */

static void respond(scree_world *w, const char *to)
{
	fail why;
	const new_response r = {.by = scree_response_find(to)};
	CHECK(scree_world_changing(w) && scree_world_respond(w, &r, 0, &why), "%s", why.text);
}

static void a_beam_stays_when_the_response_changes(void **state)
{
	(void)state;
	static const char *const by[] = {"forces", "implicit", "hard", "forces", "hard", "implicit"};
	load o = {.force = v3(0, 0, 1e-3 * R / timoshenko(BONDS))};
	scree_world *w = beam(bonded(0.1), "implicit", BONDS, &o, 0);
	set_drag(w, &o, 1 / timoshenko(BONDS), BONDS);
	lab_steps(w, 3000);
	const real z = w->state.body.z[end_of(w, &o)], held = energy(w).elastic;
	for (int k = 0; k < 6; ++k) {
		const real brought = energy(w).brought, lost = energy(w).lost;
		respond(w, by[k]);
		lab_steps(w, w->model.implicit ? 200 : 4000);
		const energy_row e = energy(w);
		print_message("to %s: the end moved by %.2g of its way, held %.2g more, brought %.2g, lost %.2g\n", by[k],
					  w->state.body.z[end_of(w, &o)] / z - 1, e.elastic / held - 1, (e.brought - brought) / held,
					  (e.lost - lost) / held);
		CHECK(bonds_of(w) == BONDS, "%lld bonds", (long long)bonds_of(w));
		NEAR(w->state.body.z[end_of(w, &o)], z, 1e-6 * z, "the end");
		NEAR(e.elastic, held, 1e-5 * held, "energy");
		NEAR(e.brought - brought, 0, 1e-5 * held, "brought");
	}
	scree_world_free(w);
}

/* A pair that swings keeps its strain through a change, which a spring of another time would not: its energy jumps by
 * what the methods differ. */
static void a_swing_continues_when_the_response_changes(void **state)
{
	(void)state;
	scree_world *w = pair(0, "forces", v3(1e-2, 0, 0), v3(8, 0, 0), 0);
	const real dt = w->model.dt;
	lab_steps(w, 1);
	const real had = energy(w).kinetic + energy(w).elastic;
	for (int k = 0; k < 20; ++k) {
		fail why;
		const new_response r = {.by = scree_response_find(k % 2 ? "forces" : "implicit"), .step = dt};
		lab_steps(w, 37);
		CHECK(scree_world_respond(w, &r, 0, &why), "%s", why.text);
	}
	lab_steps(w, 1);
	const energy_row e = energy(w);
	print_message("a swing keeps %.6f of its energy in 20 changes, %.2g brought\n", (e.kinetic + e.elastic) / had,
				  (e.brought - had) / had);
	NEAR(e.kinetic + e.elastic, had, 0.02 * had, "energy");
	scree_world_free(w);
}

static void steps_too_long_are_refused(void **state)
{
	(void)state;
	for (int response = 0; response < RESPONSES; ++response) {
		scree_world *w = pair(0.1, response_name[response], v3(0, 0, 0), v3(0, 0, 0), 0);
		const real time = w->model.bond_time;
		CHECK(w->model.dt <= time, "the default step is %g half periods", w->model.dt / time);
		w->model.unsafe = false;
		lab_prepare(w, 2.99 * time);
		lab_refused(w, 3.01 * time, "too large for bonds of stuff and stuff");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cantilever_bends_as_timoshenko_says),
		cmocka_unit_test(a_rod_is_stretched_and_twisted),
		cmocka_unit_test(discs_bend_in_the_plane),
		cmocka_unit_test(free_pairs_swing_without_loss),
		cmocka_unit_test(a_sweep_solves_unequal_bodies),
		cmocka_unit_test(dashpots_damp_as_by_forces),
		cmocka_unit_test(pairs_rotate),
		cmocka_unit_test(bonds_break_at_their_strength),
		cmocka_unit_test(what_a_bond_holds_is_lost_when_it_breaks),
		cmocka_unit_test(slow_bodies_break_no_bond),
		cmocka_unit_test(a_block_breaks),
		cmocka_unit_test(a_beam_stays_when_the_response_changes),
		cmocka_unit_test(a_swing_continues_when_the_response_changes),
		cmocka_unit_test(steps_too_long_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
