/* Bodies shot at walls, from slow to many radii a step: none is ever on the other side unless a guard has stopped the
 * run and named the wall. And the other way round: bodies that go round a border, or pass by, stop no run. */
#include "base/maths.h"
#include "base/random.h"
#include "kernel/quat.h"
#include "lab.h"
#include "test.h"

/* rows of shapes: lab_world has a ball and a cube */
enum { BALL, CUBE, NEEDLE, PLATE, BODIES };

static const real SIZE = 0.01, WIDE = 0.5;

static vec3 shapes_edge(int k) { return k == NEEDLE ? v3(1, 0.1, 0.1) : v3(1, 1, 0.05); }

static scree_world *world_of(contact_rule rule)
{
	fail why = {0};
	scree_world *w = lab_world(rule);
	for (int k = NEEDLE; k < BODIES; ++k)
		CHECK(scree_shapes_add_box(&w->shape, k == NEEDLE ? "needle" : "plate", shapes_edge(k), &why) == k, "%s",
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

/* a rough surface over a grid of squares, each of two triangles with the diagonal from low to high */
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
	int32_t row = scree_walls_add_mesh(&w->wall, named(two_sided), (CELLS + 1) * (CELLS + 1), vertex, n / 3, triangle,
									   &why);
	CHECK(row == 0, "%s", why.text);
}

/* height over the surface of add_hills */
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
	CHECK(scree_walls_add_polygon(&w->wall, named(two_sided), 4, corner, &why) >= 0, "%s", why.text);
}

/* a slab of triangles, thinner than any body, whose normals look outwards */
static void add_slab(scree_world *w)
{
	const real h = (real)0.02 * SIZE;
	vec3 p[8];
	for (int k = 0; k < 8; ++k) p[k] = v3(k & 1 ? WIDE : -WIDE, k & 2 ? WIDE : -WIDE, k & 4 ? h : -h);
	const int32_t t[36] = {4, 5, 7, 4, 7, 6, 0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4,
						   2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	fail why = {0};
	CHECK(scree_walls_add_mesh(&w->wall, named(false), 8, p, 12, t, &why) == 0, "%s", why.text);
}

static void add_tube(scree_world *w, real radius2, wall_side side, real length)
{
	fail why = {0};
	vec3 end = v3(-WIDE, 0, 0), axis = v3(1, 0, 0);
	real radius = 5 * SIZE;
	int32_t row = radius2 > 0
					  ? scree_walls_add_cone(&w->wall, named(false), end, axis, radius, radius2, length, side, &why)
					  : scree_walls_add_cylinder(&w->wall, named(false), end, axis, radius, length, side, &why);
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

static const char *const form_name[FORMS] = {"plane", "plane, two-sided", "polygon", "polygon, two-sided",
											 "two close polygons", "thin slab of a mesh", "mesh with edges",
											 "mesh with edges, two-sided", "drum", "finite tube", "post", "finite post",
											 "inside of a cone", "outside of a cone"};

static void add_form(scree_world *w, form f)
{
	fail why = {0};
	switch (f) {
	case PLANE:
	case PLANE_TWO:
		CHECK(scree_walls_add_plane(&w->wall, named(f == PLANE_TWO), v3(0, 0, 0), v3(0, 0, 1), &why) == 0, "%s",
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

/* > 0 on one side, < 0 on the other one, in the wall's frame; a length */
static real side_of(form f, vec3 p)
{
	if (f < HILLS) return p.z;
	if (f < DRUM) return over_hills(p);
	real rho = v3_norm(v3(0, p.y, p.z)), wider = f >= CONE ? (p.x + WIDE) / (2 * WIDE) * 4 * SIZE : 0;
	return 5 * SIZE + wider - rho;
}

/* Do bodies belong on one side alone, since the other one is solid? */
static int one_side_of(form f) { return f == PLANE || f == DRUM ? 1 : f == POST ? -1 : 0; }

/* Does the wall push back whatever is behind it, however far? */
static bool pushes_back(form f) { return f == PLANE || f == DRUM; }

/* ------------------------------------------------------------------ shots */

typedef struct score {
	int64_t shots, stopped, bounced, passed_by;
} score;

/* A place on the wanted side, at most a few bodies away from the wall. */
static vec3 random_place(random_stream *r, form f, real radius, int side)
{
	for (;;) {
		real x = scree_random_between(r, -4 * SIZE, 4 * SIZE), y = scree_random_between(r, -8 * SIZE, 8 * SIZE);
		vec3 p = v3(x, y, scree_random_between(r, -8 * SIZE, 8 * SIZE));
		real h = side_of(f, p);
		/* no steeper than 45 degrees or so: this far from the wall */
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

static vec3 in_wall(const scree_world *w)
{
	const wall *o = w->wall.row;
	return quat_unrotate(o->turn, v3_sub(body_position(&w->body, 0), o->place));
}

static void shoot(random_stream *r, form f, bool moving, score *sum)
{
	scree_world *w = world_of(lab_linear(scree_random_between(r, 1e3, 1e5), 0.5, 0.3));
	int shape = (int)scree_random_between(r, 0, BODIES - (real)0.001);
	real radius = SIZE * w->shape.row[shape].radius;
	int side = one_side_of(f) ? one_side_of(f) : scree_random_between(r, 0, 1) < (real)0.5 ? 1 : -1;
	add_form(w, f);
	vec3 at = random_place(r, f, radius, side), aim = scree_random_direction(r);
	quat turn = scree_random_rotation(r);
	vec3 spin = v3_mul(scree_random_between(r, 0, 2e4), scree_random_direction(r));
	lab_add_moving(w, shape, SIZE, at, turn, v3(0, 0, 0), v3(0, 0, 0));
	w->guard.overlap = scree_random_between(r, 0, 1) < (real)0.5 ? 0 : (real)0.5;
	lab_prepare(w, 0);
	/* from a hundredth of a radius in a step to ten radii */
	real speed = scree_exp(scree_random_between(r, scree_log(0.01), scree_log(10))) * radius / w->dt;
	w->body.vx[0] = speed * aim.x, w->body.vy[0] = speed * aim.y, w->body.vz[0] = speed * aim.z;
	w->body.wx[0] = spin.x, w->body.wy[0] = spin.y, w->body.wz[0] = spin.z;
	vec3 l = v3_mul(w->body.ix[0], spin); /* some angular momentum: for all but balls and cubes another spin */
	w->body.lx[0] = l.x, w->body.ly[0] = l.y, w->body.lz[0] = l.z;
	if (moving) w->wall.row[0].motion = random_motion(r, speed);
	bool touched = false, going = true;
	for (int k = 0; k < 3000 && going; ++k) {
		vec3 p = in_wall(w);
		if (v3_norm(p) > WIDE / 2) break; /* before it comes near the borders */
		going = scree_step(w);
		touched |= w->touching > 0;
	}
	++sum->shots;
	if (!going) {
		++sum->stopped;
		CHECK(w->why.code == FAIL_GUARD && strstr(w->why.text, "body 1") && strstr(w->why.text, "wall target"),
			  "%s: stopped with '%s'", form_name[f], w->why.text);
	} else {
		real h = side_of(f, in_wall(w));
		sum->bounced += touched;
		sum->passed_by += !touched;
		if (v3_norm(in_wall(w)) < WIDE * (real)0.9)
			CHECK(side * h > 0 || (pushes_back(f) && w->touching), "%s%s: a body of shape %d came through at %g radii a step, now at %g m, it %s",
				  form_name[f], moving ? ", moving" : "", shape, speed * w->dt / radius, side * h,
				  touched ? "touched" : "never touched");
	}
	scree_world_free(w);
}

static void nothing_gets_through(void **state)
{
	(void)state;
	for (int moving = 0; moving < 2; ++moving)
		for (form f = 0; f < FORMS; ++f) {
			score s = {0};
			FOR_SEEDS(200) {
				random_stream r = scree_random_start(test_seed, (uint64_t)(2 * (int)f + moving));
				shoot(&r, f, moving, &s);
			}
			print_message("%s%s: %d shots, %d stopped, %d bounced, %d passed by\n", form_name[f],
						  moving ? ", moving" : "", (int)s.shots, (int)s.stopped, (int)s.bounced, (int)s.passed_by);
			CHECK(s.stopped > s.shots / 50 || pushes_back(f), "%s: no shot was stopped", form_name[f]);
			CHECK(s.bounced > s.shots / 50, "%s: no shot was answered", form_name[f]);
		}
}

/* ------------------------------------------------------------------ no alarm */

/* Slides on a table and over its border, and falls past it. */
static void off_the_border(form f, int shape, real push)
{
	scree_world *w = world_of(lab_linear(1e4, 0.3, 0.02));
	vec3 edge = shape < NEEDLE ? v3(1, 1, 1) : shapes_edge(shape);
	real top = f == SLAB ? (real)0.02 * SIZE : f == TWO_SQUARES ? (real)0.01 * SIZE : 0, most = 0;
	add_form(w, f);
	w->gravity = v3(0, 0, -9.81);
	lab_add_moving(w, shape, SIZE, v3(WIDE - (real)0.2 * SIZE, 0, top + edge.z * SIZE / 2), quat_one(), v3(push, 0, 0),
				   v3(0, 0, 0));
	w->guard.overlap = (real)0.5;
	lab_prepare(w, 0);
	real from = w->body.z[0];
	for (int64_t k = 0; k < 200000 && w->body.z[0] > -6 * SIZE; ++k) {
		bool going = scree_step(w);
		real fall = push * push / 2 + (real)9.81 * (from - w->body.z[0]), has = v3_norm2(body_velocity(&w->body, 0)) / 2;
		most = real_max(most, has / fall);
		if (!going) { printf("  %s, shape %d, push %g: %s\n", form_name[f], shape, push, w->why.text); break; }
	}
	printf("%s, shape %d, push %g: z %g x %g energy %g overlap %g\n", form_name[f], shape, push, w->body.z[0], w->body.x[0], most, w->greatest_overlap_ever);
	scree_world_free(w);
}

static void borders_let_bodies_by(void **state)
{
	(void)state;
	const form tables[] = {SQUARE, SQUARE_TWO, TWO_SQUARES, SLAB};
	const real push[] = {0.01, 0.05, 0.2};
	for (int t = 0; t < 4; ++t)
		for (int shape = 0; shape < BODIES; ++shape)
			for (int k = 0; k < 3; ++k) off_the_border(tables[t], shape, push[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(borders_let_bodies_by),
		cmocka_unit_test(nothing_gets_through),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
