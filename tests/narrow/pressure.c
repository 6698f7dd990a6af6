/* The lever arm of a pressure distribution, compared with sums over small pieces and with known values, and tested for
 * jumps. */
#include "test.h"

#include "base/maths.h"
#include "narrow/touch_list.h"

typedef struct spot {
	real x, y;
} spot;

/* p at a point */
typedef struct law {
	real p, along_x, along_y;
} law;

static real pressed(const law *l, spot s) { return real_max(l->p + l->along_x * s.x + l->along_y * s.y, 0); }

static void add(pressure *o, const spot *s, int count, const law *l)
{
	for (int i = 0; i < count; ++i) pressure_corner_add(o, s[i].x, s[i].y, pressed(l, s[i]));
	scree_pressure_close(o);
}

static real arm_of(const spot *s, int count, law l)
{
	pressure o;
	pressure_start(&o);
	add(&o, s, count, &l);
	return scree_pressure_arm(&o);
}

/* a regular polygon with circumradius 1, with corners rotated by the angle */
static void regular(spot *s, int count, real turn)
{
	for (int i = 0; i < count; ++i) {
		real a = turn + 2 * SCREE_PI * i / count;
		s[i] = (spot){scree_cos(a), scree_sin(a)};
	}
}

static void known_arms(void **state)
{
	(void)state;
	const law even = {1, 0, 0};
	const spot square[4] = {{3, 5}, {4, 5}, {4, 6}, {3, 6}}, turned[4] = {{3, 6}, {4, 6}, {4, 5}, {3, 5}};
	NEAR(arm_of(square, 4, even) / 0.3825978, 1, 1.3e-3, "square of side 1");
	NEAR(arm_of(turned, 4, even), arm_of(square, 4, even), 1e-15, "the other way round");
	spot spots[400];
	regular(spots, 400, 0.1);
	NEAR(arm_of(spots, 400, even) / (2.0 / 3), 1, 1e-4, "disc of radius 1");
	regular(spots, 3, 0.2);
	/* side s: 0.26562 s */
	NEAR(arm_of(spots, 3, even) / (0.265621 * sqrt(3)), 1, 1.3e-3, "triangle");
	const spot line[2] = {{1, 1}, {4, 5}}, point[1] = {{2, 3}};
	NEAR(arm_of(line, 2, even), 5.0 / 4, 1e-14, "line of length 5");
	NEAR(arm_of(point, 1, even), 0, 0, "point");
	const spot strip[4] = {{0, 0}, {100, 0}, {100, 1}, {0, 1}};
	NEAR(arm_of(strip, 4, even) / 25, 1, 2e-3, "long strip");
	/* p = x over 0 .. 1 in a strip: 16/81 */
	const spot thin[4] = {{0, 0}, {1, 0}, {1, 1e-3}, {0, 1e-3}};
	NEAR(arm_of(thin, 4, (law){0, 1, 0}) / (16.0 / 81), 1, 1e-3, "wedge");
	pressure none;
	pressure_start(&none);
	NEAR(scree_pressure_arm(&none), 0, 0, "nothing");
	NEAR(arm_of(square, 4, (law){0, 0, 0}), 0, 0, "no pressure");
}

/* the force, its centre, and the integral of r p dA about this centre */
typedef struct pieces {
	real force, x, y, sum;
} pieces;

/* computes the sums by dividing each triangle of the fan into N^2 pieces */
static void by_pieces(pieces *o, const spot *s, int count, const law *l)
{
	enum { N = 60 };
	for (int t = 2; t < count; ++t) {
		spot u = {s[t - 1].x - s[0].x, s[t - 1].y - s[0].y}, v = {s[t].x - s[0].x, s[t].y - s[0].y};
		real area = real_abs(u.x * v.y - u.y * v.x) / (2 * N * N);
		for (int i = 0; i < N; ++i) {
			for (int k = 0; k < 2 * (N - i) - 1; ++k) {
				/* k even: a triangle that points up, sampled at its centroid; odd: one that points down */
				real a = (i + (k % 2 ? 2.0 : 1.0) / 3) / N, b = (k / 2 + (k % 2 ? 2.0 : 1.0) / 3) / N;
				spot at = {s[0].x + a * u.x + b * v.x, s[0].y + a * u.y + b * v.y};
				real f = area * pressed(l, at), dx = at.x - o->x, dy = at.y - o->y;
				o->sum += f * sqrt(dx * dx + dy * dy);
			}
		}
	}
}

static void moments_by_pieces(pieces *o, const spot *s, int count, const law *l)
{
	/* the midpoint rule on the sides is exact for a product of two linear functions */
	for (int t = 2; t < count; ++t) {
		spot c[3] = {s[0], s[t - 1], s[t]};
		real area = real_abs((c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x)) / 2;
		for (int i = 0; i < 3; ++i) {
			spot m = {(c[i].x + c[(i + 1) % 3].x) / 2, (c[i].y + c[(i + 1) % 3].y) / 2};
			real f = area / 3 * pressed(l, m);
			o->force += f;
			o->x += f * m.x;
			o->y += f * m.y;
		}
	}
}

/* a convex polygon: corners on an ellipse at increasing angles */
static int random_polygon(random_stream *r, spot *s)
{
	int count = 3 + (int)(scree_random_between(r, 0, 5.999));
	real turn = scree_random_between(r, 0, 6), flat = scree_random_between(r, 0.05, 1), angle = 0;
	spot at = {scree_random_between(r, -3, 3), scree_random_between(r, -3, 3)};
	for (int i = 0; i < count; ++i) {
		angle = 2 * SCREE_PI * (i + scree_random_between(r, 0, 0.9)) / count;
		real x = scree_cos(angle), y = flat * scree_sin(angle), c = scree_cos(turn), q = scree_sin(turn);
		s[i] = (spot){at.x + c * x - q * y, at.y + q * x + c * y};
	}
	return count;
}

/* a pressure, possibly a wedge, that is not negative at any of these corners */
static law random_law(random_stream *r, const spot *s, int count)
{
	law l = {0, scree_random_between(r, -1, 1), scree_random_between(r, -1, 1)};
	real least = INFINITY;
	for (int i = 0; i < count; ++i) least = real_min(least, l.along_x * s[i].x + l.along_y * s[i].y);
	l.p = scree_random_between(r, 0, 1) - least;
	return l;
}

static void arms_of_random_polygons(void **state)
{
	(void)state;
	real worst = 0, mean = 0;
	int64_t cases = 0;
	FOR_SEEDS(400)
	{
		random_stream r = scree_random_start(test_seed, 1);
		spot s[2][8];
		law l[2];
		int count[2], parts = 1 + (int)(test_seed % 2);
		pieces o = {0, 0, 0, 0};
		pressure p;
		pressure_start(&p);
		for (int k = 0; k < parts; ++k) {
			count[k] = random_polygon(&r, s[k]);
			l[k] = random_law(&r, s[k], count[k]);
			add(&p, s[k], count[k], l + k);
			moments_by_pieces(&o, s[k], count[k], l + k);
		}
		real force = o.force;
		o.x /= force;
		o.y /= force;
		for (int k = 0; k < parts; ++k) by_pieces(&o, s[k], count[k], l + k);
		real off = scree_pressure_arm(&p) / (o.sum / force) - 1;
		CHECK(real_abs(off) < 2e-3, "arm %g times the sum over pieces", 1 + off);
		worst = real_max(worst, real_abs(off));
		mean += real_abs(off);
		++cases;
	}
	print_message("%lld pressures: worst %.3f %%, mean %.3f %%\n", (long long)cases, 100 * worst,
				  100 * mean / (real)cases);
}

/* Cutting a polygon into two parts, even if one of them is tiny, only divides sides; the arm has an error of 0.13 % per
 * divided side. */
static void seams_do_not_count(void **state)
{
	(void)state;
	FOR_SEEDS(4000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		spot s[8], left[10], right[10], whole[10];
		int count = random_polygon(&r, s);
		law l = random_law(&r, s, count);
		/* cuts the polygon from a point on side 0 to a point on side m */
		int m = 1 + (int)(scree_random_between(&r, 0, count - 1.001)), a = 0, b = 0;
		real t = scree_random_between(&r, 0, 1), u = scree_random_between(&r, 0, 1);
		if (test_seed % 3 == 0) t = 1 - scree_exp(scree_random_between(&r, -34, -2));
		if (test_seed % 3 == 0 && m == 1) u = 1 - t;
		int n = m + 1 < count ? m + 1 : 0;
		spot from = {s[0].x + t * (s[1].x - s[0].x), s[0].y + t * (s[1].y - s[0].y)};
		spot to = {s[m].x + u * (s[n].x - s[m].x), s[m].y + u * (s[n].y - s[m].y)};
		left[a++] = from;
		for (int i = 1; i <= m; ++i) left[a++] = s[i];
		left[a++] = to;
		right[b++] = to;
		for (int i = m + 1; i < count; ++i) right[b++] = s[i];
		right[b++] = s[0];
		right[b++] = from;
		pressure p;
		pressure_start(&p);
		add(&p, left, a, &l);
		add(&p, right, b, &l);
		int c = 0;
		for (int i = 0; i < count; ++i) {
			whole[c++] = s[i];
			if (i == 0) whole[c++] = from;
			if (i == m) whole[c++] = to;
		}
		real arm = scree_pressure_arm(&p);
		NEAR(arm, arm_of(whole, c, l), 1e-9, "arm of two parts");
		NEAR(arm / arm_of(s, count, l), 1, 3e-3, "arm without the cut");
	}
}

/* so many parts and corners that they need separate memory */
static void any_number_of_parts(void **state)
{
	(void)state;
	const law even = {1, 0, 0};
	pressure p;
	pressure_start(&p);
	for (int i = 0; i < 30; ++i) {
		for (int k = 0; k < 30; ++k) {
			spot s[4] = {{i, k}, {i + 1, k}, {i + 1, k + 1}, {i, k + 1}};
			add(&p, s, 4, &even);
		}
	}
	spot whole[120];
	for (int i = 0; i < 30; ++i) {
		whole[i] = (spot){i, 0};
		whole[30 + i] = (spot){30, i};
		whole[60 + i] = (spot){30 - i, 30};
		whole[90 + i] = (spot){0, 30 - i};
	}
	real arm = scree_pressure_arm(&p);
	NEAR(arm, arm_of(whole, 120, even), 1e-11, "900 squares");
	NEAR(arm / (30 * 0.3825978), 1, 1.3e-3, "one square");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_arms),
		cmocka_unit_test(arms_of_random_polygons),
		cmocka_unit_test(seams_do_not_count),
		cmocka_unit_test(any_number_of_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
