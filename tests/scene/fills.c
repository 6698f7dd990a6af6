/* Random fills: inside their region, clear of walls and of each other, reproducible by seed, and with the correct
 * distributions of sizes and regions. */
#include "scene_text.h"
#include "test.h"

#include <stdio.h>

#include "scene/scene.h"
#include "world/world.h"

static void load(const char *text, scene *s)
{
	char *report = NULL;
	bool ok = read_scene("test", text, strlen(text), 0, NULL, true, s, &report);
	CHECK(ok, "%s", report ? report : "");
}

static void scene_text(char *text, size_t size, const char *fill, uint64_t seed)
{
	snprintf(
		text, size,
		"scene: 1\nworld: {gravity: [0, 0, 0]}\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\n"
		"shapes: {s: {sphere: {diameter: 1}}, c: {regular: cube}, t: {regular: tetrahedron}, q: {box: [2, 0.7, 0.5]}}\n"
		"walls: {tube: {cylinder: {radius: 40 mm, axis: [1, 2, 3]}, material: m}, w: {plane: {point: [0, 0, -20 mm], "
		"normal: [0, 1, 4]}, "
		"material: m}}\n"
		"fill: [{%s, material: m, seed: %llu}]\nrun: {until: 1 s}\n",
		fill, (unsigned long long)seed);
}

static const char MIXED[] =
	"region: {sphere: {radius: 60 mm}}, count: 150, orientation: random, mix: [{shape: s, size: {uniform: [2 mm, 9 "
	"mm]}}, "
	"{shape: c, size: 6 mm}, {shape: t, size: 8 mm}, {shape: q, size: {normal: {mean: 5 mm, sd: 1 mm}}}]";

/* One step of a world at rest without gravity finds all contacts, and there must be none. */
static void nothing_overlaps(void **state)
{
	(void)state;
	FOR_SEEDS(20)
	{
		char text[2048];
		scene s;
		scene_text(text, sizeof text, MIXED, test_seed);
		load(text, &s);
		assert_int_equal(s.world->state.body.count, 150);
		for (int32_t i = 0; i < s.world->state.body.count; ++i)
			CHECK(v3_norm(body_position(&s.world->state.body, i)) + s.world->state.body.radius[i] <= 0.06 + 1e-15,
				  "body %d is outside", i);
		CHECK(scree_step(s.world), "%s", s.world->work.why.text);
		CHECK(s.world->work.greatest_overlap_ever == 0, "bodies overlap by %g", s.world->work.greatest_overlap_ever);
		scree_scene_free(&s);
	}
}

/* there must be no contacts with images either: a fill that spans a period has no border there, and a source also takes
 * images into account */
static void nothing_overlaps_across_periods(void **state)
{
	(void)state;
	int64_t across = 0, from_sources = 0;
	FOR_SEEDS(20)
	{
		char text[2048];
		scene s;
		const char *source =
			test_seed % 2 ? "sources: [{region: {box: {min: [0, 0, 20 mm], max: [30 mm, 40 mm, 70 mm]}}, "
							"rate: 1.5e7 1/s, until: 1 s, material: m, shape: q, size: 3 mm, orientation: random}]\n"
						  : "";
		snprintf(text, sizeof text,
				 "scene: 1\nworld: {gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [30 mm, 40 mm, 70 mm]}, "
				 "periodic: [x, y%s]}\nmaterials: {m: {density: 1 g/cm^3, young: 1 MPa}}\n"
				 "shapes: {s: {sphere: {diameter: 1}}, c: {regular: cube}, q: {box: [2, 0.7, 0.5]}}\n"
				 "fill:\n"
				 "  - {region: {box: {min: [0, 0, 0], max: [30 mm, 40 mm, 12 mm]}}, material: m, shape: s, size: 7 mm, "
				 "lattice: {spacing: [10 mm, 10 mm, 10 mm]}, count: 4}\n"
				 "  - {region: {box: {min: [-3 mm, 0, 10 mm], max: [28 mm, 40 mm, 70 mm]}}, count: 120, material: m, "
				 "orientation: random, mix: [{shape: s, size: {uniform: [2 mm, 6 mm]}}, {shape: c, size: 4 mm}, "
				 "{shape: q, size: 3 mm}], seed: %llu}\n%srun: {until: 1 s, step: 1 us}\n",
				 test_seed % 3 ? "" : ", z", (unsigned long long)test_seed, source);
		load(text, &s);
		for (int k = 0; k < 3; ++k) CHECK(scree_step(s.world), "%s", s.world->work.why.text);
		CHECK(s.world->state.body.count >= 124, "%d bodies", s.world->state.body.count);
		from_sources += s.world->state.body.count - 124;
		CHECK(s.world->work.greatest_overlap_ever == 0, "bodies overlap by %g", s.world->work.greatest_overlap_ever);
		const bodies *b = &s.world->state.body;
		for (int32_t i = 0; i < b->count; ++i) across += b->y[i] < b->radius[i] || b->y[i] > 0.04 - b->radius[i];
		scree_scene_free(&s);
	}
	CHECK(across > 5 * test_cases(20) && from_sources > test_cases(20),
		  "only %lld bodies reach over a border, only %lld come from sources", (long long)across,
		  (long long)from_sources);
}

static void the_same_seed_is_the_same_fill(void **state)
{
	(void)state;
	char text[2048];
	scene a, b, c;
	scene_text(text, sizeof text, MIXED, 7);
	load(text, &a);
	load(text, &b);
	scene_text(text, sizeof text, MIXED, 8);
	load(text, &c);
	assert_true(scree_world_hash(&a.world->model, &a.world->state, &a.world->work) ==
				scree_world_hash(&b.world->model, &b.world->state, &b.world->work));
	assert_true(scree_world_hash(&a.world->model, &a.world->state, &a.world->work) !=
				scree_world_hash(&c.world->model, &c.world->state, &c.world->work));
	scree_scene_free(&a);
	scree_scene_free(&b);
	scree_scene_free(&c);
}

static void a_solid_fraction_is_reached(void **state)
{
	(void)state;
	char text[2048];
	scene s;
	scene_text(text, sizeof text,
			   "region: {box: {min: [-15 mm, -15 mm, 0], max: [15 mm, 15 mm, 20 mm]}}, solid_fraction: 0.2, shape: s, "
			   "size: 3 mm",
			   1);
	load(text, &s);
	real each = SCREE_PI / 6 * 2.7e-8, part = s.world->state.body.count * each / (0.03 * 0.03 * 0.02);
	CHECK(part >= 0.2 && part < 0.2 + each / 1.8e-5 + 1e-12, "the solid fraction is %g", part);
	scree_scene_free(&s);
}

/* A ball may be at any position, so positions must be uniformly distributed. Compares the counts in subregions of known
 * volume. */
static void regions_are_drawn_evenly(void **state)
{
	(void)state;
	region g[3] = {{.type = REGION_BOX, .low = {-1, 0, 2}, .high = {1, 3, 2.5}},
				   {.type = REGION_CYLINDER, .centre = {1, 2, 3}, .axis = {0.6, 0, 0.8}, .radius = 2, .length = 3},
				   {.type = REGION_SPHERE, .centre = {1, 2, 3}, .radius = 2}};
	for (int k = 0; k < 3; ++k) {
		random_stream s = scree_random_start(5, (uint64_t)k);
		enum { N = 40000 };
		int inner = 0;
		vec3 mean = v3(0, 0, 0);
		region part = g[k]; /* the region of half the size about the centre, which has an eighth of the volume */
		vec3 middle = k ? g[k].centre : v3_mul(0.5, v3_add(g[k].low, g[k].high));
		part.low = v3_mul(0.5, v3_add(g[k].low, middle));
		part.high = v3_mul(0.5, v3_add(g[k].high, middle));
		part.radius /= 2;
		part.length /= 2;
		for (int i = 0; i < N; ++i) {
			vec3 p = scree_region_draw(&g[k], &s, 0);
			assert_true(scree_region_holds(&g[k], p, -1e-12));
			inner += scree_region_holds(&part, p, 0);
			mean = v3_madd(mean, 1.0 / N, v3_sub(p, middle));
			assert_true(scree_region_holds(&g[k], scree_region_draw(&g[k], &s, 0.1), 0.1 - 1e-12));
		}
		/* five standard deviations of the binomial distribution */
		NEAR((real)inner / N, 0.125, 5 * sqrt(0.125 * 0.875 / N), "part of the draws in an eighth of the volume");
		NEAR(v3_norm(mean), 0, 0.04, "mean");
		NEAR(scree_region_volume(&part) / scree_region_volume(&g[k]), 0.125, 1e-12, "volume");
	}
}

static void sizes_are_distributed(void **state)
{
	(void)state;
	static const spread row[] = {{.type = SPREAD_ONE, .a = 3},
								 {.type = SPREAD_UNIFORM, .a = 2, .b = 5},
								 {.type = SPREAD_NORMAL, .a = 4, .b = 0.5, .cut = 2},
								 {.type = SPREAD_LOGNORMAL, .a = 4, .b = 1, .cut = 4},
								 {.type = SPREAD_NORMAL, .a = 1, .b = 2, .cut = 3}};
	static const real mean[] = {3, 3.5, 4, 4, 0};
	for (int k = 0; k < 5; ++k) {
		random_stream s = scree_random_start(9, (uint64_t)k);
		enum { N = 40000 };
		real sum = 0, largest = 0;
		for (int i = 0; i < N; ++i) {
			real x = scree_spread_draw(&row[k], &s);
			assert_true(x > 0);
			sum += x;
			largest = real_max(largest, x);
		}
		if (mean[k] > 0) NEAR(sum / N, mean[k], 5 / sqrt(N), "mean");
		CHECK(largest <= scree_spread_largest(&row[k]), "%g is above the largest, %g", largest,
			  scree_spread_largest(&row[k]));
		CHECK(largest > 0.8 * scree_spread_largest(&row[k]), "the largest of many, %g, is far below %g", largest,
			  scree_spread_largest(&row[k]));
	}
}

/* Cutting off the tails reduces the standard deviation by the factor given in docs/scene.md (normal_size). */
static void the_cut_makes_the_deviation_smaller(void **state)
{
	static const struct {
		spread of;
		real part; /* of sd */
	} row[] = {{{.type = SPREAD_NORMAL, .a = 1, .b = 0.1, .cut = 3}, 0.9866},
			   {{.type = SPREAD_NORMAL, .a = 1, .b = 0.1, .cut = 4}, 0.9995},
			   {{.type = SPREAD_LOGNORMAL, .a = 1, .b = 0.3, .cut = 3}, 0.9804},
			   {{.type = SPREAD_LOGNORMAL, .a = 1, .b = 0.3, .cut = 4}, 0.999}};
	enum { N = 400000 };
	(void)state;
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
		random_stream s = scree_random_start(11, k);
		real sum = 0, squares = 0;
		for (int i = 0; i < N; ++i) {
			const real x = scree_spread_draw(&row[k].of, &s) - row[k].of.a;
			sum += x;
			squares += x * x;
		}
		const real deviation = sqrt(squares / N - sum / N * (sum / N));
		NEAR(deviation / row[k].of.b, row[k].part, 0.004, "deviation over sd");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cut_makes_the_deviation_smaller),
		cmocka_unit_test(nothing_overlaps),
		cmocka_unit_test(nothing_overlaps_across_periods),
		cmocka_unit_test(the_same_seed_is_the_same_fill),
		cmocka_unit_test(a_solid_fraction_is_reached),
		cmocka_unit_test(regions_are_drawn_evenly),
		cmocka_unit_test(sizes_are_distributed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
