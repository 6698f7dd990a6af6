/* plane: pictures of two-dimensional worlds. With the camera used in this test, a metre is 100 pixels, so areas and
 * positions in the picture are known; colours are taken from the colour table. */
#include "lab.h"
#include "picture_help.h"

#include "base/parallel.h"
#include "choices/choices.h"
#include "format/snapshot.h"
#include "kernel/quat.h"
#include "model/narrow.h"
#include "render/picture.h"
#include "shape/shapes.h"

#include <stdlib.h>
#include <unistd.h>

enum { DISC, EGG, SQUARE, WEDGE, WIDTH = 400, HEIGHT = 300 };

static scree_world *flat_world(void)
{
	scree_world *w = scree_world_new();
	material m = {.name = "stuff", .density = 2500, .young = 1e7, .poisson = 0.25};
	fail why = {0};
	const vec3 square[4] = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}};
	const vec3 wedge[3] = {{-0.3, -1.2, 0}, {0.3, -1.2, 0}, {0, -0.9, 0}};
	w->model.flat = true;
	w->model.thickness = 1;
	w->model.narrow = scree_narrow_find("closest-features");
	scree_materials_add(&w->model.material, m);
	scree_materials_set_rule(&w->model.material, 0, 0, lab_linear(1e5, 0.5, 0.3));
	CHECK(scree_shapes_add_disc(&w->model.shape, "disc", &why) == DISC, "%s", why.text);
	CHECK(scree_shapes_add_ellipse(&w->model.shape, "egg", 0.7, 0.4, &why) == EGG, "%s", why.text);
	CHECK(scree_shapes_add_polygon(&w->model.shape, "square", 4, square, &why) == SQUARE, "%s", why.text);
	CHECK(scree_shapes_add_polygon(&w->model.shape, "wedge", 3, wedge, &why) == WEDGE, "%s", why.text);
	return w;
}

static quat turn_by(real angle) { return (quat){cos(angle / 2), 0, 0, sin(angle / 2)}; }

static void add(scree_world *w, int32_t shape, real size, real x, real y, real angle)
{
	lab_add_moving(w, shape, size, v3(x, y, 0), turn_by(angle), v3(1, 0, 0), v3(0, 0, 0));
}

/* the origin is in the middle, and a metre is 100 pixels; bodies with a speed of 1 have the last colour of the map */
static image_plan metre_plan(void)
{
	image_plan p = {.on = true,
					.width = WIDTH,
					.height = HEIGHT,
					.samples = 16,
					.has_camera = true,
					.has_range = true,
					.map = MAP_VIRIDIS};
	p.eye = v3(0, 0, 1.5);
	p.up = v3(0, 1, 0);
	p.fov = SCREE_PI / 2;
	p.range[1] = 1;
	return p;
}

static vec3 pixel(const picture *p, int32_t x, int32_t y)
{
	const unsigned char *c = p->rgb + 3 * (y * p->width + x);
	return v3(c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
}

/* the pixel that contains this point of the world */
static vec3 seen_at(const picture *p, real x, real y)
{
	return pixel(p, (int32_t)floor(WIDTH / 2 + 100 * x), (int32_t)floor(HEIGHT / 2 - 100 * y));
}

static bool alike(vec3 a, vec3 b) { return v3_norm(v3_sub(a, b)) < 0.01; }

static vec3 paper(void) { return scree_encode(scree_background(GROUND_SKY, 1)); }

static vec3 fill(void) { return scree_encode(scree_colour_map(MAP_VIRIDIS, 1)); }

static bool grey(vec3 c) { return real_abs(c.x - c.z) < 0.1 && c.x > 0.6 && c.x < 0.92; }

static bool dark(vec3 c) { return c.x < 0.6 && real_abs(c.x - c.z) < 0.15; }

static bool red(vec3 c) { return c.x > 0.6 && c.y < 0.3 && c.z < 0.3; }

static void free_both(picture p, scree_world *w)
{
	scree_free(p.rgb);
	scree_world_free(w);
}

/* pixels covered between the title and the colour bar, recognised by their low blue value, which is typical of bodies
 */
static real covered(const picture *p)
{
	const real most = paper().z, least = scree_encode(v3_mul(0.3, scree_colour_map(MAP_VIRIDIS, 1))).z;
	real sum = 0;
	for (int32_t y = 35; y < HEIGHT; ++y)
		for (int32_t x = 0; x < 315; ++x) {
			real part = (most - pixel(p, x, y).z) / (most - least);
			sum += part > 0.9 ? 1 : part < 0.01 ? 0 : part;
		}
	return sum;
}

static void areas_are_right(void **state)
{
	(void)state;
	FOR_SEEDS(6)
	{
		random_stream r = scree_random_start(test_seed, 5);
		real size = scree_random_between(&r, 1.2, 1.55), angle = scree_random_between(&r, 0, 7);
		real x = scree_random_between(&r, -0.1, 0.1), y = scree_random_between(&r, -0.1, 0.1);
		image_plan plan = metre_plan();
		const real area[3] = {SCREE_PI / 4, SCREE_PI * 0.7 * 0.4, 1};
		for (int32_t shape = DISC; shape <= SQUARE; ++shape) {
			real scaled = shape == SQUARE ? 0.75 * size : size;
			scree_world *w = flat_world();
			add(w, shape, scaled, x, y, angle);
			picture p = draw(w, &plan);
			real part = covered(&p) / (1e4 * area[shape] * scaled * scaled);
			NEAR(part, 1, 0.005, w->model.shape.row[shape].name);
			CHECK(alike(seen_at(&p, x - 0.02 * cos(angle), y - 0.02 * sin(angle)), fill()), "not the body's colour");
			free_both(p, w);
		}
	}
}

/* A square whose sides coincide with pixel edges covers exactly the pixels inside; displaced by half a pixel, it covers
 * half of each pixel in a column on either side. */
static void squares_are_exact(void **state)
{
	(void)state;
	image_plan plan = metre_plan();
	for (int half = 0; half < 2; ++half) {
		scree_world *w = flat_world();
		add(w, SQUARE, 1, half * 0.005, 0, 0);
		picture p = draw(w, &plan);
		vec3 border = v3_mul(0.3, scree_colour_map(MAP_VIRIDIS, 1)), mixed = v3_mix(paper(), scree_encode(border), 0.5);
		for (int32_t y = 40; y < 290; ++y)
			for (int32_t x = 110; x < 300; ++x) {
				bool rows = y >= 100 && y < 200, inside = rows && x >= 150 + half && x < 250;
				bool edge = half && rows && (x == 150 || x == 250);
				vec3 c = pixel(&p, x, y);
				CHECK(alike(c, paper()) == (!inside && !edge), "%d %d", x, y);
				if (edge && y > 101 && y < 198) CHECK(alike(c, mixed), "%d %d: not half", x, y);
				if (inside && x > 153 && x < 247 && y > 103 && y < 197) CHECK(alike(c, fill()), "%d %d", x, y);
			}
		free_both(p, w);
	}
}

static void discs_show_their_turn(void **state)
{
	(void)state;
	image_plan plan = metre_plan();
	for (int k = 0; k < 8; ++k) {
		scree_world *w = flat_world();
		real angle = 0.3 + k * 2 * SCREE_PI / 8;
		add(w, DISC, 1.6, 0, 0, angle);
		plan.height = 3 * HEIGHT;
		plan.width = 3 * WIDTH;
		picture p = draw(w, &plan);
		for (int j = 0; j < 8; ++j) {
			real turned = angle + j * 2 * SCREE_PI / 8;
			vec3 c = pixel(&p, (int32_t)(600 + 150 * cos(turned)), (int32_t)(450 - 150 * sin(turned)));
			CHECK(alike(c, fill()) == (j != 0), "turned by %g, seen at %g", angle, turned);
		}
		free_both(p, w);
	}
}

static void add_walls(scree_world *w)
{
	fail why = {0};
	wall post = scree_wall_default("post", 0);
	CHECK(scree_walls_add_cylinder(&w->model.wall, post, v3(-1, 0.5, 0), v3(0, 0, 1), 0.25, INFINITY, SIDE_OUTSIDE,
								   &why) >= 0,
		  "%s", why.text);
	CHECK(scree_walls_add_cylinder(&w->model.wall, scree_wall_default("drum", 0), v3(0, 0, 0), v3(0, 0, 1), 1.3,
								   INFINITY, SIDE_INSIDE, &why) >= 0,
		  "%s", why.text);
	CHECK(scree_walls_add_flat_polygon(&w->model.wall, scree_wall_default("wedge", 0), WEDGE, &why) >= 0, "%s",
		  why.text);
	lab_plane(w, v3(1, 0, 0), v3(-1, 0, 0));
}

static void walls_lie_where_they_act(void **state)
{
	(void)state;
	image_plan plan = metre_plan();
	scree_world *w = flat_world();
	add_walls(w);
	lab_prepare(w, 1e-5);
	picture p = draw(w, &plan);
	CHECK(grey(seen_at(&p, -1, 0.5)) && grey(seen_at(&p, -1, 0.27)), "the post is not solid");
	CHECK(alike(seen_at(&p, -1, 0.22), paper()) && alike(seen_at(&p, -1.2, 0.3), paper()), "the post is too large");
	CHECK(dark(seen_at(&p, 0, -1.302)) && alike(seen_at(&p, 0, -1.28), paper()), "the drum's edge");
	CHECK(dark(seen_at(&p, 0, -1.198)) && alike(seen_at(&p, 0, -1.21), paper()), "the wedge's base");
	CHECK(grey(seen_at(&p, 0, -1.1)) && alike(seen_at(&p, 0, -0.87), paper()), "the wedge");
	CHECK(dark(seen_at(&p, 1.002, 0)) && grey(seen_at(&p, 1.025, 0)) && alike(seen_at(&p, 0.98, 0), paper()) &&
			  alike(seen_at(&p, 1.1, 0), paper()),
		  "the line");
	CHECK(alike(seen_at(&p, 1.02, 1.2), paper()), "the line goes on outside of the drum");
	plan.walls = LOOK_HIDDEN;
	scree_free(p.rgb);
	p = draw(w, &plan);
	CHECK(alike(seen_at(&p, -1, 0.5), paper()) && alike(seen_at(&p, 0, -1.302), paper()), "hidden walls are drawn");
	free_both(p, w);
}

static void same_bytes_for_any_threads(void **state)
{
	(void)state;
	scree_world *w = flat_world();
	add_walls(w);
	lab_prepare(w, 1e-5);
	for (int k = 0; k < 60; ++k) add(w, k % 3, 0.2, -0.8 + 0.2 * (k % 8), -0.7 + 0.2 * (k / 8), 0.7 * k);
	image_plan plan = {.on = true, .width = 333, .height = 211, .samples = 9};
	scree_set_threads(1);
	picture one = draw(w, &plan);
	scree_set_threads(4);
	picture four = draw(w, &plan);
	scree_set_threads(0);
	CHECK(memcmp(one.rgb, four.rgb, 3u * 333u * 211u) == 0, "1 and 4 threads draw different pictures");
	scree_free(four.rgb);
	free_both(one, w);
}

/* a world that was saved and loaded looks the same, although its bodies are in a different order, and walls keep their
 * forms */
static void snapshots_look_alike(void **state)
{
	(void)state;
	scree_world *w = flat_world();
	add_walls(w);
	for (int k = 0; k < 20; ++k) add(w, k % 3, 0.2, -0.5 + 0.15 * (k % 5), -0.5 + 0.3 * (k / 5), 0.7 * k);
	lab_prepare(w, 1e-5);
	lab_steps(w, 3);
	image_plan plan = {.on = true, .width = 200, .height = 150, .samples = 4};
	picture one = draw(w, &plan);
	fail why = {0};
	snapshot_extra extra = {0};
	const char *path = path_of("plane.snap");
	CHECK(scree_snapshot_write(w, &extra, path, &why), "%s", why.text);
	scree_world *again = scree_snapshot_read(path, &extra, &why);
	CHECK(again != NULL, "%s", why.text);
	remove(path);
	picture two = draw(again, &plan);
	CHECK(memcmp(one.rgb, two.rgb, 3u * 200u * 150u) == 0, "another picture");
	scree_snapshot_extra_free(&extra);
	free_both(one, w);
	free_both(two, again);
}

/* parts that extend beyond one side of the cell appear on the other side; along the velocity gradient, they are
 * displaced by the offset of the images */
static void images_come_in(void **state)
{
	(void)state;
	image_plan plan = metre_plan();
	for (int shears = 0; shears < 2; ++shears) {
		scree_world *w = flat_world();
		lab_periods(w, "xy", v3(-1, -1, 0), v3(2, 2, 0));
		if (shears) {
			w->model.period.shears = true;
			w->model.period.rate = 1;
			scree_periods_set(&w->model.period, &w->state.images, 100, 0.003);
			NEAR(w->state.images.offset, 0.6, 1e-12, "offset");
		}
		add(w, DISC, 0.4, -0.5, -0.95, 0.2);
		picture p = draw(w, &plan);
		real x = -0.5 + (shears ? 0.6 : 0);
		CHECK(alike(seen_at(&p, -0.5, -0.9), fill()) && alike(seen_at(&p, x, 0.93), fill()), "shears %d", shears);
		CHECK(alike(seen_at(&p, shears ? -0.5 : 0.1, 0.93), paper()), "shears %d: an image too many", shears);
		vec3 outside = scree_encode(scree_colour_map(MAP_VIRIDIS, 1));
		CHECK(!alike(seen_at(&p, -0.5, -1.07), outside) && !alike(seen_at(&p, -0.5, -1.07), paper()),
			  "outside of the cell it is not pale");
		CHECK(!alike(pixel(&p, 100, 160), paper()) || !alike(pixel(&p, 99, 160), paper()), "no frame at the left");
		free_both(p, w);
	}
}

/* without a camera, all bodies are within the margins of the picture, and as large as the margins permit */
static void all_within_the_frame(void **state)
{
	(void)state;
	FOR_SEEDS(10)
	{
		random_stream r = scree_random_start(test_seed, 6);
		scree_world *w = flat_world();
		for (int k = 0; k < 8; ++k)
			add(w, k % 3, scree_random_between(&r, 0.1, 10), scree_random_between(&r, 0, 100),
				scree_random_between(&r, 0, 100), 1);
		image_plan plan = {
			.width = 200, .height = 160, .samples = 4, .has_range = true, .range = {0, 1}, .map = MAP_VIRIDIS};
		picture p = draw(w, &plan);
		int64_t edge = 0, inside = 0;
		for (int32_t y = 0; y < 160; ++y)
			for (int32_t x = 0; x < 200; ++x) {
				vec3 c = pixel(&p, x, y);
				bool yellow = c.x > c.z + 0.3 && x < 174;
				inside += yellow ? 1 : 0;
				edge += yellow && (x < 5 || y < 11 || y > 152) ? 1 : 0;
			}
		CHECK(edge == 0 && inside > 5, "%d pixels at the edge, %d inside", (int)edge, (int)inside);
		free_both(p, w);
	}
}

/* two discs pressed together: a line with round ends from centre to centre, whose width is given by the scale */
static void forces_are_lines(void **state)
{
	(void)state;
	scree_world *w = flat_world();
	lab_add(w, DISC, 1, v3(-0.49, 0, 0));
	lab_add(w, DISC, 1, v3(0.49, 0, 0));
	lab_prepare(w, 1e-5);
	lab_steps(w, 1);
	CHECK(w->work.touching == 1, "%d contacts", (int)w->work.touching);
	image_plan plan = metre_plan();
	picture p = draw(w, &plan);
	CHECK(!red(seen_at(&p, 0, 0)), "a line that nobody asked for");
	scree_free(p.rgb);
	plan.forces = true;
	p = draw(w, &plan);
	CHECK(red(seen_at(&p, 0, 0)) && red(seen_at(&p, -0.46, 0)) && red(seen_at(&p, 0.46, 0)), "no line");
	CHECK(red(seen_at(&p, -0.58, 0)) && red(seen_at(&p, 0.58, 0)), "the ends are not round");
	CHECK(!red(seen_at(&p, -0.66, 0)) && !red(seen_at(&p, 0.6, 0.12)), "the line is too long");
	int wide = 0;
	for (int32_t y = 100; y < 200; ++y) wide += red(pixel(&p, 180, y)) ? 1 : 0;
	NEAR(wide, 0.55 * 0.5 * 100, 1.5, "width of the strongest force");
	free_both(p, w);
}

static void refused(const scree_world *w, image_plan plan, const char *word)
{
	fail why = {0};
	CHECK(!scree_render_picture(w, &plan, NULL, path_of("two.png"), &why), "was drawn: %s", word);
	CHECK(why.code == FAIL_INPUT && strstr(why.text, word), "\"%s\" does not say \"%s\"", why.text, word);
}

static void says_what_is_wrong(void **state)
{
	(void)state;
	scree_world *w = flat_world();
	image_plan plan = metre_plan(), p = plan;
	p.has_cut = true;
	p.cut_normal = v3(1, 0, 0);
	refused(w, p, "cut");
	p = plan;
	p.eye.x = 0.1;
	refused(w, p, "above the target");
	p = plan;
	p.eye.z = -1;
	refused(w, p, "above the target");
	p = plan;
	p.up = v3(0, 0, 1);
	refused(w, p, "up");
	picture drawn = draw(w, &plan); /* an empty picture is not an error */
	free_both(drawn, w);
}

/* A picture assigns its colour to one wall and to no other. */
static void walls_have_given_colours(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = flat_world();
		image_plan plan = metre_plan();
		add(w, DISC, 0.1, 0, 0, 0);
		lab_plane(w, v3(0, -0.3, 0), v3(0, 1, 0));
		lab_rows(w);
		plan.colours = 1;
		plan.colour[0] = (plan_colour_of){.srgb = {0.8, 0.1, 0.1}};
		snprintf(plan.colour[0].name, sizeof plan.colour[0].name, "%s", k ? w->model.wall.row[0].name : "another");
		picture p = draw(w, &plan);
		int reds = 0;
		for (int y = 0; y < 10; ++y) reds += red(seen_at(&p, 0.3, -0.3 - 0.01 * y));
		CHECK((reds > 3) == (k == 1), "%d pixels are red", reds);
		free_both(p, w);
	}
}

int main(void)
{
	if (!mkdtemp(folder)) return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(areas_are_right),			cmocka_unit_test(squares_are_exact),
		cmocka_unit_test(discs_show_their_turn),	cmocka_unit_test(walls_lie_where_they_act),
		cmocka_unit_test(walls_have_given_colours), cmocka_unit_test(same_bytes_for_any_threads),
		cmocka_unit_test(snapshots_look_alike),		cmocka_unit_test(images_come_in),
		cmocka_unit_test(all_within_the_frame),		cmocka_unit_test(forces_are_lines),
		cmocka_unit_test(says_what_is_wrong),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
