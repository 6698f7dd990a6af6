/* Overlap areas of polygons compared with Sutherland and Hodgman's clipping, and their derivatives compared with
 * finite differences of the clipped area, for any hint; alignments in which edges and corners coincide. */
#include "polygon_help.h"

#include "narrow/polygon/pair.h"

static int32_t bar, square, pentagon, heptagon;

static int name_shapes(void **state)
{
	make_shapes(state);
	bar = scree_shapes_find(&all, "bar");
	square = scree_shapes_find(&all, "regular4");
	pentagon = scree_shapes_find(&all, "regular5");
	heptagon = scree_shapes_find(&all, "regular7");
	return 0;
}

/* ------------------------------------------------------------------ oracle */

static real area_of(const ring *r)
{
	real twice = 0;
	for (int32_t i = 1; i + 1 < r->n; ++i)
		twice += (r->x[i] - r->x[0]) * (r->y[i + 1] - r->y[0]) - (r->y[i] - r->y[0]) * (r->x[i + 1] - r->x[0]);
	return twice / 2;
}

/* clips by each edge of b */
static real clipped_area(const flat_placed *a, const flat_placed *b)
{
	ring now, by, next;
	ring_of(a, &now);
	ring_of(b, &by);
	for (int32_t l = 0; l < by.n; ++l) {
		int32_t m = l + 1 < by.n ? l + 1 : 0;
		real dx = by.x[m] - by.x[l], dy = by.y[m] - by.y[l];
		next.n = 0;
		for (int32_t i = 0; i < now.n; ++i) {
			int32_t k = i + 1 < now.n ? i + 1 : 0;
			real h = dy * (now.x[i] - by.x[l]) - dx * (now.y[i] - by.y[l]);
			real g = dy * (now.x[k] - by.x[l]) - dx * (now.y[k] - by.y[l]);
			if (h <= 0) next.x[next.n] = now.x[i], next.y[next.n++] = now.y[i];
			if ((h <= 0) == (g <= 0)) continue;
			real t = h / (h - g);
			next.x[next.n] = now.x[i] + t * (now.x[k] - now.x[i]);
			next.y[next.n++] = now.y[i] + t * (now.y[k] - now.y[i]);
		}
		now = next;
		if (now.n < 3) return 0;
	}
	return area_of(&now);
}

static flat_placed shifted(const flat_placed *p, real dx, real dy, real angle)
{
	flat_placed q = *p;
	real s, c;
	scree_sincos(angle, &s, &c);
	q.x += dx;
	q.y += dy;
	q.c = c * p->c - s * p->s;
	q.s = s * p->c + c * p->s;
	return q;
}

/* minus the derivatives of the area with respect to a's position and angle */
static void slopes(const flat_placed *a, const flat_placed *b, real step, real slope[3])
{
	for (int32_t k = 0; k < 3; ++k) {
		flat_placed more = shifted(a, k == 0 ? step : 0, k == 1 ? step : 0, k == 2 ? step : 0);
		flat_placed less = shifted(a, k == 0 ? -step : 0, k == 1 ? -step : 0, k == 2 ? -step : 0);
		slope[k] = (clipped_area(&less, b) - clipped_area(&more, b)) / (2 * step);
	}
}

/* the engine's result, as derivatives with respect to the coordinates of the poses; returns false if there is no
 * contact */
static bool overlap_of(const flat_placed *a, const flat_placed *b, int32_t hint, flat_overlap *o, real slope[3])
{
	polygon_pair p = polygon_pair_of(a, b);
	real apart;
	bool touching = scree_flat_overlap(&p, hint, o, NULL, &apart);
	slope[0] = a->c * o->g.x - a->s * o->g.y;
	slope[1] = a->s * o->g.x + a->c * o->g.y;
	slope[2] = o->moment;
	return touching;
}

/* ------------------------------------------------------------------ random pairs */

static void area_is_the_clipped_one(void **state)
{
	(void)state;
	int64_t touching = 0, marched = 0, cases = test_cases(40000);
	FOR_SEEDS(40000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		flat_placed a, b;
		flat_overlap o;
		real slope[3];
		random_pair(&all, &r, test_seed % 4 ? 0.6 : 0, 1, &a, &b);
		bool touch = overlap_of(&a, &b, 0, &o, slope);
		real size = a.size + b.size;
		NEAR(o.area, clipped_area(&a, &b), 1e-14 * size * size, "area");
		CHECK(touch == (o.area > 0), "contact without area");
		touching += touch;
		marched += o.marched;
	}
	print_message("%lld of %lld pairs overlap, %lld marched around\n", (long long)touching, (long long)cases,
				  (long long)marched);
	CHECK(touching > cases / 3 && touching < cases && marched > touching / 2, "the cases are no mixture");
}

static void slopes_are_differences(void **state)
{
	(void)state;
	int64_t touching = 0, rough = 0;
	real worst = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 3);
		flat_placed a, b;
		flat_overlap o;
		real found[3], expected[3];
		random_pair(&all, &r, test_seed % 4 ? 0.6 : 0, 1, &a, &b);
		if (!overlap_of(&a, &b, 0, &o, found)) continue;
		++touching;
		slopes(&a, &b, 1e-6, expected);
		real off = 0;
		for (int32_t k = 0; k < 3; ++k) off = real_max(off, real_abs(found[k] - expected[k]));
		rough += off > 3e-9;
		worst = real_max(worst, off);
		NEAR(off, 0, 1e-4, "slope of the area"); /* where nearly aligned borders cross, the derivative has a kink */
	}
	print_message("%lld pairs: slopes off by %.1e at worst, %lld of them by more than 3e-9\n", (long long)touching,
				  worst, (long long)rough);
	CHECK(rough * 200 <= touching, "%lld slopes are rough", (long long)rough);
}

static bool same_bits(const flat_overlap *x, const flat_overlap *y)
{
	return memcmp(&x->area, &y->area, sizeof x->area) == 0 && memcmp(&x->g.x, &y->g.x, sizeof x->g.x) == 0 &&
		   memcmp(&x->g.y, &y->g.y, sizeof x->g.y) == 0 && memcmp(&x->moment, &y->moment, sizeof x->moment) == 0 &&
		   memcmp(&x->middle.x, &y->middle.x, sizeof x->middle.x) == 0 &&
		   memcmp(&x->middle.y, &y->middle.y, sizeof x->middle.y) == 0 && x->marched == y->marched;
}

static int32_t any_hint(random_stream *r, const flat_placed *a, const flat_placed *b)
{
	int32_t fa = (int32_t)(scree_random_bits(r) % (uint32_t)(2 * a->shape->corners));
	int32_t fb = (int32_t)(scree_random_bits(r) % (uint32_t)(2 * b->shape->corners));
	return features_pack(fa, fb) + (scree_random_bits(r) & 1 ? FEATURES_CROSSED : 0);
}

static void hints_change_no_bit(void **state)
{
	(void)state;
	int64_t touching = 0, marched = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 4);
		flat_placed a, b;
		flat_overlap o, q;
		real s[3];
		if (test_seed % 3)
			random_pair(&all, &r, test_seed % 2 ? 0.7 : 0, 1, &a, &b);
		else
			lattice_pair(&all, &r, &a, &b);
		bool touch = overlap_of(&a, &b, 0, &o, s);
		touching += touch;
		marched += o.marched;
		for (int32_t k = 0; k < 6; ++k) {
			bool again = overlap_of(&a, &b, k ? any_hint(&r, &a, &b) : o.hint, &q, s);
			CHECK(again == touch && (!touch || same_bits(&o, &q)), "try %d: contact %d %d, area %.17g %.17g", k, touch,
				  again, o.area, q.area);
		}
	}
	print_message("%lld pairs overlap, %lld marched around\n", (long long)touching, (long long)marched);
}

/* swapping a and b gives the same area and the opposite derivatives; moving both together gives the same result */
static void exchanged_and_moved(void **state)
{
	(void)state;
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		flat_placed a, b;
		flat_overlap o, q;
		real s[3], t[3];
		random_pair(&all, &r, 0.3, 1, &a, &b);
		if (!overlap_of(&a, &b, 0, &o, s)) continue;
		CHECK(overlap_of(&b, &a, 0, &q, t), "exchanged: no contact");
		NEAR(q.area, o.area, 1e-13, "area");
		NEAR(t[0] + s[0], 0, 2e-13, "x");
		NEAR(t[1] + s[1], 0, 2e-13, "y");
		/* torques of opposite forces along one line cancel about any point */
		NEAR(s[2] + t[2] + b.x * t[1] - b.y * t[0], 0, 1e-12, "torque");
		real angle = scree_random_between(&r, 0, 6), sine, cosine;
		scree_sincos(angle, &sine, &cosine);
		a = shifted(&a, 0, 0, angle);
		b = shifted(&b, cosine * b.x - sine * b.y - b.x, sine * b.x + cosine * b.y - b.y, angle);
		CHECK(overlap_of(&a, &b, 0, &q, t), "turned: no contact");
		NEAR(q.area, o.area, 1e-13, "area");
		NEAR(t[0], cosine * s[0] - sine * s[1], 1e-12, "x");
		NEAR(t[1], sine * s[0] + cosine * s[1], 1e-12, "y");
		NEAR(t[2], s[2], 1e-12, "torque");
	}
}

/* ------------------------------------------------------------------ alignments */

static void expect(const char *what, flat_placed a, flat_placed b, real area, real gx, real gy)
{
	flat_overlap o;
	real s[3];
	bool touch = overlap_of(&a, &b, 0, &o, s);
	CHECK(touch == (area > 0), "%s: contact %d", what, touch);
	NEAR(o.area, area, 1e-14, what);
	if (!touch) return;
	NEAR(s[0], gx, 1e-14, what);
	NEAR(s[1], gy, 1e-14, what);
}

static void alignments(void **state)
{
	(void)state;
	real h = 0.5 * sqrt(0.5), w = 2 * h; /* half a side and a full side of the square */
	const shape *q = all.row + square, *b = all.row + bar;
	flat_placed a = place_flat(q, 0, 0, 0, 1);
	expect("squares that share a side", a, place_flat(q, 0, w, 0, 1), 0, 0, 0);
	expect("squares that share a corner", a, place_flat(q, w, w, 0, 1), 0, 0, 0);
	expect("apart by rounding", a, place_flat(q, 0, w + 1e-14, 0, 1), 0, 0, 0);
	expect("on top of each other, in line", a, place_flat(q, 0, w - 0.01, 0, 1), 0.01 * w, 0, -w);
	expect("the same, from below", a, place_flat(q, 0, 0.01 - w, 0, 1), 0.01 * w, 0, w);
	expect("half aside", a, place_flat(q, h, w - 0.01, 0, 1), 0.01 * h, -0.01, -h);
	expect("a narrower one", a, place_flat(q, 0, w * 0.75 - 0.01, 0, 0.5), 0.01 * h, 0, -h);
	expect("a corner in a side", a, place_flat(q, 0, h + 0.5 - 0.01, SCREE_PI / 4, 1), 0.0001, 0, -0.02);
	/* no force if one polygon pierces the other or is inside it, because the area does not change */
	expect("a cross of bars", place_flat(b, 0, 0, 0, 1), place_flat(b, 0, 0, SCREE_PI / 2, 1), 0.25, 0, 0);
	expect("one inside", a, place_flat(q, 0.1, 0, 0.3, 0.25), w * w / 16, 0, 0);
	expect("the other inside", place_flat(q, 0.1, 0, 0.3, 0.25), a, w * w / 16, 0, 0);
	expect("the same place", a, a, w * w, 0, 0);
	expect("1e-9 deep", a, place_flat(q, 0, w - 1e-9, 0, 1), 1e-9 * w, 0, -w);
}

/* Specification of the law: for a pentagon and a heptagon, the chord is the derivative of the clipped area with respect
 * to position and angle. */
static void pentagon_and_heptagon(void **state)
{
	(void)state;
	flat_placed a = place_flat(all.row + pentagon, 0, 0, 0.1, 2), b = place_flat(all.row + heptagon, 1.7, 0.3, 0.3, 2);
	flat_overlap o;
	real found[3], expected[3];
	CHECK(overlap_of(&a, &b, 0, &o, found) && o.marched, "one chord");
	slopes(&a, &b, 1e-5, expected);
	for (int32_t k = 0; k < 3; ++k) NEAR(found[k], expected[k], 1e-10, "slope");
	NEAR(o.length, sqrt(found[0] * found[0] + found[1] * found[1]), 1e-15, "length of the chord");
}

/* ------------------------------------------------------------------ the pair */

/* force and torque at the single point equal the force and torque of the overlap */
static void one_point_has_the_resultant(void **state)
{
	(void)state;
	int64_t several = 0, off = 0;
	FOR_SEEDS(10000)
	{
		random_stream r = scree_random_start(test_seed, 6);
		flat_placed a, b;
		flat_overlap o;
		real s[3];
		static patch out;
		random_pair(&all, &r, test_seed % 2 ? 0 : 0.6, 1.1, &a, &b);
		placed pa = as_body(&a), pb = as_body(&b);
		scree_polygon_overlap(&pa, &pb, 0, &out);
		bool touch = overlap_of(&a, &b, 0, &o, s);
		CHECK(out.points == (touch ? 1 : 0) && out.pitch == 0, "points %d", out.points);
		if (!touch) {
			ring ra, rb;
			ring_of(&a, &ra);
			ring_of(&b, &rb);
			if (separation(&ra, &rb) > 0)
				CHECK(-out.depth >= 0 && -out.depth <= distance_of(&ra, &rb), "no lower bound: %g", -out.depth);
			continue;
		}
		real g = out.weight[0], size = a.size + b.size;
		NEAR(v3_norm(out.normal), 1, 1e-14, "unit normal");
		CHECK(out.depth == out.deep[0] && out.depth > 0, "depth");
		NEAR(g * out.deep[0], o.area, 1e-14, "area");
		if (g < 1e-6) continue;
		several += !o.marched;
		NEAR(g * out.normal.x, s[0], 1e-14 * size, "force x");
		NEAR(g * out.normal.y, s[1], 1e-14 * size, "force y");
		real lever = g * (out.at[0].x * out.normal.y - out.at[0].y * out.normal.x);
		/* where chords nearly cancel, the line of action would be far away, so it is limited to the extent of the
		 * bodies */
		real missing = real_abs(o.moment - (o.middle.x * o.g.y - o.middle.y * o.g.x)) / g;
		if (missing < 0.99 * (a.size * a.shape->radius + b.size * b.shape->radius))
			NEAR(lever, s[2], 1e-13 * size, "torque");
		else
			++off;
	}
	CHECK(several > 10 * off, "%lld pairs with several chords, in %lld of them the line runs off", (long long)several,
		  (long long)off);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(area_is_the_clipped_one),
		cmocka_unit_test(slopes_are_differences),
		cmocka_unit_test(hints_change_no_bit),
		cmocka_unit_test(exchanged_and_moved),
		cmocka_unit_test(alignments),
		cmocka_unit_test(pentagon_and_heptagon),
		cmocka_unit_test(one_point_has_the_resultant),
	};
	return cmocka_run_group_tests_name("polygon_overlap", tests, name_shapes, free_shapes);
}
