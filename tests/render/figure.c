/* figure: options for figures in papers: formats, backgrounds, titles, a parallel camera, colours by name and by
 * contacts, and lines and arrows on top of the bodies. */
#include "lab.h"
#include "picture_help.h"

#include "format/file.h"
#include "kernel/quat.h"
#include "render/page.h"
#include "render/picture.h"

#include <stdlib.h>
#include <unistd.h>

static image_plan plan_of(int32_t width, int32_t height)
{
	image_plan p = {.on = true, .width = width, .height = height, .samples = 4, .has_camera = true, .fov = 0.5};
	p.eye = v3(0, -10, 0);
	p.up = v3(0, 0, 1);
	p.ground = GROUND_WHITE;
	p.no_title = p.no_legend = true;
	p.has_range = true;
	p.range[1] = 1;
	p.map = MAP_VIRIDIS;
	return p;
}

static scree_world *balls(int count, real apart)
{
	scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
	for (int k = 0; k < count; ++k)
		lab_add_moving(w, 0, 2, v3(apart * (k - 0.5 * (count - 1)), 0, 0), quat_one(), v3(1, 0, 0), v3(0, 0, 0));
	return w;
}

static bool is_white(const picture *p, int32_t x, int32_t y)
{
	const unsigned char *c = p->rgb + 3 * (y * p->width + x);
	return c[0] == 255 && c[1] == 255 && c[2] == 255;
}

static int inked(const picture *p, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
	int sum = 0;
	for (int32_t y = y0; y < y1; ++y)
		for (int32_t x = x0; x < x1; ++x) sum += is_white(p, x, y) ? 0 : 1;
	return sum;
}

static picture draw_titled(const scree_world *w, const image_plan *plan, const char *title)
{
	fail why = {0};
	CHECK(scree_render_picture(w, plan, title, path_of("title.png"), &why), "%s", why.text);
	picture p = read_picture(path_of("title.png"));
	remove(path_of("title.png"));
	return p;
}

/* Text is drawn where requested, and nowhere else; letters in other scripts do not become question marks. */
static void titles_and_legends(void **state)
{
	(void)state;
	scree_world *w = balls(1, 0);
	image_plan plan = plan_of(400, 300);
	picture none = draw_titled(w, &plan, "Tagliacozzo");
	assert_int_equal(inked(&none, 0, 0, 400, 60), 0);
	assert_int_equal(inked(&none, 330, 0, 400, 300), 0);
	plan.no_title = false;
	picture latin = draw_titled(w, &plan, "A"), greek = draw_titled(w, &plan, "Ω"), other = draw_titled(w, &plan, "?"),
			broken = draw_titled(w, &plan, "\xCE"), none_such = draw_titled(w, &plan, "\xEF\xBF\xBE"),
			nor_this = draw_titled(w, &plan, "\xF0\x9F\xBF\xBF\xEF\xB7\x90"); /* U+FFFE; U+1FFFF, U+FDD0 */
	CHECK(inked(&latin, 0, 0, 200, 40) > 20, "no title");
	assert_int_equal(inked(&latin, 330, 0, 400, 300), 0);
	CHECK(memcmp(greek.rgb, other.rgb, 3 * 400 * 300) != 0, "a letter is drawn as a question mark");
	CHECK(memcmp(broken.rgb, other.rgb, 3 * 400 * 300) == 0, "a byte that is no UTF-8 is no question mark");
	CHECK(inked(&none_such, 0, 0, 200, 40) > 20 && inked(&nor_this, 0, 0, 200, 40) > 20,
		  "noncharacters stop a picture");
	scree_free(none_such.rgb), scree_free(nor_this.rgb);
	plan.no_legend = false;
	picture legend = draw_titled(w, &plan, "A");
	CHECK(inked(&legend, 330, 0, 400, 300) > 500, "no legend");
	scree_free(none.rgb), scree_free(latin.rgb), scree_free(greek.rgb), scree_free(other.rgb), scree_free(broken.rgb);
	scree_free(legend.rgb);
	scree_world_free(w);
}

/* The last line of a legend, which stands in for the names that do not fit, is not cut off. */
static void legends_fit(void **state)
{
	(void)state;
	enum { WIDTH = 400, HEIGHT = 300 };
	image_plan plan = plan_of(WIDTH, HEIGHT);
	plan.no_legend = false;
	const legend bar = {.name = "shape", .categories = true, .names = 1, .unnamed = 12345678, .label = {"a"}};
	const vec3 white = v3(1, 1, 1);
	page p = {0};
	fail why = {0};
	CHECK(scree_page_open(&p, PAGE_PNG, WIDTH, HEIGHT, &why), "%s", why.text);
	p.paper = white;
	scree_page_box(&p, 0, 0, WIDTH, HEIGHT, white);
	scree_overlay(&p, &plan, NULL, &bar, "", 0, v3(0, 0, 0));
	CHECK(scree_page_write(&p, path_of("legend.png"), &why), "%s", why.text);
	scree_page_free(&p);
	picture drawn = read_picture(path_of("legend.png"));
	remove(path_of("legend.png"));
	CHECK(inked(&drawn, 200, 0, WIDTH, HEIGHT) > 100, "no legend");
	assert_int_equal(inked(&drawn, WIDTH - 5, 0, WIDTH, HEIGHT), 0);
	scree_free(drawn.rgb);
}

/* Titles show different times in short runs. */
static void short_times(void **state)
{
	(void)state;
	scree_world *w = balls(1, 0);
	image_plan plan = plan_of(400, 300);
	plan.no_title = false;
	const real pairs[][3] = {{1e-4, 2e-4, 0}, {0.1, 0.10025, 2.5e-4}};
	for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
		plan.every = pairs[k][2];
		w->state.time = pairs[k][0];
		picture first = draw_titled(w, &plan, NULL);
		w->state.time = pairs[k][1];
		picture second = draw_titled(w, &plan, NULL);
		CHECK(memcmp(first.rgb, second.rgb, 3 * 400 * 300) != 0, "%g s and %g s look alike", pairs[k][0], pairs[k][1]);
		scree_free(first.rgb), scree_free(second.rgb);
	}
	scree_world_free(w);
}

static char *file_of(const scree_world *w, const image_plan *plan, const char *name, size_t *length)
{
	fail why = {0};
	void *bytes;
	CHECK(scree_render_picture(w, plan, "A figure", path_of(name), &why), "%s", why.text);
	assert_true(scree_file_read(path_of(name), 1 << 28, &bytes, length, &why));
	remove(path_of(name));
	char *text = scree_alloc(*length + 1, 1);
	memcpy(text, bytes, *length);
	scree_free(bytes);
	return text;
}

/* SVG and PDF files contain the lines that represent forces as paths, and are reproducible. */
static void svg_and_pdf(void **state)
{
	(void)state;
	scree_world *w = balls(2, 1.9);
	lab_prepare(w, 1e-5);
	lab_steps(w, 1);
	image_plan plan = plan_of(120, 90);
	size_t plain, ruled, first, second;
	char *without = file_of(w, &plan, "a.svg", &plain);
	plan.forces = true;
	char *with = file_of(w, &plan, "a.svg", &ruled);
	CHECK(strncmp(with, "<?xml", 5) == 0 && strstr(with, "<svg") && strstr(with, "<image"), "no SVG");
	CHECK(ruled > plain + 50 && strstr(with, "rgb(78%,8%,10%)") && !strstr(without, "rgb(78%,8%,10%)"),
		  "no line of a force: %d and %d bytes", (int)plain, (int)ruled);
	char *a = file_of(w, &plan, "a.pdf", &first), *b = file_of(w, &plan, "b.pdf", &second);
	CHECK(strncmp(a, "%PDF-", 5) == 0, "no PDF");
	CHECK(first == second && memcmp(a, b, first) == 0, "another PDF of the same picture");
	char *again = file_of(w, &plan, "b.svg", &second); /* Cairo numbers images consecutively within the process */
	CHECK(ruled == second && memcmp(with, again, second) == 0, "another SVG of the same picture");
	CHECK(strstr(with, "id=\"image0\"") && strstr(with, "#image0\""), "the image has no number or no use");
	scree_free(without), scree_free(with), scree_free(a), scree_free(b), scree_free(again);
	scree_world_free(w);
}

static void transparent_ground(void **state)
{
	(void)state;
	scree_world *w = balls(1, 0);
	image_plan plan = plan_of(120, 90);
	plan.ground = GROUND_TRANSPARENT;
	fail why = {0};
	CHECK(scree_render_picture(w, &plan, NULL, path_of("clear.png"), &why), "%s", why.text);
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_file(&image, path_of("clear.png")) != 0);
	assert_true(image.format & PNG_FORMAT_FLAG_ALPHA);
	image.format = PNG_FORMAT_RGBA;
	unsigned char *rgba = scree_alloc(PNG_IMAGE_SIZE(image), 1);
	assert_true(png_image_finish_read(&image, NULL, rgba, 0, NULL) != 0);
	assert_int_equal(rgba[3], 0);
	assert_int_equal(rgba[4 * (45 * 120 + 60) + 3], 255);
	CHECK(rgba[4 * (45 * 120 + 60)] > 100, "the ball lost its colour");
	remove(path_of("clear.png"));
	scree_free(rgba);
	scree_world_free(w);
}

/* With a parallel camera, two balls at different distances appear equally large, at the scale of the view. */
static void parallel_rays(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(1000, 0.5, 0.3));
	lab_add(w, 0, 2, v3(-1.3, 0, 0));
	lab_add(w, 0, 2, v3(1.3, 6, 0));
	image_plan plan = plan_of(320, 240);
	plan.parallel = true;
	plan.fov = 2 * atan(0.3); /* the view is 6 m high at the target, 10 m away */
	picture p = draw(w, &plan);
	const real px = 240 / 6.0;
	for (int k = 0; k < 2; ++k) {
		const int32_t middle = (int32_t)(160 + px * (k ? 1.3 : -1.3));
		int wide = 0, high = 0;
		for (int32_t x = middle - 50; x < middle + 50; ++x) wide += is_white(&p, x, 120) ? 0 : 1;
		for (int32_t y = 0; y < 240; ++y) high += is_white(&p, middle, y) ? 0 : 1;
		NEAR(wide, 2 * px, 1.5, "width");
		NEAR(high, 2 * px, 1.5, "height");
	}
	scree_free(p.rgb);
	scree_world_free(w);
}

static vec3 colour_of(const scree_world *w, const image_plan *plan, int32_t body)
{
	fail why = {0};
	legend bar = {0};
	vec3 *colour = scree_alloc((size_t)w->state.body.count, sizeof *colour);
	CHECK(scree_colours(w, plan, v3(0, 0, 1), colour, &bar, &why), "%s", why.text);
	const vec3 out = colour[body];
	scree_free(colour);
	return out;
}

static bool alike(vec3 a, vec3 b) { return v3_norm(v3_sub(a, b)) < 1e-6; }

/* A material has the colour specified for the picture, or otherwise the colour derived from its name. */
static void colours_by_name(void **state)
{
	(void)state;
	scree_world *w = balls(1, 0);
	image_plan plan = plan_of(100, 100);
	snprintf(plan.color, sizeof plan.color, "material");
	snprintf(w->model.material.row[0].name, 32, "green");
	CHECK(alike(colour_of(w, &plan, 0), scree_linear(v3(0.22, 0.60, 0.25))), "not green");
	plan.colours = 1;
	plan.colour[0] = (plan_colour_of){"green", {0.1, 0.2, 0.3}};
	CHECK(alike(colour_of(w, &plan, 0), scree_linear(v3(0.1, 0.2, 0.3))), "not the given colour");
	scree_world_free(w);
}

/* A ball between two others: it has two contacts, its pressure is 2 F r / (3 V), and its shear stress is as for a load
 * along one axis. */
static void colours_by_contacts(void **state)
{
	(void)state;
	scree_world *w = balls(3, 1.98);
	lab_prepare(w, 1e-5);
	lab_steps(w, 1);
	image_plan plan = plan_of(100, 100);
	const pair_list *l = w->state.pair;
	real force = 0, arm = 0;
	int contacts = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		for (contact_walk c = contact_first(l + kind); contact_more(l + kind, &c); ++c.row, ++contacts) {
			contact_look look = scree_contact_look(&w->model, &w->state, &w->work, kind, c.row);
			force = look.force.normal;
			arm = v3_norm(look.at);
		}
	assert_int_equal(contacts, 2);
	const real moment = 2 * force * arm, volume = SCREE_PI * 4 / 3;
	CHECK(force > 0, "no force");
	const real value[3] = {2, moment / (3 * volume), moment / volume / sqrt(3)};
	const char *const word[3] = {"coordination", "pressure", "shear_stress"};
	for (int k = 0; k < 3; ++k) {
		snprintf(plan.color, sizeof plan.color, "%s", word[k]);
		plan.range[1] = 2 * value[k];
		CHECK(v3_norm(v3_sub(colour_of(w, &plan, 1), scree_colour_map(MAP_VIRIDIS, 0.5))) < 1e-3, "%s", word[k]);
	}
	scree_world_free(w);
}

/* Three balls in a row with two bonds, and one ball without bonds. */
static void colours_by_bonds(void **state)
{
	(void)state;
	contact_rule rule = lab_linear(1000, 0.5, 0.3);
	rule.bond = (bond_rule){.young = 1e6, .tension = 1e5, .shear = 1e5, .ratio = 2.5, .factor = 1, .gap = 0.1};
	scree_world *w = lab_world(rule);
	for (int k = 0; k < 3; ++k) lab_add(w, 0, 2, v3(2.05 * k, 0, 0));
	lab_add(w, 0, 2, v3(10, 0, 0));
	lab_prepare(w, 1e-5);
	lab_steps(w, 1);
	image_plan plan = plan_of(100, 100);
	snprintf(plan.color, sizeof plan.color, "bonds");
	plan.range[1] = 2;
	const real part[4] = {0.5, 1, 0.5, 0};
	for (int k = 0; k < 4; ++k)
		CHECK(v3_norm(v3_sub(colour_of(w, &plan, k), scree_colour_map(MAP_VIRIDIS, part[k]))) < 1e-3, "ball %d", k);
	scree_world_free(w);
}

static bool is_red(const picture *p, int32_t x, int32_t y)
{
	const unsigned char *c = p->rgb + 3 * (y * p->width + x);
	return c[0] > 150 && c[1] < 80 && c[2] < 80;
}

/* Forces are lines from centre to centre, arrows point in the direction of the velocity, and pale bodies are drawn
 * pale. */
static void lines_in_space(void **state)
{
	(void)state;
	scree_world *w = balls(2, 1.9);
	lab_prepare(w, 1e-5);
	lab_steps(w, 1);
	image_plan plan = plan_of(200, 160);
	picture p = draw(w, &plan);
	CHECK(!is_red(&p, 100, 80), "a line that nobody asked for");
	scree_free(p.rgb);
	plan.forces = true;
	p = draw(w, &plan);
	CHECK(is_red(&p, 100, 80) && is_red(&p, 85, 80) && is_red(&p, 115, 80) && !is_red(&p, 100, 110), "no line");
	scree_free(p.rgb);
	plan.forces = false;
	plan.arrows = ARROWS_VELOCITY;
	picture q = draw(w, &plan);
	plan.arrows = ARROWS_NONE;
	p = draw(w, &plan);
	int along = 0, across = 0;
	for (int k = 4; k < 40; ++k) {
		along += memcmp(p.rgb + 3 * (80 * 200 + 115 + k), q.rgb + 3 * (80 * 200 + 115 + k), 3) != 0;
		across += memcmp(p.rgb + 3 * ((80 + k) * 200 + 115), q.rgb + 3 * ((80 + k) * 200 + 115), 3) != 0;
	}
	CHECK(along > 20 && across < 6, "%d pixels along the velocity, %d across", along, across);
	scree_free(q.rgb);
	plan.bodies = BODIES_PALE;
	q = draw(w, &plan);
	const unsigned char *full = p.rgb + 3 * (80 * 200 + 80), *pale = q.rgb + 3 * (80 * 200 + 80);
	CHECK(pale[2] > full[2] + 40, "not pale");
	scree_free(q.rgb);
	plan.bodies = BODIES_HIDDEN;
	q = draw(w, &plan);
	assert_int_equal(inked(&q, 0, 0, 200, 160), 0);
	scree_free(p.rgb), scree_free(q.rgb);
	scree_world_free(w);
}

/* Bodies that are not coloured by the quantity are drawn in one colour, without a colour scale. The scale of forces is
 * still drawn. */
static void no_scale_of_pale_bodies(void **state)
{
	(void)state;
	scree_world *w = balls(2, 1.9);
	w->state.body.vx[1] = 0;
	lab_prepare(w, 1e-5);
	lab_steps(w, 1);
	for (int names = 0; names < 2; ++names)
		for (int look = BODIES_SOLID; look <= BODIES_HIDDEN; ++look) {
			image_plan plan = plan_of(400, 300);
			if (names) snprintf(plan.color, sizeof plan.color, "material");
			plan.no_legend = false;
			plan.bodies = (body_look)look;
			picture p = draw(w, &plan);
			CHECK((inked(&p, 320, 30, 400, 270) > 0) == (look == BODIES_SOLID), "scale of look %d", look);
			const unsigned char *one = p.rgb + 3 * (150 * 400 + 165), *two = p.rgb + 3 * (150 * 400 + 277);
			const int apart = abs(one[0] - two[0]) + abs(one[2] - two[2]);
			if (!names && look == BODIES_SOLID) CHECK(apart > 100, "one colour");
			if (look == BODIES_PALE) CHECK(apart < 40, "two colours");
			scree_free(p.rgb);
			plan.forces = true;
			p = draw(w, &plan);
			CHECK(inked(&p, 320, 220, 400, 270) > 0, "no scale of forces, look %d", look);
			scree_free(p.rgb);
		}
	scree_world_free(w);
}

/* The edges of a periodic cell are drawn wherever no body hides them. */
static void cell_in_space(void **state)
{
	(void)state;
	scree_world *w = balls(1, 0);
	lab_periods(w, "xyz", v3(-1.4, -1.4, -1.4), v3(2.8, 2.8, 2.8));
	image_plan plan = plan_of(200, 160);
	plan.parallel = true;
	plan.fov = 2 * atan(0.2); /* 40 px/m */
	picture p = draw(w, &plan);
	for (int k = -50; k <= 50; k += 10) {
		CHECK(inked(&p, 100 + k, 20, 101 + k, 29) > 0, "no upper edge");
		CHECK(inked(&p, 151, 80 + k, 161, 81 + k) > 0, "no right edge");
	}
	assert_int_equal(inked(&p, 162, 0, 200, 160), 0);
	scree_free(p.rgb);
	scree_world_free(w);
}

/* A ball presses on glass from behind: no spot is visible where it protrudes through the glass. */
static void no_spot_on_glass(void **state)
{
	(void)state;
	scree_world *w = balls(1, 0);
	const vec3 corner[4] = {{-2, -0.97, -2}, {-2, -0.97, 2}, {2, -0.97, 2}, {2, -0.97, -2}};
	fail why = {0};
	CHECK(scree_walls_add_polygon(&w->model.wall, scree_wall_default("front", 0), 4, corner, &why) >= 0, "%s",
		  why.text);
	lab_rows(w);
	image_plan plan = plan_of(200, 160);
	plan.walls = LOOK_TRANSLUCENT;
	plan.samples = 16;
	picture p = draw(w, &plan);
	for (int32_t x = 82; x < 118; ++x) {
		const unsigned char *a = p.rgb + 3 * (80 * 200 + x);
		CHECK(abs(a[0] - a[3]) < 14, "a step from %d to %d at %d", a[0], a[3], x);
	}
	scree_free(p.rgb);
	scree_world_free(w);
}

/* A scale bar has its stated length: 1 m in a picture 3 m wide. */
static void bar_of_lengths(void **state)
{
	(void)state;
	scree_world *w = balls(1, 0);
	image_plan plan = plan_of(320, 240);
	plan.parallel = true;
	plan.fov = 2 * atan(0.225); /* the view is 4.5 m high and 6 m wide, and one fifth of the width is 1.2 m */
	plan.scale_bar = true;
	picture p = draw(w, &plan);
	int longest = 0;
	for (int32_t y = 200; y < 240; ++y) {
		const int wide = inked(&p, 160, y, 320, y + 1);
		longest = wide > longest ? wide : longest;
	}
	NEAR(longest, 240 / 4.5, 1.5, "length");
	scree_free(p.rgb);
	scree_world_free(w);
}

static real radius_of_extent(const scree_world *w, bool bodies_only)
{
	extent e = {0};
	scree_render_extent(&e, w, true, bodies_only);
	const real radius = 1 / scree_render_frame(&e).scale;
	scree_render_extent_free(&e);
	return radius;
}

static void add_gate(scree_world *w, vec3 at, vec3 velocity)
{
	fail why = {0};
	wall gate = scree_wall_default("gate", 0);
	gate.motion.type = MOTION_VELOCITY;
	gate.motion.velocity = velocity;
	const vec3 corner[4] = {v3_add(at, v3(-1, -1, 0)), v3_add(at, v3(1, -1, 0)), v3_add(at, v3(1, 1, 0)),
							v3_add(at, v3(-1, 1, 0))};
	CHECK(scree_walls_add_polygon(&w->model.wall, gate, 4, corner, &why) >= 0, "%s", why.text);
}

/* A gate near the bodies is in the picture; a gate that has moved away and distant planes are not. */
static void what_has_left_is_not_shown(void **state)
{
	(void)state;
	scree_world *w = balls(1, 0);
	const real alone = radius_of_extent(w, false);
	add_gate(w, v3(30, 0, 0), v3(1, 0, 0));
	lab_plane(w, v3(0, 0, -100), v3(0, 0, 1));
	lab_plane(w, v3(0, 0, 100), v3(0, 0, -1));
	lab_rows(w);
	NEAR(radius_of_extent(w, false), alone, 1e-12, "the radius of the scene");
	lab_plane(w, v3(0, -2, 0), v3(0, 1, 0));
	lab_plane(w, v3(0, 2, 0), v3(0, -1, 0));
	add_gate(w, v3(0, 0, -2), v3(1, 0, 0));
	lab_rows(w);
	CHECK(radius_of_extent(w, false) > 1.2 * alone, "near walls are left out");
	NEAR(radius_of_extent(w, true), alone, 1e-12, "the radius of the bodies");
	scree_world_free(w);
}

int main(void)
{
	if (!mkdtemp(folder)) return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(titles_and_legends),
		cmocka_unit_test(legends_fit),
		cmocka_unit_test(short_times),
		cmocka_unit_test(svg_and_pdf),
		cmocka_unit_test(transparent_ground),
		cmocka_unit_test(parallel_rays),
		cmocka_unit_test(colours_by_name),
		cmocka_unit_test(colours_by_contacts),
		cmocka_unit_test(colours_by_bonds),
		cmocka_unit_test(lines_in_space),
		cmocka_unit_test(no_scale_of_pale_bodies),
		cmocka_unit_test(cell_in_space),
		cmocka_unit_test(no_spot_on_glass),
		cmocka_unit_test(bar_of_lengths),
		cmocka_unit_test(what_has_left_is_not_shown),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
