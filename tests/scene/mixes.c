/* Mixes of bodies: shares by mass and by number, materials, sieve curves, and fills and sources by mass. The oracle is
 * a sum over the bodies in a scene. */
#include "scene_text.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/maths.h"
#include "narrow/narrow.h"
#include "population/stage.h"
#include "scene/scene.h"
#include "world/world.h"

static void load(scene *s, const char *bodies)
{
	char text[4096], *report = NULL;
	snprintf(text, sizeof text,
			 "scene: 1\nworld: {gravity: [0, 0, 0]}\n"
			 "materials: {m: {density: 1 g/cm^3, young: 1 MPa}, heavy: {density: 5 g/cm^3, young: 1 MPa}}\n"
			 "shapes: {s: {sphere: {diameter: 1}}, c: {regular: cube}}\n%s\nrun: {until: 1 s}\n",
			 bodies);
	const bool ok = read_scene("test", text, strlen(text), 0, NULL, false, s, &report);
	CHECK(ok, "%s", report ? report : "");
	scree_free(report);
}

#define REGION "region: {box: {min: [0, 0, 0], max: [80 mm, 80 mm, 80 mm]}}"
/* by mass, 10, 45 and 45 % are between these sizes */
#define CURVE "size: [1 mm, 2 mm, 4 mm, 8 mm], passing: [0, 10, 55, 100]"

/* size in the scene in m, which may differ from the size of the world's unit shape */
static real size_of(const scree_world *w, int32_t i)
{
	return w->state.body.size[i] / w->model.shape.row[w->state.body.shape[i]].scale;
}

/* total mass of the bodies that have this shape and a size in this range */
static real mass_between(const scree_world *w, int32_t shape, real low, real high)
{
	real sum = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		const real size = size_of(w, i);
		if (w->state.body.shape[i] == shape && size >= low && size < high) sum += w->state.body.mass[i];
	}
	return sum;
}

/* small heavy spheres make up 30 % of the mass and cubes 70 %, and the masses of a sphere and a cube differ by a factor
 * of 100; the error is half a body of each kind */
static void shares_by_mass_are_exact(void **state)
{
	(void)state;
	scene s;
	load(
		&s,
		"fill: [{" REGION ", count: 4000, by: mass, material: m, orientation: random, mix: [\n"
		" {shape: s, share: 30, size: 1 mm, material: heavy}, {shape: c, share: 70, size: {uniform: [4 mm, 7 mm]}}]}]");
	const scree_world *w = s.world;
	const real spheres = mass_between(w, 0, 0, 1), cubes = mass_between(w, 1, 0, 1);
	assert_int_equal(w->state.body.count, 4000);
	for (int32_t i = 0; i < 4000; ++i) assert_int_equal(w->state.body.material[i], w->state.body.shape[i] == 0 ? 1 : 0);
	real largest = 0;
	for (int32_t i = 0; i < 4000; ++i) largest = real_max(largest, w->state.body.mass[i]);
	NEAR(spheres / (spheres + cubes), 0.3, largest / (spheres + cubes), "share of the spheres by mass");
	scree_scene_free(&s);
}

/* Each class has its share of the mass, within one body; within a class, the curve is linear in the logarithm of the
 * size, or in the size. */
static void a_sieve_curve_is_kept(void **state)
{
	(void)state;
	static const char *const way[2] = {"logarithmic", "linear"};
	const real at[4] = {1e-3, 2e-3, 4e-3, 8e-3}, passing[4] = {0, 0.1, 0.55, 1};
	for (int linear = 0; linear < 2; ++linear) {
		char text[512];
		scene s;
		snprintf(text, sizeof text,
				 "fill: [{" REGION ", mass: 100 g, shape: s, material: m, size: {sieve: {" CURVE
				 ", interpolation: %s}}}]",
				 way[linear]);
		load(&s, text);
		const scree_world *w = s.world;
		const real all = mass_between(w, 0, 0, 1), largest = 1000 * SCREE_PI / 6 * 8e-3 * 8e-3 * 8e-3;
		CHECK(w->state.body.count > 3000, "%d bodies", w->state.body.count);
		NEAR(all, 0.1, largest / 2, "mass");
		for (int k = 1; k < 4; ++k) {
			const real middle = linear ? (at[k - 1] + at[k]) / 2 : sqrt(at[k - 1] * at[k]);
			const real below = mass_between(w, 0, 0, at[k]) / all;
			NEAR(below, passing[k], 2 * largest / all, "passing");
			/* sizes within a class are random, so the tolerance is several standard deviations of their sum */
			const real part = mass_between(w, 0, at[k - 1], middle) / mass_between(w, 0, at[k - 1], at[k]);
			NEAR(part, 0.5, 0.08, "half of the mass of a class is below its middle");
		}
		scree_scene_free(&s);
	}
}

static void a_sieve_curve_by_number(void **state)
{
	(void)state;
	scene s;
	int32_t below[4] = {0};
	load(&s, "fill: [{" REGION ", count: 1000, shape: s, material: m, size: {sieve: {" CURVE ", by: number}}}]");
	for (int32_t i = 0; i < 1000; ++i)
		for (int k = 0; k < 4; ++k) below[k] += size_of(s.world, i) < 1e-3 * (1 << k);
	CHECK(below[0] == 0 && below[1] == 100 && below[2] == 550 && below[3] == 1000, "%d, %d, %d, %d", below[0], below[1],
		  below[2], below[3]);
	scree_scene_free(&s);
}

/* bodies on a lattice are not ordered by size: neighbours differ as much as any other two bodies */
static void a_lattice_is_mixed(void **state)
{
	(void)state;
	scene s;
	load(&s, "fill: [{region: {box: {min: [0, 0, 0], max: [100 mm, 100 mm, 100 mm]}}, lattice: 10 mm, by: mass, "
			 "material: m, mass: 40 g, mix: [{shape: s, share: 1, size: 4 mm}, {shape: s, share: 1, size: 5 mm}]}]");
	const scree_world *w = s.world;
	const real mass = mass_between(w, 0, 0, 1);
	int32_t same = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) same += size_of(w, i) < 0.0045;
	NEAR(mass, 0.04, 1000 * SCREE_PI / 6 * 5e-3 * 5e-3 * 5e-3 / 2, "mass");
	NEAR(mass_between(w, 0, 0, 0.0045) / mass, 0.5, 0.002, "half are small, by mass");
	int32_t low = 0, small = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		if (w->state.body.z[i] > 0.05) continue;
		low += 1;
		small += size_of(w, i) < 0.0045;
	}
	const real part = (real)same / w->state.body.count;
	NEAR((real)small / low, part, 4 * sqrt(part * (1 - part) / low), "small bodies in the lower half");
	scree_scene_free(&s);
}

/* E[size^n], compared with the mean over many draws */
static void moments_are_those_of_draws(void **state)
{
	(void)state;
	enum { DRAWS = 200000 };
	const real size[3] = {1, 2, 5}, passing[3] = {0, 0.3, 1}, fines[3] = {0.2, 0.6, 1};
	const spread row[] = {{.type = SPREAD_ONE, .a = 3},
						  {.type = SPREAD_UNIFORM, .a = 2, .b = 5},
						  {.type = SPREAD_NORMAL, .a = 4, .b = 0.5, .cut = 2},
						  {.type = SPREAD_LOGNORMAL, .a = 4, .b = 1, .cut = 3},
						  {.type = SPREAD_NORMAL, .a = 1, .b = 1, .cut = 3},
						  scree_sieve(3, size, passing, true, 3),
						  scree_sieve(3, size, passing, false, 3),
						  scree_sieve(3, size, passing, false, 2),
						  scree_sieve(3, size, passing, true, 0),
						  scree_sieve(3, size, passing, false, 0),
						  scree_sieve(3, size, fines, true, 3),
						  scree_sieve(3, size, fines, false, 0)};
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k)
		for (int32_t power = 1; power <= 3; ++power) {
			random_stream r = scree_random_start(5, k);
			real sum = 0, squares = 0;
			for (int i = 0; i < DRAWS; ++i) {
				const real x = scree_spread_draw(row + k, &r), y = power == 1 ? x : power == 2 ? x * x : x * x * x;
				sum += y;
				squares += y * y;
			}
			const real mean = sum / DRAWS, error = sqrt(real_max(0, squares / DRAWS - mean * mean) / DRAWS);
			NEAR(scree_spread_moment(row + k, power), mean, 5 * error + 1e-9 * mean, "moment");
		}
}

/* ------------------------------------------------------------------ sources */

static void run_source(scree_world *w, real until, real step)
{
	for (int64_t k = 0; (real)k * step <= until; ++k) {
		w->state.time = (real)k * step;
		for (int32_t i = 0; i < w->state.body.count; ++i) w->state.body.z[i] += 1; /* moves the bodies out of the way */
		scree_population_run(&w->model, &w->state, &w->work, scree_ball_meets_wall);
	}
}

static real mass_of_all(const scree_world *w)
{
	real sum = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) sum += w->state.body.mass[i];
	return sum;
}

/* At any time, the mass is the rate times the time, within one body; the source ends at the total mass, within half a
 * body. */
static void a_mass_rate_is_kept(void **state)
{
	(void)state;
	const real largest = 5000 * SCREE_PI / 6 * 8e-3 * 8e-3 * 8e-3;
	for (int limited = 0; limited < 2; ++limited) {
		scene s;
		char text[512];
		snprintf(text, sizeof text,
				 "sources: [{" REGION ", mass_rate: 2 kg/s, %s material: m, by: mass, mix: [\n"
				 " {shape: s, share: 1, size: {sieve: {" CURVE
				 "}}}, {shape: s, share: 3, size: 6 mm, material: heavy}]}]",
				 limited ? "mass: 0.3 kg," : "");
		load(&s, text);
		run_source(s.world, 0.5, 1e-4);
		NEAR(mass_of_all(s.world), limited ? 0.3 : 1.0, largest, "mass of the source");
		NEAR(mass_of_all(s.world), s.world->state.source[0].mass, 1e-12, "mass that the source counts");
		if (!limited) {
			real heavy = 0;
			for (int32_t i = 0; i < s.world->state.body.count; ++i)
				heavy += s.world->state.body.material[i] ? s.world->state.body.mass[i] : 0;
			CHECK(s.world->state.body.count > 4000, "%d bodies", s.world->state.body.count);
			/* kinds and sizes in sources are random: about 1700 heavy bodies, and a quarter of the mass in bodies 6 to
			 * 8 mm in size */
			NEAR(heavy, 0.75, 0.08, "three quarters of the mass are heavy");
		}
		scree_scene_free(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_by_mass_are_exact),	  cmocka_unit_test(a_sieve_curve_is_kept),
		cmocka_unit_test(a_sieve_curve_by_number),	  cmocka_unit_test(a_lattice_is_mixed),
		cmocka_unit_test(moments_are_those_of_draws), cmocka_unit_test(a_mass_rate_is_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
