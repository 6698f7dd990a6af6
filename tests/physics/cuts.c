/* Bodies cut at the borders of cells, compared with closed forms, brute force, and crystals of known density. */
#include "lab.h"
#include "part_shapes.h"
#include "test.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/quat.h"
#include "measure/measure.h"
#include "shape/clump/clump_share.h"

static const real PI = 3.141592653589793, D = 0.01;

/* ------------------------------------------------------------------ shapes and planes */

static clump_plane below(vec3 u, real h) { return (clump_plane){v3_unit(u), h}; }

/* A ball of radius 1/2: a cap, a slice, and a quarter and an eighth whose planes pass through its centre. */
static void balls_have_their_caps(void **state)
{
	(void)state;
	shapes s = {0};
	scree_shapes_add_sphere(&s, "ball");
	const real r = 0.5, whole = 4 * PI / 3 * r * r * r;
	for (int k = -9; k < 10; ++k) {
		const real h = 0.05 * k, cap = PI * (r - h) * (r - h) * (2 * r + h) / 3;
		const clump_plane side[2] = {below(v3(1, 2, -2), h), below(v3(-1, -2, 2), 0.1 - h)};
		NEAR(scree_cut_part(s.row, 1, side) * whole, whole - cap, 1e-9, "all but a cap");
		NEAR(scree_cut_part(s.row, 1, side) + scree_cut_part(s.row, 1, (clump_plane[]){below(v3(-1, -2, 2), -h)}), 1,
			 1e-12, "both sides of a plane");
		const real g = 0.1 - h, other = g < r ? PI * (r - g) * (r - g) * (2 * r + g) / 3 : 0;
		if (k > -8 && k < 9) NEAR(scree_cut_part(s.row, 2, side) * whole, whole - cap - other, 1e-9, "a slice");
	}
	const clump_plane axes[3] = {below(v3(1, 0, 0), 0), below(v3(0, -1, 0), 0), below(v3(0, 0, 1), 0)};
	NEAR(scree_cut_part(s.row, 2, axes), 0.25, 1e-8, "a quarter");
	NEAR(scree_cut_part(s.row, 3, axes), 0.125, 1e-8, "an eighth");
	NEAR(scree_cut_part(s.row, 1, (clump_plane[]){below(v3(1, 0, 0), -0.5)}), 0, 0, "nothing");
	NEAR(scree_cut_part(s.row, 1, (clump_plane[]){below(v3(1, 0, 0), 0.6)}), 1, 0, "all");
	scree_shapes_free(&s);
}

/* Polyhedra, convex or not, made of boxes whose cuts are known. */
static void faces_have_their_volumes(void **state)
{
	(void)state;
	shapes s = {0};
	fail why = {0};
	CHECK(scree_shapes_add_box(&s, "brick", v3(1, 2, 0.5), &why) == 0, "%s", why.text);
	const clump_plane corner[3] = {below(v3(1, 0, 0), 0.2), below(v3(0, 1, 0), -0.3), below(v3(0, 0, 1), 0.1)};
	NEAR(scree_cut_part(s.row, 3, corner), 0.7 * 0.35 * 0.7, 1e-15, "the corner of a brick");
	/* x + y <= -1.3 cuts off a triangle with legs of 0.2 */
	NEAR(scree_cut_part(s.row, 1, (clump_plane[]){below(v3(1, 1, 0), -1.3 / sqrt(2))}), 0.01, 1e-14, "an edge");
	for (int k = 0; k < 2; ++k) {
		const int32_t row = k ? part_add_surface(&s, "surface", &part_cross, 0.01, &why)
							  : part_add_compound(&s, "compound", &part_cross, &why);
		CHECK(row > 0, "%s", why.text);
		/* the plane cuts off one of the four arms around the middle */
		const vec3 u = quat_unrotate(s.row[row].frame, v3(1, 0, 0));
		const clump_plane arm = {u, -0.125 - v3_dot(v3(1, 0, 0), s.row[row].centre)};
		const real area = 0.25 * 0.25 + 4 * 0.25 * 0.375;
		NEAR(scree_cut_part(s.row + row, 1, &arm), 0.25 * 0.375 / area, 1e-12, "an arm of the cross");
	}
	scree_shapes_free(&s);
}

/* ------------------------------------------------------------------ brute force */

enum { BALL, BRICK, CROSS, PEBBLE, ADDED, EGG, TABLET, CAN, PILL, KINDS };

static void add_kinds(shapes *s)
{
	fail why = {0};
	int32_t row[KINDS] = {0};
	row[BALL] = scree_shapes_add_sphere(s, "ball");
	row[BRICK] = scree_shapes_add_box(s, "brick", v3(0.6, 1, 0.8), &why);
	row[CROSS] = part_add_compound(s, "cross", &part_cross, &why);
	row[PEBBLE] = part_add_pebble(s, "pebble", false, &why);
	row[ADDED] = part_add_pebble(s, "added", true, &why);
	row[EGG] = scree_shapes_add_superquadric(s, "egg", v3(0.5, 0.4, 0.3), 2, 2, &why);
	row[TABLET] = scree_shapes_add_superquadric(s, "tablet", v3(0.5, 0.4, 0.3), 3, 4, &why);
	row[CAN] = scree_shapes_add_prism(s, "can", 1, 0.6, 20, &why);
	row[PILL] = scree_shapes_add_capsule(s, "pill", 1, 0.5, &why);
	for (int k = 0; k < KINDS; ++k) CHECK(row[k] == k, "%s", why.text);
}

/* Number of times a point in the shape's frame counts as inside the body: 0 or 1, or once per ball in a clump whose
 * masses are added. */
static int times_inside(const shape *s, int kind, vec3 p)
{
	int times = 0;
	if (kind == BALL) return v3_norm2(p) <= 0.25;
	if (kind == EGG || kind == TABLET) {
		const real x = fabs(p.x / s->semi_x), y = fabs(p.y / s->semi_y), z = fabs(p.z / s->semi_z);
		return pow(pow(x, s->power_xy) + pow(y, s->power_xy), s->power_z / s->power_xy) + pow(z, s->power_z) <= 1;
	}
	if (kind == PILL) return v3_norm2(v3(p.x, p.y, fabs(p.z) > 0.25 ? fabs(p.z) - 0.25 : 0)) <= 0.0625;
	if (kind == PEBBLE || kind == ADDED) {
		for (int k = 0; k < s->parts; ++k) times += v3_norm(v3_sub(p, s->part[k].at)) <= s->part[k].radius;
		return kind == ADDED ? times : times > 0;
	}
	if (kind == CROSS) {
		const vec3 q = v3_add(s->centre, quat_rotate(s->frame, p));
		return fabs(q.z) <= 0.125 &&
			   ((fabs(q.x) <= 0.125 && fabs(q.y) <= 0.5) || (fabs(q.y) <= 0.125 && fabs(q.x) <= 0.5));
	}
	for (int32_t f = 0; f < s->faces; ++f)
		if (v3_dot(shape_normal(s, f), p) > s->off[f]) return 0;
	return 1;
}

static bool is_near(int32_t planes, const clump_plane *plane, vec3 p)
{
	for (int32_t k = 0; k < planes; ++k)
		if (v3_dot(plane[k].u, p) > plane[k].h) return false;
	return true;
}

/* fraction of the grid points inside the body that are on the near side of every plane */
static real counted(const shape *s, int kind, int32_t planes, const clump_plane *plane)
{
	enum { POINTS = 160 };
	int64_t all = 0, near = 0;
	for (int x = 0; x < POINTS; ++x)
		for (int y = 0; y < POINTS; ++y)
			for (int z = 0; z < POINTS; ++z) {
				const vec3 part = v3((x + 0.5) / POINTS, (y + 0.37) / POINTS, (z + 0.61) / POINTS);
				const vec3 p = v3_mul(1.02 * s->radius, v3_sub(v3_mul(2, part), v3(1, 1, 1)));
				const int times = times_inside(s, kind, p);
				all += times;
				near += times && is_near(planes, plane, p) ? times : 0;
			}
	return (real)near / (real)all;
}

/* Two to six perpendicular planes that cut the body like the planes of a cell, in any direction. */
static void all_kinds_agree_with_brute_force(void **state)
{
	(void)state;
	shapes s = {0};
	add_kinds(&s);
	FOR_SEEDS(27)
	{
		random_stream r = scree_random_start(test_seed, 5);
		const int kind = (int)(test_seed % KINDS);
		const shape *o = s.row + kind;
		const vec3 a = scree_random_direction(&r), b = v3_unit(v3_cross(a, scree_random_direction(&r)));
		const vec3 axis[3] = {a, b, v3_cross(a, b)};
		clump_plane plane[CUT_PLANES];
		const int32_t planes = 1 + (int32_t)(test_seed % CUT_PLANES);
		for (int32_t k = 0; k < planes; ++k) {
			const real h = o->radius * scree_random_between(&r, 0.05, 0.4);
			plane[k] = (clump_plane){k < 3 ? axis[k] : v3_neg(axis[k - 3]), h};
		}
		const real part = scree_cut_part(o, planes, plane), brute = counted(o, kind, planes, plane);
		NEAR(part, brute, 0.004, o->name);
		const clump_plane one = plane[0], other = {v3_neg(one.u), -one.h};
		NEAR(scree_cut_part(o, 1, &one) + scree_cut_part(o, 1, &other), 1, 1e-8, "both sides of a plane");
	}
	scree_shapes_free(&s);
}

/* Capsules and superquadrics are cut as triangle meshes, and compared with the integral of their cross sections along
 * the axis. */
static void smooth_bodies_are_cut_to_a_thousandth(void **state)
{
	(void)state;
	shapes s = {0};
	add_kinds(&s);
	fail why = {0};
	const int32_t round = scree_shapes_add_superquadric(&s, "round", v3(0.5, 0.5, 0.6), 2, 8, &why);
	real worst = 0;
	for (int k = -9; k < 10; ++k) {
		const real t = 0.1 * k, r = 0.25, whole = PI * r * r * 0.5 + 4 * PI / 3 * r * r * r;
		real below_h = 0, all = 0;
		for (int n = 0; n < 200000; ++n) {
			const real z = -1 + (n + 0.5) / 100000, area = pow(1 - pow(fabs(z), 8), 0.25);
			all += area, below_h += z < t ? area : 0;
		}
		const clump_plane across = {v3(0, 0, 1), 0.6 * t}, middle = {v3(0, 0, 1), 0.25 * t};
		const real off = scree_cut_part(s.row + round, 1, &across) - below_h / all,
				   pill = scree_cut_part(s.row + PILL, 1, &middle) -
						  (2 * PI / 3 * r * r * r + PI * r * r * 0.25 * (1 + t)) / whole;
		worst = fmax(worst, fmax(fabs(off), fabs(pill)));
	}
	CHECK(worst < 1e-3, "off by %g of the volume", worst);
	scree_shapes_free(&s);
}

/* ------------------------------------------------------------------ cells */

static measure_plan plan_of(vec3 low, vec3 high, int32_t x, int32_t y, int32_t z)
{
	measure_plan p = {.bounded = true, .cells = {x, y, z}, .classes = 1, .material = -1, .values = 4};
	static const char *const name[4] = {"mass", "solid_fraction", "solid_fraction_cut", "mass_cut"};
	for (int k = 0; k < 4; ++k) snprintf(p.value[k], sizeof p.value[k], "%s", name[k]);
	p.where = (region){.type = REGION_BOX, .low = low, .high = high};
	return p;
}

enum { MASS, WHOLE, CUT, CUT_KG, COLUMNS };

/* computes the values of the first cells */
static void measure(const measure_plan *p, const scree_world *w, int32_t cells, real (*value)[COLUMNS])
{
	int32_t columns;
	real *v = scree_measure(p, w, &columns);
	CHECK(columns == COLUMNS, "%d columns", columns);
	memcpy(value, v, (size_t)cells * sizeof *value);
	scree_free(v);
}

/* Bodies of all kinds in cells of all sizes: volumes and masses of the parts add up to the volumes and masses of the
 * bodies. */
static void parts_add_up(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	const int32_t from = w->model.shape.count;
	fail why = {0};
	part_add_compound(&w->model.shape, "cross", &part_cross, &why);
	part_add_pebble(&w->model.shape, "pebble", false, &why);
	scree_shapes_add_superquadric(&w->model.shape, "egg", v3(0.5, 0.4, 0.3), 2, 2, &why);
	scree_shapes_add_superquadric(&w->model.shape, "tablet", v3(0.5, 0.4, 0.3), 3, 4, &why);
	random_stream r = scree_random_start(3, 1);
	real mass = 0;
	for (int k = 0; k < 40; ++k) {
		const vec3 at = v3_mul(4 * D, v3(scree_random_real(&r), scree_random_real(&r), scree_random_real(&r)));
		lab_add_moving(w, k % (from + 4), D, at, quat_exp(scree_random_direction(&r), 1 + k), v3(0, 0, 0), v3(0, 0, 0));
		mass += w->state.body.mass[k];
	}
	static real value[6 * 5 * 9][COLUMNS];
	const measure_plan p = plan_of(v3(-D, -D, -D), v3(5 * D, 5 * D, 5 * D), 6, 5, 9);
	measure(&p, w, 6 * 5 * 9, value);
	real whole = 0, cut = 0, solid = 0, all = 0;
	for (int k = 0; k < 6 * 5 * 9; ++k) {
		whole += value[k][MASS], cut += value[k][CUT_KG];
		all += value[k][WHOLE], solid += value[k][CUT];
	}
	NEAR(whole / mass, 1, 1e-12, "whole bodies");
	NEAR(cut / mass, 1, 1e-8, "parts of bodies");
	NEAR(solid / all, 1, 1e-8, "volumes");
	scree_world_free(w);
}

/* A periodic face-centred cubic crystal has a density of 0.7405, wherever a cell of whole periods is placed. Counting
 * whole bodies by their centres is also exact for such a cell. In a box of any other size, both methods are exact only
 * on average: a box whose faces contain no centre has a density 10 % lower. */
static void a_crystal_has_its_density(void **state)
{
	(void)state;
	const real a = D * sqrt(2), dense = PI / (3 * sqrt(2));
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	lab_periods(w, "xyz", v3(0, 0, 0), v3(3 * a, 3 * a, 3 * a));
	for (int k = 0; k < 108; ++k) {
		const int c = k / 4, f = k % 4;
		const vec3 in = v3(f == 1 || f == 2 ? 0.5 : 0, f == 1 || f == 3 ? 0.5 : 0, f > 1 ? 0.5 : 0);
		lab_add(w, 0, D, v3_mul(a, v3_add(in, v3(c % 3, c / 3 % 3, c / 9))));
	}
	real value[27][COLUMNS];
	for (int k = 0; k < 12; ++k) {
		const real off = a * 0.083 * k;
		const measure_plan one = plan_of(v3(off, off, off), v3(off + a, off + a, off + a), 1, 1, 1);
		measure(&one, w, 1, value);
		NEAR(value[0][CUT], dense, 1e-8, "a period, wherever it begins");
		NEAR(value[0][CUT_KG], dense * a * a * a * 2500, 1e-8 * a * a * a * 2500, "its mass");
	}
	const measure_plan all = plan_of(v3(0, 0, 0), v3(3 * a, 3 * a, 3 * a), 3, 3, 3);
	measure(&all, w, 27, value);
	for (int k = 0; k < 27; ++k) NEAR(value[k][CUT], dense, 1e-8, "cells whose borders pass through centres");
	/* the box is 1.6 periods wide, and the layers of centres are half a period apart */
	const measure_plan some = plan_of(v3(0.7 * a, 0.7 * a, 0.7 * a), v3(2.3 * a, 2.3 * a, 2.3 * a), 1, 1, 1);
	measure(&some, w, 1, value);
	CHECK(fabs(value[0][CUT] / dense - 1) < 0.06, "%g of the density", value[0][CUT] / dense);
	CHECK(fabs(value[0][WHOLE] / dense - 1) > 0.1, "by centres %g of the density", value[0][WHOLE] / dense);
	scree_world_free(w);
}

/* Next to a wall, no centre is closer to the wall than D/2. Cut volumes give a density of pi/6 in a box of a simple
 * cubic lattice on a wall, whatever the height of the box; counting by centres is correct only for whole layers. */
static void a_layer_at_a_wall_is_counted(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	for (int k = 0; k < 64; ++k) lab_add(w, 0, D, v3_mul(D, v3(k % 4 + 0.5, k / 4 % 4 + 0.5, k / 16 + 0.5)));
	real value[1][COLUMNS];
	const measure_plan p = plan_of(v3(0.5 * D, 0.5 * D, 0), v3(2.5 * D, 2.5 * D, 2.4 * D), 1, 1, 1);
	measure(&p, w, 1, value);
	/* the box contains the third layer up to a thickness of 0.4 D */
	const real r = D / 2, h = -0.1 * D, cap = PI * (r + h) * (r + h) * (2 * r - h) / 3;
	const real solid = 4 * (2 * PI / 6 * D * D * D + cap) / (4 * D * D * 2.4 * D);
	NEAR(value[0][CUT], solid, 1e-8, "balls cut by five planes");
	CHECK(fabs(value[0][WHOLE] / solid - 1) > 0.2, "by centres %g of it", value[0][WHOLE] / solid);
	scree_world_free(w);
}

/* A ball on the border of a periodic cell is counted on both sides; on the border of a sheared cell, it is counted at
 * the position of its image. */
static void images_count(void **state)
{
	(void)state;
	for (int sheared = 0; sheared < 2; ++sheared) {
		scree_world *w = lab_world(lab_hertz(0.5, 0.5));
		const real size = 5 * D, shift = sheared ? 1.3 * D : 0, ball = PI / 6 * D * D * D;
		lab_periods(w, "xz", v3(0, 0, 0), v3(size, size, size));
		if (sheared) {
			w->model.period.shears = true, w->model.period.flow = 0, w->model.period.gradient = 2;
			w->model.period.rate = 1;
			scree_periods_set(&w->model.period, &w->state.images, 1, shift / size);
		}
		lab_add(w, 0, D, v3(0, 2 * D, 0));
		real value[2][COLUMNS];
		const measure_plan all = plan_of(v3(0, 0, 0), v3(size, size, size), 1, 1, 1);
		measure(&all, w, 1, value);
		NEAR(value[0][CUT] * size * size * size / ball, 1, 1e-8, "the whole cell");
		const measure_plan low = plan_of(v3(0, 0, 0), v3(2 * D, size, 2 * D), 1, 1, 1),
						   high = plan_of(v3(shift, 0, 3 * D), v3(shift + D, size, 5 * D), 1, 1, 1);
		measure(&low, w, 1, value);
		NEAR(value[0][CUT_KG] / (ball * 2500), 0.25, 1e-8, "a quarter at the lower border");
		measure(&high, w, 1, value);
		NEAR(value[0][CUT_KG] / (ball * 2500), 0.25, 1e-8, "a quarter at the upper border, where its image is");
		NEAR(value[0][MASS], 0, 0, "no centre is there");
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(balls_have_their_caps),
		cmocka_unit_test(faces_have_their_volumes),
		cmocka_unit_test(all_kinds_agree_with_brute_force),
		cmocka_unit_test(smooth_bodies_are_cut_to_a_thousandth),
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(a_crystal_has_its_density),
		cmocka_unit_test(a_layer_at_a_wall_is_counted),
		cmocka_unit_test(images_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
