/* govender2015_surface.h: contact between a convex polyhedron and a surface of a wall by Algorithm 2 of Govender, Wilke
 * and Kok (2015), as printed: the vertices behind a surface, their mean point and their mean depth.
 * docs/theory/walls.md describes the choices made where the paper is silent. All data are in the wall's frame. */
#ifndef SCREE_PAPERS_GOVENDER2015_SURFACE_H
#define SCREE_PAPERS_GOVENDER2015_SURFACE_H

#include "kernel/sphere_wall.h"
#include "papers/govender2015/kernel/govender2015_edges.h"

/* tolerance of Theorem 2, which requires equal areas: with rounding errors, exact equality is a matter of chance */
SCREE_CONSTANT real GOVENDER2015_AREA_SLACK = 1e-6;

/* Theorem 2: tests whether a point in the plane of a convex polygon is inside the polygon, by the areas of
 * triangles. */
SCREE_FN bool govender2015_inside(int32_t corners, SCREE_GLOBAL const vec3 *corner, vec3 p)
{
	real sum = 0;
	vec3 whole = v3(0, 0, 0);
	SCREE_ROLLED
	for (int32_t k = 0; k < corners; ++k) {
		vec3 l = v3_sub(corner[k], p), m = v3_sub(corner[k + 1 < corners ? k + 1 : 0], p), c = v3_cross(l, m);
		sum += v3_norm(c);
		whole = v3_add(whole, c);
	}
	return sum <= (1 + GOVENDER2015_AREA_SLACK) * v3_norm(whole);
}

/* The vertices found in contact with a surface. */
typedef struct govender2015_found {
	int32_t count;
	vec3 sum;	/* sum of their positions */
	real depth; /* sum of their depths */
	vec3 n;
} govender2015_found;

SCREE_FN govender2015_found govender2015_nothing(void)
{
	const govender2015_found none = {0, {0, 0, 0}, 0, {0, 0, 0}};
	return none;
}

SCREE_FN void govender2015_add_vertex(govender2015_found *k, vec3 x, real depth, vec3 n)
{
	if (!k->count) k->n = n;
	++k->count;
	k->sum = v3_add(k->sum, x);
	k->depth += depth;
}

/* Sets the contact, if there are vertices. */
SCREE_FN bool govender2015_set_touch(const govender2015_body *body, int32_t surface, const govender2015_found *k,
									 SCREE_GLOBAL wall_point *out)
{
	if (!k->count) return false;
	const vec3 mean = v3_mul(1 / (real)k->count, k->sum);
	const wall_point p = {surface, k->n, v3_sub(mean, body->at), k->depth / (real)k->count};
	*out = p;
	return true;
}

/* Lines 1-2: tests whether the body may touch a plane whose height below its centre is given. */
SCREE_FN bool govender2015_in_question(const govender2015_body *body, real height, bool two_sided)
{
	if (height < 0 && !two_sided) return false;
	return real_abs(height) <= body->size * body->shape->radius;
}

SCREE_FN bool govender2015_at_plane(const govender2015_body *body, SCREE_GLOBAL const table_wall *w,
									SCREE_GLOBAL wall_point *out)
{
	const real h = v3_dot(w->axis, v3_sub(body->at, w->point));
	if (!govender2015_in_question(body, h, w->two_sided)) return false;
	const vec3 n = h < 0 ? v3_neg(w->axis) : w->axis;
	govender2015_found k = govender2015_nothing();
	SCREE_ROLLED
	for (int32_t v = 0; v < body->shape->vertices; ++v) {
		const vec3 x = govender2015_vertex(body, v);
		const real d = v3_dot(n, v3_sub(x, w->point));
		if (d < 0) govender2015_add_vertex(&k, x, -d, n);
	}
	return govender2015_set_touch(body, w->first_surface, &k, out);
}

/* A tube, seen from the inside: d = R - |x - (x.t) t|. The normal points from the mean point towards the axis. */
SCREE_FN bool govender2015_in_cylinder(const govender2015_body *body, SCREE_GLOBAL const table_wall *w,
									   SCREE_GLOBAL wall_point *out)
{
	govender2015_found k = govender2015_nothing();
	vec3 c = v3_sub(body->at, w->point);
	c = v3_madd(c, -v3_dot(c, w->axis), w->axis);
	if (!govender2015_in_question(body, w->radius - v3_norm(c), false)) return false;
	SCREE_ROLLED
	for (int32_t v = 0; v < body->shape->vertices; ++v) {
		const vec3 x = govender2015_vertex(body, v), r = v3_sub(x, w->point);
		const real z = v3_dot(r, w->axis), d = w->radius - v3_norm(v3_madd(r, -z, w->axis));
		const bool beyond = w->length < INFINITY && (z < 0 || z > w->length);
		if (d < 0 && !beyond) govender2015_add_vertex(&k, x, -d, w->axis);
	}
	if (!k.count) return false;
	vec3 r = v3_sub(v3_mul(1 / (real)k.count, k.sum), w->point);
	r = v3_madd(r, -v3_dot(r, w->axis), w->axis);
	if (!(v3_norm2(r) > 0)) return false; /* the vertices surround the axis, so no side is nearer */
	k.n = v3_neg(v3_unit(r));
	return govender2015_set_touch(body, w->first_surface, &k, out);
}

/* The contact with a wall that has no facets. */
SCREE_FN bool govender2015_at_wall(const govender2015_body *body, SCREE_GLOBAL const table_wall *w,
								   SCREE_GLOBAL wall_point *out)
{
	if (w->type == WALL_PLANE) return govender2015_at_plane(body, w, out);
	return w->type == WALL_CYLINDER && w->side == SIDE_INSIDE && govender2015_in_cylinder(body, w, out);
}

/* ------------------------------------------------------------------ facets */

/* A surface of a wall, with the candidate facets on it. */
typedef struct govender2015_facets {
	const near_facets *to;
	int32_t surface;
	bool two_sided;
} govender2015_facets;

/* The number of the next candidate of the surface, from i on, that passes lines 1 and 2, with the height of the body's
 * centre above it; -1 if there is none. */
SCREE_FN int32_t govender2015_next(const govender2015_body *body, const govender2015_facets *s, int32_t i, real *height)
{
	SCREE_ROLLED
	for (; i < s->to->facets; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(s->to, i);
		if (f->surface != s->surface) continue;
		*height = facet_height(f, body->at);
		if (govender2015_in_question(body, *height, s->two_sided)) return i;
	}
	return -1;
}

/* Lines 4-5: tests whether x is behind a facet of the surface and within its outline. The point counts once for the
 * surface, even if several facets meet there. */
SCREE_FN void govender2015_try_vertex(const govender2015_body *body, const govender2015_facets *s, vec3 x,
									  govender2015_found *k)
{
	real height = 0;
	SCREE_ROLLED
	for (int32_t i = 0; (i = govender2015_next(body, s, i, &height)) >= 0; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(s->to, i);
		const real sign = height < 0 ? -1 : 1, d = sign * facet_height(f, x);
		if (!(d < 0)) continue;
		const vec3 foot = v3_madd(x, -sign * d, f->normal);
		if (!govender2015_inside(f->corners, s->to->s->corner + f->first, foot)) continue;
		govender2015_add_vertex(k, x, -d, v3_mul(sign, f->normal));
		return;
	}
}

/* Tests an edge q .. q + w of a border with all edges of the body; keeps a pair with a smaller depth. */
SCREE_FN void govender2015_try_border(const govender2015_body *body, vec3 q, vec3 w, SCREE_GLOBAL wall_point *best)
{
	const vec3 inside = v3_sub(body->at, v3_madd(q, (real)0.5, w));
	const real r = body->size * body->shape->radius;
	SCREE_ROLLED
	for (int32_t e = 0; e < body->shape->edges; ++e) {
		vec3 p;
		const vec3 u = govender2015_edge(body, e, &p);
		const govender2015_point cross = govender2015_cross(p, u, q, w, inside);
		if (!(cross.depth < best->depth)) continue;
		/* if the border is out of reach, its facet may be missing from the candidates */
		const vec3 at = v3_madd(cross.p, cross.depth / 2, cross.n);
		if (!(v3_norm2(v3_sub(at, body->at)) < r * r)) continue;
		best->depth = cross.depth;
		best->normal = cross.n;
		best->at = v3_sub(cross.p, body->at);
	}
}

SCREE_FN bool govender2015_is_border(const govender2015_facets *s, int32_t edge)
{
	const int32_t beyond = s->to->s->next[edge];
	return !edge_is_covered(beyond) && !(beyond >= 0 && s->to->s->facet[beyond].surface == s->surface);
}

/* Tests the vertices of the body against the facets of a surface. */
SCREE_FN bool govender2015_over_facets(const govender2015_body *body, const govender2015_facets *s,
									   SCREE_GLOBAL wall_point *out)
{
	govender2015_found k = govender2015_nothing();
	SCREE_ROLLED
	for (int32_t v = 0; v < body->shape->vertices; ++v)
		govender2015_try_vertex(body, s, govender2015_vertex(body, v), &k);
	return govender2015_set_touch(body, s->surface, &k, out);
}

/* Type 2 contacts: tests the edges of the body against the border of a surface. */
SCREE_FN bool govender2015_over_border(const govender2015_body *body, const govender2015_facets *s,
									   SCREE_GLOBAL wall_point *out)
{
	real height;
	out->surface = s->surface;
	out->depth = INFINITY;
	SCREE_ROLLED
	for (int32_t i = 0; (i = govender2015_next(body, s, i, &height)) >= 0; ++i) {
		SCREE_GLOBAL const facet *f = facet_near(s->to, i);
		SCREE_ROLLED
		for (int32_t k = 0; k < f->corners; ++k) {
			const vec3 q = s->to->s->corner[f->first + k];
			if (govender2015_is_border(s, f->first + k))
				govender2015_try_border(body, q, v3_sub(edge_end(s->to->s, f, k), q), out);
		}
	}
	return out->depth < INFINITY;
}

/* The contact with one surface of a wall of facets. */
SCREE_FN bool govender2015_at_surface(const govender2015_body *body, const near_facets *to, int32_t surface,
									  SCREE_GLOBAL wall_point *out)
{
	SCREE_GLOBAL const table_wall *w = wall_of_facets(to);
	const govender2015_facets s = {to, surface, w->two_sided != 0};
	return govender2015_over_facets(body, &s, out) || (!w->internal && govender2015_over_border(body, &s, out));
}

#endif
