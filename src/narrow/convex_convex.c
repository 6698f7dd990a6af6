/* convex_convex: contact of two convex polyhedra by separating axes (docs/theory/convex.md).
 *
 * The separation along an axis n from a to b is s = min over b of n.v - max over a of n.v. Candidates are the face normals of both bodies and
 * the cross products of edges that form a face of the Minkowski difference (arc test on the Gauss map: Gregorius, "The separating
 * axis test between convex polyhedra", 2013). One s > 0 proves that the bodies are apart; else the axis of the largest s, the least
 * penetration, is the normal, and the incident face clipped by the reference face gives the patch.
 *
 * Everything is computed in the frame of a. The result is a function of the two poses alone: the hint only changes the order, and a
 * candidate is skipped only where a bound proves that it can be neither separating nor the largest. */
#include "narrow/narrow.h"

#include "narrow/patch_polygon.h"

enum { CACHED = 64 };

/* b in the frame of a */
typedef struct couple {
	const shape *a, *b;
	real sa, sb;      /* sizes */
	mat3 turn;        /* b's frame to a's */
	vec3 apart;       /* centre of b */
	vec3 apart_b;     /* centre of a in b's frame */
	real scale;       /* of lengths, for tolerances */
	real reach_a[CACHED], reach_b[CACHED]; /* outward normal . centre of the other, of the first faces */
} couple;

/* The best axis so far, its code as in the hint: 1 + face of a, then faces of b, then edge pairs. */
typedef struct best_axis {
	real s;
	int32_t code;
	vec3 n;           /* from a to b, a's frame */
} best_axis;

static vec3 normal_of(const shape *s, int32_t f) { return v3(s->nx[f], s->ny[f], s->nz[f]); }
static vec3 vertex_of(const shape *s, int32_t v) { return v3(s->vx[v], s->vy[v], s->vz[v]); }

/* n.apart for all faces, in the body's own frame */
static void reaches(const shape *s, vec3 apart, real *reach)
{
	int32_t count = s->faces < CACHED ? s->faces : CACHED;
#pragma omp simd
	for (int32_t f = 0; f < count; ++f) reach[f] = s->nx[f] * apart.x + s->ny[f] * apart.y + s->nz[f] * apart.z;
}

static real reach_of(const shape *s, vec3 apart, const real *reach, int32_t f)
{
	return f < CACHED ? reach[f] : s->nx[f] * apart.x + s->ny[f] * apart.y + s->nz[f] * apart.z;
}

/* min over the unit shape's vertices of n.v */
static real lowest(const shape *s, vec3 n)
{
	real low = INFINITY;
	const real *x = s->vx, *y = s->vy, *z = s->vz;
#pragma omp simd reduction(min : low)
	for (int32_t k = 0; k < s->padded; ++k) {
		real d = n.x * x[k] + n.y * y[k] + n.z * z[k];
		low = d < low ? d : low;
	}
	return low;
}

static real face_of_a(const couple *c, int32_t f)
{
	vec3 n = normal_of(c->a, f);
	return reach_of(c->a, c->apart, c->reach_a, f) - c->sa * c->a->off[f] + c->sb * lowest(c->b, mat3_tmul(c->turn, n));
}

/* turned: the normal of b's face in a's frame, outward from b */
static real face_of_b(const couple *c, int32_t f, vec3 turned)
{
	return reach_of(c->b, c->apart_b, c->reach_b, f) - c->sb * c->b->off[f] + c->sa * lowest(c->a, turned);
}

static void keep(best_axis *best, real s, int32_t code, vec3 n)
{
	if (s > best->s || (s == best->s && code < best->code)) *best = (best_axis){s, code, n};
}

/* A candidate cannot reach the best axis when even the balls inside the bodies are deeper along it. */
static bool hopeless(const couple *c, real bound, real s) { return bound < s - (real)1e-12 * c->scale; }

/* true: separated */
static bool faces(const couple *c, best_axis *best)
{
	real ball_a = c->sa * c->a->inradius, ball_b = c->sb * c->b->inradius;
	for (int32_t f = 0; f < c->a->faces; ++f) {
		if (hopeless(c, reach_of(c->a, c->apart, c->reach_a, f) - c->sa * c->a->off[f] - ball_b, best->s)) continue;
		keep(best, face_of_a(c, f), 1 + f, normal_of(c->a, f));
		if (best->s > 0) return true;
	}
	for (int32_t f = 0; f < c->b->faces; ++f) {
		if (hopeless(c, reach_of(c->b, c->apart_b, c->reach_b, f) - c->sb * c->b->off[f] - ball_a, best->s)) continue;
		vec3 n = mat3_mul(c->turn, normal_of(c->b, f));
		keep(best, face_of_b(c, f, n), 1 + c->a->faces + f, v3_neg(n));
		if (best->s > 0) return true;
	}
	return false;
}

/* ------------------------------------------------------------------ edges */

/* What is needed of an edge whose arc on the Gauss map comes near enough to the line of centres: a's frame, b's normals negated. */
typedef struct edge {
	vec3 along, at;         /* direction (not unit), one end */
	vec3 left, right, pole; /* normals of its faces; right x left, the pole of their arc */
	int32_t index;
} edge;

enum { EDGES_AT_ONCE = 64 };

/* The longest n.apart across the edge is that of apart's part across it, where that lies between the two normals: at least `least`? */
static bool arc_reaches(vec3 along, vec3 left, vec3 right, vec3 apart, real least)
{
	if (least <= 0) return true; /* hardly ever: centres almost coincide */
	real d = v3_dot(apart, along), e2 = v3_norm2(along);
	if (v3_norm2(apart) * e2 - d * d < (real)0.999999999999 * least * least * e2) return false;
	vec3 across = v3_sub(v3_mul(e2, apart), v3_mul(d, along)), turn = v3_cross(left, right);
	return v3_dot(v3_cross(left, across), turn) >= 0 && v3_dot(v3_cross(across, right), turn) >= 0;
}

/* The next edges, from *from on, that can give an axis along which `apart` reaches at least this far. */
static int32_t edges_near(const couple *c, bool of_b, real least, int32_t *from, edge *out)
{
	const shape *o = of_b ? c->b : c->a;
	int32_t count = 0;
	/* each body is looked at in its own frame first: most edges are dropped there; b's outward normals point against n */
	vec3 apart = of_b ? c->apart_b : c->apart;
	const real *reach = of_b ? c->reach_b : c->reach_a;
	for (int32_t e = *from; e < o->edges && count < EDGES_AT_ONCE; ++e) {
		*from = e + 1;
		int32_t l = o->sides[2 * e], r = o->sides[2 * e + 1];
		bool ends = reach_of(o, apart, reach, l) >= least || reach_of(o, apart, reach, r) >= least;
		vec3 left = normal_of(o, l), right = normal_of(o, r);
		vec3 v0 = vertex_of(o, o->ends[2 * e]), along = v3_sub(vertex_of(o, o->ends[2 * e + 1]), v0);
		if (!ends && !arc_reaches(along, left, right, apart, least)) continue;
		edge *k = out + count++;
		k->index = e;
		if (of_b) {
			k->along = mat3_mul(c->turn, along);
			k->at = v3_add(mat3_mul(c->turn, v3_mul(c->sb, v0)), c->apart);
			k->left = v3_neg(mat3_mul(c->turn, left));
			k->right = v3_neg(mat3_mul(c->turn, right));
		} else {
			k->along = along;
			k->at = v3_mul(c->sa, v0);
			k->left = left;
			k->right = right;
		}
		k->pole = v3_cross(k->right, k->left);
	}
	return count;
}

/* Do the arcs cross? Then the two edges form a face of the Minkowski difference. */
static bool arcs_cross(const edge *a, const edge *b)
{
	real cba = v3_dot(b->left, a->pole), dba = v3_dot(b->right, a->pole);
	if (!(cba * dba < 0)) return false;
	real adc = v3_dot(a->left, b->pole), bdc = v3_dot(a->right, b->pole);
	return adc * bdc < 0 && cba * bdc > 0;
}

/* the unit axis across both edges, from a to b; false when they are parallel */
static bool edge_axis(const edge *a, const edge *b, vec3 *n)
{
	vec3 x = v3_cross(a->along, b->along);
	real x2 = v3_norm2(x);
	if (x2 <= (real)1e-20 * v3_norm2(a->along) * v3_norm2(b->along)) return false;
	x = v3_mul(1 / sqrt(x2), x);
	/* outward of a: on the side of its faces */
	*n = v3_dot(x, v3_add(a->left, a->right)) < 0 ? v3_neg(x) : x;
	return true;
}

typedef struct edge_contact {
	edge a, b;
} edge_contact;

/* the best of some edges of a with some of b */
static void pair_edges(const couple *c, const edge *ea, int32_t na, const edge *eb, int32_t nb, best_axis *best, edge_contact *pair)
{
	int32_t first = 1 + c->a->faces + c->b->faces;
	for (int32_t i = 0; i < na; ++i) {
		for (int32_t k = 0; k < nb; ++k) {
			vec3 n;
			if (!arcs_cross(ea + i, eb + k) || !edge_axis(ea + i, eb + k, &n)) continue;
			int32_t code = first + ea[i].index * c->b->edges + eb[k].index;
			keep(best, v3_dot(n, v3_sub(eb[k].at, ea[i].at)), code, n);
			if (best->code == code) *pair = (edge_contact){ea[i], eb[k]};
		}
	}
}

/* The best pair of edges that can beat the best face. True: separated. */
static bool edge_pairs(const couple *c, real face, best_axis *best, edge_contact *pair)
{
	/* an axis n has s <= n.apart - both balls */
	real least = face + c->sa * c->a->inradius + c->sb * c->b->inradius - (real)1e-12 * c->scale;
	edge ea[EDGES_AT_ONCE], eb[EDGES_AT_ONCE];
	best_axis edges = {-INFINITY, INT32_MAX, {0, 0, 0}};
	for (int32_t a = 0; a < c->a->edges;) {
		int32_t na = edges_near(c, false, least, &a, ea);
		for (int32_t b = 0; na && b < c->b->edges;) {
			int32_t nb = edges_near(c, true, least, &b, eb);
			pair_edges(c, ea, na, eb, nb, &edges, pair);
		}
	}
	*best = edges;
	return edges.s > 0;
}

/* ------------------------------------------------------------------ the patch */

/* one more point: midway between the closest points of the two lines */
static void edge_patch(const couple *c, const best_axis *best, const edge_contact *p, patch *out)
{
	vec3 u = v3_mul(c->sa, p->a.along), w = v3_mul(c->sb, p->b.along), d = v3_sub(p->a.at, p->b.at);
	real uu = v3_norm2(u), ww = v3_norm2(w), uw = v3_dot(u, w), ud = v3_dot(u, d), wd = v3_dot(w, d);
	real den = uu * ww - uw * uw; /* > 0: the axis was valid */
	real s = real_clamp((uw * wd - ww * ud) / den, 0, 1), t = real_clamp((uu * wd - uw * ud) / den, 0, 1);
	vec3 pa = v3_madd(p->a.at, s, u), pb = v3_madd(p->b.at, t, w);
	out->at[out->points] = v3_mul((real)0.5, v3_add(pa, pb));
	out->deep[out->points] = -best->s;
	out->weight[out->points++] = 1;
}

/* the face of the other body that looks most against n (in that body's frame) */
static int32_t incident_face(const shape *s, vec3 n)
{
	int32_t best = 0;
	real low = INFINITY;
	for (int32_t f = 0; f < s->faces; ++f) {
		real d = n.x * s->nx[f] + n.y * s->ny[f] + n.z * s->nz[f];
		if (d < low) low = d, best = f;
	}
	return best;
}

static void face_patch(const couple *c, const best_axis *best, patch *out)
{
	bool of_a = best->code <= c->a->faces;
	int32_t f = best->code - 1 - (of_a ? 0 : c->a->faces);
	const shape *ref = of_a ? c->a : c->b, *inc = of_a ? c->b : c->a;
	real ref_size = of_a ? c->sa : c->sb, inc_size = of_a ? c->sb : c->sa;
	/* the incident body in the frame of the reference body */
	mat3 turn = c->turn;
	vec3 at = c->apart;
	if (!of_a) {
		at = c->apart_b;
		turn = (mat3){v3(turn.x.x, turn.y.x, turn.z.x), v3(turn.x.y, turn.y.y, turn.z.y), v3(turn.x.z, turn.y.z, turn.z.z)};
	}
	vec3 n = normal_of(ref, f);
	int32_t g = incident_face(inc, mat3_tmul(turn, n));
	patch_polygon poly;
	poly.count = 0;
	for (int32_t k = inc->first[g]; k < inc->first[g + 1]; ++k) {
		vec3 v = v3_add(mat3_mul(turn, v3_mul(inc_size, vertex_of(inc, inc->corner[k]))), at);
		patch_polygon_add(&poly, v, ref_size * ref->off[f] - v3_dot(n, v));
	}
	for (int32_t k = ref->first[f]; k < ref->first[f + 1] && poly.count; ++k) {
		int32_t next = k + 1 < ref->first[f + 1] ? k + 1 : ref->first[f];
		vec3 p = v3_mul(ref_size, vertex_of(ref, ref->corner[k])), q = v3_mul(ref_size, vertex_of(ref, ref->corner[next]));
		vec3 out_of = v3_cross(v3_sub(q, p), n);
		patch_polygon_clip(&poly, out_of, v3_dot(out_of, p));
	}
	patch_polygon_clip_depth(&poly);
	patch_polygon_weights(&poly, n, c->scale, out);
	if (!out->points) { /* rounding left nothing of a touch: the deepest vertex */
		vec3 m = mat3_tmul(turn, n), v = v3(0, 0, 0);
		real low = INFINITY;
		for (int32_t k = 0; k < inc->vertices; ++k) {
			real d = v3_dot(m, vertex_of(inc, k));
			if (d < low) low = d, v = vertex_of(inc, k);
		}
		out->points = 1;
		out->at[0] = v3_madd(v3_add(mat3_mul(turn, v3_mul(inc_size, v)), at), -best->s / 2, n);
		out->deep[0] = -best->s;
		out->weight[0] = 1;
	}
	if (!of_a)
		for (int32_t i = 0; i < out->points; ++i) out->at[i] = v3_add(mat3_mul(c->turn, out->at[i]), c->apart);
}

/* ------------------------------------------------------------------ all together */

/* The hinted axis first. A face starts the search; an edge pair can only prove that the bodies are apart, clearly. */
static bool try_hint(const couple *c, int32_t hint, best_axis *best)
{
	int32_t fa = c->a->faces, fb = c->b->faces;
	if (hint < 1) return false;
	if (hint <= fa) {
		keep(best, face_of_a(c, hint - 1), hint, normal_of(c->a, hint - 1));
		return best->s > 0;
	}
	if (hint <= fa + fb) {
		vec3 n = mat3_mul(c->turn, normal_of(c->b, hint - 1 - fa));
		keep(best, face_of_b(c, hint - 1 - fa, n), hint, v3_neg(n));
		return best->s > 0;
	}
	int64_t pair = (int64_t)hint - 1 - fa - fb;
	if (pair >= (int64_t)c->a->edges * c->b->edges) return false;
	const shape *a = c->a, *b = c->b;
	int32_t i = (int32_t)(pair / b->edges), k = (int32_t)(pair % b->edges);
	vec3 u = v3_sub(vertex_of(a, a->ends[2 * i + 1]), vertex_of(a, a->ends[2 * i]));
	vec3 w = mat3_mul(c->turn, v3_sub(vertex_of(b, b->ends[2 * k + 1]), vertex_of(b, b->ends[2 * k])));
	vec3 n = v3_cross(u, w);
	real n2 = v3_norm2(n);
	if (n2 <= (real)1e-20 * v3_norm2(u) * v3_norm2(w)) return false;
	n = v3_mul((v3_dot(n, c->apart) < 0 ? -1 : 1) / sqrt(n2), n);
	real s = v3_dot(n, c->apart) + c->sb * lowest(b, mat3_tmul(c->turn, n)) + c->sa * lowest(a, v3_neg(n));
	if (!(s > (real)1e-12 * c->scale)) return false;
	*best = (best_axis){s, hint, n};
	return true;
}

/* How far the edge axis takes over from the face axis: 0 at ties, 1 where the edges are clearly shallower. Without this passage, two
 * almost parallel faces would flicker between a patch and one point at a border. */
static real edge_share(real face, real edges, real scale)
{
	if (!(edges > face + (real)1e-9 * scale)) return 0;
	real gain = (edges - face) / -face; /* both are negative */
	return gain < (real)0.5 ? 2 * gain : 1;
}

static void find_patch(const couple *c, const best_axis *face, const best_axis *edges, const edge_contact *pair, patch *out)
{
	real share = edge_share(face->s, edges->s, c->scale);
	vec3 n = face->n;
	if (share < 1) face_patch(c, face, out);
	if (share > 0) {
		for (int32_t i = 0; i < out->points; ++i) {
			out->weight[i] *= 1 - share;
			out->deep[i] = real_min(out->deep[i], -edges->s);
		}
		edge_patch(c, edges, pair, out);
		out->weight[out->points - 1] = share;
		n = share < 1 ? v3_unit(v3_madd(v3_mul(1 - share, n), share, edges->n)) : edges->n;
	}
	out->normal = v3_neg(n); /* from b to a */
	out->depth = share > 0 ? -edges->s : -face->s;
	out->axis = share > 0 ? edges->code : face->code;
}

void scree_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
{
	couple c;
	c.a = a->shape;
	c.b = b->shape;
	c.sa = a->size;
	c.sb = b->size;
	c.apart = mat3_tmul(a->turn, v3_sub(b->at, a->at));
	c.turn = (mat3){mat3_tmul(a->turn, b->turn.x), mat3_tmul(a->turn, b->turn.y), mat3_tmul(a->turn, b->turn.z)};
	c.apart_b = v3_neg(mat3_tmul(c.turn, c.apart));
	reaches(c.a, c.apart, c.reach_a);
	reaches(c.b, c.apart_b, c.reach_b);
	real ra = c.sa * c.a->radius, rb = c.sb * c.b->radius;
	c.scale = ra > rb ? ra : rb;
	best_axis face = {-INFINITY, INT32_MAX, {0, 0, 0}}, edges = face;
	edge_contact pair;
	out->points = 0;
	out->depth = 0; /* set below */
	if (try_hint(&c, hint, &face) || faces(&c, &face)) {
		out->axis = face.code;
		out->depth = -face.s;
		return;
	}
	bool apart = edge_pairs(&c, face.s, &edges, &pair);
	out->axis = apart ? edges.code : face.code;
	if (apart) out->depth = -edges.s;
	if (apart || !(face.s < 0) || !(edges.s < 0)) return;
	find_patch(&c, &face, &edges, &pair, out);
	out->normal = mat3_mul(a->turn, out->normal);
	for (int32_t i = 0; i < out->points; ++i) out->at[i] = mat3_mul(a->turn, out->at[i]);
}
