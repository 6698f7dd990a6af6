/* Mass properties of clumps: closed forms, slices, random points, symmetry and rigid motion. */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "base/maths.h"
#include "kernel/quat.h"
#include "shape/clump/clump.h"

enum { MOST = 128 };

typedef struct clump {
	int32_t count;
	vec3 centre[MOST];
	real radius[MOST];
} clump;

static solid_mass mass_of(const clump *c)
{
	solid_mass m = {0};
	fail why = {0};
	bool good = scree_clump_mass("test", c->count, c->centre, c->radius, &m, &why);
	CHECK(good, "%s", why.text);
	return m;
}

static void add(clump *c, vec3 centre, real radius)
{
	c->centre[c->count] = centre;
	c->radius[c->count++] = radius;
}

/* Volumes must agree within `tolerance` times the volume, and moments within `tolerance` times the moments of a body of
 * this size. */
static void same(const solid_mass *a, const solid_mass *b, real tolerance, const char *what)
{
	real size = cbrt(b->volume), spread = b->second[0] + b->second[1] + b->second[2];
	NEAR(a->volume / b->volume, 1, tolerance, what);
	NEAR(v3_norm(v3_sub(a->centre, b->centre)) / size, 0, tolerance * 10, what);
	for (int k = 0; k < 6; ++k) NEAR(a->second[k] / spread, b->second[k] / spread, tolerance * 10, what);
}

static vec3 some_place(random_stream *r, real size)
{
	return v3(scree_random_between(r, -size, size), scree_random_between(r, -size, size),
			  scree_random_between(r, -size, size));
}

/* overlapping balls, none of which is inside another */
static clump some_clump(random_stream *r, int32_t count, real spread)
{
	clump c = {0};
	while (c.count < count) {
		vec3 p = some_place(r, spread);
		real radius = scree_random_between(r, (real)0.4, 1);
		bool good = true;
		for (int32_t i = 0; i < c.count; ++i) good &= v3_norm(v3_sub(p, c.centre[i])) > real_abs(radius - c.radius[i]);
		if (good) add(&c, p, radius);
	}
	return c;
}

static clump moved(const clump *c, quat q, vec3 by, real scale)
{
	clump to = *c;
	for (int32_t i = 0; i < c->count; ++i) {
		to.centre[i] = v3_add(by, v3_mul(scale, quat_rotate(q, c->centre[i])));
		to.radius[i] *= scale;
	}
	return to;
}

static solid_mass mass_moved(solid_mass m, quat q, vec3 by, real scale)
{
	solid_mass to = {.volume = m.volume * scale * scale * scale};
	to.centre = v3_add(by, v3_mul(scale, quat_rotate(q, m.centre)));
	vec3 x = quat_rotate(q, v3(1, 0, 0)), y = quat_rotate(q, v3(0, 1, 0)), z = quat_rotate(q, v3(0, 0, 1));
	const real t[3][3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}, *s = m.second;
	const real full[3][3] = {{s[0], s[3], s[4]}, {s[3], s[1], s[5]}, {s[4], s[5], s[2]}};
	const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
	for (int k = 0; k < 6; ++k)
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j) to.second[k] += pow(scale, 5) * t[row[k]][i] * full[i][j] * t[column[k]][j];
	return to;
}

/* ------------------------------------------------------------------ closed forms */

static void one_ball(void **state)
{
	(void)state;
	clump c = {0};
	add(&c, v3(3, -2, 1), (real)1.5);
	solid_mass m = mass_of(&c), want = {.volume = 4 * SCREE_PI / 3 * 3.375, .centre = v3(3, -2, 1)};
	for (int k = 0; k < 3; ++k) want.second[k] = 4 * SCREE_PI / 15 * pow(1.5, 5);
	same(&m, &want, 1e-15, "a ball");
	add(&c, v3(9, -2, 1), (real)1.5); /* separate pieces form one body */
	m = mass_of(&c);
	NEAR(m.volume, 2 * want.volume, 1e-14, "two balls apart");
	NEAR(m.second[0], 2 * (want.second[0] + 9 * want.volume), 1e-11, "their moment");
}

/* Balls on the x axis form a body of revolution: sums of integrals of pi (r^2 - (x-c)^2) over the ranges in which each
 * ball is the widest one. */
static solid_mass chain_mass(const clump *c)
{
	solid_mass m = {0};
	real first = 0, second = 0, across = 0;
	for (int32_t i = 0; i < c->count; ++i) {
		real low = c->centre[i].x - c->radius[i], high = c->centre[i].x + c->radius[i], at = c->centre[i].x;
		for (int32_t j = 0; j < c->count; ++j) {
			real d = c->centre[j].x - at;
			if (j == i || real_abs(d) >= c->radius[i] + c->radius[j]) continue;
			real cut = at + (d + (c->radius[i] - c->radius[j]) * (c->radius[i] + c->radius[j]) / d) / 2;
			if (d > 0) high = real_min(high, cut);
			if (d < 0) low = real_max(low, cut);
		}
		if (!(high > low)) continue;
		/* the five-point Gauss rule is exact for polynomials of degree 9 */
		static const real place[5] = {0, -0.5384693101056831, 0.5384693101056831, -0.9061798459386640,
									  0.9061798459386640},
						  weight[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
									   0.2369268850561891};
		for (int k = 0; k < 5; ++k) {
			real x = (low + high) / 2 + (high - low) / 2 * place[k], d = x - at, w = weight[k] * (high - low) / 2;
			real area = SCREE_PI * (c->radius[i] - d) * (c->radius[i] + d);
			m.volume += w * area;
			first += w * area * x;
			second += w * area * x * x;
			across += w * area * area / (4 * SCREE_PI);
		}
	}
	m.centre = v3(first / m.volume, 0, 0);
	m.second[0] = second - first * first / m.volume;
	m.second[1] = m.second[2] = across;
	return m;
}

static void two_balls(void **state)
{
	(void)state;
	clump c = {0};
	add(&c, v3(0, 0, 0), 2);
	add(&c, v3(1, 0, 0), (real)1.5);
	real d = 1, r = 2, s = (real)1.5; /* the lens common to two balls (Weisstein, "Sphere-sphere intersection") */
	real lens = SCREE_PI * (r + s - d) * (r + s - d) *
				(d * d + 2 * d * s - 3 * s * s + 2 * d * r + 6 * r * s - 3 * r * r) / (12 * d);
	solid_mass m = mass_of(&c), chain = chain_mass(&c);
	NEAR(m.volume, 4 * SCREE_PI / 3 * (8 + 3.375) - lens, 1e-13, "two balls less their lens");
	same(&m, &chain, 1e-15, "two balls");
}

/* Balls in a row, in any direction: touching, slightly overlapping, deeply overlapping, and of very different sizes. */
static void chains(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		clump c = {0};
		int32_t count = 2 + (int32_t)(scree_random_bits(&r) % 10);
		real at = 0, thick = test_seed % 3 ? 1 : scree_exp(scree_random_between(&r, -6, 0));
		for (int32_t i = 0; i < count; ++i) {
			real radius = i % 2 ? thick : scree_random_between(&r, (real)0.5, 1);
			bool good = true;
			at += test_seed % 2 ? scree_random_between(&r, (real)0.01, (real)1.2) : (real)0.5;
			for (int32_t j = 0; j < c.count; ++j) good &= real_abs(at - c.centre[j].x) > real_abs(radius - c.radius[j]);
			if (good) add(&c, v3(at, 0, 0), radius);
		}
		solid_mass m = mass_of(&c), want = chain_mass(&c);
		same(&m, &want, 1e-14, "along x");
		quat q = scree_random_rotation(&r);
		vec3 by = some_place(&r, 10);
		clump other = moved(&c, q, by, 3);
		m = mass_of(&other), want = mass_moved(want, q, by, 3);
		same(&m, &want, 1e-13, "in any direction");
	}
}

/* ------------------------------------------------------------------ slices */

static int rising(const void *a, const void *b)
{
	real x = *(const real *)a, y = *(const real *)b;
	return (x > y) - (x < y);
}

/* Area of a union of discs: Green's theorem on those arcs of each disc that no other disc covers. */
static real slice_area(const clump *c, real z)
{
	real area = 0;
	for (int32_t i = 0; i < c->count; ++i) {
		vec3 p = c->centre[i];
		real rho2 = c->radius[i] * c->radius[i] - (z - p.z) * (z - p.z), rho = sqrt(rho2), cut[2 * MOST + 2];
		int cuts = 0;
		if (!(rho2 > 0)) continue;
		cut[cuts++] = -SCREE_PI, cut[cuts++] = SCREE_PI;
		for (int32_t j = 0; j < c->count; ++j) {
			vec3 q = c->centre[j];
			real sigma2 = c->radius[j] * c->radius[j] - (z - q.z) * (z - q.z), dx = q.x - p.x, dy = q.y - p.y;
			if (j == i || !(sigma2 > 0)) continue;
			real d = hypot(dx, dy), cosine = (rho2 - sigma2 + d * d) / (2 * d * rho);
			if (!(cosine > -1 && cosine < 1)) continue;
			for (int side = -1; side <= 1; side += 2)
				cut[cuts++] = remainder(atan2(dy, dx) + side * acos(cosine), 2 * SCREE_PI);
		}
		qsort(cut, (size_t)cuts, sizeof *cut, rising);
		for (int k = 0; k + 1 < cuts; ++k) {
			real middle = (cut[k] + cut[k + 1]) / 2, x = p.x + rho * cos(middle), y = p.y + rho * sin(middle);
			bool open = true;
			for (int32_t j = 0; j < c->count; ++j)
				open &= j == i || v3_norm2(v3_sub(v3(x, y, z), c->centre[j])) > c->radius[j] * c->radius[j];
			if (!open) continue;
			area += rho / 2 *
					(rho * (cut[k + 1] - cut[k]) + p.x * (sin(cut[k + 1]) - sin(cut[k])) -
					 p.y * (cos(cut[k + 1]) - cos(cut[k])));
		}
	}
	return area;
}

/* heights at which the topology of a slice changes: tops and bottoms of balls and of the circles in which two balls
 * intersect, and points where three meet */
static int slice_events(const clump *c, real *z)
{
	int n = 0;
	for (int32_t i = 0; i < c->count; ++i) {
		z[n++] = c->centre[i].z - c->radius[i], z[n++] = c->centre[i].z + c->radius[i];
		for (int32_t j = 0; j < i; ++j) {
			vec3 way = v3_sub(c->centre[j], c->centre[i]);
			real d = v3_norm(way), ri = c->radius[i], rj = c->radius[j], h = (d * d + ri * ri - rj * rj) / (2 * d);
			if (!(ri * ri > h * h)) continue;
			vec3 u = v3_mul(1 / d, way), foot = v3_madd(c->centre[i], h, u);
			real rho = sqrt(ri * ri - h * h), up = rho * hypot(u.x, u.y);
			z[n++] = foot.z - up, z[n++] = foot.z + up;
			for (int32_t k = 0; k < j; ++k) { /* the radical line of ball k in the plane of the circle */
				vec3 to = v3_sub(c->centre[k], c->centre[i]);
				real e = v3_norm(to), g = (e * e + ri * ri - c->radius[k] * c->radius[k]) / (2 * e);
				vec3 w = v3_mul(1 / e, to), a = v3_madd(w, -v3_dot(w, u), u);
				real a2 = v3_norm2(a), s = (g - h * v3_dot(w, u)) / a2, half = rho * rho - s * s * a2;
				if (!(half > 0)) continue;
				vec3 at = v3_madd(foot, s, a), t = v3_unit(v3_cross(u, a));
				z[n++] = at.z - sqrt(half) * t.z, z[n++] = at.z + sqrt(half) * t.z;
			}
		}
	}
	qsort(z, (size_t)n, sizeof *z, rising);
	return n;
}

/* integrals of the slice areas times 1, z, z^2, by double exponential quadrature between these heights */
static void slices(const clump *c, real out[3])
{
	real z[400];
	int n = slice_events(c, z);
	out[0] = out[1] = out[2] = 0;
	for (int k = 0; k + 1 < n; ++k) {
		real low = z[k], wide = z[k + 1] - low, step = 1.0 / 16;
		if (wide < 1e-13) continue;
		for (int i = -56; i <= 56; ++i) {
			real t = i * step, a = SCREE_PI / 2 * sinh(t), part = 1 / (1 + exp(-2 * a)),
				 weight = SCREE_PI / 4 * cosh(t) / (cosh(a) * cosh(a));
			real at = low + wide * part, area = slice_area(c, at) * weight * step * wide;
			out[0] += area, out[1] += area * at, out[2] += area * at * at;
		}
	}
}

/* Balls in general position, three or more of which overlap. */
static void against_slices(void **state)
{
	(void)state;
	FOR_SEEDS(40)
	{
		random_stream r = scree_random_start(test_seed, 2);
		clump c = some_clump(&r, 2 + (int32_t)(test_seed % 5), (real)0.5);
		solid_mass m = mass_of(&c);
		for (int turn = 0; turn < 3; ++turn) {
			quat q = scree_random_rotation(&r);
			clump other = moved(&c, q, v3(0, 0, 0), 1);
			solid_mass want = mass_moved(m, q, v3(0, 0, 0), 1);
			real slice[3];
			slices(&other, slice);
			NEAR(slice[0] / m.volume, 1, 1e-12, "volume");
			NEAR(slice[1], want.centre.z * m.volume, 1e-12 * m.volume, "first moment");
			NEAR(slice[2], want.second[2] + want.centre.z * want.centre.z * m.volume, 1e-12 * m.volume,
				 "second moment");
		}
	}
}

/* ------------------------------------------------------------------ points */

static bool holds(const clump *c, vec3 p)
{
	for (int32_t i = 0; i < c->count; ++i)
		if (v3_norm2(v3_sub(p, c->centre[i])) < c->radius[i] * c->radius[i]) return true;
	return false;
}

/* A million random points (an eighth of them with sanitizers) in a bounding box; volume, centroid and moments must
 * agree within five standard deviations. */
static void against_points(void **state)
{
	(void)state;
	FOR_SEEDS(3)
	{
		random_stream r = scree_random_start(test_seed, 3);
		clump c = some_clump(&r, 4 + 12 * (int32_t)(test_seed % 9), 1);
		solid_mass m = mass_of(&c);
		const int64_t points = test_cases(1000000);
		const real half = 2, box = 8 * half * half * half;
		int64_t in = 0;
		vec3 sum = v3(0, 0, 0);
		real second[6] = {0};
		for (int64_t k = 0; k < points; ++k) {
			vec3 p = some_place(&r, half), d = v3_sub(p, m.centre);
			if (!holds(&c, p)) continue;
			++in;
			sum = v3_add(sum, d);
			const real product[6] = {d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z};
			for (int j = 0; j < 6; ++j) second[j] += product[j];
		}
		real n = (real)points, part = m.volume / box, sigma = sqrt(part * (1 - part) / n);
		NEAR((real)in / n, part, 5 * sigma, "volume");
		NEAR(v3_norm(sum) / n, 0, 5 * sqrt((m.second[0] + m.second[1] + m.second[2]) / box / n), "centroid");
		for (int j = 0; j < 6; ++j)
			NEAR(second[j] / n, m.second[j] / box, 5 * sqrt(8 * part / n), "second moments"); /* |d|^2 < 8 */
	}
}

/* Voxels of size 1/50 and 1/100: the counting error decreases with the size. */
static void against_voxels(void **state)
{
	(void)state;
	random_stream r = scree_random_start(5, 4);
	clump c = some_clump(&r, 12, (real)0.8);
	solid_mass m = mass_of(&c);
	real error[2] = {0, 0};
	for (int fine = 0; fine < test_few(2, 1); ++fine) {
		int cells = 180 << fine;
		int64_t in = 0;
		for (int i = 0; i < cells; ++i)
			for (int j = 0; j < cells; ++j)
				for (int k = 0; k < cells; ++k)
					in += holds(&c, v3(-1.8 + 3.6 * (i + 0.5) / cells, -1.8 + 3.6 * (j + 0.5) / cells,
									   -1.8 + 3.6 * (k + 0.5) / cells));
		error[fine] = (real)in * pow(3.6 / cells, 3) / m.volume - 1;
	}
	NEAR(error[0], 0, 3e-4, "coarse cubes");
	NEAR(error[1], 0, 1e-4, "fine cubes");
}

/* ------------------------------------------------------------------ symmetry, motion, redundant balls */

static clump corners(real apart, real radius)
{
	clump c = {0};
	for (int k = 0; k < 8; ++k)
		add(&c, v3(k & 1 ? apart : -apart, k & 2 ? apart : -apart, k & 4 ? apart : -apart), radius);
	return c;
}

/* Eight balls at the corners of a cube: spaced so that four meet at one point of a face, so that all eight meet in the
 * middle, and in between. */
static void cube_of_balls(void **state)
{
	(void)state;
	const real radius[5] = {0.9, 1, 1.2, sqrt(2), 1.6};
	for (int k = 0; k < 5; ++k) {
		clump c = corners(1, radius[k]);
		solid_mass m = mass_of(&c);
		NEAR(v3_norm(m.centre), 0, 1e-15, "centroid");
		for (int j = 1; j < 3; ++j) NEAR(m.second[j] / m.second[0], 1, 1e-14, "equal moments");
		for (int j = 3; j < 6; ++j) NEAR(m.second[j] / m.second[0], 0, 1e-14, "no products");
		if (radius[k] > 1) {
			real slice[3];
			quat q = {0.8, 0.36, 0.48, 0};
			clump turned = moved(&c, q, v3(0, 0, 0), 1);
			slices(&turned, slice);
			NEAR(slice[0] / m.volume, 1, 1e-12, "volume by slices");
			NEAR(slice[2] / m.second[0], 1, 1e-11, "moment by slices");
		} else
			NEAR(m.volume, 8 * 4 * SCREE_PI / 3 * pow(radius[k], 3), 1e-13, "balls apart");
	}
}

static clump cross(real where, int balls)
{
	const vec3 axis[3] = {{where, 0, 0}, {0, where, 0}, {0, 0, where}};
	clump c = {0};
	for (int k = 0; k < balls; ++k) add(&c, v3_mul(k % 2 ? 1 : -1, axis[k / 2]), 1);
	return c;
}

static void adds_nothing(const clump *c, quat q, vec3 by, const char *what)
{
	clump less = *c;
	--less.count;
	clump there = moved(c, q, by, 1);
	solid_mass m = mass_of(&there), want = mass_moved(mass_of(&less), q, by, 1);
	same(&m, &want, 2e-14, what);
}

static void turns_with(const clump *c, quat q, vec3 by, const char *what)
{
	clump there = moved(c, q, by, 1);
	solid_mass m = mass_of(&there), want = mass_moved(mass_of(c), q, by, 1);
	same(&m, &want, 2e-14, what);
}

/* A ball through the intersection circle of two others, and a ball inside six others whose planes of intersection pass
 * through its centre, add nothing to the volume; after rotation and translation, it depends only on rounding which side
 * they are on. */
static void nothing_added(void **state)
{
	(void)state;
	FOR_SEEDS(6000) /* rounding is unfavourable in one case out of a thousand */
	{
		random_stream r = scree_random_start(test_seed, 6);
		clump two = cross((real)0.6, 2), six = cross((real)0.6, 6), three = cross((real)0.6, 2);
		real x = scree_random_between(&r, -(real)0.5, (real)0.5);
		add(&two, v3(x, 0, 0), sqrt((real)0.64 + x * x));
		add(&six, v3(0, 0, 0), (real)0.8);
		/* `three`: the centre of each ball is in the plane of the intersection of two others; `corner`: a centre is
		 * where three such planes meet */
		add(&three, v3((real)0.6, x, 0), sqrt(1 + x * x));
		clump corner = cross((real)0.6, 6);
		for (int k = 1; k < 3; ++k) corner.centre[k] = corner.centre[2 * k];
		corner.count = 3;
		add(&corner, v3(0, 0, 0), (real)0.8);
		/* the centres of the six balls are also in planes of intersection, at equal distances from the balls on either
		 * side */
		clump twelve = six;
		for (int k = 0; k < 6; ++k) {
			twelve.centre[6 + k] = v3_mul((real)1.8, six.centre[k]);
			twelve.radius[6 + k] = sqrt(1 + (real)0.2304);
		}
		twelve.count = 12;
		add(&twelve, v3(0, 0, 0), (real)0.8);
		quat q = test_seed % 3 ? scree_random_rotation(&r) : quat_one();
		vec3 by = test_seed % 2 ? some_place(&r, 5) : v3(0, 0, 0);
		adds_nothing(&two, q, by, "through the circle of two");
		adds_nothing(&six, q, by, "in the corner of six");
		adds_nothing(&twelve, q, by, "in the corner of six, which are corrected");
		turns_with(&three, q, by, "centres in planes");
		turns_with(&corner, q, by, "a centre in a corner");
	}
}

static void motion_and_order(void **state)
{
	(void)state;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 7);
		clump c = some_clump(&r, 2 + (int32_t)(test_seed % 40), 1);
		solid_mass m = mass_of(&c);
		quat q = scree_random_rotation(&r);
		vec3 by = some_place(&r, 100);
		real scale = scree_exp(scree_random_between(&r, -8, 8));
		clump other = moved(&c, q, by, scale), back = {0};
		for (int32_t i = c.count; i-- > 0;) add(&back, c.centre[i], c.radius[i]);
		solid_mass reversed = mass_of(&back), here = mass_of(&other), there = mass_moved(m, q, by, scale);
		same(&reversed, &m, 1e-14, "backwards");
		same(&here, &there, 1e-14 + 1e-14 / scale,
			 "turned, moved and scaled"); /* centres are rounded in proportion to their distance */
	}
}

/* The volume added by a ball is between zero and the volume of the ball. */
static void growing(void **state)
{
	(void)state;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 8);
		clump c = some_clump(&r, 3 + (int32_t)(test_seed % 12), (real)0.7);
		solid_mass all = mass_of(&c), added;
		fail why = {0};
		assert_true(scree_clump_mass_added("test", c.count, c.centre, c.radius, &added, &why));
		--c.count;
		real less = mass_of(&c).volume, last = 4 * SCREE_PI / 3 * pow(c.radius[c.count], 3), sum = last;
		for (int32_t i = 0; i < c.count; ++i) sum += 4 * SCREE_PI / 3 * pow(c.radius[i], 3);
		NEAR(added.volume, sum, 1e-13 * sum, "balls added");
		CHECK(all.volume >= less - 1e-14 * less && all.volume <= less + last * (1 + 1e-14), "%.17g to %.17g", less,
			  all.volume);
	}
}

static void added_balls(void **state)
{
	(void)state;
	clump c = {0};
	add(&c, v3(0, 0, 0), 2);
	add(&c, v3(1, 0, 0), (real)1.5);
	solid_mass m;
	fail why = {0};
	assert_true(scree_clump_mass_added("test", 2, c.centre, c.radius, &m, &why));
	real a = 4 * SCREE_PI / 3 * 8, b = 4 * SCREE_PI / 3 * 3.375;
	NEAR(m.centre.x, b / (a + b), 1e-15, "centroid");
	NEAR(m.second[0], a * 4 / 5 + b * 2.25 / 5 + a * b / (a + b), 1e-13, "along");
	NEAR(m.second[1], a * 4 / 5 + b * 2.25 / 5, 1e-13, "across");
}

static void refused(const clump *c, const char *sentence)
{
	fail why = {0}, too = {0};
	solid_mass m;
	CHECK(!scree_clump_mass("name", c->count, c->centre, c->radius, &m, &why), "'%s' was taken", sentence);
	CHECK(!strcmp(why.text, sentence), "'%s' is not '%s'", why.text, sentence);
	CHECK(!scree_clump_mass_added("name", c->count, c->centre, c->radius, &m, &too), "'%s' was taken", sentence);
	CHECK(why.code == FAIL_INPUT && !strcmp(why.text, too.text), "%s", too.text);
}

static void what_is_refused(void **state)
{
	(void)state;
	clump c = {0};
	refused(&c, "clump 'name' has no spheres");
	add(&c, v3(0, 0, 0), 1);
	add(&c, v3(1, 0, 0), 0);
	refused(&c, "clump 'name': sphere 1 has radius 0, expected above 0");
	c.radius[1] = (real)NAN;
	refused(&c, "clump 'name': sphere 1 has numbers that are not finite");
	c.radius[1] = (real)0.5;
	c.centre[1].x = (real)0.25;
	refused(&c, "clump 'name': sphere 1 is inside sphere 0 and adds nothing");
	c.centre[1].x = (real)0.5; /* touches from inside */
	refused(&c, "clump 'name': sphere 1 is inside sphere 0 and adds nothing");
	c.centre[1].x = (real)0.5 + (real)1e-12;
	mass_of(&c);
	c.radius[1] = 1, c.centre[1].x = 0;
	refused(&c, "clump 'name': sphere 1 is inside sphere 0 and adds nothing");
	c.count = CLUMP_MOST + 1;
	refused(&c, "clump 'name' has 4097 spheres, expected at most 4096");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_ball),		  cmocka_unit_test(two_balls),		cmocka_unit_test(chains),
		cmocka_unit_test(against_slices), cmocka_unit_test(against_points), cmocka_unit_test(against_voxels),
		cmocka_unit_test(cube_of_balls),  cmocka_unit_test(nothing_added),	cmocka_unit_test(motion_and_order),
		cmocka_unit_test(growing),		  cmocka_unit_test(added_balls),	cmocka_unit_test(what_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
