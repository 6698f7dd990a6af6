/* Capsules: distances compared with brute force over the segments, two contacts side by side, and contacts with walls
 * compared with brute force over the balls that make up a capsule. */
#include "smooth_help.h"
#include "wall_help.h"

#include "narrow/compound.h"
#include "narrow/narrow.h"
#include "narrow/smooth/capsule.h"
#include "narrow/smooth/smooth.h"
#include "shape/shapes.h"

enum { ROD, STUB, LONG, BALL, SPHERE, EGG, BOXY, KINDS };
static shapes all;

static int make_shapes(void **state)
{
	(void)state;
	fail why = {0};
	assert_true(scree_shapes_add_capsule(&all, "rod", 3, 1, &why) == ROD);
	assert_true(scree_shapes_add_capsule(&all, "stub", 1.1, 0.8, &why) == STUB);
	assert_true(scree_shapes_add_capsule(&all, "long", 4, 0.3, &why) == LONG);
	assert_true(scree_shapes_add_capsule(&all, "ball", 1, 1, &why) == BALL);
	assert_true(scree_shapes_add_sphere(&all, "sphere") == SPHERE);
	assert_true(scree_shapes_add_superquadric(&all, "egg", v3(0.5, 0.7, 1), 2, 2, &why) == EGG);
	assert_true(scree_shapes_add_superquadric(&all, "boxy", v3(0.5, 0.6, 0.8), 4, 4, &why) == BOXY);
	return 0;
}

static int forget_shapes(void **state)
{
	(void)state;
	scree_shapes_free(&all);
	return 0;
}

static placed random_body(random_stream *r, int32_t shape, real far)
{
	return random_placed(r, all.row + shape, far, 0.5, 1.5);
}

/* Finds the minimum of a convex function on the segment. */
typedef real along_fn(const void *of, vec3 p);
static real least_along(const capsule *c, along_fn *f, const void *of, real *at)
{
	real from = -c->half, to = c->half;
	for (int k = 0; k < 200 && to - from > 0; ++k) {
		const real a = from + (to - from) * 0.382, b = from + (to - from) * 0.618;
		if (f(of, capsule_point(c, a)) < f(of, capsule_point(c, b)))
			to = b;
		else
			from = a;
	}
	if (at) *at = (from + to) / 2;
	const real within = f(of, capsule_point(c, (from + to) / 2));
	return real_min(within, real_min(f(of, capsule_point(c, -c->half)), f(of, capsule_point(c, c->half))));
}

static real to_segment(const void *of, vec3 p)
{
	const capsule *c = of;
	return v3_norm(v3_sub(p, capsule_point(c, capsule_foot(c, p))));
}

static real to_point(const void *of, vec3 p) { return v3_norm(v3_sub(p, ((const placed *)of)->at)); }

static real to_smooth(const void *of, vec3 p)
{
	const smooth s = scree_smooth_of(of, 0), point = smooth_point(p);
	return scree_smooth_gap(&s, &point).gap;
}

static real brute_gap(const placed *a, const placed *b)
{
	const capsule c = scree_capsule_of(a);
	if (b->shape->type == SHAPE_CAPSULE) {
		const capsule d = scree_capsule_of(b);
		return least_along(&c, to_segment, &d, NULL) - c.radius - d.radius;
	}
	if (b->shape->type == SHAPE_SPHERE) return least_along(&c, to_point, b, NULL) - c.radius - b->size / 2;
	return least_along(&c, to_smooth, b, NULL) - c.radius;
}

static void gaps_are_those_of_all_points(void **state)
{
	(void)state;
	int64_t touching = 0;
	FOR_SEEDS(1000)
	{
		random_stream r = scree_random_start(test_seed, 21);
		const placed a = random_body(&r, one_of(&r, 4), 1), b = random_body(&r, one_of(&r, KINDS), 1.4);
		if (placed_is_smooth(&b) && test_seed % 5) continue; /* slow */
		const real brute = brute_gap(&a, &b), far = 10;
		if (placed_is_smooth(&b) && brute < -a.size * a.shape->semi_x) continue; /* the segment is inside the body */
		point_list found = {0}, back = {0};
		scree_parts_points(&a, &b, 1, 1, far, 1, &found);
		scree_parts_points(&b, &a, 1, 1, far, 1, &back);
		real sum = 0, deepest = -INFINITY;
		int last = -1;
		for (int32_t k = 0; k < found.count; ++k) {
			const point_found *p = found.item + k;
			NEAR(v3_norm(p->normal), 1, 1e-12, "normal");
			CHECK(last < (int)p->feature, "features %d and %d", last, (int)p->feature);
			last = (int)p->feature;
			sum += real_max(p->depth, 0);
			deepest = real_max(deepest, p->depth);
		}
		const real exact = b.shape->type == SHAPE_SUPERQUADRIC ? 1e-6 : 1e-7;
		NEAR(scree_capsule_gap(&a, &b), brute, exact, "gap");
		NEAR(scree_capsule_gap(&b, &a), brute, exact, "gap, exchanged");
		CHECK(deepest < exact - brute, "an overlap of %g, of all points %g", deepest, -brute);
		if (brute > 0) CHECK(deepest > -1.01 * brute - exact, "a distance of %g, found %g", brute, -deepest);
		if (brute < 0) CHECK(sum > -brute - exact && sum < -2 * brute + exact, "overlaps %g of %g", sum, -brute);
		CHECK((found.count > 0) == (back.count > 0), "%d contacts, exchanged %d", found.count, back.count);
		if (brute < 0 && brute > -0.5 * a.size * a.shape->semi_x) NEAR(scree_gap(&a, &b, false), brute, exact, "gap");
		if (brute > 0) CHECK(scree_gap(&a, &b, false) > 0, "gap");
		touching += brute < 0;
		scree_point_list_free(&found);
		scree_point_list_free(&back);
	}
	CHECK(touching > test_cases(1000) / (10 * (int64_t)test_stride()), "%lld pairs touch", (long long)touching);
}

/* Two parallel capsules, one of which may be longer and shifted along the axis, touch at both ends of the length over
 * which they are side by side. */
static void parallel_capsules_touch_twice(void **state)
{
	(void)state;
	const mat3 turn = quat_matrix(quat_one());
	const placed a = {all.row + ROD, v3(0, 0, 0), turn, 1};
	for (int k = 0; k < 5; ++k) {
		const real shift = k == 4 ? 0 : 0.3 * k;
		const placed b = {all.row + (k == 4 ? LONG : ROD), v3(0.6, 0, shift), turn, k == 4 ? 1.5 : 1};
		point_list found = {0};
		scree_parts_points(&a, &b, 1, 1, 0, 1, &found);
		assert_int_equal(found.count, 2);
		const real low = real_max(-1, shift - (k == 4 ? 2.775 : 1)), high = real_min(1, shift + (k == 4 ? 2.775 : 1));
		NEAR(found.item[0].at.z, low, 1e-12, "the lower end");
		NEAR(found.item[1].at.z, high, 1e-12, "the upper end");
		NEAR(found.item[0].depth, 0.5 + (k == 4 ? 0.225 : 0.5) - 0.6, 1e-12, "overlap");
		scree_point_list_free(&found);
	}
}

/* Force and torque about the centre of a, with linear or Hertzian contact springs. */
typedef struct wrench {
	vec3 force, torque;
} wrench;

static wrench wrench_of(const placed *a, const placed *b, bool hertz)
{
	wrench w = {v3(0, 0, 0), v3(0, 0, 0)};
	point_list found = {0};
	scree_parts_points(a, b, 1, 1, 0, hertz ? 1.5 : 1, &found);
	for (int32_t i = 0; i < found.count; ++i) {
		const point_found *p = found.item + i;
		const vec3 f = v3_mul(hertz ? p->depth * sqrt(p->depth) : p->depth, p->normal);
		w.force = v3_add(w.force, f);
		w.torque = v3_add(w.torque, v3_cross(p->at, f));
	}
	scree_point_list_free(&found);
	return w;
}

/* Rods on a path from one pose to another, with an overlap of about `deep`. */
typedef struct path {
	const char *name;
	vec3 at, to;	  /* positions of the second rod */
	vec3 turn, turns; /* rotation vectors */
} path;

static placed on_path(const path *w, real t, int32_t shape)
{
	const vec3 v = v3_madd(w->turn, t, v3_sub(w->turns, w->turn));
	return (placed){all.row + shape, v3_madd(w->at, t, v3_sub(w->to, w->at)), quat_matrix(quat_exp(v, 1)), 1};
}

/* Largest change of force and torque between consecutive steps. */
static real largest_change(const path *w, int32_t shape, int steps, bool hertz)
{
	const placed a = {all.row + ROD, v3(0, 0, 0), quat_matrix(quat_one()), 1};
	wrench last = {v3(0, 0, 0), v3(0, 0, 0)};
	real most = 0;
	for (int k = 0; k <= steps; ++k) {
		const placed b = on_path(w, (real)k / steps, shape);
		const wrench now = wrench_of(&a, &b, hertz);
		const real change = v3_norm(v3_sub(now.force, last.force)) + v3_norm(v3_sub(now.torque, last.torque));
		if (k) most = real_max(most, change);
		last = now;
	}
	return most;
}

/* Force and torque are continuous: on paths through all kinds of positions, and on random paths, the largest change
 * per step decreases with the length of the step. */
static void wrenches_are_continuous(void **state)
{
	(void)state;
	static const path paths[] = {
		{"parallel, crossing, passing", {0.97, 0, -1.2}, {0.97, 0.02, 1.4}, {-0.2, -0.03, 0}, {0.3, 0.02, 0}},
		{"the ends pass each other", {0.97, 0, 1.5}, {0.97, 0, 2.3}, {0, 0, 0}, {0, 0, 0}},
		{"the ends pass, level and askew", {0.97, 0, 1.5}, {0.97, 0, 2.3}, {0.01, 0.004, 0}, {-0.02, -0.01, 0}},
		{"a right angle at both tips", {0.95, 0.97, 0.96}, {0.95, 0.99, 0.99}, {1.52, 0, 0}, {1.61, 0, 0}},
		{"a right angle, a tip on a side", {1.97, 0, 0.3}, {1.96, 0, 0.1}, {0, 1.45, 0}, {0, 1.69, 0}},
		{"a right angle in the middle", {0.95, 0, 0.1}, {0.96, 0, 0.2}, {1.45, 0.01, 0}, {1.69, -0.01, 0}},
		{"it tips over an end", {0.97, 0, 0.4}, {0.97, 0, 0.4}, {0, -0.1, 0}, {0, 0.1, 0}},
		{"it turns about the normal", {0.97, 0, 0.4}, {0.97, 0, 0.4}, {-0.5, 0, 0}, {0.5, 0.0, 0}},
		{"it tips, almost parallel", {0.97, 0, 0.4}, {0.97, 0, 0.4}, {0.001, -0.02, 0}, {0.001, 0.02, 0}},
		{"the crossing passes an end", {0.96, 0, 0.5}, {0.96, 0, 1.4}, {0.7, 0, 0}, {0.7, 0, 0}},
	};
	for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k)
		for (int hertz = 0; hertz < 2; ++hertz)
			for (int32_t shape = ROD; shape <= LONG; ++shape) {
				const real wide = largest_change(paths + k, shape, 1000, hertz);
				const real fine = largest_change(paths + k, shape, 8000, hertz);
				CHECK(fine < 0.4 * wide + 1e-9, "%s, shape %d: changes by %g in a step, in 8 by %g", paths[k].name,
					  shape, fine, wide);
			}
	FOR_SEEDS(20)
	{
		random_stream r = scree_random_start(test_seed, 24);
		path p = {"random", v3(0, 0, 0), v3(0, 0, 0), v3(0, 0, 0), v3(0, 0, 0)};
		p.at = v3(0.95, scree_random_between(&r, -0.2, 0.2), scree_random_between(&r, -1.5, 1.5));
		p.to = v3(0.97, scree_random_between(&r, -0.2, 0.2), scree_random_between(&r, -1.5, 1.5));
		p.turn = v3(scree_random_between(&r, -2, 2), scree_random_between(&r, -0.05, 0.05), 0);
		p.turns = v3(scree_random_between(&r, -2, 2), scree_random_between(&r, -0.05, 0.05), 0);
		const real wide = largest_change(&p, ROD, 1000, true), fine = largest_change(&p, ROD, 16000, true);
		CHECK(fine < 0.3 * wide + 1e-9, "changes by %g in a step, in 16 by %g", fine, wide);
	}
}

/* The three contacts between two rods together are never stiffer than the two contacts for which the time step is
 * chosen: no motion of the second rod along the contact line changes the force by more. */
static void three_contacts_are_as_stiff_as_two_at_most(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 25);
		const bool hertz = test_seed % 2;
		const placed a = {all.row + ROD, v3(0, 0, 0), quat_matrix(quat_one()), 1};
		const real wide = scree_random_between(&r, 0, 1) < 0.5 ? 0.02 : 0.3;
		path p = {"random", v3(0, 0, 0), v3(0, 0, 0), v3(0, 0, 0), v3(0, 0, 0)};
		p.at = v3(scree_random_between(&r, 0.95, 0.999), scree_random_between(&r, -0.1, 0.1),
				  scree_random_between(&r, -1.9, 1.9));
		p.turn = v3(scree_random_between(&r, -wide, wide), scree_random_between(&r, -wide, wide) / 8, 0);
		const placed b = on_path(&p, 0, ROD);
		const real overlap = -scree_capsule_gap(&a, &b), h = 1e-6 * overlap;
		if (!(overlap > 1e-3)) continue;
		path q = p;
		q.at.x += h;
		const placed c = on_path(&q, 0, ROD);
		const wrench from = wrench_of(&a, &b, hertz), to = wrench_of(&a, &c, hertz);
		const real stiff = (from.force.x - to.force.x) / -h, one = hertz ? 1.5 * sqrt(overlap) : 1;
		CHECK(real_abs(stiff) < 2.001 * one, "stiffness %g of one contact", stiff / one);
	}
}

/* In clear-cut cases, one contact has the whole overlap: where rods cross, at any distance from the tips, and where a
 * tip meets a side or a tip. */
static void single_contacts_have_the_whole_overlap(void **state)
{
	(void)state;
	static const path cases[] = {
		{"in the middle", {0.995, 0.3, 0.2}, {0.995, 0.3, 0.2}, {1.2, 0, 0}, {0, 0, 0}},
		{"at right angles", {0.995, 0.3, 0.2}, {0.995, 0.3, 0.2}, {1.5707963267948966, 0, 0}, {0, 0, 0}},
		{"two tips at right angles", {0.995, 1, 1}, {0.995, 1, 1}, {1.5707963267948966, 0, 0}, {0, 0, 0}},
		{"a tip on a side", {1.95, 0, 0.2}, {1.95, 0, 0.2}, {0, 1.5707963267948966, 0}, {0, 0, 0}},
		{"an oblique tip on a side", {1.2903, 0, 0.2}, {1.2903, 0, 0.2}, {0, 0.3, 0}, {0, 0, 0}},
		{"two tips in line", {0, 0, 2.995}, {0, 0, 2.995}, {0, 0, 0}, {0, 0, 0}},
	};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		const placed a = {all.row + ROD, v3(0, 0, 0), quat_matrix(quat_one()), 1}, b = on_path(cases + k, 0, ROD);
		const real overlap = -scree_capsule_gap(&a, &b);
		CHECK(overlap > 0.001, "%s: an overlap of %g", cases[k].name, overlap);
		NEAR(v3_norm(wrench_of(&a, &b, false).force), overlap, 1e-12, cases[k].name);
		NEAR(v3_norm(wrench_of(&a, &b, true).force), overlap * sqrt(overlap), 1e-12, cases[k].name);
	}
}

/* ------------------------------------------------------------------ walls */

typedef struct mesh_and_wall {
	const walls *s;
	int32_t wall;
	const vec3 *p;
} mesh_and_wall;

/* Distance of an outside point from the tetrahedron x, y, z >= 0, x + y + z <= 2. */
static real to_tetrahedron(const void *of, vec3 x)
{
	(void)of;
	static const vec3 p[4] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
	real best = INFINITY;
	if (x.x > 0 && x.y > 0 && x.z > 0 && x.x + x.y + x.z < 2) return 0;
	for (int k = 0; k < 4; ++k) {
		const vec3 a = p[(k + 1) % 4], b = p[(k + 2) % 4], c = p[(k + 3) % 4];
		vec3 n = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
		if (v3_dot(n, v3_sub(p[k], a)) > 0) n = v3_neg(n);
		const vec3 t[3] = {a, b, c};
		const real h = v3_dot(n, v3_sub(x, a));
		const vec3 foot = v3_madd(x, -h, n);
		bool over = h >= -1e-12; /* allows for the rounding of a point on the face */
		for (int e = 0; e < 3; ++e) {
			const vec3 from = t[e], way = v3_sub(t[(e + 1) % 3], from), third = v3_sub(t[(e + 2) % 3], from);
			const vec3 in = v3_madd(third, -v3_dot(third, way) / v3_norm2(way), way);
			over = over && v3_dot(in, v3_sub(foot, from)) >= 0;
			const real s = real_clamp(v3_dot(v3_sub(x, from), way) / v3_norm2(way), 0, 1);
			best = real_min(best, v3_norm(v3_sub(x, v3_madd(from, s, way))));
		}
		if (over) best = real_min(best, real_max(h, 0));
	}
	return best;
}

static real to_round(const void *of, vec3 x)
{
	const wall *w = of;
	const vec3 d = v3_sub(x, w->point);
	const real z = v3_dot(d, w->axis), rho = v3_norm(v3_madd(d, -z, w->axis));
	const real away = rho - w->radius, past = w->length < INFINITY ? real_max(real_max(-z, z - w->length), 0) : 0;
	return past > 0 ? sqrt(away * away + past * past) : w->side == SIDE_INSIDE ? -away : away;
}

/* The largest overlap of any part of a capsule; if `round`, the overlap of the ends (*at_ends) is added to the overlap
 * of the bar. */
static real deepest_of(const stage *s, const placed *b, int32_t row, bool round, real *at_ends)
{
	touch_list probe = {0}, list = {0};
	real deepest = -INFINITY, ends = 0;
	int32_t *near = scree_alloc(64, sizeof *near);
	int32_t count = 0;
	for (int32_t k = 0; k < s->wall.row[row].facets; ++k) near[count++] = s->wall.row[row].first_facet + k;
	for (int32_t p = 0; p < CAPSULE_PARTS; ++p) {
		scree_capsule_wall(b, p, 0, &(near_wall){&s->wall, row, count, near}, &probe, &list);
		for (int32_t t = 0; t < list.count; ++t) {
			deepest = real_max(deepest, list.item[t].depth + (p == 2 && round ? ends : 0));
			if (p < 2) ends = real_max(ends, list.item[t].depth);
		}
	}
	*at_ends = ends;
	scree_free(near);
	scree_touch_list_free(&probe);
	scree_touch_list_free(&list);
	return deepest;
}

/* Compares the overlaps with a wall against the smallest distance along the segment. round: the distance is not convex
 * along the segment, so the minimum over many parts is used. */
static void compare(const stage *s, const placed *b, int32_t row, along_fn *f, const void *of, bool round,
					int64_t *hits)
{
	const capsule c = scree_capsule_of(b);
	const int parts = round ? 64 : 1;
	real brute = INFINITY;
	for (int k = 0; k < parts; ++k) {
		const real middle = c.half * ((real)(2 * k + 1) / parts - 1);
		const capsule part = {capsule_point(&c, middle), c.along, c.half / parts, 0};
		brute = real_min(brute, least_along(&part, f, of, NULL));
	}
	real ends;
	const real overlap = c.radius - brute, found = deepest_of(s, b, row, round, &ends);
	if (brute < 0.3 * c.radius || real_abs(overlap) < 1e-6) return;
	*hits += overlap > 0;
	if (overlap < 0)
		CHECK(!(found > 1e-9), "an overlap of %g at a distance of %g", found, -overlap);
	else if (round || !(ends > 0))
		NEAR(found, overlap, 1e-9, "overlap");
	else /* near an end, only the excess of the bar's overlap over the end's overlap counts */
		CHECK(found < overlap + 1e-9 && found > 0, "overlap %.12g, of all points %.12g", found, overlap);
}

static void facets_are_met_by_ends_and_bar(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	static const int32_t t[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	const vec3 p[4] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
	assert_true(scree_walls_add_mesh(&s.wall, scree_wall_default("t", 0), 4, p, 4, t, &why) == 0);
	int64_t hits = 0;
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 22);
		placed b = random_body(&r, one_of(&r, 3), 2.5);
		compare(&s, &b, 0, to_tetrahedron, NULL, false, &hits);
	}
	CHECK(hits > test_cases(3000) / 20, "%lld hits", (long long)hits);
	stage_clear(&s);
}

static void tubes_are_met_by_ends_and_bar(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	const vec3 axis = v3_unit(v3(1, 2, 3));
	const wall w = scree_wall_default("w", 0);
	assert_true(scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 0), axis, 2.5, INFINITY, SIDE_INSIDE, &why) == 0);
	assert_true(scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 0), axis, 0.7, INFINITY, SIDE_OUTSIDE, &why) == 1);
	assert_true(scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 0), axis, 1.5, 2, SIDE_OUTSIDE, &why) == 2);
	int64_t hits = 0;
	FOR_SEEDS(1500)
	{
		random_stream r = scree_random_start(test_seed, 23);
		const placed b = random_body(&r, one_of(&r, 3), test_seed % 3 ? 2.2 : 1.2);
		const int32_t row = (int32_t)(test_seed % 3);
		/* a ball of the bar that is beyond the end of a finite tube does not touch the tube */
		const capsule c = scree_capsule_of(&b);
		bool passed = false;
		for (int k = -50; k <= 50 && row == 2; ++k)
			passed |= to_round(s.wall.row + 2, capsule_point(&c, c.half * k / 50)) < 0;
		if (!passed) compare(&s, &b, row, to_round, s.wall.row + row, true, &hits);
	}
	CHECK(hits > test_cases(1500) / 20, "%lld hits", (long long)hits);
	stage_clear(&s);
}

/* A capsule rests on the edge of a step, with one end beyond the edge, and across a narrow beam. */
static void a_bar_rests_on_edges(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	const vec3 p[4] = {{-0.5, -4, 0}, {0.5, -4, 0}, {0.5, 4, 0}, {-0.5, 4, 0}};
	static const int32_t t[6] = {0, 1, 2, 0, 2, 3};
	assert_true(scree_walls_add_mesh(&s.wall, scree_wall_default("t", 0), 4, p, 2, t, &why) == 0);
	const mat3 turn = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}; /* rotates the axis to x */
	const int32_t near[2] = {0, 1};
	for (int k = 0; k < 2; ++k) {
		const placed b = {all.row + ROD, v3(k ? 1 : 0, 0, 0.49), turn, 1};
		touch_list probe = {0}, list = {0};
		int32_t touches[CAPSULE_PARTS];
		for (int32_t part = 0; part < CAPSULE_PARTS; ++part) {
			scree_capsule_wall(&b, part, 0, &(near_wall){&s.wall, 0, 2, near}, &probe, &list);
			touches[part] = list.count;
			for (int32_t i = 0; i < list.count; ++i) NEAR(list.item[i].depth, 0.01, 1e-12, "overlap");
		}
		assert_int_equal(touches[2], k ? 1 : 2);	  /* both borders of the beam, or only one */
		assert_int_equal(touches[0] + touches[1], k); /* the end that is above the step */
		scree_touch_list_free(&probe);
		scree_touch_list_free(&list);
	}
	stage_clear(&s);
}

/* Number of contacts of the bar or of both ends, for a rod along x with its middle at (x, y, z). */
static int32_t touches_of(const stage *s, vec3 at, bool bar)
{
	const mat3 turn = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};
	const placed b = {all.row + ROD, at, turn, 1};
	touch_list probe = {0}, list = {0};
	int32_t near[64], count = 0, touches = 0;
	for (int32_t k = 0; k < s->wall.row[0].facets; ++k) near[count++] = s->wall.row[0].first_facet + k;
	for (int32_t part = bar ? 2 : 0; part < (bar ? 3 : 2); ++part) {
		scree_capsule_wall(&b, part, 0, &(near_wall){&s->wall, 0, count, near}, &probe, &list);
		touches += list.count;
	}
	scree_touch_list_free(&probe);
	scree_touch_list_free(&list);
	return touches;
}

/* Adds a sheet of 2 x 2 squares with four triangles each, at height -slope |x|. */
static void add_sheet(stage *s, real slope)
{
	vec3 p[13];
	int32_t t[48], corners = 0, vertices = 9;
	fail why;
	for (int k = 0; k < 9; ++k) p[k] = v3(2 * (k % 3) - 2, 2 * (k / 3) - 2, -slope * 2 * real_abs(k % 3 - 1));
	for (int k = 0; k < 4; ++k) {
		const int32_t at = k % 2 + 3 * (k / 2), ring[5] = {at, at + 1, at + 4, at + 3, at};
		p[vertices] = v3_mul(0.25, v3_add(v3_add(p[ring[0]], p[ring[1]]), v3_add(p[ring[2]], p[ring[3]])));
		for (int e = 0; e < 4; ++e) t[corners++] = ring[e], t[corners++] = ring[e + 1], t[corners++] = vertices;
		++vertices;
	}
	assert_true(scree_walls_add_mesh(&s->wall, scree_wall_default("t", 0), 13, p, 16, t, &why) == 0);
}

/* A corner inside a flat part of a mesh does not cause a contact, at any distance from the bar. A straight ridge gives
 * one contact, even at a common corner of facets. */
static void bars_meet_no_corner_that_does_not_stand_out(void **state)
{
	(void)state;
	static const real aside[] = {0, 1e-13, 1e-9, 1e-7, -1e-6, 3e-6, -1e-5, 1e-4, 0.3};
	stage flat = {0}, roof = {0};
	add_sheet(&flat, 0);
	add_sheet(&roof, 0.5);
	for (size_t k = 0; k < sizeof aside / sizeof *aside; ++k)
		for (int row = 0; row < 2; ++row) {
			const vec3 at = v3(0.1, aside[k] + row, 0.49);
			CHECK(touches_of(&flat, at, true) == 0, "%d contacts of the bar at %g", touches_of(&flat, at, true), at.y);
			CHECK(touches_of(&flat, at, false) == 2, "%d contacts of the ends", touches_of(&flat, at, false));
			CHECK(touches_of(&roof, at, true) == 1, "%d contacts with a ridge at %g", touches_of(&roof, at, true),
				  at.y);
		}
	stage_clear(&flat);
	stage_clear(&roof);
}

static void measures_are_those_of_the_solid(void **state)
{
	(void)state;
	const shape *s = all.row + ROD;
	random_stream r = scree_random_start(9, 9);
	enum { POINTS = 200000 };
	real in = 0;
	vec3 square = v3(0, 0, 0);
	for (int n = 0; n < POINTS; ++n) {
		const vec3 x = v3(scree_random_between(&r, -0.5, 0.5), scree_random_between(&r, -0.5, 0.5),
						  scree_random_between(&r, -1.5, 1.5));
		if (v3_norm(v3(x.x, x.y, real_max(fabs(x.z) - 1, 0))) > 0.5) continue;
		in += 1;
		square = v3_add(square, v3(x.x * x.x, x.y * x.y, x.z * x.z));
	}
	const real unit = 3.0 / POINTS;
	NEAR(in * unit / s->volume, 1, 0.01, "volume");
	NEAR((square.y + square.z) * unit / s->inertia.x, 1, 0.02, "moment across");
	NEAR((square.x + square.y) * unit / s->inertia.z, 1, 0.02, "moment along");
	const shape *b = all.row + BALL, *q = all.row + SPHERE;
	NEAR(b->volume / q->volume, 1, 1e-14, "volume of a ball");
	NEAR(b->inertia.x / q->inertia.x, 1, 1e-14, "moment of a ball");
	CHECK(!(scree_shapes_add_capsule(&all, "short", 0.9, 1, &(fail){0}) >= 0), "a capsule shorter than its diameter");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_those_of_all_points),
		cmocka_unit_test(parallel_capsules_touch_twice),
		cmocka_unit_test(wrenches_are_continuous),
		cmocka_unit_test(three_contacts_are_as_stiff_as_two_at_most),
		cmocka_unit_test(single_contacts_have_the_whole_overlap),
		cmocka_unit_test(facets_are_met_by_ends_and_bar),
		cmocka_unit_test(tubes_are_met_by_ends_and_bar),
		cmocka_unit_test(a_bar_rests_on_edges),
		cmocka_unit_test(bars_meet_no_corner_that_does_not_stand_out),
		cmocka_unit_test(measures_are_those_of_the_solid),
	};
	return cmocka_run_group_tests(tests, make_shapes, forget_shapes);
}
