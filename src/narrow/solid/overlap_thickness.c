/* overlap_thickness: contact energy from the volume and the thickness of an overlap (docs/theory/overlap.md).
 *
 * U = E* u and u = sqrt(V t^3)/2, where V is the volume of the overlap and t its thickness. t^2 = 12 lambda, where
 * lambda is the variance of the overlap's points in its thinnest direction: 1/lambda = trace of 1/K, and K is the
 * covariance of these points. For a slab of area A and thickness d, u = sqrt(A) d^2/2. U depends only on the poses. The
 * gradient of U is a pressure on the borders of the overlap, a polynomial of second degree:
 *
 *     p(x) = E* u/V (3/4 lambda |K^-1 (x - c)|^2 - 1/4),   c the centroid.
 *
 * Only integrals of polynomials over the faces of the overlap are therefore needed. Integrals over the region follow
 * from these integrals by the divergence theorem along z, the thin direction of the region. This avoids cancellation,
 * even if the region is very thin. */
#include "narrow/solid/overlap_region.h"

/* index of the product of a coordinate and a monomial up to the second degree */
static const int8_t TIMES[3][10] = {
	{X, XX, XY, XZ, XXX, XXY, XXZ, XYY, XYZ, XZZ},
	{Y, XY, YY, YZ, XXY, XYY, XYZ, YYY, YYZ, YZZ},
	{Z, XZ, YZ, ZZ, XXZ, XYZ, XZZ, YYZ, YZZ, ZZZ},
};

/* ------------------------------------------------------------------ integrals over faces */

/* Four points integrate polynomials of the third degree over a triangle (Hammer, Marlowe and Stroud 1956). Each point
 * has a separate sum, so the order of additions is independent of the vector width. */
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

/* Adds the integrals of w times the monomials up to the second degree. */
SCREE_FN void add_squares(lanes *sum, lanes w, const points *p)
{
	lanes wx = w * p->x, wy = w * p->y, wz = w * p->z;
	sum[0] += w;
	sum[X] += wx;
	sum[Y] += wy;
	sum[Z] += wz;
	sum[XX] += wx * p->x;
	sum[XY] += wx * p->y;
	sum[XZ] += wx * p->z;
	sum[YY] += wy * p->y;
	sum[YZ] += wy * p->z;
	sum[ZZ] += wz * p->z;
}

static void add_inner(lanes *inner, real weight, vec3 a, vec3 b, vec3 c)
{
	points p = points_of(weight, a, b, c);
	add_squares(inner, p.weight * p.z, &p);
}

static void add_triangle(lanes *sum, real area, vec3 a, vec3 b, vec3 c)
{
	points p = points_of(area, a, b, c);
	lanes wx = p.weight * p.x, wy = p.weight * p.y, wz = p.weight * p.z;
	lanes xx = wx * p.x, xy = wx * p.y, yy = wy * p.y, zz = wz * p.z;
	add_squares(sum, p.weight, &p);
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

/* Adds a face of the first body, which bounds the region. Returns its area. */
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

/* Adds a face of the second body, which bounds the region and is under pressure. Returns its area. */
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

/* ------------------------------------------------------------------ energy and its gradient */

/* Computes integrals over the region by the divergence theorem along z. */
static void integrals_of(const overlap *o, real *inner)
{
	static const real part[10] = {1, 1, 1, (real)0.5, 1, 1, (real)0.5, 1, (real)0.5, (real)1 / 3};
	for (int k = 0; k < 10; ++k) inner[k] = part[k] * lanes_sum(o->inner + k);
}

void scree_thickness_region(const overlap *o, region *r)
{
	integrals_of(o, r->inner);
	for (int m = 0; m < MONOMIALS; ++m) r->border[m] = v3(o->border[m][0], o->border[m][1], o->border[m][2]);
	r->axes = o->axes;
	r->from = o->from;
	r->push = o->push;
	r->widest = o->widest;
}

bool scree_thickness_effect(const overlap *o, overlap_effect *e)
{
	region r;
	overlap_effect more = *e;
	scree_thickness_region(o, &r);
	if (!region_effect(&r, &more)) return false;
	*e = more;
	return true;
}
