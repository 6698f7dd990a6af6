/* separating_axis.h: the axis of two convex polyhedra with the largest separation (docs/theory/convex.md). The
 * separation along an axis n from a to b is s = min over b of n.v - max over a of n.v. Candidates are the face normals
 * of both bodies and the cross products of edges that form a face of the Minkowski difference (arc test on the Gauss
 * map: Gregorius, "The separating axis test between convex polyhedra", 2013). One axis with s > 0 proves that the
 * bodies are apart. Otherwise the axis with the largest s (smallest penetration) is the normal.
 *
 * Any point x of b gives a bound on s: s(n) <= n.x - max over a of n.v. If x is the vertex of b deepest in a, the bound
 * excludes nearly all faces of a. The bound also excludes all edges of a between two excluded faces: along the arc
 * between two normals, the bound does not exceed the values at both ends if these are negative. Stacked cubes need two
 * support functions and no edges.
 *
 * The result depends only on the two poses, and not on the order in which candidates are tested. A candidate is skipped
 * only if a bound proves that this candidate cannot be chosen. */
#ifndef SCREE_KERNEL_SEPARATING_AXIS_H
#define SCREE_KERNEL_SEPARATING_AXIS_H

#include "kernel/convex_solid.h"

SCREE_CONSTANT real AXIS_ROUNDING = 1e-12; /* relative rounding error of a separation after a few operations */
/* square of the sine below which edges count as parallel; the axis of parallel edges could at best tie with a face */
SCREE_CONSTANT real AXIS_PARALLEL = 1e-16;
/* margin, relative to scale, by which an edge axis must beat the faces, since faces win ties */
SCREE_CONSTANT real CONVEX_TIE = 1e-9;

SCREE_FN vec3 convex_vertex(SCREE_GLOBAL const convex_solid *s, int32_t v) { return v3(s->vx[v], s->vy[v], s->vz[v]); }
SCREE_FN vec3 convex_normal(SCREE_GLOBAL const convex_solid *s, int32_t f) { return v3(s->nx[f], s->ny[f], s->nz[f]); }

SCREE_FN vec3 convex_edge(SCREE_GLOBAL const convex_solid *s, int32_t e)
{
	return v3_sub(convex_vertex(s, s->ends[2 * e + 1]), convex_vertex(s, s->ends[2 * e]));
}

/* Returns the first vertex where n.v has this minimum. */
SCREE_FN vec3 convex_vertex_at(SCREE_GLOBAL const convex_solid *s, vec3 n, real low)
{
	int32_t k = 0;
	while (k + 1 < s->vertices && n.x * s->vx[k] + n.y * s->vy[k] + n.z * s->vz[k] != low) ++k;
	return convex_vertex(s, k);
}

/* Returns n.p - off for a face of a body, in the body's frame. */
SCREE_FN real convex_height(SCREE_GLOBAL const convex_solid *s, real size, int32_t f, vec3 p)
{
	return s->nx[f] * p.x + s->ny[f] * p.y + s->nz[f] * p.z - size * s->off[f];
}

SCREE_FN mat3 mat3_transposed(mat3 m)
{
	mat3 t = {v3(m.x.x, m.y.x, m.z.x), v3(m.x.y, m.y.y, m.z.y), v3(m.x.z, m.y.z, m.z.z)};
	return t;
}

/* Body b in the frame of body a. */
typedef struct convex_pair {
	SCREE_GLOBAL const convex_placed *at_a, *at_b;
	SCREE_GLOBAL const convex_solid *a, *b;
	real sa, sb;  /* sizes */
	mat3 turn;	  /* rotation from b's frame to a's frame */
	vec3 apart;	  /* centre of b in a's frame */
	vec3 apart_b; /* centre of a in b's frame */
	real scale;	  /* scale of lengths, for tolerances */
} convex_pair;

SCREE_FN convex_pair convex_pair_from(SCREE_GLOBAL const convex_placed *at_a, SCREE_GLOBAL const convex_placed *at_b,
									  SCREE_GLOBAL const convex_solid *a, SCREE_GLOBAL const convex_solid *b)
{
	convex_pair c;
	c.at_a = at_a;
	c.at_b = at_b;
	c.a = a;
	c.b = b;
	c.sa = at_a->size;
	c.sb = at_b->size;
	const mat3 turn_a = at_a->turn, turn_b = at_b->turn;
	const vec3 way = v3_sub(at_b->at, at_a->at);
	c.turn.x = mat3_tmul(turn_a, turn_b.x);
	c.turn.y = mat3_tmul(turn_a, turn_b.y);
	c.turn.z = mat3_tmul(turn_a, turn_b.z);
	c.apart = mat3_tmul(turn_a, way);
	c.apart_b = v3_neg(mat3_tmul(turn_b, way));
	c.scale = real_max(c.sa * a->radius, c.sb * b->radius);
	return c;
}

#ifndef SCREE_CONVEX_SOLID
SCREE_FN convex_pair convex_pair_of(SCREE_GLOBAL const convex_pose *a, SCREE_GLOBAL const convex_pose *b,
									SCREE_GLOBAL const convex_rows *shapes)
{
	return convex_pair_from(a, b, shapes + a->shape, shapes + b->shape);
}
#endif

/* A candidate axis and its separation. Codes start with 1 + face of a, followed by faces of b and pairs of edges. */
typedef struct convex_axis {
	real s;
	int64_t code;
	vec3 n; /* unit vector from a to b, in a's frame */
} convex_axis;

SCREE_FN convex_axis convex_no_axis(void)
{
	convex_axis none = {-INFINITY, INT64_MAX, {0, 0, 0}};
	return none;
}

SCREE_FN void convex_keep_best(convex_axis *best, real s, int64_t code, vec3 n)
{
	if (!(s > best->s || (s == best->s && code < best->code))) return;
	best->s = s;
	best->code = code;
	best->n = n;
}

/* ------------------------------------------------------------------ faces */

/* A body in its own frame, and the position of the other body. */
typedef struct convex_view {
	SCREE_GLOBAL const convex_solid *self, *other;
	real size, other_size;
	vec3 at;	   /* centre of the other body */
	mat3 turn;	   /* rotation from the other body's frame to this one */
	real ball;	   /* radius of a ball inside the other body, around its centre */
	int32_t front; /* the face above which the other body's centre is highest */
	vec3 deep;	   /* the other body's vertex that is deepest below the front face */
#ifdef SCREE_CONVEX_SOLID
	real *middle, *deepest; /* [faces] results of the two functions of the same names; a device repeats them instead */
#endif
} convex_view;

SCREE_FN void convex_look_from(const convex_pair *c, bool of_b, convex_view *v)
{
	v->self = of_b ? c->b : c->a;
	v->other = of_b ? c->a : c->b;
	v->size = of_b ? c->sb : c->sa;
	v->other_size = of_b ? c->sa : c->sb;
	v->at = of_b ? c->apart_b : c->apart;
	v->turn = of_b ? mat3_transposed(c->turn) : c->turn;
	v->ball = v->other_size * v->other->inradius;
	v->front = 0;
	v->deep = v3(0, 0, 0);
}

/* Height of the other body's centre above a face. Minus the radius of the ball, it is a bound on the separation. */
SCREE_FN real convex_middle(const convex_view *v, int32_t f)
{
#ifdef SCREE_CONVEX_SOLID
	return v->middle[f];
#else
	return convex_height(v->self, v->size, f, v->at);
#endif
}

/* Height of the other body's deepest vertex above a face. */
SCREE_FN real convex_deepest(const convex_view *v, int32_t f)
{
#ifdef SCREE_CONVEX_SOLID
	return v->deepest[f];
#else
	return convex_height(v->self, v->size, f, v->deep);
#endif
}

/* Separation along face f. middle: height of the other body's centre above the face */
SCREE_FN real convex_face_separation(const convex_view *v, int32_t f, real middle)
{
	return middle + v->other_size * convex_lowest(v->other, mat3_tmul(v->turn, convex_normal(v->self, f)));
}

/* Finds the front face and returns the separation along its normal. If not positive, also finds the deepest vertex. */
SCREE_FN real convex_look(convex_view *v)
{
	int32_t front = 0;
	real top = convex_middle(v, 0);
	SCREE_ROLLED
	for (int32_t f = 1; f < v->self->faces; ++f) {
		real middle = convex_middle(v, f);
		bool more = middle > top;
		top = more ? middle : top;
		front = more ? f : front;
	}
	v->front = front;
	vec3 m = mat3_tmul(v->turn, convex_normal(v->self, front));
	real low = convex_lowest(v->other, m), s = convex_middle(v, front) + v->other_size * low;
	if (s > 0) return s;
	v->deep = v3_madd(v->at, v->other_size, mat3_mul(v->turn, convex_vertex_at(v->other, m, low)));
	return s;
}

SCREE_FN vec3 convex_face_axis(const convex_pair *c, bool of_b, int32_t f)
{
	return of_b ? v3_neg(mat3_mul(c->turn, convex_normal(c->b, f))) : convex_normal(c->a, f);
}

SCREE_FN bool convex_front_face(const convex_pair *c, convex_view *v, bool of_b, convex_axis *best)
{
	real s = convex_look(v);
	convex_keep_best(best, s, 1 + (of_b ? c->a->faces : 0) + v->front, convex_face_axis(c, of_b, v->front));
	return s > 0;
}

/* Tests other faces whose bounds allow a larger separation. */
SCREE_FN void convex_other_faces(const convex_pair *c, const convex_view *v, bool of_b, convex_axis *best)
{
	real margin = AXIS_ROUNDING * c->scale;
	SCREE_ROLLED
	for (int32_t f = 0; f < v->self->faces && !(best->s > 0); ++f) {
		real least = best->s - margin, middle = convex_middle(v, f);
		if (convex_deepest(v, f) < least || middle - v->ball < least || f == v->front) continue;
		convex_keep_best(best, convex_face_separation(v, f, middle), 1 + f + (of_b ? c->a->faces : 0),
						 convex_face_axis(c, of_b, f));
	}
}

/* ------------------------------------------------------------------ edges */

/* least_*: bounds below which a face is not marked */
typedef struct convex_marks {
	real least_deepest, least_middle;
} convex_marks;

SCREE_FN convex_marks convex_marks_of(const convex_view *v, real least)
{
	convex_marks m = {real_min(least, 0), real_min(least + v->ball, 0)};
	return m;
}

/* Returns which of the two bounds, as two bits, allow an axis on the arc of one of a face's edges. If the bounds at the
 * ends of an arc are not positive, both bounds are largest at an end, since a maximum inside would be positive. An edge
 * is allowed if its two faces have both bits. */
SCREE_FN int32_t convex_mark(convex_marks m, real deepest, real middle)
{
	return (deepest > m.least_deepest) | (middle > m.least_middle) << 1;
}

/* Returns the bound that an edge axis must exceed to beat the best face by more than a tie. */
SCREE_FN real convex_least_of_edges(const convex_pair *c, real face)
{
	return face + (real)0.9 * CONVEX_TIE * c->scale;
}

/* Tests whether the arcs of an edge of each body cross, so that both edges form a face of the Minkowski difference. The
 * pole of an arc is in the direction of the arc's edge, on the same side for both edges. u, l, r: the edge of a, and
 * the normals of its faces; w, m, o: the edge of b, and the negated normals of its faces, in a's frame */
SCREE_FN int32_t convex_arcs_cross(vec3 u, vec3 l, vec3 r, vec3 w, vec3 m, vec3 o)
{
	real cba = u.x * m.x + u.y * m.y + u.z * m.z, dba = u.x * o.x + u.y * o.y + u.z * o.z;
	real adc = l.x * w.x + l.y * w.y + l.z * w.z, bdc = r.x * w.x + r.y * w.y + r.z * w.z;
	return (cba * dba < 0) & (adc * bdc < 0) & (cba * bdc > 0);
}

/* Finds the unit axis, from a to b, of two edges; returns false if they are parallel. w: the edge of b in a's frame */
SCREE_FN bool convex_edge_axis(const convex_pair *c, int32_t ea, vec3 w, vec3 *n)
{
	vec3 u = convex_edge(c->a, ea), x = v3_cross(u, w);
	real x2 = v3_norm2(x);
	if (!(x2 > AXIS_PARALLEL * v3_norm2(u) * v3_norm2(w))) return false;
	vec3 out = v3_add(convex_normal(c->a, c->a->sides[2 * ea]), convex_normal(c->a, c->a->sides[2 * ea + 1]));
	*n = v3_mul((v3_dot(x, out) < 0 ? -1 : 1) / sqrt(x2), x);
	return true;
}

/* Returns the start of an edge, in a's frame. */
SCREE_FN vec3 convex_edge_start_a(const convex_pair *c, int32_t e)
{
	return v3_mul(c->sa, convex_vertex(c->a, c->a->ends[2 * e]));
}

SCREE_FN vec3 convex_edge_start_b(const convex_pair *c, int32_t e)
{
	return v3_add(c->apart, v3_mul(c->sb, mat3_mul(c->turn, convex_vertex(c->b, c->b->ends[2 * e]))));
}

/* Returns the separation along n, the axis perpendicular to these edges. */
SCREE_FN real convex_edge_separation(const convex_pair *c, int32_t ea, int32_t eb, vec3 n)
{
	return v3_dot(n, v3_sub(convex_edge_start_b(c, eb), convex_edge_start_a(c, ea)));
}

SCREE_FN int64_t convex_code_of_edges(const convex_pair *c, int32_t ea, int32_t eb)
{
	return 1 + c->a->faces + c->b->faces + (int64_t)ea * c->b->edges + eb;
}

SCREE_FN void convex_edges_of(const convex_pair *c, int64_t code, int32_t *ea, int32_t *eb)
{
	int64_t pair = code - 1 - c->a->faces - c->b->faces;
	*ea = (int32_t)(pair / c->b->edges);
	*eb = (int32_t)(pair % c->b->edges);
}

/* Tests whether the bodies' outermost points along an axis are on the two edges that define the axis. If edges are
 * nearly parallel, or not exactly in the planes of their faces, arcs may appear to cross beyond their ends. */
SCREE_FN bool convex_is_outermost(const convex_pair *c, const convex_axis *axis)
{
	real low = v3_dot(axis->n, c->apart) + c->sb * convex_lowest(c->b, mat3_tmul(c->turn, axis->n));
	return low + c->sa * convex_lowest(c->a, v3_neg(axis->n)) >= axis->s - AXIS_ROUNDING * c->scale;
}

/* Tests the axis of two edges whose arcs cross. w: the edge of b in a's frame; sure: accepts an axis only if
 * its edges are outermost */
SCREE_FN void convex_try_edges(const convex_pair *c, int32_t ea, int32_t eb, vec3 w, bool sure, convex_axis *best)
{
	convex_axis axis;
	if (!convex_edge_axis(c, ea, w, &axis.n)) return;
	axis.code = convex_code_of_edges(c, ea, eb);
	axis.s = convex_edge_separation(c, ea, eb, axis.n);
	if (sure && axis.s >= best->s && !convex_is_outermost(c, &axis)) return;
	convex_keep_best(best, axis.s, axis.code, axis.n);
}

/* Finds the closest points of two lines p + s u and q + t w, with d = p - q, as values of s and t. */
SCREE_FN void convex_closest(vec3 u, vec3 w, vec3 d, real *s, real *t)
{
	real uu = v3_norm2(u), ww = v3_norm2(w), uw = v3_dot(u, w), ud = v3_dot(u, d), wd = v3_dot(w, d);
	real den = uu * ww - uw * uw;
	den =
		den > 0 ? den : uu * ww; /* edges are not parallel, since the axis was valid, but the rounded value may be 0 */
	*s = (uw * wd - ww * ud) / den;
	*t = (uu * wd - uw * ud) / den;
}

#endif
