/* sphere_convex.h: the point of a convex polyhedron closest to the centre of a sphere.
 *
 * If the centre is outside, the nearest point is found on each face that has the centre in front of it, and the nearest
 * of these points is the result. If the centre is inside, the face of least penetration pushes the sphere out; the two
 * cases agree at the surface. Walking from face to face is avoided because the walk could cycle. */
#ifndef SCREE_KERNEL_SPHERE_CONVEX_H
#define SCREE_KERNEL_SPHERE_CONVEX_H

#include "kernel/separating_axis.h"
#include "kernel/sphere_contact.h"

/* Distance of the centre from the surface, relative to the size, below which the direction from the closest point is
 * only rounding error and is replaced with the face's normal. */
SCREE_CONSTANT real SPHERE_NEAR_SURFACE = 1e-10;

/* A polyhedron of size 1, and the centre of the sphere in its frame. */
typedef struct sphere_view {
	SCREE_GLOBAL const convex_solid *s;
	vec3 p;
#ifdef SCREE_CONVEX_SOLID
	const real *height; /* [faces] of the centre; a device repeats their computation instead */
#endif
} sphere_view;

SCREE_FN real sphere_height(const sphere_view *v, int32_t f)
{
#ifdef SCREE_CONVEX_SOLID
	return v->height[f];
#else
	return convex_height(v->s, 1, f, v->p);
#endif
}

/* The point of a polyhedron closest to p on the faces tested so far. */
typedef struct sphere_closest {
	real distance2;
	int32_t face; /* the face that contains p's foot, or -1 if the point is on an edge or a corner */
	vec3 at;
} sphere_closest;

/* Keeps the closest point of the edge between two corners if it beats the best so far. Returns whether p is on the
 * inner side of the edge. foot: of p on the face */
SCREE_FN bool sphere_try_edge(const sphere_view *v, vec3 n, vec3 foot, int32_t from, int32_t to, sphere_closest *best)
{
	const vec3 u = convex_vertex(v->s, from), e = v3_sub(convex_vertex(v->s, to), u), d = v3_sub(foot, u);
	if (v3_dot(v3_cross(n, e), d) >= 0) return true;
	const vec3 q = v3_madd(u, real_clamp(v3_dot(d, e) / v3_norm2(e), 0, 1), e);
	const real d2 = v3_norm2(v3_sub(v->p, q));
	if (!(d2 < best->distance2)) return false;
	best->distance2 = d2;
	best->face = -1;
	best->at = q;
	return false;
}

/* Keeps the closest point of face f (a planar convex polygon) if it beats the best so far. height: height of p above
 * the face */
SCREE_FN void sphere_try_face(const sphere_view *v, int32_t f, real height, sphere_closest *best)
{
	SCREE_GLOBAL const convex_solid *s = v->s;
	const vec3 n = convex_normal(s, f), foot = v3_madd(v->p, -height, n);
	bool inside = true;
	SCREE_ROLLED
	for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) {
		const int32_t next = k + 1 < s->first[f + 1] ? k + 1 : s->first[f];
		inside &= sphere_try_edge(v, n, foot, s->corner[k], s->corner[next], best);
	}
	if (!inside || !(height * height < best->distance2)) return;
	best->distance2 = height * height;
	best->face = f;
	best->at = foot;
}

/* Returns the distance of p from the surface, negative inside, and the outward normal. front: the face above which p is
 * highest */
SCREE_FN real sphere_surface(const sphere_view *v, int32_t front, vec3 *n)
{
	sphere_closest best = {INFINITY, -1, {0, 0, 0}};
	*n = convex_normal(v->s, front);
	if (!(sphere_height(v, front) > 0)) return sphere_height(v, front);
	SCREE_ROLLED
	for (int32_t f = 0; f < v->s->faces; ++f) {
		const real h = sphere_height(v, f);
		if (h > 0 && h * h < best.distance2) sphere_try_face(v, f, h, &best);
	}
	if (best.face >= 0) {
		*n = convex_normal(v->s, best.face);
		return sphere_height(v, best.face);
	}
	const real distance = sqrt(best.distance2);
	if (distance > SPHERE_NEAR_SURFACE * v->s->radius) *n = v3_mul(1 / distance, v3_sub(v->p, best.at));
	return distance;
}

/* Returns the distance to a sphere of this radius, in the frame and units of the shape, and the front face. */
SCREE_FN real sphere_distance(const sphere_view *v, real radius, vec3 *n, int32_t *front)
{
	int32_t top = 0;
	SCREE_ROLLED
	for (int32_t f = 1; f < v->s->faces; ++f) top = sphere_height(v, f) > sphere_height(v, top) ? f : top;
	*front = top;
	return sphere_height(v, top) > radius ? sphere_height(v, top) : sphere_surface(v, top, n);
}

/* Contact of a sphere with the polyhedron b; the normal is from b to the sphere. Without contact, the depth is not
 * positive. */
SCREE_FN sphere_contact sphere_convex_contact(const sphere_view *v, real radius, SCREE_GLOBAL const convex_placed *b,
											  int32_t *front)
{
	const mat3 turn = b->turn;
	vec3 n = v3(0, 0, 1);
	const real r = radius / b->size, depth = (r - sphere_distance(v, r, &n, front)) * b->size;
	sphere_contact c = {mat3_mul(turn, n), v3(0, 0, 0), depth};
	c.at = v3_mul(-(radius - depth / 2), c.normal);
	return c;
}

#endif
