/* Ellipsoids, superquadrics and polyhedra: distances and overlaps, including deep ones, compared with brute force over
 * directions; contact points on both surfaces; and balls compared with contacts between spheres and polyhedra. */
#include "smooth_help.h"

#include "narrow/compound.h"
#include "narrow/narrow.h"
#include "narrow/smooth/smooth.h"
#include "part_shapes.h"

enum { BODIES = 9, SOLIDS = FIVE_SOLIDS + 2, CROSS = BODIES + SOLIDS, BALL };
static shapes all;

static int make_shapes(void **state)
{
	(void)state;
	fail why = {0};
	const squared made[BODIES] = {{{0.5, 0.5, 0.5}, 2, 2}, {{0.5, 0.7, 0.9}, 2, 2},	 {{0.1, 0.9, 1}, 2, 2},
								  {{0.1, 0.15, 1}, 2, 2},  {{0.5, 0.5, 0.9}, 3, 3},	 {{0.5, 0.7, 0.6}, 4.5, 4.5},
								  {{0.6, 0.5, 0.4}, 8, 8}, {{0.6, 0.6, 0.15}, 2, 8}, {{0.5, 0.7, 0.6}, 6, 2.5}};
	add_superquadrics(&all, BODIES, made);
	add_five_solids(&all);
	add_pebble(&all, 3, 12, v3(0.6, 0.8, 1));
	add_pebble(&all, 4, 60, v3(0.8, 0.8, 0.5));
	assert_true(part_add_compound(&all, "cross", &part_cross, &why) == CROSS);
	assert_true(scree_shapes_add_sphere(&all, "ball") == BALL);
	return 0;
}

static int forget_shapes(void **state)
{
	(void)state;
	scree_shapes_free(&all);
	return 0;
}

static placed random_body(random_stream *r, int32_t shape, vec3 at)
{
	return random_pose(r, all.row + shape, at, 0.6, 1.4);
}

/* Height of a point above the surface of a polyhedron: the largest height above a face. */
static real height_over(const placed *b, vec3 x)
{
	const vec3 p = v3_mul(1 / b->size, mat3_tmul(b->turn, v3_sub(x, b->at)));
	real most = -INFINITY;
	for (int32_t f = 0; f < b->shape->faces; ++f)
		most = real_max(most, v3_dot(shape_normal(b->shape, f), p) - b->shape->off[f]);
	return b->size * most;
}

/* ------------------------------------------------------------------ brute force */

typedef struct direction {
	vec3 n;
	real gap;
} direction;

enum { STARTS = 6 };

static void keep(direction *best, vec3 n, real gap)
{
	int i = STARTS - 1;
	if (gap <= best[i].gap) return;
	for (; i > 0 && gap > best[i - 1].gap; --i) best[i] = best[i - 1];
	best[i] = (direction){n, gap};
}

/* Largest gap over all directions: first over a grid, the normals of faces, and directions between the normals of
 * neighbouring faces, then in ever smaller steps around the best directions. */
static direction greatest_gap(const placed *a, const placed *b)
{
	enum { GRID = 600 };
	const shape *o = b->shape;
	direction best[STARTS];
	for (int k = 0; k < STARTS; ++k) best[k] = (direction){v3(0, 0, 1), -INFINITY};
	for (int k = 0; k < GRID; ++k) {
		const vec3 n = spread(k, GRID);
		keep(best, n, gap_along(a, b, n));
	}
	for (int32_t f = 0; f < o->faces; ++f)
		for (int32_t k = o->first[f]; k < o->first[f + 1]; ++k)
			for (int part = 0; part < 9; ++part) {
				const vec3 p = shape_normal(o, f), q = shape_normal(o, o->across[k]);
				const vec3 n = v3_unit(v3_madd(v3_mul(1 - part / 9.0, p), part / 9.0, q));
				const vec3 in = v3_neg(mat3_mul(b->turn, n));
				keep(best, in, gap_along(a, b, in));
			}
	direction found = best[0];
	for (int i = 0; i < STARTS; ++i) {
		real turn = 0;
		for (real step = 0.1; step > 1e-8; turn += 0.7) {
			const vec3 t = v3_across(best[i].n), u = v3_cross(best[i].n, t), from = best[i].n;
			bool moved = false;
			for (int k = 0; k < 12; ++k) {
				const real angle = turn + k * SCREE_PI / 6;
				const vec3 way = v3_add(v3_mul(cos(angle), t), v3_mul(sin(angle), u));
				for (real far = step; far < 0.5; far *= 2) { /* continue while the gap increases */
					const vec3 n = v3_unit(v3_madd(from, far, way));
					const real s = gap_along(a, b, n);
					if (s <= best[i].gap + 1e-15) break;
					best[i] = (direction){n, s}, moved = true;
				}
			}
			if (!moved) step /= 2;
		}
		if (best[i].gap > found.gap) found = best[i];
	}
	return found;
}

/* No direction gives a larger gap, and the direction found gives this gap. */
static void check_pair(const placed *a, const placed *b, real reach, int64_t *near_brute)
{
	const smooth_gap g = scree_smooth_pair(a, b, reach), h = scree_smooth_pair(b, a, reach);
	const direction brute = greatest_gap(a, b);
	const real size = placed_radius(a);
	NEAR(g.gap, gap_along(a, b, g.normal), 1e-12, "gap along the normal");
	NEAR(v3_norm(g.normal), 1, 1e-13, "normal");
	NEAR(h.gap, g.gap, 1e-12, "gap, exchanged");
	NEAR(v3_norm(v3_add(h.normal, g.normal)), 0, 1e-9, "normal, exchanged");
	CHECK(g.gap >= brute.gap - (g.sure ? 1e-11 : 2e-5 * size), "gap %.12g, over all directions %.12g (certified: %d)",
		  g.gap, brute.gap, g.sure);
	*near_brute += g.gap < brute.gap + 1e-4 * size;
	NEAR(inside_outside(a, v3_add(a->at, g.on_a)), 1, 1e-6, "the point of the body is on its surface");
	NEAR(height_over(b, v3_madd(v3_add(a->at, g.on_a), g.gap, g.normal)), 0, (g.sure ? 1e-9 : 1e-4) * size,
		 "the point of the polyhedron is on its surface");
}

static void gaps_are_those_of_all_directions(void **state)
{
	(void)state;
	int64_t count = 0, apart = 0, deep = 0, found = 0;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const int32_t solid = BODIES + (int32_t)scree_random_between(&r, 0, SOLIDS - 1e-9);
		placed a = random_body(&r, one_of(&r, BODIES), v3(0.1, 0.2, 0.3));
		placed b = random_body(&r, solid, v3(0, 0, 0));
		/* apart, or with a slight or deep overlap, along a random direction */
		const vec3 n = scree_random_direction(&r);
		const real all_the_way = reach_of(&a, n) + reach_of(&b, v3_neg(n));
		const real part = test_seed % 3 == 0   ? scree_random_between(&r, 0, 0.5)
						  : test_seed % 3 == 1 ? scree_random_between(&r, 0.001, 0.1)
											   : scree_random_between(&r, 0.5, 1);
		const bool outside = test_seed % 3 == 0;
		b.at = v3_madd(a.at, all_the_way * (outside ? 1 + part : 1 - part), n);
		const smooth_gap g = scree_smooth_pair(&a, &b, 10);
		check_pair(&a, &b, 10, &found);
		apart += g.gap > 0, deep += !g.sure, ++count;
	}
	printf("# %lld apart, %lld deep, %lld of %lld found by brute force, too\n", (long long)apart, (long long)deep,
		   (long long)found, (long long)count);
	if (count >= 300) CHECK(apart > count / 5 && deep > count / 20 && found > 9 * count / 10, "cases");
}

/* If the body's core is separate from the polyhedron, one walk finds the largest gap, with a certificate. */
static void shallow_overlaps_are_certified(void **state)
{
	(void)state;
	int64_t count = 0;
	real worst = 0, round = 0;
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		const int32_t solid = BODIES + (int32_t)scree_random_between(&r, 0, SOLIDS - 1e-9);
		const placed a = random_body(&r, one_of(&r, BODIES), v3(0, 0, 0));
		placed b = random_body(&r, solid, v3(0, 0, 0));
		const vec3 n = scree_random_direction(&r);
		const real sharp = scree_smooth_of(&a, 0).sharp;
		b.at = v3_mul(reach_of(&a, n) + reach_of(&b, v3_neg(n)), n);
		const real touching = scree_smooth_pair(&a, &b, 10).gap;
		b.at = v3_madd(b.at, -touching - sharp * scree_random_between(&r, -1, 0.9), n);
		const smooth_gap g = scree_smooth_pair(&a, &b, 10);
		if (g.gap < -0.95 * sharp) continue;
		++count;
		worst = real_max(worst, g.slack);
		if (a.shape->power_xy == 2 && a.shape->power_z == 2) round = real_max(round, g.slack);
		CHECK(g.sure, "gap %g with a radius of curvature of %g: slack %g", g.gap, sharp, g.slack);
	}
	printf("# worst slack %.2g, of ellipsoids %.2g\n", worst, round);
	CHECK(round < 1e-11, "slack of ellipsoids %g", round);
	CHECK(count > test_cases(3000) / 2, "%lld pairs", (long long)count);
}

/* Beyond reach, the result is a lower bound on the distance; within reach, it is the distance. */
static void beyond_reach_there_is_a_bound(void **state)
{
	(void)state;
	FOR_SEEDS(500)
	{
		random_stream r = scree_random_start(test_seed, 3);
		const int32_t solid = BODIES + (int32_t)scree_random_between(&r, 0, SOLIDS - 1e-9);
		const placed a = random_body(&r, one_of(&r, BODIES), v3(0, 0, 0));
		const placed b = random_body(&r, solid, v3_mul(scree_random_between(&r, 0.3, 2), scree_random_direction(&r)));
		const real exact = scree_smooth_pair(&a, &b, 10).gap, reach = scree_random_between(&r, 0, 0.5);
		const real found = scree_smooth_pair(&a, &b, reach).gap;
		CHECK(found <= exact + 1e-12, "bound %g, distance %g", found, exact);
		if (exact < reach) NEAR(found, exact, 1e-12, "distance");
		if (exact >= reach) CHECK(found >= reach - 1e-12, "bound %g, distance %g, reach %g", found, exact, reach);
		if (exact > 0) CHECK(scree_gap(&a, &b, false) >= -1e-12, "the bodies are apart");
	}
}

/* A ball defined as an ellipsoid has the same contact as a sphere. */
static void balls_in_disguise_are_balls(void **state)
{
	(void)state;
	int64_t met = 0;
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 4);
		const placed a = random_body(&r, 0, v3_mul(scree_random_between(&r, 0, 1.5), scree_random_direction(&r)));
		const int32_t solid = BODIES + (int32_t)scree_random_between(&r, 0, SOLIDS - 1e-9);
		const placed b = random_body(&r, solid, v3(0, 0, 0));
		const placed ball = {all.row + BALL, a.at, a.turn, a.size};
		point_list p = {0}, q = {0};
		scree_parts_points(&b, &a, 1, 0.5, 0, 1, &p);
		scree_parts_points(&b, &ball, 1, 0.5, 0, 1, &q);
		assert_int_equal(p.count, q.count);
		if (p.count) {
			++met;
			NEAR(p.item[0].depth, q.item[0].depth, 1e-11, "overlap");
			const bool two_faces = q.item[0].depth > 0.5 * a.size;
			if (!two_faces) NEAR(v3_norm(v3_sub(p.item[0].normal, q.item[0].normal)), 0, 1e-9, "normal");
			if (!two_faces) NEAR(v3_norm(v3_sub(p.item[0].at, q.item[0].at)), 0, 1e-9, "point");
		}
		scree_point_list_free(&p);
		scree_point_list_free(&q);
	}
	CHECK(met > test_cases(3000) / 4, "%lld pairs met", (long long)met);
}

/* The force of a spring is the gradient of its energy: the normal and the contact point determine how the overlap
 * changes with the pose. */
static void the_overlap_is_a_potential(void **state)
{
	(void)state;
	int64_t count = 0;
	FOR_SEEDS(600)
	{
		random_stream r = scree_random_start(test_seed, 5);
		const int32_t solid = BODIES + (int32_t)scree_random_between(&r, 0, SOLIDS - 1e-9);
		placed a = random_body(&r, one_of(&r, 4), v3(0, 0, 0)); /* ellipsoids */
		placed b = random_body(&r, solid, v3(0, 0, 0));
		const quat q = scree_random_rotation(&r);
		a.turn = quat_matrix(q);
		const vec3 n = scree_random_direction(&r), way = scree_random_direction(&r), turn = scree_random_direction(&r);
		const real sharp = scree_smooth_of(&a, 0).sharp, h = 1e-6 * sharp;
		b.at = v3_mul(reach_of(&a, n) + reach_of(&b, v3_neg(n)), n);
		b.at = v3_madd(b.at, -scree_smooth_pair(&a, &b, 10).gap - 0.5 * sharp, n);
		const smooth_gap g = scree_smooth_pair(&a, &b, 10);
		if (!g.sure) continue;
		placed moved = b, turned = a;
		moved.at = v3_madd(b.at, h, way);
		turned.turn = quat_matrix(quat_mul(quat_exp(turn, h), q));
		NEAR((scree_smooth_pair(&a, &moved, 10).gap - g.gap) / h, v3_dot(g.normal, way), 1e-3, "along a way");
		NEAR((scree_smooth_pair(&turned, &b, 10).gap - g.gap) / h, -v3_dot(g.normal, v3_cross(turn, g.on_a)), 1e-3,
			 "by a rotation");
		++count;
	}
	CHECK(count > test_cases(600) / 3, "%lld pairs", (long long)count);
}

/* A body deep inside the middle of a plate is pushed out on the nearer side, a body inside an edge of a needle across
 * the edge, and a body inside a cross by the contacts with the parts of the cross. */
static void known_poses(void **state)
{
	(void)state;
	const mat3 flat = quat_matrix(quat_one());
	const placed plate = {all.row + BODIES + 3, v3(0, 0, 0), flat, 1},
				 disc = {all.row + 2, v3(0.1, 0.2, 0.03), flat, 1};
	const smooth_gap g = scree_smooth_pair(&disc, &plate, 0);
	NEAR(g.gap, -(1 + 0.1 - 0.03), 1e-12, "a disc that stands in a plate");
	const placed lies = {all.row + 2, v3(0.1, 0.2, 0.03), quat_matrix(quat_exp(v3(0, SCREE_PI / 2, 0), 1)), 1};
	NEAR(scree_smooth_pair(&lies, &plate, 0).gap, -(0.1 + 0.1 - 0.03), 1e-12, "a disc that lies in a plate");
	const placed cross = {all.row + CROSS, v3(0, 0, 0), flat, 1}, egg = {all.row + 1, v3(0.3, 0.3, 0), flat, 0.4};
	point_list p = {0};
	scree_parts_points(&egg, &cross, 1, 1, 0, 1, &p);
	real deepest = 0;
	for (int32_t k = 0; k < p.count; ++k) deepest = real_max(deepest, p.item[k].depth);
	CHECK(p.count >= 2, "%d contacts in the corner of a cross", p.count);
	NEAR(deepest, real_max(0.2 - 0.175, 0.28 - 0.175), 1e-9, "overlap in the corner of a cross");
	scree_point_list_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_those_of_all_directions), cmocka_unit_test(shallow_overlaps_are_certified),
		cmocka_unit_test(beyond_reach_there_is_a_bound),	cmocka_unit_test(balls_in_disguise_are_balls),
		cmocka_unit_test(the_overlap_is_a_potential),		cmocka_unit_test(known_poses),
	};
	return cmocka_run_group_tests(tests, make_shapes, forget_shapes);
}
