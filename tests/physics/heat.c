/* Heat conduction: chains of balls compared with closed forms; contacts with forces, implicit contacts and hard
 * contacts; friction; energy balance. */
#include "base/memory.h"
#include "choices/choices.h"
#include "kernel/cohesion.h"
#include "lab.h"
#include "measure/measure.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "test.h"

#include <math.h>
#include <string.h>

static const real R = 1e-3, YOUNG = 1e7, POISSON = 0.25, K = 40, CAPACITY = 500, DENSITY = 2500;

static real ball_capacity(void) { return DENSITY * 4 / 3 * SCREE_PI * R * R * R * CAPACITY; }
static real modulus(void) { return YOUNG / (2 * (1 - POISSON * POISSON)); }
/* radius of a contact with this force and reduced radius, in m */
static real radius_under(real force, real reduced) { return cbrt(3 * force * reduced / (4 * modulus())); }

static scree_world *warm_world(contact_rule rule)
{
	scree_world *w = lab_world(rule);
	material *m = w->model.material.row;
	m->conductivity = K, m->capacity = CAPACITY;
	w->model.temperature = 300;
	return w;
}

static uint64_t add(scree_world *w, vec3 at, real temperature)
{
	new_body b = {.shape = 0, .size = 2 * R, .position = at, .orientation = quat_one(), .temperature = temperature};
	return scree_world_add(&w->model, &w->state, &w->work, 1, &b);
}

static void hot_plane(scree_world *w, vec3 point, vec3 normal, real temperature)
{
	const int32_t k = lab_plane(w, point, normal);
	w->model.wall.row[k].conducts = true;
	w->model.wall.row[k].temperature = temperature;
}

static real temperature_of(const scree_world *w, uint64_t id)
{
	return body_temperatures(&w->state.body)[lab_row(w, id)];
}

static heat_row heat_of(const scree_world *w) { return scree_world_heat(&w->model, &w->state, &w->work); }

static void check_balance(const scree_world *w)
{
	const heat_row h = heat_of(w);
	NEAR(h.thermal, h.brought + h.walls + h.friction, 1e-12 * h.thermal, "balance of heat");
}

/* Two balls pressed together by a force: their temperatures converge like exp(-2 H t/C). */
static void two_balls_exchange_heat(void **state)
{
	(void)state;
	scree_world *w = warm_world(lab_hertz(1, 0));
	const real depth = 2e-5, a = sqrt(R / 2 * depth), rate = 2 * 2 * K * a / ball_capacity();
	new_body held = {.shape = 0,
					 .size = 2 * R,
					 .position = v3(0, 0, 0),
					 .orientation = quat_one(),
					 .flags = BODY_HELD,
					 .temperature = 400};
	const uint64_t one = scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	/* the other ball is pressed to the same overlap by its weight */
	const real force = (real)4 / 3 * modulus() * sqrt(R / 2) * depth * sqrt(depth);
	const uint64_t other = add(w, v3(0, 0, 2 * R - depth), 300);
	w->model.gravity = v3(0, 0, -force / w->state.body.mass[1]);
	lab_prepare(w, 0);
	const int64_t steps = (int64_t)(0.7 / rate / w->model.dt);
	lab_steps(w, steps);
	const real apart = temperature_of(w, one) - temperature_of(w, other), t = w->state.time;
	NEAR(apart, 100 * exp(-rate * t), 1e-3 * 100, "difference of temperatures");
	NEAR(temperature_of(w, one) + temperature_of(w, other), 700, 1e-9 * 700, "sum of temperatures");
	check_balance(w);
	scree_world_free(w);
}

/* Held bodies have no contacts with each other or with walls at rest. */
static scree_world *held_pair(real gap, real above)
{
	scree_world *w = warm_world(lab_hertz(1, 0));
	hot_plane(w, v3(0, 0, -R - above), v3(0, 0, 1), 400);
	lab_rows(w);
	for (int k = 0; k < 2; ++k) {
		const new_body held = {.shape = 0,
							   .size = 2 * R,
							   .position = v3(k * (2 * R + gap), 0, 0),
							   .orientation = quat_one(),
							   .flags = BODY_HELD,
							   .temperature = 300 + 100 * k};
		scree_world_add(&w->model, &w->state, &w->work, 1, &held);
	}
	return w;
}

static void held_bodies_that_touch_are_refused(void **state)
{
	(void)state;
	lab_refused(held_pair(-1e-5, 1e-5), 1e-5, "heat does not pass between held bodies");
	lab_refused(held_pair(1e-5, -1e-5), 1e-5, "heat does not pass between them");
	scree_world *w = held_pair(1e-5, 1e-5);
	lab_prepare(w, 1e-5);
	lab_steps(w, 10);
	NEAR(body_temperatures(&w->state.body)[0], 300, 0, "a gap conducts nothing");
	scree_world_free(w);
	w = held_pair(-1e-5, -1e-5); /* scenes without heat are not refused */
	w->model.material.row[0].conductivity = w->model.material.row[0].capacity = 0;
	w->model.wall.row[0].conducts = false;
	lab_prepare(w, 1e-5);
	scree_world_free(w);
}

/* A row of balls between two walls, in equilibrium, with the same force in all contacts. */
static void a_row_has_a_linear_profile(void **state)
{
	(void)state;
	enum { N = 6 };
	const real force = 0.02, ss = radius_under(force, R / 2), sw = radius_under(force, R);
	const real deep = ss * ss / (R / 2), deep_wall = sw * sw / R;
	scree_world *w = warm_world(lab_hertz(0.5, 0.3));
	uint64_t id[N];
	real x = R - deep_wall;
	hot_plane(w, v3(0, 0, 0), v3(1, 0, 0), 400);
	for (int k = 0; k < N; ++k) {
		id[k] = add(w, v3(x, 0, 0), 350);
		x += k + 1 < N ? 2 * R - deep : R - deep_wall;
	}
	hot_plane(w, v3(x, 0, 0), v3(-1, 0, 0), 300);
	w->model.material.row[0].capacity = 5; /* so small that the state soon becomes steady */
	lab_prepare(w, 0);
	lab_steps(w, 20000);
	const real at_wall = 1 / (2 * K * sw), between = 1 / (2 * K * ss), all = 2 * at_wall + (N - 1) * between;
	real before = heat_of(w).walls;
	for (int k = 0; k < N; ++k)
		NEAR(temperature_of(w, id[k]), 400 - 100 * (at_wall + k * between) / all, 1e-3, "temperature of a ball");
	lab_steps(w, 100);
	NEAR(heat_of(w).walls - before, 0, 1e-4 * 100 / all * 100 * w->model.dt, "what comes in goes out");
	check_balance(w);
	scree_world_free(w);
}

/* A sinusoidal temperature along a ring decays at a rate of (4H/C) sin(pi/N)^2. */
static void a_sine_decays(void **state)
{
	(void)state;
	enum { N = 12 };
	const real depth = 2e-5, gap = 2 * R - depth, h = 2 * K * sqrt(R / 2 * depth);
	scree_world *w = warm_world(lab_hertz(0.5, 0.3));
	uint64_t id[N];
	lab_periods(w, "x", v3(0, -R, -R), v3(N * gap, 2 * R, 2 * R));
	for (int k = 0; k < N; ++k) id[k] = add(w, v3((k + 0.5) * gap, 0, 0), 300 + 50 * sin(2 * SCREE_PI * k / N));
	lab_prepare(w, 0);
	const real s = sin(SCREE_PI / N), rate = 4 * h / ball_capacity() * s * s;
	lab_steps(w, (int64_t)(1 / rate / w->model.dt));
	const real left = exp(-rate * w->state.time);
	for (int k = 0; k < N; ++k)
		NEAR(temperature_of(w, id[k]) - 300, 50 * left * sin(2 * SCREE_PI * k / N), 1e-3 * 50, "a ball of the ring");
	check_balance(w);
	scree_world_free(w);
}

static const char *const response_name[] = {"forces", "implicit", "hard"};

/* Without gravity, a ball sticks to a hot floor: attraction determines the size of the contact. */
static void sticky_contacts_conduct_as_much(void **state)
{
	(void)state;
	static const cohesion_kind kinds[] = {COHESION_DMT, COHESION_CAPILLARY, COHESION_JKR};
	for (size_t k = 0; k < 9; ++k) {
		contact_rule rule = lab_hertz(0.2, 0.3);
		const bool jkr = kinds[k / 3] == COHESION_JKR;
		rule.cohesion = kinds[k / 3], rule.surface = 0.05, rule.bridge = 1e-13;
		scree_world *w = warm_world(rule);
		model_respond(&w->model, scree_response_find(response_name[k % 3]));
		hot_plane(w, v3(0, 0, 0), v3(0, 0, 1), 400);
		const real a = radius_under((jkr ? 12 : 4) * SCREE_PI * rule.surface * R, R);
		const real sunk = k % 3 == 2 ? 1e-9 : a * a / (jkr ? 3 * R : R);
		const uint64_t id = add(w, v3(0, 0, R - sunk), 300);
		w->model.material.row[0].capacity = 5;
		lab_prepare(w, 0);
		const real rate = 2 * K * a / (ball_capacity() / 100);
		lab_steps(w, (int64_t)(1 / rate / w->model.dt));
		NEAR(temperature_of(w, id), 400 - 100 * exp(-rate * w->state.time), 0.5, response_name[k % 3]);
		scree_world_free(w);
	}
}

/* The weight of a ball presses it onto a hot floor: each response finds the contact radius that corresponds to this
 * weight. */
static void each_response_conducts_as_much(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof response_name / sizeof *response_name; ++k) {
		scree_world *w = warm_world(lab_hertz(0.2, 0.3));
		model_respond(&w->model, scree_response_find(response_name[k]));
		w->model.gravity = v3(0, 0, -9.81);
		hot_plane(w, v3(0, 0, 0), v3(0, 0, 1), 400);
		const real weight = DENSITY * 4 / 3 * SCREE_PI * R * R * R * 9.81, a = radius_under(weight, R);
		const real sunk = k == 2 ? 0 : a * a / R;
		const uint64_t id = add(w, v3(0, 0, R - sunk), 300);
		w->model.material.row[0].capacity = 5;
		lab_prepare(w, 0);
		const real rate = 2 * K * a / (ball_capacity() / 100);
		lab_steps(w, (int64_t)(1 / rate / w->model.dt));
		NEAR(temperature_of(w, id), 400 - 100 * exp(-rate * w->state.time), 0.5, response_name[k]);
		check_balance(w);
		scree_world_free(w);
	}
}

/* Softened bodies conduct as much heat as the real bodies would under the same force. */
static void contacts_of_soft_bodies_are_corrected(void **state)
{
	(void)state;
	real warmed[2];
	for (int k = 0; k < 2; ++k) {
		scree_world *w = warm_world(lab_hertz(0.2, 0.3));
		w->model.material.row[0].conduction_young = k ? 1000 * YOUNG : 0;
		w->model.gravity = v3(0, 0, -9.81);
		hot_plane(w, v3(0, 0, 0), v3(0, 0, 1), 400);
		const real weight = DENSITY * 4 / 3 * SCREE_PI * R * R * R * 9.81, a = radius_under(weight, R);
		const uint64_t id = add(w, v3(0, 0, R - a * a / R), 300);
		lab_prepare(w, 0);
		lab_steps(w, 1000);
		warmed[k] = temperature_of(w, id) - 300;
		scree_world_free(w);
	}
	NEAR(warmed[1], warmed[0] / 10, 1e-3 * warmed[0], "a thousand times stiffer: a tenth of the radius");
}

/* A ball sliding on an insulated floor retains all frictional heat, and a conducting wall absorbs half of it. */
static void friction_heats(void **state)
{
	(void)state;
	for (int warm = 0; warm < 2; ++warm) {
		contact_rule rule = lab_hertz(0.2, 0.3);
		rule.friction_heat = 0.8;
		scree_world *w = warm_world(rule);
		w->model.gravity = v3(0, 0, -9.81);
		w->model.guard.energy = 0;
		if (warm)
			hot_plane(w, v3(0, 0, 0), v3(0, 0, 1), 300);
		else
			lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		const real weight = DENSITY * 4 / 3 * SCREE_PI * R * R * R * 9.81, a = radius_under(weight, R);
		new_body b = {.shape = 0,
					  .size = 2 * R,
					  .position = v3(0, 0, R - a * a / R),
					  .orientation = quat_one(),
					  .velocity = v3(0.5, 0, 0),
					  .flags = BODY_LOCKED,
					  .temperature = 300};
		scree_world_add(&w->model, &w->state, &w->work, 1, &b);
		lab_prepare(w, 0);
		lab_steps(w, 4000);
		const heat_row h = heat_of(w);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		const real lost = 0.3 * weight * w->state.body.x[0];
		NEAR(e.lost_friction, lost, 1e-2 * lost, "work of friction");
		NEAR(h.friction, (warm ? 0.4 : 0.8) * e.lost_friction, 1e-3 * lost, "heat of friction");
		if (!warm) NEAR(h.walls, 0, 0, "heat from walls");
		check_balance(w);
		scree_world_free(w);
	}
}

/* Bodies of a material without conductivity, and walls without a temperature, neither emit nor absorb heat. */
static void insulators_take_no_heat(void **state)
{
	(void)state;
	scree_world *w = warm_world(lab_hertz(0.5, 0.3));
	material other = {.name = "cork", .density = DENSITY, .young = YOUNG, .poisson = POISSON};
	const int32_t cork = scree_materials_add(&w->model.material, other);
	const uint64_t ball = add(w, v3(0, 0, R - 1e-5), 400);
	new_body b = {.shape = 0,
				  .material = cork,
				  .size = 2 * R,
				  .position = v3(0, 0, 3 * R - 2e-5),
				  .orientation = quat_one(),
				  .temperature = 300};
	const uint64_t stopper = scree_world_add(&w->model, &w->state, &w->work, 1, &b);
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_prepare(w, 0);
	lab_steps(w, 1000);
	CHECK(temperature_of(w, ball) == 400 && temperature_of(w, stopper) == 300, "%g K, %g K", temperature_of(w, ball),
		  temperature_of(w, stopper));
	NEAR(heat_of(w).thermal, ball_capacity() * 400, 1e-9, "heat of the ball alone");
	scree_world_free(w);
}

/* mean and standard deviation of temperatures, weighted by heat capacity */
static void measure(const scree_world *w, real found[2])
{
	const measure_plan p = {
		.cells = {1, 1, 1}, .classes = 1, .material = -1, .values = 1, .value = {"body_temperature"}};
	int32_t columns;
	real *v = scree_measure(&p, w, &columns);
	assert_int_equal(columns, 2);
	memcpy(found, v, 2 * sizeof *v);
	scree_free(v);
}

/* A ball of twice the diameter counts eight times as much in the mean, and an insulator does not count. */
static void measures_have_mean_and_spread(void **state)
{
	(void)state;
	scree_world *w = warm_world(lab_hertz(0.5, 0.3));
	material other = {.name = "cork", .density = DENSITY, .young = YOUNG, .poisson = POISSON};
	const int32_t cork = scree_materials_add(&w->model.material, other);
	new_body b = {.size = 4 * R, .position = v3(10 * R, 0, 0), .orientation = quat_one(), .temperature = 390};
	add(w, v3(0, 0, 0), 300);
	scree_world_add(&w->model, &w->state, &w->work, 1, &b);
	b.position.x *= 2, b.temperature = 900, b.material = cork;
	scree_world_add(&w->model, &w->state, &w->work, 1, &b);
	lab_prepare(w, 0);
	real found[2];
	measure(w, found);
	NEAR(found[0], (300 + 8 * 390.0) / 9, 1e-10, "mean");
	NEAR(found[1], 90 * sqrt(8) / 9, 1e-7, "standard deviation");
	NEAR(found[0] * 9 * ball_capacity(), heat_of(w).thermal, 1e-12 * heat_of(w).thermal, "heat of the ledger");
	const measure_plan all = {.cells = {1, 1, 1}, .classes = 1, .material = -1};
	int row[PLAN_FIELDS];
	for (int k = scree_measure_rows(&all, row) - 1; k >= 0; --k)
		CHECK(strcmp(scree_measures[row[k]].name, "body_temperature") != 0, "a column of files that did not name it");
	scree_world_free(w);
}

static scree_world *heap(void)
{
	contact_rule rule = lab_hertz(0.3, 0.4);
	rule.friction_heat = 1;
	scree_world *w = warm_world(rule);
	w->model.gravity = v3(0, 0, -9.81);
	hot_plane(w, v3(0, 0, 0), v3(0, 0, 1), 500);
	for (int k = 0; k < 125; ++k)
		add(w, v3((k % 5) * 1.99 * R + 0.1 * R * (k / 25), (k / 5 % 5) * 1.99 * R, R * (1 + 1.99 * (k / 25))),
			300 + k % 7);
	lab_prepare(w, 0);
	return w;
}

static uint64_t hash_of(const scree_world *w) { return scree_world_hash(&w->model, &w->state, &w->work); }

static void a_resumed_heap_has_the_same_bits(void **state)
{
	(void)state;
	scree_world *w = heap();
	lab_steps(w, 700);
	scree_world *copy = lab_resumed(w);
	CHECK(hash_of(w) == hash_of(copy), "the snapshot");
	lab_steps(w, 300);
	lab_steps(copy, 300);
	CHECK(hash_of(w) == hash_of(copy), "the steps after it");
	check_balance(copy);
	const int32_t gone[2] = {3, 60};
	scree_world_remove(&w->model, &w->state, &w->work, 2, gone);
	add(w, v3(0, 0, 40 * R), 350);
	lab_steps(w, 100);
	check_balance(w);
	fail why = {0};
	body_temperatures(&w->state.body)[0] += 100;
	CHECK(scree_world_changed(w, CHANGED_VELOCITIES, &why), "%s", why.text);
	lab_steps(w, 10);
	check_balance(w);
	body_temperatures(&w->state.body)[0] += 1;
	const uint64_t before = hash_of(copy), now = hash_of(w);
	CHECK(before != now, "the hash knows temperatures");
	scree_world_free(copy);
	scree_world_free(w);
}

static void what_heat_does_not_support_is_refused(void **state)
{
	(void)state;
	scree_world *w = warm_world(lab_hertz(0.5, 0.3));
	lab_add(w, 1, 2 * R, v3(0, 0, 0));
	lab_refused(w, 1e-7, "heat conduction supports spheres and clumps only");
	w = warm_world(lab_hertz(0.5, 0.3));
	lab_add(w, 0, 2 * R, v3(0, 0, 0));
	model_respond(&w->model, scree_response_find("elastic"));
	lab_refused(w, 1e-7, "run.response: elastic does not support heat conduction");
	contact_rule rubs = lab_hertz(0.5, 0.3);
	rubs.friction_heat = 1;
	w = warm_world(rubs);
	lab_add(w, 0, 2 * R, v3(0, 0, 0));
	model_respond(&w->model, scree_response_find("implicit"));
	lab_refused(w, 1e-7, "run.response: implicit does not support friction_heat");
	w = warm_world(lab_hertz(0.5, 0.3));
	lab_add(w, 0, 2 * R, v3(0, 0, 0));
	lab_add(w, 0, 2 * R, v3(3 * R, 0, 0));
	w->model.material.row[0].capacity = 1e-4;
	lab_refused(w, 1e-6, "is too large for the conduction of heat");
}

/* With the longest step allowed, the hottest and the coldest temperature of a dense packing converge without overshoot.
 */
static void the_longest_step_is_stable(void **state)
{
	(void)state;
	scree_world *w = heap();
	w->model.material.row[0].capacity = 0.02;
	fail why = {0};
	lab_prepare(w, 0);
	const real step = w->model.dt;
	real low = 0.02, high = 1e-6;
	for (int k = 0; k < 40; ++k) {
		w->model.material.row[0].capacity = sqrt(low * high);
		if (scree_world_prepare(w, 0, step, &why))
			low = w->model.material.row[0].capacity;
		else
			high = w->model.material.row[0].capacity;
	}
	w->model.material.row[0].capacity = low;
	lab_prepare(w, step);
	lab_steps(w, 1000);
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		const real t = body_temperatures(&w->state.body)[i];
		CHECK(t >= 300 && t < 501, "body %d has %g K", i, t);
	}
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_balls_exchange_heat),
		cmocka_unit_test(a_row_has_a_linear_profile),
		cmocka_unit_test(a_sine_decays),
		cmocka_unit_test(each_response_conducts_as_much),
		cmocka_unit_test(sticky_contacts_conduct_as_much),
		cmocka_unit_test(contacts_of_soft_bodies_are_corrected),
		cmocka_unit_test(friction_heats),
		cmocka_unit_test(insulators_take_no_heat),
		cmocka_unit_test(measures_have_mean_and_spread),
		cmocka_unit_test(a_resumed_heap_has_the_same_bits),
		cmocka_unit_test(held_bodies_that_touch_are_refused),
		cmocka_unit_test(the_longest_step_is_stable),
		cmocka_unit_test(what_heat_does_not_support_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
