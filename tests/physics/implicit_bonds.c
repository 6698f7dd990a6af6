/* Bonds in implicit steps and with hard contacts (docs/theory/implicit.md, "Bonds"): beams compared with closed forms;
 * pairs that oscillate, rotate and break; their energy in the ledger; and changes in the response. */
#include "beam.h"
#include "choices/choices.h"
#include "kernel/bond.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "test.h"

enum { RESPONSES = 2 };
static const char *const response_name[RESPONSES] = {"implicit", "hard"};
static energy_row energy(const scree_world *w) { return scree_world_energy(&w->model, &w->state, &w->work); }
/* energy lost in J, including the half of the last impulses that acts after the current time */
static real lost(const scree_world *w)
{
	const energy_row e = energy(w);
	return e.lost_normal + e.lost_friction + e.lost_rolling;
}

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

/* ------------------------------------------------------------------ beams at rest */

static void a_cantilever_bends_as_timoshenko_says(void **state)
{
	(void)state;
	for (int k = 0; k < 4; ++k) beam_bends(response_name[k & 1], k & 2 ? 4 : 1, 2000);
}

static void a_rod_is_stretched_and_twisted(void **state)
{
	(void)state;
	beam_is_stretched_and_twisted("implicit", 1000);
}

static void discs_bend_in_the_plane(void **state)
{
	(void)state;
	beam_of_discs_bends("implicit", 2000);
}

/* ------------------------------------------------------------------ free pairs */

static scree_world *pair(real damping, const char *response, vec3 apart, vec3 spin, real step)
{
	scree_world *w = beam_world(beam_rule(damping), response);
	lab_add_moving(w, 0, 2 * BEAM_R, v3(0, 0, 0), quat_one(), v3_mul(-0.5, apart), v3_neg(spin));
	lab_add_moving(w, 0, 2 * BEAM_R, v3(BEAM_LENGTH, 0, 0), quat_one(), v3_mul(0.5, apart), spin);
	lab_prepare(w, 0);
	if (step > 0) lab_prepare(w, step * w->model.dt);
	return w;
}

/* Axial, transverse, bending and torsional loads, in short and in long steps. */
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
			const real speed = v3_norm(ways[k].apart) + BEAM_R * v3_norm(ways[k].spin);
			const real mass = w->state.body.mass[0];
			print_message("%s, step %g: loses %.2g of %.3g J, residual %.2g\n", ways[k].what, steps[n],
						  (lost(w) - at_first) / had, had, e.residual / had);
			CHECK(beam_bonds(w) == 1, "it broke");
			NEAR(lost(w) - at_first, 0, (k == 1 ? 1e-3 : 1e-6) * had, ways[k].what);
			NEAR(e.residual, 0, 1e-9 * had, "residual");
			NEAR(v3_norm(v3_sub(p, has)), 0, 1e-12 * mass * speed, "momentum");
			NEAR(v3_norm(v3_sub(turns, turning)), 0, 1e-11 * mass * speed * BEAM_R, "angular momentum");
			scree_world_free(w);
		}
}

/* Shear and bending are coupled if the bodies differ: one sweep still solves a bond exactly. */
static void a_sweep_solves_unequal_bodies(void **state)
{
	(void)state;
	scree_world *w = beam_world(beam_rule(0), "implicit");
	const vec3 spin = v3(1, 4, 2);
	lab_add_moving(w, 0, 2 * BEAM_R, v3(0, 0, 0), quat_one(), v3(0, -2e-2, 1e-2), spin);
	lab_add_moving(w, 0, 4 * BEAM_R, v3(1.001 * 3 * BEAM_R, 0, 0), quat_one(), v3(1e-2, 0, 0), v3_neg(spin));
	lab_prepare(w, 0);
	lab_steps(w, 1);
	vec3 turning, turns;
	const vec3 has = momentum(w, &turning);
	const int64_t sweeps = w->state.impulse.sweeps;
	const real at_first = lost(w), had = energy(w).kinetic + energy(w).elastic;
	lab_steps(w, 1000);
	print_message("unequal bodies: %.1f sweeps per step, lose %.2g of %.2g J\n",
				  (real)(w->state.impulse.sweeps - sweeps) / 1000, (lost(w) - at_first) / had, had);
	CHECK(beam_bonds(w) == 1, "it broke");
	CHECK(w->state.impulse.sweeps - sweeps == 3000, "%lld sweeps", (long long)(w->state.impulse.sweeps - sweeps));
	NEAR(lost(w) - at_first, 0, 1e-3 * had, "lost");
	const vec3 p = momentum(w, &turns);
	NEAR(v3_norm(v3_sub(p, has)), 0, 1e-11 * v3_norm(has), "momentum");
	NEAR(v3_norm(v3_sub(turns, turning)), 0, 1e-10 * v3_norm(turning), "angular momentum");
	scree_world_free(w);
}

/* In short steps, the dashpot dissipates the same energy as with forces. */
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
		CHECK(beam_bonds(w) == 1, "it broke");
		if (k) NEAR(energy(w).residual, 0, 1e-9 * left[k], "residual");
		scree_world_free(w);
	}
	NEAR(left[1] / left[0], 1, 0.02, "energy that is left");
}

static void pairs_rotate(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = beam_world(beam_rule(0), "implicit");
		const real rate = 300;
		beam_add_rotating_pair(w, rate);
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
		CHECK(beam_bonds(w) == 1, "still bonded");
		NEAR(e.kinetic + e.elastic, before, (k ? 5e-3 : 1e-4) * before, "energy");
		NEAR(v3_norm(v3_sub(turns, turning)), 0, 1e-11 * v3_norm(turning), "angular momentum");
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ breakage */

static void bonds_break_at_their_strength(void **state)
{
	(void)state;
	for (int k = 0; k < RESPONSES; ++k) beam_breaks_at_its_strength(response_name[k], 5000, 2e-3);
}

/* energy in J of a bond pulled or twisted up to its strength */
static real full(bool twists)
{
	const bond_form f = beam_form();
	const real twist = BEAM_SHEAR * f.polar / f.radius;
	return twists ? twist * twist / (2 * f.twists) : BEAM_TENSION * f.area * BEAM_TENSION * f.area / (2 * f.along);
}

/* A load of three times a bond's strength breaks the bond in one or two steps. The bond loses the energy that it stores
 * at its strength. */
static void what_a_bond_holds_is_lost_when_it_breaks(void **state)
{
	(void)state;
	static const real steps[] = {0.05, 0.3, 1, 2, 5};
	const bond_form f = beam_form();
	for (int k = 0; k < 10; ++k) {
		const bool twists = k & 1;
		beam_load o = {0};
		scree_world *w = beam_new(beam_rule(0), "implicit", 1, &o, steps[k / 2]);
		lab_steps(w, 1);
		if (twists)
			o.torque = v3(3 * BEAM_SHEAR * f.polar / f.radius, 0, 0);
		else
			o.force = v3(3 * BEAM_TENSION * f.area, 0, 0);
		int64_t n = 0;
		for (; n < 5000 && !beam_broken(w); ++n) lab_steps(w, 1);
		lab_steps(w, 2);
		const energy_row e = energy(w);
		/* the load stays constant, so the energy that the ledger attributes to the method oscillates */
		const real lost = e.lost - e.lost_method;
		print_message("%s, step %g: breaks in step %lld, loses %.12f of what it holds\n",
					  twists ? "torsion" : "tension", steps[k / 2], (long long)n, lost / full(twists));
		CHECK(beam_broken(w) == 1, "it holds");
		NEAR(lost / full(twists), 1, 1e-9, "lost by breaking");
		NEAR(e.lost_normal, lost, 1e-9 * lost, "along the normal");
		NEAR(e.elastic, 0, 1e-12 * lost, "still held");
		scree_world_free(w);
	}
}

/* A bond survives an oscillation with less energy than the bond stores at its strength, with steps of any length. */
static void slow_bodies_break_no_bond(void **state)
{
	(void)state;
	static const real steps[] = {0.05, 0.5, 1, 3};
	for (int k = 0; k < 4; ++k)
		for (int breaks = 0; breaks < 2; ++breaks) {
			beam_load o = {0};
			scree_world *w = beam_new(beam_rule(0), "implicit", 1, &o, steps[k]);
			const bond_form f = beam_form();
			const real mass = w->state.body.mass[beam_end(w, &o)];
			lab_steps(w, 1);
			/* a force ramped up from zero over a time that yields this energy, because a sudden constant force
			 * stretches the bond twice as far */
			o.force = v3((breaks ? 0.75 : 0.45) * BEAM_TENSION * f.area, 0, 0);
			const real period = 2 * SCREE_PI * sqrt(mass / f.along);
			while (w->state.time < 20 * period && !beam_broken(w)) lab_steps(w, 1);
			print_message("step %g: %s\n", steps[k], beam_broken(w) ? "breaks" : "holds");
			CHECK(beam_broken(w) == breaks, "a pull of %g of the strength", o.force.x / (BEAM_TENSION * f.area));
			scree_world_free(w);
		}
}

static scree_world *block(const char *response, real step)
{
	contact_rule r = beam_rule(0.1);
	r.bond.deviation = 0.2;
	scree_world *w = beam_world(r, response);
	beam_add_block(w);
	lab_prepare(w, 0);
	if (step > 0) lab_prepare(w, step * w->model.dt);
	return w;
}

/* A block thrown onto the floor breaks in nearly the same way as in steps with forces. */
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
					  by[k], w->model.dt, (long long)beam_broken(w), e.lost_normal, e.lost_friction, e.lost_rolling,
					  e.kinetic, e.elastic, e.residual, (real)w->state.impulse.sweeps / (real)w->state.step);
		CHECK(beam_broken(w) + beam_bonds(w) == 144, "some are lost");
		if (!k) first = beam_broken(w);
		/* the floor is harder with hard contacts */
		NEAR((real)beam_broken(w), (real)first, (k == 2 ? 0.5 : 0.25) * (real)first, "broken bonds");
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
	beam_load o = {.force = v3(0, 0, 1e-3 * BEAM_R / beam_timoshenko(BEAM_BONDS))};
	scree_world *w = beam_new(beam_rule(0.1), "implicit", BEAM_BONDS, &o, 1);
	beam_set_drag(w, &o, 1 / beam_timoshenko(BEAM_BONDS), BEAM_BONDS);
	lab_steps(w, 3000);
	const real z = w->state.body.z[beam_end(w, &o)], held = energy(w).elastic;
	for (int k = 0; k < 6; ++k) {
		const real brought = energy(w).brought, lost = energy(w).lost;
		respond(w, by[k]);
		lab_steps(w, w->model.implicit ? 200 : 4000);
		const energy_row e = energy(w);
		print_message("to %s: the end moved by %.2g of its way, held %.2g more, brought %.2g, lost %.2g\n", by[k],
					  w->state.body.z[beam_end(w, &o)] / z - 1, e.elastic / held - 1, (e.brought - brought) / held,
					  (e.lost - lost) / held);
		CHECK(beam_bonds(w) == BEAM_BONDS, "%lld bonds", (long long)beam_bonds(w));
		NEAR(w->state.body.z[beam_end(w, &o)], z, 1e-6 * z, "the end");
		NEAR(e.elastic, held, 1e-5 * held, "energy");
		NEAR(e.brought - brought, 0, 1e-5 * held, "brought");
	}
	scree_world_free(w);
}

/* An oscillating pair keeps its strain when the response changes, unlike a spring stored for a different time: the
 * energy of the pair changes by the difference between the methods. */
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
