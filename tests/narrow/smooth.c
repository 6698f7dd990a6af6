/* Ellipsoids, superquadrics and balls: distances and overlaps compared with brute force over directions, certificates
 * compared with the inside-outside function, contacts with walls compared with brute force over the body's surface;
 * and balls defined as other shapes. */
#include "smooth_help.h"
#include "wall_help.h"

#include "narrow/smooth/smooth.h"
#include "shape/shapes.h"

enum { KINDS = 12 };
static shapes all;

static int make_shapes(void **state)
{
	(void)state;
	const squared made[KINDS] = {{{0.5, 0.5, 0.5}, 2, 2}, {{0.5, 1, 1.5}, 2, 2},	   {{0.3, 1.5, 1.4}, 2, 2},
								 {{0.5, 0.5, 0.9}, 3, 3}, {{0.5, 0.7, 0.6}, 4.5, 4.5}, {{0.6, 0.5, 0.4}, 8, 8},
								 {{0.5, 0.5, 0.8}, 2, 8}, {{0.6, 0.6, 0.25}, 2, 8},	   {{0.6, 0.4, 0.5}, 8, 2},
								 {{0.4, 0.6, 0.7}, 3, 5}, {{0.5, 0.7, 0.6}, 6, 2.5},   {{0.3, 0.25, 0.9}, 2, 4}};
	add_superquadrics(&all, KINDS, made);
	assert_true(scree_shapes_add_sphere(&all, "ball") == KINDS);
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

static int32_t any_shape(random_stream *r) { return (int32_t)scree_random_between(r, 0, KINDS + 0.999); }

/* Largest gap over all directions: first over a grid, then in ever smaller steps around the best directions. */
static real greatest_gap(const placed *a, const placed *b)
{
	enum { GRID = 400, STARTS = 4 };
	vec3 best[STARTS];
	real most[STARTS] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
	for (int k = 0; k < GRID; ++k) {
		const vec3 n = spread(k, GRID);
		const real s = gap_along(a, b, n);
		int i = STARTS - 1;
		if (s <= most[i]) continue;
		for (; i > 0 && s > most[i - 1]; --i) most[i] = most[i - 1], best[i] = best[i - 1];
		most[i] = s, best[i] = n;
	}
	real found = -INFINITY;
	for (int i = 0; i < STARTS; ++i) {
		real turn = 0;
		for (real step = 0.1; step > 1e-9; turn += 0.7) {
			const vec3 t = v3_across(best[i]), u = v3_cross(best[i], t), from = best[i];
			bool moved = false;
			for (int k = 0; k < 8; ++k) {
				const real angle = turn + k * SCREE_PI / 4;
				const vec3 way = v3_add(v3_mul(cos(angle), t), v3_mul(sin(angle), u));
				for (real far = step; far < 0.5; far *= 2) { /* continue while the gap increases */
					const vec3 n = v3_unit(v3_madd(from, far, way));
					const real s = gap_along(a, b, n);
					if (s <= most[i] + 1e-15) break;
					most[i] = s, best[i] = n, moved = true;
				}
			}
			if (!moved) step /= 2;
		}
		found = real_max(found, most[i]);
	}
	return found;
}

static smooth_gap gap_of(const placed *a, const placed *b)
{
	const smooth s = scree_smooth_of(a, 0), t = scree_smooth_of(b, 0);
	return scree_smooth_gap(&s, &t);
}

static void gaps_are_those_of_all_directions(void **state)
{
	(void)state;
	int64_t deep = 0, apart = 0, better = 0, count = 0;
	FOR_SEEDS(200)
	{
		random_stream r = scree_random_start(test_seed, 3);
		const placed a = random_body(&r, any_shape(&r), 1), b = random_body(&r, any_shape(&r), 1.2);
		const smooth_gap g = gap_of(&a, &b);
		const real brute = greatest_gap(&a, &b);
		CHECK(g.gap >= brute - (g.sure ? 1e-11 : 1e-9), "gap %.12g, over all directions %.12g", g.gap, brute);
		NEAR(g.gap, gap_along(&a, &b, g.normal), 1e-12, "gap along the normal");
		deep += !g.sure, apart += g.gap > 0, ++count;
		better += g.gap > brute + 1e-5; /* the grid has missed the best direction */
	}
	printf("# %lld apart, %lld deeper than their curvature, in %lld better than the grid\n", (long long)apart,
		   (long long)deep, (long long)better);
	CHECK(better <= 1 + count / 200, "%lld of %lld are better than the grid", (long long)better, (long long)count);
}

static bool all_round(const shape *s) { return !(s->power_xy > 2) && !(s->power_z > 2); }

/* The distance between a certified pair: no direction may give a larger gap (upper bound), and the direction found
 * gives this gap (lower bound). The points are on the surfaces, one above the other along the normal. */
static void certificates_hold(void **state)
{
	(void)state;
	int64_t steps = 0, count = 0, unsure = 0, slow = 0;
	int32_t most = 0;
	real worst = 0, round = 0;
	FOR_SEEDS(10000)
	{
		random_stream r = scree_random_start(test_seed, 4);
		const placed a = random_body(&r, any_shape(&r), 0.5);
		placed b = random_body(&r, any_shape(&r), 1);
		/* apart or slightly overlapping, along a random direction */
		const vec3 n = scree_random_direction(&r);
		b.at = v3_add(a.at, v3_mul(reach_of(&a, n) + reach_of(&b, n), n));
		b.at = v3_madd(b.at, scree_random_between(&r, -0.05, 0.05) * a.size, n);
		const smooth_gap g = gap_of(&a, &b);
		steps += g.steps, ++count;
		if (!g.sure && g.gap > -0.9 * (scree_smooth_of(&a, 0).sharp + scree_smooth_of(&b, 0).sharp)) {
			printf("# seed %llu: gap %g is not certified, slack %g, %d steps\n", (unsigned long long)test_seed, g.gap,
				   g.slack, g.steps);
			++unsure;
		}
		slow += g.steps > 30, most = g.steps > most ? g.steps : most;
		if (!g.sure) continue;
		worst = real_max(worst, g.slack);
		if (all_round(a.shape) && all_round(b.shape)) round = real_max(round, g.slack);
		NEAR(inside_outside(&a, v3_add(a.at, g.on_a)), 1, 1e-12, "the point of a is on its surface");
		const vec3 on_b = v3_madd(v3_add(a.at, g.on_a), g.gap, g.normal);
		NEAR(inside_outside(&b, on_b), 1, 3e-4, "the point of b is on its surface");
		NEAR(g.gap, gap_along(&a, &b, g.normal), 1e-12, "gap along the normal");
	}
	printf("# %.2f steps in the mean, worst slack %.2g, of ellipsoids %.2g\n", (real)steps / (real)count, worst, round);
	printf("# %d steps at most, more than 30 in %lld of %lld\n", most, (long long)slow, (long long)count);
	CHECK(round < 1e-12, "slack of ellipsoids %g", round);
	CHECK(!unsure, "%lld pairs of %lld are not certified", (long long)unsure, (long long)count);
}

/* Second derivatives of support functions compared with finite differences, and their eigenvalues, the radii of
 * curvature, compared with the bound used by certificates. An ellipsoid reaches this bound. */
static void no_radius_of_curvature_is_below_the_bound(void **state)
{
	(void)state;
	const real step = 1e-4;
	for (int k = 0; k < KINDS; ++k) {
		const placed p = {all.row + k, v3(0, 0, 0), quat_matrix(quat_one()), 1};
		const smooth s = scree_smooth_of(&p, 0);
		random_stream r = scree_random_start(12, (uint64_t)k);
		real least = INFINITY;
		for (int64_t d = 0; d < test_cases(4000); ++d) {
			const vec3 n = scree_random_direction(&r), t = v3_unit(v3_cross(n, scree_random_direction(&r)));
			const vec3 u = v3_cross(n, t);
			const support f = scree_smooth_support(&s, n, t, u);
			const real middle = (f.tt + f.uu) / 2, apart = sqrt((f.tt - f.uu) * (f.tt - f.uu) / 4 + f.tu * f.tu);
			least = real_min(least, middle - apart);
			NEAR(f.reach, reach_of(&p, n), 1e-13, "support function");
			NEAR(v3_dot(f.at, n), f.reach, 1e-13, "the point is on its plane");
			/* the derivatives change too fast for finite differences */
			if (real_min(fabs(n.x), real_min(fabs(n.y), fabs(n.z))) < 0.1) continue;
			const real up = reach_of(&p, v3_madd(n, step, t)), down = reach_of(&p, v3_madd(n, -step, t));
			NEAR((up + down - 2 * f.reach) / (step * step) / f.tt, 1, 1e-4, "second derivative");
			const real both = reach_of(&p, v3_madd(v3_madd(n, step, t), step, u));
			const real mixed = (both - up - reach_of(&p, v3_madd(n, step, u)) + f.reach) / (step * step);
			NEAR(mixed, f.tu, 1e-2 * middle, "mixed second derivative");
		}
		CHECK(least >= s.sharp * (1 - 1e-12), "kind %d: radius of curvature %g, bound %g", k, least, s.sharp);
		if (all_round(p.shape)) CHECK(least < 1.05 * s.sharp, "radius of curvature %g, bound %g", least, s.sharp);
		printf("# kind %d: least radius of curvature found %.4g, bound %.4g\n", k, least, s.sharp);
	}
}

/* A body is placed using its triangles, beyond which it extends by a known fraction of its radius
 * (scene/place_apart.c). */
static void triangles_are_near_the_surface(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; ++k) {
		const placed p = {all.row + k, v3(0, 0, 0), quat_matrix(quat_one()), 1};
		random_stream r = scree_random_start(13, (uint64_t)k);
		const trimesh *m = p.shape->skin;
		for (int32_t v = 0; v < m->vertices; ++v) {
			NEAR(inside_outside(&p, m->vertex[v]), 1, 1e-12, "vertex");
			const vec3 n = scree_superquadric_normal(p.shape, m->vertex[v]);
			NEAR(v3_dot(n, m->vertex[v]), reach_of(&p, n), 1e-9, "normal of a vertex");
		}
		for (int d = 0; d < 300; ++d) {
			const vec3 n = scree_random_direction(&r);
			real far = 0;
			for (int32_t v = 0; v < m->vertices; ++v) far = real_max(far, v3_dot(n, m->vertex[v]));
			const real out = (reach_of(&p, n) - far) / p.shape->radius;
			CHECK(out >= -1e-12 && out < 2.5e-3, "kind %d: the body is %g of its radius out of its triangles", k, out);
		}
	}
}

static void exchanged_bodies_have_the_same_gap(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		const placed a = random_body(&r, any_shape(&r), 1), b = random_body(&r, any_shape(&r), 1.5);
		const smooth_gap g = gap_of(&a, &b), h = gap_of(&b, &a);
		NEAR(g.gap, h.gap, 1e-11, "gap");
		if (g.sure && g.gap < 1)
			CHECK(v3_dot(g.normal, h.normal) < -1 + 1e-6, "normals %g", v3_dot(g.normal, h.normal));
	}
}

static void balls_in_disguise_are_balls(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 6);
		const int32_t ball = test_seed % 2 ? 0 : KINDS;
		const placed a = random_body(&r, 0, 1), b = random_body(&r, ball, 1);
		const vec3 way = v3_sub(b.at, a.at);
		const smooth_gap g = gap_of(&a, &b);
		NEAR(g.gap, v3_norm(way) - (a.size + b.size) / 2, 1e-14, "gap");
		NEAR(v3_dot(g.normal, v3_unit(way)), 1, 1e-14, "normal");
	}
}

static void measures_are_those_of_the_solid(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; ++k) {
		const shape *s = all.row + k;
		random_stream r = scree_random_start(9, (uint64_t)k);
		const placed p = {s, v3(0, 0, 0), quat_matrix(quat_one()), 1};
		enum { POINTS = 200000 };
		const real box = 8 * s->semi_x * s->semi_y * s->semi_z;
		real in = 0, far = 0;
		vec3 square = v3(0, 0, 0);
		for (int n = 0; n < POINTS; ++n) {
			const vec3 x =
				v3(scree_random_between(&r, -s->semi_x, s->semi_x), scree_random_between(&r, -s->semi_y, s->semi_y),
				   scree_random_between(&r, -s->semi_z, s->semi_z));
			if (inside_outside(&p, x) > 1) continue;
			in += 1, far = real_max(far, v3_norm(x));
			square = v3_add(square, v3(x.x * x.x, x.y * x.y, x.z * x.z));
		}
		const real unit = box / POINTS;
		NEAR(in * unit / s->volume, 1, 0.01, "volume");
		NEAR((square.y + square.z) * unit / s->inertia.x, 1, 0.03, "moment about x");
		NEAR((square.z + square.x) * unit / s->inertia.y, 1, 0.03, "moment about y");
		NEAR((square.x + square.y) * unit / s->inertia.z, 1, 0.03, "moment about z");
		CHECK(far <= s->radius && far > 0.9 * s->radius, "radius %g, farthest point %g", s->radius, far);
		/* a cross section has the area of a superellipse, and integrating over the sections gives an Euler integral */
		const real q = s->power_xy, e = s->power_z, section = 2 * lgamma(1 + 1 / q) - lgamma(1 + 2 / q);
		const real sections = lgamma(1 + 1 / e) + lgamma(1 + 2 / e) - lgamma(1 + 3 / e);
		NEAR(s->volume / (box * exp(section + sections)), 1, 1e-13, "volume by the gamma function of libm");
	}
}

/* Polyhedra: brute force over directions yields a lower bound on the gap. */
static void polyhedra_are_met_at_faces_edges_and_corners(void **state)
{
	(void)state;
	fail why = {0};
	const char *const solid[3] = {"cube", "tetrahedron", "dodecahedron"};
	shapes solids = {0};
	int64_t near = 0;
	for (int k = 0; k < 3; ++k) assert_true(scree_shapes_add_regular(&solids, solid[k], solid[k], &why) == k);
	FOR_SEEDS(400)
	{
		random_stream r = scree_random_start(test_seed, 11);
		const placed a = random_body(&r, any_shape(&r) % KINDS, 0.5);
		placed b = {solids.row + test_seed % 3, random_place(&r, 1.2), quat_matrix(scree_random_rotation(&r)), 1.3};
		const smooth_gap g = scree_smooth_pair(&a, &b, 10);
		const smooth_gap h = scree_smooth_pair(&b, &a, 10);
		real brute = -INFINITY;
		vec3 best = v3(0, 0, 1);
		for (real step = 10; step > 1e-10; step *= step > 5 ? 0.05 : 0.8)
			for (int k = 0; k < (step > 5 ? 1500 : 40); ++k) {
				const vec3 n = v3_unit(v3_madd(best, step, scree_random_direction(&r)));
				real support = -INFINITY;
				for (int32_t v = 0; v < b.shape->vertices; ++v)
					support = real_max(support, v3_dot(mat3_tmul(b.turn, v3_neg(n)), shape_vertex(b.shape, v)));
				const real gap = v3_dot(n, v3_sub(b.at, a.at)) - reach_of(&a, n) - b.size * support;
				if (gap > brute) brute = gap, best = n;
			}
		NEAR(g.gap, h.gap, 1e-12, "exchanged");
		if (brute < -0.1) continue; /* overlaps larger than the radius of curvature */
		++near;
		CHECK(g.gap >= brute - 1e-10 && g.gap < brute + 1e-3, "gap %.12g, over all directions %.12g", g.gap, brute);
		NEAR(inside_outside(&a, v3_add(a.at, g.on_a)), 1, 1e-11, "the point of the body");
	}
	CHECK(near > test_cases(400) / 4, "%lld near pairs", (long long)near);
	scree_shapes_free(&solids);
}

/* ------------------------------------------------------------------ walls */

static void meet(stage *s, const placed *b, int32_t wall_row)
{
	const int32_t n = all_facets(s, wall_row);
	scree_smooth_wall(b, 0, 1.5, &(near_wall){&s->wall, wall_row, n, s->all}, &s->list);
}

/* A dense cloud of points on the surface. */
enum { CLOUD = 20000 };
static vec3 cloud_point(const placed *b, int k)
{
	const vec3 n = spread(k, CLOUD);
	const smooth s = scree_smooth_of(b, 0);
	return v3_add(b->at, scree_smooth_plane(&s, n, v3_across(n)).at);
}

static void planes_and_tubes_are_met_at_the_deepest_point(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	const vec3 axis = v3_unit(v3(1, 2, 3)), up = v3_unit(v3(0.3, -0.2, 1));
	const wall w = scree_wall_default("w", 0);
	assert_true(scree_walls_add_plane(&s.wall, w, v3(0, 0, 0), up, &why) == 0);
	assert_true(scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 0), axis, 2.5, INFINITY, SIDE_INSIDE, &why) == 1);
	assert_true(scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 0), axis, 1, INFINITY, SIDE_OUTSIDE, &why) == 2);
	assert_true(scree_walls_add_cone(&s.wall, w, v3_mul(-8, axis), axis, 1, 6, 16, SIDE_INSIDE, &why) == 3);
	FOR_SEEDS(120)
	{
		random_stream r = scree_random_start(test_seed, 7);
		placed b = random_body(&r, any_shape(&r) % KINDS, 1);
		const int32_t k = (int32_t)(test_seed % 4);
		if (k == 2) b.at = v3_mul(1.8 / v3_norm(v3_madd(b.at, -v3_dot(b.at, axis), axis)), b.at);
		real brute = -INFINITY;
		for (int c = 0; c < CLOUD; ++c) {
			const vec3 x = cloud_point(&b, c);
			const real z = v3_dot(x, axis), rho = v3_norm(v3_madd(x, -z, axis));
			const real slope = 5.0 / 16, cosine = 1 / sqrt(1 + slope * slope);
			const real deep = k == 0   ? -v3_dot(x, up)
							  : k == 1 ? rho - 2.5
							  : k == 2 ? 1 - rho
									   : (rho - (1 + slope * (z + 8))) * cosine;
			brute = real_max(brute, deep);
		}
		meet(&s, &b, k);
		real deepest = 0;
		for (int32_t t = 0; t < s.list.count; ++t) deepest = real_max(deepest, s.list.item[t].depth);
		if (k == 2 && deepest > 0.2) continue; /* the cylinder is inside the body */
		NEAR(deepest, real_max(brute, 0), 3e-3, k == 0 ? "plane" : k == 1 ? "inside" : k == 2 ? "outside" : "cone");
	}
	stage_clear(&s);
}

/* A rod across a narrow tube touches the tube with both ends. */
static void a_long_body_touches_a_tube_twice(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	assert_true(scree_walls_add_cylinder(&s.wall, scree_wall_default("w", 0), v3(0, 0, 0), v3(1, 0, 0), 2, INFINITY,
										 SIDE_INSIDE, &why) == 0);
	const placed b = {all.row + 1, v3(0, 0, -1.4), {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, 1};
	meet(&s, &b, 0);
	assert_int_equal(s.list.count, 2);
	NEAR(s.list.item[0].depth, s.list.item[1].depth, 1e-12, "both depths");
	stage_clear(&s);
}

/* A box made of facets acts like a box made of planes; seen from outside, its edge is a segment. */
static void facets_are_planes_edges_and_corners(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	static const int32_t t[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	const vec3 p[4] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
	assert_true(scree_walls_add_mesh(&s.wall, scree_wall_default("t", 0), 4, p, 4, t, &why) == 0);
	int64_t hits = 0;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 8);
		placed b = random_body(&r, any_shape(&r) % KINDS, 2);
		b.size *= 0.5;
		/* largest gap to the tetrahedron x, y, z >= 0, x + y + z <= 2 over all directions */
		const vec3 inward = v3_unit(v3(-1, -1, -1));
		const bool within = b.at.x > 0 && b.at.y > 0 && b.at.z > 0 && b.at.x + b.at.y + b.at.z < 2;
		real brute = -INFINITY;
		vec3 best = inward;
		for (real step = 2; step > 1e-10; step *= 0.87)
			for (int k = 0; k < 100; ++k) {
				const vec3 n = v3_unit(v3_madd(best, step == 2 ? 10 : step, scree_random_direction(&r)));
				real support = -INFINITY;
				for (int c = 0; c < 4; ++c) support = real_max(support, v3_dot(n, p[c]));
				const real gap = v3_dot(n, b.at) - reach_of(&b, v3_neg(n)) - support;
				if (gap > brute) brute = gap, best = n;
			}
		/* if the overlap at an edge exceeds a few radii of curvature, another direction may have less overlap */
		const bool deep = brute < -0.15 || brute < -4 * scree_smooth_of(&b, 0).sharp;
		if (within || (brute > -1e-3 && brute < 1e-6) || deep) continue;
		meet(&s, &b, 0);
		real deepest = 0;
		for (int32_t k = 0; k < s.list.count; ++k) deepest = real_max(deepest, s.list.item[k].depth);
		CHECK(deepest <= real_max(-brute, 0) + 1e-9 && deepest > real_max(-brute, 0) - 1e-4,
			  "overlap %.12g, over all directions %.12g", deepest, -brute);
		hits += brute < 0;
	}
	printf("# %lld hits\n", (long long)hits);
	if (test_cases(300) == 300) CHECK(hits > 3, "%lld hits", (long long)hits);
	stage_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_those_of_all_directions),
		cmocka_unit_test(certificates_hold),
		cmocka_unit_test(no_radius_of_curvature_is_below_the_bound),
		cmocka_unit_test(triangles_are_near_the_surface),
		cmocka_unit_test(exchanged_bodies_have_the_same_gap),
		cmocka_unit_test(balls_in_disguise_are_balls),
		cmocka_unit_test(measures_are_those_of_the_solid),
		cmocka_unit_test(polyhedra_are_met_at_faces_edges_and_corners),
		cmocka_unit_test(planes_and_tubes_are_met_at_the_deepest_point),
		cmocka_unit_test(a_long_body_touches_a_tube_twice),
		cmocka_unit_test(facets_are_planes_edges_and_corners),
	};
	return cmocka_run_group_tests(tests, make_shapes, forget_shapes);
}
