/* govender2015_edges.h: bodies and pairs of penetrating edges, for both algorithms of Govender, Wilke and Kok (2015).
 */
#ifndef SCREE_PAPERS_GOVENDER2015_EDGES_H
#define SCREE_PAPERS_GOVENDER2015_EDGES_H

#include "kernel/separating_axis.h"

/* A body in the frame of a pair or of a wall. On a device its rotation stays in memory, since registers are few. */
#ifdef SCREE_CONVEX_SOLID
typedef placed govender2015_body;
SCREE_FN mat3 govender2015_turn(const govender2015_body *p) { return p->turn; }
#else
typedef struct govender2015_body {
	SCREE_GLOBAL const convex_solid *shape;
	SCREE_GLOBAL const mat3 *turn;
	vec3 at;
	real size;
} govender2015_body;
SCREE_FN mat3 govender2015_turn(const govender2015_body *p) { return *p->turn; }

SCREE_FN govender2015_body govender2015_body_at(vec3 at, SCREE_GLOBAL const convex_pose *p,
												SCREE_GLOBAL const convex_rows *shapes)
{
	const govender2015_body b = {shapes + p->shape, &p->turn, at, p->size};
	return b;
}
#endif

/* edges count as parallel if the squared sine of their angle does not exceed this; the authors' code tests for an exact
 * zero */
SCREE_CONSTANT real GOVENDER2015_PARALLEL = 1e-20;

/* A contact with one point. */
typedef struct govender2015_point {
	real depth; /* > 0; INFINITY for edges that do not penetrate */
	vec3 n, p;	/* unit normal, towards the first body; position */
} govender2015_point;

SCREE_FN vec3 govender2015_vertex(const govender2015_body *p, int32_t v)
{
	return v3_add(p->at, mat3_mul(govender2015_turn(p), v3_mul(p->size, convex_vertex(p->shape, v))));
}

/* Edge e, as the way from its first vertex to its second one. */
SCREE_FN vec3 govender2015_edge(const govender2015_body *p, int32_t e, vec3 *from)
{
	*from = govender2015_vertex(p, p->shape->ends[2 * e]);
	return v3_sub(govender2015_vertex(p, p->shape->ends[2 * e + 1]), *from);
}

/* Fractions along the lines a0 + a u and b0 + b w at which the lines are closest, eqs (2)-(5); returns false if the
 * lines are parallel. The determinant printed in eqs (4) and (5) lacks a factor; this code uses Cramer's rule. */
SCREE_FN bool govender2015_closest(vec3 a0, vec3 u, vec3 b0, vec3 w, real *a, real *b)
{
	vec3 d = v3_sub(a0, b0);
	real uu = v3_norm2(u), ww = v3_norm2(w), uw = v3_dot(u, w), ud = v3_dot(u, d), wd = v3_dot(w, d);
	real across = v3_norm2(v3_cross(u, w));
	if (!(across > GOVENDER2015_PARALLEL * uu * ww)) return false;
	*a = -(ww * ud - uw * wd) / across;
	*b = -(uw * ud - uu * wd) / across;
	return true;
}

/* The edges a0 .. a0 + u of the first body and b0 .. b0 + w of the second body, if they penetrate each other: their
 * lines pass each other on the wrong side. The point is midway between the closest points. inside: vector from the
 * second body's centre to the first body's centre, which determines the sign of the normal */
SCREE_FN govender2015_point govender2015_cross(vec3 a0, vec3 u, vec3 b0, vec3 w, vec3 inside)
{
	govender2015_point o = {INFINITY, {0, 0, 0}, {0, 0, 0}};
	real a, b;
	if (!govender2015_closest(a0, u, b0, w, &a, &b)) return o;
	if (!(a >= 0 && a <= 1 && b >= 0 && b <= 1)) return o;
	const vec3 n = v3_unit(v3_cross(u, w)), p = v3_madd(a0, a, u), q = v3_madd(b0, b, w);
	o.n = v3_dot(n, inside) < 0 ? v3_neg(n) : n;
	o.p = v3_mul((real)0.5, v3_add(p, q));
	const real depth = v3_dot(o.n, v3_sub(q, p));
	if (depth > 0) o.depth = depth;
	return o;
}

#endif
