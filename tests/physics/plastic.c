/* The law plastic: force as a function of overlap, compared with the incremental form of the law and with closed
 * forms; impacts, compared with the restitutions of Walton and Braun (1986) and Luding (2008); and the ledger. */
#include "kernel/cohesion.h"
#include "kernel/contact_law.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/law.h"
#include "prepare/prepare.h"
#include "test.h"

#include <stdlib.h>

static const real K1 = 1e4, SIZE = 1e-3;

static contact_rule rule_of(real unloading, real adhesion, real depth)
{
	contact_rule r = {.law = LAW_PLASTIC, .restitution = 1, .stiffness = K1};
	r.plastic = (plastic_rule){unloading, adhesion, depth};
	return r;
}

static contact_constants constants_for(contact_rule rule, real radius)
{
	scree_world *w = lab_world(rule);
	law_constants c = {0};
	fail why;
	CHECK(scree_laws[LAW_PLASTIC].derive(w->model.material.row, w->model.material.row, &rule, &c, &why), "%s",
		  why.text);
	scree_world_free(w);
	return constants_of(LAW_PLASTIC, &c, radius, 1);
}

/* ------------------------------------------------------------------ the curve */

/* an overlap that starts and ends at 0, and rises and falls several times in between, at the fraction x of the cycle */
static real overlap_at(int path, real x)
{
	const real wave = sin(3 * SCREE_PI * x), slow = sin(SCREE_PI * x);
	return 1e-5 * (path == 0 ? slow : path == 1 ? slow * (1 + 0.7 * sin(9 * SCREE_PI * x)) : wave * wave + 0.3 * slow);
}

/* With a single unloading stiffness, the law is a spring k2 whose force is limited by the two branches. */
static void the_curve_is_that_of_a_clamped_spring(void **state)
{
	(void)state;
	enum { STEPS = 20000 };
	const real k2 = 5 * K1, kc = 0.6 * K1;
	const contact_constants c = constants_for(rule_of(k2, kc, 0), SIZE / 4);
	for (int path = 0; path < 3; ++path) {
		real deepest = 0, force = 0, depth = 0, lost = 0, work = 0, worst = 0, most = 0;
		for (int k = 1; k <= STEPS; ++k) {
			const real to = overlap_at(path, k / (real)STEPS), had = force;
			force = real_clamp(force + k2 * (to - depth), -kc * to, K1 * to);
			const plastic_part p = normal_plastic(&c, to, 0, deepest);
			CHECK(p.lost >= -1e-20, "made %g J", -p.lost);
			work += (had + force) / 2 * (to - depth);
			deepest = p.deepest, depth = to, lost += p.lost;
			worst = real_max(worst, real_abs(p.normal.force - force));
			most = real_max(most, force);
		}
		NEAR(worst, 0, 1e-9 * most, "force");
		NEAR(lost, work, 1e-6 * work, "area of the loop");
		NEAR(deepest, 0, 1e-12 * SIZE, "a contact that parted has no memory");
	}
}

/* Load to a depth, unload to a fraction of it, and load again: forces at the corners of Fig. 1 in Luding (2008). */
static void corners_of_the_loop_are_those_of_the_paper(void **state)
{
	(void)state;
	const real kp = 5 * K1, kc = 2 * K1, phi = 0.05, radius = SIZE / 4, limit = kp / (kp - K1) * phi * 2 * radius;
	const contact_constants c = constants_for(rule_of(kp, kc, phi), radius);
	NEAR(plastic_limit(&c), limit, 1e-12 * limit, "overlap of the limit branch");
	for (int k = 1; k <= 8; ++k) {
		const real deep = k * limit / 6, most = real_min(deep, limit), k2 = K1 + (kp - K1) * most / limit;
		const real rest = (1 - K1 / k2) * most, low = (k2 - K1) / (k2 + kc) * most;
		const plastic_part at = normal_plastic(&c, deep, 0, 0);
		NEAR(at.normal.force, k <= 6 ? K1 * deep : kp * (deep - phi * 2 * radius), 1e-12 * K1 * deep, "loading");
		NEAR(at.deepest, most, 1e-12 * most, "greatest overlap");
		NEAR(normal_plastic(&c, rest, 0, at.deepest).normal.force, 0, 1e-12 * K1 * deep, "no force");
		NEAR(normal_plastic(&c, low, 0, at.deepest).normal.force, -kc * low, 1e-12 * K1 * deep, "greatest pull");
		const plastic_part torn = normal_plastic(&c, low / 2, 0, at.deepest);
		NEAR(torn.normal.force, -kc * low / 2, 1e-12 * K1 * deep, "adhesive branch");
		/* reloading follows the stored stiffness */
		const real k3 = K1 + (kp - K1) * torn.deepest / limit, again = torn.deepest * (1 - K1 / k3);
		NEAR(k3 * (low / 2 - again), -kc * low / 2, 1e-9 * kc * low, "what it remembers");
		NEAR(normal_plastic(&c, again, 0, torn.deepest).normal.force, 0, 1e-9 * K1 * deep, "loaded again");
		CHECK(torn.deepest < at.deepest, "it forgets: %g, %g", torn.deepest, at.deepest);
	}
}

/* Without adhesion, the flattening remains while the bodies are close: on reloading, there is no force up to the same
 * overlap. */
static void a_flat_without_adhesion_stays(void **state)
{
	(void)state;
	const contact_constants c = constants_for(rule_of(4 * K1, 0, 0), SIZE / 4);
	const plastic_part deep = normal_plastic(&c, 1e-5, 0, 0), apart = normal_plastic(&c, 2e-6, 0, deep.deepest);
	NEAR(apart.normal.force, 0, 0, "no force");
	NEAR(apart.lost, 0, 0, "no loss");
	NEAR(normal_plastic(&c, 8.5e-6, 0, apart.deepest).normal.force, 4 * K1 * 1e-6, 1e-12, "the same line");
}

/* ------------------------------------------------------------------ impacts */

typedef struct impact {
	real e, lost, residual; /* lost and residual: relative to the initial kinetic energy */
} impact;

static real energy_of(const scree_world *w) { return lab_energy(w) + scree_fixed_value(w->state.energy.lost_normal); }

/* two balls colliding head-on, or a ball hitting a plane */
static impact hit(contact_rule rule, real speed, bool wall, real part)
{
	scree_world *w = lab_world(rule);
	fail why = {0};
	if (wall)
		lab_plane(w, v3(0, 0, -SIZE / 2), v3(0, 0, 1));
	else
		lab_add_moving(w, 0, SIZE, v3(0, 0, -SIZE), quat_one(), v3(0, 0, 0), v3(0, 0, 0));
	const real gap = 1e-3 * SIZE;
	const uint64_t id = lab_add_moving(w, 0, SIZE, v3(0, 0, gap), quat_one(), v3(0, 0, -speed), v3(0, 0, 0));
	w->model.guard.overlap = 0.9;
	CHECK(scree_world_prepare(w, part, 0, &why), "%s", why.text);
	lab_steps(w, 1);
	const real before = lab_energy(w), mass = w->state.body.mass[lab_row(w, id)];
	bool touched = false;
	for (int k = 0; k < 1000000 && !(touched && !w->work.touching); ++k)
		lab_steps(w, 1), touched |= w->work.touching > 0;
	lab_steps(w, 2);
	const bodies *b = &w->state.body;
	const int32_t row = lab_row(w, id);
	const real other = wall ? 0 : b->vz[1 - row];
	const real with = wall ? mass * speed * speed / 2 : mass * speed * speed / 4;
	impact o = {(b->vz[row] - other) / speed, scree_fixed_value(w->state.energy.lost_normal) / with,
				(energy_of(w) - before) / with};
	scree_world_free(w);
	return o;
}

/* largest overlap in m, if loaded only with k1 */
static real deepest_of(real speed, bool wall)
{
	const real mass = 2500 * SCREE_PI / 6 * SIZE * SIZE * SIZE;
	return speed * sqrt((wall ? mass : mass / 2) / K1);
}

/* fraction of the energy that remains: eq. 14 of Luding (2008), with k2 for this overlap */
static real left_of(real k2, real kc) { return K1 / k2 - kc / K1 * (k2 - K1) * (k2 - K1) / (k2 * (k2 + kc)); }

static void impacts_have_the_restitution_of_walton_and_braun(void **state)
{
	(void)state;
	static const real ratio[] = {1, 1.5, 4, 25};
	for (int k = 0; k < 4; ++k)
		for (int wall = 0; wall < 2; ++wall)
			for (real v = 0.01; v < 2; v *= 10) {
				const impact o = hit(rule_of(ratio[k] * K1, 0, 0), v, wall, 0.002);
				const real left = 1 / ratio[k];
				NEAR(o.e, sqrt(left), 2e-4, "restitution");
				NEAR(o.lost, 1 - left, 2e-4, "loss");
				NEAR(o.residual, 0, 2e-4, "residual");
			}
}

static void impacts_with_adhesion_are_those_of_luding(void **state)
{
	(void)state;
	static const real kc[] = {0.1, 0.3, 0.5};
	for (int k = 0; k < 3; ++k) {
		const real left = left_of(2.5 * K1, kc[k] * K1);
		const impact o = hit(rule_of(2.5 * K1, kc[k] * K1, 0), 0.3, k == 1, 0.002);
		NEAR(o.e, sqrt(left), 3e-4, "restitution");
		NEAR(o.lost, 1 - left, 3e-4, "loss");
	}
}

static void hardening_makes_fast_impacts_lose_more(void **state)
{
	(void)state;
	const real kp = 5 * K1, phi = 0.02, radius = SIZE / 4, limit = kp / (kp - K1) * phi * 2 * radius;
	real last = 1;
	for (int k = 1; k <= 5; ++k) {
		const real v = k * (limit / deepest_of(1, false)) / 5, deep = deepest_of(v, false);
		const real left = left_of(K1 + (kp - K1) * deep / limit, 0);
		const impact o = hit(rule_of(kp, 0, phi), (1 - 1e-9) * v, false, 0.002);
		NEAR(o.e, sqrt(left), 3e-4, "restitution");
		CHECK(o.e < last, "%g, %g", o.e, last);
		last = o.e;
	}
	/* no further loss beyond the limit branch */
	const real v = 2 * limit / deepest_of(1, false), most = K1 * limit * limit / 2 * (1 - K1 / kp);
	const impact o = hit(rule_of(kp, 0, phi), v, false, 0.002);
	NEAR(o.lost, most / (K1 * pow(deepest_of(v, false), 2) / 2), 3e-4, "loss");
}

/* the error of a step is of second order */
static void the_ledger_closes_with_the_step(void **state)
{
	(void)state;
	real worst[2] = {0, 0};
	for (int k = 0; k < 20; ++k)
		for (int fine = 0; fine < 2; ++fine) {
			const impact o = hit(rule_of(3 * K1, 0.4 * K1, 0), 0.1 * (1 + k / 40.0), false, fine ? 0.002 : 0.02);
			worst[fine] = real_max(worst[fine], real_abs(o.residual));
		}
	if (getenv("SCREE_TEST_TABLES")) printf("# residual %g, %g\n", worst[0], worst[1]);
	CHECK(worst[0] < 0.01 && worst[1] < worst[0] / 30, "residual %g, %g", worst[0], worst[1]);
}

/* ------------------------------------------------------------------ state */

/* a heap of sticky balls in a box */
static scree_world *heap(void)
{
	contact_rule rule = rule_of(4 * K1, 1.5 * K1, 0.05);
	rule.restitution = 0.8, rule.friction = 0.4, rule.rolling_friction = 0.05;
	scree_world *w = lab_world(rule);
	static const vec3 at[6] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 1}};
	for (int k = 0; k < 3; ++k)
		for (int side = 0; side < 2; ++side) {
			const vec3 n = v3_mul(side ? -1 : 1, at[2 * k + 1]);
			lab_plane(w, v3_mul(side ? 5 * SIZE : 0, at[2 * k + 1]), n);
		}
	for (int k = 0; k < 64; ++k) {
		const vec3 cell = v3(k % 4, k / 4 % 4, k / 16);
		const vec3 shift = v3(0.1 * sin(3 * k), 0.1 * cos(5 * k), 0);
		lab_add_moving(w, 0, SIZE, v3_mul(1.1 * SIZE, v3_add(v3(0.6, 0.6, 0.6), v3_add(cell, shift))), quat_one(),
					   v3(0.1 * sin(k), 0.1 * cos(k), -0.3), v3(0, 0, 0));
	}
	w->model.gravity = v3(0, 0, -9.81);
	return w;
}

/* Another pair of materials has cohesion, which affects only the choice of loops over contacts. */
static void cohesion_of_others_changes_nothing(void **state)
{
	(void)state;
	energy_row e[2];
	for (int other = 0; other < 2; ++other) {
		scree_world *w = heap();
		contact_rule sticks = lab_linear(1e3, 0.5, 0.3);
		sticks.cohesion = COHESION_DMT, sticks.surface = 0.01;
		if (other) {
			scree_materials_add(&w->model.material, w->model.material.row[0]);
			scree_materials_set_rule(&w->model.material, 1, 1, sticks);
		}
		lab_prepare(w, 1e-6);
		lab_steps(w, 3000);
		e[other] = scree_world_energy(&w->model, &w->state, &w->work);
		scree_world_free(w);
	}
	CHECK(e[0].lost_normal > 0, "nothing yielded");
	/* the scales of the sums differ slightly */
	NEAR(e[1].lost_normal, e[0].lost_normal, 1e-4 * e[0].lost, "loss");
	NEAR(e[1].made, e[0].made, 1e-4 * e[0].lost, "made by geometry");
	NEAR(e[1].residual, e[0].residual, 1e-4 * e[0].lost, "residual");
}

/* Removing a body does not break its contacts, so no loss is recorded. */
static void removed_bodies_tear_nothing(void **state)
{
	(void)state;
	scree_world *w = heap();
	lab_prepare(w, 0);
	lab_steps(w, 1400);
	const energy_row before = scree_world_energy(&w->model, &w->state, &w->work);
	real torn = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) torn += l->torn[c.row];
	}
	CHECK(torn > 0, "nothing sticks");
	int32_t all[64];
	for (int32_t k = 0; k < 64; ++k) all[k] = k;
	scree_world_remove(&w->model, &w->state, &w->work, 64, all);
	const energy_row after = scree_world_energy(&w->model, &w->state, &w->work);
	NEAR(after.lost_normal, before.lost_normal, 1e-6 * torn, "loss");
	scree_world_free(w);
}

static uint64_t hash_of(const scree_world *w) { return scree_world_hash(&w->model, &w->state, &w->work); }

static void a_resumed_heap_has_the_same_bits(void **state)
{
	(void)state;
	scree_world *w = heap();
	lab_prepare(w, 0);
	lab_steps(w, 700);
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	if (getenv("SCREE_TEST_TABLES")) printf("# residual %g, made %g of %g J\n", e.residual, e.made, e.lost);
	NEAR(e.residual, 0, 1e-3 * e.lost, "residual");
	NEAR(e.made, 0, 3e-3 * e.lost, "made by geometry");
	CHECK(e.lost_normal > 0.5 * e.lost, "lost %g J, by yielding and dashpots %g J", e.lost, e.lost_normal);
	real deepest = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
			deepest = real_max(deepest, l->deepest[c.row]);
	}
	CHECK(deepest > 0, "contacts yielded");
	scree_world *copy = lab_resumed(w);
	CHECK(hash_of(w) == hash_of(copy), "the snapshot");
	lab_steps(w, 700);
	lab_steps(copy, 700);
	CHECK(hash_of(w) == hash_of(copy), "the steps after it");
	scree_world_free(copy);
	scree_world_free(w);
}

static void other_shapes_and_implicit_steps_are_refused(void **state)
{
	(void)state;
	scree_world *w = lab_world(rule_of(2 * K1, 0, 0));
	lab_add(w, 1, SIZE, v3(0, 0, 0));
	lab_refused(w, 1e-7, "the law plastic supports spheres and clumps only");
	w = lab_world(rule_of(2 * K1, 0, 0));
	lab_add(w, 0, SIZE, v3(0, 0, 0));
	w->model.implicit = true;
	lab_refused(w, 1e-7, "run.response: implicit does not support the law plastic");
	w = lab_world(rule_of(K1 / 2, 0, 0));
	lab_add(w, 0, SIZE, v3(0, 0, 0));
	lab_refused(w, 1e-7, "unloading must be at least as stiff as loading");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_curve_is_that_of_a_clamped_spring),
		cmocka_unit_test(corners_of_the_loop_are_those_of_the_paper),
		cmocka_unit_test(a_flat_without_adhesion_stays),
		cmocka_unit_test(impacts_have_the_restitution_of_walton_and_braun),
		cmocka_unit_test(impacts_with_adhesion_are_those_of_luding),
		cmocka_unit_test(hardening_makes_fast_impacts_lose_more),
		cmocka_unit_test(the_ledger_closes_with_the_step),
		cmocka_unit_test(cohesion_of_others_changes_nothing),
		cmocka_unit_test(removed_bodies_tear_nothing),
		cmocka_unit_test(a_resumed_heap_has_the_same_bits),
		cmocka_unit_test(other_shapes_and_implicit_steps_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
