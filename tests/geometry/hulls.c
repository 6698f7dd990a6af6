/* Hulls: known solids, random bodies compared with Monte Carlo results and with moved and rotated copies, and refusals.
 */
#include "test.h"

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/quat.h"
#include "shape/shapes.h"

enum { MOST = 4096 };

static vec3 stored(const shape *s, int32_t i) { return v3(s->vx[i], s->vy[i], s->vz[i]); }
static vec3 users(const shape *s, int32_t i) { return v3_add(s->centre, quat_rotate(s->frame, stored(s, i))); }

static bool inside(const shape *s, vec3 p, real slack)
{
	for (int32_t f = 0; f < s->faces; ++f)
		if (s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z > s->off[f] + slack) return false;
	return true;
}

/* All points are inside, every vertex is a point, Euler's formula holds, planes pass through their corners, and the
 * centroid is at 0.
 */
static void check_hull(const shape *s, int32_t count, const vec3 *p)
{
	CHECK(s->vertices - s->edges + s->faces == 2, "Euler: %d - %d + %d", s->vertices, s->edges, s->faces);
	for (int32_t i = 0; i < count; ++i) {
		vec3 q = quat_unrotate(s->frame, v3_sub(p[i], s->centre));
		CHECK(inside(s, q, 2e-9 * s->radius), "point %d is outside", i);
	}
	int32_t from = 0;
	for (int32_t i = 0; i < s->vertices; ++i) {
		vec3 v = users(s, i);
		while (from < count && v3_norm(v3_sub(v, p[from])) > 1e-13 * (v3_norm(v) + s->radius)) ++from;
		CHECK(from < count, "vertex %d is no point, or not in the points' order", i);
	}
	vec3 first = v3(0, 0, 0);
	real volume = 0, surface_volume = 0;
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = v3(s->nx[f], s->ny[f], s->nz[f]), base = stored(s, s->corner[s->first[f]]);
		for (int32_t k = s->first[f]; k + 1 < s->first[f + 1]; ++k) {
			vec3 b = stored(s, s->corner[k]), c = stored(s, s->corner[k + 1]);
			vec3 area = v3_mul(0.5, v3_cross(v3_sub(b, base), v3_sub(c, base)));
			surface_volume += v3_dot(n, area) * s->off[f] / 3;
			real v = v3_dot(base, v3_cross(b, c)) / 6;
			volume += v;
			first = v3_madd(first, v / 4, v3_add(base, v3_add(b, c)));
		}
	}
	NEAR(volume / s->volume, 1, 1e-12, "volume by tetrahedra");
	NEAR(surface_volume / s->volume, 1, 1e-8, "volume by heights over faces");
	NEAR(v3_norm(first), 0, 1e-12 * s->volume * s->radius, "centroid");
	CHECK(s->inertia.x + s->inertia.y > s->inertia.z && s->inertia.y + s->inertia.z > s->inertia.x &&
			  s->inertia.z + s->inertia.x > s->inertia.y,
		  "moments of a body");
}

static int32_t hull(shapes *s, int32_t count, const vec3 *p)
{
	fail why = {0};
	int32_t row = scree_shapes_add_hull(s, "hull", count, p, &why);
	CHECK(row >= 0, "%s", why.text);
	check_hull(s->row + row, count, p);
	return row;
}

/* A cube's corners with points inside, on faces and on edges, rotated and rounded: the hull has six quads. */
static void cubes(void **state)
{
	(void)state;
	FOR_SEEDS(200)
	{
		random_stream r = scree_random_start(test_seed, 1);
		vec3 p[64];
		int32_t count = 0;
		quat turn = test_seed % 2 ? scree_random_rotation(&r) : quat_one();
		vec3 at = v3_mul(test_seed % 4 < 2 ? 0 : 3, scree_random_direction(&r));
		while (count < 64) {
			int32_t k = count;
			vec3 q = v3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
			if (k >= 8) q.x = scree_random_between(&r, -1, 1);
			if (k >= 24) q.y = scree_random_between(&r, -1, 1);
			if (k >= 44) q.z = scree_random_between(&r, -1, 1);
			p[count++] = v3_add(at, quat_rotate(turn, q));
		}
		shapes s = {0};
		hull(&s, count, p);
		const shape *b = s.row;
		CHECK(b->faces == 6 && b->vertices == 8 && b->corners == 24, "%d faces, %d vertices", b->faces, b->vertices);
		NEAR(b->volume, 8, 1e-13, "volume");
		NEAR(b->inertia.x, 8.0 * 4 / 6, 1e-12, "m a^2 / 6");
		scree_shapes_free(&s);
	}
}

/* Lattice points in a box, and prisms with many corners: large flat faces with points on them. */
static void flats(void **state)
{
	(void)state;
	static vec3 p[MOST];
	shapes s = {0};
	int32_t count = 0;
	for (int i = 0; i < 12; ++i)
		for (int j = 0; j < 12; ++j)
			for (int k = 0; k < 12; ++k) p[count++] = v3(0.1 * i, 0.1 * j, 0.3 * k);
	hull(&s, count, p);
	const shape *b = s.row;
	CHECK(b->faces == 6 && b->vertices == 8, "%d faces", b->faces);
	NEAR(b->volume, 1.1 * 1.1 * 3.3, 1e-14, "volume");
	for (int32_t n = 3; n < 600; n += 1 + n / 3) {
		for (int32_t k = 0; k < n; ++k) {
			real a = 2 * SCREE_PI * k / n;
			p[2 * k] = v3(cos(a), sin(a), -0.25), p[2 * k + 1] = v3(cos(a), sin(a), 0.25);
		}
		int32_t row = hull(&s, 2 * n, p);
		b = s.row + row;
		CHECK(b->faces == n + 2 && b->vertices == 2 * n, "prism with %d sides: %d faces", n, b->faces);
		NEAR(b->volume, 0.25 * n * sin(2 * SCREE_PI / n), 1e-14 * n, "volume of a prism");
	}
	scree_shapes_free(&s);
}

/* Random bodies with 4 to 1000 faces, compared with moved, rotated and scaled copies. */
static void random_hulls(void **state)
{
	(void)state;
	static vec3 p[MOST], q[MOST];
	int32_t most = 0;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 2);
		int32_t count =
			test_seed % 10 ? 4 + (int32_t)(scree_random_bits(&r) % 40) : 4 + (int32_t)(scree_random_bits(&r) % 600);
		vec3 stretch = v3(1, scree_random_between(&r, 0.2, 1), scree_random_between(&r, 0.2, 1));
		for (int32_t i = 0; i < count; ++i) {
			vec3 d = scree_random_direction(&r);
			if (test_seed % 3 == 0) d = v3_mul(scree_random_real(&r), d);
			p[i] = v3(stretch.x * d.x, stretch.y * d.y, stretch.z * d.z);
		}
		shapes s = {0};
		fail why;
		if (scree_shapes_add_hull(&s, "hull", count, p, &why) < 0) {
			/* four nearly coplanar points */
			CHECK(count < 8 && strstr(why.text, "too thin"), "%s", why.text);
			continue;
		}
		quat turn = scree_random_rotation(&r);
		vec3 at = v3_mul(5, scree_random_direction(&r));
		for (int32_t i = 0; i < count; ++i) q[i] = v3_add(at, v3_mul(3, quat_rotate(turn, p[i])));
		int32_t row = hull(&s, count, q);
		const shape *a = s.row, *b = s.row + row;
		check_hull(a, count, p);
		most = a->faces > most ? a->faces : most;
		CHECK(a->faces == b->faces && a->vertices == b->vertices, "%d and %d faces", a->faces, b->faces);
		/* coordinates of q are about 8 and have rounding errors of 1e-15; relative to the thickness, these errors limit
		 * how much the body may change */
		real slack = 3e-15 / a->inradius;
		NEAR(b->volume / a->volume / 27, 1, 3 * slack, "volume");
		NEAR(b->radius / a->radius / 3, 1, slack, "radius");
		NEAR(b->inradius / a->inradius / 3, 1, 3 * slack, "inradius");
		vec3 centre = v3_add(at, v3_mul(3, quat_rotate(turn, a->centre)));
		NEAR(v3_norm(v3_sub(centre, b->centre)), 0, 1e-12, "centroid");
		real x = a->inertia.x, y = a->inertia.y, z = a->inertia.z, u = b->inertia.x, v = b->inertia.y, w = b->inertia.z;
		NEAR((u + v + w) / (x + y + z) / 243, 1, 5 * slack, "trace of the inertia");
		NEAR((u * v + v * w + w * u) / (x * y + y * z + z * x) / (243.0 * 243), 1, 10 * slack,
			 "second invariant of the inertia");
		NEAR(u * v * w / (x * y * z) / (243.0 * 243 * 243), 1, 15 * slack, "determinant of the inertia");
		scree_shapes_free(&s);
	}
	CHECK(most > 700, "bodies with up to %d faces", most);
}

/* Volume and inertia by counting random points in the bounding cube. */
static void monte_carlo(void **state)
{
	(void)state;
	FOR_SEEDS(5)
	{
		random_stream r = scree_random_start(test_seed, 3);
		vec3 p[24];
		for (int i = 0; i < 24; ++i) {
			vec3 d = scree_random_direction(&r);
			p[i] = v3(d.x, 0.7 * d.y, 0.5 * d.z);
		}
		shapes s = {0};
		hull(&s, 24, p);
		const shape *b = s.row;
		enum { POINTS = 100000 };
		int64_t hits = 0;
		real xx = 0, yy = 0, xy = 0, cube = 8 * b->radius * b->radius * b->radius;
		for (int k = 0; k < POINTS; ++k) {
			vec3 x =
				v3(scree_random_between(&r, -b->radius, b->radius), scree_random_between(&r, -b->radius, b->radius),
				   scree_random_between(&r, -b->radius, b->radius));
			if (!inside(b, x, 0)) continue;
			++hits;
			xx += x.x * x.x, yy += x.y * x.y, xy += x.x * x.y;
		}
		/* five standard deviations of a count and of a mean of squares below r^2 */
		real part = (real)hits / POINTS, five = 5 * sqrt(part * (1 - part) / POINTS);
		NEAR(b->volume, cube * part, cube * five, "volume");
		real r2 = b->radius * b->radius;
		NEAR(b->inertia.z, cube / POINTS * (xx + yy), cube * 5 * r2 * sqrt(part / POINTS), "moment about z");
		NEAR(0, cube / POINTS * xy, cube * 5 * r2 * sqrt(part / POINTS), "product");
		scree_shapes_free(&s);
	}
}

/* The same set of points, in any order, gives the same body. */
static void order(void **state)
{
	(void)state;
	FOR_SEEDS(50)
	{
		random_stream r = scree_random_start(test_seed, 4);
		enum { N = 60 };
		vec3 p[N], q[N];
		for (int i = 0; i < N; ++i) p[i] = q[i] = scree_random_direction(&r);
		for (int i = N - 1; i > 0; --i) {
			int j = (int)(scree_random_bits(&r) % (uint32_t)(i + 1));
			vec3 swap = q[i];
			q[i] = q[j], q[j] = swap;
		}
		shapes s = {0};
		hull(&s, N, p), hull(&s, N, q);
		CHECK(s.row[0].faces == s.row[1].faces, "%d and %d faces", s.row[0].faces, s.row[1].faces);
		NEAR(s.row[0].volume, s.row[1].volume, 1e-14, "volume");
		scree_shapes_free(&s);
	}
}

/* Points on the faces, edges and corners of a rotated box, displaced by 1e-13 to 1e-7 of its size, many of them
 * duplicated: the volume of the hull equals the volume of the box within this error. */
static void nearly_in_plane(void **state)
{
	(void)state;
	static vec3 p[2 * MOST];
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 20);
		const vec3 edge = v3(scree_random_between(&r, 0.2, 1), scree_random_between(&r, 0.2, 1), 1);
		const real off = scree_pow(10, scree_random_between(&r, -13, -7)),
				   size = scree_pow(10, scree_random_between(&r, -3, 3));
		const quat turn = test_seed % 3 ? scree_random_rotation(&r) : quat_one();
		const bool single = test_seed % 7 == 0, corners = test_seed % 2;
		int32_t count = 0, more = (int32_t)scree_random_between(&r, 3, 300);
		for (int k = 0; k < 8 + more; ++k) {
			real x[3] = {k & 1, k >> 1 & 1, k >> 2 & 1};
			for (int n = 0; k >= 8 && n < 3; ++n) x[n] = scree_random_real(&r);
			const int axis = (int)(3 * scree_random_real(&r)), other = (int)(3 * scree_random_real(&r));
			if (k >= 8) x[axis] = scree_random_real(&r) < 0.5, x[other] = k % 4 ? x[other] : 0; /* some on edges */
			vec3 at = v3(edge.x * x[0], edge.y * x[1], edge.z * x[2]);
			if (k >= 8 || corners) at = v3_madd(at, off * scree_random_real(&r), scree_random_direction(&r));
			at = v3_mul(size, quat_rotate(turn, at));
			if (single) at = v3((float)at.x, (float)at.y, (float)at.z);
			for (int n = 0; n < 1 + k % 5; ++n) p[count++] = at;
		}
		shapes s = {0};
		fail why = {0};
		const int32_t row = scree_shapes_add_hull(&s, "hull", count, p, &why);
		CHECK(row == 0, "%d points, off by %g: %s", count, off, why.text);
		const real volume = edge.x * edge.y * edge.z * size * size * size, bound = (single ? 1e-7 : 0) + off;
		NEAR(s.row->volume / volume, 1, 20 * bound / real_min(edge.x, edge.y) + 1e-8, "volume");
		CHECK(s.row->vertices >= 8 && s.row->vertices <= count, "%d vertices", s.row->vertices);
		scree_shapes_free(&s);
	}
}

/* Features larger than rounding errors are kept: a pyramid on a face, 1e-6 high. */
static void low_pyramid(void **state)
{
	(void)state;
	vec3 p[9];
	for (int k = 0; k < 8; ++k) p[k] = v3(k & 1, k >> 1 & 1, k >> 2 & 1);
	p[8] = v3(0.4, 0.4, 1 + 1e-6);
	shapes s = {0};
	int32_t row = hull(&s, 9, p);
	CHECK(s.row[row].vertices == 9 && s.row[row].faces == 9, "%d faces", s.row[row].faces);
	NEAR(s.row[row].volume, 1 + 1e-6 / 3, 1e-14, "volume");
	scree_shapes_free(&s);
}

static void refusals(void **state)
{
	(void)state;
	static vec3 p[MOST + 1];
	shapes s = {0};
	fail why = {0};
	random_stream r = scree_random_start(1, 5);
	int64_t used = scree_memory_used();
#define REFUSED(count, says)                                                                                           \
	CHECK(scree_shapes_add_hull(&s, "h", count, p, &why) == -1 && strstr(why.text, says), "'%s' lacks '%s'", why.text, \
		  says)
	for (int i = 0; i <= MOST; ++i) p[i] = scree_random_direction(&r);
	REFUSED(3, "hull of 3 points, expected at least 4");
	REFUSED(MOST + 1, "expected at most 4096");
	p[9].y = NAN;
	REFUSED(12, "point 9 is (");
	p[9].y = INFINITY;
	REFUSED(12, "finite numbers");
	vec3 a = v3(1, 2, 3), b = scree_random_direction(&r), c = scree_random_direction(&r);
	for (int i = 0; i < 50; ++i) p[i] = a;
	REFUSED(50, "points are the same");
	for (int i = 0; i < 50; ++i) p[i] = v3_madd(a, scree_random_real(&r), b);
	REFUSED(50, "lie on one line");
	for (int i = 0; i < 50; ++i) p[i] = v3_madd(v3_madd(a, scree_random_real(&r), b), scree_random_real(&r), c);
	REFUSED(50, "lie in one plane");
	for (int i = 0; i < 50; ++i) p[i].z += 1e-9 * scree_random_real(&r);
	REFUSED(50, "lie in one plane");
	for (int i = 0; i < 50; ++i) p[i].z += 1e-6 * scree_random_real(&r);
	REFUSED(50, "too thin");
	CHECK(s.count == 0 && scree_memory_used() == used, "refused hulls leave nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cubes),		   cmocka_unit_test(flats),		  cmocka_unit_test(random_hulls),
		cmocka_unit_test(monte_carlo),	   cmocka_unit_test(order),		  cmocka_unit_test(refusals),
		cmocka_unit_test(nearly_in_plane), cmocka_unit_test(low_pyramid),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
