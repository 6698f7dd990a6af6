/* convex_patch: finds the part of the other body below a reference face, and its depth.
 *
 * The lower surface of the other body, seen along the normal n of the reference face, is cut by the prism over that
 * face and by the plane of that face. The remaining part of each face of this surface is a polygon with an overlap at
 * each corner; the overlap is linear in between. All computations are in the plane of the reference face, projected
 * along the axis closest to n: two coordinates and the overlap.
 *
 * Weights are areas. The weight of a corner is half the area of the two triangles formed with its neighbours and the
 * polygon's centroid. For any f that is linear in the overlap, the sum of w_i f_i is then the mean over the area. Sums
 * of w_i f(overlap_i) are therefore continuous when a corner splits on an edge, an edge shrinks to nothing, or a
 * polygon appears or breaks up. The face with the normal closest to -n keeps its corners. Each other face adds one
 * point, with the force and the moment of its corners. Faces much steeper than the flattest face are faded out: a cube
 * on another cube has one polygon, and rolls over an edge or a corner continuously (docs/theory/convex.md). */
#include "narrow/solid/convex_pair.h"

#include "base/memory.h"
#include "narrow/touch_list.h"

enum { ROOM = 64, ARRAYS = 13, POINTS_OF_MAIN = PATCH_POINTS / 2 };

/* cosine of a face's angle to -n, relative to the cosine for the flattest face, above which the face counts partly, and
 * above which it counts fully */
static const real STEEP = 0.1, FLAT = 0.3;

/* tolerance, relative to scale, without which a touch of depth 0 or at the border of the face would have no area */
static const real SLACK = 1e-12;

/* A polygon in the plane of the reference face, or arrays with room for one. */
typedef struct polygon {
	int32_t count;
	real *p, *q, *deep;
} polygon;

/* The reference face (of body ref), the other body (inc), and scratch memory. */
typedef struct stage {
	const shape *ref, *inc;
	real ref_size, inc_size;
	mat3 turn;	/* rotation from inc's frame to ref's frame */
	vec3 at, n; /* centre of inc and the normal, in ref's frame */
	real off;
	real slack;			/* distance above and around the face that still counts as touching */
	int32_t face, drop; /* drop: the axis closest to n */
	real sign, inverse; /* sign and inverse of the component of n along that axis */
	real *vp, *vq, *vd; /* [inc->padded] vertices of inc: projected to the plane along n, and their overlaps */
	real *rp, *rq;		/* corners of the reference face */
	int32_t corners;
	polygon from, to; /* memory for clipping */
	real pp, pq, qq;  /* the plane's coordinates perpendicular to n: x = pp p + pq q, y = qq q */
	vec3 origin, along_p, along_q,
		along_deep; /* for converting coordinates and overlap to a point, in world axes relative to a's centre */
} stage;

static void component(vec3 v, int32_t drop, real *p, real *q, real *rest)
{
	*p = drop == 0 ? v.y : drop == 1 ? v.z : v.x;
	*q = drop == 0 ? v.z : drop == 1 ? v.x : v.y;
	*rest = drop == 0 ? v.x : drop == 1 ? v.y : v.z;
}

static vec3 composed(real p, real q, real rest, int32_t drop)
{
	return drop == 0 ? v3(rest, p, q) : drop == 1 ? v3(q, rest, p) : v3(p, q, rest);
}

/* Projects the vertices of the other body along n to the reference plane, and stores their distances. */
static void project_vertices(stage *s)
{
	const shape *o = s->inc;
	mat3 t = mat3_transposed(s->turn);
	real np, nq, nr, ap, aq, ar;
	component(s->n, s->drop, &np, &nq, &nr);
	component(s->at, s->drop, &ap, &aq, &ar);
	vec3 tp = s->drop == 0 ? t.y : s->drop == 1 ? t.z : t.x, tq = s->drop == 0 ? t.z : s->drop == 1 ? t.x : t.y;
	vec3 m = mat3_tmul(s->turn, s->n);
	real size = s->inc_size, base = s->off - v3_dot(s->n, s->at);
	const real *x = o->vx, *y = o->vy, *z = o->vz;
	real *vp = s->vp, *vq = s->vq, *vd = s->vd;
	int32_t count = o->padded;
#pragma omp simd
	for (int32_t k = 0; k < count; ++k) {
		real deep = base - size * (m.x * x[k] + m.y * y[k] + m.z * z[k]);
		vp[k] = ap + size * (tp.x * x[k] + tp.y * y[k] + tp.z * z[k]) + deep * np;
		vq[k] = aq + size * (tq.x * x[k] + tq.y * y[k] + tq.z * z[k]) + deep * nq;
		vd[k] = deep;
	}
}

static void project_reference(stage *s)
{
	const shape *o = s->ref;
	const int32_t *corner = o->corner + o->first[s->face];
	for (int32_t k = 0; k < s->corners; ++k) {
		real rest;
		component(v3_mul(s->ref_size, shape_vertex(o, corner[k])), s->drop, s->rp + k, s->rq + k, &rest);
	}
}

/* Removes the part of the polygon with side < 0 (Sutherland and Hodgman 1974). The result is in s->from. */
static void cut(stage *s, const real *side)
{
	const polygon *a = &s->from;
	polygon *b = &s->to;
	int32_t n = 0, crossings = 0; /* a line crosses a convex polygon at most twice; more is rounding error */
	for (int32_t i = 0; i < a->count; ++i) {
		int32_t k = i + 1 < a->count ? i + 1 : 0;
		if (side[i] >= 0) {
			b->p[n] = a->p[i];
			b->q[n] = a->q[i];
			b->deep[n++] = a->deep[i];
		}
		if (((side[i] < 0 && side[k] > 0) || (side[i] > 0 && side[k] < 0)) && crossings++ < 2) {
			real t = side[i] / (side[i] - side[k]);
			b->p[n] = a->p[i] + t * (a->p[k] - a->p[i]);
			b->q[n] = a->q[i] + t * (a->q[k] - a->q[i]);
			b->deep[n++] = a->deep[i] + t * (a->deep[k] - a->deep[i]);
		}
	}
	b->count = n;
	polygon swap = s->from;
	s->from = s->to;
	s->to = swap;
}

static void clip(stage *s, real *side)
{
	int32_t below = 0;
	for (int32_t i = 0; i < s->from.count; ++i) {
		side[i] = s->from.deep[i] + s->slack;
		below |= side[i] < 0;
	}
	if (below) cut(s, side);
	for (int32_t k = 0; k < s->corners && s->from.count; ++k) {
		int32_t next = k + 1 < s->corners ? k + 1 : 0, outside = 0;
		real p0 = s->rp[k], q0 = s->rq[k], ep = s->sign * (s->rp[next] - p0), eq = s->sign * (s->rq[next] - q0);
		real slack = s->slack * (real_abs(ep) + real_abs(eq));
		for (int32_t i = 0; i < s->from.count; ++i) {
			side[i] = ep * (s->from.q[i] - q0) - eq * (s->from.p[i] - p0) + slack;
			outside |= side[i] < 0;
		}
		if (outside) cut(s, side);
	}
}

/* Finds the centroid of the area, because the mean of the corners would jump when a corner splits. Triangles count as
 * positive, because rounding may flip slivers. */
static void centroid(const polygon *a, real *p, real *q)
{
	real p0 = a->p[0], q0 = a->q[0], op = a->p[1] - p0, oq = a->q[1] - q0, mp = 0, mq = 0, total = 0;
	for (int32_t i = 2; i < a->count; ++i) {
		real np = a->p[i] - p0, nq = a->q[i] - q0, t = real_abs(op * nq - oq * np);
		mp += t * (op + np);
		mq += t * (oq + nq);
		total += t;
		op = np;
		oq = nq;
	}
	real inverse = total > 0 ? 1 / (3 * total) : 0;
	*p = p0 + mp * inverse;
	*q = q0 + mq * inverse;
}

/* Writes twice the area of each corner to `share`; returns twice the total area. With the centroid as the midpoint, the
 * sum of w_i f_i is the mean of a linear f over the polygon. */
static real shares(const polygon *a, real *share)
{
	real mp, mq, total = 0;
	centroid(a, &mp, &mq);
	int32_t last = a->count - 1;
	real before = 0, op = a->p[last] - mp, oq = a->q[last] - mq;
	for (int32_t i = 0; i <= last; ++i) { /* the triangle of the previous and the current corner */
		real np = a->p[i] - mp, nq = a->q[i] - mq;
		real t = real_abs(op * nq - oq * np); /* rounding may flip slivers */
		share[i] = t / 2;
		if (i > 0) share[i - 1] += t / 2;
		before = i > 0 ? before : t / 2;
		total += t;
		op = np;
		oq = nq;
	}
	share[last] += before;
	return total;
}

/* Several corners or polygons merged into one point with the same force and moment. */
typedef struct lump {
	real weight, force; /* sums of weights and of weight times overlap */
	real p, q, fp, fq;	/* moments of the weights and of the forces */
} lump;

static void lump_add(lump *l, real weight, real p, real q, real deep)
{
	real force = weight * real_max(deep, 0);
	l->weight += weight;
	l->force += force;
	l->p += weight * p;
	l->q += weight * q;
	l->fp += force * p;
	l->fq += force * q;
}

/* Adds a point of the patch, midway between the surfaces. */
SCREE_FN void emit(const stage *s, real weight, real p, real q, real deep, patch *out)
{
	int32_t i = out->points++;
	deep = deep > 0 ? deep : 0;
	out->at[i] = v3_madd(v3_madd(v3_madd(s->origin, p, s->along_p), q, s->along_q), deep, s->along_deep);
	out->deep[i] = deep;
	out->weight[i] = weight;
}

/* Adds a polygon to a pressure sum; the pressure is the overlap times the factor. */
static void press(const stage *s, const polygon *a, real factor, pressure *on)
{
	for (int32_t i = 0; i < a->count; ++i)
		pressure_corner_add(on, s->pp * a->p[i] + s->pq * a->q[i], s->qq * a->q[i], factor * a->deep[i]);
	scree_pressure_close(on);
}

static void emit_lump(const stage *s, const lump *l, patch *out)
{
	if (!(l->weight > 0)) return;
	bool pushes = l->force > 0;
	real w = pushes ? l->force : l->weight;
	emit(s, l->weight, (pushes ? l->fp : l->p) / w, (pushes ? l->fq : l->q) / w, l->force / l->weight, out);
}

/* Adds the corners of the polygon as points, or adds groups of neighbouring corners if a patch has no room for all. */
static void emit_corners(const stage *s, const polygon *a, const real *share, real factor, patch *out)
{
	int32_t group = (a->count + POINTS_OF_MAIN - 1) / POINTS_OF_MAIN;
	if (group == 1) {
		for (int32_t i = 0; i < a->count; ++i) emit(s, factor * share[i], a->p[i], a->q[i], a->deep[i], out);
		return;
	}
	for (int32_t i = 0; i < a->count;) {
		lump l = {0};
		for (int32_t end = i + group; i < end && i < a->count; ++i)
			lump_add(&l, factor * share[i], a->p[i], a->q[i], a->deep[i]);
		emit_lump(s, &l, out);
	}
}

/* Copies face g of the other body to s->from; returns false if the face is not near the reference plane. */
static bool load(stage *s, int32_t g)
{
	const shape *o = s->inc;
	int32_t n = 0, below = 0;
	for (int32_t k = o->first[g]; k < o->first[g + 1]; ++k, ++n) {
		int32_t v = o->corner[k];
		s->from.p[n] = s->vp[v];
		s->from.q[n] = s->vq[v];
		s->from.deep[n] = s->vd[v];
		below |= s->vd[v] > -s->slack;
	}
	s->from.count = n;
	return below;
}

/* Computes the patch from all faces; returns twice its area projected along the dropped axis. slope[g]: cosine of the
 * angle between face g's normal and n */
static real collect(stage *s, const real *slope, int32_t flattest, real *side, patch *out)
{
	real total = 0;
	pressure on;
	pressure_start(&on);
	lump rest = {0};
	real steep = STEEP * slope[flattest], ramp = 1 / ((FLAT - STEEP) * slope[flattest]);
	for (int32_t turn = 0; turn <= s->inc->faces; ++turn) { /* start with the flattest face */
		int32_t g = turn ? turn - 1 : flattest;
		if (!(slope[g] < steep) || (turn && g == flattest) || !load(s, g)) continue;
		clip(s, side);
		if (s->from.count < 3) continue;
		real factor = real_min((slope[g] - steep) * ramp, 1), area = factor * shares(&s->from, side);
		if (!(area > 0)) continue;
		total += area;
		press(s, &s->from, factor, &on);
		if (g == flattest) {
			emit_corners(s, &s->from, side, factor, out);
			continue;
		}
		lump l = {0};
		lump *to = out->points < PATCH_POINTS - 2 ? &l : &rest; /* one point is reserved for edges */
		for (int32_t i = 0; i < s->from.count; ++i)
			lump_add(to, factor * side[i], s->from.p[i], s->from.q[i], s->from.deep[i]);
		emit_lump(s, &l, out);
	}
	emit_lump(s, &rest, out);
	out->arm = scree_pressure_arm(&on);
	return total;
}

static void set_stage(const convex_pair *c, const convex_axis *face, stage *s)
{
	bool of_a = face->code <= c->a->faces;
	s->face = (int32_t)(face->code - 1 - (of_a ? 0 : c->a->faces));
	s->ref = of_a ? c->a : c->b;
	s->inc = of_a ? c->b : c->a;
	s->ref_size = of_a ? c->sa : c->sb;
	s->inc_size = of_a ? c->sb : c->sa;
	s->turn = of_a ? c->turn : mat3_transposed(c->turn);
	s->at = of_a ? c->apart : c->apart_b;
	s->n = shape_normal(s->ref, s->face);
	s->slack = SLACK * c->scale;
	s->off = s->ref_size * s->ref->off[s->face];
	s->corners = s->ref->first[s->face + 1] - s->ref->first[s->face];
	real x = real_abs(s->n.x), y = real_abs(s->n.y), z = real_abs(s->n.z);
	s->drop = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
	real p, q, rest;
	component(s->n, s->drop, &p, &q, &rest);
	s->sign = rest < 0 ? -1 : 1;
	s->inverse = 1 / rest;
	mat3 world = of_a ? c->at_a->turn : c->at_b->turn;
	vec3 zero = mat3_mul(world, composed(0, 0, s->off * s->inverse, s->drop));
	s->origin = of_a ? zero : v3_add(v3_sub(c->at_b->at, c->at_a->at), zero);
	s->along_p = mat3_mul(world, composed(1, 0, -p * s->inverse, s->drop));
	s->along_q = mat3_mul(world, composed(0, 1, -q * s->inverse, s->drop));
	s->along_deep = v3_mul((real)-0.5, mat3_mul(world, s->n));
	real ap = p * s->inverse, aq = q * s->inverse, pp = 1 + ap * ap; /* |along_p|^2; along_p . along_q = ap aq */
	s->pp = sqrt(pp);
	s->pq = ap * aq / s->pp;
	s->qq = sqrt(1 + aq * aq - s->pq * s->pq);
}

/* Computes the cosines between inc's normals and n; returns the face with the smallest cosine. */
static int32_t slopes(const stage *s, real *slope)
{
	const shape *o = s->inc;
	vec3 m = mat3_tmul(s->turn, s->n);
	int32_t best = 0, count = o->faces;
#pragma omp simd
	for (int32_t g = 0; g < count; ++g) slope[g] = m.x * o->nx[g] + m.y * o->ny[g] + m.z * o->nz[g];
	for (int32_t g = 1; g < count; ++g) best = slope[g] < slope[best] ? g : best;
	return best;
}

/* area, relative to the square of the scale, below which areas are rounding error */
static const real NOTHING = 1e-30;

real scree_convex_face_patch(const convex_pair *c, const convex_axis *face, patch *out)
{
	stage s;
	set_stage(c, face, &s);
	real small[ROOM * ARRAYS], *room = small;
	/* a cut adds at most one corner, and a face has at most as many corners as its body */
	int32_t unit = s.inc->padded + s.corners + 2;
	unit = unit > s.inc->faces ? unit : s.inc->faces;
	bool large = unit > ROOM;
	if (large) room = scree_alloc((size_t)unit * ARRAYS, sizeof *room);
	if (!large) unit = ROOM;
	s.vp = room, s.vq = room + unit, s.vd = room + 2 * unit;
	s.rp = room + 3 * unit, s.rq = room + 4 * unit;
	s.from = (polygon){0, room + 5 * unit, room + 6 * unit, room + 7 * unit};
	s.to = (polygon){0, room + 8 * unit, room + 9 * unit, room + 10 * unit};
	real *slope = room + 11 * unit, *side = room + 12 * unit;
	project_vertices(&s);
	project_reference(&s);
	int32_t flattest = slopes(&s, slope);
	out->arm = 0;
	real total = slope[flattest] < 0 ? collect(&s, slope, flattest, side, out) : 0;
	if (large) scree_free(room);
	if (!(total > NOTHING * c->scale * c->scale)) {
		out->points = 0;
		out->arm = 0;
		return 0;
	}
	real inverse = 1 / total;
	for (int32_t i = 0; i < out->points; ++i) out->weight[i] *= inverse;
	return total / 2 * real_abs(s.inverse);
}
