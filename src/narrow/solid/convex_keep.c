/* convex_keep: determines how long a new search for axes would certainly give the same result (docs/theory/convex.md).
 *
 * Let m be a bound on the displacement, since the earlier search, of any point of one body in the other body's frame.
 * Separations along axes fixed to one of the bodies, and heights of points above faces, have then changed by at most m.
 * A choice whose best candidate leads by g is therefore valid while 2 m < g. The relative pose at the time of the
 * choice is also kept, so a joint motion of both bodies does not affect validity.
 *
 * A face is best, and edges need no test, under two conditions. First, the other body's centre is highest above this
 * face, with a lead of g. Second, every vertex x of the other body is either higher by g than the deepest vertex, or
 * deeper by g below all other faces of this body. The search then excludes all edges, because it bounds their
 * separations with one of these x. For the case in which edges are best, see edges_lead. */
#include "narrow/solid/convex_pair.h"

/* relative to scale: error of bounds from edges longer than SHORT that are not exactly in the planes of their faces */
static const real WRONG = 1e-5, SHORT = 1e-3;

/* number of faces whose heights fit on the stack; for bodies with more faces, the search is repeated in each step */
enum { ROOM = 128 };

static bool face_is_of_a(const convex_pair *c, const convex_axis *face) { return face->code <= c->a->faces; }

/* Returns the lead of the separation s over the faces of a view, limited to `lead`. own: the leading face, which is
 * excluded, or -1 if this face is on the other body */
static real faces_lead(const convex_view *v, int32_t own, real s, real lead)
{
	for (int32_t f = 0; f < v->self->faces; ++f) {
		if (f == own) continue;
		real most = real_min(v->deepest[f], v->middle[f] - v->ball);
		if (s - most < lead) most = real_min(most, convex_face_separation(v, f, v->middle[f]));
		lead = real_min(lead, s - most);
	}
	return lead;
}

/* Returns the lead, limited to `lead`, by which the other body's centre is higher above this face than above any
 * other. */
static real front_leads(const convex_view *v, int32_t face, real lead)
{
	for (int32_t f = 0; f < v->self->faces; ++f)
		if (f != face) lead = real_min(lead, v->middle[face] - v->middle[f]);
	return lead;
}

/* Returns the lead of s over the heights of x above all other faces. */
static real inside_others(const convex_view *v, int32_t face, vec3 x, real s)
{
	real height[ROOM], most = -INFINITY;
	convex_heights(v->self, v->size, x, height);
	for (int32_t f = 0; f < v->self->faces; ++f)
		if (f != face) most = real_max(most, height[f]);
	return s - most;
}

/* Returns the smallest lead over the other body's vertices, each of which is either not the deepest or inside all other
 * faces. */
static real vertices_lead(const convex_view *v, int32_t face, real s, real lead)
{
	vec3 m = mat3_tmul(v->turn, shape_normal(v->self, face));
	for (int32_t k = 0; k < v->other->vertices; ++k) {
		vec3 x = shape_vertex(v->other, k);
		real above = v->middle[face] + v->other_size * v3_dot(m, x) - s;
		if (above < lead) {
			real inside = inside_others(v, face, v3_madd(v->at, v->other_size, mat3_mul(v->turn, x)), s);
			lead = real_min(lead, real_max(above, inside));
		}
	}
	return lead;
}

static real face_keeps(const convex_pair *c, const convex_view *a, const convex_view *b, const convex_axis *face)
{
	bool of_a = face_is_of_a(c, face);
	const convex_view *self = of_a ? a : b, *other = of_a ? b : a;
	int32_t f = (int32_t)(face->code - 1) - (of_a ? 0 : c->a->faces);
	if (f != self->front) return 0; /* the search would bound edges with another vertex */
	real lead = front_leads(self, f, c->scale);
	lead = faces_lead(self, f, face->s, lead);
	lead = faces_lead(other, -1, face->s, lead);
	return vertices_lead(self, f, face->s, lead) - CONVEX_TIE * c->scale;
}

/* Returns the smallest angle, as a sine, by which an axis must rotate away from n until another vertex is as far out as
 * an end of the edge. The computation is in the body's frame at unit size. */
static real others_below(const shape *s, int32_t edge, vec3 n)
{
	int32_t from = s->ends[2 * edge], to = s->ends[2 * edge + 1];
	vec3 ends[2] = {shape_vertex(s, from), shape_vertex(s, to)};
	real least = 1;
	for (int32_t k = 0; k < s->vertices; ++k) {
		if (k == from || k == to) continue;
		for (int32_t e = 0; e < 2; ++e) {
			vec3 d = v3_sub(ends[e], shape_vertex(s, k));
			real below = v3_dot(n, d);
			if (!(below * below > least * least * v3_norm2(d))) least = real_max(below, 0) / v3_norm(d);
		}
	}
	return least;
}

/* Returns the lead of two edges over all axes except their own.
 *
 * Let p and q be their closest points, so that q - p = s n, let both edges extend by at least l on either side, and let
 * phi be the angle between them. Any point of b and any point of a give an upper bound on a separation. With points on
 * the edges, the bound along an axis at an angle theta from n is
 *
 *     s(theta) <= s cos theta - k sin theta,    k = l sin phi (the smallest over the directions of rotation)
 *
 * For s < 0 this bound is below s - g, except where sin theta <= g / (k + s) and close to -n. Near -n, balls inside the
 * bodies prove the same bound. In the remaining cone the outermost vertices of both bodies are the ends of the edges,
 * if g is small enough. Therefore the edges are the only candidate, since the largest separation is in the cone. A
 * factor of two is reserved for the rotation of b relative to a. */
static real edges_lead(const convex_pair *c, const convex_view *a, const convex_axis *edges)
{
	int32_t ea, eb;
	convex_edges_of(c, edges->code, &ea, &eb);
	vec3 u = v3_mul(c->sa, convex_edge(c->a, ea)), w = v3_mul(c->sb, mat3_mul(c->turn, convex_edge(c->b, eb)));
	real along_u, along_w, lu = v3_norm(u), lw = v3_norm(w);
	convex_closest(u, w, v3_sub(convex_edge_start_a(c, ea), convex_edge_start_b(c, eb)), &along_u, &along_w);
	real left = real_min(lu * real_min(along_u, 1 - along_u), lw * real_min(along_w, 1 - along_w));
	real k = left * v3_norm(v3_cross(u, w)) / (lu * lw), stiff = k + edges->s;
	if (!(stiff > 0) || real_min(lu, lw) < SHORT * c->scale) return 0;
	real below_a = others_below(c->a, ea, edges->n);
	real below_b = others_below(c->b, eb, v3_neg(mat3_tmul(c->turn, edges->n))) / 2;
	real lead = stiff * real_min(below_a, below_b);
	real back = (lead - 2 * edges->s) / k, along = v3_dot(c->apart, edges->n); /* sine of the cone's half angle */
	if (!(back < 0.5 && along > 0)) return 0;
	return v3_norm(c->apart) * back - a->ball - c->sa * c->a->inradius < edges->s - lead ? lead : 0;
}

/* Returns the distance, as a sine, from the crossing of two arcs to the nearest end of an arc. */
static real arcs_lead(const convex_pair *c, int64_t code)
{
	int32_t ea, eb;
	convex_edges_of(c, code, &ea, &eb);
	vec3 u = v3_unit(convex_edge(c->a, ea)), w = v3_unit(mat3_mul(c->turn, convex_edge(c->b, eb)));
	const int32_t *fa = c->a->sides + 2 * ea, *fb = c->b->sides + 2 * eb;
	real lead = INFINITY;
	for (int k = 0; k < 2; ++k) {
		lead = real_min(lead, real_abs(v3_dot(u, mat3_mul(c->turn, shape_normal(c->b, fb[k])))));
		lead = real_min(lead, real_abs(v3_dot(w, shape_normal(c->a, fa[k]))));
	}
	return lead;
}

/* Returns the largest distance from any point of either body to the other body's centre. */
static real reach_of(const convex_pair *c) { return v3_norm(c->apart) + c->scale; }

static real edges_keep(const convex_pair *c, const convex_view *a, const convex_view *b, const convex_axis *face,
					   const convex_axis *edges)
{
	bool of_a = face_is_of_a(c, face);
	int32_t f = (int32_t)(face->code - 1);
	real lead = real_min(edges->s - face->s, edges_lead(c, a, edges));
	lead = real_min(lead, arcs_lead(c, edges->code) * reach_of(c)); /* rotations are at most lead / (2 reach) */
	lead = faces_lead(a, of_a ? f : -1, face->s, lead);
	lead = faces_lead(b, of_a ? -1 : f - c->a->faces, face->s, lead);
	return lead - WRONG * c->scale;
}

/* Testing how long a choice holds takes half as long as a search. The first WAIT searches of a pair skip this test,
 * since most collisions end earlier, and so do searches after a choice that held for less than FEW tests. */
enum { FEW = 4, WAIT = 32 };
_Static_assert(WAIT < PAIR_IS_KEPT, "counts of waits differ from kept data");

/* rounding error, relative to lengths, of a relative pose stored in single precision */
static const real COARSE = 4e-7;

bool scree_convex_holds(const convex_pair *c, const pair_kept *kept)
{
	const real now[12] = {c->apart.x,  c->apart.y,	c->apart.z,	 c->turn.x.x, c->turn.x.y, c->turn.x.z,
						  c->turn.y.x, c->turn.y.y, c->turn.y.z, c->turn.z.x, c->turn.z.y, c->turn.z.z};
	real shift = 0, turn = 0, reach = reach_of(c);
	for (int i = 0; i < 3; ++i) shift += (now[i] - kept->apart[i]) * (now[i] - kept->apart[i]);
	for (int i = 0; i < 9; ++i) turn += (now[3 + i] - kept->turn[i]) * (now[3 + i] - kept->turn[i]);
	/* for a rotation by f, the sum is 8 sin^2 f/2, and a point is displaced by at most 2 sin f/2 times its distance */
	return sqrt(shift) + (sqrt(turn / 2) + COARSE) * reach < kept->lead / 2;
}

void scree_convex_keep(const convex_pair *c, const convex_view *a, const convex_view *b, const convex_axis *face,
					   const convex_axis *edges, uint8_t *waited, pair_kept *kept)
{
	if (*waited == PAIR_IS_KEPT) *waited = kept->held < FEW ? 0 : WAIT;
	if (*waited < WAIT) {
		++*waited;
		return;
	}
	*waited = 0;
	if (c->a->faces > ROOM || c->b->faces > ROOM) return;
	bool edge = edges->s > -INFINITY;
	real lead = edge ? edges_keep(c, a, b, face, edges) : face_keeps(c, a, b, face);
	if (!(lead > 0)) return;
	const vec3 r = c->apart, x = c->turn.x, y = c->turn.y, z = c->turn.z;
	*waited = PAIR_IS_KEPT;
	kept->held = 0;
	kept->lead = (float)((real)0.9999 * lead);
	kept->face = (int16_t)face->code;
	kept->edges = edge ? edges->code : 0;
	const real now[12] = {r.x, r.y, r.z, x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
	for (int i = 0; i < 3; ++i) kept->apart[i] = (float)now[i];
	for (int i = 0; i < 9; ++i) kept->turn[i] = (float)now[3 + i];
}
