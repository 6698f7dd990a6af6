/* Closest points of two segments, and of a point and a triangle: each region, parallel and degenerate cases. */
#include "test.h"

#include "kernel/triangle_newton.h"

static tri3 some(random_stream *r, real size)
{
	return t3(scree_random_between(r, -size, size), scree_random_between(r, -size, size),
			  scree_random_between(r, -size, size));
}

static real square(tri3 a) { return t3_dot(a, a); }

/* ------------------------------------------------------------------ segments */

static tri3 between(tri3 r, tri3 u, tri3 v, real s, real t) { return t3_madd(t3_madd(r, s, u), -t, v); }

/* as for any convex bodies, moving a point along its segment does not bring the closest points closer together */
static void check_segments(tri3 r, tri3 u, tri3 v)
{
	tri_segments g = tri_segments_closest(r, u, v);
	tri3 w = between(r, u, v, g.s, g.t);
	real size = sqrt(square(r)) + sqrt(square(u)) + sqrt(square(v)), along_u = t3_dot(w, u), along_v = -t3_dot(w, v);
	/* about thirty rounding errors of products of two lengths, divided by the sine if the segments are nearly parallel
	 */
	tri3 n = t3_cross(u, v);
	real sine2 = square(n) / real_max(square(u) * square(v), 1e-300), slack = 1e-14 * size * size;
	if (sine2 < 1e-10 && sine2 > 0) slack *= 1e3;
	CHECK(g.s >= 0 && g.s <= 1 && g.t >= 0 && g.t <= 1, "s %g, t %g", g.s, g.t);
	CHECK(g.s == 0 || along_u <= slack, "back along the first: %g", along_u);
	CHECK(g.s == 1 || along_u >= -slack, "on along the first: %g", along_u);
	CHECK(g.t == 0 || along_v <= slack, "back along the second: %g", along_v);
	CHECK(g.t == 1 || along_v >= -slack, "on along the second: %g", along_v);
	CHECK(!g.within || (g.s > 0 && g.s < 1 && g.t > 0 && g.t < 1), "s %g, t %g are ends", g.s, g.t);
}

static void segments(void **state)
{
	(void)state;
	int64_t within = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		tri3 u = some(&r, 1), v = some(&r, 1), from = some(&r, 2);
		check_segments(from, u, v);
		within += tri_segments_closest(from, u, v).within;
		check_segments(from, u, t3_mul(scree_random_between(&r, -2, 2), u));
		check_segments(from, t3(0, 0, 0), v);
		check_segments(from, u, t3(0, 0, 0));
		check_segments(from, t3(0, 0, 0), t3(0, 0, 0));
	}
	CHECK(within > test_cases(500), "only %lld crossed within", (long long)within);
}

/* for parallel segments, the midpoint of the overlap or, if they do not overlap, the nearest endpoints */
static void parallel(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		real first = scree_random_between(&r, -2, 2), last = scree_random_between(&r, -2, 2);
		tri3 u = t3(2, 0, 0), from = t3(-2 * first, 1, 0), v = t3(2 * (last - first), 0, 0);
		tri_segments g = tri_segments_closest(from, u, v);
		real low = real_max(real_min(first, last), 0), high = real_min(real_max(first, last), 1);
		real on = low <= high ? (low + high) / 2 : low > 1 ? 1 : 0;
		NEAR(g.s, on, 1e-14, "where on the first");
		CHECK(g.parallel == (low < high), "from %g to %g", first, last);
		if (low < high) NEAR(first + g.t * (last - first), on, 1e-14, "the same place on the second");
	}
}

/* ------------------------------------------------------------------ a point and a triangle */

/* the regions in Eberly's figure: 0 inside; 1, 3, 5 beyond edges; 2, 4, 6 between two of these */
static int region(real s, real t)
{
	bool beyond = s + t > 1;
	if (s < 0) return t < 0 ? 4 : beyond ? 2 : 3;
	if (t < 0) return beyond ? 6 : 5;
	return beyond ? 1 : 0;
}

static void point_triangle(void **state)
{
	(void)state;
	int64_t seen[7] = {0};
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 3);
		tri3 a = some(&r, 1), e = some(&r, 1), f = some(&r, 1), n = t3_cross(e, f);
		real s = scree_random_between(&r, -2, 3), t = scree_random_between(&r, -2, 3);
		tri3 p = t3_madd(t3_madd(t3_madd(a, s, e), t, f), scree_random_between(&r, -2, 2), n);
		tri_weights w = tri_closest(t3_sub(a, p), e, f);
		int where = region(s, t);
		++seen[where];
		CHECK(w.b >= 0 && w.c >= 0 && w.b + w.c <= 1 + 1e-15, "weights %g and %g", w.b, w.c);
		/* along the direction from the closest point to p, no corner is farther than the closest point */
		tri3 on = t3_madd(t3_madd(a, w.b, e), w.c, f), out = t3_sub(p, on);
		real size = 1 + sqrt(square(p)), slack = 1e-13 * size * size;
		for (int k = 0; k < 3; ++k) {
			tri3 corner = k == 0 ? a : t3_add(a, k == 1 ? e : f);
			CHECK(t3_dot(out, t3_sub(corner, on)) <= slack, "region %d: corner %d is on the near side by %g", where, k,
				  t3_dot(out, t3_sub(corner, on)));
		}
		if (where == 0) {
			real sine2 = square(n) / (square(e) * square(f));
			NEAR(w.b, s, 1e-13 / sine2, "s");
			NEAR(w.c, t, 1e-13 / sine2, "t");
		}
	}
	for (int k = 0; k < 7; ++k) CHECK(seen[k] > test_cases(20), "region %d was met %lld times", k, (long long)seen[k]);
}

/* triangles that degenerate to a segment or a point */
static void degenerate(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 4);
		tri3 a = some(&r, 1), e = some(&r, 1);
		real x = scree_random_between(&r, -2, 2), end = real_max(real_max(x, 1), 0),
			 start = real_min(real_min(x, 1), 0);
		tri_weights w = tri_closest(a, e, t3_mul(x, e));
		tri3 on = t3_madd(a, w.b + x * w.c, e);
		real best = tri_clamp(-t3_dot(a, e) / square(e), start, end);
		NEAR(sqrt(square(on)), sqrt(square(t3_madd(a, best, e))), 1e-14, "a segment");
		w = tri_closest(a, t3(0, 0, 0), t3(0, 0, 0));
		CHECK(w.b >= 0 && w.b <= 1 && w.c >= 0 && w.c <= 1, "a point");
	}
}

/* ------------------------------------------------------------------ weights */

/* No weight is negative, and their sum is 1 to within two rounding errors, for any input (eq. 9). */
static void weights(void **state)
{
	(void)state;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		tri_weights w = tri_weights_of(scree_random_between(&r, -1, 2), scree_random_between(&r, -1, 2));
		if (test_seed % 16 == 0) w.b = NAN;
		if (test_seed % 16 == 1) w.c = INFINITY;
		w = tri_weights_inside(w);
		real rest = real_max(1 - w.b - w.c, 0);
		long double sum = (long double)w.b + w.c + rest;
		CHECK(w.b >= 0 && w.c >= 0 && fabsl(sum - 1) <= 0x1p-52L, "%g, %g and %g", w.b, w.c, rest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(segments),	  cmocka_unit_test(parallel), cmocka_unit_test(point_triangle),
		cmocka_unit_test(degenerate), cmocka_unit_test(weights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
