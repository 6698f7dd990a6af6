/* Polyhedra on planes and on floors made of triangles: the overlap is exact, the force is continuous, and seams have no
 * effect. */
#include "wall_help.h"

static int32_t add_plane(stage *s, vec3 point, vec3 normal, bool two_sided)
{
	fail why;
	wall w = scree_wall_default("plane", 0);
	w.two_sided = two_sided;
	int32_t row = scree_walls_add_plane(&s->wall, w, point, normal, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

static real deepest_vertex(const placed *b, vec3 n, real off)
{
	real d = -INFINITY;
	for (int32_t v = 0; v < b->shape->vertices; ++v) d = real_max(d, off - v3_dot(n, vertex_of(b, v)));
	return d;
}

static void depth_is_that_of_the_deepest_vertex(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	FOR_SEEDS(4000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		vec3 n = scree_random_direction(&r), point = random_in(&r, 2);
		scree_walls_free(&s.wall);
		int32_t row = add_plane(&s, point, n, false);
		real size = scree_random_between(&r, 0.01, 3);
		int32_t solid = (int32_t)(test_seed % SOLIDS);
		placed b = place(&s, solid, v3(0, 0, 0), scree_random_rotation(&r), size);
		real reach = size * b.shape->radius;
		b.at =
			v3_add(v3_madd(point, scree_random_between(&r, -reach, 1.05 * reach), s.wall.row[row].axis), v3(0, 0, 0));
		n = s.wall.row[row].axis;
		real d = deepest_vertex(&b, n, v3_dot(n, point));
		push p = meet_convex(&s, &b, row);
		if (real_abs(d) < 1e-12 * (size + 2)) continue;
		CHECK((s.list.count > 0) == (d > 0), "%d touches with an overlap of %g", s.list.count, d);
		if (d < 0) continue;
		CHECK(s.list.count == 1, "%d touches", s.list.count);
		NEAR(p.deepest, d, 1e-12 * (size + 2), "overlap");
		NEAR(v3_norm(v3_sub(s.list.item[0].normal, n)), 0, 0, "normal");
		/* contact points are midway between the surfaces */
		for (int32_t k = 0; k < s.list.points; ++k) {
			real above = v3_dot(n, v3_sub(v3_add(b.at, s.list.at[k]), point));
			NEAR(above, -s.list.deep[k] / 2, 1e-12 * (size + 2), "height of a point");
		}
	}
	stage_clear(&s);
}

static void a_flat_cube_has_four_equal_corners(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t row = add_plane(&s, v3(0, 0, 0), v3(0, 0, 1), false);
	placed b = place(&s, 0, v3(0.3, -0.2, 0.49), quat_one(), 1);
	push p = meet_convex(&s, &b, row);
	CHECK(s.list.points == 4, "%d points", s.list.points);
	for (int k = 0; k < 4; ++k) NEAR(s.list.weight[k], 0.25, 1e-14, "weight");
	NEAR(p.force.z, 0.01, 1e-15, "force");
	NEAR(v3_norm(p.couple), 0, 1e-15, "couple");
	stage_clear(&s);
}

static void a_corner_below_counts_alone(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t row = add_plane(&s, v3(0, 0, 0), v3(0, 0, 1), false);
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		placed b = place(&s, (int32_t)(test_seed % SOLIDS), v3(0, 0, 0), scree_random_rotation(&r), 1);
		real low = INFINITY, next = INFINITY;
		for (int32_t v = 0; v < b.shape->vertices; ++v) {
			real z = vertex_of(&b, v).z;
			if (z < low)
				next = low, low = z;
			else
				next = real_min(next, z);
		}
		real depth = (next - low) * scree_random_between(&r, 1e-6, 1);
		b.at.z = -low - depth;
		push p = meet_convex(&s, &b, row);
		CHECK(s.list.points == 1, "%d points for one corner", s.list.points);
		NEAR(p.force.z, depth, 1e-14, "force");
	}
	stage_clear(&s);
}

static void a_flat_face_is_pressed_at_its_centroid(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t row = add_plane(&s, v3(0, 0, 0), v3(0, 0, 1), false);
	for (int32_t solid = 0; solid < SOLIDS; ++solid) {
		const shape *q = s.shape.row + solid;
		for (int32_t f = 0; f < q->faces; ++f) {
			vec3 n = v3(-q->nx[f], -q->ny[f], -q->nz[f]), across = v3_across(n);
			/* rows of the rotation matrix that turns face f of the body downwards */
			mat3 m = {across, v3_cross(n, across), n};
			placed b = {q,
						v3(0, 0, q->off[f] - 1e-9),
						{v3(m.x.x, m.y.x, m.z.x), v3(m.x.y, m.y.y, m.z.y), v3(m.x.z, m.y.z, m.z.z)},
						1};
			push p = meet_convex(&s, &b, row);
			vec3 c = v3(0, 0, 0);
			real area = 0;
			int32_t a = q->corner[q->first[f]];
			for (int32_t k = q->first[f] + 1; k + 1 < q->first[f + 1]; ++k) {
				vec3 pa = vertex_of(&b, a), pb = vertex_of(&b, q->corner[k]), pc = vertex_of(&b, q->corner[k + 1]);
				real t = v3_norm(v3_cross(v3_sub(pb, pa), v3_sub(pc, pa)));
				area += t;
				c = v3_madd(c, t / 3, v3_add(pa, v3_add(pb, pc)));
			}
			c = v3_mul(1 / area, c);
			NEAR(p.couple.x / p.force.z, c.y, 1e-5, "centre of pressure");
			NEAR(-p.couple.y / p.force.z, c.x, 1e-5, "centre of pressure");
		}
	}
	stage_clear(&s);
}

/* On a path in small steps, force and torque change no faster than the pose, even when contact points appear and
 * vanish. */
static void force_is_continuous(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t row = add_plane(&s, v3(0, 0, 0), v3(0, 0, 1), false);
	FOR_SEEDS(40)
	{
		random_stream r = scree_random_start(test_seed, 4);
		int32_t solid = (int32_t)(test_seed % SOLIDS);
		vec3 axis = scree_random_direction(&r);
		quat from = test_seed % 3 ? scree_random_rotation(&r) : quat_one();
		real height = scree_random_between(&r, 0.2, 0.5);
		const real step = 2e-5;
		push before = {{0, 0, 0}, {0, 0, 0}, 0, 0};
		for (int k = 0; k < 8000; ++k) {
			placed b = place(&s, solid, v3(0, 0, height), quat_mul(turn_about(axis, (k - 4000) * step), from), 1);
			push p = meet_convex(&s, &b, row);
			/* every point of the body is within 0.9 of its centre, so no vertex moves by more than 0.9 step; weights
			 * contribute another factor */
			if (k) near_push(p, before, 6 * step, 6 * step, "jump");
			if (k) NEAR(p.twist, before.twist, 6 * step, "jump of the twist");
			before = p;
		}
	}
	stage_clear(&s);
}

static void two_sided_planes_push_to_the_side_of_the_centre(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t one = add_plane(&s, v3(0, 0, 0), v3(0, 0, 1), false), two = add_plane(&s, v3(0, 0, 0), v3(0, 0, 1), true);
	FOR_SEEDS(500)
	{
		random_stream r = scree_random_start(test_seed, 5);
		placed b = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 0, 1, 1);
		b.at.z = scree_random_between(&r, 0, 0.6);
		push above = meet_convex(&s, &b, two);
		near_push(above, meet_convex(&s, &b, one), 0, 0, "above");
		b.at.z = -b.at.z;
		push below = meet_convex(&s, &b, two);
		CHECK(below.force.z <= 0, "pushed up from below");
		CHECK(meet_convex(&s, &b, one).force.z > 0, "a half space lets a body through");
	}
	stage_clear(&s);
}

static void a_floor_of_triangles_is_a_plane(void **state)
{
	(void)state;
	FOR_SEEDS(8)
	{
		stage s = {0};
		add_solids(&s);
		int32_t plane = add_plane(&s, v3(0, 0, 0), v3(0, 0, 1), true);
		int32_t floor = add_random_floor(&s, 4, 6 + (int32_t)test_seed % 17, 0.2, test_seed, test_seed & 1);
		random_stream r = scree_random_start(test_seed, 6);
		for (int k = 0; k < 300; ++k) {
			placed b = place_random(&s, k % SOLIDS, &r, 2.5, 0.5, 1.5);
			real reach = b.size * b.shape->radius;
			b.at.z = scree_random_between(&r, 0, 1) * reach;
			if (k % 4 == 0) {
				/* a cube flat on the floor, with its sides along the grid lines */
				b.shape = s.shape.row;
				b.turn = quat_matrix(quat_one());
				b.at.z = b.size * scree_random_between(&r, 0.3, 0.51);
			}
			push a = meet_convex(&s, &b, floor), p = meet_convex(&s, &b, plane);
			near_push(a, p, 1e-9, 1e-9, "floor and plane");
			/* error of the lever arm where sides are divided, which is larger where steep faces are deep below the
			 * floor */
			NEAR(a.twist, p.twist, (k % 4 ? 2e-2 : 2.6e-3) * p.twist + 1e-9, "twist on floor and plane");
			CHECK(s.list.count <= 1, "%d touches", s.list.count);
		}
		stage_clear(&s);
	}
}

static void a_cube_slides_over_seams_without_a_bump(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t floor = add_random_floor(&s, 3, 20, 0, 1, false), wild = add_random_floor(&s, 3, 20, 0.2, 1, false);
	for (int k = 0; k < 4000; ++k) {
		/* exactly along a seam and across many others; at every 5th position, sides are exactly on seams */
		placed b = place(&s, 0, v3(-2 + k * 1e-3, 0, 0.49), quat_one(), 1.0);
		push a = meet_convex(&s, &b, floor), c = meet_convex(&s, &b, wild);
		NEAR(a.force.z, 0.01, 1e-13, "force");
		NEAR(v3_norm(a.couple), 0, 1e-11, "couple");
		near_push(a, c, 1e-13, 1e-11, "wild floor");
	}
	stage_clear(&s);
}

static void more_candidates_change_nothing(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t floor = add_random_floor(&s, 2, 10, 0.2, 9, false);
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 8);
		placed b = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 2, 1, 1);
		b.at.z = scree_random_between(&r, 0.1, 0.6);
		push a = meet_convex(&s, &b, floor);
		real r0 = b.size * b.shape->radius;
		vec3 low = v3_sub(b.at, v3(r0, r0, r0)), high = v3_add(b.at, v3(r0, r0, r0));
		int32_t few = 0;
		for (int32_t i = 0; i < s.wall.facets; ++i) {
			const facet *f = s.wall.facet + i;
			if (f->low.x <= high.x && f->low.y <= high.y && f->high.x >= low.x && f->high.y >= low.y) s.all[few++] = i;
		}
		scree_convex_wall(&b, &(near_wall){&s.wall, floor, few, s.all}, &s.list);
		push c = push_of(&s.list);
		near_push(a, c, 0, 0, "candidates in the bounds of the sphere alone");
	}
	stage_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_is_that_of_the_deepest_vertex),
		cmocka_unit_test(a_flat_cube_has_four_equal_corners),
		cmocka_unit_test(a_corner_below_counts_alone),
		cmocka_unit_test(a_flat_face_is_pressed_at_its_centroid),
		cmocka_unit_test(force_is_continuous),
		cmocka_unit_test(two_sided_planes_push_to_the_side_of_the_centre),
		cmocka_unit_test(a_floor_of_triangles_is_a_plane),
		cmocka_unit_test(a_cube_slides_over_seams_without_a_bump),
		cmocka_unit_test(more_candidates_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
