/* Spheres on walls: closest points compared with brute force; seams, ridges, corners and valleys; the same wall built
 * in several ways. */
#include "wall_help.h"

#include "wall/facets.h"

static int32_t add_triangle(stage *s, const vec3 *p, bool two_sided)
{
	static const int32_t t[3] = {0, 1, 2};
	fail why;
	wall w = scree_wall_default("triangle", 0);
	w.two_sided = two_sided;
	int32_t row = scree_walls_add_mesh(&s->wall, w, 3, p, 1, t, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* the closest point on a triangle by ternary search in its two coordinates, a slow but independent method */
static real distance_to_triangle(vec3 c, const vec3 *p)
{
	real best = INFINITY;
	real low = 0, high = 1;
	vec3 u = v3_sub(p[1], p[0]), v = v3_sub(p[2], p[0]);
	for (int i = 0; i < 90; ++i) {
		real a[2] = {low + (high - low) / 3, high - (high - low) / 3}, f[2];
		for (int k = 0; k < 2; ++k) {
			vec3 q = v3_sub(v3_madd(p[0], a[k], u), c);
			real t = real_clamp(-v3_dot(q, v) / v3_norm2(v), 0, 1 - a[k]);
			f[k] = v3_norm(v3_madd(q, t, v));
			best = real_min(best, f[k]);
		}
		if (f[0] < f[1])
			high = a[1];
		else
			low = a[0];
	}
	return best;
}

static void triangles_are_met_at_the_closest_point(void **state)
{
	(void)state;
	stage s = {0};
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		vec3 p[3], c = random_in(&r, 1.5);
		for (int k = 0; k < 3; ++k) p[k] = random_in(&r, 1);
		scree_walls_free(&s.wall);
		int32_t row = add_triangle(&s, p, true);
		real radius = scree_random_between(&r, 0.1, 1), d = distance_to_triangle(c, p);
		push f = meet_sphere(&s, c, radius, row);
		if (real_abs(d - radius) < 1e-7) continue;
		CHECK((s.list.count > 0) == (d < radius), "distance %g, radius %g", d, radius);
		if (!s.list.count) continue;
		NEAR(f.deepest, radius - d, 1e-7, "overlap");
		/* the contact point is midway, half the overlap away from the triangle along the normal */
		vec3 on = v3_madd(v3_add(c, s.list.at[0]), f.deepest / 2, s.list.item[0].normal);
		NEAR(distance_to_triangle(on, p), 0, 1e-7, "the point's place");
		/* one-sided walls act only at the front */
		scree_walls_free(&s.wall);
		row = add_triangle(&s, p, false);
		bool front = v3_dot(s.wall.facet[0].normal, c) >= s.wall.facet[0].off;
		meet_sphere(&s, c, radius, row);
		CHECK(s.list.count == (front ? 1 : 0), "a one-sided triangle from its %s", front ? "front" : "back");
	}
	stage_clear(&s);
}

static void a_ball_rolls_over_seams_without_a_bump(void **state)
{
	(void)state;
	stage s = {0};
	int32_t floor[3] = {add_random_floor(&s, 3, 20, 0, 1, false), add_random_floor(&s, 3, 31, 0.2, 2, false),
						add_random_floor(&s, 3, 7, 0.2, 3, true)};
	for (int k = 0; k < 20000; ++k)
		for (int i = 0; i < 3; ++i) {
			vec3 c = v3(-2 + k * 2e-4, i == 1 ? 0.3 * (-2 + k * 2e-4) : 0, 0.099);
			push p = meet_sphere(&s, c, 0.1, floor[i]);
			CHECK(s.list.count == 1 && s.list.points == 1, "%d touches at x = %g", s.list.count, c.x);
			NEAR(s.list.item[0].normal.x, 0, 1e-14, "normal");
			NEAR(s.list.item[0].normal.y, 0, 1e-14, "normal");
			NEAR(p.force.z, 0.001, 1e-14, "force");
		}
	stage_clear(&s);
}

static void a_box_is_a_box_however_made(void **state)
{
	(void)state;
	for (int inside = 0; inside < 2; ++inside) {
		stage s = {0};
		vec3 low = v3(-1, -0.8, -0.6), high = v3(1, 0.8, 0.6);
		int32_t mesh = add_box(&s, low, high, inside, true), side = add_box(&s, low, high, inside, false);
		FOR_SEEDS(4000)
		{
			random_stream r = scree_random_start(test_seed, 2);
			vec3 c = random_in(&r, inside ? 0.95 : 1.6);
			if (inside) c = v3(c.x, c.y * 0.8, c.z * 0.6);
			real radius = scree_random_between(&r, 0.05, 0.5);
			vec3 q = v3(real_clamp(c.x, low.x, high.x), real_clamp(c.y, low.y, high.y), real_clamp(c.z, low.z, high.z));
			real d = v3_norm(v3_sub(c, q));
			if (!inside && d == 0) continue;
			push a = meet_sphere(&s, c, radius, mesh), b = {{0, 0, 0}, {0, 0, 0}, 0, 0};
			int32_t touches = s.list.count, sides = 0;
			for (int f = 0; f < 6; ++f) {
				push p = meet_sphere(&s, c, radius, side + f);
				b.force = v3_add(b.force, p.force);
				sides += s.list.count;
			}
			if (inside) {
				CHECK(touches == sides, "%d touches with a mesh, %d with polygons", touches, sides);
				NEAR(v3_norm(v3_sub(a.force, b.force)), 0, 1e-14, "force");
			} else {
				/* outside, there is one contact, exactly in the direction of the closest point of the box */
				CHECK(touches == (d < radius), "%d touches at distance %g of radius %g", touches, d, radius);
				if (touches) NEAR(v3_norm(v3_sub(a.force, v3_mul((radius - d) / d, v3_sub(c, q)))), 0, 1e-12, "force");
			}
		}
		stage_clear(&s);
	}
}

static void a_closed_mesh_pushes_out_what_is_deep_inside(void **state)
{
	(void)state;
	stage s = {0};
	int32_t mesh = add_box(&s, v3(-1, -1, -1), v3(1, 1, 1), false, true);
	push p = meet_sphere(&s, v3(0.1, 0.2, 0.9), 0.3, mesh);
	CHECK(s.list.count == 1, "%d touches", s.list.count);
	NEAR(p.force.z, 0.4, 1e-14, "force");
	int32_t open = add_random_floor(&s, 2, 4, 0, 1, false);
	meet_sphere(&s, v3(0.1, 0.2, -0.1), 0.3, open);
	CHECK(s.list.count == 0, "an open one-sided floor acts on a ball from behind");
	stage_clear(&s);
}

/* the path leads around a strip of facets bent along x: a valley has two contacts, a ridge has one, and the force is
 * continuous along the path */
static void force_is_continuous_over_ridges_and_valleys(void **state)
{
	(void)state;
	for (int way = 0; way < 2; ++way) {
		stage s = {0};
		vec3 v[10];
		int32_t t[24], n = 0;
		real height[5] = {0, 0, way ? 0.3 : -0.3, 0.35, 0.35};
		for (int k = 0; k < 5; ++k) {
			v[2 * k] = v3(k - 2, -2, height[k]);
			v[2 * k + 1] = v3(k - 2, 2, height[k]);
		}
		for (int k = 0; k < 4; ++k) {
			int32_t q[6] = {2 * k, 2 * k + 2, 2 * k + 3, 2 * k, 2 * k + 3, 2 * k + 1};
			for (int i = 0; i < 6; ++i) t[n++] = q[i];
		}
		fail why;
		int32_t row = scree_walls_add_mesh(&s.wall, scree_wall_default("roof", 0), 10, v, 8, t, &why);
		CHECK(row >= 0, "%s", why.text);
		push before = {{0, 0, 0}, {0, 0, 0}, 0, 0};
		for (int k = 0; k < 30000; ++k) {
			vec3 c = v3(-1.5 + k * 1e-4, 0.1, 0.45);
			push p = meet_sphere(&s, c, 0.6, row);
			/* the force rotates by displacement / distance, and the distance from the ridge at 0.35 is at least 0.1 */
			if (k) NEAR(v3_norm(v3_sub(p.force, before.force)), 0, 7e-4, "jump");
			before = p;
		}
		stage_clear(&s);
	}
}

static void tubes_are_met_at_the_closest_point(void **state)
{
	(void)state;
	stage s = {0};
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		fail why;
		vec3 end = random_in(&r, 1), axis = scree_random_direction(&r);
		real r1 = scree_random_between(&r, 0.2, 1), r2 = test_seed & 1 ? r1 : scree_random_between(&r, 0, 1);
		real length = scree_random_between(&r, 0.5, 2), radius = scree_random_between(&r, 0.02, 0.3);
		wall_side side = test_seed & 2 ? SIDE_INSIDE : SIDE_OUTSIDE;
		scree_walls_free(&s.wall);
		int32_t row =
			test_seed & 1
				? scree_walls_add_cylinder(&s.wall, scree_wall_default("c", 0), end, axis, r1, length, side, &why)
				: scree_walls_add_cone(&s.wall, scree_wall_default("c", 0), end, axis, r1, r2, length, side, &why);
		CHECK(row >= 0, "%s", why.text);
		vec3 c = v3_add(end, v3_add(random_in(&r, 1.2), v3_mul(length / 2, axis)));
		real z = v3_dot(v3_sub(c, end), axis), rho = v3_norm(v3_madd(v3_sub(c, end), -z, axis)), d = INFINITY;
		/* brute force along the line from (r1, 0) to (r2, length) */
		for (int k = 0; k <= 20000; ++k) {
			real t = k / 20000.0, x = rho - (r1 + t * (r2 - r1)), y = z - t * length;
			d = real_min(d, x * x + y * y);
		}
		d = sqrt(d);
		push p = meet_sphere(&s, c, radius, row);
		real along = (rho - r1) * (r2 - r1) + z * length, all = (r2 - r1) * (r2 - r1) + length * length;
		real f = (rho - r1) * length - z * (r2 - r1);
		bool beside = along >= 0 && along <= all, behind = side == SIDE_INSIDE ? f > 0 : f < 0;
		if (real_abs(d - radius) < 1e-6) continue;
		bool expect = d < radius && !(beside && behind);
		CHECK((s.list.count == 1) == expect, "distance %g, radius %g, %s, %s", d, radius,
			  beside ? "beside" : "over an end", behind ? "behind" : "in front");
		/* a grid with steps of 1e-4 is off by at most 5e-5 along the line */
		if (expect) NEAR((radius - p.deepest) * (radius - p.deepest), d * d, 2.6e-9 * all, "distance squared");
	}
	stage_clear(&s);
}

static void centres_on_axes_and_surfaces_give_numbers(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	wall w = scree_wall_default("w", 0);
	scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 0), v3(0, 0, 1), 0.5, INFINITY, SIDE_INSIDE, &why);
	scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 0), v3(0, 0, 1), 0.5, 1, SIDE_OUTSIDE, &why);
	scree_walls_add_cone(&s.wall, w, v3(0, 0, 0), v3(0, 0, 1), 0, 0.5, 1, SIDE_INSIDE, &why);
	scree_walls_add_cone(&s.wall, w, v3(0, 0, 0), v3(0, 0, 1), 0.5, 0, 1, SIDE_OUTSIDE, &why);
	add_box(&s, v3(-0.5, -0.5, 0), v3(0.5, 0.5, 1), true, true);
	add_random_floor(&s, 1, 4, 0, 1, true);
	static const vec3 at[] = {{0, 0, 0},	 {0, 0, 0.5}, {0, 0, 1},	 {0, 0, 1.25},
							  {0.5, 0, 0.5}, {0.5, 0, 1}, {0.5, 0.5, 1}, {0.5, 0, 0}};
	for (int k = 0; k < s.wall.count; ++k)
		for (int i = 0; i < 8; ++i)
			for (int m = 1; m < 4; ++m) meet_sphere(&s, at[i], 0.3 * m, k);
	stage_clear(&s);
}

/* ------------------------------------------------------------------ shallow valleys */

/* two facets that meet along y at x = 0 and rise by this angle, half of the fold angle, on both sides */
static int32_t add_valley(stage *s, real fold)
{
	const real c = scree_cos(fold / 2), h = scree_sin(fold / 2);
	const vec3 v[6] = {{-c, -1, h}, {-c, 1, h}, {0, -1, 0}, {0, 1, 0}, {c, -1, h}, {c, 1, h}};
	const int32_t t[12] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3};
	fail why = {0};
	int32_t row = scree_walls_add_mesh(&s->wall, scree_wall_default("valley", 0), 6, v, 4, t, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* Across the fold, the force changes continuously from the force of a plane to the force of two facets, for angles from
 * 0 to 60 degrees. */
static void a_fold_goes_over_into_a_plane(void **state)
{
	(void)state;
	const real radius = 0.1, depth = 0.002;
	real before = depth;
	for (int k = 0; k <= 3000; ++k) {
		const real fold = k < 100 ? 1e-8 * scree_exp(0.12 * k) : 2e-3 + (k - 100) * SCREE_PI / 3 / 2900;
		stage s = {0};
		const push p =
			meet_sphere(&s, v3(0, 0.1, (radius - depth) / scree_cos(fold / 2)), radius, add_valley(&s, fold));
		const real one = depth * scree_cos(fold / 2);
		if (fold < 2e-3) NEAR(p.force.z, depth, 1e-3 * depth, "as a plane");
		NEAR(p.force.x, 0, fold < 1e-4 ? fold * depth : 1e-12, "to neither side");
		if (fold > 0.53) NEAR(p.force.z, 2 * one, 1e-12, "as two facets");
		NEAR(p.force.z, before, 0.02 * depth, "continuous in the angle");
		before = p.force.z;
		stage_clear(&s);
	}
}

/* The work along a small circle is 0; on the way, the sphere touches one facet, both, or neither. */
static void round_a_fold_the_work_is_nothing(void **state)
{
	(void)state;
	real worst = 0;
	FOR_SEEDS(60)
	{
		enum { STEPS = 4000 };
		random_stream r = scree_random_start(test_seed, 31);
		const real radius = 0.1, fold = scree_random_between(&r, 0.001, 1.5),
				   size = scree_random_between(&r, 0.001, 0.005);
		const vec3 about = v3(scree_random_between(&r, -1, 1) * size, 0, radius / scree_cos(fold / 2) - 0.003);
		stage s = {0};
		const int32_t row = add_valley(&s, fold);
		real work = 0, most = 0;
		for (int k = 0; k < STEPS; ++k) {
			real sine, cosine;
			scree_sincos(2 * SCREE_PI * (k + 0.5) / STEPS, &sine, &cosine);
			const push p = meet_sphere(&s, v3_add(about, v3(size * cosine, 0, size * sine)), radius, row);
			work += v3_dot(p.force, v3(-sine, 0, cosine)) * 2 * SCREE_PI * size / STEPS;
			most = real_max(most, p.deepest);
		}
		worst = real_max(worst, real_abs(work) / (most * most / 2));
		CHECK(real_abs(work) < 0.005 * most * most / 2, "fold %g: work %g of %g", fold, work, most * most / 2);
		stage_clear(&s);
	}
	print_message("work round a fold: up to %.1e of the energy of the contact\n", worst);
}

/* ------------------------------------------------------------------ walls side by side */

static void add_square(stage *s, real from, real to, real z)
{
	const vec3 corner[4] = {{from, -1, z}, {to, -1, z}, {to, 1, z}, {from, 1, z}};
	fail why = {0};
	CHECK(scree_walls_add_polygon(&s->wall, scree_wall_default("square", 0), 4, corner, &why) >= 0, "%s", why.text);
}

static void meet_walls(stage *s)
{
	facet_grid *grid[2] = {scree_facet_grid_new(&s->wall, 0), scree_facet_grid_new(&s->wall, 1)};
	scree_walls_meet(&s->wall, grid);
	for (int k = 0; k < 2; ++k) scree_facet_grid_free(grid[k]);
}

static real force_of_both(stage *s, vec3 c, real radius)
{
	const push a = meet_sphere(s, c, radius, 0), b = meet_sphere(s, c, radius, 1);
	return a.force.z + b.force.z;
}

/* Two squares with a crack or a step of the order of rounding errors between them are one floor, wherever the ball is;
 * a larger step is a border, and so is the edge of a wall whose neighbour was removed. */
static void walls_side_by_side_are_one_floor(void **state)
{
	(void)state;
	const real radius = 0.1, depth = 0.002;
	static const real gaps[4] = {0, 1e-9, 1e-7, -1e-7};
	for (int k = 0; k < 8; ++k) {
		stage s = {0};
		add_square(&s, -1, 0, 0);
		add_square(&s, gaps[k % 4], 1, k < 4 ? 0 : 1e-7);
		meet_walls(&s);
		for (int i = -300; i <= 300; ++i) {
			const real x = i % 3 ? i * 1e-8 : i * 1e-5;
			NEAR(force_of_both(&s, v3(x, 0.3, radius - depth), radius), depth, 1e-3 * depth, "one floor");
		}
		s.wall.row[1].removed = true;
		NEAR(force_of_both(&s, v3(1e-3, 0.3, radius - depth), radius), depth, 1e-2 * depth,
			 "a border without neighbour");
		stage_clear(&s);
	}
	stage s = {0};
	add_square(&s, -1, 0, 0);
	add_square(&s, 0, 1, -1e-4);
	meet_walls(&s);
	CHECK(force_of_both(&s, v3(1e-3, 0.3, radius - depth), radius) > 1.9 * depth, "a step has a border");
	stage_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walls_side_by_side_are_one_floor),
		cmocka_unit_test(a_fold_goes_over_into_a_plane),
		cmocka_unit_test(round_a_fold_the_work_is_nothing),
		cmocka_unit_test(triangles_are_met_at_the_closest_point),
		cmocka_unit_test(a_ball_rolls_over_seams_without_a_bump),
		cmocka_unit_test(a_box_is_a_box_however_made),
		cmocka_unit_test(a_closed_mesh_pushes_out_what_is_deep_inside),
		cmocka_unit_test(force_is_continuous_over_ridges_and_valleys),
		cmocka_unit_test(tubes_are_met_at_the_closest_point),
		cmocka_unit_test(centres_on_axes_and_surfaces_give_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
