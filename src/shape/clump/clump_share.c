/* clump_share: volume and moments, in closed form, of the part of the unit ball on the near sides of several planes.
 *
 * in   planes x.u = h that cut the ball
 * out  integrals of 1, x, and x x^T over the remaining part
 *
 * On each plane j, the remaining part has a facet F: the intersection of a disc and a convex polygon. Let W be the part
 * of the ball behind a facet: the ball's sector over F minus the cone over F. The share is then
 *
 *     [centre is inside] ball - sum over j of sign(h) W(F)
 *
 * The centre is outside the share if any h < 0. Integrals over sectors and cones become sums over the straight sides
 * and the arcs of F (docs/theory/shapes.md). Decisions may be wrong due to rounding: a missed sliver of a facet changes
 * the integrals only by the sliver's contribution. Results stay accurate for planes near the centre, since solid angles
 * depend only on ratios of distances. */
#include "shape/clump/clump_share.h"

#include "base/maths.h"
#include "base/sort.h"

/* A facet in its plane, with its origin at the foot of the perpendicular from the centre; (e, f, u) is right-handed. */
typedef struct facet {
	vec3 u, e, f;
	real h, rho;	/* h: distance of the plane, >= 0; rho: radius of the disc */
	real angle;		/* solid angle of F */
	vec3 conormal;	/* integral of the outward conormal over the border of the sector on the unit sphere */
	real border[6]; /* integral of the products of this conormal with the points of that border, symmetric */
	real area, x, y, xx, yy, xy; /* integrals over F */
} facet;

void scree_add_product(real second[6], real weight, vec3 a, vec3 b)
{
	second[0] += weight * a.x * b.x;
	second[1] += weight * a.y * b.y;
	second[2] += weight * a.z * b.z;
	real half = weight / 2;
	second[3] += half * (a.x * b.y + a.y * b.x);
	second[4] += half * (a.x * b.z + a.z * b.x);
	second[5] += half * (a.y * b.z + a.z * b.y);
}

/* ------------------------------------------------------------------ the polygon */

/* The line a.y <= b where plane k crosses the plane of facet j, from sums or differences of normals, so that nearly
 * equal planes are compared accurately even if normals are not exact. Returns whether both planes face the same way. */
static bool crossing(const clump_plane *j, const clump_plane *k, vec3 e, vec3 f, real *ax, real *ay, real *b)
{
	bool along = v3_dot(j->u, k->u) > 0;
	vec3 apart = along ? v3_sub(k->u, j->u) : v3_add(k->u, j->u);
	real bend = v3_dot(k->u, apart); /* half the square of the difference for unit vectors */
	*ax = v3_dot(apart, e);
	*ay = v3_dot(apart, f);
	*b = along ? (k->h - j->h) + j->h * bend : (k->h + j->h) - j->h * bend;
	return along;
}

/* m x + n y - s at the start of an edge; (m, n) is a unit vector */
static real above(const clump_edge *g, real m, real n, real s) { return m * g->x + n * g->y - s; }

/* Returns the intersection of the line m x + n y = s with edge g, which has one end above the line. Unless nearly
 * parallel, both lines determine the point, so that the error of a corner near 0 is small relative to its distance. */
static clump_edge meet(const clump_edge *g, const clump_edge *next, real m, real n, real s)
{
	real sine = n * g->m - m * g->n, cosine = m * g->m + n * g->n;
	clump_edge at = *g;
	if (sine * sine > (real)0.01) {
		real along = (s - g->s * cosine) / sine;
		at.x = g->s * g->m - along * g->n, at.y = g->s * g->n + along * g->m;
	} else {
		real one = above(g, m, n, s), two = above(next, m, n, s), part = one / (one - two);
		at.x += part * (next->x - g->x), at.y += part * (next->y - g->y);
	}
	return at;
}

/* Cuts off the highest corner above the line m x + n y = s and its neighbours above the line. Other corners, above the
 * line due to rounding, are kept, so that at most one edge is added. Returns -1 if nothing is cut. */
static int32_t clip(const clump_edge *from, int32_t count, clump_edge *to, real m, real n, real s)
{
	int32_t top = 0, cut = 1;
	for (int32_t i = 1; i < count; ++i)
		if (above(&from[i], m, n, s) > above(&from[top], m, n, s)) top = i;
	if (!(above(&from[top], m, n, s) > 0)) return -1;
	int32_t first = top, last = top, before = (top + count - 1) % count, after = (top + 1) % count;
	for (; cut < count && above(&from[after], m, n, s) > 0; ++cut) last = after, after = (after + 1) % count;
	for (; cut < count && above(&from[before], m, n, s) > 0; ++cut)
		first = before, before = (before + count - 1) % count;
	if (cut == count) return 0;
	int32_t left = 0;
	to[left++] = meet(&from[last], &from[after], m, n, s);
	for (int32_t i = after; i != before; i = (i + 1) % count) to[left++] = from[i];
	to[left++] = from[before];
	to[left] = meet(&from[before], &from[first], m, n, s);
	to[left].m = m, to[left].n = n, to[left].s = s;
	return left + 1;
}

/* finds the polygon of plane j; *at is its position in `work` */
static int32_t polygon(int32_t j, int32_t count, const clump_plane *plane, const facet *t, clump_edge *work,
					   clump_edge **at)
{
	/* a square around the disc that does not touch it */
	const real wide = 2 * t->rho;
	clump_edge *now = work, *next = work + count + 4;
	now[0] = (clump_edge){wide, -wide, 1, 0, wide};
	now[1] = (clump_edge){wide, wide, 0, 1, wide};
	now[2] = (clump_edge){-wide, wide, -1, 0, wide};
	now[3] = (clump_edge){-wide, -wide, 0, -1, wide};
	int32_t edges = 4;
	for (int32_t k = 0; k < count && edges > 0; ++k) {
		if (k == j) continue;
		real ax, ay, b;
		bool along = crossing(&plane[j], &plane[k], t->e, t->f, &ax, &ay, &b);
		real size2 = ax * ax + ay * ay, reach = size2 * t->rho * t->rho;
		if (b * b >= reach) { /* beyond the disc; of equal planes only the first has a facet */
			if (b > 0 || (b == 0 && along && k > j)) continue;
			edges = 0;
			break;
		}
		real size = sqrt(size2);
		int32_t left = clip(now, edges, next, ax / size, ay / size, b / size);
		if (left < 0) continue;
		edges = left;
		SCREE_SWAP(now, next);
	}
	*at = now;
	return edges;
}

/* ------------------------------------------------------------------ sides and arcs of a facet */

static vec3 in_space(const facet *t, real x, real y) { return v3_madd(v3_mul(x, t->e), y, t->f); }

/* Returns the solid angle of a triangle from the foot to the nearest point of a line, at a distance s, and a length tau
 * along the line, to a distance r from the centre: atan(tau/s) - atan(h tau/(s r)) as one angle. */
static real corner_angle(real h, real s, real tau, real r)
{
	return scree_atan2(tau * s * (s * s + tau * tau), (s * s * r + h * tau * tau) * (r + h));
}

/* adds a straight side of F, from tau1 to tau2 on the line of an edge */
static void add_side(facet *t, const clump_edge *g, real tau1, real tau2)
{
	real h = t->h, s = g->s, near = sqrt(h * h + s * s);
	real r1 = sqrt(near * near + tau1 * tau1), r2 = sqrt(near * near + tau2 * tau2);
	vec3 out = in_space(t, g->m, g->n), along = in_space(t, -g->n, g->m);
	vec3 middle = v3_mul(1 / near, v3_madd(v3_mul(h, t->u), s, out));
	vec3 conormal = v3_mul(1 / near, v3_madd(v3_mul(h, out), -s, t->u));
	t->angle += corner_angle(h, s, tau2, r2) - corner_angle(h, s, tau1, r1);
	t->conormal = v3_madd(t->conormal, scree_atan2(tau2, near) - scree_atan2(tau1, near), conormal);
	vec3 points = v3_madd(v3_mul(tau2 / r2 - tau1 / r1, middle), near / r1 - near / r2, along);
	scree_add_product(t->border, 2, conormal, points);

	real px = s * g->m - tau1 * g->n, py = s * g->n + tau1 * g->m, qx = s * g->m - tau2 * g->n,
		 qy = s * g->n + tau2 * g->m, area = s * (tau2 - tau1) / 2, sx = px + qx, sy = py + qy;
	t->area += area;
	t->x += area / 3 * sx;
	t->y += area / 3 * sy;
	t->xx += area / 12 * (px * px + qx * qx + sx * sx);
	t->yy += area / 12 * (py * py + qy * qy + sy * sy);
	t->xy += area / 12 * (px * py + qx * qy + sx * sy);
}

/* adds an arc of the disc's border, from the direction p through `turn` to the direction q */
static void add_arc(facet *t, real px, real py, real qx, real qy, real turn)
{
	real rho = t->rho, h = t->h, pn = sqrt(px * px + py * py), qn = sqrt(qx * qx + qy * qy);
	px /= pn, py /= pn, qx /= qn, qy /= qn;
	/* integrals over the arc of the radial direction (cos, sin) and its products */
	real c = qy - py, s = px - qx, cs = (qy * qy - py * py) / 2;
	real skew = (qx * qy - px * py) / 2, cc = turn / 2 + skew, ss = turn / 2 - skew;
	t->angle += turn * rho * rho / (1 + h); /* turn (1 - h), since the ball has radius 1 */
	vec3 radial = in_space(t, c, s);
	t->conormal = v3_madd(t->conormal, rho * h, radial);
	t->conormal = v3_madd(t->conormal, -rho * rho * turn, t->u);
	scree_add_product(t->border, 2 * rho * (h * h - rho * rho), radial, t->u);
	real both = 2 * h * rho * rho;
	scree_add_product(t->border, both * cc, t->e, t->e);
	scree_add_product(t->border, both * ss, t->f, t->f);
	scree_add_product(t->border, 2 * both * cs, t->e, t->f);
	scree_add_product(t->border, -both * turn, t->u, t->u);

	real rho2 = rho * rho;
	t->area += rho2 / 2 * turn;
	t->x += rho2 * rho / 3 * c;
	t->y += rho2 * rho / 3 * s;
	t->xx += rho2 * rho2 / 4 * cc;
	t->yy += rho2 * rho2 / 4 * ss;
	t->xy += rho2 * rho2 / 4 * cs;
}

/* a walk around a facet along the polygon's sides where they are in the disc, and along arcs elsewhere */
typedef struct walk {
	facet *facet;
	bool outside;	 /* whether an arc has started */
	real px, py;	 /* the start of the arc */
	real x, y, turn; /* current point of the border, and the angle about the foot since the start of the arc */
} walk;

static void walk_outside(walk *w, real x, real y)
{
	w->turn += scree_atan2(w->x * y - w->y * x, w->x * x + w->y * y);
	w->x = x, w->y = y;
}

/* Follows one edge. An arc ends where the edge enters the disc. Flags of corners decide this, so borders are closed. */
static void walk_edge(walk *w, const clump_edge *g, const clump_edge *next, bool draw)
{
	facet *t = w->facet;
	real rho2 = t->rho * t->rho, left = rho2 - g->s * g->s, half = left > 0 ? sqrt(left) : 0;
	real first = g->y * g->m - g->x * g->n, last = next->y * g->m - next->x * g->n;
	bool in_first = g->x * g->x + g->y * g->y <= rho2, in_last = next->x * next->x + next->y * next->y <= rho2;
	bool crosses = in_first || in_last || (left > 0 && first < 0 && last > 0);
	if (!crosses) {
		if (draw) walk_outside(w, next->x, next->y);
		return;
	}
	real from = in_first ? first : -half, to = in_last ? last : half;
	if (draw && !in_first) {
		walk_outside(w, g->s * g->m - from * g->n, g->s * g->n + from * g->m);
		add_arc(t, w->px, w->py, w->x, w->y, w->turn);
	}
	if (draw) add_side(t, g, from, to);
	w->outside = !in_last;
	if (in_last) return;
	w->turn = 0;
	w->x = w->px = g->s * g->m - to * g->n, w->y = w->py = g->s * g->n + to * g->m;
	if (draw) walk_outside(w, next->x, next->y);
}

static void walk_round(facet *t, const clump_edge *edge, int32_t count)
{
	/* finds an edge that leaves the disc, to start at it */
	walk w = {.facet = t};
	int32_t start = 0;
	for (; start < count && !w.outside; ++start)
		walk_edge(&w, &edge[start], &edge[start + 1 < count ? start + 1 : 0], false);
	if (!w.outside) { /* the polygon is entirely inside or outside the disc, possibly around it */
		start = 0;
		w.x = w.px = edge[0].x, w.y = w.py = edge[0].y;
	} else {
		const clump_edge *next = &edge[start < count ? start : 0];
		walk_outside(&w, next->x, next->y);
	}
	bool leaves = w.outside;
	for (int32_t i = 0; i < count; ++i) {
		const clump_edge *g = &edge[(start + i) % count];
		const clump_edge *next = &edge[(start + i + 1) % count];
		walk_edge(&w, g, next, true);
	}
	bool inside = edge[0].x * edge[0].x + edge[0].y * edge[0].y <= t->rho * t->rho;
	if (!leaves && !inside && w.turn > SCREE_PI) add_arc(t, 1, 0, 1, 0, 2 * SCREE_PI);
}

/* ------------------------------------------------------------------ part behind a facet */

/* subtracts the part of the ball behind the facet, with this sign */
static void take_off(moments *sum, const facet *t, real sign)
{
	real h = t->h, flat = h * t->area;
	vec3 u = t->u, way = in_space(t, t->x, t->y);
	sum->volume -= sign * (t->angle - flat) / 3;
	vec3 cone = v3_madd(way, flat, u);
	vec3 first = v3_madd(v3_mul((real)-0.125, t->conormal), -h / 4, cone);
	sum->first = v3_madd(sum->first, -sign, first);
	real second[6];
	for (int k = 0; k < 6; ++k) second[k] = (k < 3 ? t->angle / 15 : 0) - t->border[k] / 30;
	real part = -h / 5;
	scree_add_product(second, part * h * flat, u, u);
	scree_add_product(second, part * 2 * h, u, way);
	scree_add_product(second, part * t->xx, t->e, t->e);
	scree_add_product(second, part * t->yy, t->f, t->f);
	scree_add_product(second, part * 2 * t->xy, t->e, t->f);
	for (int k = 0; k < 6; ++k) sum->second.m[k] -= sign * second[k];
}

moments scree_clump_share(int32_t count, const clump_plane *plane, clump_edge *work)
{
	moments sum = {0};
	bool inside = true;
	for (int32_t j = 0; j < count; ++j) inside &= plane[j].h > 0;
	if (inside) {
		sum.volume = 4 * SCREE_PI / 3;
		for (int k = 0; k < 3; ++k) sum.second.m[k] = 4 * SCREE_PI / 15;
	}
	for (int32_t j = 0; j < count; ++j) {
		real h = plane[j].h, left = (1 - h) * (1 + h);
		if (!(left > 0)) continue; /* the plane only touches the ball */
		facet t = {.h = real_abs(h), .rho = sqrt(left), .u = h > 0 ? plane[j].u : v3_neg(plane[j].u)};
		t.e = v3_across(t.u);
		t.f = v3_cross(t.u, t.e);
		clump_edge *edge;
		int32_t edges = polygon(j, count, plane, &t, work, &edge);
		if (!edges) continue;
		walk_round(&t, edge, edges);
		take_off(&sum, &t, h > 0 ? 1 : -1);
	}
	return sum;
}
