/* overlap_thickness: contact energy from the volume and the thickness of an overlap (docs/theory/overlap.md).
 *
 * U = E* u and u = sqrt(V t^3)/2, where V is the volume of the overlap and t its thickness. t^2 = 12 lambda, where
 * lambda is the variance of the overlap's points in its thinnest direction: 1/lambda = trace of 1/K, and K is the
 * covariance of these points. For a slab of area A and thickness d, u = sqrt(A) d^2/2. U depends only on the poses. The
 * gradient of U is a pressure on the borders of the overlap, a polynomial of second degree:
 *
 *     p(x) = E* u/V (3/4 lambda |K^-1 (x - c)|^2 - 1/4),   c the centroid.
 *
 * So only integrals of polynomials over the faces are needed. The region is the union of cones between one of its
 * lowest points, the origin, and its faces. Their volumes are not negative, so there is no cancellation. */
#include "narrow/solid/overlap.h"

/* A face, with the corners of its solid in the axes of the region. */
typedef struct face {
	const triple *vertex;
	const uint16_t *corner;
	int32_t corners;
	vec3 n;
} face;

SCREE_FN face_moments integrate(const face *f, int what)
{
	face_moments m = moments_none();
	face_fan fan = fan_of(f->n, f->vertex[f->corner[0]], f->vertex[f->corner[1]]);
	for (int32_t i = 2; i < f->corners; ++i) fan_add(&m, &fan, f->vertex[f->corner[i]], what);
	fan_close(&m, &fan, what);
	return m;
}

/* Tests whether the face has a corner at the origin, so that its cone has no volume. */
static bool meets_origin(const face *f)
{
	for (int32_t i = 0; i < f->corners; ++i)
		if (at_origin(f->vertex[f->corner[i]])) return true;
	return false;
}

/* Adds a face of the first body, which bounds the region. Returns its area. */
static real bound(overlap *o, const face *f)
{
	if (meets_origin(f)) return integrate(f, FACE_AREA).area;
	const face_moments m = integrate(f, FACE_SQUARES);
	o->inner = region_with(o->inner, &m, f->n);
	return m.area;
}

/* Adds a face of the second body, which bounds the region and is under pressure. Returns its area. */
static real bound_and_push(overlap *o, const face *f)
{
	const face_moments m = integrate(f, FACE_CUBES);
	const triple n = triple_of(f->n);
	real of[MONOMIALS];
	moments_list(&m, of);
	if (!meets_origin(f)) o->inner = region_with(o->inner, &m, f->n);
	for (int k = 0; k < MONOMIALS; ++k) o->border[k] = triple_madd(o->border[k], of[k], n);
	return m.area;
}

void scree_thickness_add(overlap *o, const solid *p)
{
	triple vertex[SOLID_VERTICES];
	for (int32_t v = 0; v < p->vertices; ++v) vertex[v] = triple_of(mat3_tmul(o->axes, v3_sub(p->vertex[v], o->from)));
	for (int32_t f = 0; f < p->faces; ++f) {
		const face of = {vertex, p->corner + p->first[f], p->first[f + 1] - p->first[f],
						 mat3_tmul(o->axes, p->normal[f])};
		const bool second = p->second[f];
		const real area = second ? bound_and_push(o, &of) : bound(o, &of);
		if (second) o->push = v3_madd(o->push, area, p->normal[f]);
		o->widest = real_max(o->widest, area);
	}
}

void scree_thickness_region(const overlap *o, overlap_region *r)
{
	overlap_inner(&o->inner, r->inner);
	for (int m = 0; m < MONOMIALS; ++m) r->border[m] = triple_vector(o->border[m]);
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
