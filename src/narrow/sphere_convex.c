/* sphere_convex: the point of a convex polyhedron that is closest to the centre of a sphere.
 *
 * Outside, it lies on one of the faces that the centre is in front of: the nearest of their nearest points. Inside, the
 * face of least penetration pushes out. One straight loop over the planes decides most calls. */
#include "narrow/narrow.h"

static vec3 vertex_of(const shape *s, int32_t v) { return v3(s->vx[v], s->vy[v], s->vz[v]); }

/* the point of face f (a planar convex polygon) that is closest to p */
static vec3 closest_on_face(const shape *s, int32_t f, vec3 p, real distance)
{
	vec3 n = v3(s->nx[f], s->ny[f], s->nz[f]), best = v3_madd(p, -distance, n), flat = best;
	real least = INFINITY;
	bool inside = true;
	for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) {
		int32_t next = k + 1 < s->first[f + 1] ? k + 1 : s->first[f];
		vec3 u = vertex_of(s, s->corner[k]), e = v3_sub(vertex_of(s, s->corner[next]), u), d = v3_sub(flat, u);
		if (v3_dot(v3_cross(n, e), d) >= 0) continue; /* on the inner side of this edge */
		inside = false;
		vec3 q = v3_madd(u, real_clamp(v3_dot(d, e) / v3_norm2(e), 0, 1), e);
		real d2 = v3_norm2(v3_sub(p, q));
		if (d2 < least) least = d2, best = q;
	}
	return inside ? flat : best;
}

void scree_sphere_convex(vec3 sphere, real radius, const placed *b, int32_t hint, patch *out)
{
	const shape *s = b->shape;
	/* in the frame and unit of the shape */
	vec3 p = v3_mul(1 / b->size, mat3_tmul(b->turn, v3_sub(sphere, b->at)));
	real r = radius / b->size;
	out->points = 0;
	out->axis = 0;
	out->depth = 0;
	if (hint >= 1 && hint <= s->faces) {
		int32_t f = hint - 1;
		real d = s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z - s->off[f];
		if (d > r) {
			out->axis = hint;
			out->depth = (r - d) * b->size;
			return;
		}
	}
	real most = -INFINITY, least = INFINITY;
	int32_t face = 0;
	vec3 closest = v3(0, 0, 0);
	for (int32_t f = 0; f < s->faces; ++f) {
		real d = s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z - s->off[f];
		if (d > most) most = d, face = f;
		if (d > r) {
			out->axis = f + 1;
			out->depth = (r - d) * b->size;
			return;
		}
	}
	out->axis = face + 1;
	for (int32_t f = 0; f < s->faces && most > 0; ++f) {
		real d = s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z - s->off[f];
		if (!(d > 0) || d * d > least) continue;
		vec3 q = closest_on_face(s, f, p, d);
		real d2 = v3_norm2(v3_sub(p, q));
		if (d2 < least) least = d2, closest = q;
	}
	vec3 n = v3(s->nx[face], s->ny[face], s->nz[face]);
	real distance = most;
	if (most > 0) {
		distance = sqrt(least);
		if (distance > 0) n = v3_mul(1 / distance, v3_sub(p, closest));
	}
	real depth = (r - distance) * b->size;
	out->depth = depth;
	if (!(depth > 0)) return;
	out->points = 1;
	out->normal = mat3_mul(b->turn, n);
	out->at[0] = v3_mul(-(radius - depth / 2), out->normal);
	out->deep[0] = depth;
	out->weight[0] = 1;
}
