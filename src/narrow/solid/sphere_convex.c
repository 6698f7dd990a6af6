/* sphere_convex: finds the point of a convex polyhedron closest to the centre of a sphere.
 *
 * If the centre is outside, the nearest point is found on each face that has the centre in front of it, and the nearest
 * of these points is the result. If the centre is inside, the face of least penetration pushes the sphere out; the two
 * cases agree at the surface. Most calls need only the heights of the centre above all planes, and most of the others
 * only the hint, a single plane. Walking from face to face is avoided because the walk could cycle. */
#include "narrow/narrow.h"

#include "base/memory.h"

/* number of faces whose heights fit on the stack; for more, memory is allocated */
enum { ROOM = 256 };

/* Distance of the centre from the surface, relative to the size, below which the direction from the closest point is
 * only rounding error and is replaced with the face's normal. */
static const real NEAR_SURFACE = 1e-10;

static real height_of(const shape *s, int32_t f, vec3 p)
{
	return s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z - s->off[f];
}

/* The point of a polyhedron closest to p on the faces tested so far. */
typedef struct closest {
	real distance2;
	int32_t face; /* the face that contains p's foot, or -1 if the point is on an edge or a corner */
	vec3 at;
} closest;

/* Keeps the closest point of face f (a planar convex polygon) if it beats the best so far. height: height of p above
 * the face */
static void try_face(const shape *s, int32_t f, vec3 p, real height, closest *best)
{
	vec3 n = shape_normal(s, f), foot = v3_madd(p, -height, n);
	bool inside = true;
	for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) {
		int32_t next = k + 1 < s->first[f + 1] ? k + 1 : s->first[f];
		vec3 u = shape_vertex(s, s->corner[k]), e = v3_sub(shape_vertex(s, s->corner[next]), u), d = v3_sub(foot, u);
		if (v3_dot(v3_cross(n, e), d) >= 0) continue; /* p is on the inner side of the edge */
		inside = false;
		vec3 q = v3_madd(u, real_clamp(v3_dot(d, e) / v3_norm2(e), 0, 1), e);
		real d2 = v3_norm2(v3_sub(p, q));
		if (d2 < best->distance2) *best = (closest){d2, -1, q};
	}
	if (inside && height * height < best->distance2) *best = (closest){height * height, f, foot};
}

/* Returns the distance of p from the surface, negative inside, and the outward normal. front: the face above which p is
 * highest */
static real surface(const shape *s, vec3 p, const real *height, int32_t front, vec3 *n)
{
	*n = shape_normal(s, front);
	if (!(height[front] > 0)) return height[front];
	closest best = {INFINITY, -1, v3(0, 0, 0)};
	for (int32_t f = 0; f < s->faces; ++f)
		if (height[f] > 0 && height[f] * height[f] < best.distance2) try_face(s, f, p, height[f], &best);
	if (best.face >= 0) {
		*n = v3(s->nx[best.face], s->ny[best.face], s->nz[best.face]);
		return height[best.face];
	}
	real distance = sqrt(best.distance2);
	if (distance > NEAR_SURFACE * s->radius) *n = v3_mul(1 / distance, v3_sub(p, best.at));
	return distance;
}

/* Returns the distance to a sphere, in the frame and units of the shape. height: room for all faces */
static real distance_of(const shape *s, vec3 p, real radius, real *height, vec3 *n, int32_t *axis)
{
	int32_t front = 0, count = s->faces;
	for (int32_t f = 0; f < count; ++f) height[f] = height_of(s, f, p);
	for (int32_t f = 1; f < count; ++f) front = height[f] > height[front] ? f : front;
	*axis = front + 1;
	return height[front] > radius ? height[front] : surface(s, p, height, front, n);
}

void scree_sphere_convex(vec3 sphere, real radius, const placed *b, int32_t hint, patch *out)
{
	const shape *s = b->shape;
	vec3 p = v3_mul(1 / b->size, mat3_tmul(b->turn, v3_sub(sphere, b->at))), n = v3(0, 0, 1);
	real r = radius / b->size;
	out->points = 0;
	if (hint >= 1 && hint <= s->faces) {
		real d = height_of(s, hint - 1, p);
		if (d > r) {
			out->axis = hint;
			out->depth = (r - d) * b->size;
			return;
		}
	}
	real small[ROOM], *height = s->faces > ROOM ? scree_alloc((size_t)s->faces, sizeof *height) : small;
	real depth = (r - distance_of(s, p, r, height, &n, &out->axis)) * b->size;
	if (height != small) scree_free(height);
	out->depth = depth;
	if (!(depth > 0)) return;
	out->points = 1;
	out->normal = mat3_mul(b->turn, n);
	out->at[0] = v3_mul(-(radius - depth / 2), out->normal);
	out->deep[0] = depth;
	out->weight[0] = 1;
}
