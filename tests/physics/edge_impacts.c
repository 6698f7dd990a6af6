/* Elastic impacts near the edge between two facets, from outside: ridges and valleys of 10 to 170 degrees, with
 * one-sided and two-sided walls. Energy is conserved, and a two-sided wall acts like a one-sided one. Each kind of body
 * is a row of the table below. */
#include "base/maths.h"
#include "choices/choices.h"
#include "grains.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "part_shapes.h"
#include "test.h"

static const real SIZE = 0.01, FAR = 0.2;

typedef struct body_kind {
	const char *name;
	void (*add)(shapes *s); /* adds the shape of the body as the next row */
	real slow;				/* fraction of the largest speed, because a body may move by no more than its halo */
	enum law_row law[3];	/* one is drawn */
} body_kind;

static void add_ball(shapes *s) { CHECK(scree_shapes_add_sphere(s, "a ball") >= 0, "no ball"); }

static void add_pebble(shapes *s)
{
	fail why = {0};
	CHECK(part_add_pebble(s, "pebble", false, &why) >= 0, "%s", why.text);
}

static void add_surface(shapes *s)
{
	fail why = {0};
	CHECK(part_add_surface(s, "surface", &part_cube, (real)0.02, &why) >= 0, "%s", why.text);
}

static void add_cube(shapes *s)
{
	fail why = {0};
	CHECK(scree_shapes_add_box(s, "a cube", v3(1, 1, 1), &why) >= 0, "%s", why.text);
}

static void add_tetrahedron(shapes *s)
{
	fail why = {0};
	CHECK(scree_shapes_add_regular(s, "tetrahedron", "tetrahedron", &why) >= 0, "%s", why.text);
}

/* a different hull for each seed */
static void add_granulate(shapes *s)
{
	fail why = {0};
	random_stream r = scree_random_start(test_seed, 12);
	grain g = grain_granulate(&r, 12 + (int32_t)(scree_random_bits(&r) % 20), (real)0.8);
	CHECK(scree_shapes_add_hull(s, "granulate", g.vertices, g.vertex, &why) >= 0, "%s", why.text);
	grain_free(&g);
}

static void add_compound(shapes *s, grain g)
{
	fail why = {0};
	const int32_t row = scree_shapes_add_compound(s, "compound", g.vertices, g.vertex, g.triangles, g.triangle, &why);
	CHECK(row >= 0 && s->row[row].parts > 2, "%s", why.text);
	grain_free(&g);
}

static void add_jack(shapes *s) { add_compound(s, grain_jack((real)0.3)); }

static void add_tetrapod(shapes *s) { add_compound(s, grain_tetrapod((real)0.2, (real)0.5)); }

static const body_kind kinds[] = {
	{"ball", add_ball, 1, {LAW_HERTZ, LAW_LINEAR, LAW_HERTZ}},
	{"clump", add_pebble, 1, {LAW_HERTZ, LAW_LINEAR, LAW_HERTZ}},
	{"surface", add_surface, (real)0.1, {LAW_HERTZ, LAW_LINEAR, LAW_LINEAR}},
	{"cube", add_cube, 1, {LAW_OVERLAP, LAW_VOLUME, LAW_OVERLAP}},
	{"tetrahedron", add_tetrahedron, 1, {LAW_OVERLAP, LAW_VOLUME, LAW_OVERLAP}},
	{"granulate", add_granulate, 1, {LAW_OVERLAP, LAW_VOLUME, LAW_OVERLAP}},
	{"jack", add_jack, 1, {LAW_OVERLAP, LAW_VOLUME, LAW_OVERLAP}},
	{"tetrapod", add_tetrapod, 1, {LAW_OVERLAP, LAW_VOLUME, LAW_OVERLAP}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* An edge along y whose faces fall (a ridge) or rise on both sides; half: half of the angle between the faces; turn:
 * rotation of the frame. */
typedef struct fold {
	bool valley;
	real half;
	quat turn;
} fold;

static vec3 along_face(const fold *f, int side)
{
	real up = f->valley ? 1 : -1;
	return quat_rotate(f->turn, v3(side * scree_sin(f->half), 0, up * scree_cos(f->half)));
}

static vec3 normal_of(const fold *f, int side)
{
	real out = f->valley ? -1 : 1;
	return quat_rotate(f->turn, v3(side * out * scree_cos(f->half), 0, scree_sin(f->half)));
}

static void add_fold(scree_world *w, const fold *f, bool two_sided)
{
	fail why = {0};
	const vec3 y = quat_rotate(f->turn, v3(0, FAR, 0));
	vec3 p[6] = {v3_neg(y), y};
	int32_t t[12], n = 0;
	for (int k = 0; k < 2; ++k) {
		const int side = 2 * k - 1;
		const vec3 out = v3_mul(FAR, along_face(f, side));
		p[2 + 2 * k] = v3_sub(out, y), p[3 + 2 * k] = v3_add(out, y);
		const bool turned = v3_dot(v3_cross(y, out), normal_of(f, side)) < 0;
		const int32_t corner[4] = {0, 1, 3 + 2 * k, 2 + 2 * k};
		for (int i = 1; i < 3; ++i) {
			t[n++] = corner[0];
			t[n++] = corner[turned ? i + 1 : i];
			t[n++] = corner[turned ? i : i + 1];
		}
	}
	wall o = scree_wall_default("fold", 0);
	o.two_sided = two_sided;
	CHECK(scree_walls_add_mesh(&w->model.wall, o, 6, p, 4, t, &why) == 0, "%s", why.text);
	CHECK(w->model.wall.surfaces == 2, "%d surfaces", w->model.wall.surfaces);
}

/* Distance of an outside point from the faces. */
static real clear_of(const fold *f, vec3 p)
{
	real a = v3_dot(normal_of(f, -1), p), b = v3_dot(normal_of(f, 1), p);
	return f->valley ? real_min(a, b) : real_max(a, b);
}

typedef struct shot {
	vec3 from, velocity, spin;
	quat turn;
} shot;

/* flies from outside towards a point near the edge */
static shot random_shot(random_stream *r, const fold *f, const body_kind *b)
{
	shot s;
	const vec3 at = quat_rotate(
		f->turn, v3(scree_random_between(r, (real)-0.7, (real)0.7) * SIZE, scree_random_between(r, -1, 1) * SIZE, 0));
	const real speed = b->slow * scree_random_between(r, (real)0.1, 1);
	s.turn = scree_random_rotation(r);
	s.spin = v3_mul(speed / SIZE / 2, scree_random_direction(r));
	for (int tries = 0; tries < 10000; ++tries) {
		const vec3 way = scree_random_direction(r);
		real far = (real)0.5 * SIZE;
		while (far < 20 * SIZE && clear_of(f, v3_madd(at, -far, way)) < (real)0.9 * SIZE) far += (real)0.05 * SIZE;
		s.from = v3_madd(at, -far, way);
		s.velocity = v3_mul(speed, way);
		if (far < 20 * SIZE) break;
	}
	return s;
}

typedef struct outcome {
	bool touched, ended;
	real energy; /* final energy, relative to the initial energy */
	vec3 velocity, spin;
} outcome;

static const char *narrow_of(enum law_row law)
{
	if (law == LAW_OVERLAP) return "overlap-thickness";
	return law == LAW_VOLUME ? "overlap-volume" : "separating-plane";
}

static outcome shoot(const body_kind *b, enum law_row law, const fold *f, const shot *s, bool two_sided)
{
	const contact_rule rule = law == LAW_LINEAR ? lab_linear(1e4, 1, 0) : (contact_rule){.law = law, .restitution = 1};
	scree_world *w = lab_world(rule);
	w->model.narrow = scree_narrow_find(narrow_of(law));
	const int32_t shape = w->model.shape.count;
	b->add(&w->model.shape);
	add_fold(w, f, two_sided);
	lab_add_moving(w, shape, SIZE, s->from, s->turn, s->velocity, s->spin);
	lab_prepare(w, 0);
	if (!is_energy(law)) lab_prepare(w, w->model.dt / 2); /* the default step is short enough for the other laws */
	const real before = lab_energy(w), speed = v3_norm(s->velocity);
	outcome o = {0};
	const int64_t most = (int64_t)(8 * FAR / speed / w->model.dt), batch = 16;
	for (int64_t k = 0; k < most && !o.ended; k += batch) {
		lab_steps(w, batch);
		const bool touches = w->work.touching > 0;
		o.touched |= touches;
		const vec3 at = body_position(&w->state.body, 0);
		/* the body is away from the edge, or beyond all borders */
		const bool out = clear_of(f, at) > (real)0.9 * SIZE || v3_norm(at) > (real)1.5 * FAR;
		o.ended = !touches && out && v3_dot(at, body_velocity(&w->state.body, 0)) > 0;
	}
	o.energy = lab_energy(w) / before;
	o.velocity = v3_mul(1 / speed, body_velocity(&w->state.body, 0));
	o.spin = v3_mul(SIZE / speed, body_angular_velocity(&w->state.body, 0));
	scree_world_free(w);
	return o;
}

static void edges_keep_the_energy(void **state)
{
	(void)state;
	real worst[KINDS] = {0}, apart[KINDS] = {0};
	int touched[KINDS] = {0};
	FOR_SEEDS(16)
	{
		random_stream r = scree_random_start(test_seed, 11);
		const int kind = (int)(test_seed % KINDS);
		const body_kind *b = kinds + kind;
		const enum law_row law = b->law[scree_random_bits(&r) % 3];
		fold f = {.valley = scree_random_bits(&r) & 1, .half = scree_random_between(&r, 5, 85) * SCREE_PI / 180};
		f.turn = scree_random_rotation(&r);
		const shot s = random_shot(&r, &f, b);
		const outcome one = shoot(b, law, &f, &s, false), two = shoot(b, law, &f, &s, true);
		CHECK(one.ended || !one.touched, "%s stays at the edge", b->name);
		worst[kind] = real_max(worst[kind], real_max(real_abs(one.energy - 1), real_abs(two.energy - 1)));
		const real off = real_max(v3_norm(v3_sub(one.velocity, two.velocity)), v3_norm(v3_sub(one.spin, two.spin)));
		apart[kind] = real_max(apart[kind], off);
		touched[kind] += one.touched;
		CHECK(real_abs(one.energy - 1) < 1e-3 && real_abs(two.energy - 1) < 1e-3,
			  "%s, law %d, %s of %.1f degrees: energy %g, two-sided %g", b->name, law, f.valley ? "valley" : "ridge",
			  2 * f.half * 180 / SCREE_PI, one.energy, two.energy);
		CHECK(off < 1e-6, "%s, law %d, %s of %.1f degrees: two sides leave otherwise, by %g", b->name, law,
			  f.valley ? "valley" : "ridge", 2 * f.half * 180 / SCREE_PI, off);
	}
	for (int k = 0; k < KINDS; ++k)
		print_message("%s: %d touched, energy off by %.1e, one side and two apart by %.1e\n", kinds[k].name, touched[k],
					  worst[k], apart[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(edges_keep_the_energy)};
	return cmocka_run_group_tests_name("edge impacts", tests, NULL, NULL);
}
