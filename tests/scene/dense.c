/* Dense fills: equal spheres reach random close packing, other shapes exceed the density reached with random positions,
 * and all bodies are within their region and walls, without overlaps. References: brute force over pairs for spheres,
 * and the contacts of the scene's own world for other shapes. Fills that are impossible are refused. */
#include "scene_text.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maths.h"
#include "scene/scene.h"
#include "world/world.h"

static bool load(const char *world, const char *fill, scene *s, char **report)
{
	char text[4096];
	snprintf(text, sizeof text,
			 "scene: 1\nworld: {%s}\n"
			 "materials: {m: {density: 1 g/cm^3, young: 1 MPa}}\n%s\nrun: {until: 1 s}\n",
			 world, fill);
	return read_scene("test", text, strlen(text), 0, NULL, false, s, report);
}

static void load_good(const char *world, const char *fill, scene *s)
{
	char *report = NULL;
	const bool ok = load(world, fill, s, &report);
	CHECK(ok, "%s", report ? report : "");
	scree_free(report);
}

static real solid_volume(const scree_world *w)
{
	real sum = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) sum += w->state.body.mass[i] / 1000;
	return sum;
}

/* shortest distance between spheres in a periodic cube with this period, in m */
static real distance(const bodies *b, int32_t i, int32_t j, real period)
{
	real d[3] = {b->x[i] - b->x[j], b->y[i] - b->y[j], b->z[i] - b->z[j]}, sum = 0;
	for (int k = 0; k < 3; ++k) {
		d[k] -= period * scree_floor(d[k] / period + (real)0.5);
		sum += d[k] * d[k];
	}
	return sqrt(sum);
}

/* random close packing of equal frictionless spheres has a solid fraction of 0.64 */
static void spheres_reach_random_close_packing(void **state)
{
	(void)state;
	const real side = 0.014;
	scene s;
	load_good("gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [14 mm, 14 mm, 14 mm]}, periodic: [x, y, z]",
			  "shapes: {s: {sphere: {diameter: 1}}}\nfill: [{region: {box: {min: [0, 0, 0], max: [14 mm, 14 mm, 14 "
			  "mm]}}, solid_fraction: 0.625, dense: true, shape: s, size: 2.4 mm, material: m}]",
			  &s);
	const bodies *b = &s.world->state.body;
	real deepest = 0;
	int64_t touching = 0;
	for (int32_t i = 0; i < b->count; ++i)
		for (int32_t j = 0; j < i; ++j) {
			const real gap = distance(b, i, j, side) - b->radius[i] - b->radius[j];
			deepest = real_max(deepest, -gap / (2 * b->radius[i]));
			touching += gap < 0.02 * b->radius[i];
		}
	CHECK(b->count > 200, "%d bodies", b->count);
	CHECK(solid_volume(s.world) / (side * side * side) >= 0.62, "a solid fraction of %g",
		  solid_volume(s.world) / (side * side * side));
	CHECK(deepest < 0.005, "overlaps of %g of the diameter", deepest);
	/* near jamming, each sphere has about six neighbours at a distance within 1 % of contact */
	CHECK(2 * (real)touching / b->count > 4, "%g neighbours", 2 * (real)touching / b->count);
	scree_scene_free(&s);
}

/* A cell that is periodic along some axes has borders along the other axes. */
static void cells_may_end(void **state)
{
	(void)state;
	static const char *const axes[3] = {"x, y", "y, z", "x"};
	for (int k = 0; k < 3; ++k) {
		if (!test_drawn(k)) continue;
		char world[200];
		scene s;
		snprintf(world, sizeof world, "domain: {min: [0, 0, -10 mm], max: [10 mm, 12 mm, 10 mm]}, periodic: [%s]",
				 axes[k]);
		load_good(
			world,
			"shapes: {s: {sphere: {diameter: 1}}}\nfill: [{region: {box: {min: [0, 0, -10 mm], max: [10 mm, 12 mm, "
			"10 mm]}}, solid_fraction: 0.4, dense: true, shape: s, size: 3 mm, material: m}]",
			&s);
		const bodies *b = &s.world->state.body;
		const real low[3] = {0, 0, -10e-3}, high[3] = {10e-3, 12e-3, 10e-3};
		const real *const at[3] = {b->x, b->y, b->z};
		CHECK(b->count > 60, "%d bodies", b->count);
		for (int d = 0; d < 3; ++d)
			for (int32_t i = 0; i < b->count; ++i) {
				const real inside = strchr(axes[k], "xyz"[d]) ? 0 : b->radius[i] * (real)0.98;
				CHECK(at[d][i] >= low[d] + inside && at[d][i] <= high[d] - inside,
					  "periodic %s: body %d at %g along %c", axes[k], i, at[d][i], "xyz"[d]);
			}
		scree_scene_free(&s);
	}
}

static const char IN_TUBE[] =
	"walls: {tube: {cylinder: {radius: 8 mm, axis: z, side: inside}, material: m}}\n"
	"fill: [{region: {cylinder: {radius: 8 mm, axis: z, length: 12 mm}}, solid_fraction: %g, dense: true, shape: s, "
	"size: %g mm, orientation: random, material: m}]";

/* shapes fill more of their region than with random positions; contacts before the first step are checked */
static void other_shapes_are_dense(void **state)
{
	(void)state;
	static const struct {
		const char *shape;
		real solid, size;
	} row[] = {{"{regular: cube}", 0.45, 5},
			   {"{clump: {centers: [[0, 0, 0], [0.6, 0, 0], [0, 0.6, 0]], radii: [0.4]}}", 0.45, 4.5},
			   {"{mesh: {file: tests/bad/scenes/dense_l.obj, as: compound}}", 0.3, 5}};
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
		char fill[1024], text[2048];
		scene s;
		snprintf(fill, sizeof fill, IN_TUBE, row[k].solid, row[k].size);
		snprintf(text, sizeof text, "shapes: {s: %s}\n%s", row[k].shape, fill);
		load_good("gravity: [0, 0, 0]", text, &s);
		const real region = SCREE_PI * 8e-3 * 8e-3 * 12e-3, solid = solid_volume(s.world) / region;
		CHECK(solid >= row[k].solid, "%s: a solid fraction of %g", row[k].shape, solid);
		CHECK(s.world->work.start.overlap < 0.01, "%s: overlaps of %g", row[k].shape, s.world->work.start.overlap);
		for (int32_t i = 0; i < s.world->state.body.count; ++i) {
			const bodies *b = &s.world->state.body;
			CHECK(b->z[i] > -6e-3 && b->z[i] < 6e-3 && b->x[i] * b->x[i] + b->y[i] * b->y[i] < 64e-6,
				  "body %d is outside", i);
		}
		scree_scene_free(&s);
	}
}

/* A spherical region, for a round sample: bodies fill it and stay inside it, and so do spheres placed without `dense`.
 */
static void a_ball_is_filled(void **state)
{
	(void)state;
	static const struct {
		const char *shape, *dense;
		real solid, size;
	} row[] = {{"{sphere: {diameter: 1}}", "dense: true", 0.55, 2.2},
			   {"{sphere: {diameter: 1}}", "seed: 3", 0.5, 2.2},
			   {"{regular: cube}", "dense: true, orientation: random", 0.45, 2.5}};
	const real radius = 9e-3, middle[3] = {3e-3, -4e-3, 5e-3};
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
		if (!test_drawn((int64_t)k + 3)) continue;
		char text[1024];
		scene s;
		snprintf(text, sizeof text,
				 "shapes: {s: %s}\nfill: [{region: {sphere: {center: [3 mm, -4 mm, 5 mm], radius: 9 mm}}, "
				 "solid_fraction: %g, %s, shape: s, size: %g mm, material: m}]",
				 row[k].shape, row[k].solid, row[k].dense, row[k].size);
		load_good("gravity: [0, 0, 0]", text, &s);
		const real solid = solid_volume(s.world) / (4 * SCREE_PI / 3 * radius * radius * radius);
		const bodies *b = &s.world->state.body;
		CHECK(solid >= row[k].solid, "%s: a solid fraction of %g", row[k].shape, solid);
		CHECK(s.world->work.start.overlap < 0.01, "%s: overlaps of %g", row[k].shape, s.world->work.start.overlap);
		for (int32_t i = 0; i < b->count; ++i) {
			const vec3 from = v3_sub(body_position(b, i), v3(middle[0], middle[1], middle[2]));
			const shape *of = s.world->model.shape.row + b->shape[i];
			const real inner = of->inradius * b->size[i];
			CHECK(v3_norm(from) + inner < radius * (real)1.001, "%s: body %d reaches to %g m", row[k].shape, i,
				  v3_norm(from) + inner);
		}
		scree_scene_free(&s);
	}
}

/* In the plane, existing bodies stay in place, and aligned bodies stay aligned. */
static void polygons_and_obstacles(void **state)
{
	(void)state;
	scene s;
	load_good(
		"dimension: 2, gravity: [0, 0]",
		"shapes: {s: {polygon: {sides: 5}}, d: {disc: {diameter: 1}}}\n"
		"fill:\n"
		"  - {region: {box: {min: [0, 0], max: [20 mm, 20 mm]}}, lattice: {spacing: 8 mm, count: [1, 1]}, shape: d, "
		"size: 5 mm, material: m}\n"
		"  - {region: {box: {min: [0, 0], max: [20 mm, 20 mm]}}, solid_fraction: 0.62, dense: true, material: m, "
		"mix: [{shape: s, size: 2.5 mm}, {shape: d, size: 2 mm}]}",
		&s);
	const bodies *b = &s.world->state.body;
	CHECK(s.world->work.start.overlap < 0.01, "overlaps of %g", s.world->work.start.overlap);
	int32_t polygon = -1;
	for (int32_t i = 0; i < b->count; ++i) {
		if (b->id[i] == 1) CHECK(b->x[i] == 0.01 && b->y[i] == 0.01, "the obstacle is at %g, %g", b->x[i], b->y[i]);
		CHECK(b->x[i] > 0 && b->x[i] < 0.02 && b->y[i] > 0 && b->y[i] < 0.02, "body %d is outside", i);
		if (s.world->model.shape.row[b->shape[i]].type != SHAPE_POLYGON) continue;
		if (polygon < 0) polygon = i;
		NEAR(b->qz[i], b->qz[polygon], 1e-12, "orientation of a polygon");
	}
	CHECK(polygon >= 0 && b->count > 40, "%d bodies", b->count);
	scree_scene_free(&s);
}

static const char CELL[] =
	"gravity: [0, 0, 0], domain: {min: [0, 0, 0], max: [10 mm, 10 mm, 10 mm]}, periodic: [x, y, z]";
static const char IN_CELL[] =
	"shapes: {s: %s}\nfill: [{region: {box: {min: [0, 0, 0], max: [10 mm, 10 mm, 10 mm]}}, solid_fraction: %g, dense: "
	"true, shape: s, size: %g mm, orientation: random, material: m}]";

/* Dice reach a solid fraction of 0.54 when loose and 0.67 when shaken (Baker and Kudrolli 2010). */
static void cubes_are_dense(void **state)
{
	(void)state;
	char fill[1024];
	scene s;
	snprintf(fill, sizeof fill, IN_CELL, "{regular: cube}", 0.6, 2.);
	load_good(CELL, fill, &s);
	CHECK(s.world->state.body.count > 70, "%d bodies", s.world->state.body.count);
	CHECK(solid_volume(s.world) >= 0.6e-6, "a solid fraction of %g", 1e6 * solid_volume(s.world));
	CHECK(s.world->work.start.overlap < 0.005, "overlaps of %g", s.world->work.start.overlap);
	scree_scene_free(&s);
}

static void what_is_impossible_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *shape;
		real size, least, most;
	} row[] = {{"{sphere: {diameter: 1}}", 3.2, 0.58, 0.70}, {"{regular: cube}", 2, 0.6, 0.8}};
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
		if (!test_drawn((int64_t)k)) continue;
		char fill[1024], *report = NULL;
		scene s;
		snprintf(fill, sizeof fill, IN_CELL, row[k].shape, 0.9, row[k].size);
		const bool ok = load(CELL, fill, &s, &report);
		const char *at = report ? strstr(report, "but bodies are jammed at ") : NULL;
		CHECK(!ok && at, "%s", report ? report : "no report");
		const real reached = atof(at + strlen("but bodies are jammed at "));
		CHECK(reached > row[k].least && reached < row[k].most, "%s jammed at %g", row[k].shape, reached);
		scree_free(report);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spheres_reach_random_close_packing),
		cmocka_unit_test(other_shapes_are_dense),
		cmocka_unit_test(a_ball_is_filled),
		cmocka_unit_test(cells_may_end),
		cmocka_unit_test(polygons_and_obstacles),
		cmocka_unit_test(cubes_are_dense),
		cmocka_unit_test(what_is_impossible_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
