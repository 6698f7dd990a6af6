/* Bonds: beams of spheres against closed forms, the loads at which they break, and their energy. */
#include "kernel/bond.h"
#include "kernel/quat.h"
#include "lab.h"
#include "prepare/prepare.h"
#include "shape/flat_shapes.h"
#include "state/bonds.h"
#include "test.h"

#include <stdlib.h>

enum { BONDS = 8 };
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

/* Force and torque on the last body, growing to their full values until `ramp`, and a drag on all. */
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

/* A row of spheres along x, of which the first is held. */
static scree_world *beam(contact_rule rule, int32_t bonds, load *with)
{
	scree_world *w = lab_world(rule);
	new_body held = {.shape = 0, .size = 2 * R, .position = v3(0, 0, 0), .orientation = quat_one(), .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	for (int32_t k = 1; k <= bonds; ++k) with->id = lab_add(w, 0, 2 * R, v3(k * LENGTH, 0, 0));
	w->model.guard.energy = 0;
	w->model.applied = apply;
	w->model.applied_context = with;
	lab_prepare(w, 0);
	return w;
}

static bond_form form(void)
{
	const bond_rule r = bonded(0).bond;
	return bond_form_of(&r, (bonded_body){R, 1}, (bonded_body){R, 1}, LENGTH, 0);
}

static int64_t broken(const scree_world *w) { return w->state.broken; }
static int64_t bonds_of(const scree_world *w) { return scree_world_bonds(&w->state, &w->work); }
static int32_t end_of(const scree_world *w, const load *o) { return lab_row(w, o->id); }

/* a drag that is critical for the slowest swing of a beam with this stiffness at its end */
static void set_drag(scree_world *w, load *o, real stiffness, int32_t bonds)
{
	const real mass = w->state.body.mass[end_of(w, o)];
	o->drag = 2 * sqrt(stiffness / (0.25 * bonds * mass)) * mass;
}

static void a_cantilever_bends_as_timoshenko_says(void **state)
{
	(void)state;
	const bond_form f = form();
	const real area = SCREE_PI * 0.81 * R * R, second = SCREE_PI / 4 * 0.6561 * R * R * R * R, long_ = BONDS * LENGTH;
	const real per_force = long_ * long_ * long_ / (3 * YOUNG * second) + long_ / (YOUNG / RATIO * area);
	load o = {.force = v3(0, 0, 1e-4 * R / per_force)};
	scree_world *w = beam(bonded(0.1), BONDS, &o);
	CHECK(bonds_of(w) == 0, "before the first step");
	set_drag(w, &o, 1 / per_force, BONDS);
	lab_steps(w, 40000);
	const real z = w->state.body.z[end_of(w, &o)], bent = 1e-4 * R;
	CHECK(bonds_of(w) == BONDS && broken(w) == 0, "%lld bonds", (long long)bonds_of(w));
	NEAR(z, bent, 0.01 * bent, "Timoshenko");
	/* a beam that bends in the middle of each bond */
	real sum = 0;
	for (int k = 1; k <= BONDS; ++k) sum += (k - 0.5) * (k - 0.5) * LENGTH * LENGTH / f.bends + 1 / f.across;
	NEAR(z, o.force.z * sum, 1e-3 * bent, "of its bonds");
	scree_world_free(w);
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
		scree_world *w = beam(bonded(0.1), 4, &o);
		const int32_t i = end_of(w, &o);
		o.drag = sqrt(f.along * w->state.body.mass[i]) / 3;
		o.turning_drag = sqrt(f.twists * w->state.body.ix[i]) / 3;
		lab_steps(w, 20000);
		if (twists)
			NEAR(2 * asin(w->state.body.qx[i]), 4e-3, 1e-3 * 4e-3, "angle of the end");
		else
			NEAR(w->state.body.x[i] - 4 * LENGTH, 4e-3 * R, 1e-3 * 4e-3 * R, "way of the end");
		scree_world_free(w);
	}
}

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
	for (size_t k = 0; k < sizeof most / sizeof *most; ++k) {
		load o = {.force = most[k].force, .torque = most[k].torque};
		scree_world *w = beam(bonded(0.1), 1, &o);
		const int32_t i = end_of(w, &o);
		o.drag = (real)0.1 * sqrt(f.bends * w->state.body.mass[i]) / R;
		o.turning_drag = (real)0.1 * sqrt(f.bends * w->state.body.ix[i]);
		o.ramp = 120000 * w->model.dt;
		while (!broken(w) && o.now < 1.1) lab_steps(w, 1);
		CHECK(broken(w) == 1 && bonds_of(w) == 0, "%s: %lld broken", most[k].what, (long long)broken(w));
		NEAR(o.now, 1, 1e-3, most[k].what);
		scree_world_free(w);
	}
}

static void the_ledger_has_the_energy_of_bonds(void **state)
{
	(void)state;
	const bond_form f = form();
	const real full = TENSION * f.area * TENSION * f.area / (2 * f.along);
	for (int k = 0; k < 2; ++k) {
		load o = {0};
		scree_world *w = beam(bonded(k ? 0.3 : 0), 1, &o);
		lab_prepare(w, w->model.dt / 20);
		lab_steps(w, 1);
		const int32_t i = end_of(w, &o);
		const real mass = w->state.body.mass[i], given = 4 * full;
		lab_steps(w, 10);
		w->state.body.vx[i] = sqrt(2 * given / mass);
		fail why;
		CHECK(scree_world_changed(w, CHANGED_VELOCITIES, &why), "%s", why.text);
		for (int n = 0; n < 50000 && !broken(w); ++n) lab_steps(w, 1);
		lab_steps(w, 5);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(broken(w) == 1, "it breaks");
		NEAR(e.kinetic + e.lost, given, 2e-3 * given, "what is left and what is lost");
		NEAR(e.residual + e.made, 0, 2e-3 * given, "error of the ledger");
		if (!k) NEAR(e.lost_normal, full, 0.01 * full, "lost by breaking");
		if (k) CHECK(e.lost_normal > 1.1 * full, "damping takes more: %g of %g", e.lost_normal, full);
		scree_world_free(w);
	}
}

/* Two spheres that rotate about each other for ten turns, and about their line. */
static void bonds_turn_with_their_bodies(void **state)
{
	(void)state;
	scree_world *w = lab_world(bonded(0));
	const real rate = 300;
	const vec3 spin = v3(rate / 3, 0, rate);
	lab_add_moving(w, 0, 2 * R, v3(-LENGTH / 2, 0, 0), quat_one(), v3(0, -rate * LENGTH / 2, 0), spin);
	lab_add_moving(w, 0, 2 * R, v3(LENGTH / 2, 0, 0), quat_one(), v3(0, rate * LENGTH / 2, 0), spin);
	w->model.guard.energy = 0;
	lab_prepare(w, 0);
	lab_steps(w, 1);
	const real before = lab_energy(w), held = scree_world_energy(&w->model, &w->state, &w->work).elastic;
	lab_steps(w, (int64_t)(20 * SCREE_PI / rate / w->model.dt));
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(bonds_of(w) == 1, "still bonded");
	NEAR(e.kinetic + e.elastic, before, 1e-5 * before, "energy");
	CHECK(e.elastic < held + 1e-3 * before, "%g J held of %g", e.elastic, before);
	scree_world_free(w);
}

static scree_world *block(real deviation)
{
	contact_rule r = bonded(0.1);
	r.bond.deviation = deviation;
	scree_world *w = lab_world(r);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 64; ++k)
		lab_add_moving(w, 0, 2 * R, v3(k % 4 * LENGTH, k / 4 % 4 * LENGTH, 1.2 * R + k / 16 * LENGTH), quat_one(),
					   v3(2.0 * (k / 16), 0.2, -1), v3(0, 0, 0));
	w->model.gravity = v3(0, 0, -9.81);
	lab_prepare(w, 0);
	return w;
}

static uint64_t hash_of(const scree_world *w) { return scree_world_hash(&w->model, &w->state, &w->work); }

static void a_resumed_block_breaks_with_the_same_bits(void **state)
{
	(void)state;
	scree_world *w = block(0.2);
	lab_steps(w, 1);
	CHECK(bonds_of(w) == 144, "%lld bonds of a cubic block", (long long)bonds_of(w));
	lab_steps(w, 2500);
	CHECK(broken(w) > 0 && bonds_of(w) > 0, "%lld broken, %lld left", (long long)broken(w), (long long)bonds_of(w));
	CHECK(broken(w) + bonds_of(w) == 144, "none is lost");
	scree_world *copy = lab_resumed(w);
	CHECK(hash_of(w) == hash_of(copy) && broken(copy) == broken(w), "the snapshot");
	lab_steps(w, 1000);
	lab_steps(copy, 1000);
	CHECK(hash_of(w) == hash_of(copy) && broken(copy) == broken(w), "the steps after it");
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(e.residual + e.made, 0, 0.02 * (e.lost + e.kinetic), "error of the ledger");
	scree_world_free(copy);
	scree_world_free(w);
}

static void strengths_are_drawn_by_seed(void **state)
{
	(void)state;
	scree_world *w = block(0.1);
	lab_steps(w, 1);
	const pair_list *l = w->state.pair + PAIR_SPHERE_SPHERE;
	real sum = 0, squares = 0, count = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		sum += l->bond_strength[c.row] - 1, squares += pow(l->bond_strength[c.row] - 1, 2), count += 1;
		CHECK(real_abs(l->bond_strength[c.row] - 1) <= 0.3 + 1e-12, "within three deviations");
	}
	NEAR(sum / count, 0, 0.03, "mean");
	NEAR(sqrt(squares / count), 0.1, 0.025, "deviation");
	scree_world_free(w);
}

static void bonds_form_at_their_time(void **state)
{
	(void)state;
	contact_rule r = bonded(0.1);
	r.bond.from = 2e-4;
	load o = {0};
	scree_world *w = beam(r, 3, &o);
	while (w->state.time < 1.9e-4) lab_steps(w, 1);
	CHECK(bonds_of(w) == 0, "too early");
	while (w->state.time < 2.1e-4) lab_steps(w, 1);
	CHECK(bonds_of(w) == 3, "%lld bonds", (long long)bonds_of(w));
	scree_world_free(w);
}

/* As in space, but for the section. */
static void discs_bend_in_the_plane(void **state)
{
	(void)state;
	scree_world *w = lab_world(bonded(0.1));
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
	w->model.guard.energy = 0;
	w->model.applied = apply;
	w->model.applied_context = &o;
	lab_prepare(w, 0);
	set_drag(w, &o, 1 / (bends + shears), BONDS);
	lab_steps(w, 40000);
	CHECK(bonds_of(w) == BONDS && broken(w) == 0, "%lld bonds", (long long)bonds_of(w));
	const real y = w->state.body.y[end_of(w, &o)];
	NEAR(y, o.force.y * (bends * (1 - 1 / (4.0 * BONDS * BONDS)) + shears), 1e-3 * 1e-4 * R, "of its bonds");
	scree_world_free(w);
}

/* A cube of another material does not mind bonds of balls. */
static void other_materials_have_any_shape(void **state)
{
	(void)state;
	scree_world *w = lab_world(bonded(0.1));
	material other = w->model.material.row[0];
	snprintf(other.name, sizeof other.name, "other");
	const int32_t row = scree_materials_add(&w->model.material, other);
	contact_rule plain = bonded(0.1);
	plain.bond = (bond_rule){0};
	scree_materials_set_rule(&w->model.material, 0, row, plain);
	scree_materials_set_rule(&w->model.material, row, row, plain);
	lab_add(w, 0, 2 * R, v3(0, 0, 0));
	lab_add(w, 0, 2 * R, v3(LENGTH, 0, 0));
	new_body cube = {.shape = 1, .material = row, .size = R, .position = v3(0, 0, 1.6 * R), .orientation = quat_one()};
	scree_world_add(&w->model, &w->state, &w->work, 1, &cube);
	lab_prepare(w, 0);
	lab_steps(w, 10);
	CHECK(bonds_of(w) == 1, "%lld bonds", (long long)bonds_of(w));
	scree_world_free(w);
}

static void what_bonds_do_not_support_is_refused(void **state)
{
	(void)state;
	scree_world *w = lab_world(bonded(0.1));
	lab_add(w, 1, 2 * R, v3(0, 0, 0));
	lab_refused(w, 1e-7, "bonds are for spheres, but some bodies of");
	contact_rule soft = bonded(0.1);
	soft.bond.young = 1e6;
	w = lab_world(soft);
	lab_add(w, 0, 2 * R, v3(0, 0, 0));
	lab_refused(w, 1e-7, "stretches by 20 % before it breaks");
	w = lab_world(bonded(0.1));
	lab_add(w, 0, 2 * R, v3(0, 0, 0));
	lab_add(w, 0, 2 * R, v3(LENGTH, 0, 0));
	lab_refused(w, 1e-3, "the time step 0.001 s is too large");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cantilever_bends_as_timoshenko_says),
		cmocka_unit_test(a_rod_is_stretched_and_twisted),
		cmocka_unit_test(bonds_break_at_their_strength),
		cmocka_unit_test(the_ledger_has_the_energy_of_bonds),
		cmocka_unit_test(bonds_turn_with_their_bodies),
		cmocka_unit_test(a_resumed_block_breaks_with_the_same_bits),
		cmocka_unit_test(strengths_are_drawn_by_seed),
		cmocka_unit_test(bonds_form_at_their_time),
		cmocka_unit_test(discs_bend_in_the_plane),
		cmocka_unit_test(other_materials_have_any_shape),
		cmocka_unit_test(what_bonds_do_not_support_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
