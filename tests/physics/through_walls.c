/* Bodies shot at walls, from slow to many radii per step: bodies never get to the other side, unless a guard has
 * stopped the run and named the wall. Bodies that move around a border or pass by, however, do not stop a run. */
#include "base/maths.h"
#include "base/random.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/integrator.h"
#include "model/narrow.h"
#include "model/response.h"
#include "shape/shapes.h"
#include "test.h"

/* rows of shapes: lab_world provides a ball and a cube */
enum { BALL, CUBE, NEEDLE, PLATE, BODIES };

static const real SIZE = 0.01, WIDE = 0.5;

static vec3 shapes_edge(int k) { return k == NEEDLE ? v3(1, 0.1, 0.1) : v3(1, 1, 0.05); }

static scree_world *world_of(contact_rule rule)
{
	fail why = {0};
	scree_world *w = lab_world(rule);
	for (int k = NEEDLE; k < BODIES; ++k)
		CHECK(scree_shapes_add_box(&w->model.shape, k == NEEDLE ? "needle" : "plate", shapes_edge(k), &why) == k, "%s",
			  why.text);
	return w;
}

/* ------------------------------------------------------------------ forms of walls */

static wall named(bool two_sided)
{
	wall o = scree_wall_default("target", 0);
	o.two_sided = two_sided;
	return o;
}

/* a rough surface over a grid of squares, each divided into two triangles by the diagonal from low to high */
enum { CELLS = 12 };

static real corner_height(int x, int y) { return (real)((3 * x * x + 5 * y + x * y) % 7 - 3) * SIZE; }

static void add_hills(scree_world *w, bool two_sided)
{
	static vec3 vertex[(CELLS + 1) * (CELLS + 1)];
	static int32_t triangle[6 * CELLS * CELLS];
	fail why = {0};
	int32_t n = 0;
	for (int y = 0; y <= CELLS; ++y)
		for (int x = 0; x <= CELLS; ++x)
			vertex[y * (CELLS + 1) + x] =
				v3(2 * WIDE * (real)x / CELLS - WIDE, 2 * WIDE * (real)y / CELLS - WIDE, corner_height(x, y));
	for (int y = 0; y < CELLS; ++y)
		for (int x = 0; x < CELLS; ++x) {
			int32_t a = y * (CELLS + 1) + x, b = a + 1, c = a + CELLS + 2, d = a + CELLS + 1;
			int32_t both[6] = {a, b, c, a, c, d};
			for (int k = 0; k < 6; ++k) triangle[n++] = both[k];
		}
	int32_t row = scree_walls_add_mesh(&w->model.wall, named(two_sided), (CELLS + 1) * (CELLS + 1), vertex, n / 3,
									   triangle, &why);
	CHECK(row == 0, "%s", why.text);
}

/* height above the surface made by add_hills */
static real over_hills(vec3 p)
{
	real u = (p.x + WIDE) / (2 * WIDE) * CELLS, v = (p.y + WIDE) / (2 * WIDE) * CELLS;
	int x = (int)u, y = (int)v;
	real s = u - x, t = v - y, a = corner_height(x, y), c = corner_height(x + 1, y + 1);
	real between = s > t ? corner_height(x + 1, y) : corner_height(x, y + 1);
	real most = real_max(s, t), least = real_min(s, t);
	return p.z - (a + (most - least) * (between - a) + least * (c - a));
}

static void add_square(scree_world *w, real z, bool two_sided)
{
	fail why = {0};
	vec3 corner[4] = {{-WIDE, -WIDE, z}, {WIDE, -WIDE, z}, {WIDE, WIDE, z}, {-WIDE, WIDE, z}};
	CHECK(scree_walls_add_polygon(&w->model.wall, named(two_sided), 4, corner, &why) >= 0, "%s", why.text);
}

/* a slab of triangles with outward normals that is thinner than any body */
static void add_slab(scree_world *w)
{
	const real h = (real)0.02 * SIZE;
	vec3 p[8];
	for (int k = 0; k < 8; ++k) p[k] = v3(k & 1 ? WIDE : -WIDE, k & 2 ? WIDE : -WIDE, k & 4 ? h : -h);
	const int32_t t[36] = {4, 5, 7, 4, 7, 6, 0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4,
						   2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	fail why = {0};
	CHECK(scree_walls_add_mesh(&w->model.wall, named(false), 8, p, 12, t, &why) == 0, "%s", why.text);
}

static void add_tube(scree_world *w, real radius2, wall_side side, real length)
{
	fail why = {0};
	vec3 end = v3(-WIDE, 0, 0), axis = v3(1, 0, 0);
	real radius = 5 * SIZE;
	int32_t row =
		radius2 > 0 ? scree_walls_add_cone(&w->model.wall, named(false), end, axis, radius, radius2, length, side, &why)
					: scree_walls_add_cylinder(&w->model.wall, named(false), end, axis, radius, length, side, &why);
	CHECK(row == 0, "%s", why.text);
}

typedef enum form {
	PLANE,
	PLANE_TWO,
	SQUARE,
	SQUARE_TWO,
	TWO_SQUARES,
	SLAB,
	HILLS,
	HILLS_TWO,
	DRUM,
	TUBE,
	POST,
	ROD,
	CONE,
	SPIKE,
	FORMS
} form;

static const char *const form_name[FORMS] = {"plane",
											 "plane, two-sided",
											 "polygon",
											 "polygon, two-sided",
											 "two close polygons",
											 "thin slab of a mesh",
											 "mesh with edges",
											 "mesh with edges, two-sided",
											 "drum",
											 "finite tube",
											 "post",
											 "finite post",
											 "inside of a cone",
											 "outside of a cone"};

static void add_form(scree_world *w, form f)
{
	fail why = {0};
	switch (f) {
	case PLANE:
	case PLANE_TWO:
		CHECK(scree_walls_add_plane(&w->model.wall, named(f == PLANE_TWO), v3(0, 0, 0), v3(0, 0, 1), &why) == 0, "%s",
			  why.text);
		return;
	case SQUARE:
	case SQUARE_TWO:
		add_square(w, 0, f == SQUARE_TWO);
		return;
	case TWO_SQUARES:
		add_square(w, (real)0.01 * SIZE, true);
		add_square(w, (real)-0.01 * SIZE, true);
		return;
	case SLAB:
		add_slab(w);
		return;
	case HILLS:
	case HILLS_TWO:
		add_hills(w, f == HILLS_TWO);
		return;
	case DRUM:
	case POST:
		add_tube(w, 0, f == DRUM ? SIDE_INSIDE : SIDE_OUTSIDE, INFINITY);
		return;
	case TUBE:
	case ROD:
		add_tube(w, 0, f == TUBE ? SIDE_INSIDE : SIDE_OUTSIDE, 2 * WIDE);
		return;
	case CONE:
	case SPIKE:
		add_tube(w, 9 * SIZE, f == CONE ? SIDE_INSIDE : SIDE_OUTSIDE, 2 * WIDE);
		return;
	case FORMS:
		break;
	}
}

/* signed distance in the wall's frame: > 0 on one side, < 0 on the other */
static real side_of(form f, vec3 p)
{
	if (f < HILLS) return p.z;
	if (f < DRUM) return over_hills(p);
	real rho = v3_norm(v3(0, p.y, p.z)), wider = f >= CONE ? (p.x + WIDE) / (2 * WIDE) * 4 * SIZE : 0;
	return 5 * SIZE + wider - rho;
}

/* Returns 1 or -1 if bodies can be on only one side because the other side is solid, and otherwise 0. */
static int one_side_of(form f) { return f == PLANE || f == DRUM ? 1 : f == POST ? -1 : 0; }

/* Returns whether the wall pushes back all bodies behind it, whatever their distance. */
static bool pushes_back(form f) { return f == PLANE || f == DRUM; }

/* ------------------------------------------------------------------ shots */

typedef struct score {
	int64_t shots, stopped, bounced, passed_by;
} score;

/* A position on the given side, within a few body sizes of the wall. */
static vec3 random_place(random_stream *r, form f, real radius, int side)
{
	for (;;) {
		real x = scree_random_between(r, -4 * SIZE, 4 * SIZE), y = scree_random_between(r, -8 * SIZE, 8 * SIZE);
		vec3 p = v3(x, y, scree_random_between(r, -8 * SIZE, 8 * SIZE));
		real h = side_of(f, p);
		/* slopes are no steeper than about 45 degrees, so this height is far enough from the wall */
		if ((side > 0 ? h : -h) > 2 * radius) return p;
	}
}

static wall_motion random_motion(random_stream *r, real speed)
{
	wall_motion m = scree_wall_default("", 0).motion;
	int kind = (int)scree_random_between(r, 0, 4);
	if (kind == 1) m.type = MOTION_VELOCITY, m.velocity = v3_mul(speed, scree_random_direction(r));
	if (kind == 2)
		m.type = MOTION_ROTATION, m.axis = scree_random_direction(r), m.rate = speed / (10 * SIZE),
		m.point = v3(0, 0, 20 * SIZE);
	if (kind == 3)
		m.type = MOTION_VIBRATION, m.amplitude = v3_mul(SIZE / 2, scree_random_direction(r)),
		m.frequency = speed / (4 * SIZE);
	return m;
}

static vec3 in_wall(const scree_world *w) { return world_to_wall(w->state.wall, body_position(&w->state.body, 0)); }

static void shoot(random_stream *r, form f, bool moving, score *sum)
{
	scree_world *w = world_of(lab_linear(scree_random_between(r, 1e3, 1e5), 0.5, 0.3));
	int shape = (int)scree_random_between(r, 0, BODIES - (real)0.001);
	real radius = SIZE * w->model.shape.row[shape].radius;
	int side = one_side_of(f) ? one_side_of(f) : scree_random_between(r, 0, 1) < (real)0.5 ? 1 : -1;
	add_form(w, f);
	vec3 at = random_place(r, f, radius, side), aim = scree_random_direction(r);
	quat turn = scree_random_rotation(r);
	vec3 spin = v3_mul(scree_random_between(r, 0, 2e4), scree_random_direction(r));
	lab_add_moving(w, shape, SIZE, at, turn, v3(0, 0, 0), v3(0, 0, 0));
	w->model.guard.overlap = scree_random_between(r, 0, 1) < (real)0.5 ? 0 : (real)0.5;
	lab_prepare(w, 0);
	/* speed from a few hundredths of a radius to ten radii per step */
	real speed = scree_exp(scree_random_between(r, scree_log(0.03), scree_log(10))) * radius / w->model.dt;
	w->state.body.vx[0] = speed * aim.x, w->state.body.vy[0] = speed * aim.y, w->state.body.vz[0] = speed * aim.z;
	w->state.body.wx[0] = spin.x, w->state.body.wy[0] = spin.y, w->state.body.wz[0] = spin.z;
	/* determines the angular momentum; all bodies except balls and cubes then have a different spin */
	vec3 l = v3_mul(w->state.body.ix[0], spin);
	w->state.body.lx[0] = l.x, w->state.body.ly[0] = l.y, w->state.body.lz[0] = l.z;
	if (moving) w->model.wall.row[0].motion = random_motion(r, speed);
	bool touched = false, going = true;
	for (int k = 0; k < 1000 && going; ++k) {
		vec3 p = in_wall(w);
		if (v3_norm(p) > WIDE / 2) break; /* stops before the body comes near the borders */
		going = scree_step(w);
		touched |= w->work.touching > 0;
	}
	++sum->shots;
	if (!going) {
		++sum->stopped;
		CHECK(w->work.why.code == FAIL_GUARD && strstr(w->work.why.text, "body 1") &&
				  strstr(w->work.why.text, "wall target"),
			  "%s: stopped with '%s'", form_name[f], w->work.why.text);
	} else {
		real h = side_of(f, in_wall(w));
		sum->bounced += touched;
		sum->passed_by += !touched;
		if (v3_norm(in_wall(w)) < WIDE * (real)0.9)
			CHECK(side * h > 0 || (pushes_back(f) && w->work.touching),
				  "%s%s: a body of shape %d came through at %g radii a step, now at %g m, it %s", form_name[f],
				  moving ? ", moving" : "", shape, speed * w->model.dt / radius, side * h,
				  touched ? "touched" : "never touched");
	}
	scree_world_free(w);
}

static void nothing_gets_through(void **state)
{
	(void)state;
	int64_t bounced = 0, stopped = 0, shots = 0;
	for (int moving = 0; moving < 2; ++moving)
		for (form f = 0; f < FORMS; ++f) {
			score s = {0};
			FOR_SEEDS(60)
			{
				random_stream r = scree_random_start(test_seed, 2 * (uint64_t)f + (uint64_t)moving);
				shoot(&r, f, moving, &s);
			}
			print_message("%s%s: %d shots, %d stopped, %d bounced, %d passed by\n", form_name[f],
						  moving ? ", moving" : "", (int)s.shots, (int)s.stopped, (int)s.bounced, (int)s.passed_by);
			bounced += s.bounced;
			stopped += s.stopped;
			shots += s.shots;
		}
	CHECK(bounced > shots / 25 && stopped > shots / 25, "%d of %d shots were answered, %d stopped", (int)bounced,
		  (int)shots, (int)stopped);
}

/* ------------------------------------------------------------------ the same in other worlds */

/* A body at height `from` above a wall at z = 0 (in the plane y = 0) flies straight down; checks that it is still
 * above the wall, or that a guard has stopped the run. back: the wall pushes back all bodies behind it */
static void falls_on(scree_world *w, int32_t shape, real way, bool back, const char *what)
{
	vec3 up = w->model.flat ? v3(0, 1, 0) : v3(0, 0, 1);
	random_stream r = scree_random_start((uint64_t)(1000 * way), 5);
	quat turn = w->model.flat ? scree_random_turn(&r) : scree_random_rotation(&r);
	lab_add_moving(w, shape, SIZE, v3_mul(3 * SIZE, up), turn, v3_mul(-1, up), v3(0, 0, 0));
	lab_prepare(w, 0);
	real speed = way * w->state.body.radius[0] / w->model.dt;
	w->state.body.vx[0] = -speed * up.x, w->state.body.vy[0] = -speed * up.y, w->state.body.vz[0] = -speed * up.z;
	bool going = true, touched = false;
	for (int k = 0; k < 5000 && going && v3_norm(body_position(&w->state.body, 0)) < 0.4; ++k) {
		going = scree_step(w);
		touched |= w->work.touching > 0;
	}
	if (going)
		CHECK(touched && (v3_dot(up, body_position(&w->state.body, 0)) > 0 || (back && w->work.touching)),
			  "%s: through at %g radii a step", what, way);
	else
		CHECK(w->work.why.code == FAIL_GUARD && strstr(w->work.why.text, "body 1"), "%s: '%s'", what, w->work.why.text);
	scree_world_free(w);
}

static const real WAYS[] = {0.01, 0.1, 0.4, 0.9, 1.1, 2.5, 10};
enum { WAYS_COUNT = sizeof WAYS / sizeof *WAYS };

/* walls in the plane: the half plane below y = 0, or a drum or a post with its lowest or highest point there */
static void add_flat_wall(scree_world *w, int kind)
{
	fail why = {0};
	wall o = named(kind == 1);
	int32_t row = -1;
	if (kind < 2) {
		row = scree_walls_add_plane(&w->model.wall, o, v3(0, 0, 0), v3(0, 1, 0), &why);
	} else if (kind < 4) {
		bool drum = kind == 2;
		row = scree_walls_add_cylinder(&w->model.wall, o, v3(0, drum ? 10 * SIZE : -3 * SIZE, 0), v3(0, 0, 1),
									   drum ? 10 * SIZE : 3 * SIZE, INFINITY, drum ? SIDE_INSIDE : SIDE_OUTSIDE, &why);
	} else {
		const vec3 corner[4] = {{-0.3, -0.001, 0}, {0.3, -0.001, 0}, {0.3, 0, 0}, {-0.3, 0, 0}};
		int32_t shape = scree_shapes_add_polygon(&w->model.shape, "bar", 4, corner, &why);
		row = scree_walls_add_flat_polygon(&w->model.wall, o, shape, &why);
	}
	CHECK(row == 0, "%s", why.text);
}

static scree_world *flat_world(bool area)
{
	fail why = {0};
	const vec3 corner[6] = {{-0.5, -0.1, 0}, {0, -0.2, 0}, {0.5, -0.1, 0}, {0.5, 0.1, 0}, {0, 0.2, 0}, {-0.5, 0.1, 0}};
	contact_rule rule =
		area ? (contact_rule){.law = LAW_AREA, .restitution = 0.5, .friction = 0.3} : lab_linear(1e4, 0.5, 0.3);
	scree_world *w = lab_world(rule);
	w->model.flat = true;
	w->model.thickness = 1;
	w->model.narrow = scree_narrow_find(area ? "overlap-area" : "closest-features");
	CHECK(scree_shapes_add_polygon(&w->model.shape, "hexagon", 6, corner, &why) == 2, "%s", why.text);
	CHECK(scree_shapes_add_ellipse(&w->model.shape, "oval", 1, 0.2, &why) == 3, "%s", why.text);
	return w;
}

static void nothing_gets_through_in_the_plane(void **state)
{
	(void)state;
	const int32_t shapes[] = {BALL, 2, 3};
	for (int area = 0; area < 2; ++area)
		for (int kind = 0; kind < 5; ++kind)
			for (int k = 0; k < 3 * WAYS_COUNT; ++k) {
				scree_world *w = flat_world(area);
				w->model.guard.overlap = k % 2 ? 0 : (real)0.5;
				add_flat_wall(w, kind);
				falls_on(w, shapes[k % 3], WAYS[k / 3], !area && (kind == 0 || kind == 2), area ? "area" : "depth");
			}
}

/* the law volume, impulses, Gear's predictor and corrector, and a periodic cell around the wall */
static void nothing_gets_through_otherwise(void **state)
{
	(void)state;
	const form walls[] = {PLANE, PLANE_TWO, SQUARE, SQUARE_TWO, SLAB, TWO_SQUARES};
	const contact_rule volume = {.law = LAW_VOLUME, .restitution = 0.5, .friction = 0.3, .stiffness = 1e8};
	for (int f = 0; f < 6; ++f)
		for (int k = 0; k < WAYS_COUNT; ++k)
			for (int kind = 0; kind < 4; ++kind) {
				if (kind == 2 && !SCREE_PAPERS) continue;
				scree_world *w = world_of(kind == 0 ? volume : lab_linear(1e4, 0.5, kind == 1 ? 0 : 0.3));
				if (kind == 0) w->model.narrow = scree_narrow_find("overlap-volume");
				if (kind == 1) model_respond(&w->model, scree_response_find("elastic"));
				if (kind == 2) w->model.integrator = scree_choice_find(&scree_integrators, "gear5");
				if (kind == 3) lab_periods(w, "xy", v3(-WIDE / 2, -WIDE / 2, 0), v3(WIDE, WIDE, 0));
				add_form(w, walls[f]);
				falls_on(w, kind == 0 || kind == 3 ? NEEDLE : BALL, WAYS[k], kind > 0 && walls[f] == PLANE,
						 form_name[walls[f]]);
			}
}

/* ------------------------------------------------------------------ no alarm */

/* A body slides across a table and over its edge, and falls past it without gaining energy. */
static void off_the_border(form f, contact_rule rule, int shape, real push)
{
	scree_world *w = world_of(rule);
	real thick = shape < NEEDLE ? 1 : shapes_edge(shape).z, most = 0;
	real top = f == SLAB ? (real)0.02 * SIZE : f == TWO_SQUARES ? (real)0.01 * SIZE : 0;
	if (rule.law == LAW_VOLUME) w->model.narrow = scree_narrow_find("overlap-volume");
	add_form(w, f);
	w->model.gravity = v3(0, 0, -9.81);
	w->model.guard.overlap = (real)0.5;
	vec3 from = v3(WIDE - (real)0.2 * SIZE, 0, top + thick * SIZE / 2);
	lab_add_moving(w, shape, SIZE, from, quat_one(), v3(push, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 0);
	for (int64_t k = 0; k < 200000 && w->state.body.z[0] > -3 * SIZE; ++k) {
		lab_steps(w, 1);
		real fall = push * push / 2 + (real)9.81 * (from.z - w->state.body.z[0]);
		most = real_max(most, v3_norm2(body_velocity(&w->state.body, 0)) / 2 / fall);
	}
	CHECK(w->state.body.z[0] < -2 * SIZE, "%s, shape %d: it has not fallen", form_name[f], shape);

	CHECK(most < 1.001 && w->work.greatest_overlap_ever < 0.01, "%s, shape %d, %g m/s: energy %g, overlap %g",
		  form_name[f], shape, push, most, w->work.greatest_overlap_ever);
	scree_world_free(w);
}

static void borders_let_bodies_by(void **state)
{
	(void)state;
	const form tables[] = {SQUARE, SQUARE_TWO, TWO_SQUARES, SLAB};
	const contact_rule volume = {.law = LAW_VOLUME, .restitution = 0.5, .friction = 0.02, .stiffness = 1e8};
	for (int t = 0; t < 4; t += (int)(4 - test_few(3, 1)))
		for (int shape = 0; shape < BODIES; shape += (int)(3 - test_few(2, 1)))
			for (int k = 0; k < test_few(2, 1); ++k) {
				off_the_border(tables[t], lab_linear(1e4, 0.3, 0.02), shape, k ? 0.2 : 0.05);
				if (shape != BALL && tables[t] != SLAB) off_the_border(tables[t], volume, shape, k ? 0.2 : 0.05);
			}
}

/* Bodies roll and jump over ridges and valleys of a mesh, pass below a two-sided table, and rest at its edge. */
static void wanderers_are_let_be(void **state)
{
	(void)state;
	for (int two = 0; two < 2; ++two) {
		scree_world *w = world_of(lab_linear(1e4, 0.5, 0.3));
		add_form(w, two ? HILLS_TWO : HILLS);
		w->model.gravity = v3(0, 0, -9.81);
		w->model.guard.overlap = (real)0.5;
		for (int k = 0; k < 12; ++k)
			lab_add_moving(w, k % BODIES, SIZE, v3(0.04 * (k % 6) - 0.1, 0.04 * (k / 6), 0.04), quat_one(),
						   v3(0.4, 0.3, -0.6), v3(0, 0, 0));
		lab_prepare(w, 0);
		lab_steps(w, 30000);
		int touched = 0;
		for (int32_t i = 0; i < w->state.body.count; ++i)
			touched += over_hills(body_position(&w->state.body, i)) < SIZE;
		CHECK(touched > 6, "%d of 12 bodies are on the hills", touched);
		scree_world_free(w);
	}
	scree_world *w = world_of(lab_linear(1e4, 0.5, 0.3));
	add_form(w, SQUARE_TWO);
	for (int k = 0; k < BODIES; ++k) {
		real y = 0.03 * k, thick = k < NEEDLE ? 1 : shapes_edge(k).z;
		lab_add_moving(w, k, SIZE, v3(WIDE + 3 * SIZE, y, -1.5 * SIZE), quat_one(), v3(-2, 0, 0), v3(0, 40, 0));
		lab_add_moving(w, k, SIZE, v3(WIDE - 0.01 * SIZE, y, thick * SIZE / 2), quat_one(), v3(0, 0, 0), v3(0, 0, 0));
	}
	lab_prepare(w, 0);
	lab_steps(w, 10000);
	scree_world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_gets_through),			  cmocka_unit_test(nothing_gets_through_in_the_plane),
		cmocka_unit_test(nothing_gets_through_otherwise), cmocka_unit_test(borders_let_bodies_by),
		cmocka_unit_test(wanderers_are_let_be),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
