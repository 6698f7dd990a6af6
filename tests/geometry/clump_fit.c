/* Clumps that fill a closed surface of triangles: no sphere sticks out, more spheres cover more volume, and symmetry is
 * kept. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "kernel/quat.h"
#include "shape/clump/clump.h"
#include "shape/clump/clump_fit.h"
#include "shape/clump/clump_internal.h"

enum { MOST = 4096 };

typedef struct soup {
	int32_t vertices, triangles;
	vec3 vertex[MOST];
	int32_t corner[3 * MOST];
} soup;

static void triangle(soup *s, int32_t a, int32_t b, int32_t c)
{
	int32_t *to = &s->corner[3 * s->triangles++];
	to[0] = a, to[1] = b, to[2] = c;
}

/* extrudes a polygon in the plane z = 0, whose bottom triangles are given counter-clockwise as seen from above */
static soup prism(int32_t corners, const real (*at)[2], real height, int32_t triangles, const int32_t (*cap)[3])
{
	soup s = {.vertices = 2 * corners};
	for (int32_t k = 0; k < corners; ++k) {
		int32_t next = (k + 1) % corners;
		s.vertex[k] = v3(at[k][0], at[k][1], 0);
		s.vertex[corners + k] = v3(at[k][0], at[k][1], height);
		triangle(&s, k, next, corners + next);
		triangle(&s, k, corners + next, corners + k);
	}
	for (int32_t t = 0; t < triangles; ++t) {
		triangle(&s, cap[t][0], cap[t][2], cap[t][1]);
		triangle(&s, corners + cap[t][0], corners + cap[t][1], corners + cap[t][2]);
	}
	return s;
}

static soup cube(real a)
{
	const real at[4][2] = {{0, 0}, {a, 0}, {a, a}, {0, a}};
	const int32_t cap[2][3] = {{0, 1, 2}, {0, 2, 3}};
	return prism(4, at, a, 2, cap);
}

/* two boxes, 2 by 1 by 1 and 1 by 2 by 1, with one corner in common */
static soup angle(void)
{
	const real at[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
	const int32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
	return prism(6, at, 1, 4, cap);
}

/* rings of 2 n vertices; wave: number of lobes around the axis */
static soup ball(int32_t n, real wave)
{
	soup s = {0};
	int32_t m = 2 * n;
	s.vertex[s.vertices++] = v3(0, 0, 1);
	for (int32_t i = 1; i < n; ++i)
		for (int32_t j = 0; j < m; ++j) {
			real down = SCREE_PI * i / n, round = SCREE_PI * j / n, r = 1 + wave * sin(3 * round) * pow(sin(down), 3);
			s.vertex[s.vertices++] = v3(r * sin(down) * cos(round), r * sin(down) * sin(round), r * cos(down));
		}
	s.vertex[s.vertices++] = v3(0, 0, -1);
	for (int32_t j = 0; j < m; ++j) {
		int32_t k = (j + 1) % m, last = 1 + (n - 2) * m;
		triangle(&s, 0, 1 + j, 1 + k);
		for (int32_t a = 1; a < last; a += m) {
			triangle(&s, a + j, a + m + j, a + m + k);
			triangle(&s, a + j, a + m + k, a + k);
		}
		triangle(&s, s.vertices - 1, last + k, last + j);
	}
	return s;
}

typedef struct filled {
	clump_spheres s;
	solid_mass mass;
	real volume;
} filled;

static filled fill(const soup *from, int32_t count, real excess)
{
	trimesh m = {0};
	fail why = {0};
	filled o = {0};
	bool good = scree_trimesh_build(&m, "test", from->vertices, from->vertex, from->triangles, from->corner, &why);
	CHECK(good, "%s", why.text);
	o.volume = scree_trimesh_mass(&m).volume;
	good = scree_clump_fit(&m, count, excess, &o.s, &why);
	CHECK(good, "%s", why.text);
	CHECK(o.s.count >= 1 && o.s.count <= count, "%d spheres of %d", o.s.count, count);
	for (int32_t k = 1; k < o.s.count; ++k) CHECK(o.s.radius[k] <= o.s.radius[k - 1], "sphere %d", k);
	/* no ball is inside another one */
	good = scree_clump_mass("fitted", o.s.count, o.s.centre, o.s.radius, &o.mass, &why);
	CHECK(good, "%s", why.text);
	if (excess == 0) NEAR(o.s.covered, o.mass.volume / o.volume, 1e-12, "covered");
	scree_trimesh_free(&m);
	return o;
}

/* ------------------------------------------------------------------ convex */

static void one_ball(void **state)
{
	(void)state;
	soup s = ball(12, 0);
	real inside = 1; /* the inscribed ball touches the faces */
	for (int32_t t = 0; t < s.triangles; ++t) {
		vec3 a = s.vertex[s.corner[3 * t]], b = s.vertex[s.corner[3 * t + 1]], c = s.vertex[s.corner[3 * t + 2]];
		vec3 n = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
		inside = real_min(inside, v3_dot(n, a));
	}
	filled one = fill(&s, 1, 0);
	NEAR(one.s.radius[0], inside, 1e-3, "radius");
	CHECK(one.s.radius[0] <= inside + 1e-12, "%g beyond", one.s.radius[0] - inside);
	NEAR(v3_norm(one.s.centre[0]), 0, 1e-3, "centre");
	NEAR(one.s.covered, pow(inside, 3) * 4 * SCREE_PI / 3 / one.volume, 1e-3, "covered");
	NEAR(one.s.farthest, 1 - one.s.radius[0], 1e-3, "farthest"); /* the vertices */
	scree_clump_spheres_free(&one.s);
}

static void cubes(void **state)
{
	(void)state;
	const int32_t counts[5] = {1, 8, 9, 27, 60};
	const int64_t few = test_few(5, 3);
	real before = 0, farthest = 10;
	soup s = cube(2);
	for (int k = 0; k < few; ++k) {
		filled o = fill(&s, counts[k], 0);
		for (int32_t i = 0; i < o.s.count; ++i) {
			vec3 c = o.s.centre[i];
			real x = real_min(c.x, 2 - c.x), y = real_min(c.y, 2 - c.y), z = real_min(c.z, 2 - c.z);
			real most = real_min(x, real_min(y, z));
			CHECK(o.s.radius[i] <= most + 1e-14, "sphere %d sticks out by %g", i, o.s.radius[i] - most);
		}
		CHECK(o.s.covered > before + 0.01, "%d spheres cover %g, fewer %g", counts[k], o.s.covered, before);
		CHECK(o.s.farthest < farthest, "%d spheres leave %g, fewer %g", counts[k], o.s.farthest, farthest);
		before = o.s.covered, farthest = o.s.farthest;
		NEAR(v3_norm(v3_sub(o.mass.centre, v3(1, 1, 1))), 0, 0.02, "centroid");
		real mean = (o.mass.second[0] + o.mass.second[1] + o.mass.second[2]) / 3;
		for (int j = 0; j < 6; ++j) NEAR(o.mass.second[j] / mean, j < 3 ? 1 : 0, 0.03, "moments of a cube");
		if (counts[k] == 1) {
			NEAR(o.s.radius[0], 1, 1e-3, "radius");
			NEAR(o.s.farthest, sqrt(3) - 1, 2e-3, "corners");
		}
		if (counts[k] == 8) /* one ball towards each corner; the covered volume hardly depends on their arrangement */
			for (int32_t i = 0; i < 8; ++i) NEAR(o.s.radius[i], 0.65, 0.04, "equal spheres");
		print_message("cube, %d spheres: covered %.4f, farthest %.4f edges\n", o.s.count, o.s.covered,
					  o.s.farthest / 2);
		scree_clump_spheres_free(&o.s);
	}
	CHECK(few < 5 || before > 0.88, "60 spheres cover %g", before);
}

/* ------------------------------------------------------------------ concave */

static real apart_from_box(vec3 p, vec3 high)
{
	vec3 d = v3(real_max(0, real_max(-p.x, p.x - high.x)), real_max(0, real_max(-p.y, p.y - high.y)),
				real_max(0, real_max(-p.z, p.z - high.z)));
	return v3_norm(d);
}

static void concave(void **state)
{
	(void)state;
	soup s = angle();
	const real excess[3] = {0, 0.01, 0.05};
	real before = 0;
	for (int k = 0; k < 3; ++k) {
		filled o = fill(&s, 12, excess[k]);
		random_stream r = scree_random_start(7, (uint64_t)k);
		real most = 0;
		for (int32_t i = 0; i < o.s.count; ++i)
			for (int n = 0; n < 2000; ++n) {
				vec3 p = v3_madd(o.s.centre[i], o.s.radius[i], scree_random_direction(&r));
				most = real_max(most, real_min(apart_from_box(p, v3(2, 1, 1)), apart_from_box(p, v3(1, 2, 1))));
			}
		CHECK(most <= 2 * excess[k] + 1e-14, "sticks out by %g of %g", most, 2 * excess[k]);
		CHECK(most >= 1.9 * excess[k], "sticks out by %g only of %g", most, 2 * excess[k]);
		CHECK(o.s.covered > before + 0.02, "%g, then %g", before, o.s.covered);
		before = o.s.covered;
		scree_clump_spheres_free(&o.s);
	}
}

/* The count of grid points yields the volume of the union of the spheres if nearly all of the union is inside. */
static void covered_by_the_grid(void **state)
{
	(void)state;
	soup s = angle();
	const int64_t most = test_few(40, 12);
	for (int32_t count = 1; count < most; count += 9) {
		filled exact = fill(&s, count, 0), counted = fill(&s, count, 1e-12);
		NEAR(counted.s.covered, exact.s.covered, 0.005, "covered");
		scree_clump_spheres_free(&exact.s);
		scree_clump_spheres_free(&counted.s);
	}
}

/* Removing one sphere leaves the volume covered by the others; gains are differences between covered volumes. */
static void taken_out(void **state)
{
	(void)state;
	enum { N = 24 };
	soup s = cube(1);
	trimesh m = {0};
	fail why = {0};
	assert_true(scree_trimesh_build(&m, "test", s.vertices, s.vertex, s.triangles, s.corner, &why));
	FOR_SEEDS(4)
	{
		random_stream r = scree_random_start(test_seed, 5);
		cover_grid g = {0}, fresh = {0};
		scree_cover_make(&g, &m, 1, N);
		scree_cover_make(&fresh, &m, 1, N);
		sphere all[N];
		for (int k = 0; k < N; ++k) {
			all[k].centre.x = scree_random_real(&r), all[k].centre.y = scree_random_real(&r);
			all[k].centre.z = scree_random_real(&r), all[k].radius = scree_random_between(&r, 0.05, 0.4);
			real gain = scree_cover_gain(&g, all[k]), before = scree_cover_sum(&g);
			scree_cover_add(&g, all[k]);
			NEAR(scree_cover_sum(&g) - before, gain, 1e-8, "gain");
		}
		int64_t cells = (int64_t)g.n[0] * g.n[1] * g.n[2];
		assert_true(g.inside == cells); /* the shape is a cube */
		for (int32_t i = 0; i < N; ++i) {
			scree_cover_remove(&g, N, all, i);
			scree_cover_clear(&fresh);
			for (int k = 0; k < N; ++k)
				if (k != i) scree_cover_add(&fresh, all[k]);
			for (int64_t c = 0; c < cells; ++c) NEAR(g.covered[c], fresh.covered[c], 1e-12, "covered without it");
			scree_cover_add(&g, all[i]);
		}
		scree_cover_free(&g);
		scree_cover_free(&fresh);
	}
	scree_trimesh_free(&m);
}

static void again(void **state)
{
	(void)state;
	soup s = ball((int32_t)test_few(10, 6), 0.3);
	const int32_t count = (int32_t)test_few(20, 8);
	filled one = fill(&s, count, 0), two = fill(&s, count, 0);
	assert_int_equal(one.s.count, two.s.count);
	assert_memory_equal(one.s.centre, two.s.centre, (size_t)one.s.count * sizeof *one.s.centre);
	assert_memory_equal(one.s.radius, two.s.radius, (size_t)one.s.count * sizeof *one.s.radius);
	/* at a different position and with a different size, the result is nearly the same */
	soup other = s;
	for (int32_t k = 0; k < s.vertices; ++k) other.vertex[k] = v3_add(v3(5, -7, 3), v3_mul(1e-3, s.vertex[k]));
	filled small = fill(&other, count, 0);
	NEAR(small.s.covered, one.s.covered, 0.01, "covered, small and far from the origin");
	NEAR(small.s.farthest * 1e3, one.s.farthest, 0.05, "farthest");
	scree_clump_spheres_free(&one.s);
	scree_clump_spheres_free(&two.s);
	scree_clump_spheres_free(&small.s);
}

static void fine_triangles(void **state)
{
	(void)state;
	soup s = ball((int32_t)test_few(16, 8), 0.3);
	filled o = fill(&s, 50, 0);
	print_message("%d triangles, %d spheres: covered %.4f, farthest %.4f\n", s.triangles, o.s.count, o.s.covered,
				  o.s.farthest);
	CHECK(o.s.covered > 0.95, "%g", o.s.covered);
	scree_clump_spheres_free(&o.s);
}

static void what_is_refused(void **state)
{
	(void)state;
	soup s = cube(1);
	trimesh m = {0};
	fail why = {0};
	clump_spheres o;
	assert_true(scree_trimesh_build(&m, "test", s.vertices, s.vertex, s.triangles, s.corner, &why));
	assert_false(scree_clump_fit(&m, 0, 0, &o, &why));
	assert_string_equal(why.text, "0 spheres for a clump, expected 1 to 4096");
	assert_false(scree_clump_fit(&m, CLUMP_MOST + 1, 0, &o, &why));
	assert_false(scree_clump_fit(&m, 1, -1, &o, &why));
	assert_string_equal(why.text, "spheres that protrude by -1 of the size, expected 0 to 1");
	assert_false(scree_clump_fit(&m, 1, (real)NAN, &o, &why));
	assert_true(why.code == FAIL_INPUT && !o.centre && !o.radius);
	scree_trimesh_free(&m);
	const real at[3][2] = {{0, 0}, {1, 0}, {0.2, 0.7}};
	const int32_t cap[1][3] = {{0, 1, 2}};
	s = prism(3, at, 1e-6, 1, cap); /* a tilted sheet */
	for (int32_t k = 0; k < s.vertices; ++k) s.vertex[k] = quat_rotate(quat_of(0.8, 0.1, 0.34, 0.48), s.vertex[k]);
	assert_true(scree_trimesh_build(&m, "test", s.vertices, s.vertex, s.triangles, s.corner, &why));
	assert_false(scree_clump_fit(&m, 1, 0, &o, &why));
	assert_string_equal(why.text, "the inside of the surface is too thin for spheres: no point of a grid is inside");
	scree_trimesh_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_ball),		  cmocka_unit_test(cubes),
		cmocka_unit_test(concave),		  cmocka_unit_test(covered_by_the_grid),
		cmocka_unit_test(taken_out),	  cmocka_unit_test(again),
		cmocka_unit_test(fine_triangles), cmocka_unit_test(what_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
