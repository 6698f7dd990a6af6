/* Polyhedra on polygons and meshes: verdict and overlap compared with tests of all separating axes; borders, ridges,
 * valleys, and plates. */
#include "wall_help.h"

static int32_t add_polygon(stage *s, int32_t n, const vec3 *p, bool two_sided)
{
	fail why;
	wall w = scree_wall_default("polygon", 0);
	w.two_sided = two_sided;
	int32_t row = scree_walls_add_polygon(&s->wall, w, n, p, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* Overlap between body and polygon along the unit vector m: the displacement along m that would separate them. */
static real overlap_along(const placed *b, int32_t n, const vec3 *p, vec3 m)
{
	real high = -INFINITY, low = INFINITY;
	for (int32_t k = 0; k < n; ++k) high = real_max(high, v3_dot(m, p[k]));
	for (int32_t v = 0; v < b->shape->vertices; ++v) low = real_min(low, v3_dot(m, vertex_of(b, v)));
	return high - low;
}

typedef struct axis {
	real d;
	vec3 m;
} axis;

static void try_axis(const placed *b, int32_t n, const vec3 *p, vec3 m, axis *best)
{
	real length = v3_norm(m);
	if (length < 1e-9) return;
	for (int k = -1; k < 2; k += 2) {
		vec3 u = v3_mul(k / length, m);
		real d = overlap_along(b, n, p, u);
		if (d < best->d) *best = (axis){d, u};
	}
}

/* Smallest overlap over all axes of the separating axis theorem. */
static axis least_overlap(const placed *b, int32_t n, const vec3 *p, vec3 normal)
{
	const shape *s = b->shape;
	axis best = {INFINITY, {0, 0, 0}};
	try_axis(b, n, p, normal, &best);
	for (int32_t f = 0; f < s->faces; ++f)
		try_axis(b, n, p, mat3_mul(b->turn, v3(s->nx[f], s->ny[f], s->nz[f])), &best);
	for (int32_t e = 0; e < s->edges; ++e) {
		vec3 u = v3_unit(v3_sub(vertex_of(b, s->ends[2 * e + 1]), vertex_of(b, s->ends[2 * e])));
		for (int32_t k = 0; k < n; ++k) try_axis(b, n, p, v3_cross(u, v3_unit(v3_sub(p[(k + 1) % n], p[k]))), &best);
	}
	return best;
}

static int32_t random_polygon(random_stream *r, vec3 *p)
{
	int32_t n = 3 + (int32_t)(scree_random_bits(r) % 4);
	vec3 c = random_in(r, 0.3), a = scree_random_direction(r), u = v3_across(a), v = v3_cross(a, u);
	real size = scree_random_between(r, 0.2, 1.5), turn = scree_random_between(r, 0, 6);
	for (int32_t k = 0; k < n; ++k) {
		real s, co;
		scree_sincos(turn + (k + scree_random_between(r, 0, 0.7)) * 2 * SCREE_PI / n, &s, &co);
		p[k] = v3_madd(v3_madd(c, size * co, u), size * s, v);
	}
	return n;
}

/* Returns whether the projection of the deepest vertex along -m is inside the polygon. */
static bool foot_inside(const placed *b, int32_t n, const vec3 *p, vec3 normal, vec3 m)
{
	vec3 deepest = vertex_of(b, 0);
	for (int32_t v = 1; v < b->shape->vertices; ++v)
		if (v3_dot(m, vertex_of(b, v)) < v3_dot(m, deepest)) deepest = vertex_of(b, v);
	for (int32_t k = 0; k < n; ++k)
		if (v3_dot(v3_cross(v3_sub(p[(k + 1) % n], p[k]), v3_sub(deepest, p[k])), normal) < 0) return false;
	return true;
}

static void verdict_and_overlap_are_those_of_all_axes(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int64_t touched = 0, clear = 0, shallow = 0, aligned = 0;
	FOR_SEEDS(10000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		vec3 p[8];
		int32_t n = random_polygon(&r, p);
		scree_walls_free(&s.wall);
		int32_t row = add_polygon(&s, n, p, true);
		placed b = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 0.9, 0.3, 1.2);
		vec3 normal = s.wall.facet[0].normal;
		axis best = least_overlap(&b, n, p, normal);
		push f = meet_convex(&s, &b, row);
		if (real_abs(best.d) < 1e-9) continue;
		CHECK((s.list.count > 0) == (best.d > 0), "%d touches, least overlap %g", s.list.count, best.d);
		if (!s.list.count) continue;
		++touched;
		vec3 m = s.list.item[0].normal;
		/* for small overlaps, the direction is the direction of smallest overlap, unless another way out is equally
		 * short */
		if (best.d < 0.01 * b.size) {
			++shallow;
			aligned += v3_dot(m, best.m) > 0.95;
			CHECK(v3_dot(m, best.m) > 0.2, "normal %g off the best axis", v3_dot(m, best.m));
		}
		if (v3_dot(m, best.m) < 1 - 1e-12) continue;
		if (real_abs(v3_dot(m, normal)) > 1 - 1e-9 && !foot_inside(&b, n, p, normal, m)) continue;
		++clear;
		if (best.d < 0.04 * b.size) NEAR(f.deepest, best.d, 1e-6 * b.size, "overlap");
	}
	CHECK(shallow > 5 && 100 * (aligned + 1) > 97 * shallow, "%lld of %lld small overlaps along the best axis",
		  (long long)aligned, (long long)shallow);
	CHECK(clear > touched / 2, "%lld of %lld contacts compared", (long long)clear, (long long)touched);
	stage_clear(&s);
}

/* The body moves along a path in small steps: per step, force and torque may change by no more than the given slope
 * times the step. */
static void sweep(stage *s, int32_t solid, int32_t row, vec3 from, vec3 to, vec3 axis_of_turn, real angle, int steps,
				  real slope)
{
	push before = {{0, 0, 0}, {0, 0, 0}, 0, 0};
	for (int k = 0; k <= steps; ++k) {
		real t = (real)k / steps;
		placed b = place(s, solid, v3_madd(from, t, v3_sub(to, from)), turn_about(axis_of_turn, angle * t), 1);
		push p = row < 0 ? meet_all(s, &b) : meet_convex(s, &b, row);
		real step = (v3_norm(v3_sub(to, from)) + real_abs(angle)) / steps;
		if (k) {
			NEAR(v3_norm(v3_sub(p.force, before.force)), 0, slope * step, "jump of the force");
			NEAR(v3_norm(v3_sub(p.couple, before.couple)), 0, slope * step, "jump of the couple");
			NEAR(p.twist, before.twist, slope * step, "jump of the twist");
		}
		before = p;
	}
}

static void a_cube_tips_over_a_step_without_a_jump(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	/* a block as a mesh, with its upper edge at x = 0, z = 0, and an open plate with the same edge */
	int32_t block = add_box(&s, v3(-4, -4, -4), v3(0, 4, 0), false, true);
	vec3 p[4] = {{-4, -4, 0}, {0, -4, 0}, {0, 4, 0}, {-4, 4, 0}};
	int32_t plate = add_polygon(&s, 4, p, false), both = add_polygon(&s, 4, p, true);
	int32_t row[3] = {block, plate, both};
	for (int k = 0; k < 3; ++k) {
		/* sliding flat off the step, with half of the body supported */
		sweep(&s, 0, row[k], v3(-1, 0.1, 0.49), v3(0.4, 0.1, 0.49), v3(0, 1, 0), 0, 14000, 3);
		/* tipping about the edge, from flat to a quarter turn, with the edge in contact with the lower face */
		for (real x = -0.3; x < 0.4; x += 0.2) {
			real step = 1e-4;
			push before = {{0, 0, 0}, {0, 0, 0}, 0, 0};
			for (int i = -2000; i < 7000; ++i) {
				quat q = turn_about(v3(0, 1, 0), i * step);
				placed b = place(&s, 0, quat_rotate(q, v3(x, 0.1, 0.49)), q, 1);
				push f = meet_convex(&s, &b, row[k]);
				CHECK(s.list.count == 1, "%d touches", s.list.count);
				if (i > -2000) near_push(f, before, 8 * step, 8 * step, "tipping");
				before = f;
			}
		}
	}
	/* far beyond the edge, only the edge touches: the normal is the normal of the cube's face, and the overlap is
	 * unchanged */
	for (int k = 0; k < 3; ++k) {
		quat q = turn_about(v3(0, 1, 0), k ? 1 : SCREE_PI / 4);
		placed b = place(&s, 0, quat_rotate(q, v3(0, 0, 0.49)), q, 1);
		push f = meet_convex(&s, &b, row[k]);
		NEAR(v3_norm(v3_sub(s.list.item[0].normal, quat_rotate(q, v3(0, 0, 1)))), 0, 1e-9, "normal");
		NEAR(f.deepest, 0.01, 1e-12, "overlap");
		CHECK(s.list.points == 2, "%d points of an edge across a face", s.list.points);
		NEAR(v3_norm(f.couple), 0, 1e-12, "couple");
	}
	stage_clear(&s);
}

/* A cube on the edge of a convex wedge, which rotates from resting on one side to resting on the other: there is one
 * contact throughout, unless the wedge is nearly a plane. */
static void a_ridge_is_touched_once(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	for (real half = 0.05; half < 1; half += 0.3) {
		real si, co;
		scree_sincos(half, &si, &co);
		vec3 v[6] = {
			{0, -3, 0},			  {0, 3, 0}, {3 * co, -3, -3 * si}, {3 * co, 3, -3 * si}, {-3 * co, -3, -3 * si},
			{-3 * co, 3, -3 * si}};
		static const int32_t t[12] = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4};
		fail why;
		int32_t row = scree_walls_add_mesh(&s.wall, scree_wall_default("roof", 0), 6, v, 4, t, &why);
		CHECK(row >= 0, "%s", why.text);
		const real step = 2e-5;
		push before = {{0, 0, 0}, {0, 0, 0}, 0, 0};
		bool first = true;
		for (real angle = -half * 0.999; angle < half * 0.999; angle += step) {
			quat q = turn_about(v3(0, 1, 0), angle);
			/* the ridge is 1e-3 deep in the middle of the lower face: except at the flat ends, no other part touches */
			placed b = place(&s, 0, quat_rotate(q, v3(0, 0, 0.499)), q, 1);
			push f = meet_convex(&s, &b, row);
			CHECK(s.list.count >= 1 && s.list.count <= 2, "%d touches", s.list.count);
			real flat = 0.5 * (half - real_abs(angle));
			if (flat > 2e-3 && half > 0.3) CHECK(s.list.count == 1, "%d touches on a ridge", s.list.count);
			NEAR(v3_norm(f.force), 1e-3, 3e-4, "force");
			/* the centre of pressure moves by a quarter of the edge while the overlap of one end, 1e-3, vanishes over
			 * a length of 1/2 */
			if (!first) near_push(f, before, step, step, "turning on the ridge");
			before = f;
			first = false;
		}
	}
	stage_clear(&s);
}

static void a_blade_is_met_with_its_edge(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	vec3 p[4] = {{0, -2, -1}, {0, 2, -1}, {0, 2, 0}, {0, -2, 0}};
	int32_t row = add_polygon(&s, 4, p, true);
	/* falling flat onto the blade's upper edge, with the centre on either side */
	for (int k = -20; k <= 20; ++k) {
		placed b = place(&s, 0, v3(0.01 * k, 0.2, 0.495), quat_one(), 1);
		push f = meet_convex(&s, &b, row);
		CHECK(s.list.count == 1 && s.list.points == 2, "%d touches, %d points", s.list.count, s.list.points);
		NEAR(v3_norm(v3_sub(f.force, v3(0, 0, 0.005))), 0, 1e-12, "force");
		NEAR(f.couple.y, 0.01 * k * 0.005, 1e-12, "couple");
	}
	/* crossing edges: an edge of a cube across the edge of the blade */
	quat q = turn_about(v3(0, 1, 0), SCREE_PI / 4);
	q = quat_mul(turn_about(v3(0, 0, 1), 0.3), quat_mul(turn_about(v3(1, 0, 0), SCREE_PI / 2), q));
	q = quat_mul(turn_about(v3(0, 0, 1), 0.4), turn_about(v3(1, 0, 0), SCREE_PI / 4));
	placed b = place(&s, 0, v3(0.1, 0, sqrt(0.5) - 0.01), q, 1);
	push f = meet_convex(&s, &b, row);
	CHECK(s.list.points == 1, "%d points of crossing edges", s.list.points);
	NEAR(v3_norm(v3_sub(f.force, v3(0, 0, 0.01))), 0, 1e-9, "force");
	stage_clear(&s);
}

static void a_plate_acts_on_both_sides(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	vec3 p[4] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
	int32_t one = add_polygon(&s, 4, p, false), two = add_polygon(&s, 4, p, true);
	for (int side = -1; side < 2; side += 2) {
		placed b = place(&s, 0, v3(0.3, 0.1, side * 0.49), quat_one(), 1);
		push f = meet_convex(&s, &b, two);
		NEAR(f.force.z, side * 0.01, 1e-14, "force");
		CHECK(s.list.points == 4, "%d points", s.list.points);
		meet_convex(&s, &b, one);
		CHECK(s.list.count == (side > 0), "a one-sided plate from side %d", side);
	}
	/* a corner just below the plate's border that does not touch it is not a contact */
	placed b = place(&s, 0, v3(2.8, 0, 0.3), turn_about(v3(0, 1, 0), 0.6), 1);
	axis best = least_overlap(&b, 4, p, v3(0, 0, 1));
	meet_convex(&s, &b, two);
	CHECK((s.list.count > 0) == (best.d > 0), "%d touches, least overlap %g", s.list.count, best.d);
	stage_clear(&s);
}

/* Inside a box, six polygons and a mesh of twelve triangles give the same result, and planes give nearly the same. */
static void a_box_is_a_box_however_made(void **state)
{
	(void)state;
	stage s = {0}, polygons = {0}, planes = {0};
	add_solids(&s);
	vec3 low = v3(-1, -0.8, -0.6), high = v3(1, 0.8, 0.6);
	int32_t mesh = add_box(&s, low, high, true, true);
	add_box(&polygons, low, high, true, false);
	for (int k = 0; k < 6; ++k) {
		fail why;
		vec3 n = v3(k / 2 == 0, k / 2 == 1, k / 2 == 2);
		scree_walls_add_plane(&planes.wall, scree_wall_default("p", 0), k & 1 ? high : low, k & 1 ? v3_neg(n) : n,
							  &why);
	}
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 9);
		placed b = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 0, 0.2, 0.45);
		if (test_seed & 1) b.turn = quat_matrix(quat_one());
		vec3 lowest = v3(INFINITY, INFINITY, INFINITY);
		for (int32_t v = 0; v < b.shape->vertices; ++v) {
			vec3 q = vertex_of(&b, v);
			lowest = v3(real_min(lowest.x, q.x), real_min(lowest.y, q.y), real_min(lowest.z, q.z));
		}
		/* a body pressed slightly into one, two or three of the sides */
		real deep = 1e-4;
		b.at =
			v3_sub(v3(-1 - deep, (test_seed & 2 ? -0.8 : -0.4) - deep, (test_seed & 4 ? -0.6 : -0.3) - deep), lowest);
		push a = meet_convex(&s, &b, mesh), c = meet_all(&polygons, &b), e = meet_all(&planes, &b);
		/* A facet ends where the next one begins, so parts of the body that extend beyond it, by up to the overlap,
		 * press only on the planes; a polygon without its neighbours has an edge there */
		real slack = test_seed & 1 && b.shape == s.shape.row ? 1e-13 : deep;
		near_push(a, c, slack, slack, "mesh and polygons");
		near_push(a, e, 2 * deep, 2 * deep, "mesh and planes");
	}
	stage_clear(&s);
	stage_clear(&polygons);
	stage_clear(&planes);
}

/* Outside a box: away from its ridges, a mesh acts like six polygons; a body resting over a ridge is not pushed
 * sideways. */
static void nothing_pushes_aside_on_a_block(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t mesh = add_box(&s, v3(-1, -1, -1), v3(1, 1, 1), false, true);
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 10);
		real x = scree_random_between(&r, -1.4, 1.4), y = scree_random_between(&r, -1.4, 1.4);
		placed b = place(&s, 0, v3(x, y, 1.49), turn_about(v3(0, 0, 1), scree_random_between(&r, 0, 6)), 1);
		vec3 p[4] = {{-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
		axis best = least_overlap(&b, 4, p, v3(0, 0, 1));
		if (best.d > 0 && best.d < 0.0099 / 0.7) continue; /* the way out to the side is equally short, or nearly so */
		push f = meet_convex(&s, &b, mesh);
		CHECK(s.list.count <= 1, "%d touches", s.list.count);
		if (!s.list.count) continue;
		NEAR(v3_norm(v3_sub(f.force, v3(0, 0, f.force.z))), 0, 1e-12, "force aside");
		NEAR(f.force.z, 0.01, 1e-12, "force");
	}
	placed b = place(&s, 0, v3(0.2, 0.1, 0.9), quat_one(), 0.5);
	push f = meet_convex(&s, &b, mesh);
	NEAR(f.force.z, 0.35, 1e-12, "push out of a closed mesh");
	stage_clear(&s);
}

/* Degenerate input causes neither a NaN nor a crash. */
static void degenerate_places_give_numbers(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	add_box(&s, v3(-1, -1, -1), v3(1, 1, 1), false, true);
	add_box(&s, v3(-1, -1, -1), v3(1, 1, 1), true, true);
	add_random_floor(&s, 1, 4, 0, 1, true);
	vec3 p[3] = {{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}};
	add_polygon(&s, 3, p, true);
	for (int k = 0; k < 5 * 5 * 5; ++k)
		for (int32_t solid = 0; solid < SOLIDS; ++solid) {
			placed b = place(&s, solid, v3(k % 5 * 0.5 - 1, k / 5 % 5 * 0.5 - 1, k / 25 * 0.5 - 1), quat_one(), 1);
			meet_all(&s, &b);
			b.size = 1e-9;
			meet_all(&s, &b);
		}
	stage_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdict_and_overlap_are_those_of_all_axes),
		cmocka_unit_test(a_cube_tips_over_a_step_without_a_jump),
		cmocka_unit_test(a_ridge_is_touched_once),
		cmocka_unit_test(a_blade_is_met_with_its_edge),
		cmocka_unit_test(a_plate_acts_on_both_sides),
		cmocka_unit_test(a_box_is_a_box_however_made),
		cmocka_unit_test(nothing_pushes_aside_on_a_block),
		cmocka_unit_test(degenerate_places_give_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
