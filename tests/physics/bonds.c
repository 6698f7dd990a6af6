/* Bonds: beams of spheres compared with closed forms, the loads at which they break, and their energy. */
#include "beam.h"
#include "kernel/bond.h"
#include "kernel/quat.h"
#include "lab.h"
#include "prepare/prepare.h"
#include "test.h"

#include <stdlib.h>

static void a_cantilever_bends_as_timoshenko_says(void **state)
{
	(void)state;
	beam_bends("forces", 1, 40000);
}

static void a_rod_is_stretched_and_twisted(void **state)
{
	(void)state;
	beam_is_stretched_and_twisted("forces", 20000);
}

static void bonds_break_at_their_strength(void **state)
{
	(void)state;
	beam_breaks_at_its_strength("forces", 120000, 1e-3);
}

static void the_ledger_has_the_energy_of_bonds(void **state)
{
	(void)state;
	const bond_form f = beam_form();
	const real full = BEAM_TENSION * f.area * BEAM_TENSION * f.area / (2 * f.along);
	for (int k = 0; k < 2; ++k) {
		beam_load o = {0};
		scree_world *w = beam_new(beam_rule(k ? 0.3 : 0), "forces", 1, &o, 1);
		lab_prepare(w, w->model.dt / 20);
		lab_steps(w, 1);
		const int32_t i = beam_end(w, &o);
		const real mass = w->state.body.mass[i], given = 4 * full;
		lab_steps(w, 10);
		w->state.body.vx[i] = sqrt(2 * given / mass);
		fail why;
		CHECK(scree_world_changed(w, CHANGED_VELOCITIES, &why), "%s", why.text);
		for (int n = 0; n < 50000 && !beam_broken(w); ++n) lab_steps(w, 1);
		lab_steps(w, 5);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(beam_broken(w) == 1, "it breaks");
		NEAR(e.kinetic + e.lost, given, 2e-3 * given, "what is left and what is lost");
		NEAR(e.residual + e.made, 0, 2e-3 * given, "error of the ledger");
		if (!k) NEAR(e.lost_normal, full, 0.01 * full, "lost by breaking");
		if (k) CHECK(e.lost_normal > 1.1 * full, "damping takes more: %g of %g", e.lost_normal, full);
		scree_world_free(w);
	}
}

/* Two spheres that make ten revolutions about each other, and also rotate about the line between them. */
static void bonds_turn_with_their_bodies(void **state)
{
	(void)state;
	const real rate = 300;
	scree_world *w = beam_world(beam_rule(0), "forces");
	beam_add_rotating_pair(w, rate);
	lab_prepare(w, 0);
	lab_steps(w, 1);
	const real before = lab_energy(w), held = scree_world_energy(&w->model, &w->state, &w->work).elastic;
	lab_steps(w, (int64_t)((test_short() ? 4 : 20) * SCREE_PI / rate / w->model.dt));
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(beam_bonds(w) == 1, "still bonded");
	NEAR(e.kinetic + e.elastic, before, 1e-5 * before, "energy");
	CHECK(e.elastic < held + 1e-3 * before, "%g J held of %g", e.elastic, before);
	scree_world_free(w);
}

static scree_world *block(real deviation)
{
	contact_rule r = beam_rule(0.1);
	r.bond.deviation = deviation;
	scree_world *w = lab_world(r);
	beam_add_block(w);
	lab_prepare(w, 0);
	return w;
}

static uint64_t hash_of(const scree_world *w) { return scree_world_hash(&w->model, &w->state, &w->work); }

static void a_resumed_block_breaks_with_the_same_bits(void **state)
{
	(void)state;
	scree_world *w = block(0.2);
	lab_steps(w, 1);
	CHECK(beam_bonds(w) == 144, "%lld bonds of a cubic block", (long long)beam_bonds(w));
	lab_steps(w, 2500);
	CHECK(beam_broken(w) > 0 && beam_bonds(w) > 0, "%lld broken, %lld left", (long long)beam_broken(w),
		  (long long)beam_bonds(w));
	CHECK(beam_broken(w) + beam_bonds(w) == 144, "none is lost");
	scree_world *copy = lab_resumed(w);
	CHECK(hash_of(w) == hash_of(copy) && beam_broken(copy) == beam_broken(w), "the snapshot");
	lab_steps(w, 1000);
	lab_steps(copy, 1000);
	CHECK(hash_of(w) == hash_of(copy) && beam_broken(copy) == beam_broken(w), "the steps after it");
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
	contact_rule r = beam_rule(0.1);
	r.bond.from = 2e-4;
	beam_load o = {0};
	scree_world *w = beam_new(r, "forces", 3, &o, 1);
	while (w->state.time < 1.9e-4) lab_steps(w, 1);
	CHECK(beam_bonds(w) == 0, "too early");
	while (w->state.time < 2.1e-4) lab_steps(w, 1);
	CHECK(beam_bonds(w) == 3, "%lld bonds", (long long)beam_bonds(w));
	scree_world_free(w);
}

static void discs_bend_in_the_plane(void **state)
{
	(void)state;
	beam_of_discs_bends("forces", 40000);
}

/* Bonds between balls do not affect a cube of another material. */
static void other_materials_have_any_shape(void **state)
{
	(void)state;
	scree_world *w = lab_world(beam_rule(0.1));
	material other = w->model.material.row[0];
	snprintf(other.name, sizeof other.name, "other");
	const int32_t row = scree_materials_add(&w->model.material, other);
	contact_rule plain = beam_rule(0.1);
	plain.bond = (bond_rule){0};
	scree_materials_set_rule(&w->model.material, 0, row, plain);
	scree_materials_set_rule(&w->model.material, row, row, plain);
	lab_add(w, 0, 2 * BEAM_R, v3(0, 0, 0));
	lab_add(w, 0, 2 * BEAM_R, v3(BEAM_LENGTH, 0, 0));
	new_body cube = {
		.shape = 1, .material = row, .size = BEAM_R, .position = v3(0, 0, 1.6 * BEAM_R), .orientation = quat_one()};
	scree_world_add(&w->model, &w->state, &w->work, 1, &cube);
	lab_prepare(w, 0);
	lab_steps(w, 10);
	CHECK(beam_bonds(w) == 1, "%lld bonds", (long long)beam_bonds(w));
	scree_world_free(w);
}

static void what_bonds_do_not_support_is_refused(void **state)
{
	(void)state;
	scree_world *w = lab_world(beam_rule(0.1));
	lab_add(w, 1, 2 * BEAM_R, v3(0, 0, 0));
	lab_refused(w, 1e-7, "bonds are for spheres, but some bodies of");
	contact_rule soft = beam_rule(0.1);
	soft.bond.young = 1e6;
	w = lab_world(soft);
	lab_add(w, 0, 2 * BEAM_R, v3(0, 0, 0));
	lab_refused(w, 1e-7, "stretches by 20 % before it breaks");
	w = lab_world(beam_rule(0.1));
	lab_add(w, 0, 2 * BEAM_R, v3(0, 0, 0));
	lab_add(w, 0, 2 * BEAM_R, v3(BEAM_LENGTH, 0, 0));
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
