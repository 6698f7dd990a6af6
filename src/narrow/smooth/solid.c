/* solid: the distance between a smooth body and a convex polyhedron.
 *
 * The gap along a unit vector n from the body is n.x of the polyhedron's nearest corner minus n.x of the body's
 * farthest point. The maximum of the gap over all n is the distance, or minus the smallest overlap (gap.c). The normals
 * of the polyhedron divide the sphere of directions into cells: a point for each face, an arc for each edge, and a
 * spherical polygon for each corner. The walk starts at the best face and climbs from cell to cell. If the body's
 * farthest point is above the face or next to the edge, the maximum there is also the largest among all neighbours.
 *
 * If the body's core (gap.c) is apart from the polyhedron, there is only one maximum, which is certified by bounds.
 * Otherwise the overlap exceeds the body's smallest radius of curvature, and there may be several maxima. The sphere is
 * then divided into triangles until no triangle can contain a gap larger than the best gap found. */
#include "narrow/smooth/smooth.h"

enum { MOST_MOVES = 200, DEEP_PIECES = 6, MOST_LOOKS = 20000, MOST_OPEN = 200, OCTANTS = 8, ROUNDS = 4 };
/* relative to the body's size: distance beyond the border of a face or an edge at which points still count as above it;
 * rounding error of the gap; and, for each round of a search, the largest difference between the overlap found and the
 * smallest possible overlap */
static const real BEYOND = 1e-11, ROUNDING = 4e-15, MISSED[ROUNDS] = {1e-2, 1e-3, 1e-4, 1e-5};
/* tolerance of a certificate, relative to the body's size: boxy bodies determine points on flat sides only to 5e-3 */
static const real SLACK = 1e-3;

typedef struct meeting {
	smooth s; /* in the frame of the polyhedron */
	const shape *o;
	real size;
	bool deep; /* there may be several maxima */
} meeting;

typedef enum cell { CELL_FACE, CELL_EDGE, CELL_CORNER } cell;

typedef struct spot {
	cell in;
	int32_t face;		 /* CELL_FACE: the face; CELL_EDGE: the first of the edge's two faces */
	int32_t corner;		 /* CELL_EDGE: row of shape.corner where the edge starts on that face */
	int32_t vertex;		 /* CELL_CORNER */
	bool top;			 /* whether the gap is the largest among all nearby directions */
	vec3 n;				 /* from the body */
	real gap;			 /* m */
	vec3 on, at, nearby; /* the body's farthest point, relative to the centres of both bodies; the point nearest to it
							on the cell's edge or corner, or below the face */
} spot;

static vec3 vertex_of(const meeting *m, int32_t v) { return v3_mul(m->size, shape_vertex(m->o, v)); }

/* Returns the two planes normal to n, one touching the body and one through a point of the polyhedron. */
static spot spot_of(const meeting *m, cell in, vec3 n, vec3 through)
{
	const smooth_plane p = scree_smooth_plane(&m->s, n, v3_across(n));
	const vec3 at = v3_add(m->s.at, p.at);
	return (spot){.in = in,
				  .n = n,
				  .gap = v3_dot(n, v3_sub(through, m->s.at)) - p.reach,
				  .on = p.at,
				  .at = at,
				  .nearby = through};
}

static spot spot_of_face(const meeting *m, int32_t f)
{
	const vec3 out = shape_normal(m->o, f);
	spot x = spot_of(m, CELL_FACE, v3_neg(out), v3_mul(m->size * m->o->off[f], out));
	x.face = f;
	x.nearby = v3_madd(x.at, x.gap, x.n);
	return x;
}

static real inner_radius(const smooth *s) { return real_min(s->semi.x, real_min(s->semi.y, s->semi.z)) + s->round; }

static spot best_face(const meeting *m, real reach) /* stops at the first gap of at least `reach` */
{
	const real inner = inner_radius(&m->s);
	spot best = {.gap = -INFINITY};
	for (int32_t f = 0; f < m->o->faces && best.gap < reach; ++f) {
		const real height = v3_dot(shape_normal(m->o, f), m->s.at) - m->size * m->o->off[f];
		if (height - inner <= best.gap) continue; /* the body extends at least this far in any direction */
		const spot x = spot_of_face(m, f);
		if (x.gap > best.gap) best = x;
	}
	return best;
}

/* ------------------------------------------------------------------ edges */

typedef struct edge {
	const meeting *m;
	int32_t face[2], corner, end[2];
	vec3 from, along; /* unit vector, counter-clockwise on the first face */
	real length;
	vec3 n[2]; /* the directions of both faces */
} edge;

static edge edge_of(const meeting *m, int32_t f, int32_t corner)
{
	const shape *o = m->o;
	const int32_t next = corner + 1 < o->first[f + 1] ? corner + 1 : o->first[f];
	edge e = {.m = m, .face = {f, o->across[corner]}, .corner = corner, .end = {o->corner[corner], o->corner[next]}};
	e.from = vertex_of(m, e.end[0]);
	const vec3 way = v3_sub(vertex_of(m, e.end[1]), e.from);
	e.length = v3_norm(way);
	e.along = v3_mul(1 / e.length, way);
	for (int k = 0; k < 2; ++k) e.n[k] = v3_neg(shape_normal(o, e.face[k]));
	return e;
}

/* Returns the coordinate of the body's farthest point along an edge. */
static real foot_on(const edge *e, const spot *x) { return v3_dot(v3_sub(x->at, e->from), e->along); }

/* Returns the direction on an edge's arc at this fraction of the way from the first face to the second. */
static spot spot_on(const edge *e, real part)
{
	const vec3 n = v3_unit(v3_madd(v3_mul(1 - part, e->n[0]), part, e->n[1]));
	spot x = spot_of(e->m, CELL_EDGE, n, e->from);
	x.face = e->face[0];
	x.corner = e->corner;
	x.nearby = v3_madd(e->from, real_clamp(foot_on(e, &x), 0, e->length), e->along);
	return x;
}

static real slope_on(const void *of, real part)
{
	const edge *e = of;
	const spot x = spot_on(e, part);
	return v3_dot(v3_cross(e->along, x.n), v3_sub(e->from, x.at));
}

static spot better(const spot *x, const spot *y) { return y->gap > x->gap ? *y : *x; }

/* Finds the largest gap on the arc of an edge, including the arc's ends, which represent the faces. */
static spot best_on(const edge *e)
{
	const int pieces = e->m->deep ? DEEP_PIECES : 1;
	const spot first = spot_of_face(e->m, e->face[0]), last = spot_of_face(e->m, e->face[1]);
	spot best = better(&first, &last);
	real part[2] = {0, 0}, slope[2] = {slope_on(e, 0), 0};
	for (int k = 1; k <= pieces; ++k) {
		part[1] = (real)k / pieces, slope[1] = slope_on(e, part[1]);
		if (slope[0] > 0 && slope[1] < 0) {
			const spot x = spot_on(e, scree_smooth_zero(slope_on, e, part, slope));
			best = better(&best, &x);
		}
		part[0] = part[1], slope[0] = slope[1];
	}
	return best;
}

/* ------------------------------------------------------------------ the walk */

/* Moves from a face across the edge beyond which the body's farthest point is farthest. */
static spot beyond_face(const meeting *m, const spot *x)
{
	const vec3 out = v3_neg(x->n);
	int32_t corner = -1;
	real most = BEYOND * m->s.radius;
	for (int32_t k = m->o->first[x->face]; k < m->o->first[x->face + 1]; ++k) {
		const edge e = edge_of(m, x->face, k);
		const real far = v3_dot(v3_cross(e.along, out), v3_sub(x->at, e.from));
		if (far > most) most = far, corner = k;
	}
	spot same = *x;
	same.top = true;
	if (corner < 0) return same;
	edge e = edge_of(m, x->face, corner);
	return best_on(&e);
}

static spot spot_of_vertex(const meeting *m, int32_t v, vec3 n)
{
	spot x = spot_of(m, CELL_CORNER, n, vertex_of(m, v));
	x.vertex = v;
	return x;
}

static spot beyond_edge(const meeting *m, const spot *x)
{
	const edge e = edge_of(m, x->face, x->corner);
	const real foot = foot_on(&e, x), more = BEYOND * m->s.radius;
	spot same = *x;
	same.top = true;
	if (foot >= -more && foot <= e.length + more) return same;
	return spot_of_vertex(m, e.end[foot > 0], x->n);
}

/* The edge, or -1, on whose arc the path between two directions leaves a corner's polygon. */
static int32_t way_out(const meeting *m, int32_t v, vec3 from, vec3 to, int32_t *face)
{
	const shape *o = m->o;
	int32_t found = -1;
	real first = INFINITY;
	for (int32_t i = o->at_first[v]; i < o->at_first[v + 1]; ++i) {
		const int32_t f = o->at[i];
		int32_t k = o->first[f];
		while (o->corner[k] != v) ++k;
		const edge e = edge_of(m, f, k);
		const real before = real_max(v3_dot(from, e.along), 0), after = v3_dot(to, e.along);
		if (!(after < -BEYOND)) continue; /* the other end of the edge is not nearer */
		const real part = before / (before - after);
		if (part < first) first = part, found = k, *face = f;
	}
	return found;
}

/* Moves to the largest gap at a corner, or to the first edge on the way. */
static spot beyond_corner(const meeting *m, const spot *x)
{
	const smooth_gap up = scree_smooth_from(&m->s, x->nearby, x->n, m->deep);
	spot to = spot_of_vertex(m, x->vertex, up.normal);
	int32_t face = 0;
	const int32_t corner = way_out(m, x->vertex, x->n, to.n, &face);
	if (corner < 0) {
		to.top = true;
		return to;
	}
	edge e = edge_of(m, face, corner);
	return best_on(&e);
}

static spot walk(const meeting *m, spot x)
{
	static spot (*const beyond[])(const meeting *m, const spot *x) = {
		[CELL_FACE] = beyond_face, [CELL_EDGE] = beyond_edge, [CELL_CORNER] = beyond_corner};
	for (int k = 0; k < MOST_MOVES && !x.top; ++k) {
		const spot y = beyond[x.in](m, &x);
		const bool turns =
			x.in == CELL_EDGE && y.in == CELL_CORNER; /* moves to a neighbouring cell without a change in direction */
		if (!turns && !y.top && !(y.gap > x.gap + ROUNDING * m->s.radius)) break;
		if (y.gap < x.gap - ROUNDING * m->s.radius) break;
		x = y;
	}
	return x;
}

/* An upper bound on the distance minus the gap, infinite if the core touches the polyhedron. */
static real slack_of(const meeting *m, const spot *x)
{
	const real core = x->gap + m->s.sharp;
	if (!(core > 0) || !x->top) return INFINITY;
	return real_max(v3_norm(v3_sub(x->nearby, v3_madd(x->at, -m->s.sharp, x->n))) - core, 0);
}

/* ------------------------------------------------------------------ a search of all directions */

typedef struct triangle {
	vec3 p[3];
} triangle;

static int32_t nearest_vertex(const meeting *m, vec3 n)
{
	int32_t best = 0;
	real least = INFINITY;
	for (int32_t v = 0; v < m->o->vertices; ++v) {
		const real x = v3_dot(n, shape_vertex(m->o, v));
		if (x < least) least = x, best = v;
	}
	return best;
}

/* An upper bound, computed from the two points, on the gap in directions up to an angle alpha from this one. */
static real most_within(const spot *x, real cosine)
{
	const vec3 way = v3_sub(x->nearby, x->at);
	const real across = sqrt(real_max(v3_norm2(way) - x->gap * x->gap, 0));
	return x->gap * cosine + across * sqrt(real_max(1 - cosine * cosine, 0));
}

static int push_quarters(const triangle *t, triangle *open, int count)
{
	vec3 middle[3];
	for (int k = 0; k < 3; ++k) middle[k] = v3_unit(v3_add(t->p[k], t->p[(k + 1) % 3]));
	for (int k = 0; k < 3; ++k) open[count++] = (triangle){{t->p[k], middle[k], middle[(k + 2) % 3]}};
	open[count++] = (triangle){{middle[0], middle[1], middle[2]}};
	return count;
}

/* Returns a direction better than the given one, unless that is already the best to within `missed`. The number of
 * tests is limited, since many directions may be about as good as the best. */
static spot search(const meeting *m, spot best, real missed)
{
	triangle open[MOST_OPEN];
	int count = 0;
	for (int k = 0; k < OCTANTS; ++k) {
		const vec3 x = v3(k & 1 ? 1 : -1, 0, 0), y = v3(0, k & 2 ? 1 : -1, 0), z = v3(0, 0, k & 4 ? 1 : -1);
		open[count++] = (triangle){{x, y, z}};
	}
	for (int looks = 0; count > 0 && looks < MOST_LOOKS; ++looks) {
		const triangle t = open[--count];
		const vec3 n = v3_unit(v3_add(t.p[0], v3_add(t.p[1], t.p[2])));
		const spot x = spot_of_vertex(m, nearest_vertex(m, n), n);
		if (x.gap > best.gap + ROUNDING * m->s.radius) best = walk(m, x);
		const real cosine = real_min(v3_dot(n, t.p[0]), real_min(v3_dot(n, t.p[1]), v3_dot(n, t.p[2])));
		if (most_within(&x, cosine) > best.gap + missed && count + 4 <= MOST_OPEN)
			count = push_quarters(&t, open, count);
	}
	return best;
}

/* Climbs from several starting directions until bounds certify a maximum; if this fails, searches all directions. */
static spot best_of_all(meeting *m, spot x, real *slack)
{
	x = walk(m, x);
	*slack = slack_of(m, &x);
	if (*slack <= SLACK * m->s.radius) return x;
	m->deep = true;
	if (v3_norm2(m->s.at) > 0) {
		const vec3 n = v3_neg(v3_unit(m->s.at));
		const spot y = walk(m, spot_of_vertex(m, nearest_vertex(m, n), n));
		x = better(&x, &y);
		*slack = slack_of(m, &x);
	}
	if (*slack <= SLACK * m->s.radius) return x;
	for (int k = 0; k < ROUNDS; ++k) x = search(m, x, MISSED[k] * m->s.radius);
	*slack = slack_of(m, &x);
	return x;
}

/* Computed from the polyhedron's point, since points on flat sides of the body are poorly determined. */
static vec3 point_of(const meeting *m, const spot *x)
{
	return x->top ? v3_sub(v3_madd(x->nearby, -x->gap, x->n), m->s.at) : x->on;
}

smooth_gap scree_smooth_solid(const smooth *s, const placed *b, real reach)
{
	meeting m = {.s = *s, .o = b->shape, .size = b->size};
	m.s.at = mat3_tmul(b->turn, v3_sub(s->at, b->at));
	m.s.turn = (mat3){mat3_tmul(b->turn, s->turn.x), mat3_tmul(b->turn, s->turn.y), mat3_tmul(b->turn, s->turn.z)};
	spot x = best_face(&m, reach);
	real slack = INFINITY;
	if (x.gap < reach) x = best_of_all(&m, x, &slack);
	return (smooth_gap){.normal = mat3_mul(b->turn, x.n),
						.gap = x.gap,
						.on_a = mat3_mul(b->turn, point_of(&m, &x)),
						.slack = slack,
						.sure = slack <= SLACK * s->radius};
}
