/* triangle_newton.h: one Newton step towards the closest points of two triangles, with a penalty outside the triangles
 * (Krestenitis 2017, eq. 8 and Algorithm 8; docs/theory/triangles.md, eqs. 5 and 6). All functions are pure and have no
 * branches. The resulting points may be slightly outside the triangles, so they are only a guess and do not give the
 * exact distance. */
#ifndef SCREE_KERNEL_TRIANGLE_NEWTON_H
#define SCREE_KERNEL_TRIANGLE_NEWTON_H

#include "kernel/triangle.h"

/* The penalty, and the ridge that makes the Hessian regular, relative to the mean squared edge length. */
#ifdef SCREE_TRIANGLE_FLOAT
SCREE_CONSTANT tri_number TRI_PENALTY = 1e3f;
SCREE_CONSTANT tri_number TRI_RIDGE = 1e-5f;
#else
SCREE_CONSTANT tri_number TRI_PENALTY = 1e4;
SCREE_CONSTANT tri_number TRI_RIDGE = 1e-8;
#endif

/* Start of the search: 0.33 for all weights, as in Krestenitis (2017). */
SCREE_FN tri_places tri_newton_start(void)
{
	tri_number third = (tri_number)0.33;
	tri_places o = {{third, third}, {third, third}};
	return o;
}

/* Lower half of a symmetric 4 by 4 matrix, and the right-hand side. */
typedef struct tri_system {
	tri_number m00, m10, m11, m20, m21, m22, m30, m31, m32, m33;
	tri_number r0, r1, r2, r3;
} tri_system;

typedef struct tri_four {
	tri_number x0, x1, x2, x3;
} tri_four;

/* L D L^T without pivoting, since the matrix is positive definite. Pivots below the ridge are set to the ridge. */
SCREE_FN tri_four tri_solve(const tri_system *m, tri_number ridge)
{
	tri_number d0 = 1 / tri_max(m->m00, ridge);
	tri_number l10 = m->m10 * d0, l20 = m->m20 * d0, l30 = m->m30 * d0;
	tri_number d1 = 1 / tri_max(m->m11 - l10 * m->m10, ridge);
	tri_number c21 = m->m21 - l20 * m->m10, c31 = m->m31 - l30 * m->m10;
	tri_number l21 = c21 * d1, l31 = c31 * d1;
	tri_number d2 = 1 / tri_max(m->m22 - l20 * m->m20 - l21 * c21, ridge);
	tri_number c32 = m->m32 - l30 * m->m20 - l31 * c21, l32 = c32 * d2;
	tri_number d3 = 1 / tri_max(m->m33 - l30 * m->m30 - l31 * c31 - l32 * c32, ridge);
	tri_number y0 = m->r0, y1 = m->r1 - l10 * y0, y2 = m->r2 - l20 * y0 - l21 * y1;
	tri_number y3 = m->r3 - l30 * y0 - l31 * y1 - l32 * y2;
	tri_four o;
	o.x3 = y3 * d3;
	o.x2 = y2 * d2 - l32 * o.x3;
	o.x1 = y1 * d1 - l21 * o.x2 - l31 * o.x3;
	o.x0 = y0 * d0 - l10 * o.x1 - l20 * o.x2 - l30 * o.x3;
	return o;
}

/* Penalty of the three borders of one triangle: gradient and Hessian of half the squared distances of a point beyond
 * the borders; zero inside. */
typedef struct tri_borders {
	tri_number gb, gc, hb, hc, both;
} tri_borders;

SCREE_FN tri_borders tri_borders_of(tri_weights w)
{
	tri_number over_b = tri_max(-w.b, 0), over_c = tri_max(-w.c, 0), over = tri_max(w.b + w.c - 1, 0);
	tri_number third = w.b + w.c >= 1 ? (tri_number)1 : (tri_number)0;
	tri_number first = w.b <= 0 ? (tri_number)1 : (tri_number)0, second = w.c <= 0 ? (tri_number)1 : (tri_number)0;
	tri_borders o = {over - over_b, over - over_c, first + third, second + third, third};
	return o;
}

typedef struct tri_newton {
	tri_places at;
	tri_number step; /* squared displacement of both points */
} tri_newton;

/* X - Y; the points may be outside. */
SCREE_FN tri3 tri_newton_between(const tri_pair *p, tri_places at)
{
	tri3 x = t3_madd(t3_madd(p->a0, at.a.b, t3_sub(p->a1, p->a0)), at.a.c, t3_sub(p->a2, p->a0));
	tri3 y = t3_madd(t3_madd(p->b0, at.b.b, t3_sub(p->b1, p->b0)), at.b.c, t3_sub(p->b2, p->b0));
	return t3_sub(x, y);
}

/* One Newton step on |X - Y|^2 + 1/2 P (squared distances beyond borders). */
SCREE_FN tri_newton tri_newton_step(const tri_pair *p, tri_places at)
{
	/* J: derivative of X - Y with respect to the weights */
	tri3 j0 = t3_sub(p->a1, p->a0), j1 = t3_sub(p->a2, p->a0), j2 = t3_sub(p->b0, p->b1), j3 = t3_sub(p->b0, p->b2);
	tri3 w = tri_newton_between(p, at);
	tri_system m;
	m.m00 = 2 * t3_dot(j0, j0), m.m11 = 2 * t3_dot(j1, j1), m.m22 = 2 * t3_dot(j2, j2), m.m33 = 2 * t3_dot(j3, j3);
	tri_number mean = (tri_number)0.25 * (m.m00 + m.m11 + m.m22 + m.m33);
	tri_number penalty = TRI_PENALTY * mean, ridge = TRI_RIDGE * mean;
	tri_borders a = tri_borders_of(at.a), b = tri_borders_of(at.b);
	m.m00 += penalty * a.hb + ridge, m.m11 += penalty * a.hc + ridge;
	m.m22 += penalty * b.hb + ridge, m.m33 += penalty * b.hc + ridge;
	m.m10 = 2 * t3_dot(j0, j1) + penalty * a.both, m.m32 = 2 * t3_dot(j2, j3) + penalty * b.both;
	m.m20 = 2 * t3_dot(j0, j2), m.m21 = 2 * t3_dot(j1, j2), m.m30 = 2 * t3_dot(j0, j3), m.m31 = 2 * t3_dot(j1, j3);
	m.r0 = 2 * t3_dot(j0, w) + penalty * a.gb, m.r1 = 2 * t3_dot(j1, w) + penalty * a.gc;
	m.r2 = 2 * t3_dot(j2, w) + penalty * b.gb, m.r3 = 2 * t3_dot(j3, w) + penalty * b.gc;
	/* if both triangles are points, there are no edges and nothing to solve */
	tri_four d = tri_solve(&m, mean > 0 ? ridge : 1);
	tri3 on_a = t3_madd(t3_mul(d.x0, j0), d.x1, j1), on_b = t3_madd(t3_mul(d.x2, j2), d.x3, j3);
	tri_places next = {{at.a.b - d.x0, at.a.c - d.x1}, {at.b.b - d.x2, at.b.c - d.x3}};
	tri_newton o = {next, t3_dot(on_a, on_a) + t3_dot(on_b, on_b)};
	return o;
}

/* Returns the point of a closest to the guess on b, then the point of b closest to that point (eq. 7). */
SCREE_FN tri_places tri_projected(const tri_pair *p, tri_places guess)
{
	tri3 y = tri_point_b(p, tri_weights_inside(guess.b));
	tri_places o;
	o.a = tri_weights_inside(tri_closest(t3_sub(p->a0, y), t3_sub(p->a1, p->a0), t3_sub(p->a2, p->a0)));
	tri3 x = tri_point_a(p, o.a);
	o.b = tri_weights_inside(tri_closest(t3_sub(p->b0, x), t3_sub(p->b1, p->b0), t3_sub(p->b2, p->b0)));
	return o;
}

/* The edge of a triangle nearest to a point: its start and direction, and the weights of both. */
typedef struct tri_edge {
	tri3 from, along;
	tri_weights start, way;
} tri_edge;

SCREE_FN tri_edge tri_edge_near(tri3 a, tri3 b, tri3 c, tri_weights w)
{
	tri_number rest = 1 - w.b - w.c;
	bool ab = (bool)((w.c <= w.b) & (w.c <= rest)), bc = (bool)(!ab & (rest < w.b));
	tri3 from = t3_pick(bc, b, a), along = t3_sub(t3_pick(ab, b, c), from);
	tri_edge o = {from, along, tri_weights_of(bc ? 1 : 0, 0), tri_weights_of(ab ? 1 : bc ? -1 : 0, ab ? 0 : 1)};
	return o;
}

/* Returns the closer pair of these two points and the closest points of the edges nearest to them. Alternating
 * projections would need infinitely many steps to reach the crossing of two edges. */
SCREE_FN tri_places tri_edged(const tri_pair *p, tri_places at)
{
	tri_edge a = tri_edge_near(p->a0, p->a1, p->a2, at.a), b = tri_edge_near(p->b0, p->b1, p->b2, at.b);
	tri_segments g = tri_segments_closest(t3_sub(a.from, b.from), a.along, b.along);
	tri_places o;
	o.a = tri_weights_inside(tri_weights_of(a.start.b + g.s * a.way.b, a.start.c + g.s * a.way.c));
	o.b = tri_weights_inside(tri_weights_of(b.start.b + g.t * b.way.b, b.start.c + g.t * b.way.c));
	tri3 was = tri_between(p, at), is = tri_between(p, o);
	bool better = t3_dot(is, is) < t3_dot(was, was);
	o.a.b = better ? o.a.b : at.a.b, o.a.c = better ? o.a.c : at.a.c;
	o.b.b = better ? o.b.b : at.b.b, o.b.c = better ? o.b.c : at.b.c;
	return o;
}

#endif
