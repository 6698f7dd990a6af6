/* convex_convex: finds the contact between two convex polyhedra of any size with separating axes, vectorized over faces
 * and edges (kernel/separating_axis.h, docs/theory/convex.md).
 *
 * The result depends only on the two poses. The hint can only prove, with a margin for rounding, that the bodies are
 * apart. Data kept for a pair are used only if a new search would certainly give the same result (convex_keep.c). */
#include "narrow/solid/convex_pair.h"

#include "base/memory.h"
#include "kernel/face_patch.h"

/* number of faces of both bodies whose bounds fit on the stack; for more, memory is allocated */
enum { ROOM = 256 };

/* Tests the front face of a body as in kernel/separating_axis.h, with the heights above all faces. */
SCREE_FN bool front_face(const convex_pair *c, convex_view *v, bool of_b, convex_axis *best)
{
	convex_heights(v->self, v->size, v->at, v->middle);
	if (convex_front_face(c, v, of_b, best)) return true;
	convex_heights(v->self, v->size, v->deep, v->deepest);
	return false;
}

/* A function of its own, because settled cubes are 1 % slower if both calls are expanded. */
static void other_faces(const convex_pair *c, const convex_view *v, bool of_b, convex_axis *best)
{
	convex_other_faces(c, v, of_b, best);
}

/* The largest separation along face normals, or any positive one, which proves that the bodies are apart. */
static void faces(const convex_pair *c, convex_view *a, convex_view *b, convex_axis *best)
{
	if (front_face(c, a, false, best) || front_face(c, b, true, best)) return;
	other_faces(c, a, false, best);
	other_faces(c, b, true, best);
}

enum { EDGES_AT_ONCE = 32 };

/* Several edges of b as arrays, in a's frame: directions (not normalized) and negated normals of the edges' faces. */
typedef struct edge_block {
	int32_t count;
	int32_t index[EDGES_AT_ONCE];
	real ux[EDGES_AT_ONCE], uy[EDGES_AT_ONCE], uz[EDGES_AT_ONCE];
	real lx[EDGES_AT_ONCE], ly[EDGES_AT_ONCE], lz[EDGES_AT_ONCE];
	real rx[EDGES_AT_ONCE], ry[EDGES_AT_ONCE], rz[EDGES_AT_ONCE];
} edge_block;

/* Marks each face. Returns false if no edge axis is possible. */
static bool mark_faces(const convex_view *v, real least, uint8_t *mark)
{
	const convex_marks bounds = convex_marks_of(v, least);
	const real *middle = v->middle, *deepest = v->deepest;
	int32_t any = 0;
	for (int32_t f = 0; f < v->self->faces; ++f) {
		mark[f] = (uint8_t)convex_mark(bounds, deepest[f], middle[f]);
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

/* Sets hit[k] if the arcs of this edge of a and edge k of the block cross. */
static void arcs_cross(const convex_pair *c, int32_t e, const edge_block *b, int32_t *hit)
{
	const shape *a = c->a;
	vec3 u = convex_edge(a, e), l = shape_normal(a, a->sides[2 * e]), r = shape_normal(a, a->sides[2 * e + 1]);
	int32_t count = b->count;
#pragma omp simd
	for (int32_t k = 0; k < count; ++k)
		hit[k] = convex_arcs_cross(u, l, r, v3(b->ux[k], b->uy[k], b->uz[k]), v3(b->lx[k], b->ly[k], b->lz[k]),
								   v3(b->rx[k], b->ry[k], b->rz[k]));
}

/* Keeps the best axis perpendicular to edge ea and an edge of a block. sure: as in convex_try_edges */
static void try_edges(const convex_pair *c, int32_t ea, const edge_block *b, bool sure, convex_axis *best)
{
	int32_t hit[EDGES_AT_ONCE];
	arcs_cross(c, ea, b, hit);
	for (int32_t k = 0; k < b->count; ++k)
		if (hit[k]) convex_try_edges(c, ea, b->index[k], v3(b->ux[k], b->uy[k], b->uz[k]), sure, best);
}

/* Finds the best pair of edges among the pairs, if any, that beat the best face by more than a tie. mark: one byte for
 * each face; sure: as in convex_try_edges */
static void edges_by(const convex_pair *c, const convex_view *a, const convex_view *b, uint8_t *mark, convex_axis face,
					 bool sure, convex_axis *best)
{
	real least = convex_least_of_edges(c, face.s);
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

static void edge_pairs(const convex_pair *c, const convex_view *a, const convex_view *b, uint8_t *mark,
					   convex_axis face, convex_axis *best)
{
	edges_by(c, a, b, mark, face, false, best);
	if (!(best->s > -INFINITY) || convex_is_outermost(c, best)) return;
	*best = convex_no_axis(); /* rare case: repeats the search with the test of outermost points */
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
	if (!(n2 > AXIS_PARALLEL * v3_norm2(u) * v3_norm2(w))) return -1;
	n = v3_mul((v3_dot(n, r) < 0 ? -1 : 1) / sqrt(n2), n);
	return v3_dot(n, r) + b->size * convex_lowest(q, mat3_tmul(b->turn, n)) +
		   a->size * convex_lowest(p, mat3_tmul(a->turn, v3_neg(n)));
}

static void find_patch(const convex_pair *c, const convex_axis *face, const convex_axis *edges, patch *out)
{
	const real gain = convex_edge_gain(c, face, edges);
	const real area = gain < CONVEX_ALL ? scree_convex_face_patch(c, face, out) : 0;
	convex_complete(c, face, edges, gain, area, out);
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
	f -= of_a ? 0 : c->a->faces;
	convex_view v;
	convex_look_from(c, !of_a, &v);
	real s = convex_face_separation(&v, f, convex_height(v.self, v.size, f, v.at));
	return (convex_axis){s, code, convex_face_axis(c, !of_a, f)};
}

/* Uses the kept face and edges if a new search would certainly find them. Returns false if the bodies barely touch. */
static bool look_at_kept(const convex_pair *c, pair_kept *kept, patch *out)
{
	convex_axis face = kept_face(c, kept->face), edges = convex_no_axis();
	if (kept->edges) {
		int32_t ea, eb;
		edges.code = kept->edges;
		convex_edges_of(c, edges.code, &ea, &eb);
		if (!convex_edge_axis(c, ea, mat3_mul(c->turn, convex_edge(c->b, eb)), &edges.n)) return false;
		edges.s = convex_edge_separation(c, ea, eb, edges.n);
	}
	if (!((kept->edges ? edges.s : face.s) < -CONVEX_TIE * c->scale)) return false;
	find_patch(c, &face, &edges, out);
	out->axis = touching_code(&face, &edges);
	if (kept->held < UINT8_MAX) ++kept->held;
	return true;
}

/* Sets depth and axis, and also points if there is contact. room: three numbers per face; kept: may be NULL */
static void separate(const convex_pair *c, real *room, uint8_t *waited, pair_kept *kept, patch *out)
{
	int32_t na = c->a->faces, nb = c->b->faces;
	convex_view a, b;
	convex_look_from(c, false, &a);
	convex_look_from(c, true, &b);
	a.middle = room, a.deepest = room + na;
	b.middle = room + 2 * na, b.deepest = b.middle + nb;
	uint8_t *mark = (uint8_t *)(room + 2 * (na + nb));
	convex_axis face = convex_no_axis(), edges = convex_no_axis();
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
		if (s > AXIS_ROUNDING * scale) {
			out->axis = hint;
			out->depth = -s;
			return;
		}
	}
	convex_pair c = convex_pair_of(a, b);
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
