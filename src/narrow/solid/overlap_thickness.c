/* overlap_thickness: contact energy from the volume and the thickness of an overlap (docs/theory/overlap.md).
 *
 * U = E* u and u = sqrt(V t^3)/2, where V is the volume of the overlap and t its thickness. t^2 = 12 lambda, where
 * lambda is the variance of the overlap's points in its thinnest direction: 1/lambda = trace of 1/K, and K is the
 * covariance of these points. For a slab of area A and thickness d, u = sqrt(A) d^2/2. U depends only on the poses. The
 * gradient of U is a pressure on the borders of the overlap, a polynomial of second degree:
 *
 *     p(x) = E* u/V (3/4 lambda |K^-1 (x - c)|^2 - 1/4),   c the centroid.
 *
 * So only integrals of polynomials over the faces are needed. Integrals over the region follow from the divergence
 * theorem along z, its thin direction, which avoids cancellation. */
#include "narrow/solid/overlap.h"

/* Adds a face of the first body, which bounds the region. Returns its area. */
static real bound(overlap *o, const vec3 *vertex, const uint16_t *corner, int32_t count, vec3 n)
{
	vec3 a = vertex[corner[0]], b = vertex[corner[1]];
	real area = 0;
	for (int32_t i = 2; i < count; ++i) {
		vec3 c = vertex[corner[i]];
		real part = triangle_area_along(n, a, b, c);
		face_bound(0, o->inner, part * n.z, a, b, c);
		area += part;
		b = c;
	}
	return area;
}

/* Adds a face of the second body, which bounds the region and is under pressure. Returns its area. */
static real bound_and_push(overlap *o, const vec3 *vertex, const uint16_t *corner, int32_t count, vec3 n)
{
	vec3 a = vertex[corner[0]], b = vertex[corner[1]];
	fours sum[MONOMIALS] = {0};
	real area = 0;
	for (int32_t i = 2; i < count; ++i) {
		vec3 c = vertex[corner[i]];
		real part = triangle_area_along(n, a, b, c);
		face_push_squares(0, sum, part, a, b, c);
		face_push_cubes(0, sum, part, a, b, c);
		area += part;
		b = c;
	}
	face_inner(o->inner, sum, n.z);
	for (int m = 0; m < MONOMIALS; ++m) o->border[m] = fours3_madd(o->border[m], fours_sum(sum + m, MONOMIALS), n);
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

void scree_thickness_region(const overlap *o, overlap_region *r)
{
	for (int k = 0; k < 10; ++k) r->inner[k] = inner_part(k) * fours_sum(o->inner + k, 10);
	for (int m = 0; m < MONOMIALS; ++m) r->border[m] = fours3_vector(o->border[m]);
	r->axes = o->axes;
	r->from = o->from;
	r->push = o->push;
	r->widest = o->widest;
}

bool scree_thickness_effect(const overlap *o, overlap_effect *e)
{
	overlap_region r;
	overlap_effect more = *e;
	scree_thickness_region(o, &r);
	if (!region_effect(&r, &more)) return false;
	*e = more;
	return true;
}
