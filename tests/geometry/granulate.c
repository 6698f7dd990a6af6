/* Random grains: counts and fractions over 300 grains, compared with the values expected from directions and factors,
 * and conditions that each grain must satisfy. */
#include "test.h"

#include "format/granulate.h"
#include "shape/mesh/trimesh.h"

enum { GRAINS = 300 };
static const real HOLLOW = 0.286, FILLED = 0.933;

/* over many grains */
typedef struct spread {
	int32_t count;
	real sum, squares, least, most;
} spread;

static void add(spread *s, real x)
{
	if (!s->count || x < s->least) s->least = x;
	if (!s->count++ || x > s->most) s->most = x;
	s->sum += x;
	s->squares += x * x;
}
static real mean(const spread *s) { return s->sum / s->count; }
static real deviation(const spread *s) { return sqrt((s->squares - s->sum * s->sum / s->count) / (s->count - 1)); }

typedef struct outcome {
	int32_t triangles, hollow; /* sides */
	real volume, sphericity;   /* ratio of the smallest to the largest distance between a vertex and the centre */
} outcome;

static outcome one(const granulate *g)
{
	mesh m;
	trimesh t;
	fail why = {0};
	CHECK(scree_granulate(g, "grain", &m, &why), "%s", why.text);
	CHECK(scree_trimesh_build(&t, "grain", m.vertices, m.vertex, m.triangles, m.triangle, &why), "%s", why.text);
	CHECK(m.triangles == 2 * m.vertices - 4, "Euler: %d triangles of %d vertices", m.triangles, m.vertices);
	trimesh_mass mass = scree_trimesh_mass(&t);
	outcome o = {.triangles = m.triangles, .volume = mass.volume};
	real far = 0, near = 1;
	for (int32_t i = 0; i < m.vertices; ++i) {
		real r = v3_norm(m.vertex[i]);
		far = real_max(far, r), near = real_min(near, r);
	}
	NEAR(v3_norm(mass.centre), 0, 1e-15, "centroid");
	NEAR(far, 0.5, 1e-15, "farthest vertex");
	CHECK(scree_trimesh_inside(&t, v3(0, 0, 0)) > 0, "its middle is outside");
	for (int32_t side = 0; side < 3 * t.triangles; ++side) o.hollow += t.bend[side] < 0;
	o.sphericity = near / far;
	scree_trimesh_free(&t);
	scree_mesh_free(&m);
	return o;
}

/* For 50 points, 300 grains in the literature have 65.4 +- 4.9 triangles, and 5000 of our grains have 65.7 +- 5.2; a
 * mean over 300 grains is accurate to 0.3, a deviation to 0.2. */
static void scaled_first(void **state)
{
	(void)state;
	spread triangles = {0}, volume = {0};
	for (int k = 0; k < GRAINS; ++k) {
		outcome o = one(&(granulate){1, (uint64_t)k, 50, 0.75, 1, SCALE_THEN_HULL});
		CHECK(o.hollow == 0, "%d hollow sides of a hull", o.hollow);
		add(&triangles, o.triangles);
		add(&volume, o.volume);
	}
	print_message("%.2f +- %.2f triangles, %g to %g; volume %.4f +- %.4f\n", mean(&triangles), deviation(&triangles),
				  triangles.least, triangles.most, mean(&volume), deviation(&volume));
	NEAR(mean(&triangles), 65.4, 0.9, "mean number of triangles");
	NEAR(deviation(&triangles), 4.9, 0.7, "deviation of the number of triangles");
	CHECK(triangles.least >= 46 && triangles.most <= 84, "%g to %g triangles", triangles.least, triangles.most);
}

/* 2 n - 4 triangles; slightly concave */
static void hull_first(void **state)
{
	(void)state;
	spread hollow = {0}, volume = {0};
	for (int k = 0; k < GRAINS; ++k) {
		outcome o = one(&(granulate){1, (uint64_t)k, 50, 0.75, 1, HULL_THEN_SCALE});
		outcome hull = one(&(granulate){1, (uint64_t)k, 50, 0.75, 1, SCALE_THEN_HULL});
		CHECK(o.triangles == 96, "%d triangles", o.triangles);
		CHECK(o.hollow > 0, "no hollow side");
		add(&hollow, o.hollow / 288.0);
		/* if all factors are nearly equal, `hull` is the convex hull of the grain `o` */
		add(&volume, o.volume / hull.volume);
	}
	print_message("%.3f +- %.3f of the sides hollow, volume over that of the hull %.3f +- %.3f\n", mean(&hollow),
				  deviation(&hollow), mean(&volume), deviation(&volume));
	NEAR(mean(&hollow), HOLLOW, 0.01, "share of hollow sides");
	NEAR(mean(&volume), FILLED, 0.01, "share of the hull");
}

/* only the factors make a difference: without them, both orders give the same hull, with all vertices on a sphere
 * around the centre of the cloud */
static void no_factors(void **state)
{
	(void)state;
	for (int k = 0; k < 20; ++k) {
		mesh m, n;
		fail why = {0};
		CHECK(scree_granulate(&(granulate){2, (uint64_t)k, 30, 1, 1, SCALE_THEN_HULL}, "grain", &m, &why), "%s",
			  why.text);
		CHECK(scree_granulate(&(granulate){2, (uint64_t)k, 30, 1, 1, HULL_THEN_SCALE}, "grain", &n, &why), "%s",
			  why.text);
		CHECK(m.triangles == 56 && n.triangles == 56 && !memcmp(m.triangle, n.triangle, 56 * 12) &&
				  !memcmp(m.vertex, n.vertex, sizeof(vec3) * 30),
			  "orders differ");
		scree_mesh_free(&m), scree_mesh_free(&n);
	}
}

/* with few points, clouds that do not surround their centre are redrawn */
static void few_points(void **state)
{
	(void)state;
	for (int k = 0; k < 200; ++k)
		for (int32_t points = 4; points < 8; ++points)
			for (int order = 0; order < 2; ++order)
				one(&(granulate){3, (uint64_t)k, points, 0.3, 1, order ? HULL_THEN_SCALE : SCALE_THEN_HULL});
}

static void seeds(void **state)
{
	(void)state;
	granulate g = {7, 3, 50, 0.75, 1, HULL_THEN_SCALE};
	mesh m, n;
	fail why = {0};
	CHECK(scree_granulate(&g, "grain", &m, &why) && scree_granulate(&g, "grain", &n, &why), "%s", why.text);
	CHECK(m.vertices == n.vertices && !memcmp(m.vertex, n.vertex, sizeof(vec3) * (size_t)m.vertices),
		  "not the same twice");
	scree_mesh_free(&n);
	for (int k = 0; k < 2; ++k) {
		granulate other = g;
		++*(k ? &other.seed : &other.number);
		CHECK(scree_granulate(&other, "grain", &n, &why), "%s", why.text);
		CHECK(v3_norm(v3_sub(m.vertex[0], n.vertex[0])) > 1e-3, "the same for another one");
		scree_mesh_free(&n);
	}
	scree_mesh_free(&m);
}

static void refusals(void **state)
{
	(void)state;
	static const struct {
		granulate g;
		const char *words;
	} bad[] = {
		{{1, 0, 3, 0.75, 1, SCALE_THEN_HULL}, "a grain of 3 points, expected 4 to 4096"},
		{{1, 0, 5000, 0.75, 1, SCALE_THEN_HULL}, "a grain of 5000 points"},
		{{1, 0, 50, 0, 1, SCALE_THEN_HULL}, "radial factors from 0 to 1"},
		{{1, 0, 50, 1, 0.5, HULL_THEN_SCALE}, "radial factors from 1 to 0.5"},
		{{1, 0, 50, 1, NAN, HULL_THEN_SCALE}, "radial factors from 1 to nan"},
	};
	for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
		mesh m;
		fail why = {0};
		CHECK(!scree_granulate(&bad[k].g, "grain", &m, &why) && strstr(why.text, bad[k].words), "expected '%s' in: %s",
			  bad[k].words, why.text);
		CHECK(!m.vertex && !m.triangle, "something is left");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scaled_first), cmocka_unit_test(hull_first), cmocka_unit_test(no_factors),
		cmocka_unit_test(few_points),	cmocka_unit_test(seeds),	  cmocka_unit_test(refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
