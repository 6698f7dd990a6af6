/* Bodies passing through planes: the mass that has passed an unbounded plane is exactly the mass on the other side,
 * with every kind of step, with sources and sinks, and along periodic axes; counts through rectangles are compared with
 * known paths. */
#include "lab.h"
#include "scene_text.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

#include "choices/choices.h"
#include "measure/measure.h"
#include "model/flow_planes.h"
#include "model/integrator.h"
#include "model/response.h"

static const real D = 0.01; /* m */

/* ------------------------------------------------------------------ whole planes */

static real height(const flow_plane *f, vec3 at) { return v3_dot(f->normal, v3_sub(at, f->point)); }

/* Mass and number of bodies on the positive side; along periodic axes, a body counts again for each period crossed. */
static flow_count on_side(const scree_world *w, const flow_plane *f)
{
	const bodies *b = &w->state.body;
	flow_count out = {{0}, {{0}}};
	for (int32_t i = 0; i < b->owned; ++i) {
		int64_t times = height(f, body_position(b, i)) >= 0;
		const int32_t axis = scree_flow_plane_axis(&w->model.period, f);
		if (axis >= 0) times += image_along(body_cell(b, i), axis) * (v3_part(f->normal, axis) > 0 ? 1 : -1);
		out.count[0] += times;
		for (int64_t k = 0; k < times; ++k) scree_fixed_add(out.mass, b->mass[i]);
		for (int64_t k = times; k < 0; ++k) scree_fixed_add(out.mass, -b->mass[i]);
	}
	return out;
}

static bool same_sum(fixed a, fixed b) { return a.quanta == b.quanta && a.beyond == b.beyond; }

/* The count of plane k is the change in mass on its positive side. */
static void balances(const scree_world *w, int32_t k, const flow_count *before)
{
	const flow_count now = on_side(w, w->model.flow.row + k), *f = w->state.flow + k;
	fixed grown = before->mass[0], back = now.mass[0];
	scree_fixed_join(&grown, f->mass[0]);
	scree_fixed_join(&back, f->mass[1]);
	CHECK(now.count[0] == before->count[0] + f->count[0] - f->count[1], "plane %d: %lld on its side, not %lld", k,
		  (long long)now.count[0], (long long)(before->count[0] + f->count[0] - f->count[1]));
	CHECK(same_sum(grown, back), "plane %d: mass", k);
}

static void add_plane(scree_world *w, vec3 point, vec3 normal)
{
	flow_planes *f = &w->model.flow;
	flow_plane *row = f->row + f->count;
	*row = (flow_plane){.point = point, .normal = v3_unit(normal), .material = -1};
	snprintf(row->name, sizeof row->name, "plane %d", f->count++);
}

/* Balls collide in a box, some of them exactly on a plane at the start. */
static scree_world *gas(const char *axes, contact_rule rule)
{
	enum { EDGE = 5 };
	scree_world *w = lab_world(rule);
	random_stream r = scree_random_start(test_seed, 1);
	const real side = EDGE * D;
	if (*axes) lab_periods(w, axes, v3(0, 0, 0), v3(side, side, side));
	for (int d = 0; d < 3; ++d) {
		vec3 n = v3(0, 0, 0);
		*v3_along(&n, d) = 1;
		if (strchr(axes, "xyz"[d])) continue;
		lab_plane(w, v3(0, 0, 0), n);
		lab_plane(w, v3(side, side, side), v3_neg(n));
	}
	for (int k = 0; k < EDGE * EDGE * EDGE; ++k)
		lab_add_moving(
			w, 0, scree_random_between(&r, 0.5, 0.95) * D,
			v3((k % EDGE + (real)0.5) * D, (k / EDGE % EDGE + (real)0.5) * D, (k / EDGE / EDGE + (real)0.5) * D),
			(quat){1, 0, 0, 0}, v3_mul(scree_random_between(&r, 0, 2), scree_random_direction(&r)), v3(0, 0, 0));
	return w;
}

/* Steps a gas with planes at the given position, and compares the counts after each step. */
static void gas_balances(scree_world *w, real step, int steps)
{
	flow_count before[FLOW_PLANES];
	lab_prepare(w, step);
	for (int32_t k = 0; k < w->model.flow.count; ++k) before[k] = on_side(w, w->model.flow.row + k);
	for (int n = 0; n < steps; ++n) {
		lab_steps(w, 1);
		for (int32_t k = 0; k < w->model.flow.count; ++k) balances(w, k, before + k);
	}
	for (int32_t k = 0; k < w->model.flow.count; ++k)
		CHECK(w->state.flow[k].count[0] + w->state.flow[k].count[1] > 9, "plane %d: %lld and %lld pass", k,
			  (long long)w->state.flow[k].count[0], (long long)w->state.flow[k].count[1]);
	scree_world_free(w);
}

static void what_passes_is_on_the_other_side(void **state)
{
	static const char *const integrators[] = {"velocity_verlet", "symplectic_euler", "gear4", "gear5/position"};
	(void)state;
	FOR_SEEDS(2)
	{
		for (size_t k = 0; k < sizeof integrators / sizeof *integrators; ++k) {
			const integrator *by = scree_choice_find(&scree_integrators, integrators[k]);
			if (!by) continue; /* without papers */
			scree_world *w = gas("", lab_linear(1000, 1, 0.3));
			w->model.integrator = by;
			scree_bodies_ask(&w->state.body, by->asks);
			add_plane(w, v3(5 * D / 2, 0, 0), v3(1, 0, 0));
			add_plane(w, v3(2 * D, 2 * D, 3 * D), v3(1, -2, 3));
			gas_balances(w, 1e-5, 1500);
		}
	}
}

/* Counts are correct with solvers that push bodies apart after their flight. */
static void corrections_are_counted(void **state)
{
	static const char *const responses[] = {"elastic", "implicit", "hard", "ffd/corrected"};
	(void)state;
	for (size_t k = 0; k < sizeof responses / sizeof *responses; ++k) {
		const response *by = scree_response_find(responses[k]);
		if (!by) continue;
		scree_world *w = gas("", lab_linear(1000, 1, 0));
		model_respond(&w->model, by);
		w->model.guard.overlap = 0;
		w->model.guard.energy = 0;
		if (w->model.solver) w->model.correction = k ? by->correction : (real)0.3;
		if (w->model.solver && w->model.solver->sampled) w->model.directions = 4;
		add_plane(w, v3(5 * D / 2, 0, 0), v3(1, 0, 0));
		add_plane(w, v3(2 * D, 2 * D, 3 * D), v3(1, -2, 3));
		gas_balances(w, 4e-5, 800);
	}
}

/* Planes at the border of the cell, inside it, and perpendicular to a non-periodic axis. */
static void periods_are_counted(void **state)
{
	(void)state;
	FOR_SEEDS(2)
	{
		scree_world *w = gas("xy", lab_linear(1000, 1, 0.3));
		add_plane(w, v3(0, 0, 0), v3(1, 0, 0));
		add_plane(w, v3(D / 3, 4 * D / 3, D / 7), v3(0, -1, 0));
		add_plane(w, v3(0, 0, 5 * D / 2), v3(0, 0, 1));
		gas_balances(w, 1e-5, 2500);
	}
}

/* along the gradient of a sheared cell, where bodies also change their velocity at the border */
static void sheared_cells_are_counted(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(1000, 1, 0.3));
	random_stream r = scree_random_start(3, 1);
	lab_periods(w, "xyz", v3(0, 0, 0), v3(5 * D, 5 * D, 5 * D));
	w->model.period.shears = true;
	w->model.period.flow = 0, w->model.period.gradient = 1;
	w->model.period.rate = 20;
	scree_periods_set(&w->model.period, &w->state.images, 0, 1);
	for (int k = 0; k < 125; ++k)
		lab_add_moving(w, 0, (real)0.9 * D,
					   v3((k % 5 + (real)0.5) * D, (k / 5 % 5 + (real)0.5) * D, (k / 25 + (real)0.5) * D),
					   (quat){1, 0, 0, 0}, v3_mul(2, scree_random_direction(&r)), v3(0, 0, 0));
	add_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	add_plane(w, v3(0, 4 * D, 0), v3(0, -1, 0));
	add_plane(w, v3(0, 0, D), v3(0, 0, 1));
	gas_balances(w, 1e-5, 2500);
	/* the flow itself carries bodies across planes */
	const periods sheared = {
		.axis = {true, true, true}, .size = v3(1, 1, 1), .shears = true, .gradient = 1, .on = true};
	const flow_plane across = {.normal = v3(1, 0, 0)}, part = {.normal = v3(0, 1, 0), .bounded = true};
	assert_non_null(scree_flow_plane_fault(&sheared, &across));
	assert_non_null(scree_flow_plane_fault(&sheared, &part));
}

/* ------------------------------------------------------------------ rectangles */

/* Steps balls that are too small to collide, and compares the counts with the known numbers of balls that pass in each
 * direction. Frees the world. */
static void count_them(scree_world *w, real dt, int64_t steps, const int64_t passed[2])
{
	w->model.unsafe = true;
	lab_prepare(w, dt);
	lab_steps(w, steps);
	const flow_count *c = w->state.flow;
	CHECK(passed[0] > 3 && passed[1] > 3 && c->count[0] == passed[0] && c->count[1] == passed[1],
		  "%lld and %lld pass, counted %lld and %lld", (long long)passed[0], (long long)passed[1],
		  (long long)c->count[0], (long long)c->count[1]);
	scree_world_free(w);
}

/* Free bodies and a rectangle in any orientation: a body counts if its straight path crosses the rectangle during the
 * run. */
static void rectangles_count_lines_that_meet_them(void **state)
{
	enum { BODIES = 3000, STEPS = 200 };
	const real dt = 1e-3, time = STEPS * dt;
	(void)state;
	FOR_SEEDS(3)
	{
		random_stream r = scree_random_start(test_seed, 5);
		scree_world *w = lab_world(lab_linear(1000, 1, 0));
		const vec3 n = scree_random_direction(&r), a = v3_unit(v3_cross(n, scree_random_direction(&r)));
		const flow_plane f = {.name = "gate",
							  .point = v3(0.1, 0.2, -0.3),
							  .normal = n,
							  .along = a,
							  .across = v3_cross(n, a),
							  .bounded = true,
							  .half = {0.3, 0.15},
							  .material = -1};
		int64_t passed[2] = {0, 0};
		w->model.flow = (flow_planes){.count = 1, .row = {f}};
		for (int k = 0; k < BODIES; ++k) {
			const vec3 at = v3_mul(0.6, scree_random_direction(&r)), v = v3_mul(5, scree_random_direction(&r));
			lab_add_moving(w, 0, 1e-6, at, (quat){1, 0, 0, 0}, v, v3(0, 0, 0));
			const real from = height(&f, at), to = height(&f, v3_add(at, v3_mul(time, v)));
			const vec3 meets = v3_sub(v3_add(at, v3_mul(time * from / (from - to), v)), f.point);
			if ((from >= 0) == (to >= 0)) continue;
			passed[from >= 0] +=
				real_abs(v3_dot(meets, f.along)) < f.half[0] && real_abs(v3_dot(meets, f.across)) < f.half[1];
		}
		count_them(w, dt, STEPS, passed);
	}
}

/* The rectangle crosses the border of a cell: a path crosses each image of the plane, and counts where it crosses an
 * image of the rectangle. */
static void images_of_rectangles_count(void **state)
{
	enum { BODIES = 200, STEPS = 300 };
	const real dt = 1e-3, time = STEPS * dt, L = 0.5;
	(void)state;
	FOR_SEEDS(3)
	{
		random_stream r = scree_random_start(test_seed, 6);
		scree_world *w = lab_world(lab_linear(1000, 1, 0));
		lab_periods(w, "xy", v3(0, 0, 0), v3(L, L, 0));
		const flow_plane f = {.name = "gate",
							  .point = v3(0.2, 0.45, 0),
							  .normal = v3(-1, 0, 0),
							  .along = v3(0, 1, 0),
							  .across = v3(0, 0, 1),
							  .bounded = true,
							  .half = {0.1, 0.3},
							  .material = -1};
		int64_t passed[2] = {0, 0};
		w->model.flow = (flow_planes){.count = 1, .row = {f}};
		for (int k = 0; k < BODIES; ++k) {
			const vec3 at =
				v3(scree_random_between(&r, 0, L), scree_random_between(&r, 0, L), scree_random_between(&r, -0.5, 0.5));
			const vec3 v = v3_mul(5, scree_random_direction(&r));
			lab_add_moving(w, 0, 1e-6, at, (quat){1, 0, 0, 0}, v, v3(0, 0, 0));
			for (int m = -10; m <= 10; ++m) {
				const real t = (0.2 + m * L - at.x) / v.x, y = at.y + t * v.y, z = at.z + t * v.z;
				const real off = y - f.point.y - L * floor((y - f.point.y) / L + 0.5);
				if (t > 0 && t < time) passed[v.x > 0] += real_abs(off) < 0.1 && real_abs(z) < 0.3;
			}
		}
		count_them(w, dt, STEPS, passed);
	}
}

/* ------------------------------------------------------------------ sources and sinks */

/* All bodies start above the plane: bodies that have passed it are below it, or in the sink. */
static void sources_and_sinks_do_not_pass(void **state)
{
	static const char text[] =
		"scene: 1\nworld: {gravity: [0, 0, -10 m/s^2]}\n"
		"materials: {m: {density: 2500 kg/m^3, young: 1 MPa, poisson: 0.25}, n: {density: 3000 kg/m^3, young: 1 MPa, "
		"poisson: 0.25}}\n"
		"shapes: {ball: {sphere: 1}}\n"
		"walls: {slope: {plane: {point: [0, 0, -20 mm], normal: [1, 0, 1]}, material: m}}\n"
		"sources:\n"
		"  - {region: {box: {min: [-5 mm, -5 mm, 10 mm], max: [15 mm, 15 mm, 30 mm]}}, rate: 3000 1/s, material: m, "
		"shape: ball, size: {uniform: [2 mm, 4 mm]}, velocity: [0, 0, -2 m/s]}\n"
		"  - {region: {box: {min: [-5 mm, 15 mm, 10 mm], max: [15 mm, 30 mm, 30 mm]}}, rate: 1000 1/s, material: n, "
		"shape: ball, size: 3 mm, velocity: [0, 0, -2 m/s]}\n"
		"sinks: [{name: far, below: {z: -30 mm}}]\n"
		"run: {until: 0.1 s, step: 10 us}\n"
		"output:\n  measures:\n"
		"    all: {every: 1 s, plane: {point: [0, 0, 0], normal: [0, 0, -1]}}\n"
		"    n: {every: 1 s, material: n, plane: {point: [0, 0, 0], normal: [0, 0, -1]}}\n";
	(void)state;
	scene s;
	char *report;
	const bool read = read_scene("flow", text, strlen(text), 0, NULL, true, &s, &report);
	CHECK(read, "%s", report);
	scree_free(report);
	scree_world *w = s.world;
	for (int k = 0; k < 100; ++k) {
		lab_steps(w, 100);
		int64_t below = 0;
		/* z = 0 counts as being on the far side */
		for (int32_t i = 0; i < w->state.body.owned; ++i) below += w->state.body.z[i] <= 0;
		const flow_count *c = w->state.flow;
		assert_true(c[0].count[0] - c[0].count[1] == below + w->state.sink[0].taken);
		assert_true(c[1].count[0] <= w->state.source[1].made && c[1].count[0] <= c[0].count[0]);
		const measured_flow f = scree_measure_flow(s.output.measure, w);
		real mass = w->state.sink[0].mass_taken;
		for (int32_t i = 0; i < w->state.body.owned; ++i) mass += w->state.body.z[i] <= 0 ? w->state.body.mass[i] : 0;
		NEAR(f.mass, mass, 1e-12 * mass, "mass");
	}
	CHECK(w->state.sink[0].taken > 20 && w->state.flow[1].count[0] > 20, "%lld taken",
		  (long long)w->state.sink[0].taken);
	scree_scene_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_passes_is_on_the_other_side),
		cmocka_unit_test(corrections_are_counted),
		cmocka_unit_test(periods_are_counted),
		cmocka_unit_test(sheared_cells_are_counted),
		cmocka_unit_test(rectangles_count_lines_that_meet_them),
		cmocka_unit_test(images_of_rectangles_count),
		cmocka_unit_test(sources_and_sinks_do_not_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
