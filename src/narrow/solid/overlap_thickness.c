/* overlap_thickness: contact energy from the volume and the thickness of an overlap (docs/theory/overlap.md).
 *
 * U = E* u, u = 0.45 sqrt(V t^3), with V the volume of the overlap, t its thickness, t^2 = 12 lambda, and lambda the
 * variance of its points across where it is thinnest: 1/lambda = trace of 1/K, K their covariance. A slab of area A and
 * thickness d has u = 0.45 sqrt(A) d^2. U is a function of the poses alone; its gradient is a pressure on the borders
 * of the overlap, a polynomial of second degree:
 *
 *     p(x) = E* u/V (3/4 lambda |K^-1 (x - c)|^2 - 1/4),   c the centroid.
 *
 * So all that is needed are integrals of polynomials over the faces of the overlap. The region's own follow from them
 * by the divergence theorem along z, the direction across which it is thin: then nothing cancels, however thin it is.
 */
#include "narrow/solid/overlap.h"

#include "kernel/thickness.h"

/* monomials: 1, x, y, z, xx, xy, xz, yy, yz, zz, xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz */
enum { X = 1, Y, Z, XX, XY, XZ, YY, YZ, ZZ, XXX, XXY, XXZ, XYY, XYZ, XZZ, YYY, YYZ, YZZ, ZZZ };
/* a coordinate times a monomial of up to the second degree */
static const int8_t TIMES[3][10] = {
	{X, XX, XY, XZ, XXX, XXY, XXZ, XYY, XYZ, XZZ},
	{Y, XY, YY, YZ, XXY, XYY, XYZ, YYY, YYZ, YZZ},
	{Z, XZ, YZ, ZZ, XXZ, XYZ, XZZ, YYZ, YZZ, ZZZ},
};

/* ------------------------------------------------------------------ integrals over faces */

/* Four points integrate polynomials of the third degree over a triangle (Hammer, Marlowe and Stroud 1956). Each has a
 * sum of its own, so that the order of adding does not depend on how wide vectors are. */
typedef struct points {
	lanes weight, x, y, z;
} points;

SCREE_FN points points_of(real weight, vec3 a, vec3 b, vec3 c)
{
	const lanes part = {(real)-27 / 48, (real)25 / 48, (real)25 / 48, (real)25 / 48};
	const lanes at_a = {(real)1 / 3, (real)0.6, (real)0.2, (real)0.2};
	const lanes at_b = {(real)1 / 3, (real)0.2, (real)0.6, (real)0.2};
	const lanes at_c = {(real)1 / 3, (real)0.2, (real)0.2, (real)0.6};
	return (points){weight * part, at_a * a.x + at_b * b.x + at_c * c.x, at_a * a.y + at_b * b.y + at_c * c.y,
					at_a * a.z + at_b * b.z + at_c * c.z};
}

/* of z times the monomials of up to the second degree */
static void add_inner(lanes *inner, real weight, vec3 a, vec3 b, vec3 c)
{
	points p = points_of(weight, a, b, c);
	lanes w = p.weight * p.z, wx = w * p.x, wy = w * p.y, wz = w * p.z;
	inner[0] += w;
	inner[X] += wx;
	inner[Y] += wy;
	inner[Z] += wz;
	inner[XX] += wx * p.x;
	inner[XY] += wx * p.y;
	inner[XZ] += wx * p.z;
	inner[YY] += wy * p.y;
	inner[YZ] += wy * p.z;
	inner[ZZ] += wz * p.z;
}

static void add_triangle(lanes *sum, real area, vec3 a, vec3 b, vec3 c)
{
	points p = points_of(area, a, b, c);
	lanes wx = p.weight * p.x, wy = p.weight * p.y, wz = p.weight * p.z;
	lanes xx = wx * p.x, xy = wx * p.y, yy = wy * p.y, yz = wy * p.z, zz = wz * p.z;
	sum[0] += p.weight;
	sum[X] += wx;
	sum[Y] += wy;
	sum[Z] += wz;
	sum[XX] += xx;
	sum[XY] += xy;
	sum[XZ] += wx * p.z;
	sum[YY] += yy;
	sum[YZ] += yz;
	sum[ZZ] += zz;
	sum[XXX] += xx * p.x;
	sum[XXY] += xx * p.y;
	sum[XXZ] += xx * p.z;
	sum[XYY] += xy * p.y;
	sum[XYZ] += xy * p.z;
	sum[XZZ] += zz * p.x;
	sum[YYY] += yy * p.y;
	sum[YYZ] += yy * p.z;
	sum[YZZ] += zz * p.y;
	sum[ZZZ] += zz * p.z;
}

static real area_of(vec3 n, vec3 a, vec3 b, vec3 c) { return v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(c, a))) / 2; }

SCREE_FN real lanes_sum(const lanes *sum)
{
	lanes a = *sum;
	return (a[0] + a[1]) + (a[2] + a[3]);
}

/* what a face of the first body adds: it bounds the region; its area */
static real bound(overlap *o, const vec3 *vertex, const uint16_t *corner, int32_t count, vec3 n)
{
	vec3 a = vertex[corner[0]], b = vertex[corner[1]];
	real area = 0;
	for (int32_t i = 2; i < count; ++i) {
		vec3 c = vertex[corner[i]];
		real part = area_of(n, a, b, c);
		add_inner(o->inner, part * n.z, a, b, c);
		area += part;
		b = c;
	}
	return area;
}

/* what a face of the second body adds: it bounds the region and pushes; its area */
static real bound_and_push(overlap *o, const vec3 *vertex, const uint16_t *corner, int32_t count, vec3 n)
{
	vec3 a = vertex[corner[0]], b = vertex[corner[1]];
	lanes sum[MONOMIALS] = {0}, normal = {n.x, n.y, n.z, 0};
	real area = 0;
	for (int32_t i = 2; i < count; ++i) {
		vec3 c = vertex[corner[i]];
		real part = area_of(n, a, b, c);
		add_triangle(sum, part, a, b, c);
		area += part;
		b = c;
	}
	for (int k = 0; k < 10; ++k) o->inner[k] += n.z * sum[TIMES[2][k]];
	for (int m = 0; m < MONOMIALS; ++m) o->border[m] += normal * lanes_sum(sum + m);
	return area;
}

void scree_thickness_add(overlap *o, const solid *p)
{
	vec3 vertex[SOLID_VERTICES];
	for (int32_t v = 0; v < p->vertices; ++v) vertex[v] = mat3_tmul(o->axes, v3_sub(p->vertex[v], o->from));
	for (int32_t f = 0; f < p->faces; ++f) {
		const uint16_t *corner = p->corner + p->first[f];
		int32_t count = p->first[f + 1] - p->first[f];
		vec3 n = mat3_tmul(o->axes, p->normal[f]);
		bool second = p->second[f];
		real area = second ? bound_and_push(o, vertex, corner, count, n) : bound(o, vertex, corner, count, n);
		if (second) o->push = v3_madd(o->push, area, p->normal[f]);
		o->widest = real_max(o->widest, area);
	}
}

/* integrals over the region: divergence theorem along z */
static void integrals_of(const overlap *o, real *inner)
{
	static const real part[10] = {1, 1, 1, (real)0.5, 1, 1, (real)0.5, 1, (real)0.5, (real)1 / 3};
	for (int k = 0; k < 10; ++k) inner[k] = part[k] * lanes_sum(o->inner + k);
}

/* ------------------------------------------------------------------ energy and its gradient */

/* Of a region: covariance, and what follows from it. Symmetric matrices as xx, xy, xz, yy, yz, zz. */
typedef struct spread {
	vec3 centre;
	real volume, lambda;
	real covariance[6], adjoint[6], inverse[6];
} spread;

static bool spread_of(const real *inner, spread *s)
{
	real v = inner[0];
	if (!(v > 0)) return false;
	vec3 c = v3(inner[X] / v, inner[Y] / v, inner[Z] / v);
	real xx = inner[XX] / v - c.x * c.x, xy = inner[XY] / v - c.x * c.y, xz = inner[XZ] / v - c.x * c.z;
	real yy = inner[YY] / v - c.y * c.y, yz = inner[YZ] / v - c.y * c.z, zz = inner[ZZ] / v - c.z * c.z;
	real adjoint[6] = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
					   xx * zz - xz * xz, xy * xz - yz * xx, xx * yy - xy * xy};
	real trace = adjoint[0] + adjoint[3] + adjoint[5];
	real determinant = xx * adjoint[0] + xy * adjoint[1] + xz * adjoint[2];
	/* what rounding leaves of a region without volume */
	if (!(determinant > 0 && trace > 0 && adjoint[0] > 0 && adjoint[3] > 0 && adjoint[5] > 0)) return false;
	s->centre = c;
	s->volume = v;
	s->lambda = determinant / trace;
	const real covariance[6] = {xx, xy, xz, yy, yz, zz};
	for (int k = 0; k < 6; ++k) {
		s->covariance[k] = covariance[k];
		s->adjoint[k] = adjoint[k];
		s->inverse[k] = adjoint[k] / determinant;
	}
	return true;
}

/* the pressure times V/U, as coefficients of the first ten monomials */
static void pressure_of(const spread *s, real *p)
{
	const real *r = s->inverse, part = (real)0.75 * s->lambda;
	/* the inverse squared */
	real xx = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], xy = r[0] * r[1] + r[1] * r[3] + r[2] * r[4];
	real xz = r[0] * r[2] + r[1] * r[4] + r[2] * r[5], yy = r[1] * r[1] + r[3] * r[3] + r[4] * r[4];
	real yz = r[1] * r[2] + r[3] * r[4] + r[4] * r[5], zz = r[2] * r[2] + r[4] * r[4] + r[5] * r[5];
	vec3 c = s->centre;
	vec3 q = v3(xx * c.x + xy * c.y + xz * c.z, xy * c.x + yy * c.y + yz * c.z, xz * c.x + yz * c.y + zz * c.z);
	p[0] = part * v3_dot(c, q) - (real)0.25;
	p[X] = -2 * part * q.x;
	p[Y] = -2 * part * q.y;
	p[Z] = -2 * part * q.z;
	p[XX] = part * xx;
	p[XY] = 2 * part * xy;
	p[XZ] = 2 * part * xz;
	p[YY] = part * yy;
	p[YZ] = 2 * part * yz;
	p[ZZ] = part * zz;
}

/* Integrals over the second body's faces of the pressure times the coordinates and 1 (rows), times the components of
 * the normal (columns). */
static void press(const overlap *o, const real *p, lanes out[4])
{
	for (int i = 0; i < 4; ++i) {
		lanes sum = {0};
		for (int m = 0; m < 10; ++m) sum += p[m] * o->border[i < 3 ? TIMES[i][m] : m];
		out[i] = sum;
	}
}

static real squared_by(const real *m, vec3 n)
{
	return m[0] * n.x * n.x + m[3] * n.y * n.y + m[5] * n.z * n.z +
		   2 * (m[1] * n.x * n.y + m[2] * n.x * n.z + m[4] * n.y * n.z);
}

/* the two axes of the spread across n, as long as the root mean square distances */
static void axes_across(const spread *s, vec3 n, vec3 *wide)
{
	const real *c = s->covariance;
	vec3 x = v3_across(n), y = v3_cross(n, x);
	vec3 cx = v3(c[0] * x.x + c[1] * x.y + c[2] * x.z, c[1] * x.x + c[3] * x.y + c[4] * x.z,
				 c[2] * x.x + c[4] * x.y + c[5] * x.z);
	real xx = v3_dot(x, cx), xy = v3_dot(y, cx), yy = squared_by(c, y);
	real half = (xx - yy) / 2, root = sqrt(half * half + xy * xy), large = (xx + yy) / 2 + root;
	real small = real_max((xx + yy) / 2 - root, 0), u = half > 0 ? half + root : xy, v = half > 0 ? xy : root - half;
	real length = sqrt(u * u + v * v);
	vec3 e = length > 0 ? v3_madd(v3_mul(u / length, x), v / length, y) : x;
	wide[0] = v3_mul(sqrt(large), e);
	wide[1] = v3_mul(sqrt(small), v3_cross(n, e));
}

/* The mean distance of the overlap's points from its centre across n, for the friction that resists a turn: its root
 * mean square times 0.94 for a disc or a square to 0.865 for a line; of rectangles, ellipses and polygons from four
 * corners on right to 1 %, of thin ellipses and triangles to 2 %. */
static real arm_of(const spread *s, vec3 push)
{
	real force = v3_norm(push);
	if (!(force > 0)) return 0;
	vec3 n = v3_mul(1 / force, push);
	const real *c = s->covariance;
	real sum = c[0] + c[3] + c[5] - squared_by(c, n); /* of the variances along both axes across n */
	real product = squared_by(s->adjoint, n), uneven = real_clamp(1 - 4 * product / (sum * sum), 0, 1);
	return sqrt(real_max(sum, 0)) * ((real)0.94 - uneven * ((real)0.055 + (real)0.02 * uneven * uneven));
}

/* of the second body's border as seen along what it pushes; that of the region where it pushes nowhere */
static vec3 centre_of_area(const overlap *o, const spread *s)
{
	vec3 n = mat3_tmul(o->axes, o->push);
	const lanes *b = o->border, normal = {n.x, n.y, n.z, 0};
	lanes one = b[0] * normal, x = b[X] * normal, y = b[Y] * normal, z = b[Z] * normal;
	real area = lanes_sum(&one);
	return area > 0 ? v3(lanes_sum(&x) / area, lanes_sum(&y) / area, lanes_sum(&z) / area) : s->centre;
}

bool scree_thickness_effect(const overlap *o, overlap_effect *e)
{
	spread s;
	real inner[10], p[10];
	lanes of[4];
	integrals_of(o, inner);
	if (!spread_of(inner, &s)) return false;
	pressure_of(&s, p);
	press(o, p, of);
	real u = thickness_energy(s.volume, s.lambda), scale = u / s.volume;
	vec3 push = v3(of[3][0], of[3][1], of[3][2]);
	vec3 moment = v3(of[1][2] - of[2][1], of[2][0] - of[0][2], of[0][1] - of[1][0]);
	real arm = arm_of(&s, push), force = v3_norm(push);
	vec3 wide[2] = {{0, 0, 0}, {0, 0, 0}};
	if (force > 0) axes_across(&s, v3_mul(1 / force, push), wide);
	push = v3_mul(scale, mat3_mul(o->axes, push));
	moment = v3_madd(v3_cross(o->from, push), scale, mat3_mul(o->axes, moment));
	e->energy += u;
	e->nothing += scale * o->widest;
	e->push = v3_add(e->push, push);
	e->moment = v3_add(e->moment, moment);
	e->middle = v3_madd(e->middle, u, v3_add(o->from, mat3_mul(o->axes, s.centre)));
	e->hold = v3_madd(e->hold, u, v3_add(o->from, mat3_mul(o->axes, centre_of_area(o, &s))));
	e->arm += u * arm;
	for (int k = 0; k < 2; ++k) e->wide[k] = mat3_mul(o->axes, wide[k]);
	e->areas = v3_add(e->areas, o->push);
	e->widest = real_max(e->widest, o->widest);
	return true;
}
