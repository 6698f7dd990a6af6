/* Polyhedra in and on cylinders and cones: overlaps, resting faces, continuity, ends, and facets that approximate the
 * tube.
 */
#include "wall_help.h"

static int32_t add_tube(stage *s, real r1, real r2, real length, wall_side side)
{
	fail why;
	wall w = scree_wall_default("tube", 0);
	int32_t row = r1 == r2 ? scree_walls_add_cylinder(&s->wall, w, v3(0, 0, 0), v3(1, 0, 0), r1, length, side, &why)
						   : scree_walls_add_cone(&s->wall, w, v3(0, 0, 0), v3(1, 0, 0), r1, r2, length, side, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* height above the side of the tube around the x axis whose radius changes from r1 to r2 */
static real over_side(vec3 p, real r1, real r2, real length)
{
	real taper = r1 == r2 ? 0 : (r2 - r1) / length;
	return (sqrt(p.y * p.y + p.z * p.z) - r1 - taper * p.x) / sqrt(1 + taper * taper);
}

static void inside_the_deepest_vertex_counts(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		real r1 = 2, r2 = test_seed & 1 ? 2 : scree_random_between(&r, 0.8, 3);
		scree_walls_free(&s.wall);
		int32_t row = add_tube(&s, r1, r2, 10, SIDE_INSIDE);
		real x = scree_random_between(&r, 2, 8), a = scree_random_between(&r, 0, 6), si, co;
		scree_sincos(a, &si, &co);
		real side = r1 + (r2 - r1) * x / 10 - scree_random_between(&r, 0, 0.8);
		placed b = place(&s, (int32_t)(test_seed % SOLIDS), v3(x, side * co, side * si), scree_random_rotation(&r), 1);
		real deepest = -INFINITY;
		for (int32_t v = 0; v < b.shape->vertices; ++v)
			deepest = real_max(deepest, over_side(vertex_of(&b, v), r1, r2, 10));
		push p = meet_convex(&s, &b, row);
		if (real_abs(deepest) < 1e-12 || over_side(b.at, r1, r2, 10) > 0) continue;
		CHECK((s.list.count > 0) == (deepest > 0), "%d touches, overlap %g", s.list.count, deepest);
		if (s.list.count) NEAR(p.deepest, deepest, 1e-12, "overlap");
	}
	stage_clear(&s);
}

static void outside_the_closest_feature_counts(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		real r1 = 1, r2 = test_seed & 1 ? 1 : scree_random_between(&r, 0.3, 2);
		scree_walls_free(&s.wall);
		int32_t row = add_tube(&s, r1, r2, 10, SIDE_OUTSIDE);
		real x = scree_random_between(&r, 2, 8), a = scree_random_between(&r, 0, 6), si, co;
		scree_sincos(a, &si, &co);
		real side = r1 + (r2 - r1) * x / 10 + scree_random_between(&r, 0.2, 0.9);
		placed b = place(&s, (int32_t)(test_seed % SOLIDS), v3(x, side * co, side * si), scree_random_rotation(&r), 1);
		/* smallest height over all edges by brute force: the minimum is on an edge if the axis is outside the body */
		real least = INFINITY;
		for (int32_t e = 0; e < b.shape->edges; ++e) {
			vec3 p = vertex_of(&b, b.shape->ends[2 * e]), q = vertex_of(&b, b.shape->ends[2 * e + 1]);
			for (int k = 0; k <= 300; ++k)
				least = real_min(least, over_side(v3_madd(p, k / 300.0, v3_sub(q, p)), r1, r2, 10));
		}
		push p = meet_convex(&s, &b, row);
		if (real_abs(least) < 1e-5) continue;
		CHECK((s.list.count > 0) == (least < 0), "%d touches, overlap %g", s.list.count, -least);
		if (s.list.count && least > -0.1) NEAR(p.deepest, -least, 1e-5, "overlap");
	}
	stage_clear(&s);
}

static void a_cube_rests_in_and_on_a_tube(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t in = add_tube(&s, 2, 2, INFINITY, SIDE_INSIDE), on = add_tube(&s, 1, 1, 10, SIDE_OUTSIDE);
	/* inside the tube, contacts are at the four lower corners */
	real low = sqrt(4 - 0.25);
	placed b = place(&s, 0, v3(5, 0, -low + 0.5 - 1e-6), quat_one(), 1);
	push p = meet_convex(&s, &b, in);
	CHECK(s.list.points == 4 && s.list.count == 1, "%d points", s.list.points);
	for (int k = 0; k < 4; ++k) NEAR(s.list.weight[k], 0.25, 1e-9, "weight");
	NEAR(v3_norm(v3_sub(s.list.item[0].normal, v3(0, 0, 1))), 0, 1e-12, "normal");
	NEAR(v3_norm(p.couple), 0, 1e-12, "couple");
	/* half of the stiffness acts along two edges, at 0.5739, and half at the corners, at 0.7071 */
	NEAR(s.list.item[0].arm, (0.5738968 + 0.7071068) / 2, 1e-3, "arm of two edges and their ends");
	/* outside, contacts are at the two ends of a line along the axis, even after a rotation about the vertical */
	b = place(&s, 0, v3(5, 0, 1.5 - 1e-3), quat_one(), 1);
	p = meet_convex(&s, &b, on);
	CHECK(s.list.points == 2 && s.list.count == 1, "%d points", s.list.points);
	NEAR(p.force.z, 1e-3, 1e-14, "force");
	NEAR(v3_norm(p.couple), 0, 1e-14, "couple");
	for (int k = 0; k < 2; ++k) NEAR(real_abs(s.list.at[k].x), 0.5, 1e-12, "end of the line");
	NEAR(s.list.item[0].arm, 0.25, 1e-12, "arm of a line");
	stage_clear(&s);
}

typedef struct path {
	int32_t solid, row;
	quat from;
	vec3 axis;
	real side;
} path;

static push on_path(stage *s, const path *p, real t)
{
	placed b = place(s, p->solid, v3(5, t, p->side), quat_mul(turn_about(p->axis, t - 0.04), p->from), 1);
	return meet_convex(s, &b, p->row);
}

static real change(push a, push b)
{
	real forces = real_max(v3_norm(v3_sub(a.force, b.force)), v3_norm(v3_sub(a.couple, b.couple)));
	return real_max(forces, real_abs(a.twist - b.twist));
}

/* A change between t0 and t1 that does not shrink with the interval is a jump: the interval is bisected 16 times, each
 * time choosing the half with the larger change. The force changes rapidly where a face almost perpendicular to the
 * normal reaches the line of contact. */
static void check_no_jump(stage *s, const path *p, real t0, real t1, real most)
{
	push a = on_path(s, p, t0), b = on_path(s, p, t1);
	for (int k = 0; k < 16; ++k) {
		real t = (t0 + t1) / 2;
		push c = on_path(s, p, t);
		if (change(a, c) > change(c, b))
			b = c, t1 = t;
		else
			a = c, t0 = t;
	}
	NEAR(change(a, b), 0, most / 100, "jump");
}

static void force_is_continuous(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t row[4] = {add_tube(&s, 2, 2, INFINITY, SIDE_INSIDE), add_tube(&s, 1, 1, 10, SIDE_OUTSIDE),
					  add_tube(&s, 2, 1.5, 10, SIDE_INSIDE), add_tube(&s, 1, 1.4, 10, SIDE_OUTSIDE)};
	FOR_SEEDS(40)
	{
		random_stream r = scree_random_start(test_seed, 4);
		int k = (int)(test_seed % 4);
		path p = {.solid = (int32_t)(test_seed % SOLIDS), .row = row[k], .side = k & 1 ? 1.5 : -1.55};
		p.axis = scree_random_direction(&r);
		p.from = test_seed % 3 ? scree_random_rotation(&r) : quat_one();
		const real step = 2e-5;
		push before = on_path(&s, &p, 0);
		for (int i = 1; i < 4000; ++i) {
			push f = on_path(&s, &p, i * step);
			if (change(f, before) > 4 * step) check_no_jump(&s, &p, (i - 1) * step, i * step, 4 * step);
			before = f;
		}
	}
	stage_clear(&s);
}

/* A drum made of facets: the more facets it has, the closer the force on a body inside is to the force exerted by a
 * cylinder. */
static void fine_facets_become_the_cylinder(void **state)
{
	(void)state;
	real before = INFINITY;
	for (int32_t sides = 16; sides <= 1024; sides *= 4) {
		stage s = {0};
		add_solids(&s);
		int32_t tube = add_tube(&s, 2, 2, 10, SIDE_INSIDE), n = 0;
		vec3 *v = scree_alloc(2 * (size_t)sides, sizeof *v);
		int32_t *t = scree_alloc(6 * (size_t)sides, sizeof *t);
		for (int32_t k = 0; k < sides; ++k) {
			real si, co;
			scree_sincos(2 * SCREE_PI * k / sides, &si, &co);
			v[2 * k] = v3(0, 2 * co, 2 * si);
			v[2 * k + 1] = v3(10, 2 * co, 2 * si);
			int32_t a = 2 * k, b = a + 1, c = 2 * ((k + 1) % sides), d = c + 1, q[6] = {a, b, d, a, d, c};
			/* normals inwards */
			for (int i = 0; i < 6; ++i) t[n++] = q[i];
		}
		fail why;
		int32_t mesh = scree_walls_add_mesh(&s.wall, scree_wall_default("drum", 0), 2 * sides, v, n / 3, t, &why);
		CHECK(mesh >= 0, "%s", why.text);
		if (v3_dot(s.wall.facet[0].normal, s.wall.corner[0]) > 0) CHECK(false, "the drum's facets look outwards");
		real worst = 0;
		for (uint64_t seed = 1; seed < 60; ++seed) {
			random_stream r = scree_random_start(seed, 5);
			placed b = place(&s, (int32_t)(seed % SOLIDS), v3(5, 0, 0), scree_random_rotation(&r), 1);
			real low = INFINITY, a = scree_random_between(&r, 0, 6), si, co;
			scree_sincos(a, &si, &co);
			/* a corner 0.03 deep, found by bisection along direction a */
			real x = 0, y = 2;
			for (int i = 0; i < 50; ++i) {
				low = (x + y) / 2;
				b.at = v3(5, low * co, low * si);
				real d = -INFINITY;
				for (int32_t k = 0; k < b.shape->vertices; ++k) d = real_max(d, over_side(vertex_of(&b, k), 2, 2, 10));
				if (d > 0.03)
					y = low;
				else
					x = low;
			}
			push p = meet_convex(&s, &b, mesh), q = meet_convex(&s, &b, tube);
			worst = real_max(worst, real_abs(p.deepest - q.deepest) / q.deepest);
		}
		/* a facet is closer to the axis by 2 (1 - cos(pi / sides)); a corner just behind the common edge of two facets
		 * counts at the points where its edges pass through the facets */
		real si, co;
		scree_sincos(SCREE_PI / sides, &si, &co);
		NEAR(worst, 0, 2.2 * (1 - co) / 0.03 + 0.03, "overlap");
		CHECK(worst < before || worst < 0.03, "%g is not less than %g", worst, before);
		before = worst;
		scree_free(v);
		scree_free(t);
		stage_clear(&s);
	}
}

/* Ends of a tube: a body that extends beyond the end is held by the part within reach, and a body on the rim is pushed
 * along the axis. */
static void tubes_end(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t in = add_tube(&s, 2, 2, 10, SIDE_INSIDE), on = add_tube(&s, 2, 2, 10, SIDE_OUTSIDE);
	/* on the rim from above (the axis is x): the lower face is 0.005 below the end, with the rim below the middle of
	 * the cube
	 */
	for (int k = -2; k < 3; ++k)
		for (int side = 0; side < 2; ++side) {
			placed b = place(&s, 0, v3(10.495, 2 + 0.05 * k, 0), quat_one(), 1);
			push p = meet_convex(&s, &b, side ? on : in);
			CHECK(s.list.count == 1, "%d touches on the rim", s.list.count);
			NEAR(v3_norm(v3_sub(p.force, v3(0.005, 0, 0))), 0, 1e-9, "force");
		}
	/* beyond the end, and beside the tube, where the tube does not act */
	placed far = place(&s, 0, v3(10.51, 2, 0), quat_one(), 1), out = place(&s, 0, v3(5, 2.49, 0), quat_one(), 1);
	meet_convex(&s, &far, in);
	CHECK(s.list.count == 0, "a touch beyond the end");
	meet_convex(&s, &out, in);
	CHECK(s.list.count == 0, "a tube for what is inside acts on what is outside");
	/* sliding out through the end of the tube */
	push before = {{0, 0, 0}, {0, 0, 0}, 0, 0};
	for (int k = 0; k < 16000; ++k) {
		real low = sqrt(4 - 0.25);
		placed b = place(&s, 0, v3(9.2 + 1e-4 * k, 0, -low + 0.5 - 0.01), quat_one(), 1);
		push p = meet_convex(&s, &b, in);
		/* at the end, the direction rotates by 90 degrees over 0.3 times the overlap: 0.01 pi / 2 / 0.003 1e-4 */
		if (k) near_push(p, before, 6e-4, 6e-4, "sliding out");
		before = p;
	}
	NEAR(v3_norm(before.force), 0, 0, "force when out");
	stage_clear(&s);
}

static void degenerate_places_give_numbers(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	for (int k = 0; k < 2; ++k) {
		add_tube(&s, 0.6, 0.6, INFINITY, k ? SIDE_INSIDE : SIDE_OUTSIDE);
		add_tube(&s, 0.6, 0.6, 1, k ? SIDE_INSIDE : SIDE_OUTSIDE);
		add_tube(&s, 0, 0.6, 1, k ? SIDE_INSIDE : SIDE_OUTSIDE);
		add_tube(&s, 0.6, 0, 1, k ? SIDE_INSIDE : SIDE_OUTSIDE);
	}
	for (int k = 0; k < 9 * 3 * 3; ++k)
		for (int32_t solid = 0; solid < SOLIDS; ++solid)
			for (int turn = 0; turn < 3; ++turn) {
				quat q = turn_about(v3(0, turn == 2, turn == 1), SCREE_PI / 4);
				placed b = place(&s, solid, v3(k % 9 * 0.25 - 0.5, k / 9 % 3 * 0.5 - 0.5, k / 27 * 0.5 - 0.5),
								 turn ? q : quat_one(), 1);
				meet_all(&s, &b);
				b.size = 0.1;
				meet_all(&s, &b);
				b.size = 5;
				meet_all(&s, &b);
			}
	stage_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inside_the_deepest_vertex_counts), cmocka_unit_test(outside_the_closest_feature_counts),
		cmocka_unit_test(a_cube_rests_in_and_on_a_tube),	cmocka_unit_test(force_is_continuous),
		cmocka_unit_test(fine_facets_become_the_cylinder),	cmocka_unit_test(tubes_end),
		cmocka_unit_test(degenerate_places_give_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
