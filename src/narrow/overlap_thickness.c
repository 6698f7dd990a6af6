/* overlap_thickness: contact energy from the volume and the thickness of an overlap (docs/theory/overlap.md).
 *
 * U = E* u, u = 0.45 sqrt(V t^3), with V the volume of the overlap, t its thickness, t^2 = 12 lambda, and lambda the
 * variance of its points across where it is thinnest: 1/lambda = trace of 1/K, K their covariance. A slab of area A and
 * thickness d has u = 0.45 sqrt(A) d^2. U is a function of the poses alone; its gradient is a pressure on the borders
 * of the overlap, a polynomial of second degree:
 *
 *     p(x) = E* u/V (3/4 lambda |K^-1 (x - c)|^2 - 1/4),   c the centroid.
 *
 * So all that is needed are integrals of polynomials over the faces of the overlap. The region's own follow from them by
 * the divergence theorem along z, the direction across which it is thin: then nothing cancels, however thin it is. */
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
	real inverse[6]; /* of the covariance */
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
	for (int k = 0; k < 6; ++k) s->inverse[k] = adjoint[k] / determinant;
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
	push = v3_mul(scale, mat3_mul(o->axes, push));
	moment = v3_madd(v3_cross(o->from, push), scale, mat3_mul(o->axes, moment));
	e->energy += u;
	e->nothing += scale * o->widest;
	e->push = v3_add(e->push, push);
	e->moment = v3_add(e->moment, moment);
	e->middle = v3_madd(e->middle, u, v3_add(o->from, mat3_mul(o->axes, s.centre)));
	e->areas = v3_add(e->areas, o->push);
	e->widest = real_max(e->widest, o->widest);
	return true;
}
