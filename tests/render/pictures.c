/* pictures: pictures are read back with libpng and compared with the expected contents. */
#include "lab.h"
#include "picture_help.h"

#include "base/parallel.h"
#include "kernel/quat.h"
#include "render/picture.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* red exceeds blue by at least this much in yellow, the colour of fast bodies */
static bool yellow(const picture *p, int32_t x, int32_t y)
{
	const unsigned char *c = p->rgb + 3 * (y * p->width + x);
	return c[0] > c[2] + 60 && c[1] > c[2] + 60;
}

static scree_world *some_world(void)
{
	scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	fail why = {0};
	wall shell = scree_wall_default("shell", 0);
	CHECK(scree_walls_add_cylinder(&w->model.wall, shell, v3(0, 0, 0), v3(0, 0, 1), 0.1, 0.1, SIDE_INSIDE, &why) >= 0,
		  "%s", why.text);
	for (int k = 0; k < 30; ++k)
		lab_add_moving(w, k % 2, 0.02, v3(0.03 * (k % 3 - 1), 0.03 * (k / 3 % 3 - 1), 0.02 + 0.025 * (k / 9)),
					   quat_one(), v3(0.01 * k, 0, 0), v3(0, 0, 0));
	return w;
}

/* A ball of radius 1 at the origin, seen along y from a distance of 10, appears as a disc about the centre. */
static scree_world *ball_world(real speed)
{
	scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
	lab_add_moving(w, 0, 2, v3(0, 0, 0), quat_one(), v3(speed, 0, 0), v3(0, 0, 0));
	return w;
}

static image_plan ball_plan(void)
{
	image_plan p = {.on = true, .width = 200, .height = 160, .samples = 4, .has_camera = true, .fov = 0.5};
	p.eye = v3(0, -10, 0);
	p.up = v3(0, 0, 1);
	p.has_range = true;
	p.range[1] = 1;
	p.map = MAP_VIRIDIS;
	return p;
}

static void same_bytes_for_any_threads(void **state)
{
	(void)state;
	scree_world *w = some_world();
	image_plan plan = {.on = true, .width = 160, .height = 120, .samples = 4};
	for (int look = LOOK_CUT; look <= LOOK_HIDDEN; ++look) {
		plan.walls = (wall_look)look;
		scree_set_threads(1);
		picture one = draw(w, &plan);
		scree_set_threads(3);
		picture three = draw(w, &plan);
		scree_set_threads(0);
		CHECK(one.width == 160 && one.height == 120, "%d x %d pixels", one.width, one.height);
		CHECK(memcmp(one.rgb, three.rgb, 3u * 160u * 120u) == 0, "1 and 3 threads draw different pictures, look %d",
			  look);
		scree_free(one.rgb);
		scree_free(three.rgb);
	}
	scree_world_free(w);
}

static void default_size(void **state)
{
	(void)state;
	scree_world *w = ball_world(1);
	image_plan plan = {.on = true, .samples = 1};
	picture p = draw(w, &plan);
	CHECK(p.width == 960 && p.height == 720, "%d x %d pixels", p.width, p.height);
	scree_free(p.rgb);
	scree_world_free(w);
}

static void ball_where_expected(void **state)
{
	(void)state;
	scree_world *w = ball_world(1);
	image_plan plan = ball_plan();
	picture p = draw(w, &plan);
	/* the outline of a ball is a cone with a half angle of asin(1/10) about the line to its centre */
	real radius = tan(asin(0.1)) / tan(plan.fov / 2) * plan.height / 2;
	for (int32_t y = 0; y < p.height; ++y)
		for (int32_t x = 0; x < 150; ++x) {
			real off = hypot(x + 0.5 - 100, y + 0.5 - 80);
			if (off < radius - 1) CHECK(yellow(&p, x, y), "no ball at %d, %d", x, y);
			if (off > radius + 1) CHECK(!yellow(&p, x, y), "a ball at %d, %d", x, y);
		}
	scree_free(p.rgb);
	scree_world_free(w);
}

static void range_is_honoured(void **state)
{
	(void)state;
	image_plan plan = ball_plan();
	for (int fast = 0; fast < 2; ++fast) {
		scree_world *w = ball_world(1);
		plan.range[1] = fast ? 1 : 100;
		picture p = draw(w, &plan);
		CHECK(yellow(&p, 100, 80) == (fast == 1), "the range up to %g gives the wrong colour", plan.range[1]);
		scree_free(p.rgb);
		scree_world_free(w);
	}
}

/* The half of the ball above the cut is absent; at the cut, the inside is visible, lit like the plane, rather than the
 * far shell. */
static void cut_takes_away(void **state)
{
	(void)state;
	for (int32_t shape = 0; shape < 2; ++shape) {
		scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
		lab_add_moving(w, shape, 2, v3(0, 0, 0), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
		image_plan plan = ball_plan();
		plan.has_cut = true;
		plan.cut_normal = v3(0, 0, 1);
		picture p = draw(w, &plan);
		CHECK(yellow(&p, 100, 84), "nothing below the cut, shape %d", shape);
		CHECK(!yellow(&p, 100, 70), "something above the cut, shape %d", shape);
		plan.cut_normal = v3(0, -1, 0);
		picture q = draw(w, &plan);
		CHECK(yellow(&q, 100, 80), "no face in the cut, shape %d", shape);
		scree_free(p.rgb);
		scree_free(q.rgb);
		scree_world_free(w);
	}
}

/* The face of a ball in a cut is complete even where another ball overlaps it from behind. */
static void cuts_through_overlaps(void **state)
{
	(void)state;
	image_plan plan = ball_plan();
	plan.has_cut = true;
	plan.cut_point = v3(0, -0.3, 0);
	plan.cut_normal = v3(0, -1, 0);
	picture p[2];
	for (int k = 0; k < 2; ++k) {
		scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
		lab_add_moving(w, 0, 2, v3(0, 0, 0), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
		if (k) lab_add_moving(w, 0, 2, v3(0, 1.9, 0), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
		p[k] = draw(w, &plan);
		scree_world_free(w);
	}
	for (int32_t x = 90; x <= 110; ++x)
		for (int channel = 0; channel < 3; ++channel) {
			const size_t at = 3 * (size_t)(80 * p[0].width + x) + (size_t)channel;
			CHECK(abs(p[0].rgb[at] - p[1].rgb[at]) <= 4, "at %d: %d and %d", x, p[0].rgb[at], p[1].rgb[at]);
		}
	scree_free(p[0].rgb), scree_free(p[1].rgb);
}

/* Colours of a row of pixels, without shading: 1 for the colour of the first ball, 2 for the colour of the second, 0
 * for any other colour. */
static int which_ball(const picture *p, int32_t x, int32_t y)
{
	const unsigned char *c = p->rgb + 3 * (y * p->width + x);
	return c[0] > c[2] + 40 && c[1] > c[2] + 30 ? 2 : c[2] > c[0] + 10 ? 1 : 0;
}

/* Where balls overlap in a cut, each ball shows its own half, and the halves meet in a straight line. A ball is not
 * visible where the ray crosses its surface inside another ball. */
static void no_spots_in_cuts(void **state)
{
	(void)state;
	image_plan plan = ball_plan();
	plan.has_cut = true;
	plan.cut_normal = v3(0, -1, 0);
	plan.parallel = true;
	plan.fov = 2 * atan(0.2); /* 40 px/m */
	scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
	lab_add_moving(w, 0, 2, v3(-0.8, 0, 0), quat_one(), v3(0, 0, 0), v3(0, 0, 0));
	lab_add_moving(w, 0, 2, v3(0.8, 0.25, 0), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
	lab_add_moving(w, 0, 0.4, v3(-0.9, 0.5, 0), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
	lab_add_moving(w, 0, 0.2, v3(-0.9, 0.3, 0.3), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
	picture p = draw(w, &plan);
	/* x^2 - 1 about each centre, with the second centre 0.25 behind the cut: equal at x = -0.0195 + .. m */
	const int32_t line = 100 + (int32_t)(40 * (0.25 * 0.25) / (2 * 1.6));
	for (int32_t y = 72; y <= 88; ++y) {
		for (int32_t x = 40; x < line - 1; ++x) CHECK(which_ball(&p, x, y) == 1, "spot at %d, %d", x, y);
		for (int32_t x = line + 2; x < 155; ++x) CHECK(which_ball(&p, x, y) == 2, "spot at %d, %d", x, y);
	}
	scree_free(p.rgb);
	scree_world_free(w);
}

/* The cross section of a cube shows no lines, such as the edges of its far side. */
static void no_lines_in_cuts(void **state)
{
	(void)state;
	image_plan plan = ball_plan();
	plan.has_cut = true;
	plan.cut_normal = v3(0, -1, 0);
	scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
	lab_add_moving(w, 1, 2, v3(0, 0, 0), quat_unit((quat){0.8, 0.3, 0.2, 0.5}), v3(1, 0, 0), v3(0, 0, 0));
	picture p = draw(w, &plan);
	const unsigned char *middle = p.rgb + 3 * (80 * p.width + 100);
	for (int32_t y = 65; y <= 95; ++y)
		for (int32_t x = 85; x <= 115; ++x)
			for (int channel = 0; channel < 3; ++channel)
				CHECK(abs(p.rgb[3 * (y * p.width + x) + channel] - middle[channel]) < 12, "a line at %d, %d", x, y);
	scree_free(p.rgb);
	scree_world_free(w);
}

/* A ball in a closed drum, and a ball behind a one-sided facet: walls between the camera and the bodies hide them only
 * if the walls are solid. */
static void walls_do_not_hide(void **state)
{
	(void)state;
	for (int faceted = 0; faceted < 2; ++faceted) {
		scree_world *w = ball_world(1);
		fail why = {0};
		if (faceted) {
			const vec3 corner[4] = {{-2, -2, -2}, {-2, -2, 2}, {2, -2, 2}, {2, -2, -2}};
			CHECK(scree_walls_add_polygon(&w->model.wall, scree_wall_default("front", 0), 4, corner, &why) >= 0, "%s",
				  why.text);
			CHECK(w->model.wall.facet[0].normal.y > 0, "the facet acts away from the ball");
		} else {
			CHECK(scree_walls_add_cylinder(&w->model.wall, scree_wall_default("shell", 0), v3(0, -2, 0), v3(0, 1, 0),
										   1.5, 4, SIDE_INSIDE, &why) >= 0,
				  "%s", why.text);
			lab_plane(w, v3(0, -2, 0), v3(0, 1, 0));
			lab_plane(w, v3(0, 2, 0), v3(0, -1, 0));
		}
		lab_rows(w);
		image_plan plan = ball_plan();
		for (int look = LOOK_CUT; look <= LOOK_HIDDEN; ++look) {
			plan.walls = (wall_look)look;
			picture p = draw(w, &plan);
			CHECK(yellow(&p, 100, 80) == (look != LOOK_SOLID), "look %d, faceted %d", look, faceted);
			scree_free(p.rgb);
		}
		scree_world_free(w);
	}
}

static real brightness(const picture *p, int32_t x, int32_t y)
{
	const unsigned char *c = p->rgb + 3 * (y * p->width + x);
	return (c[0] + c[1] + c[2]) / 765.0;
}

/* A ball on a plane: the ground is darker at the contact than far away, and the shadow is smooth: neighbouring pixels
 * of the lit ground differ little. */
/* A wall in front of the background: a two-sided wall is darker, pictures assign colours to walls, and the walls of a
 * box have the colour of the box. */
static void colours_of_walls(void **state)
{
	(void)state;
	static const struct {
		bool both;
		const char *given;
	} row[] = {{false, ""}, {true, ""}, {true, "screen"}, {false, "other"}, {false, "scr"}, {false, "screen.x_min"}};
	const vec3 corner[4] = {{-3, 1.5, -3}, {-3, 1.5, 3}, {3, 1.5, 3}, {3, 1.5, -3}};
	int seen[6][3];
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
		fail why = {0};
		scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
		lab_add(w, 0, 0.1, v3(0, 0, 2.5));
		wall o = scree_wall_default(k == 5 ? "screen.x_min" : "screen", 0);
		o.two_sided = row[k].both;
		CHECK(scree_walls_add_polygon(&w->model.wall, o, 4, corner, &why) >= 0, "%s", why.text);
		lab_rows(w);
		image_plan plan = ball_plan();
		plan.walls = LOOK_SOLID;
		plan.colours = 1;
		plan.colour[0] = (plan_colour_of){.srgb = {0.8, 0.1, 0.1}};
		snprintf(plan.colour[0].name, sizeof plan.colour[0].name, "%s", k == 5 ? "screen" : row[k].given);
		picture p = draw(w, &plan);
		for (int c = 0; c < 3; ++c) seen[k][c] = p.rgb[3 * (100 * p.width + 100) + c];
		scree_free(p.rgb);
		scree_world_free(w);
	}
	CHECK(seen[1][0] < seen[0][0] - 40, "both sides: %d, one side: %d", seen[1][0], seen[0][0]);
	for (int k = 0; k < 6; ++k)
		CHECK((seen[k][0] > seen[k][2] + 60) == (k == 2 || k == 5), "row %d: %d, %d, %d", k, seen[k][0], seen[k][1],
			  seen[k][2]);
}

static void shadow_on_the_ground(void **state)
{
	(void)state;
	scree_world *w = ball_world(1);
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, -1), v3(0, 0, 1));
	image_plan plan = ball_plan();
	plan.eye = v3(0, -10, 6);
	plan.samples = 16;
	picture p = draw(w, &plan);
	int32_t low = 80;
	while (low < p.height - 1 && yellow(&p, 100, low)) ++low;
	real touch = brightness(&p, 108, low + 2), away = brightness(&p, 20, low + 2);
	CHECK(touch < 0.8 * away, "%g under the ball, %g away from it", touch, away);
	for (int32_t x = 10; x < 30; ++x)
		NEAR(brightness(&p, x, low + 2), brightness(&p, x + 1, low + 2), 0.03, "lit ground");
	scree_free(p.rgb);
	scree_world_free(w);
}

/* the automatic camera shows every body, with a margin to the edge of the picture */
static void all_within_the_frame(void **state)
{
	(void)state;
	FOR_SEEDS(20)
	{
		scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
		w->model.gravity = v3(0, 0, -9.81);
		srand((unsigned)test_seed);
		for (int k = 0; k < 8; ++k) lab_add(w, 0, 0.1 + rand() % 10, v3(rand() % 100, rand() % 100, rand() % 100));
		image_plan plan = {.width = 400 + rand() % 400, .height = 300 + rand() % 300};
		extent e = {0};
		scree_render_extent(&e, w, true, false);
		picture_frame f = scree_render_frame(&e);
		camera c = scree_render_camera(&e, &plan, v3(0, 0, 1), &f);
		for (int32_t i = 0; i < w->state.body.count; ++i) {
			vec3 p = v3_sub(to_picture(&f, body_position(&w->state.body, i)), c.eye);
			real r = w->state.body.radius[i] * f.scale, z = v3_dot(p, c.dir);
			real x = real_abs(v3_dot(p, c.right)), y = real_abs(v3_dot(p, c.up));
			CHECK(z > r, "body %d lies behind the camera", i);
			/* the ball is on the inner side of the planes through the eye and the sides of the picture */
			CHECK((z * c.half_width - x) / hypot(1, c.half_width) > r, "body %d leaves the picture to a side", i);
			CHECK((z * c.half_height - y) / hypot(1, c.half_height) > r, "body %d leaves the picture above or below",
				  i);
		}
		scree_render_extent_free(&e);
		scree_world_free(w);
	}
}

static void empty_world(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
	image_plan plan = {.on = true, .width = 64, .height = 48};
	picture p = draw(w, &plan);
	CHECK(p.width == 64, "%d", p.width);
	scree_free(p.rgb);
	scree_world_free(w);
}

/* rows 0, 63, 127, 191 and 255 of the colour table of the map (CC0); tools/fit_colours prints the error of the
 * polynomial */
static void map_is_that_of_the_table(void **state)
{
	(void)state;
	static const struct {
		int row;
		vec3 srgb;
	} table[] = {{0, {0.267004, 0.004874, 0.329415}},
				 {63, {0.231674, 0.318106, 0.544834}},
				 {127, {0.128729, 0.563265, 0.551229}},
				 {191, {0.360741, 0.785964, 0.387814}},
				 {255, {0.993248, 0.906157, 0.143936}}};
	for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
		vec3 ours = scree_encode(scree_colour_map(MAP_VIRIDIS, table[k].row / 255.0)),
			 off = v3_sub(ours, table[k].srgb);
		CHECK(real_max(real_max(real_abs(off.x), real_abs(off.y)), real_abs(off.z)) < 2.4 / 255, "row %d: %g %g %g",
			  table[k].row, ours.x, ours.y, ours.z);
	}
}

static void refused(const scree_world *w, image_plan plan, const char *path, fail_code code, const char *word)
{
	fail why = {0};
	CHECK(!scree_render_picture(w, &plan, NULL, path, &why), "was drawn: %s", word);
	CHECK(why.code == code, "%s: code %d", word, (int)why.code);
	CHECK(strstr(why.text, word) != NULL, "\"%s\" does not say \"%s\"", why.text, word);
}

static void says_what_is_wrong(void **state)
{
	(void)state;
	scree_world *w = ball_world(1);
	image_plan plan = ball_plan(), p = plan;
	refused(w, plan, "/nowhere/at/all/one.png", FAIL_IO, "/nowhere/at/all/one.png");
	snprintf(p.color, sizeof p.color, "smell");
	refused(w, p, path_of("two.png"), FAIL_INPUT, "smell");
	p = plan;
	p.width = 3;
	refused(w, p, path_of("two.png"), FAIL_INPUT, "3 x 160");
	p = plan;
	p.target = p.eye;
	refused(w, p, path_of("two.png"), FAIL_INPUT, "has no direction");
	p = plan;
	p.range[0] = 2;
	refused(w, p, path_of("two.png"), FAIL_INPUT, "2 to 1");
	CHECK(access(path_of("two.png"), F_OK) != 0, "a refused picture left a file");
	scree_world_free(w);
}

/* The part with the legend is the same in both pictures. */
static bool same_legends(const picture *p, const picture *q)
{
	bool same = true;
	for (int32_t y = 0; y < p->height; ++y) {
		const size_t from = 3u * (size_t)(y * p->width + p->width * 8 / 10), length = 3u * (size_t)(p->width / 5);
		same = same && memcmp(p->rgb + from, q->rgb + from, length) == 0;
	}
	return same;
}

/* All pictures of a run have the same colour range, even if bodies become faster. Without the ranges of a run, each
 * picture has its own range. */
static void one_range_per_run(void **state)
{
	(void)state;
	scree_world *w = some_world();
	picture_scales scales = {0};
	image_plan plan = ball_plan();
	plan.has_range = false;
	plan.walls = LOOK_HIDDEN;
	scree_render_scales(w, &scales);
	for (int run = 0; run < 2; ++run) {
		if (run) plan.scales = scales;
		picture slow = draw(w, &plan);
		for (int32_t i = 0; i < w->state.body.count; ++i) w->state.body.vx[i] *= 1.7;
		picture fast = draw(w, &plan);
		for (int32_t i = 0; i < w->state.body.count; ++i) w->state.body.vx[i] /= 1.7;
		CHECK(same_legends(&slow, &fast) == (run == 1), "legends, run %d", run);
		scree_free(slow.rgb), scree_free(fast.rgb);
	}
	scree_world_free(w);
}

static real high_of(const scree_world *w, picture_scale which)
{
	picture_scales scales = {0};
	scree_render_scales(w, &scales);
	for (int k = 0; k < SCALES; ++k) {
		const real *range = scales.range[k];
		CHECK(scales.on && isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1], "quantity %d", k);
	}
	return scales.range[which][1];
}

static void check_high(const scree_world *w, picture_scale which, real right)
{
	const real high = high_of(w, which);
	CHECK(real_abs(high - right) < 1e-9 * right, "quantity %d ends at %g, not at %g", (int)which, high, right);
}

/* Colour scales are derived from the scene: a fall, a fast body, a moving wall, or a source; the ends of the scales
 * are rounded up to round values. */
static void scales_of_scenes(void **state)
{
	(void)state;
	scree_world *w = ball_world(0);
	check_high(w, SCALE_SPEED, 1); /* nothing moves */
	scree_world_free(w);
	w = ball_world(2.2);
	check_high(w, SCALE_SPEED, 2.5);
	check_high(w, SCALE_SPIN, 1.2); /* 2.2/2 */
	check_high(w, SCALE_COORDINATION, 12);
	check_high(w, SCALE_HEIGHT, 1);
	check_high(w, SCALE_SIZE, 2.2); /* if there is only one size, the scale extends 10 % to either side of it */
	lab_plane(w, v3(0, 0, -4), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -9.81);
	check_high(w, SCALE_SPEED, 8); /* sqrt(9.81 x 5) = 7.004 */
	w->state.body.vx[0] = 21;
	check_high(w, SCALE_SPEED, 25);
	w->state.body.vx[0] = 0;
	w->model.wall.row[0].motion = (wall_motion){.type = MOTION_SURFACE, .velocity = {40, 0, 0}, .until = INFINITY};
	check_high(w, SCALE_SPEED, 40);
	scree_world_free(w);
	w = ball_world(0);
	lab_periods(w, "xyz", v3(-5, -5, -5), v3(10, 10, 10));
	w->model.period.deforms = true;
	w->model.cell.rate = v3(0, -0.36, 0);
	check_high(w, SCALE_SPEED, 2); /* 0.36 x 5 = 1.8 */
	w->model.cell.servo[2] = true;
	w->model.cell.stress = v3(0, 0, 4900);
	check_high(w, SCALE_PRESSURE, 10000);
	check_high(w, SCALE_SPEED, 2);
	scree_world_free(w);
	w = lab_world(lab_linear(1000, 0.5, 0.3));
	high_of(w, SCALE_SPEED); /* no bodies */
	scree_world_free(w);
}

/* Values outside the range are marked at the corresponding end of the scale, and only there. */
static void tips_of_the_scale(void **state)
{
	(void)state;
	static const struct {
		real speed, low, high;
		bool under, over;
	} row[] = {{2, 0, 1, false, true}, {2, 3, 4, true, false}, {2, 1, 3, false, false}, {2, 0, 2, false, false}};
	for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
		scree_world *w = ball_world(row[k].speed);
		fail why = {0};
		legend bar = {0};
		vec3 colour;
		image_plan plan = ball_plan();
		plan.has_range = false;
		plan.scales.on = true;
		plan.scales.range[SCALE_SPEED][0] = row[k].low;
		plan.scales.range[SCALE_SPEED][1] = row[k].high;
		CHECK(scree_colours(w, &plan, v3(0, 0, 1), &colour, &bar, &why), "%s", why.text);
		CHECK(bar.under == row[k].under && bar.over == row[k].over, "row %zu: under %d, over %d", k, bar.under,
			  bar.over);
		scree_world_free(w);
	}
}

int main(void)
{
	if (!mkdtemp(folder)) return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_bytes_for_any_threads),
		cmocka_unit_test(default_size),
		cmocka_unit_test(ball_where_expected),
		cmocka_unit_test(range_is_honoured),
		cmocka_unit_test(cut_takes_away),
		cmocka_unit_test(cuts_through_overlaps),
		cmocka_unit_test(no_spots_in_cuts),
		cmocka_unit_test(no_lines_in_cuts),
		cmocka_unit_test(walls_do_not_hide),
		cmocka_unit_test(colours_of_walls),
		cmocka_unit_test(shadow_on_the_ground),
		cmocka_unit_test(all_within_the_frame),
		cmocka_unit_test(empty_world),
		cmocka_unit_test(map_is_that_of_the_table),
		cmocka_unit_test(one_range_per_run),
		cmocka_unit_test(scales_of_scenes),
		cmocka_unit_test(tips_of_the_scale),
		cmocka_unit_test(says_what_is_wrong),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
