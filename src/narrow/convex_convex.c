/* convex_convex: contact of two convex polyhedra by separating axes (docs/theory/convex.md).
 *
 * The separation along an axis n from a to b is s = min over b of n.v - max over a of n.v. Candidates are the face
 * normals of both bodies and the cross products of edges that form a face of the Minkowski difference (arc test on the
 * Gauss map: Gregorius, "The separating axis test between convex polyhedra", 2013). One s > 0 proves that the bodies
 * are apart; else the axis of the largest s, the least penetration, is the normal, and the incident face clipped by the
 * reference face gives the patch.
 *
 * Everything is computed in the frame of a. The result is a function of the two poses alone: the hint only changes the
 * order, and a candidate is skipped only where a bound proves that it can be neither separating nor the largest. */
#include "narrow/narrow.h"

#include "narrow/patch_polygon.h"

enum { CACHED = 64 };

/* b in the frame of a */
typedef struct couple {
	const shape *a, *b;
	real sa, sb;						   /* sizes */
	mat3 turn;							   /* b's frame to a's */
	vec3 apart;							   /* centre of b */
	vec3 apart_b;						   /* centre of a in b's frame */
	real scale;							   /* of lengths, for tolerances */
	real reach_a[CACHED], reach_b[CACHED]; /* outward normal . centre of the other, of the first faces */
} couple;

/* The best axis so far, its code as in the hint: 1 + face of a, then faces of b, then edge pairs. */
typedef struct best_axis {
	real s;
	int32_t code;
	vec3 n; /* from a to b, a's frame */
} best_axis;

SCREE_FN vec3 normal_of(const shape *s, int32_t f) { return v3(s->nx[f], s->ny[f], s->nz[f]); }
SCREE_FN vec3 vertex_of(const shape *s, int32_t v) { return v3(s->vx[v], s->vy[v], s->vz[v]); }

/* n.apart for all faces, in the body's own frame */
SCREE_FN void reaches(const shape *s, vec3 apart, real *reach)
{
	int32_t count = s->faces < CACHED ? s->faces : CACHED;
#pragma omp simd
	for (int32_t f = 0; f < count; ++f) reach[f] = s->nx[f] * apart.x + s->ny[f] * apart.y + s->nz[f] * apart.z;
}

SCREE_FN real reach_of(const shape *s, vec3 apart, const real *reach, int32_t f)
{
	return f < CACHED ? reach[f] : s->nx[f] * apart.x + s->ny[f] * apart.y + s->nz[f] * apart.z;
}

/* min over the unit shape's vertices of n.v */
SCREE_FN real lowest(const shape *s, vec3 n)
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

SCREE_FN real face_of_a(const couple *c, int32_t f)
{
	vec3 n = normal_of(c->a, f);
	return reach_of(c->a, c->apart, c->reach_a, f) - c->sa * c->a->off[f] + c->sb * lowest(c->b, mat3_tmul(c->turn, n));
}

/* turned: the normal of b's face in a's frame, outward from b */
SCREE_FN real face_of_b(const couple *c, int32_t f, vec3 turned)
{
	return reach_of(c->b, c->apart_b, c->reach_b, f) - c->sb * c->b->off[f] + c->sa * lowest(c->a, turned);
}

SCREE_FN void keep(best_axis *best, real s, int32_t code, vec3 n)
{
	if (s > best->s || (s == best->s && code < best->code)) *best = (best_axis){s, code, n};
}

/* A candidate cannot reach the best axis when even the balls inside the bodies are deeper along it. */
SCREE_FN bool hopeless(const couple *c, real bound, real s) { return bound < s - (real)1e-12 * c->scale; }

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

/* What is needed of an edge whose arc on the Gauss map comes near enough to the line of centres: a's frame, b's normals
 * negated. */
typedef struct edge {
	vec3 along, at;			/* direction (not unit), one end */
	vec3 left, right, pole; /* normals of its faces; right x left, the pole of their arc */
	int32_t index;
} edge;

enum { EDGES_AT_ONCE = 64 };

/* A ball in each body gives a bound for every axis: s <= n.apart - both radii. Only n with n.apart >= least can beat
 * the faces. */
typedef struct bound {
	vec3 apart, apart_b; /* from a's ball to b's, in a's frame; from b's to a's in b's frame */
	real least;
} bound;

/* the radius of the largest ball about p (in the body's frame) inside the body */
SCREE_FN real ball_at(const shape *s, real size, vec3 p)
{
	real radius = INFINITY;
#pragma omp simd reduction(min : radius)
	for (int32_t f = 0; f < s->faces; ++f) {
		real d = size * s->off[f] - (s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z);
		radius = d < radius ? d : radius;
	}
	return radius;
}

/* Balls about the centroids, or just below and above the middle of the face patch: whichever leaves fewer axes. Beside
 * a wide patch the second ones leave a cone of sqrt(depth / radius) about the face's normal. */
static bound find_bound(const couple *c, const best_axis *face, const patch *p)
{
	real in_a = c->sa * c->a->inradius, in_b = c->sb * c->b->inradius, give = (real)1e-12 * c->scale;
	bound centres = {c->apart, c->apart_b, face->s + in_a + in_b - give};
	real h = (in_a < in_b ? in_a : in_b) / 2;
	vec3 q = v3(0, 0, 0);
	for (int32_t i = 0; i < p->points; ++i) q = v3_madd(q, p->weight[i], p->at[i]);
	vec3 above = v3_madd(q, h, face->n);
	real ball_a = ball_at(c->a, c->sa, v3_madd(q, -h, face->n));
	real ball_b = ball_at(c->b, c->sb, mat3_tmul(c->turn, v3_sub(above, c->apart)));
	bound patch_balls = {v3_mul(2 * h, face->n), v3(0, 0, 0), face->s + ball_a + ball_b - give};
	patch_balls.apart_b = v3_neg(mat3_tmul(c->turn, patch_balls.apart));
	bool valid = p->points > 0 && ball_a >= 0 && ball_b >= 0; /* both middles lie inside */
	return valid && patch_balls.least * v3_norm(c->apart) > centres.least * 2 * h ? patch_balls : centres;
}

/* Can a unit normal n on the arc between the normals of the edge's faces have n.apart >= least? l and r: n.apart at its
 * two ends. */
SCREE_FN bool arc_reaches(const shape *o, int32_t e, vec3 apart, real l, real r, real least)
{
	real more = l > r ? l : r;
	if (more >= least || least <= 0) return true;
	if (more <= 0) return false;
	/* between them n is longer than the chord's middle: n.apart <= more / cos(half the angle) */
	vec3 left = normal_of(o, o->sides[2 * e]), right = normal_of(o, o->sides[2 * e + 1]);
	real cosine = v3_dot(left, right), least2 = (real)0.999999999999 * least * least;
	if (2 * more * more < least2 * (1 + cosine)) return false;
	/* exactly: the part of apart across the edge, where it lies between the two */
	vec3 along = v3_sub(vertex_of(o, o->ends[2 * e + 1]), vertex_of(o, o->ends[2 * e]));
	real d = v3_dot(apart, along), e2 = v3_norm2(along);
	if (v3_norm2(apart) * e2 - d * d < least2 * e2) return false;
	vec3 across = v3_sub(v3_mul(e2, apart), v3_mul(d, along)), turn = v3_cross(left, right);
	return v3_dot(v3_cross(left, across), turn) >= 0 && v3_dot(v3_cross(across, right), turn) >= 0;
}

/* The next edges, from *from on, that can give an axis along which `apart` reaches at least this far. */
static int32_t edges_near(const couple *c, const bound *all, const real *reach, bool of_b, int32_t *from, edge *out)
{
	const shape *o = of_b ? c->b : c->a;
	int32_t count = 0;
	/* each body is looked at in its own frame first: most edges are dropped there; b's outward normals point against n
	 */
	vec3 apart = of_b ? all->apart_b : all->apart;
	for (int32_t e = *from; e < o->edges && count < EDGES_AT_ONCE; ++e) {
		*from = e + 1;
		int32_t l = o->sides[2 * e], r = o->sides[2 * e + 1];
		if (!arc_reaches(o, e, apart, reach_of(o, apart, reach, l), reach_of(o, apart, reach, r), all->least)) continue;
		vec3 left = normal_of(o, l), right = normal_of(o, r);
		vec3 v0 = vertex_of(o, o->ends[2 * e]), along = v3_sub(vertex_of(o, o->ends[2 * e + 1]), v0);
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
SCREE_FN bool arcs_cross(const edge *a, const edge *b)
{
	real cba = v3_dot(b->left, a->pole), dba = v3_dot(b->right, a->pole);
	if (!(cba * dba < 0)) return false;
	real adc = v3_dot(a->left, b->pole), bdc = v3_dot(a->right, b->pole);
	return adc * bdc < 0 && cba * bdc > 0;
}

/* the unit axis across both edges, from a to b; false when they are parallel */
SCREE_FN bool edge_axis(const edge *a, const edge *b, vec3 *n)
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
static void pair_edges(const couple *c, const edge *ea, int32_t na, const edge *eb, int32_t nb, best_axis *best,
					   edge_contact *pair)
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
static bool edge_pairs(const couple *c, const best_axis *face, const patch *p, best_axis *best, edge_contact *pair)
{
	bound all = find_bound(c, face, p);
	real reach_a[CACHED], reach_b[CACHED];
	reaches(c->a, all.apart, reach_a);
	reaches(c->b, all.apart_b, reach_b);
	edge ea[EDGES_AT_ONCE], eb[EDGES_AT_ONCE];
	best_axis edges = {-INFINITY, INT32_MAX, {0, 0, 0}};
	for (int32_t a = 0; a < c->a->edges;) {
		int32_t na = edges_near(c, &all, reach_a, false, &a, ea);
		for (int32_t b = 0; na && b < c->b->edges;) {
			int32_t nb = edges_near(c, &all, reach_b, true, &b, eb);
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
SCREE_FN int32_t incident_face(const shape *s, vec3 n)
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
		turn = (mat3){v3(turn.x.x, turn.y.x, turn.z.x), v3(turn.x.y, turn.y.y, turn.z.y),
					  v3(turn.x.z, turn.y.z, turn.z.z)};
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
		vec3 p = v3_mul(ref_size, vertex_of(ref, ref->corner[k])),
			 q = v3_mul(ref_size, vertex_of(ref, ref->corner[next]));
		vec3 out_of = v3_cross(v3_sub(q, p), n);
		patch_polygon_clip(&poly, out_of, v3_dot(out_of, p));
	}
	patch_polygon_clip_depth(&poly);
	patch_polygon_weights(&poly, n, c->scale, out);
	if (!of_a)
		for (int32_t i = 0; i < out->points; ++i) out->at[i] = v3_add(mat3_mul(c->turn, out->at[i]), c->apart);
}

/* Where the clipped faces have nothing in common and there is no pair of edges either: the deepest vertex of the other
 * body. */
static void vertex_patch(const couple *c, const best_axis *face, patch *out)
{
	bool of_a = face->code <= c->a->faces;
	const shape *s = of_a ? c->b : c->a;
	vec3 m = of_a ? mat3_tmul(c->turn, face->n) : v3_neg(face->n), v = vertex_of(s, 0);
	for (int32_t k = 1; k < s->vertices; ++k)
		if (v3_dot(m, vertex_of(s, k)) < v3_dot(m, v)) v = vertex_of(s, k);
	vec3 at = of_a ? v3_add(mat3_mul(c->turn, v3_mul(c->sb, v)), c->apart) : v3_mul(c->sa, v);
	out->points = 1;
	out->at[0] = v3_madd(at, of_a ? -face->s / 2 : face->s / 2, face->n);
	out->deep[0] = -face->s;
	out->weight[0] = 1;
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

/* How far the edge axis takes over from the face axis: 0 at ties, 1 where the edges are clearly shallower. Without this
 * passage, two almost parallel faces would flicker between a patch and one point at a border. */
static real edge_share(real face, real edges, real scale)
{
	if (!(edges > face + (real)1e-9 * scale)) return 0;
	real gain = (edges - face) / -face; /* both are negative */
	return gain < (real)0.5 ? 2 * gain : 1;
}

/* out holds the patch of the best face */
static void mix_with_edges(const couple *c, const best_axis *face, const best_axis *edges, const edge_contact *pair,
						   patch *out)
{
	real share = edge_share(face->s, edges->s, c->scale);
	vec3 n = face->n;
	if (!out->points && share > 0) share = 1;
	if (!out->points && share == 0) vertex_patch(c, face, out);
	if (share == 1) out->points = 0;
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
	out->axis = face.code;
	if (!(face.s < 0)) return; /* they just touch */
	face_patch(&c, &face, out);
	bool apart = edge_pairs(&c, &face, out, &edges, &pair);
	if (apart || !(edges.s < 0)) {
		out->points = 0;
		out->axis = edges.code;
		out->depth = -edges.s;
		return;
	}
	mix_with_edges(&c, &face, &edges, &pair, out);
	out->normal = mat3_mul(a->turn, out->normal);
	for (int32_t i = 0; i < out->points; ++i) out->at[i] = mat3_mul(a->turn, out->at[i]);
}
