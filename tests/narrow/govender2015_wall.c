/* Algorithm 2 of Govender, Wilke and Kok (2015): the cases of their Fig. 7, the finite surface of Fig. 10, internal and
 * external surfaces, and a cylinder of flat strips compared with a round cylinder. Needs SCREE_PAPERS. */
#include "papers/govender2015/govender2015.h"

#include "narrow/solid/convex_solid.h"
#include "papers/govender2015/kernel/govender2015_surface.h"

#include "wall_help.h"

static const quat UPRIGHT = {1, 0, 0, 0};

static real cos_of(real x)
{
	real s, c;
	scree_sincos(x, &s, &c);
	return c;
}

static push seed_push(stage *s, const placed *b, int32_t row)
{
	int32_t n = all_facets(s, row);
	scree_govender2015_convex_wall(b, &(near_wall){&s->wall, row, n, s->all}, &s->list);
	check_list(&s->list);
	return push_of(&s->list);
}

static int32_t add_quad(stage *s, real half, bool internal)
{
	vec3 p[4] = {v3(-half, -half, 0), v3(half, -half, 0), v3(half, half, 0), v3(-half, half, 0)};
	fail why;
	wall w = scree_wall_default("quad", 0);
	w.internal = internal;
	int32_t row = scree_walls_add_polygon(&s->wall, w, 4, p, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* the body is (a) in front of the surface, (b) partly behind it, or (c) past it, a case excluded by the position of the
 * centre */
static void three_cases_of_theorem_1(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	fail why;
	int32_t quad = add_quad(&s, 2, false);
	int32_t plane = scree_walls_add_plane(&s.wall, scree_wall_default("plane", 0), v3(0, 0, 0), v3(0, 0, 1), &why);
	for (int32_t row = quad; row <= plane; ++row) {
		placed b = place(&s, 0, v3(0, 0, 0.51), UPRIGHT, 1);
		seed_push(&s, &b, row);
		CHECK(s.list.count == 0, "(a) in front");
		b.at.z = 0.4;
		seed_push(&s, &b, row);
		CHECK(s.list.count == 1 && s.list.item[0].points == 1, "(b) partly behind");
		NEAR(s.list.item[0].depth, 0.1, 1e-15, "mean distance of four vertices");
		NEAR(v3_norm(v3_sub(s.list.at[0], v3(0, 0, -0.5))), 0, 1e-15, "mean point");
		b.at.z = -0.6;
		seed_push(&s, &b, row);
		CHECK(s.list.count == 0, "(c) past it");
	}
	stage_clear(&s);
}

/* mean point and mean distance, computed separately for any pose above a large quad */
static void means_of_vertices(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t quad = add_quad(&s, 5, false);
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 11);
		placed b = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.5);
		b.at.z = real_abs(b.at.z) / 2;
		seed_push(&s, &b, quad);
		vec3 sum = v3(0, 0, 0);
		real depth = 0;
		int count = 0;
		for (int32_t v = 0; v < b.shape->vertices; ++v) {
			vec3 x = vertex_of(&b, v);
			if (x.z >= 0) continue;
			++count;
			sum = v3_add(sum, x);
			depth -= x.z;
		}
		CHECK(s.list.count == (count > 0), "%d vertices are behind", count);
		if (!count) continue;
		NEAR(s.list.item[0].depth, depth / count, 1e-14, "mean distance");
		NEAR(v3_norm(v3_sub(v3_add(b.at, s.list.at[0]), v3_mul(1.0 / count, sum))), 0, 1e-14, "mean point");
	}
	stage_clear(&s);
}

/* Theorem 2 and the signs of the half planes agree, except closer to the edges than 1e-3 of the size. A point at a
 * distance x from an edge of a square of side 1 adds about x to the sum of areas outside; the tolerance of 1e-6
 * therefore corresponds to a band about 1e-6 wide along edges, and of the same order at corners. */
static void finite_surface(void **state)
{
	(void)state;
	int64_t inside = 0, outside = 0, band = 0;
	FOR_SEEDS(50000)
	{
		random_stream r = scree_random_start(test_seed, 12);
		vec3 q[4];
		for (int k = 0; k < 4; ++k) {
			real si, co;
			scree_sincos(k * SCREE_PI / 2 + scree_random_between(&r, 0, 1.2), &si, &co);
			q[k] = v3(co, si, 0);
		}
		vec3 p = random_in(&r, 1);
		p.z = 0;
		if (test_seed % 2) { /* close to an edge */
			int k = (int)(test_seed / 2 % 4);
			vec3 u = v3_sub(q[(k + 1) % 4], q[k]), out = v3_unit(v3_cross(u, v3(0, 0, 1)));
			real size = 1;
			for (int i = 0; i < (int)(test_seed / 8 % 12); ++i) size /= 10;
			p = v3_madd(v3_madd(q[k], scree_random_between(&r, 0, 1), u), scree_random_between(&r, -size, size), out);
		}
		real least = INFINITY;
		for (int k = 0; k < 4; ++k) {
			vec3 u = v3_sub(q[(k + 1) % 4], q[k]);
			least = real_min(least, v3_cross(u, v3_sub(p, q[k])).z / v3_norm(u));
		}
		bool in = govender2015_inside(4, q, p);
		if (least >= 0) CHECK(in, "inside by %g, and not found", least);
		if (least < -1e-5) CHECK(!in, "outside by %g, and found inside", -least);
		inside += least > 1e-5;
		outside += least < -1e-5;
		band += least < 0 && in;
	}
	CHECK(inside > 1000 && outside > 1000 && band > 0, "%lld, %lld, %lld", (long long)inside, (long long)outside,
		  (long long)band);
}

/* An edge of a cube crosses the border of a blade: no vertex is behind the blade. If the surface is declared internal,
 * there is no contact.
 */
static void external_border(void **state)
{
	(void)state;
	for (int internal = 0; internal < 2; ++internal) {
		stage s = {0};
		add_solids(&s);
		int32_t quad = add_quad(&s, 0.2, internal);
		/* the lowest edge of the cube, along y, crosses the border x = 0.2 of the quad, which has a slope of 0.2 along
		 * y */
		quat q = quat_mul(turn_about(v3(0, 0, 1), 0.3),
						  quat_mul(turn_about(v3(1, 0, 0), 0.5), turn_about(v3(0, 1, 0), SCREE_PI / 4)));
		placed b = place(&s, 0, v3(0.25, 0, 0.55), q, 1);
		seed_push(&s, &b, quad);
		CHECK(s.list.count == !internal, "internal %d: %d touches", internal, s.list.count);
		stage_clear(&s);
	}
}

/* A quadrilateral gives the same contact as many triangles in the same plane. */
static void seams_change_nothing(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int32_t quad = add_quad(&s, 2, true), floor = add_random_floor(&s, 2, 6, 0.2, 3, false);
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 13);
		placed b = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.2);
		b.at.z = real_abs(b.at.z) / 2;
		push p = seed_push(&s, &b, quad), q = seed_push(&s, &b, floor);
		near_push(p, q, 1e-12, 1e-12, "triangles");
	}
	stage_clear(&s);
}

/* ------------------------------------------------------------------ a cylinder of strips */

static int32_t add_strips(stage *s, int n)
{
	vec3 *v = scree_alloc(2 * (size_t)n, sizeof *v);
	int32_t *t = scree_alloc(6 * (size_t)n, sizeof *t);
	for (int k = 0; k < n; ++k) {
		real si, co, h, c;
		scree_sincos(SCREE_PI / n, &h, &c);
		scree_sincos((2 * k + 1) * SCREE_PI / n, &si, &co);
		v[2 * k] = v3(co / c, si / c, -2);
		v[2 * k + 1] = v3(co / c, si / c, 2);
		int32_t a = 2 * k, b = 2 * ((k + 1) % n), o[6] = {a, a + 1, b + 1, a, b + 1, b};
		memcpy(t + 6 * (size_t)k, o, sizeof o);
	}
	fail why;
	int32_t row = scree_walls_add_mesh(&s->wall, scree_wall_default("strips", 0), 2 * n, v, 2 * n, t, &why);
	CHECK(row >= 0, "%s", why.text);
	CHECK(s->wall.row[row].surfaces == n, "%d surfaces of %d strips", s->wall.row[row].surfaces, n);
	scree_free(v);
	scree_free(t);
	return row;
}

/* largest difference, over many poses, between the deepest overlap and the overlap with the round cylinder */
static real worst(stage *s, int32_t round, int32_t strips, bool sphere)
{
	real most = 0;
	FOR_SEEDS(400)
	{
		random_stream r = scree_random_start(test_seed, 14);
		real angle = scree_random_between(&r, 0, 2 * SCREE_PI), si, co;
		scree_sincos(angle, &si, &co);
		vec3 at = v3(0.86 * co, 0.86 * si, 0);
		placed b = place(s, 0, at, scree_random_rotation(&r), 0.2);
		push p = sphere ? meet_sphere(s, at, 0.2, round) : meet_convex(s, &b, round);
		push q = sphere ? meet_sphere(s, at, 0.2, strips) : meet_convex(s, &b, strips);
		if (p.deepest > 0.02) most = real_max(most, real_abs(p.deepest - q.deepest));
	}
	return most;
}

static void strips_become_round(void **state)
{
	(void)state;
	fail why;
	for (int sphere = 0; sphere < 2; ++sphere) {
		real before = 0;
		for (int n = 12; n <= 192; n *= 4) {
			stage s = {0};
			add_solids(&s);
			wall w = scree_wall_default("round", 0);
			int32_t round = scree_walls_add_cylinder(&s.wall, w, v3(0, 0, -2), v3(0, 0, 1), 1, 4, SIDE_INSIDE, &why);
			real error = worst(&s, round, add_strips(&s, n), sphere);
			print_message("%s, %d strips: overlap differs by %g\n", sphere ? "spheres" : "cubes", n, error);
			CHECK(error <= (sphere ? 1 : 3) * (1 / cos_of(SCREE_PI / n) - 1), "%d strips: %g", n, error);
			if (before > 0)
				CHECK(error < before / (sphere ? 12 : 6), "about 16 times less is expected: %g, %g", before, error);
			before = error;
			stage_clear(&s);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_cases_of_theorem_1), cmocka_unit_test(means_of_vertices),
		cmocka_unit_test(finite_surface),			cmocka_unit_test(external_border),
		cmocka_unit_test(seams_change_nothing),		cmocka_unit_test(strips_become_round),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
