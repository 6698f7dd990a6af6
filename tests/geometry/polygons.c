/* Polygons: closed forms, invariance, closed rings, and refusals that name the fault. */
#include "test.h"

#include "base/maths.h"
#include "base/memory.h"
#include "shape/shapes.h"

/* Checks all properties that the headers guarantee for a polygon. */
static void check_ring(const shape *s)
{
	const flat_polygon *p = &s->flat;
	CHECK(s->type == SHAPE_POLYGON && s->frame.w == 1, "type %d", s->type);
	CHECK(s->inertia.x == s->inertia.z && s->inertia.y == s->inertia.z, "three moments");
	CHECK(p->radius == s->radius && p->inradius == s->inradius, "radii");
	real far = 0, near = 1e300, area = 0, mx = 0, my = 0;
	for (int32_t i = 0; i < p->corners; ++i) {
		const flat_corner *c = p->corner + i, *d = c + 1;
		NEAR(c->tx * c->tx + c->ty * c->ty, 1, 1e-15, "unit tangent");
		NEAR(c->x + c->length * c->tx, d->x, 1e-15 * s->radius, "x at the end of the edge");
		NEAR(c->y + c->length * c->ty, d->y, 1e-15 * s->radius, "y at the end of the edge");
		CHECK(c[-1].tx * c->ty - c[-1].ty * c->tx > 0, "corner %d turns left", i);
		far = real_max(far, sqrt(c->x * c->x + c->y * c->y));
		near = real_min(near, c->x * c->ty - c->y * c->tx);
		/* with an origin different from the engine's, the centroid is at 0 */
		real ax = c->x - 3 * s->radius, bx = d->x - 3 * s->radius, twice = ax * d->y - c->y * bx;
		area += twice / 2;
		mx += twice * (ax + bx) / 6;
		my += twice * (c->y + d->y) / 6;
	}
	CHECK(memcmp(p->corner + p->corners, p->corner, sizeof *p->corner) == 0, "the ring closes at the end");
	CHECK(memcmp(p->corner - 1, p->corner + p->corners - 1, sizeof *p->corner) == 0, "and at the beginning");
	NEAR(far, s->radius, 1e-15 * far, "radius");
	NEAR(near, s->inradius, 1e-15 * far, "inradius");
	NEAR(area / s->volume, 1, 1e-12, "area");
	NEAR(mx / area + 3 * s->radius, 0, 1e-12 * far, "centroid x");
	NEAR(my / area, 0, 1e-12 * far, "centroid y");
}

/* for n sides and circumradius R: area n/2 R^2 sin(2 pi/n), polar moment area R^2/6 (2 + cos(2 pi/n)) */
static void regular(void **state)
{
	(void)state;
	shapes s = {0};
	fail why;
	for (int32_t n = 3; n <= 1024; n = n < 20 ? n + 1 : 2 * n) {
		char name[32];
		snprintf(name, sizeof name, "regular%d", n);
		int32_t row = scree_shapes_add_regular_polygon(&s, name, n, &why);
		CHECK(row >= 0, "%s", why.text);
		const shape *p = s.row + row;
		real sine, cosine;
		scree_sincos(2 * SCREE_PI / n, &sine, &cosine);
		NEAR(p->volume / (n * 0.125 * sine), 1, 1e-13, "area");
		NEAR(p->inertia.z / (p->volume * 0.25 / 6 * (2 + cosine)), 1, 1e-13, "polar moment");
		NEAR(p->radius, 0.5, 1e-15, "circumradius");
		NEAR(p->inradius, 0.5 * scree_cos(SCREE_PI / n), 1e-15, "inradius");
		NEAR(v3_norm(p->centre), 0, 1e-16, "centre");
		CHECK(p->flat.corner[-1].ty == 0 && p->flat.corner[-1].tx == 1, "%d sides: the bottom is level", n);
		if (n % 2 == 0) CHECK(p->flat.corner[n / 2 - 1].ty == 0, "%d sides: the top is level", n);
		check_ring(p);
	}
	CHECK(scree_shapes_add_regular_polygon(&s, "two", 2, &why) == -1 && strstr(why.text, "3 to 8192"), "%s", why.text);
	CHECK(scree_shapes_add_regular_polygon(&s, "full", POLYGON_CORNERS, &why) >= 0, "%s", why.text);
	check_ring(s.row + s.count - 1);
	scree_shapes_free(&s);
}

/* Corners at random points on an ellipse; the corner given by the user is centre + stored corner. A rectangle has a
 * closed form. */
static void anywhere(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		shapes s = {0};
		fail why;
		vec3 point[40];
		int32_t n = 3 + (int32_t)(scree_random_bits(&r) % 30);
		real unit = test_seed % 3 == 0	 ? 1e-6
					: test_seed % 3 == 1 ? 1
										 : 1e4,
			 x = unit * scree_random_between(&r, -9, 9);
		real y = unit * scree_random_between(&r, -9, 9), turn = scree_random_between(&r, 0, 7);
		for (int32_t i = 0; i < n; ++i) {
			real sine, cosine, angle = 2 * SCREE_PI * (i + scree_random_between(&r, 0, 0.9)) / n;
			scree_sincos(angle, &sine, &cosine);
			real u = cosine, v = 0.4 * sine;
			scree_sincos(turn, &sine, &cosine);
			point[i] = v3(x + unit * (cosine * u - sine * v), y + unit * (sine * u + cosine * v), 5);
		}
		CHECK(scree_shapes_add_polygon(&s, "any", n, point, &why) == 0, "%s", why.text);
		check_ring(s.row);
		for (int32_t i = 0; i < n; ++i) {
			const flat_corner *c = s.row->flat.corner + i;
			NEAR(s.row->centre.x + c->x, point[i].x, 1e-14 * unit, "x");
			NEAR(s.row->centre.y + c->y, point[i].y, 1e-14 * unit, "y");
		}
		CHECK(s.row->centre.z == 0, "z");
		scree_shapes_free(&s);
	}
}

static void rectangle(void **state)
{
	(void)state;
	shapes s = {0};
	fail why;
	vec3 point[] = {{7, 7, 0}, {10, 7, 0}, {10, 12, 0}, {7, 12, 0}};
	CHECK(scree_shapes_add_polygon(&s, "plate", 4, point, &why) == 0, "%s", why.text);
	NEAR(s.row->volume, 15, 1e-14, "area");
	NEAR(s.row->inertia.z, 15.0 / 12 * (9 + 25), 1e-12, "m/12 (a^2 + b^2)");
	NEAR(s.row->centre.x, 8.5, 1e-15, "centre");
	NEAR(s.row->centre.y, 9.5, 1e-15, "centre");
	NEAR(s.row->inradius, 1.5, 1e-15, "inradius");
	check_ring(s.row);
	scree_shapes_free(&s);
}

static void refused(int32_t corners, const vec3 *point, const char *word)
{
	shapes s = {0};
	fail why = {0};
	CHECK(scree_shapes_add_polygon(&s, "p", corners, point, &why) == -1 && s.count == 0, "accepted (%s)", word);
	CHECK(strstr(why.text, word) && why.code == FAIL_INPUT, "'%s' does not say '%s'", why.text, word);
	scree_shapes_free(&s);
}

static void refusals(void **state)
{
	(void)state;
	int64_t used = scree_memory_used();
	vec3 square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
	vec3 clockwise[] = {{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}};
	vec3 twice[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
	vec3 close[] = {{0, 0, 0}, {1, 0, 0}, {1, 1e-8, 0}, {1, 1, 0}, {0, 1, 0}};
	vec3 straight[] = {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
	vec3 dent[] = {{0, 0, 0}, {1, 0, 0}, {0.4, 0.4, 0}, {0, 1, 0}};
	vec3 line[] = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}};
	vec3 infinite[] = {{0, 0, 0}, {1, 0, 0}, {INFINITY, 1, 0}};
	vec3 needle[] = {{0, 0, 0}, {1, 0, 0}, {0.4, 1e-8, 0}};
	vec3 star[5], point = {3, 3, 0}, same[3] = {point, point, point};
	for (int32_t i = 0; i < 5; ++i) {
		scree_sincos(4 * SCREE_PI * i / 5, &star[i].y, &star[i].x);
		star[i].z = 0;
	}
	refused(2, square, "2 corners");
	refused(POLYGON_CORNERS + 1, square, "8193 corners");
	refused(4, clockwise, "clockwise, expected counter-clockwise: reverse");
	refused(5, twice, "corners 1 and 2 are the same point");
	refused(5, close, "edge from corner 1 to corner 2");
	refused(5, straight, "corner 1 is in line");
	refused(4, dent, "corner 2 is a dent");
	refused(3, line, "without area");
	refused(3, infinite, "corner 2 is (inf, 1)");
	refused(3, needle, "corner");
	refused(5, star, "winds around 2 times");
	refused(3, same, "at one point");
	CHECK(scree_memory_used() == used, "%lld bytes are left", (long long)(scree_memory_used() - used));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regular),
		cmocka_unit_test(anywhere),
		cmocka_unit_test(rectangle),
		cmocka_unit_test(refusals),
	};
	return cmocka_run_group_tests_name("polygons", tests, NULL, NULL);
}
