/* Flying bodies postpone their steps (work/flights.h). A caller that reads the world after any number of steps must
 * find bit-identical values with and without flights. */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "base/random.h"
#include "choices/choices.h"
#include "motion/stage.h"
#include "shape/shapes.h"
#include "step/step.h"
#include "world/world.h"

#include <string.h>

enum { SIDE = 6 }; /* number of bodies along an edge of the box */
static const real SIZE = 0.01, PITCH = 0.03;

/* Adds walls or periodic borders to the box, which has one corner at the origin. */
typedef enum border { PLANES, SHAKEN, MESH, REPEATED, DOMAIN_REMOVES, DOMAIN_STOPS, SPEED_STOPS, BORDERS } border;

static void add_planes(scree_world *w, real edge, bool shaken)
{
	const vec3 corner[2] = {{0, 0, 0}, {edge, edge, edge}};
	for (int k = 0; k < 6; ++k) {
		real sign = k < 3 ? 1 : -1;
		vec3 n = v3(k % 3 == 0 ? sign : 0, k % 3 == 1 ? sign : 0, k % 3 == 2 ? sign : 0);
		int32_t row = lab_plane(w, corner[k / 3], n);
		w->model.wall.row[row].two_sided = true;
		if (!shaken || k != 2) continue;
		w->model.wall.row[row].motion =
			(wall_motion){.type = MOTION_VIBRATION, .amplitude = v3(0, 0, 0.003), .frequency = 40, .until = INFINITY};
	}
}

static void add_mesh(scree_world *w, real edge)
{
	static const int32_t triangle[36] = {0, 3, 1, 0, 2, 3, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
										 2, 7, 3, 2, 6, 7, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	vec3 v[8];
	fail why = {0};
	for (int k = 0; k < 8; ++k) v[k] = v3(k & 1 ? edge : 0, k & 2 ? edge : 0, k & 4 ? edge : 0);
	wall box = scree_wall_default("box", 0);
	box.two_sided = true;
	CHECK(scree_walls_add_mesh(&w->model.wall, box, 8, v, 12, triangle, &why) >= 0, "%s", why.text);
}

static void add_bodies(scree_world *w, random_stream *r, int32_t shapes, real speed)
{
	for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
		vec3 at = v3(k % SIDE + (real)0.5, k / SIDE % SIDE + (real)0.5, k / SIDE / SIDE + (real)0.5);
		at = v3_madd(v3_mul(PITCH, at), scree_random_between(r, 0, SIZE / 4), scree_random_direction(r));
		int32_t shape = scree_random_real(r) < 0.7 ? 0 : (int32_t)(scree_random_real(r) * (real)shapes);
		vec3 v = v3_mul(scree_random_between(r, 0, speed), scree_random_direction(r));
		vec3 spin = v3_mul(scree_random_between(r, 0, 2 * speed / SIZE), scree_random_direction(r));
		lab_add_moving(w, shape, SIZE * scree_random_between(r, 0.4, 1), at, scree_random_rotation(r), v, spin);
		if (scree_random_real(r) < 0.02) w->state.body.flags[w->state.body.count - 1] |= BODY_HELD;
	}
}

/* The bodies for a seed: spheres, or spheres with cubes and needles, some of them held. */
static scree_world *gas(uint64_t seed)
{
	random_stream r = scree_random_start(seed, 0);
	const border how = (border)(seed % BORDERS);
	const real edge = SIDE * PITCH, speed = scree_random_between(&r, 0.3, 2);
	fail why = {0};
	scree_world *w = lab_world(lab_linear(1e3, scree_random_between(&r, 0.5, 1), 0.3));
	CHECK(scree_shapes_add_box(&w->model.shape, "needle", v3(1, 0.3, 0.2), &why) == 2, "%s", why.text);
	if (seed % 3 == 0) w->model.gravity = v3(0, 0, -10);
	w->model.guard.overlap = 0;
	if (how == PLANES || how == SHAKEN || how == SPEED_STOPS) add_planes(w, edge, how == SHAKEN);
	if (how == MESH) add_mesh(w, edge);
	if (how == REPEATED) lab_periods(w, seed % 2 ? "xyz" : "xy", v3(0, 0, 0), v3(edge, edge, edge));
	if (how == REPEATED && seed % 2 == 0) lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.guard.bounded = how == DOMAIN_REMOVES || how == DOMAIN_STOPS;
	w->model.guard.lost_is_error = how == DOMAIN_STOPS;
	w->model.guard.high = v3(edge, edge, edge);
	add_bodies(w, &r, seed % 2 ? 1 : 3, speed);
	if (how == SPEED_STOPS) w->model.guard.speed = 1.05 * speed, w->model.gravity = v3(0, 0, -10);
	lab_prepare(w, 0);
	return w;
}

static void look(const scree_world *w, const scree_world *twin)
{
	CHECK(w->state.step == twin->state.step, "%lld and %lld steps", (long long)w->state.step,
		  (long long)twin->state.step);
	CHECK(scree_world_hash(&w->model, &w->state, &w->work) == scree_world_hash(&twin->model, &twin->state, &twin->work),
		  "another state after step %lld", (long long)w->state.step);
	CHECK(w->work.greatest_speed == twin->work.greatest_speed, "%.17g and %.17g m/s after step %lld",
		  w->work.greatest_speed, twin->work.greatest_speed, (long long)w->state.step);
	CHECK(w->state.lost == twin->state.lost && w->work.touching == twin->work.touching, "%lld lost, %lld contacts",
		  (long long)w->state.lost, (long long)w->work.touching);
	CHECK(scree_world_energy(&w->model, &w->state, &w->work).kinetic ==
			  scree_world_energy(&twin->model, &twin->state, &twin->work).kinetic,
		  "another energy");
}

/* runs both worlds to the end, the twin in batches of 1 to `longest` steps; returns the number of steps flown */
static int64_t run_both(scree_world *w, scree_world *twin, random_stream *r, int64_t steps, real longest)
{
	int64_t flown = 0;
	bool holds = true;
	while (holds && w->state.step < steps) {
		int64_t batch = 1 + (int64_t)scree_random_between(r, 0, longest);
		bool alone = true;
		holds = scree_steps(twin, batch);
		if (twin->work.flight.chosen) flown += twin->work.flight.drifts;
		for (int64_t k = 0; k < batch && alone; ++k) alone = scree_step(w);
		CHECK(alone == holds, "%s, or %s", w->work.why.text, twin->work.why.text);
		CHECK(holds || !strcmp(w->work.why.text, twin->work.why.text), "%s, or %s", w->work.why.text,
			  twin->work.why.text);
		look(w, twin);
	}
	return flown;
}

static void flights_leave_no_trace(void **state)
{
	(void)state;
	int64_t flown = 0, lost = 0, stopped = 0, touching = 0;
	FOR_SEEDS(56)
	{
		random_stream r = scree_random_start(test_seed, 1);
		scree_world *w = gas(test_seed), *twin = gas(test_seed);
		flown += run_both(w, twin, &r, 1500, test_seed % 4 ? 150 : 12);
		lost += w->state.lost;
		stopped += w->state.step < 1500;
		touching += w->work.touching;
		scree_world_free(w);
		scree_world_free(twin);
	}
	if (test_cases(56) < 56) return;
	CHECK(flown > 1000 && lost > 20 && stopped > 4 && touching > 40, "%lld steps flown, %lld lost, %lld stopped, %lld",
		  (long long)flown, (long long)lost, (long long)stopped, (long long)touching);
}

/* Many small balls, and a large one whose force sums need many bits. */
static scree_world *gas_with_giant(uint64_t seed)
{
	random_stream r = scree_random_start(seed, 0);
	const real edge = SIDE * PITCH;
	scree_world *w = lab_world(lab_hertz(0.9, 0.3));
	w->model.guard.overlap = 0;
	add_planes(w, edge, false);
	for (int k = 0; k < SIDE * SIDE * SIDE; ++k) {
		const vec3 at = v3(k % SIDE + (real)0.5, k / SIDE % SIDE + (real)0.5, k / SIDE / SIDE + (real)0.5);
		if (v3_norm(v3_sub(v3_mul(PITCH, at), v3(edge / 2, edge / 2, edge / 2))) < 0.04) continue;
		lab_add_moving(w, 0, 0.004, v3_mul(PITCH, at), quat_one(), v3_mul(0.5, scree_random_direction(&r)),
					   v3(0, 0, 0));
	}
	lab_add_moving(w, 0, 0.06, v3(edge / 2, edge / 2, edge / 2), quat_one(), v3(0.5, 0.1, 0), v3(0, 0, 0));
	lab_prepare(w, 0);
	return w;
}

static void wide_bodies_get_their_forces(void **state)
{
	(void)state;
	random_stream r = scree_random_start(9, 1);
	scree_world *w = gas_with_giant(9), *twin = gas_with_giant(9);
	const int32_t giant = w->state.body.count - 1;
	const real mass = w->state.body.mass[giant], before = v3_norm(body_velocity(&w->state.body, giant));
	const int64_t flown = run_both(w, twin, &r, 4000, 150);
	int32_t i = 0;
	while (w->state.body.mass[i] < mass) ++i;
	CHECK(flown > 100 && w->work.sums.wides == 1, "%lld steps flown, %d wide", (long long)flown, w->work.sums.wides);
	CHECK(v3_norm(body_velocity(&w->state.body, i)) != before, "nothing has met the large ball");
	scree_world_free(w);
	scree_world_free(twin);
}

/* Discs and hexagons in the plane, so close together that many touch while they cross a border of the cell. */
static scree_world *gas_in_plane(uint64_t seed)
{
	random_stream r = scree_random_start(seed, 2);
	const real pitch = (real)1.6 * SIZE, edge = 2 * SIDE * pitch;
	fail why = {0};
	scree_world *w = lab_world(lab_linear(1e4, 1, 0));
	scree_shapes_free(&w->model.shape);
	w->model.flat = true;
	w->model.thickness = SIZE;
	w->model.narrow = scree_narrow_find("closest-features");
	bool made = scree_shapes_add_disc(&w->model.shape, "disc", &why) == 0 &&
				scree_shapes_add_regular_polygon(&w->model.shape, "hexagon", 6, &why) == 1;
	CHECK(made, "%s", why.text);
	lab_periods(w, "xy", v3(0, 0, 0), v3(edge, edge, 0));
	for (int k = 0; k < 4 * SIDE * SIDE; ++k) {
		const vec3 at = v3_mul(pitch, v3(k % (2 * SIDE) + (real)0.5, k / (2 * SIDE) + (real)0.5, 0));
		const vec3 v = v3(scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1), 0);
		lab_add_moving(w, k % 8 == 0, SIZE, at, quat_one(), v, v3(0, 0, 0));
	}
	lab_prepare(w, 0);
	return w;
}

static void flights_in_the_plane_leave_no_trace(void **state)
{
	(void)state;
	int64_t flown = 0;
	FOR_SEEDS(6)
	{
		random_stream r = scree_random_start(test_seed, 1);
		scree_world *w = gas_in_plane(test_seed), *twin = gas_in_plane(test_seed);
		flown += run_both(w, twin, &r, 1500, 400);
		scree_world_free(w);
		scree_world_free(twin);
	}
	CHECK(flown > 100 || test_cases(6) < 6, "%lld steps flown", (long long)flown);
}

/* During a flight, other code reads poses and displacements of non-flying bodies from their rows, to test whether
 * pairs are out of date and whether a centre may have reached a facet since it was last tested. */
static void grounded_bodies_show_where_they_are(void **state)
{
	(void)state;
	enum { BATCH = 400 };
	int64_t seen = 0;
	FOR_SEEDS(14)
	{
		scree_world *w = gas(test_seed);
		const flights *f = &w->work.flight;
		scree_flights_until(&w->work, BATCH);
		for (bool holds = true; holds && w->state.step < BATCH;) {
			holds = scree_step_forces(&w->model, &w->state, &w->work);
			const bodies *a = &w->state.body, *b = &f->ground;
			for (int32_t k = 0; f->any && k < b->owned; ++k, ++seen) {
				const int32_t i = f->of[k];
				CHECK(a->way[i] == b->way[k] && a->x[i] == b->x[k] && a->y[i] == b->y[k] && a->z[i] == b->z[k],
					  "step %lld: body %llu has gone %g m, and shows %g m", (long long)w->state.step,
					  (unsigned long long)a->id[i], b->way[k], a->way[i]);
				CHECK(a->cell_x[i] == b->cell_x[k] && a->cell_y[i] == b->cell_y[k] && a->cell_z[i] == b->cell_z[k],
					  "another count of periods");
				CHECK(f->balls || !memcmp(a->qw + i, b->qw + k, sizeof *a->qw), "another orientation");
			}
		}
		scree_flights_land(&w->model, &w->state, &w->work);
		scree_world_free(w);
	}
	CHECK(seen > 1000 || test_cases(14) < 14, "%lld bodies were on the ground beside others that flew",
		  (long long)seen);
}

/* In a thin gas, nearly all bodies fly nearly all the time; in a heap, no body flies. */
static void most_bodies_of_a_gas_fly(void **state)
{
	(void)state;
	scree_world *w = gas(BORDERS + PLANES);
	int64_t in_air = 0, looked = 0;
	for (int k = 0; k < 100; ++k) {
		CHECK(scree_steps(w, 20), "%s", w->work.why.text);
		for (int32_t i = 0; i < w->state.body.count; ++i)
			in_air += w->work.flight.chosen && w->work.flight.left >= 0 && body_flies(&w->work.flight, i);
		looked += w->state.body.count;
	}
	CHECK(10 * in_air > 6 * looked, "%lld of %lld fly", (long long)in_air, (long long)looked);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flights_leave_no_trace),
		cmocka_unit_test(flights_in_the_plane_leave_no_trace),
		cmocka_unit_test(wide_bodies_get_their_forces),
		cmocka_unit_test(most_bodies_of_a_gas_fly),
		cmocka_unit_test(grounded_bodies_show_where_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
