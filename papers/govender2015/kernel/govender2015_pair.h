/* govender2015_pair.h: contact between two convex polyhedra by Algorithm 1 of Govender, Wilke and Kok (2015). The
 * algorithm tests vertices of a inside b, then vertices of b inside a, then pairs of edges; it stops at the first test
 * that finds a contact. The algorithm has known defects: docs/theory/convex.md lists them, and
 * tests/narrow/govender2015_convex.c shows each of them. One defect, edge contacts between separated bodies, is
 * corrected unless the scene chooses the algorithm as printed. */
#ifndef SCREE_PAPERS_GOVENDER2015_PAIR_H
#define SCREE_PAPERS_GOVENDER2015_PAIR_H

#include "papers/govender2015/kernel/govender2015_edges.h"

#define SOLIDS_BY_GOVENDER2015 2015 /* the kernels of this folder, beside those of kernel/resident_patch.h */

/* A contact, relative to the centre of the first body, or none. */
typedef struct govender2015_contact {
	int32_t code;		   /* the axis, as in convex_axis, with one code for all pairs of edges; 0: no contact */
	govender2015_point at; /* without contact, minus its depth is a lower bound on the distance */
} govender2015_contact;

/* ------------------------------------------------------------------ Type 1: vertices of p, faces of q */

/* Lines 1-8: the distance of p from the first face of q that has all vertices of p in front of it; 0 if there is no
 * such face. */
SCREE_FN real govender2015_plane(const govender2015_body *p, const govender2015_body *q)
{
	const vec3 r = mat3_tmul(govender2015_turn(q), v3_sub(p->at, q->at));
	SCREE_ROLLED
	for (int32_t f = 0; f < q->shape->faces; ++f) {
		const vec3 m = mat3_tmul(govender2015_turn(p), mat3_mul(govender2015_turn(q), convex_normal(q->shape, f)));
		const real apart = convex_height(q->shape, q->size, f, r) + p->size * convex_lowest(p->shape, m);
		if (apart > 0) return apart;
	}
	return 0;
}

/* The vertices of p behind all faces of q. */
typedef struct govender2015_contained {
	int32_t count, face; /* count: number of vertices; face: the face of least penetration for the deepest vertex */
	vec3 sum;			 /* sum of the vertices */
	real depth;
} govender2015_contained;

/* Depth of a point behind the face of q that it penetrates least; <= 0 if the point is outside. */
SCREE_FN real govender2015_behind(const govender2015_body *q, vec3 x, int32_t *face)
{
	const vec3 y = mat3_tmul(govender2015_turn(q), v3_sub(x, q->at));
	real top = -INFINITY;
	SCREE_ROLLED
	for (int32_t f = 0; f < q->shape->faces; ++f) {
		const real d = convex_height(q->shape, q->size, f, y);
		if (d <= top) continue;
		top = d;
		*face = f;
	}
	return -top;
}

/* Lines 9-19. No counter is stored per vertex: a vertex is inside if it is behind every face. */
SCREE_FN govender2015_contained govender2015_inner(const govender2015_body *p, const govender2015_body *q)
{
	govender2015_contained k = {0, 0, {0, 0, 0}, 0};
	SCREE_ROLLED
	for (int32_t v = 0; v < p->shape->vertices; ++v) {
		const vec3 x = govender2015_vertex(p, v);
		int32_t face = 0;
		const real depth = govender2015_behind(q, x, &face);
		if (!(depth > 0)) continue;
		++k.count;
		k.sum = v3_add(k.sum, x);
		if (depth > k.depth) {
			k.depth = depth;
			k.face = face;
		}
	}
	return k;
}

/* Type 1 contacts with the vertices of p. Returns true if the test is conclusive, whether or not it finds a contact.
 * of_b: whether q is the second body; a: the first one */
SCREE_FN bool govender2015_type_1(const govender2015_body *p, const govender2015_body *q, const govender2015_body *a,
								  bool of_b, SCREE_GLOBAL govender2015_contact *out)
{
	const real apart = govender2015_plane(p, q);
	out->at.depth = -apart;
	if (apart > 0) return true;
	const govender2015_contained k = govender2015_inner(p, q);
	if (!k.count) return false;
	const vec3 n = mat3_mul(govender2015_turn(q), convex_normal(q->shape, k.face));
	out->code = 1 + k.face + (of_b ? a->shape->faces : 0);
	out->at.depth = k.depth;
	out->at.n = of_b ? n : v3_neg(n);
	out->at.p = v3_sub(v3_mul(1 / (real)k.count, k.sum), a->at);
	return true;
}

/* Tests bounding spheres and Type 1. Returns true if the result is certain. */
SCREE_FN bool govender2015_by_vertices(const govender2015_body *a, const govender2015_body *b,
									   SCREE_GLOBAL govender2015_contact *out)
{
	const real apart = v3_norm(v3_sub(b->at, a->at)) - a->size * a->shape->radius - b->size * b->shape->radius;
	out->code = 0;
	out->at.depth = -apart;
	return apart > 0 || govender2015_type_1(a, b, a, true, out) || govender2015_type_1(b, a, a, false, out);
}

/* ------------------------------------------------------------------ Type 2 */

/* Tests that no point of the body is farther out than edge e along n, a direction perpendicular to the edge and between
 * the normals of its faces. */
SCREE_FN bool govender2015_foremost(const govender2015_body *p, int32_t e, vec3 n)
{
	const vec3 l = convex_normal(p->shape, p->shape->sides[2 * e]),
			   r = convex_normal(p->shape, p->shape->sides[2 * e + 1]);
	const vec3 m = mat3_tmul(govender2015_turn(p), n), turn = v3_cross(l, r);
	return v3_dot(v3_cross(l, m), turn) >= 0 && v3_dot(v3_cross(m, r), turn) >= 0;
}

/* "If these edges are not penetrating there must be a separating plane": the plane along both edges, if neither body
 * extends beyond its own edge. way: from an edge of b to an edge of a; u, w: both edges */
SCREE_FN bool govender2015_edges_separate(const govender2015_body *a, int32_t i, const govender2015_body *b, int32_t k,
										  vec3 way, vec3 u, vec3 w)
{
	vec3 n = v3_cross(u, w);
	if (!(v3_norm2(n) > GOVENDER2015_PARALLEL * v3_norm2(u) * v3_norm2(w))) return false;
	if (v3_dot(n, v3_sub(a->at, b->at)) < 0) n = v3_neg(n);
	return v3_dot(n, way) > 0 && govender2015_foremost(b, k, n) && govender2015_foremost(a, i, v3_neg(n));
}

/* Tests whether a pair of edges separates the bodies, which the printed algorithm does not. */
SCREE_FN bool govender2015_separated(const govender2015_body *a, const govender2015_body *b)
{
	SCREE_ROLLED
	for (int32_t i = 0; i < a->shape->edges; ++i) {
		vec3 p, q;
		const vec3 u = govender2015_edge(a, i, &p);
		SCREE_ROLLED
		for (int32_t k = 0; k < b->shape->edges; ++k) {
			const vec3 w = govender2015_edge(b, k, &q);
			if (govender2015_edges_separate(a, i, b, k, v3_sub(p, q), u, w)) return true;
		}
	}
	return false;
}

/* Lines 21-35: the pair of penetrating edges with the smallest depth, where Type 1 was not conclusive. */
SCREE_FN void govender2015_by_edges(const govender2015_body *a, const govender2015_body *b,
									SCREE_GLOBAL govender2015_contact *out)
{
	const vec3 inside = v3_sub(a->at, b->at);
	const real bound = out->at.depth;
	out->at.depth = INFINITY;
	SCREE_ROLLED
	for (int32_t i = 0; i < a->shape->edges; ++i) {
		vec3 p, q;
		const vec3 u = govender2015_edge(a, i, &p);
		SCREE_ROLLED
		for (int32_t k = 0; k < b->shape->edges; ++k) {
			const vec3 w = govender2015_edge(b, k, &q);
			const govender2015_point cross = govender2015_cross(p, u, q, w, inside);
			if (cross.depth < out->at.depth) out->at = cross;
		}
	}
	if (out->at.depth < INFINITY) {
		out->code = 1 + a->shape->faces + b->shape->faces;
		out->at.p = v3_sub(out->at.p, a->at);
	} else
		out->at.depth = bound;
}

#endif
