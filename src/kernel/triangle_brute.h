/* triangle_brute.h: the distance between two triangles, from all candidates: 9 pairs of edges, 6 corners whose foot is
 * inside the other triangle (other corners are closest to an edge, and edges are tested), and 6 edges that may pierce
 * the other triangle (docs/theory/triangles.md, eqs. 1 to 4). All functions are pure and have no branches. */
#ifndef SCREE_KERNEL_TRIANGLE_BRUTE_H
#define SCREE_KERNEL_TRIANGLE_BRUTE_H

#include "kernel/triangle.h"

typedef struct tri_best {
	tri_number key; /* squared distance, reduced by its possible rounding error for parallel edges; -1 if pierced */
	tri_places at;
	tri3 n; /* normal to the closest features, with any length */
} tri_best;

SCREE_FN tri_best tri_best_none(void)
{
	tri_best o = {INFINITY, {{0, 0}, {0, 0}}, {0, 0, 0}};
	return o;
}

SCREE_FN tri_best tri_best_of(tri_best a, tri_best b)
{
	bool first = a.key <= b.key;
	tri_places at = {{first ? a.at.a.b : b.at.a.b, first ? a.at.a.c : b.at.a.c},
					 {first ? a.at.b.b : b.at.b.b, first ? a.at.b.c : b.at.b.c}};
	tri_best o = {first ? a.key : b.key, at, t3_pick(first, a.n, b.n)};
	return o;
}

/* ------------------------------------------------------------------ edges */

/* Returns weights along side 0, 1 or 2, from corner a, b or c to the next. */
SCREE_FN tri_weights tri_along(int side, tri_number s)
{
	tri_number rest = 1 - s;
	return tri_weights_of(side == 0 ? s : side == 1 ? rest : 0, side == 0 ? 0 : side == 1 ? s : rest);
}

/* Returns the key of a pair of edges. Parallel edges are as far apart at their ends as in their middle, which is
 * preferred if rounding could decide: within 16 rounding errors of a coordinate, times the distance. */
SCREE_FN tri_number tri_key(tri3 between, bool parallel)
{
	tri_number rounding = 64 * TRI_ROUNDING;
	return t3_dot(between, between) - (parallel ? rounding * (t3_size(between) + rounding) : 0);
}

/* Closest points of side e of a, which starts at p along u, and side f of b, which starts at q along v. */
SCREE_FN tri_best tri_best_of_sides(tri3 p, tri3 u, int e, tri3 q, tri3 v, int f)
{
	tri3 r = t3_sub(p, q);
	tri_segments g = tri_segments_closest(r, u, v);
	tri3 between = t3_madd(t3_madd(r, g.s, u), -g.t, v);
	tri_places at = {tri_along(e, g.s), tri_along(f, g.t)};
	tri_best o = {tri_key(between, g.parallel), at, t3_pick(g.within, t3_cross(u, v), between)};
	return o;
}

/* ------------------------------------------------------------------ corners over a face, edges through it */

typedef struct tri_face {
	tri3 at, e, f, n;
	tri_number by; /* 1/n^2, or 0 for a degenerate triangle, which has no inside */
} tri_face;

SCREE_FN tri_face tri_face_of(tri3 a, tri3 b, tri3 c)
{
	tri_face o;
	o.at = a;
	o.e = t3_sub(b, a);
	o.f = t3_sub(c, a);
	o.n = t3_cross(o.e, o.f);
	tri_number square = t3_dot(o.n, o.n);
	bool flat = square > TRI_PARALLEL * t3_dot(o.e, o.e) * t3_dot(o.f, o.f);
	o.by = flat ? tri_inverse(square) : 0;
	return o;
}

/* Projection of a point onto a face: the weights of its foot, and its height in units of |n|. */
typedef struct tri_over {
	tri_weights foot;
	tri_number height;
	tri3 r; /* vector from the point to the face's first corner */
} tri_over;

SCREE_FN tri_over tri_over_face(const tri_face *t, tri3 p)
{
	tri3 r = t3_sub(t->at, p);
	tri_weights foot = {t3_dot(t3_cross(t->f, r), t->n) * t->by, t3_dot(t3_cross(r, t->e), t->n) * t->by};
	tri_over o = {foot, -t3_dot(t->n, r), r};
	return o;
}

SCREE_FN bool tri_within(const tri_face *t, tri_weights w)
{
	return (bool)((t->by > 0) & (w.b >= 0) & (w.c >= 0) & (w.b + w.c <= 1));
}

/* Returns points on both triangles. face_of_b: whether the face belongs to b rather than a */
SCREE_FN tri_places tri_places_of(bool face_of_b, tri_weights face, tri_weights other)
{
	tri_places o = {{face_of_b ? other.b : face.b, face_of_b ? other.c : face.c},
					{face_of_b ? face.b : other.b, face_of_b ? face.c : other.c}};
	return o;
}

SCREE_FN tri_best tri_best_of_corner(const tri_face *t, const tri_over *p, int corner, bool face_of_b)
{
	tri3 between = t3_madd(t3_madd(p->r, p->foot.b, t->e), p->foot.c, t->f);
	tri_places at = tri_places_of(face_of_b, p->foot, tri_weights_of(corner == 1, corner == 2));
	tri_best o = {tri_within(t, p->foot) ? t3_dot(between, between) : INFINITY, at, t->n};
	return o;
}

/* Returns the point of the face where the edge from corner `side` to the next crosses its plane, if there is one. */
SCREE_FN tri_best tri_best_of_piercing(const tri_face *t, const tri_over *p, const tri_over *q, int side,
									   bool face_of_b)
{
	bool through = (p->height > 0) != (q->height > 0);
	tri_number s = p->height / (through ? p->height - q->height : 1);
	tri_weights at = tri_weights_of(p->foot.b + s * (q->foot.b - p->foot.b), p->foot.c + s * (q->foot.c - p->foot.c));
	bool pierced = (bool)(through & tri_within(t, at));
	tri_best o = {pierced ? -1 : INFINITY, tri_places_of(face_of_b, at, tri_along(side, s)), t->n};
	return o;
}

SCREE_FN tri_best tri_best_of_face(tri3 fa, tri3 fb, tri3 fc, tri3 a, tri3 b, tri3 c, bool face_of_b)
{
	tri_face t = tri_face_of(fa, fb, fc);
	tri_over p = tri_over_face(&t, a), q = tri_over_face(&t, b), r = tri_over_face(&t, c);
	tri_best corners =
		tri_best_of(tri_best_of(tri_best_of_corner(&t, &p, 0, face_of_b), tri_best_of_corner(&t, &q, 1, face_of_b)),
					tri_best_of_corner(&t, &r, 2, face_of_b));
	tri_best edges = tri_best_of(
		tri_best_of(tri_best_of_piercing(&t, &p, &q, 0, face_of_b), tri_best_of_piercing(&t, &q, &r, 1, face_of_b)),
		tri_best_of_piercing(&t, &r, &p, 2, face_of_b));
	return tri_best_of(corners, edges);
}

/* ------------------------------------------------------------------ all candidates */

SCREE_FN bool tri_pierced(const tri_best *b) { return b->key == -1; }

SCREE_FN tri_places tri_places_inside(tri_places at)
{
	tri_places o = {tri_weights_inside(at.a), tri_weights_inside(at.b)};
	return o;
}

/* Bounds from the best candidate: the gap along its normal and the distance between its points. */
SCREE_FN tri_bounds tri_best_bounds(const tri_pair *p, const tri_best *b)
{
	tri_bounds o = tri_bounds_of(p, b->at);
	tri_number low = tri_slab(p, b->n, t3_dot(b->n, b->n));
	o.low = tri_sane(p->size) ? tri_max(o.low, low) : 0;
	return o;
}

#endif
