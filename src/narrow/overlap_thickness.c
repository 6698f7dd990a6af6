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
#include "narrow/overlap.h"

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
enum { POINTS = 4 };
typedef struct face_sums {
	real of[MONOMIALS][POINTS];
} face_sums;

static void add_triangle(face_sums *s, real area, vec3 a, vec3 b, vec3 c)
{
	static const real weight[POINTS] = {(real)-27 / 48, (real)25 / 48, (real)25 / 48, (real)25 / 48};
	static const real at_a[POINTS] = {(real)1 / 3, (real)0.6, (real)0.2, (real)0.2};
	static const real at_b[POINTS] = {(real)1 / 3, (real)0.2, (real)0.6, (real)0.2};
	static const real at_c[POINTS] = {(real)1 / 3, (real)0.2, (real)0.2, (real)0.6};
#pragma omp simd
	for (int k = 0; k < POINTS; ++k) {
		real w = area * weight[k];
		real x = at_a[k] * a.x + at_b[k] * b.x + at_c[k] * c.x;
		real y = at_a[k] * a.y + at_b[k] * b.y + at_c[k] * c.y;
		real z = at_a[k] * a.z + at_b[k] * b.z + at_c[k] * c.z;
		real wx = w * x, wy = w * y, wz = w * z, xx = wx * x, xy = wx * y, yy = wy * y, yz = wy * z, zz = wz * z;
		s->of[0][k] += w;
		s->of[X][k] += wx;
		s->of[Y][k] += wy;
		s->of[Z][k] += wz;
		s->of[XX][k] += xx;
		s->of[XY][k] += xy;
		s->of[XZ][k] += wx * z;
		s->of[YY][k] += yy;
		s->of[YZ][k] += yz;
		s->of[ZZ][k] += zz;
		s->of[XXX][k] += xx * x;
		s->of[XXY][k] += xx * y;
		s->of[XXZ][k] += xx * z;
		s->of[XYY][k] += xy * y;
		s->of[XYZ][k] += xy * z;
		s->of[XZZ][k] += zz * x;
		s->of[YYY][k] += yy * y;
		s->of[YYZ][k] += yy * z;
		s->of[YZZ][k] += zz * y;
		s->of[ZZZ][k] += zz * z;
	}
}

static void face_integrals(const vec3 *vertex, const uint16_t *corner, int32_t count, vec3 n, real *out)
{
	face_sums s = {{{0}}};
	vec3 a = vertex[corner[0]], b = vertex[corner[1]];
	for (int32_t i = 2; i < count; ++i) {
		vec3 c = vertex[corner[i]];
		add_triangle(&s, v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(c, a))) / 2, a, b, c);
		b = c;
	}
	for (int m = 0; m < MONOMIALS; ++m) out[m] = (s.of[m][0] + s.of[m][1]) + (s.of[m][2] + s.of[m][3]);
}

/* a face's part of the integrals over the region: divergence theorem along z */
static void add_inner(real *inner, real nz, const real *face)
{
	static const int8_t of[10] = {Z, XZ, YZ, ZZ, XXZ, XYZ, XZZ, YYZ, YZZ, ZZZ};
	static const real part[10] = {1, 1, 1, (real)0.5, 1, 1, (real)0.5, 1, (real)0.5, (real)1 / 3};
	for (int k = 0; k < 10; ++k) inner[k] += nz * part[k] * face[of[k]];
}

void scree_thickness_add(overlap *o, const solid *p)
{
	vec3 vertex[SOLID_VERTICES];
	for (int32_t v = 0; v < p->vertices; ++v) vertex[v] = mat3_tmul(o->axes, v3_sub(p->vertex[v], o->from));
	for (int32_t f = 0; f < p->faces; ++f) {
		vec3 n = mat3_tmul(o->axes, p->normal[f]);
		real face[MONOMIALS];
		face_integrals(vertex, p->corner + p->first[f], p->first[f + 1] - p->first[f], n, face);
		add_inner(o->inner, n.z, face);
		o->widest = real_max(o->widest, face[0]);
		if (p->second[f]) o->push = v3_madd(o->push, face[0], p->normal[f]);
		for (int m = 0; m < MONOMIALS && p->second[f]; ++m) {
			o->border[0][m] += n.x * face[m];
			o->border[1][m] += n.y * face[m];
			o->border[2][m] += n.z * face[m];
		}
	}
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

/* integral of pressure times coordinate i (3: none) times component j of the normal over the second body's faces */
static real pressed(const overlap *o, const real *p, int i, int j)
{
	real sum = 0;
	for (int m = 0; m < 10; ++m) sum += p[m] * o->border[j][i < 3 ? TIMES[i][m] : m];
	return sum;
}

static real squared_by(const real *m, vec3 n)
{
	return m[0] * n.x * n.x + m[3] * n.y * n.y + m[5] * n.z * n.z +
		   2 * (m[1] * n.x * n.y + m[2] * n.x * n.z + m[4] * n.y * n.z);
}

/* The mean distance of the overlap's points from its centre across n, for the friction that resists a turn: its root
 * mean square times 0.94 for a disc or a square to 0.865 for a line; of rectangles, ellipses and polygons from four
 * corners on right to 1 %, of thin ellipses and triangles to 2 %. */
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

bool scree_thickness_effect(const overlap *o, overlap_effect *e)
{
	spread s;
	real p[10];
	if (!spread_of(o->inner, &s)) return false;
	pressure_of(&s, p);
	real u = thickness_energy(s.volume, s.lambda), scale = u / s.volume;
	vec3 push = v3(pressed(o, p, 3, 0), pressed(o, p, 3, 1), pressed(o, p, 3, 2));
	vec3 moment = v3(pressed(o, p, 1, 2) - pressed(o, p, 2, 1), pressed(o, p, 2, 0) - pressed(o, p, 0, 2),
					 pressed(o, p, 0, 1) - pressed(o, p, 1, 0));
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
	e->arm += u * arm;
	for (int k = 0; k < 2; ++k) e->wide[k] = mat3_mul(o->axes, wide[k]);
	e->areas = v3_add(e->areas, o->push);
	e->widest = real_max(e->widest, o->widest);
	return true;
}
