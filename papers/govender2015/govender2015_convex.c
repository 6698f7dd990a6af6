/* govender2015_convex: contact between two convex polyhedra by Algorithm 1 of Govender, Wilke and Kok (2015). The
 * algorithm tests vertices of a inside b, then vertices of b inside a, then pairs of edges; it stops at the first test
 * that finds a contact. The algorithm has known defects: docs/theory/convex.md lists them, and
 * tests/narrow/govender2015_convex.c shows each of them. One defect, edge contacts between separated bodies, is
 * corrected unless the scene chooses the algorithm as printed. */
#include "papers/govender2015/govender2015.h"

/* edges count as parallel if the squared sine of their angle does not exceed this; the authors' code tests for an exact
 * zero */
static const real PARALLEL = 1e-20;

/* See govender2015.h. The determinant printed in eqs (4) and (5) lacks a factor; this code uses Cramer's rule. */
bool scree_govender2015_closest(vec3 a0, vec3 u, vec3 b0, vec3 w, real *a, real *b)
{
	vec3 d = v3_sub(a0, b0);
	real uu = v3_norm2(u), ww = v3_norm2(w), uw = v3_dot(u, w), ud = v3_dot(u, d), wd = v3_dot(w, d);
	real across = v3_norm2(v3_cross(u, w));
	if (!(across > PARALLEL * uu * ww)) return false;
	*a = -(ww * ud - uw * wd) / across;
	*b = -(uw * ud - uu * wd) / across;
	return true;
}

void scree_govender2015_cross(vec3 a0, vec3 u, vec3 b0, vec3 w, vec3 inside, govender2015_cross *best)
{
	real a, b;
	if (!scree_govender2015_closest(a0, u, b0, w, &a, &b)) return;
	if (!(a >= 0 && a <= 1 && b >= 0 && b <= 1)) return;
	vec3 n = v3_unit(v3_cross(u, w)), p = v3_madd(a0, a, u), q = v3_madd(b0, b, w);
	if (v3_dot(n, inside) < 0) n = v3_neg(n);
	real depth = v3_dot(n, v3_sub(q, p));
	if (depth > 0 && depth < best->depth) *best = (govender2015_cross){depth, n, v3_mul((real)0.5, v3_add(p, q))};
}

/* ------------------------------------------------------------------ Type 1: vertices of p, faces of q */

/* Lines 1-8: the distance of p from the first face of q that has all vertices of p in front of it; 0 if there is no
 * such face. */
static real separating_plane(const placed *p, const placed *q)
{
	const shape *s = p->shape, *o = q->shape;
	vec3 r = mat3_tmul(q->turn, v3_sub(p->at, q->at));
	for (int32_t f = 0; f < o->faces; ++f) {
		vec3 n = v3(o->nx[f], o->ny[f], o->nz[f]), m = mat3_tmul(p->turn, mat3_mul(q->turn, n));
		real middle = v3_dot(n, r) - q->size * o->off[f], least = INFINITY;
		for (int32_t v = 0; v < s->vertices; ++v)
			least = real_min(least, m.x * s->vx[v] + m.y * s->vy[v] + m.z * s->vz[v]);
		if (middle + p->size * least > 0) return middle + p->size * least;
	}
	return 0;
}

/* The vertices of p behind all faces of q. */
typedef struct contained {
	int32_t count, face; /* count: number of vertices; face: the face of least penetration for the deepest vertex */
	vec3 sum;			 /* sum of the vertices */
	real depth;
} contained;

/* Depth of a point behind the face of q that it penetrates least; <= 0 if the point is outside. */
static real behind(const placed *q, vec3 x, int32_t *face)
{
	const shape *o = q->shape;
	vec3 y = mat3_tmul(q->turn, v3_sub(x, q->at));
	real top = -INFINITY;
	for (int32_t f = 0; f < o->faces; ++f) {
		real d = o->nx[f] * y.x + o->ny[f] * y.y + o->nz[f] * y.z - q->size * o->off[f];
		if (d <= top) continue;
		top = d;
		*face = f;
	}
	return -top;
}

/* Lines 9-19. No counter is stored per vertex: a vertex is inside if it is behind every face. */
static contained contained_vertices(const placed *p, const placed *q)
{
	contained k = {0, 0, {0, 0, 0}, 0};
	for (int32_t v = 0; v < p->shape->vertices; ++v) {
		vec3 x = govender2015_vertex(p, v);
		int32_t face = 0;
		real depth = behind(q, x, &face);
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

/* ------------------------------------------------------------------ Type 2 */

static vec3 edge_of(const placed *p, int32_t e, vec3 *from)
{
	*from = govender2015_vertex(p, p->shape->ends[2 * e]);
	return v3_sub(govender2015_vertex(p, p->shape->ends[2 * e + 1]), *from);
}

/* Tests that no point of the body is farther out than edge e along n, a direction perpendicular to the edge and between
 * the normals of its faces. */
static bool foremost(const placed *p, int32_t e, vec3 n)
{
	const shape *s = p->shape;
	int32_t f = s->sides[2 * e], g = s->sides[2 * e + 1];
	vec3 m = mat3_tmul(p->turn, n), l = shape_normal(s, f), r = shape_normal(s, g);
	vec3 turn = v3_cross(l, r);
	return v3_dot(v3_cross(l, m), turn) >= 0 && v3_dot(v3_cross(m, r), turn) >= 0;
}

/* "If these edges are not penetrating there must be a separating plane": the plane along both edges, if neither body
 * extends beyond its own edge. */
static bool edges_separate(const placed *a, int32_t i, const placed *b, int32_t k, vec3 way, vec3 u, vec3 w)
{
	vec3 n = v3_cross(u, w);
	if (!(v3_norm2(n) > PARALLEL * v3_norm2(u) * v3_norm2(w))) return false;
	if (v3_dot(n, v3_sub(a->at, b->at)) < 0) n = v3_neg(n);
	return v3_dot(n, way) > 0 && foremost(b, k, n) && foremost(a, i, v3_neg(n));
}

/* Lines 21-35: the pair of penetrating edges with the smallest depth. Returns no pair if a pair of edges separates the
 * bodies, which the printed algorithm does not test. */
static govender2015_cross crossing_edges(const placed *a, const placed *b, bool printed)
{
	govender2015_cross best = {.depth = INFINITY};
	vec3 inside = v3_sub(a->at, b->at);
	for (int32_t i = 0; i < a->shape->edges; ++i) {
		vec3 p, q, u = edge_of(a, i, &p);
		for (int32_t k = 0; k < b->shape->edges; ++k) {
			vec3 w = edge_of(b, k, &q);
			if (!printed && edges_separate(a, i, b, k, v3_sub(p, q), u, w))
				return (govender2015_cross){.depth = INFINITY};
			scree_govender2015_cross(p, u, q, w, inside, &best);
		}
	}
	return best;
}

/* ------------------------------------------------------------------ the whole algorithm */

static void set_point(patch *out, const placed *a, int32_t code, vec3 n, vec3 at, real depth)
{
	out->points = 1;
	out->axis = -code;
	out->normal = n;
	out->depth = out->deep[0] = depth;
	out->at[0] = v3_sub(at, a->at);
	out->weight[0] = 1;
}

/* Type 1 contacts with the vertices of p. Returns true if the test is conclusive, whether or not it finds a contact. */
static bool type_1(const placed *p, const placed *q, const placed *a, patch *out)
{
	real apart = separating_plane(p, q);
	out->depth = -apart;
	if (apart > 0) return true;
	contained k = contained_vertices(p, q);
	if (!k.count) return false;
	const shape *o = q->shape;
	vec3 n = mat3_mul(q->turn, v3(o->nx[k.face], o->ny[k.face], o->nz[k.face]));
	bool of_b = q != a;
	int32_t code = 1 + k.face + (of_b ? a->shape->faces : 0);
	set_point(out, a, code, of_b ? n : v3_neg(n), v3_mul(1 / (real)k.count, k.sum), k.depth);
	return true;
}

static void by_algorithm_1(const placed *a, const placed *b, bool printed, patch *out)
{
	out->points = out->axis = 0;
	real apart = v3_norm(v3_sub(b->at, a->at)) - a->size * a->shape->radius - b->size * b->shape->radius;
	out->depth = -apart;
	if (apart > 0 || type_1(a, b, a, out) || type_1(b, a, a, out)) return;
	govender2015_cross cross = crossing_edges(a, b, printed);
	if (cross.depth < INFINITY) set_point(out, a, 1 + a->shape->faces + b->shape->faces, cross.n, cross.p, cross.depth);
}

void scree_govender2015_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
{
	(void)hint;
	by_algorithm_1(a, b, false, out);
}

void scree_govender2015_convex_convex_printed(const placed *a, const placed *b, int32_t hint, patch *out)
{
	(void)hint;
	by_algorithm_1(a, b, true, out);
}
