/* Bodies that roll or slide down a chute, meshed correctly and as in real files (tests/nonconforming.h): force and
 * motion are within 1 % of the values on the conforming mesh. Each kind of body is a row of the table below. */
#include "choices/choices.h"
#include "grains.h"
#include "lab.h"
#include "model/narrow.h"
#include "nonconforming.h"
#include "part_shapes.h"

static const real SIZE = (real)0.04, WIDTH = (real)0.6;

typedef struct body_kind {
	const char *name;
	void (*add)(shapes *s); /* adds the shape of the body as the next row */
	real height;			/* height of the centre above its support, relative to the size */
	real friction;
	/* A chute with errors of 1e-7 m has a different geometry: its folds are displaced by 20 um, and a higher facet
	 * carries 1.4 % more of the weight of a cube with a modulus of 1e7 Pa. Bodies that rest on corners or faces are
	 * therefore soft. */
	real young;
	enum law_row law;
	const char *narrow;
} body_kind;

static void add_ball(shapes *s) { CHECK(scree_shapes_add_sphere(s, "a ball") >= 0, "no ball"); }

static void add_eight(shapes *s)
{
	fail why = {0};
	CHECK(part_add_eight(s, "eight", &why) >= 0, "%s", why.text);
}

static void add_surface(shapes *s)
{
	fail why = {0};
	CHECK(part_add_surface(s, "surface", &part_cube, (real)0.01, &why) >= 0, "%s", why.text);
}

static void add_cube(shapes *s)
{
	fail why = {0};
	CHECK(scree_shapes_add_box(s, "a cube", v3(1, 1, 1), &why) >= 0, "%s", why.text);
}

/* The body stands on three of its arms, on one corner of each. */
static void add_tetrapod(shapes *s)
{
	fail why = {0};
	grain g = grain_tetrapod((real)0.2, (real)0.5);
	grain_place(&g, 1, quat_unit(quat_of(1 + sqrt(3), 1, -1, 0)), v3(0, 0, 0));
	CHECK(scree_shapes_add_compound(s, "tetrapod", g.vertices, g.vertex, g.triangles, g.triangle, &why) >= 0, "%s",
		  why.text);
	grain_free(&g);
}

static const body_kind kinds[] = {
	{"ball", add_ball, (real)0.5, (real)0.5, 1e7, LAW_HERTZ, "separating-plane"},
	{"clump", add_eight, (real)0.5, (real)0.2, 1e7, LAW_HERTZ, "separating-plane"},
	{"surface", add_surface, (real)0.51, (real)0.2, 1e7, LAW_HERTZ, "separating-plane"},
	{"cube", add_cube, (real)0.5, (real)0.2, 1e6, LAW_OVERLAP, "overlap-thickness"},
	{"tetrapod", add_tetrapod, (real)0.3552, (real)0.2, 3e5, LAW_OVERLAP, "overlap-thickness"},
};
enum { KINDS = sizeof kinds / sizeof *kinds, PANELS = 4, SAMPLES = 400 };

/* Angles of shallow and sharp folds in rad, and the largest error of corners in m. In sharp folds, bodies land at 45
 * mm/s, and a sample may coincide with the first step of a landing. A clump then has an overlap of 2.4 um, and the
 * force on it is proportional to the overlap, so displacing panels by 2e-7 m, 2e-8 m or 2e-9 m changes the force by 10
 * %, 1 % or 0.1 % of the weight. */
static const struct {
	real angle, off;
} folds[] = {{(real)0.005, 1e-7}, {(real)0.05, 1e-8}};
enum { FOLDS = sizeof folds / sizeof *folds };

/* Four slopes along x that become gentler downhill, so that bodies stay on them. If bodies flew, tiny differences
 * would affect the time at which they land. */
static void panels_of(panel *p, int fold)
{
	vec3 at = v3(0, 0, 0);
	for (int k = 0; k < PANELS; ++k) {
		const real slope = (real)0.5 - k * folds[fold].angle;
		const vec3 u = v3((real)0.2 * scree_cos(slope), 0, (real)-0.2 * scree_sin(slope));
		p[k] = (panel){at, u, v3(0, WIDTH, 0)};
		at = v3_add(at, u);
	}
}

typedef struct track {
	vec3 at[SAMPLES], force[SAMPLES];
	real weight;
} track;

static mesh_soup made;

static void slide(const body_kind *b, int fold, const mesh_soup *m, bool two_sided, track *out)
{
	contact_rule rule = lab_hertz((real)0.5, b->friction);
	rule.law = b->law;
	scree_world *w = lab_world(rule);
	w->model.narrow = scree_narrow_find(b->narrow);
	w->model.gravity = v3(0, 0, (real)-9.81);
	w->model.material.row[0].young = b->young;
	const int32_t shape = w->model.shape.count;
	b->add(&w->model.shape);
	fail why = {0};
	wall o = scree_wall_default("chute", 0);
	o.two_sided = two_sided;
	CHECK(scree_walls_add_mesh(&w->model.wall, o, 3 * m->triangles, m->vertex, m->triangles, m->corner, &why) == 0,
		  "%s", why.text);
	panel p[PANELS];
	panels_of(p, fold);
	const vec3 n = v3_unit(v3_cross(p->u, p->v));
	const vec3 at = v3_madd(panel_point(p, (real)0.3, (real)0.503), b->height * SIZE, n);
	real half = scree_atan2(-p->u.z, p->u.x) / 2;
	const quat turn = quat_mul((quat){scree_cos(half), 0, scree_sin(half), 0}, w->model.shape.row[shape].frame);
	lab_add_moving(w, shape, SIZE, at, turn, v3_mul(1, p->u), v3(0, 0, 0));
	lab_prepare(w, 0);
	out->weight = w->state.body.mass[0] * (real)9.81;
	const int64_t each = (int64_t)((real)0.45 / SAMPLES / w->model.dt);
	for (int k = 0; k < SAMPLES; ++k) {
		lab_steps(w, each);
		out->at[k] = body_position(&w->state.body, 0);
		out->force[k] = scree_wall_load(&w->model, &w->state, &w->work, 0).force;
	}
	scree_world_free(w);
}

static void the_chute_is_the_same_however_it_is_meshed(void **state)
{
	(void)state;
	static track right[FOLDS][KINDS], now;
	panel p[PANELS];
	for (int fold = 0; fold < FOLDS; ++fold) {
		panels_of(p, fold);
		made.triangles = 0;
		soup_right(&made, PANELS, p);
		for (int k = 0; k < KINDS; ++k) slide(kinds + k, fold, &made, false, right[fold] + k);
	}
	real force[KINDS] = {0}, motion[KINDS] = {0};
	FOR_SEEDS(15)
	{
		random_stream r = scree_random_start(test_seed, 17);
		static const real off[4] = {0, (real)0.01, (real)0.1, 1};
		const int kind = (int)(test_seed % KINDS), fold = (int)(test_seed / KINDS % FOLDS);
		const mesh_faults f = {scree_random_bits(&r) & 1, scree_random_bits(&r) & 1,
							   folds[fold].off * off[scree_random_bits(&r) % 4]};
		made.triangles = 0;
		panels_of(p, fold);
		soup_faulty(&made, &r, PANELS, p, &f);
		const bool two_sided = scree_random_bits(&r) & 1;
		slide(kinds + kind, fold, &made, two_sided, &now);
		const track *o = right[fold] + kind;
		const real way = v3_norm(v3_sub(o->at[SAMPLES - 1], o->at[0]));
		CHECK(way > (real)0.3, "it moves %g m", way);
		for (int k = 0; k < SAMPLES; ++k) {
			const real here = v3_norm(v3_sub(now.force[k], o->force[k])) / o->weight,
					   there = v3_norm(v3_sub(now.at[k], o->at[k])) / way;
			force[kind] = real_max(force[kind], here);
			motion[kind] = real_max(motion[kind], there);
			CHECK(here < 0.01 && there < 0.01,
				  "%s, fold %g, junctions %d, doubled %d, off %g, two-sided %d: at sample %d force off by %g of the "
				  "weight, position by %g of the way",
				  kinds[kind].name, folds[fold].angle, f.junctions, f.doubled, f.off, two_sided, k, here, there);
		}
	}
	for (int k = 0; k < KINDS; ++k)
		print_message("%s: force off by up to %.1e of the weight, motion by %.1e of the way\n", kinds[k].name, force[k],
					  motion[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_chute_is_the_same_however_it_is_meshed)};
	return cmocka_run_group_tests_name("chute", tests, NULL, NULL);
}
