/* face_patch.h: the part of a convex polyhedron below a reference face of another one, and its depth
 * (docs/theory/convex.md). The lower surface of the other body, seen along the normal n of the reference face, is cut
 * by the prism over that face and by the plane of that face. The remaining part of each face of this surface is a
 * polygon with an overlap that is linear between corners. All computations are in the plane of the reference face,
 * projected along the axis closest to n: two coordinates and the overlap.
 *
 * The weight of a corner is half the area of the two triangles formed with its neighbours and the polygon's centroid.
 * For any f that is linear in the overlap, the sum of w_i f_i is then the mean over the area. Sums of w_i f(overlap_i)
 * are therefore continuous when a corner splits on an edge, an edge shrinks to nothing, or a polygon appears or breaks
 * up. The face with the normal closest to -n keeps its corners. Each other face adds one point with the force and the
 * moment of its corners. Faces much steeper than the flattest face are faded out: a cube on another cube has one
 * polygon, and rolls over an edge or a corner continuously. */
#ifndef SCREE_KERNEL_FACE_PATCH_H
#define SCREE_KERNEL_FACE_PATCH_H

#include "kernel/cut.h"
#include "kernel/separating_axis.h"

enum { CONVEX_POINTS_OF_MAIN = CONVEX_POINTS / 2 };

/* cosine of a face's angle to -n, over the cosine for the flattest face, above which it counts partly, or fully */
SCREE_CONSTANT real FACE_STEEP = 0.1, FACE_FLAT = 0.3;
/* tolerance, relative to scale, without which a contact of depth 0 or at the border of the face would have no area */
SCREE_CONSTANT real FACE_SLACK = 1e-12;
SCREE_CONSTANT real FACE_NOTHING = 1e-30; /* areas below this, over scale squared, are rounding error */

/* The reference face, of body ref, and its plane, to which points of the other body, inc, are projected along n. */
typedef struct face_stage {
	int32_t of_b, face, corners; /* of_b: whether ref is the second body */
	int32_t drop;				 /* the axis closest to n */
	real ref_size, inc_size;
	real slack;				   /* distance above and around the face that still counts as touching */
	real sign, inverse;		   /* sign and inverse of the component of n along that axis */
	vec3 m;					   /* n in the frame of inc */
	vec3 to_p, to_q;		   /* both coordinates of the plane, as directions in the frame of inc */
	real ap, aq, np, nq, base; /* coordinates of the centre of inc and of n; depth of the centre of inc */
	real pp, pq, qq;		   /* the plane's coordinates perpendicular to n: x = pp p + pq q, y = qq q */
	vec3 origin, along_p, along_q,
		along_deep; /* for converting coordinates and overlap to a point, in world axes relative to a's centre */
} face_stage;

SCREE_FN void face_component(vec3 v, int32_t drop, real *p, real *q, real *rest)
{
	*p = drop == 0 ? v.y : drop == 1 ? v.z : v.x;
	*q = drop == 0 ? v.z : drop == 1 ? v.x : v.y;
	*rest = drop == 0 ? v.x : drop == 1 ? v.y : v.z;
}

SCREE_FN vec3 face_composed(real p, real q, real rest, int32_t drop)
{
	return drop == 0 ? v3(rest, p, q) : drop == 1 ? v3(q, rest, p) : v3(p, q, rest);
}

/* Finds the axes of projections. turn: from the frame of inc; at: the centre of inc */
SCREE_FN void face_set_projection(SCREE_GLOBAL face_stage *s, vec3 n, real off, mat3 turn, vec3 at)
{
	const mat3 t = mat3_transposed(turn);
	real np, nq, ap, aq, rest;
	face_component(n, s->drop, &np, &nq, &rest);
	face_component(at, s->drop, &ap, &aq, &rest);
	s->np = np, s->nq = nq, s->ap = ap, s->aq = aq;
	s->to_p = s->drop == 0 ? t.y : s->drop == 1 ? t.z : t.x;
	s->to_q = s->drop == 0 ? t.z : s->drop == 1 ? t.x : t.y;
	s->m = mat3_tmul(turn, n);
	s->base = off - v3_dot(n, at);
}

/* Finds the axes of points and of pressures. world: from the frame of ref; apart: the centre of b from that of a */
SCREE_FN void face_set_axes(SCREE_GLOBAL face_stage *s, vec3 n, real off, mat3 world, vec3 apart)
{
	real p, q, rest;
	face_component(n, s->drop, &p, &q, &rest);
	const real inverse = 1 / rest;
	s->sign = rest < 0 ? -1 : 1;
	s->inverse = inverse;
	const vec3 zero = mat3_mul(world, face_composed(0, 0, off * inverse, s->drop));
	s->origin = s->of_b ? v3_add(apart, zero) : zero;
	s->along_p = mat3_mul(world, face_composed(1, 0, -p * inverse, s->drop));
	s->along_q = mat3_mul(world, face_composed(0, 1, -q * inverse, s->drop));
	s->along_deep = v3_mul((real)-0.5, mat3_mul(world, n));
	real ap = p * inverse, aq = q * inverse, pp = 1 + ap * ap; /* |along_p|^2; along_p . along_q = ap aq */
	s->pp = sqrt(pp);
	s->pq = ap * aq / s->pp;
	s->qq = sqrt(1 + aq * aq - s->pq * s->pq);
}

SCREE_FN int32_t face_closest_axis(vec3 n)
{
	real x = real_abs(n.x), y = real_abs(n.y), z = real_abs(n.z);
	return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* code: of the reference face, as in convex_axis */
SCREE_FN void face_set_stage(const convex_pair *c, int64_t code, SCREE_GLOBAL face_stage *s)
{
	const bool of_a = code <= c->a->faces;
	SCREE_GLOBAL const convex_solid *ref = of_a ? c->a : c->b;
	const int32_t face = (int32_t)(code - 1 - (of_a ? 0 : c->a->faces));
	const vec3 n = convex_normal(ref, face);
	s->of_b = !of_a;
	s->face = face;
	s->corners = ref->first[face + 1] - ref->first[face];
	s->drop = face_closest_axis(n);
	s->ref_size = of_a ? c->sa : c->sb;
	s->inc_size = of_a ? c->sb : c->sa;
	s->slack = FACE_SLACK * c->scale;
	const real off = s->ref_size * ref->off[face];
	face_set_projection(s, n, off, of_a ? c->turn : mat3_transposed(c->turn), of_a ? c->apart : c->apart_b);
	face_set_axes(s, n, off, of_a ? c->at_a->turn : c->at_b->turn, v3_sub(c->at_b->at, c->at_a->at));
}

/* ------------------------------------------------------------------ projection */

/* A polygon in the plane of the reference face, in a caller's arrays. */
typedef struct face_polygon {
	int32_t count;
	SCREE_ROOM real *p, *q, *deep;
} face_polygon;

typedef struct face_clip {
	SCREE_GLOBAL const face_stage *at;
	SCREE_GLOBAL const convex_solid *ref, *inc;
	face_polygon from, to;
	SCREE_ROOM real *side;
#ifdef SCREE_CONVEX_SOLID
	/* tables of what a device computes where it is needed: vertices of inc, projected, and their overlaps; corners of
	 * the reference face; cosines of the angles between inc's normals and n */
	real *vp, *vq, *vd, *rp, *rq, *slope;
#else
	int32_t room; /* size of the arrays of both polygons, and of `side` */
	bool full;	  /* a polygon or the patch was too large */
#endif
} face_clip;

typedef struct face_point {
	real p, q, deep;
} face_point;

/* Projects a vertex of the other body along n to the reference plane. */
SCREE_FN face_point face_projected(SCREE_GLOBAL const face_stage *s, real x, real y, real z)
{
	face_point o;
	o.deep = s->base - s->inc_size * (s->m.x * x + s->m.y * y + s->m.z * z);
	o.p = s->ap + s->inc_size * (s->to_p.x * x + s->to_p.y * y + s->to_p.z * z) + o.deep * s->np;
	o.q = s->aq + s->inc_size * (s->to_q.x * x + s->to_q.y * y + s->to_q.z * z) + o.deep * s->nq;
	return o;
}

/* Corner k of the reference face, in the frame of its body. */
SCREE_FN face_point face_of_reference(SCREE_GLOBAL const face_stage *s, SCREE_GLOBAL const convex_solid *ref, int32_t k)
{
	face_point o;
	const vec3 v = v3_mul(s->ref_size, convex_vertex(ref, ref->corner[ref->first[s->face] + k]));
	face_component(v, s->drop, &o.p, &o.q, &o.deep);
	return o;
}

SCREE_FN real face_slope_of(vec3 m, real nx, real ny, real nz) { return m.x * nx + m.y * ny + m.z * nz; }

/* face_vertex: a projected vertex of inc; face_corner: corner k of the reference face; face_slope: cosine of the angle
 * between the normal of inc's face g and n; face_needs: notes that there is no room for a polygon */
#ifdef SCREE_CONVEX_SOLID
SCREE_FN face_point face_vertex(const face_clip *s, int32_t v) { return (face_point){s->vp[v], s->vq[v], s->vd[v]}; }
SCREE_FN face_point face_corner(const face_clip *s, int32_t k) { return (face_point){s->rp[k], s->rq[k], 0}; }
SCREE_FN real face_slope(const face_clip *s, int32_t g) { return s->slope[g]; }
SCREE_FN void face_needs(face_clip *s, bool more) { (void)s, (void)more; }
SCREE_FN bool face_full(const face_clip *s) { return (void)s, false; }
SCREE_FN int32_t face_room(const face_clip *s) { return (void)s, INT32_MAX; }
#else
SCREE_FN face_point face_vertex(const face_clip *s, int32_t v)
{
	return face_projected(s->at, s->inc->vx[v], s->inc->vy[v], s->inc->vz[v]);
}
SCREE_FN face_point face_corner(const face_clip *s, int32_t k) { return face_of_reference(s->at, s->ref, k); }
SCREE_FN real face_slope(const face_clip *s, int32_t g)
{
	return face_slope_of(s->at->m, s->inc->nx[g], s->inc->ny[g], s->inc->nz[g]);
}
SCREE_FN void face_needs(face_clip *s, bool more) { s->full |= more; }
SCREE_FN bool face_full(const face_clip *s) { return s->full; }
SCREE_FN int32_t face_room(const face_clip *s) { return s->room; }
#endif

SCREE_FN int32_t face_flattest(const face_clip *s)
{
	int32_t best = 0;
	real least = face_slope(s, 0);
	SCREE_ROLLED
	for (int32_t g = 1; g < s->inc->faces; ++g) {
		const real slope = face_slope(s, g);
		best = slope < least ? g : best;
		least = slope < least ? slope : least;
	}
	return best;
}

/* ------------------------------------------------------------------ clipping */

SCREE_FN void face_push(face_polygon *a, real p, real q, real deep)
{
	a->p[a->count] = p;
	a->q[a->count] = q;
	a->deep[a->count++] = deep;
}

/* Removes the part of the polygon with side < 0 (Sutherland and Hodgman 1974). The result is in s->from, and empty if
 * it might be too large: a cut adds at most one corner. */
SCREE_FN void face_cut(face_clip *s)
{
	const face_polygon *a = &s->from;
	face_polygon b = s->to;
	int32_t crossings = 0; /* a line crosses a convex polygon at most twice; more is rounding error */
	b.count = 0;
	face_needs(s, a->count == face_room(s));
	SCREE_ROLLED
	for (int32_t i = 0; i < a->count && !face_full(s); ++i) {
		const int32_t k = i + 1 < a->count ? i + 1 : 0;
		const real here = s->side[i], there = s->side[k];
		if (here >= 0) face_push(&b, a->p[i], a->q[i], a->deep[i]);
		if (((here < 0 && there > 0) || (here > 0 && there < 0)) && crossings++ < 2) {
			real t = here / (here - there);
			face_push(&b, a->p[i] + t * (a->p[k] - a->p[i]), a->q[i] + t * (a->q[k] - a->q[i]),
					  a->deep[i] + t * (a->deep[k] - a->deep[i]));
		}
	}
	s->to = s->from;
	s->from = b;
}

/* Cuts by the side of the prism over an edge of the reference face. */
SCREE_FN void face_cut_side(face_clip *s, face_point at, face_point next)
{
	const real ep = s->at->sign * (next.p - at.p), eq = s->at->sign * (next.q - at.q);
	const real slack = s->at->slack * (real_abs(ep) + real_abs(eq));
	int32_t outside = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < s->from.count; ++i) {
		s->side[i] = ep * (s->from.q[i] - at.q) - eq * (s->from.p[i] - at.p) + slack;
		outside |= s->side[i] < 0;
	}
	if (outside) face_cut(s);
}

SCREE_FN void face_cut_all(face_clip *s)
{
	int32_t below = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < s->from.count; ++i) {
		s->side[i] = s->from.deep[i] + s->at->slack;
		below |= s->side[i] < 0;
	}
	if (below) face_cut(s);
	SCREE_ROLLED
	for (int32_t k = 0; k < s->at->corners && s->from.count; ++k)
		face_cut_side(s, face_corner(s, k), face_corner(s, k + 1 < s->at->corners ? k + 1 : 0));
}

/* Copies face g of the other body to s->from; returns false if the face is not near the reference plane. */
SCREE_FN bool face_load(face_clip *s, int32_t g)
{
	const int32_t first = s->inc->first[g], count = s->inc->first[g + 1] - first;
	int32_t below = 0;
	s->from.count = 0;
	face_needs(s, count > face_room(s));
	SCREE_ROLLED
	for (int32_t k = 0; k < count && !face_full(s); ++k) {
		const face_point o = face_vertex(s, s->inc->corner[first + k]);
		face_push(&s->from, o.p, o.q, o.deep);
		below |= o.deep > -s->at->slack;
	}
	return below;
}

/* ------------------------------------------------------------------ points */

/* The mean of corners would jump when one splits. Triangles count as positive, because rounding may flip slivers. */
SCREE_FN void face_centroid(const face_polygon *a, real *p, real *q)
{
	real p0 = a->p[0], q0 = a->q[0], op = a->p[1] - p0, oq = a->q[1] - q0, mp = 0, mq = 0, total = 0;
	SCREE_ROLLED
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
SCREE_FN real face_shares(const face_polygon *a, SCREE_ROOM real *share)
{
	real mp, mq, total = 0;
	face_centroid(a, &mp, &mq);
	int32_t last = a->count - 1;
	real before = 0, op = a->p[last] - mp, oq = a->q[last] - mq;
	SCREE_ROLLED
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
typedef struct face_lump {
	real weight, force; /* sums of weights and of weight times overlap */
	real p, q, fp, fq;	/* moments of the weights and of the forces */
} face_lump;

SCREE_FN void face_lump_add(face_lump *l, real weight, real p, real q, real deep)
{
	real force = weight * real_max(deep, 0);
	l->weight += weight;
	l->force += force;
	l->p += weight * p;
	l->q += weight * q;
	l->fp += force * p;
	l->fq += force * q;
}

SCREE_FN void face_lump_corners(face_lump *l, const face_clip *s, real factor, int32_t from, int32_t to)
{
	SCREE_ROLLED
	for (int32_t i = from; i < to; ++i)
		face_lump_add(l, factor * s->side[i], s->from.p[i], s->from.q[i], s->from.deep[i]);
}

/* Adds a point of the patch, midway between the surfaces. */
SCREE_FN void face_emit(SCREE_GLOBAL const face_stage *s, real weight, real p, real q, real deep,
						SCREE_GLOBAL convex_points *out)
{
	int32_t i = out->points++;
	deep = deep > 0 ? deep : 0;
	out->at[i] = v3_madd(v3_madd(v3_madd(s->origin, p, s->along_p), q, s->along_q), deep, s->along_deep);
	out->deep[i] = deep;
	out->weight[i] = weight;
}

SCREE_FN void face_emit_lump(SCREE_GLOBAL const face_stage *s, const face_lump *l, SCREE_GLOBAL convex_points *out)
{
	if (!(l->weight > 0)) return;
	bool pushes = l->force > 0;
	real w = pushes ? l->force : l->weight;
	face_emit(s, l->weight, (pushes ? l->fp : l->p) / w, (pushes ? l->fq : l->q) / w, l->force / l->weight, out);
}

/* Adds the corners of the polygon as points, or adds groups of neighbouring corners if a patch has no room for all. */
SCREE_FN void face_emit_corners(const face_clip *s, real factor, SCREE_GLOBAL convex_points *out)
{
	const int32_t count = s->from.count, group = (count + CONVEX_POINTS_OF_MAIN - 1) / CONVEX_POINTS_OF_MAIN;
	SCREE_ROLLED
	for (int32_t i = 0; i < count && group == 1; ++i)
		face_emit(s->at, factor * s->side[i], s->from.p[i], s->from.q[i], s->from.deep[i], out);
	SCREE_ROLLED
	for (int32_t i = 0; i < count && group > 1; i += group) {
		face_lump l = {0, 0, 0, 0, 0, 0};
		face_lump_corners(&l, s, factor, i, i + group < count ? i + group : count);
		face_emit_lump(s->at, &l, out);
	}
}

/* Adds the polygon to a pressure sum; the pressure is the overlap times the factor. */
SCREE_FN void face_press(const face_clip *s, real factor, SCREE_GLOBAL convex_pressure *on)
{
	const face_polygon *a = &s->from;
	SCREE_ROLLED
	for (int32_t i = 0; i < a->count; ++i)
		convex_press(on, s->at->pp * a->p[i] + s->at->pq * a->q[i], s->at->qq * a->q[i], factor * a->deep[i]);
	convex_press_close(on);
}

/* main: whether this is the flattest face; rest: collects corners once there is no more room for points */
SCREE_FN void face_add(const face_clip *s, real factor, bool main, face_lump *rest, SCREE_GLOBAL convex_pressure *on,
					   SCREE_GLOBAL convex_points *out)
{
	face_press(s, factor, on);
	if (main) {
		face_emit_corners(s, factor, out);
		return;
	}
	const bool own = out->points < CONVEX_POINTS - 2; /* one point is reserved for edges */
	face_lump l = {0, 0, 0, 0, 0, 0};
	if (!own) l = *rest;
	face_lump_corners(&l, s, factor, 0, s->from.count);
	if (own)
		face_emit_lump(s->at, &l, out);
	else
		*rest = l;
}

/* Computes the patch from all faces; returns twice its area projected along the dropped axis, or 0 without room. */
SCREE_FN real face_collect(face_clip *s, SCREE_GLOBAL convex_pressure *on, SCREE_GLOBAL convex_points *out)
{
	const int32_t flattest = face_flattest(s);
	const real least = face_slope(s, flattest);
	if (!(least < 0)) return 0;
	const real steep = FACE_STEEP * least, ramp = 1 / ((FACE_FLAT - FACE_STEEP) * least);
	real total = 0;
	face_lump rest = {0, 0, 0, 0, 0, 0};
	SCREE_ROLLED
	for (int32_t turn = 0; turn <= s->inc->faces; ++turn) { /* start with the flattest face */
		const int32_t g = turn ? turn - 1 : flattest;
		const real slope = face_slope(s, g);
		if (!(slope < steep) || (turn && g == flattest)) continue;
		const bool near = face_load(s, g);
		if (near) face_cut_all(s);
		if (face_full(s)) return 0;
		if (!near || s->from.count < 3) continue;
		const real factor = real_min((slope - steep) * ramp, 1), area = factor * face_shares(&s->from, s->side);
		if (!(area > 0)) continue;
		total += area;
		face_needs(s, !convex_has_room(out, on, s->from.count));
		if (face_full(s)) return 0;
		face_add(s, factor, g == flattest, &rest, on, out);
	}
	face_emit_lump(s->at, &rest, out);
	return total;
}

/* Finds the points of the patch, in world axes relative to a's centre, and its pressure. Returns the area that it
 * covers on the reference face, or 0 if the patch has no points. */
SCREE_FN real face_patch(face_clip *s, real scale, SCREE_GLOBAL convex_pressure *on, SCREE_GLOBAL convex_points *out)
{
	const real total = face_collect(s, on, out);
	if (!(total > FACE_NOTHING * scale * scale)) {
		out->points = 0;
		return 0;
	}
	const real inverse = 1 / total;
	SCREE_ROLLED
	for (int32_t i = 0; i < out->points; ++i) out->weight[i] *= inverse;
	return total / 2 * real_abs(s->at->inverse);
}

/* ------------------------------------------------------------------ the contact */

/* Adds the point midway between the closest points of the two edges. */
SCREE_FN void convex_edge_point(const convex_pair *c, const convex_axis *edges, real weight,
								SCREE_GLOBAL convex_points *out)
{
	int32_t ea, eb;
	convex_edges_of(c, edges->code, &ea, &eb);
	vec3 u = v3_mul(c->sa, convex_edge(c->a, ea)), w = v3_mul(c->sb, mat3_mul(c->turn, convex_edge(c->b, eb)));
	vec3 p = convex_edge_start_a(c, ea), q = convex_edge_start_b(c, eb);
	real s, t;
	convex_closest(u, w, v3_sub(p, q), &s, &t);
	s = real_clamp(s, 0, 1);
	t = real_clamp(t, 0, 1);
	vec3 middle = v3_mul((real)0.5, v3_add(v3_madd(p, s, u), v3_madd(q, t, w)));
	int32_t i = out->points++;
	out->at[i] = mat3_mul(c->at_a->turn, middle);
	out->deep[i] = -edges->s;
	out->weight[i] = weight;
}

/* If a contact has no area due to rounding, adds the deepest vertex as the only point. */
SCREE_FN void convex_vertex_point(const convex_pair *c, const convex_axis *face, SCREE_GLOBAL convex_points *out)
{
	bool of_a = face->code <= c->a->faces;
	SCREE_GLOBAL const convex_placed *o = of_a ? c->at_b : c->at_a;
	SCREE_GLOBAL const convex_solid *solid = of_a ? c->b : c->a;
	vec3 n = mat3_mul(c->at_a->turn, of_a ? face->n : v3_neg(face->n)), m = mat3_tmul(o->turn, n);
	vec3 v = mat3_mul(o->turn, v3_mul(o->size, convex_vertex_at(solid, m, convex_lowest(solid, m))));
	if (of_a) v = v3_add(v, v3_sub(o->at, c->at_a->at));
	out->points = 1;
	out->arm = 0;
	out->at[0] = v3_madd(v, -face->s / 2, n);
	out->deep[0] = -face->s;
	out->weight[0] = 1;
}

SCREE_FN bool convex_has_edges(const convex_pair *c, const convex_axis *face, const convex_axis *edges)
{
	return edges->s > face->s + CONVEX_TIE * c->scale;
}

/* Returns the degree to which an edge axis replaces the deeper face axis: 0 in a tie, so that two almost parallel faces
 * do not alternate between a patch and one point. The edges carry a larger share of the force if the patch is small
 * compared with the square of the overlap, and all of it if the face is twice as deep. */
SCREE_FN real convex_edge_gain(const convex_pair *c, const convex_axis *face, const convex_axis *edges)
{
	return convex_has_edges(c, face, edges) ? (edges->s - face->s) / -face->s : 0; /* both are negative */
}

SCREE_CONSTANT real CONVEX_ALL = 0.5; /* gain from which on edges carry the whole force, without a patch */

SCREE_FN real convex_edge_share(real face, real gain, real area)
{
	real small = face * face / (face * face + area), x = 2 * gain;
	return x * (small + x * x * (1 - small));
}

/* Transfers the edges' share from the face's points to the point of the edges. */
SCREE_FN void convex_take_share(const convex_pair *c, const convex_axis *edges, real share,
								SCREE_GLOBAL convex_points *out)
{
	if (!(share < 1)) out->points = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < out->points; ++i) {
		out->weight[i] *= 1 - share;
		out->deep[i] = real_min(out->deep[i], -edges->s);
	}
	out->arm = share < 1 ? (1 - share) * out->arm : 0; /* crossing edges have no lever arm */
	if (share > 0) convex_edge_point(c, edges, share, out);
}

/* Completes a contact with points and arm of the face's patch. gain: convex_edge_gain; area: of the patch, or 0 */
SCREE_FN void convex_complete(const convex_pair *c, const convex_axis *face, const convex_axis *edges, real gain,
							  real area, SCREE_GLOBAL convex_points *out)
{
	bool edge = convex_has_edges(c, face, edges);
	vec3 n = face->n;
	if (edge) {
		real share = gain < CONVEX_ALL && area > 0 ? convex_edge_share(face->s, gain, area) : 1;
		convex_take_share(c, edges, share, out);
		n = v3_unit(v3_madd(v3_mul(1 - share, n), share, edges->n));
	} else if (!out->points) {
		convex_vertex_point(c, face, out);
	}
	out->normal = mat3_mul(c->at_a->turn, v3_neg(n)); /* from b to a */
	out->depth = edge ? -edges->s : -face->s;
}

#endif
