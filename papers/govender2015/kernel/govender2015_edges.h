/* govender2015_edges.h: bodies and pairs of penetrating edges, for both algorithms of Govender, Wilke and Kok (2015).
 */
#ifndef SCREE_PAPERS_GOVENDER2015_EDGES_H
#define SCREE_PAPERS_GOVENDER2015_EDGES_H

#include "kernel/separating_axis.h"

#ifdef SCREE_CONVEX_SOLID
typedef placed govender2015_body;
#else
typedef struct govender2015_body {
	SCREE_GLOBAL const convex_solid *shape;
	vec3 at;
	mat3 turn;
	real size;
} govender2015_body;
#endif

/* edges count as parallel if the squared sine of their angle does not exceed this; the authors' code tests for an exact
 * zero */
SCREE_CONSTANT real GOVENDER2015_PARALLEL = 1e-20;

/* A pair of penetrating edges: their lines pass each other on the wrong side. */
typedef struct govender2015_cross {
	real depth; /* > 0; INFINITY: none yet */
	vec3 n, p;	/* unit normal, towards the first body; point midway between the closest points */
} govender2015_cross;

SCREE_FN govender2015_cross govender2015_no_cross(void)
{
	const govender2015_cross none = {INFINITY, {0, 0, 0}, {0, 0, 0}};
	return none;
}

SCREE_FN vec3 govender2015_vertex(const govender2015_body *p, int32_t v)
{
	return v3_add(p->at, mat3_mul(p->turn, v3_mul(p->size, convex_vertex(p->shape, v))));
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

/* Tests the edges a0 .. a0 + u of the first body and b0 .. b0 + w of the second body. Keeps the pair if its edges
 * penetrate each other by less than *best. inside: vector from the second body's centre to the first body's centre,
 * which determines the sign of the normal */
SCREE_FN void govender2015_cross_edges(vec3 a0, vec3 u, vec3 b0, vec3 w, vec3 inside, govender2015_cross *best)
{
	real a, b;
	if (!govender2015_closest(a0, u, b0, w, &a, &b)) return;
	if (!(a >= 0 && a <= 1 && b >= 0 && b <= 1)) return;
	vec3 n = v3_unit(v3_cross(u, w)), p = v3_madd(a0, a, u), q = v3_madd(b0, b, w);
	if (v3_dot(n, inside) < 0) n = v3_neg(n);
	real depth = v3_dot(n, v3_sub(q, p));
	if (!(depth > 0 && depth < best->depth)) return;
	best->depth = depth;
	best->n = n;
	best->p = v3_mul((real)0.5, v3_add(p, q));
}

#endif
