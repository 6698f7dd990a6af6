/* convex_convex: contact between two convex polyhedra, found with separating axes (docs/theory/convex.md).
 *
 * The separation along an axis n from a to b is s = min over b of n.v - max over a of n.v. Candidates are the face
 * normals of both bodies and the cross products of edges that form a face of the Minkowski difference (arc test on the
 * Gauss map: Gregorius, "The separating axis test between convex polyhedra", 2013). One axis with s > 0 proves that the
 * bodies are apart. Otherwise the axis with the largest s (smallest penetration) is the normal.
 *
 * Any point x of b gives a bound on s: s(n) <= n.x - max over a of n.v. If x is the vertex of b deepest in a, the bound
 * excludes nearly all faces of a. The bound also excludes all edges of a between two excluded faces: along the arc
 * between two normals, the bound does not exceed the values at both ends if these are negative. Stacked cubes need two
 * support functions and no edges.
 *
 * The result depends only on the two poses. The hint can only prove, with a margin for rounding, that the bodies are
 * apart. Data kept for a pair are used only if a new search would certainly find the same data (convex_keep.c). A
 * candidate is skipped only if a bound proves that this candidate cannot be chosen. */
#include "narrow/solid/convex_pair.h"

#include "base/memory.h"

/* number of faces of both bodies whose bounds fit on the stack; for more, memory is allocated */
enum { ROOM = 256 };

/* rounding error of a separation after a few operations, relative to scale */
static const real ROUNDING = 1e-12;
/* square of the sine below which edges count as parallel; the axis of parallel edges could at best tie with a face */
static const real PARALLEL = 1e-16;

/* Returns the first vertex where n.v has this minimum. */
SCREE_FN vec3 vertex_at(const shape *s, vec3 n, real low)
{
	int32_t k = 0;
	while (k + 1 < s->vertices && n.x * s->vx[k] + n.y * s->vy[k] + n.z * s->vz[k] != low) ++k;
	return shape_vertex(s, k);
}

static void keep(convex_axis *best, real s, int64_t code, vec3 n)
{
	if (s > best->s || (s == best->s && code < best->code)) *best = (convex_axis){s, code, n};
}

/* ------------------------------------------------------------------ faces */

/* Finds the front face, above which the other body's centre is highest, and returns the separation along its normal. If
 * the separation is not positive, also finds the heights of the other body's deepest vertex above all faces. */
SCREE_FN real look(convex_view *v)
{
	convex_heights(v->self, v->size, v->at, v->middle);
	int32_t front = 0;
	real top = v->middle[0];
	for (int32_t f = 1; f < v->self->faces; ++f) {
		bool more = v->middle[f] > top;
		top = more ? v->middle[f] : top;
		front = more ? f : front;
	}
	v->front = front;
	vec3 m = mat3_tmul(v->turn, shape_normal(v->self, front));
	real low = convex_lowest(v->other, m), s = v->middle[front] + v->other_size * low;
	if (s > 0) return s;
	vec3 x = v3_madd(v->at, v->other_size, mat3_mul(v->turn, vertex_at(v->other, m, low)));
	convex_heights(v->self, v->size, x, v->deepest);
	return s;
}

static vec3 face_axis(const convex_pair *c, bool of_b, int32_t f)
{
	return of_b ? v3_neg(mat3_mul(c->turn, shape_normal(c->b, f))) : shape_normal(c->a, f);
}

/* Tests other faces whose bounds allow a larger separation. */
static void other_faces(const convex_pair *c, const convex_view *v, bool of_b, convex_axis *best)
{
	real margin = ROUNDING * c->scale;
	for (int32_t f = 0; f < v->self->faces && !(best->s > 0); ++f) {
		real least = best->s - margin;
		if (v->deepest[f] < least || v->middle[f] - v->ball < least || f == v->front) continue;
		keep(best, convex_face_separation(v, f, v->middle[f]), 1 + f + (of_b ? c->a->faces : 0), face_axis(c, of_b, f));
	}
}

/* Finds the largest separation along the face normals of both bodies, or any positive separation, which proves that the
 * bodies are apart. */
static void faces(const convex_pair *c, convex_view *a, convex_view *b, convex_axis *best)
{
	real s = look(a);
	keep(best, s, 1 + a->front, face_axis(c, false, a->front));
	if (s > 0) return;
	s = look(b);
	keep(best, s, 1 + c->a->faces + b->front, face_axis(c, true, b->front));
	if (s > 0) return;
	other_faces(c, a, false, best);
	other_faces(c, b, true, best);
}

/* ------------------------------------------------------------------ edges */

enum { EDGES_AT_ONCE = 32 };

/* Several edges of b as arrays, in a's frame: directions (not normalized) and negated normals of the edges' faces. */
typedef struct edge_block {
	int32_t count;
	int32_t index[EDGES_AT_ONCE];
	real ux[EDGES_AT_ONCE], uy[EDGES_AT_ONCE], uz[EDGES_AT_ONCE];
	real lx[EDGES_AT_ONCE], ly[EDGES_AT_ONCE], lz[EDGES_AT_ONCE];
	real rx[EDGES_AT_ONCE], ry[EDGES_AT_ONCE], rz[EDGES_AT_ONCE];
} edge_block;

/* Marks, for each face, which of the two bounds allow an axis on the arc of one of the face's edges. Returns false if
 * there are no such faces. If the bounds at the ends of an arc are not positive, both bounds are largest at an end,
 * since a maximum inside would be positive. */
static bool mark_faces(const convex_view *v, real least, uint8_t *mark)
{
	real least_middle = real_min(least + v->ball, 0), least_deepest = real_min(least, 0);
	const real *middle = v->middle, *deepest = v->deepest;
	int32_t any = 0;
	for (int32_t f = 0; f < v->self->faces; ++f) {
		mark[f] = (uint8_t)((deepest[f] > least_deepest) | (middle[f] > least_middle) << 1);
		any |= mark[f];
	}
	return any == 3;
}

/* Lists the next edges, starting at *from, that both bounds allow. */
static int32_t next_edges(const shape *s, const uint8_t *mark, int32_t *from, int32_t *index)
{
	int32_t count = 0, e = *from;
	for (; e < s->edges && count < EDGES_AT_ONCE; ++e) {
		index[count] = e; /* without a branch: every edge is stored, but counted only if allowed */
		count += (mark[s->sides[2 * e]] | mark[s->sides[2 * e + 1]]) == 3;
	}
	*from = e;
	return count;
}

static void fill_block(const convex_pair *c, edge_block *out)
{
	const shape *b = c->b;
	for (int32_t k = 0; k < out->count; ++k) {
		int32_t e = out->index[k];
		vec3 u = mat3_mul(c->turn, convex_edge(b, e));
		vec3 l = mat3_mul(c->turn, shape_normal(b, b->sides[2 * e])),
			 r = mat3_mul(c->turn, shape_normal(b, b->sides[2 * e + 1]));
		out->ux[k] = u.x, out->uy[k] = u.y, out->uz[k] = u.z;
		out->lx[k] = -l.x, out->ly[k] = -l.y, out->lz[k] = -l.z;
		out->rx[k] = -r.x, out->ry[k] = -r.y, out->rz[k] = -r.z;
	}
}

/* Sets hit[k] if the arcs of this edge of a and edge k of the block cross, so that both edges form a face of the
 * Minkowski difference. The pole of an arc is in the direction of the arc's edge, on the same side for both edges. */
static void arcs_cross(const convex_pair *c, int32_t e, const edge_block *b, int32_t *hit)
{
	const shape *a = c->a;
	vec3 u = convex_edge(a, e), l = shape_normal(a, a->sides[2 * e]), r = shape_normal(a, a->sides[2 * e + 1]);
	int32_t count = b->count;
#pragma omp simd
	for (int32_t k = 0; k < count; ++k) {
		real cba = u.x * b->lx[k] + u.y * b->ly[k] + u.z * b->lz[k],
			 dba = u.x * b->rx[k] + u.y * b->ry[k] + u.z * b->rz[k];
		real adc = l.x * b->ux[k] + l.y * b->uy[k] + l.z * b->uz[k],
			 bdc = r.x * b->ux[k] + r.y * b->uy[k] + r.z * b->uz[k];
		hit[k] = (cba * dba < 0) & (adc * bdc < 0) & (cba * bdc > 0);
	}
}

/* Finds the unit axis perpendicular to an edge of each body, from a to b; returns false if the edges are parallel. */
static bool edge_axis(const convex_pair *c, int32_t ea, vec3 w, vec3 *n)
{
	vec3 u = convex_edge(c->a, ea), x = v3_cross(u, w);
	real x2 = v3_norm2(x);
	if (!(x2 > PARALLEL * v3_norm2(u) * v3_norm2(w))) return false;
	vec3 out = v3_add(shape_normal(c->a, c->a->sides[2 * ea]), shape_normal(c->a, c->a->sides[2 * ea + 1]));
	*n = v3_mul((v3_dot(x, out) < 0 ? -1 : 1) / sqrt(x2), x);
	return true;
}

/* Returns the separation along n, the axis perpendicular to these edges. */
SCREE_FN real edge_separation(const convex_pair *c, int32_t ea, int32_t eb, vec3 n)
{
	return v3_dot(n, v3_sub(convex_edge_start_b(c, eb), convex_edge_start_a(c, ea)));
}

/* Tests whether the bodies' outermost points along an axis are on the two edges that define the axis. If edges are
 * nearly parallel, or not exactly in the planes of their faces, arcs may appear to cross beyond their ends. */
static bool is_outermost(const convex_pair *c, const convex_axis *axis)
{
	real low = v3_dot(axis->n, c->apart) + c->sb * convex_lowest(c->b, mat3_tmul(c->turn, axis->n));
	return low + c->sa * convex_lowest(c->a, v3_neg(axis->n)) >= axis->s - ROUNDING * c->scale;
}

/* Keeps the best axis perpendicular to edge ea and an edge of a block. sure: accepts an axis only if its edges are
 * outermost */
static void try_edges(const convex_pair *c, int32_t ea, const edge_block *b, bool sure, convex_axis *best)
{
	int32_t hit[EDGES_AT_ONCE];
	arcs_cross(c, ea, b, hit);
	for (int32_t k = 0; k < b->count; ++k) {
		vec3 n;
		if (!hit[k] || !edge_axis(c, ea, v3(b->ux[k], b->uy[k], b->uz[k]), &n)) continue;
		int64_t code = 1 + c->a->faces + c->b->faces + (int64_t)ea * c->b->edges + b->index[k];
		const convex_axis axis = {edge_separation(c, ea, b->index[k], n), code, n};
		if (sure && axis.s >= best->s && !is_outermost(c, &axis)) continue;
		keep(best, axis.s, code, n);
	}
}

/* Finds the best pair of edges among the pairs, if any, that beat the best face by more than a tie. mark: one byte for
 * each face; sure: as in try_edges */
static void edges_by(const convex_pair *c, const convex_view *a, const convex_view *b, uint8_t *mark, convex_axis face,
					 bool sure, convex_axis *best)
{
	real least = face.s + (real)0.9 * CONVEX_TIE * c->scale;
	uint8_t *mark_b = mark + c->a->faces;
	if (!mark_faces(a, least, mark) || !mark_faces(b, least, mark_b)) return;
	int32_t index[EDGES_AT_ONCE];
	edge_block block;
	for (int32_t ea = 0; ea < c->a->edges;) {
		int32_t count = next_edges(c->a, mark, &ea, index);
		for (int32_t eb = 0; count && eb < c->b->edges;) {
			block.count = next_edges(c->b, mark_b, &eb, block.index);
			fill_block(c, &block);
			for (int32_t i = 0; i < count; ++i) try_edges(c, index[i], &block, sure, best);
		}
	}
}

static const convex_axis NO_AXIS = {-INFINITY, INT64_MAX, {0, 0, 0}};

static void edge_pairs(const convex_pair *c, const convex_view *a, const convex_view *b, uint8_t *mark,
					   convex_axis face, convex_axis *best)
{
	edges_by(c, a, b, mark, face, false, best);
	if (!(best->s > -INFINITY) || is_outermost(c, best)) return;
	*best = NO_AXIS; /* rare case: repeats the search with the test of outermost points */
	edges_by(c, a, b, mark, face, true, best);
}

/* Returns the separation along the hint's axis, in world axes, or -1 if the hint has no axis. */
static real hinted(const placed *a, const placed *b, int64_t hint)
{
	const shape *p = a->shape, *q = b->shape;
	vec3 r = v3_sub(b->at, a->at);
	int64_t f = hint - 1, g = f - p->faces, pair = g - q->faces;
	if (f < p->faces) {
		vec3 n = mat3_mul(a->turn, shape_normal(p, (int32_t)f));
		return v3_dot(n, r) - a->size * p->off[f] + b->size * convex_lowest(q, mat3_tmul(b->turn, n));
	}
	if (g < q->faces) {
		vec3 n = mat3_mul(b->turn, shape_normal(q, (int32_t)g));
		return a->size * convex_lowest(p, mat3_tmul(a->turn, n)) - v3_dot(n, r) - b->size * q->off[g];
	}
	if (pair >= (int64_t)p->edges * q->edges) return -1;
	vec3 u = mat3_mul(a->turn, convex_edge(p, (int32_t)(pair / q->edges)));
	vec3 w = mat3_mul(b->turn, convex_edge(q, (int32_t)(pair % q->edges))), n = v3_cross(u, w);
	real n2 = v3_norm2(n);
	if (!(n2 > PARALLEL * v3_norm2(u) * v3_norm2(w))) return -1;
	n = v3_mul((v3_dot(n, r) < 0 ? -1 : 1) / sqrt(n2), n);
	return v3_dot(n, r) + b->size * convex_lowest(q, mat3_tmul(b->turn, n)) +
		   a->size * convex_lowest(p, mat3_tmul(a->turn, v3_neg(n)));
}

/* ------------------------------------------------------------------ the patch */

/* Adds the point midway between the closest points of the two edges. */
static void edge_point(const convex_pair *c, const convex_axis *best, real weight, patch *out)
{
	int32_t ea, eb;
	convex_edges_of(c, best->code, &ea, &eb);
	vec3 u = v3_mul(c->sa, convex_edge(c->a, ea)), w = v3_mul(c->sb, mat3_mul(c->turn, convex_edge(c->b, eb)));
	vec3 p = convex_edge_start_a(c, ea), q = convex_edge_start_b(c, eb);
	real s, t;
	convex_closest(u, w, v3_sub(p, q), &s, &t);
	s = real_clamp(s, 0, 1);
	t = real_clamp(t, 0, 1);
	vec3 middle = v3_mul((real)0.5, v3_add(v3_madd(p, s, u), v3_madd(q, t, w)));
	out->at[out->points] = mat3_mul(c->at_a->turn, middle);
	out->deep[out->points] = -best->s;
	out->weight[out->points++] = weight;
}

/* If a touch has no area due to rounding, adds the deepest vertex as the only point. */
static void vertex_point(const convex_pair *c, const convex_axis *face, patch *out)
{
	bool of_a = face->code <= c->a->faces;
	const placed *o = of_a ? c->at_b : c->at_a;
	vec3 n = mat3_mul(c->at_a->turn, of_a ? face->n : v3_neg(face->n)), m = mat3_tmul(o->turn, n);
	vec3 v = mat3_mul(o->turn, v3_mul(o->size, vertex_at(o->shape, m, convex_lowest(o->shape, m))));
	if (of_a) v = v3_add(v, v3_sub(o->at, c->at_a->at));
	out->points = 1;
	out->arm = 0;
	out->at[0] = v3_madd(v, -face->s / 2, n);
	out->deep[0] = -face->s;
	out->weight[0] = 1;
}

/* Returns the degree to which an edge axis replaces the deeper face axis: 0 in a tie, so that two almost parallel faces
 * do not alternate between a patch and one point; more if the patch is small compared with the square of the overlap;
 * and 1 for any patch if the face is twice as deep. */
SCREE_FN real edge_gain(real face, real edges) { return (edges - face) / -face; /* both are negative */ }
static const real ALL = 0.5;

static real edge_share(real face, real gain, real area)
{
	real small = face * face / (face * face + area), x = 2 * gain;
	return x * (small + x * x * (1 - small));
}

/* Transfers the edges' share from the face's points to the point of the edges. */
static void take_share(const convex_pair *c, const convex_axis *edges, real share, patch *out)
{
	if (!(share < 1)) out->points = 0;
	for (int32_t i = 0; i < out->points; ++i) {
		out->weight[i] *= 1 - share;
		out->deep[i] = real_min(out->deep[i], -edges->s);
	}
	out->arm = share < 1 ? (1 - share) * out->arm : 0; /* crossing edges have no lever arm */
	if (share > 0) edge_point(c, edges, share, out);
}

static void find_patch(const convex_pair *c, const convex_axis *face, const convex_axis *edges, patch *out)
{
	bool edge = edges->s > face->s + CONVEX_TIE * c->scale;
	vec3 n = face->n;
	real gain = edge ? edge_gain(face->s, edges->s) : 0;
	real area = gain < ALL ? scree_convex_face_patch(c, face, out) : 0; /* 0 if the edges carry the whole force */
	if (edge) {
		real share = gain < ALL && area > 0 ? edge_share(face->s, gain, area) : 1;
		take_share(c, edges, share, out);
		n = v3_unit(v3_madd(v3_mul(1 - share, n), share, edges->n));
	} else if (!out->points) {
		vertex_point(c, face, out);
	}
	out->normal = mat3_mul(c->at_a->turn, v3_neg(n)); /* from b to a */
	out->depth = edge ? -edges->s : -face->s;
}

static int32_t code_of(int64_t code) { return code <= INT32_MAX ? (int32_t)code : 0; }

/* Returns the code of a touching pair's axis, which is negative because it is not a hint. */
static int32_t touching_code(const convex_axis *face, const convex_axis *edges)
{
	return -code_of(edges->s > face->s ? edges->code : face->code);
}

static convex_axis kept_face(const convex_pair *c, int64_t code)
{
	int32_t f = (int32_t)(code - 1);
	bool of_a = f < c->a->faces;
	const shape *self = of_a ? c->a : c->b;
	f -= of_a ? 0 : c->a->faces;
	convex_view v = {.self = self, .size = of_a ? c->sa : c->sb, .at = of_a ? c->apart : c->apart_b};
	v.other = of_a ? c->b : c->a;
	v.other_size = of_a ? c->sb : c->sa;
	v.turn = of_a ? c->turn : mat3_transposed(c->turn);
	real s = convex_face_separation(&v, f, convex_height(self, v.size, f, v.at));
	return (convex_axis){s, code, face_axis(c, !of_a, f)};
}

/* Computes the patch from the kept face and edges, if a new search would certainly find the same face and edges.
 * Returns false if the bodies barely touch. */
static bool look_at_kept(const convex_pair *c, pair_kept *kept, patch *out)
{
	convex_axis face = kept_face(c, kept->face), edges = NO_AXIS;
	if (kept->edges) {
		int32_t ea, eb;
		edges.code = kept->edges;
		convex_edges_of(c, edges.code, &ea, &eb);
		if (!edge_axis(c, ea, mat3_mul(c->turn, convex_edge(c->b, eb)), &edges.n)) return false;
		edges.s = edge_separation(c, ea, eb, edges.n);
	}
	if (!((kept->edges ? edges.s : face.s) < -CONVEX_TIE * c->scale)) return false;
	find_patch(c, &face, &edges, out);
	out->axis = touching_code(&face, &edges);
	if (kept->held < UINT8_MAX) ++kept->held;
	return true;
}

/* ------------------------------------------------------------------ the whole search */

/* Sets depth and axis, and also points if there is contact. room: three numbers per face; kept: may be NULL */
static void separate(const convex_pair *c, real *room, uint8_t *waited, pair_kept *kept, patch *out)
{
	int32_t na = c->a->faces, nb = c->b->faces;
	convex_view a = {c->a, c->b, c->sa, c->sb, c->apart, c->turn, c->sb * c->b->inradius, 0, room, room + na};
	mat3 back = mat3_transposed(c->turn);
	convex_view b = {
		c->b, c->a, c->sb, c->sa, c->apart_b, back, c->sa * c->a->inradius, 0, room + 2 * na, room + 2 * na + nb};
	uint8_t *mark = (uint8_t *)(room + 2 * (na + nb));
	convex_axis face = NO_AXIS, edges = NO_AXIS;
	faces(c, &a, &b, &face);
	if (!(face.s > 0)) edge_pairs(c, &a, &b, mark, face, &edges);
	bool edge = edges.s > face.s;
	out->axis = code_of(edge ? edges.code : face.code);
	out->depth = edge ? -edges.s : -face.s;
	if (!(out->depth > 0)) return;
	if (kept) scree_convex_keep(c, &a, &b, &face, &edges, waited, kept);
	find_patch(c, &face, &edges, out);
	out->axis = touching_code(&face, &edges);
}

void scree_convex_kept(const placed *a, const placed *b, int32_t hint, uint8_t *waited, pair_kept *kept, patch *out)
{
	real scale = real_max(a->size * a->shape->radius, b->size * b->shape->radius);
	out->points = 0;
	if (hint > 0) {
		real s = hinted(a, b, hint);
		if (s > ROUNDING * scale) {
			out->axis = hint;
			out->depth = -s;
			return;
		}
	}
	convex_pair c = convex_pair_of(a, b);
	c.apart_b = v3_neg(mat3_tmul(b->turn, v3_sub(b->at, a->at)));
	bool known = kept && *waited == PAIR_IS_KEPT;
	if (known && scree_convex_holds(&c, kept) && look_at_kept(&c, kept, out)) return;
	real small[ROOM], *room = small;
	int32_t need = 3 * (a->shape->faces + b->shape->faces);
	if (need > ROOM) room = scree_alloc((size_t)need, sizeof *room);
	separate(&c, room, waited, kept, out);
	if (need > ROOM) scree_free(room);
}

void scree_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
{
	scree_convex_kept(a, b, hint, NULL, NULL, out);
}
