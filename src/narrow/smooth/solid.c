/* solid: a smooth body and a convex polyhedron.
 *
 * The gap from the plane of a face is never more than the distance, and it is the distance for the face of the greatest
 * gap if the body's nearest point is over that face. Otherwise the nearest point of the polyhedron is on an edge, and
 * the nearest edge gives the distance. If the body is deeper in that edge than its radius of curvature, the direction
 * of the least overlap is chosen among those of all faces and edges, each of which bounds it. */
#include "narrow/smooth/smooth.h"

/* relative to the body: the planes of an edge touch the polyhedron */
static const real NEAR_EDGE = 1e-9;

static vec3 corner_of(const placed *b, int32_t v)
{
	return v3_madd(b->at, b->size, mat3_mul(b->turn, shape_vertex(b->shape, v)));
}

/* The face with the greatest gap; stops at the first gap of at least `reach`. */
static int32_t best_face(const smooth *s, const placed *b, real reach, smooth_gap *out)
{
	const vec3 way = v3_sub(s->at, b->at);
	int32_t best = 0;
	out->gap = -INFINITY;
	for (int32_t f = 0; f < b->shape->faces && out->gap < reach; ++f) {
		const vec3 n = mat3_mul(b->turn, shape_normal(b->shape, f));
		const real height = v3_dot(n, way) - b->size * b->shape->off[f];
		if (height - s->sharp <= out->gap) continue; /* it reaches at least as far as its radius of curvature */
		const smooth_plane p = scree_smooth_plane(s, v3_neg(n), v3_across(n));
		if (!(height - p.reach > out->gap)) continue;
		best = f;
		out->gap = height - p.reach, out->normal = v3_neg(n), out->on_a = p.at;
	}
	return best;
}

/* Whether the foot of a point is on a face. */
static bool is_over(const placed *b, int32_t f, vec3 x)
{
	const shape *o = b->shape;
	const vec3 p = v3_mul(1 / b->size, mat3_tmul(b->turn, v3_sub(x, b->at))), n = shape_normal(o, f);
	for (int32_t k = o->first[f]; k < o->first[f + 1]; ++k) {
		const vec3 from = shape_vertex(o, o->corner[k]);
		const vec3 to = shape_vertex(o, o->corner[k + 1 < o->first[f + 1] ? k + 1 : o->first[f]]);
		if (v3_dot(v3_cross(n, v3_sub(to, from)), v3_sub(p, from)) < 0) return false;
	}
	return true;
}

static bool is_near(const smooth *s, vec3 p, vec3 q, real reach)
{
	const vec3 along = v3_sub(q, p), way = v3_sub(s->at, p);
	const real part = real_clamp(v3_dot(way, along) / v3_norm2(along), 0, 1), far = s->radius + reach;
	return v3_norm2(v3_madd(way, -part, along)) < far * far;
}

/* The gap along a direction from the body: of the planes across it that touch both. */
static real gap_along(const smooth *s, const placed *b, vec3 n)
{
	real far = -INFINITY;
	for (int32_t v = 0; v < b->shape->vertices; ++v) far = real_max(far, -v3_dot(n, v3_sub(corner_of(b, v), s->at)));
	return -far - scree_smooth_plane(s, n, v3_across(n)).reach;
}

smooth_gap scree_smooth_solid(const smooth *s, const placed *b, real reach)
{
	smooth_gap face = {.sure = true}, edge = {.gap = INFINITY};
	const int32_t f = best_face(s, b, reach, &face);
	if (face.gap >= reach || (face.gap > -s->sharp && is_over(b, f, v3_add(s->at, face.on_a)))) return face;
	for (int32_t e = 0; e < b->shape->edges; ++e) {
		const vec3 p = corner_of(b, b->shape->ends[2 * e]), q = corner_of(b, b->shape->ends[2 * e + 1]);
		if (!is_near(s, p, q, reach)) continue;
		const smooth_line m = scree_smooth_segment(s, p, q);
		if (m.gap.gap < edge.gap) edge = m.gap;
		if (m.gap.gap > -s->sharp) continue;
		smooth_gap deep = m.gap;
		deep.gap = gap_along(s, b, deep.normal);
		if (deep.gap > face.gap) face = deep;
	}
	if (!(edge.gap < INFINITY)) { /* the bounding ball is beyond reach of all edges */
		if (face.gap > -s->sharp) face.gap = reach;
		return face;
	}
	/* if the body reaches far through a face, between the edges, the planes of the nearest edge do not bound both */
	const real bound = gap_along(s, b, edge.normal);
	if (bound >= edge.gap - NEAR_EDGE * s->radius) return edge;
	if (bound > face.gap) face = edge, face.gap = bound;
	face.sure = false;
	return face;
}
