/* surface_round: finds contacts between a closed surface and a cylinder or a cone. Inside the wall, only vertices are
 * tested, since the wall is concave there. Outside the wall, edges may also have minima. The distance from the wall is
 * convex along an edge, so it has at most one minimum, known in closed form; the minima of a face are on its border.
 * The wall ends in circular rims, to which vertices, edges, and faces may be nearest. */
#include "narrow/surface/room.h"

enum {
	TUBE_SIDE,
	TUBE_FIRST,
	TUBE_SECOND,
	TUBE_LEVEL = 8 /* TUBE_LEVEL: first of four numbers, for points on a rim parallel to a face */
};

/* In the half plane of radius and height, the wall is a straight line (narrow/wall/sphere_round.c). */
typedef struct tube {
	vec3 point, axis; /* relative to the centre of body a */
	real radius[2], length, side, c, s;
	bool endless, inside;
	int32_t surface;
} tube;

static tube tube_of(const placed_surface *a, const wall *w)
{
	tube t = {.axis = w->axis, .length = w->length, .inside = w->side == SIDE_INSIDE, .surface = w->first_surface};
	t.point = v3_sub(w->point, a->at);
	t.radius[0] = w->radius, t.radius[1] = w->type == WALL_CONE ? w->radius2 : w->radius;
	t.endless = !(w->length < INFINITY);
	real taper = t.radius[1] - t.radius[0];
	t.side = t.endless ? INFINITY : sqrt(t.length * t.length + taper * taper);
	t.c = t.endless ? 1 : t.length / t.side, t.s = t.endless ? 0 : taper / t.side;
	return t;
}

/* The wall as seen from a point. */
typedef struct seen {
	int part;
	vec3 normal; /* from the wall to the point */
	real h;		 /* height above the wall; < 0 behind a side */
} seen;

static seen see_rim(const tube *t, vec3 r, vec3 e, int end)
{
	vec3 rim = v3_madd(v3_mul(t->radius[end], e), end ? t->length : 0, t->axis), d = v3_sub(r, rim);
	real far = v3_norm(d);
	return (seen){end ? TUBE_SECOND : TUBE_FIRST, far > 0 ? v3_mul(1 / far, d) : v3_mul(end ? 1 : -1, t->axis), far};
}

static seen see(const tube *t, vec3 p)
{
	vec3 r = v3_sub(p, t->point);
	real z = v3_dot(r, t->axis);
	vec3 across = v3_madd(r, -z, t->axis);
	real rho = v3_norm(across);
	vec3 e = rho > 0 ? v3_mul(1 / rho, across) : v3_across(t->axis);
	real along = (rho - t->radius[0]) * t->s + z * t->c;
	if (!t->endless && !(along >= 0 && along <= t->side)) return see_rim(t, r, e, along > 0);
	real f = (rho - t->radius[0]) * t->c - z * t->s;
	vec3 n = v3_madd(v3_mul(t->c, e), -t->s, t->axis);
	return t->inside ? (seen){TUBE_SIDE, v3_neg(n), -f} : (seen){TUBE_SIDE, n, f};
}

static void found(surface_job *j, const tube *t, feature f, vec3 x, const seen *w, int32_t which)
{
	const vec3 own = mat3_tmul(j->a.turn, v3_neg(w->normal));
	const real slack = LEVEL + (w->part == TUBE_SIDE ? 0 : w->h > 0 ? 2 * j->snap / w->h : 2);
	const bool good = f.kind == FEATURE_EDGE ? scree_skin_edge_nearest(&j->a, f.side, own, slack)
											 : scree_skin_vertex_nearest(&j->a, f.side, own, slack);
	if (good)
		scree_surface_found_wall(j, f, x, w->normal, w->h, t->surface, (uint32_t)(w->part + 4 * which));
	else
		++j->counts->no_minima;
}

static void vertex_and_tube(surface_job *j, const tube *t, int32_t corner)
{
	const skin *s = &j->a;
	if (s->first[s->corner[corner]] != corner) return;
	const vec3 x = skin_corner(s, corner);
	const seen w = see(t, x);
	if (w.h > j->reach) return;
	if (w.part == TUBE_SIDE && w.h < 0) {
		/* a point that passed through the wall of a finite tube may be next to the tube */
		if (!t->endless) return;
		j->crossed = true;
	}
	found(j, t, (feature){FEATURE_VERTEX, corner}, x, &w, 0);
}

typedef struct edge {
	int32_t side;
	vec3 p, u;
} edge;

static vec3 along(const edge *e, real s) { return v3_madd(e->p, s, e->u); }

static bool within(const surface_job *j, const edge *e, real s)
{
	const real snap = j->snap / v3_norm(e->u);
	return s > snap && s < 1 - snap;
}

/* Returns the minimum of c rho - s z along the edge, where c (A x + B)/rho = k, or NAN if there is none. */
static real nearest_to_side(const tube *t, const edge *e)
{
	vec3 r = v3_sub(e->p, t->point);
	real z = v3_dot(r, t->axis), w = v3_dot(e->u, t->axis);
	vec3 p = v3_madd(r, -z, t->axis), u = v3_madd(e->u, -w, t->axis);
	real a = v3_norm2(u), b = v3_dot(p, u), k = t->s * w, steep = t->c * t->c * a - k * k;
	if (!(a > (real)1e-22 * v3_norm2(e->u)) || !(steep > 0)) return (real)NAN;
	real area2 = v3_norm2(v3_cross(p, u)); /* A C - B^2 */
	return (k * sqrt(area2 / steep) - b) / a;
}

static void edge_and_side(surface_job *j, const tube *t, const edge *e)
{
	const real s = nearest_to_side(t, e);
	if (!within(j, e, s)) return;
	const vec3 x = along(e, s);
	const seen w = see(t, x);
	if (w.part != TUBE_SIDE || w.h > j->reach) return;
	if (w.h < 0) {
		const seen p = see(t, e->p), q = see(t, along(e, 1));
		if ((p.part == TUBE_SIDE && p.h > 0) || (q.part == TUBE_SIDE && q.h > 0)) j->crossed = true;
		return;
	}
	const real ends = real_max(see(t, e->p).h, see(t, along(e, 1)).h);
	if (ends - w.h <= j->snap) return; /* the edge is parallel to the wall, so testing its ends is sufficient */
	found(j, t, (feature){FEATURE_EDGE, e->side}, x, &w, 0);
}

static void edge_through_side(surface_job *j, const tube *t, const edge *e)
{
	const seen p = see(t, e->p), q = see(t, along(e, 1));
	if (p.part == TUBE_SIDE && q.part == TUBE_SIDE && (p.h < 0) != (q.h < 0)) j->crossed = true;
}

/* PLACES: number of samples along an edge; the distance from a circle has at most two minima on an edge. */
enum { PLACES = 16, HALVINGS = 48 };

static real to_tube(const tube *t, const edge *e, real s) { return real_abs(see(t, along(e, s)).h); }

/* Golden-section search between `low` and `high` if the value at a point between them is less than at both ends. */
static real least_between(const tube *t, const edge *e, real low, real high)
{
	const real share = (real)0.61803398874989485;
	real x = high - share * (high - low), y = low + share * (high - low);
	real fx = to_tube(t, e, x), fy = to_tube(t, e, y);
	for (int i = 0; i < HALVINGS; ++i) {
		if (fx < fy) {
			high = y, y = x, fy = fx;
			x = high - share * (high - low), fx = to_tube(t, e, x);
		} else {
			low = x, x = y, fx = fy;
			y = low + share * (high - low), fy = to_tube(t, e, y);
		}
	}
	return (low + high) / 2;
}

static void edge_and_rims(surface_job *j, const tube *t, const edge *e)
{
	real before = INFINITY, here = to_tube(t, e, 0);
	int32_t which = 0;
	for (int i = 0; i <= PLACES; ++i) {
		const real after = i < PLACES ? to_tube(t, e, (real)(i + 1) / PLACES) : INFINITY;
		const bool least = here < before && here <= after;
		before = here, here = after;
		if (!least) continue;
		const real s = least_between(t, e, real_max(i - 1, 0) / PLACES, real_min(i + 1, PLACES) / PLACES);
		const vec3 x = along(e, s);
		const seen w = see(t, x);
		if (w.part == TUBE_SIDE || w.h > j->reach || !within(j, e, s) || which > 1) continue;
		found(j, t, (feature){FEATURE_EDGE, e->side}, x, &w, which++);
	}
}

static vec3 from_rim(const tube *t, vec3 e, int end)
{
	vec3 g = v3_madd(v3_mul(t->s, e), t->c, t->axis);
	return end ? v3_neg(g) : g;
}

/* Tests a face against point p of a rim. e: unit vector from the axis to p */
static void face_and_point(surface_job *j, const tube *t, int32_t triangle, int end, vec3 e, int32_t which)
{
	const vec3 n = skin_normal(&j->a, triangle);
	const vec3 p = v3_add(t->point, v3_madd(v3_mul(t->radius[end], e), end ? t->length : 0, t->axis));
	vec3 foot;
	if (scree_skin_closest(&j->a, triangle, p, j->snap, &foot).kind != FEATURE_FACE) return;
	const real h = v3_dot(n, v3_sub(p, foot));
	if (h < 0 || h > j->reach || v3_norm(v3_madd(v3_sub(p, foot), -h, n)) > 2 * j->snap + (real)1e-6 * h) return;
	if (v3_dot(from_rim(t, e, end), v3_neg(n)) > LEVEL) {
		++j->counts->no_minima;
		return;
	}
	const int part = end ? TUBE_SECOND : TUBE_FIRST;
	scree_surface_found_wall(j, (feature){FEATURE_FACE, 3 * triangle}, v3_madd(p, -h, n), v3_neg(n), h, t->surface,
							 (uint32_t)(part + 4 * which));
}

static bool through_face(const surface_job *j, const tube *t, int32_t triangle, int end, vec3 n)
{
	const vec3 centre = v3_madd(t->point, end ? t->length : 0, t->axis);
	const vec3 across = v3_madd(n, -v3_dot(n, t->axis), t->axis);
	const real sine = v3_norm(across), off = v3_dot(n, v3_sub(skin_corner(&j->a, 3 * triangle), centre));
	if (!(real_abs(off) < t->radius[end] * sine)) return false;
	const vec3 e = v3_mul(1 / sine, across), f = v3_cross(t->axis, e);
	const real x = off / sine, y = sqrt(t->radius[end] * t->radius[end] - x * x);
	for (int k = 0; k < 2; ++k) {
		const vec3 p = v3_madd(v3_madd(centre, x, e), k ? y : -y, f);
		vec3 foot;
		scree_skin_closest(&j->a, triangle, p, 0, &foot);
		if (v3_norm2(v3_sub(p, foot)) <= j->snap * j->snap) return true;
	}
	return false;
}

/* Tests the lowest point of a rim above the face, or four points if the rim is parallel to it. */
static void face_and_rims(surface_job *j, const tube *t, int32_t triangle)
{
	const vec3 n = skin_normal(&j->a, triangle), down = v3_neg(v3_madd(n, -v3_dot(n, t->axis), t->axis));
	const vec3 x = v3_across(t->axis), y = v3_cross(t->axis, x), level[4] = {x, y, v3_neg(x), v3_neg(y)};
	const real sine = v3_norm(down);
	for (int end = 0; end < 2; ++end) {
		if (through_face(j, t, triangle, end, n)) j->crossed = true;
		for (int k = 0; k < 4; ++k)
			if (sine <= LEVEL)
				face_and_point(j, t, triangle, end, level[k], TUBE_LEVEL + k);
			else if (k == 0)
				face_and_point(j, t, triangle, end, v3_mul(1 / sine, down), 0);
	}
}

/* ------------------------------------------------------------------ all features within reach */

static void triangle_and_tube(surface_job *j, const tube *t, int32_t triangle)
{
	for (int32_t side = 3 * triangle; side < 3 * triangle + 3; ++side) {
		vertex_and_tube(j, t, side);
		if (!side_is_edge(&j->a, side) || side_of_edge(&j->a, side) != side) continue;
		const vec3 p = skin_corner(&j->a, side);
		const edge e = {side, p, v3_sub(skin_corner(&j->a, side_next(side)), p)};
		edge_through_side(j, t, &e);
		if (!t->inside) edge_and_side(j, t, &e);
		if (!t->endless) edge_and_rims(j, t, &e);
	}
	if (!t->endless) face_and_rims(j, t, triangle);
}

/* No point of the ball is closer to the wall than its centre by more than the radius. */
static bool far_from(const surface_job *j, const tube *t, const trimesh_node *n)
{
	const skin *s = &j->a;
	const vec3 middle = v3_mul((real)0.5, v3_add(n->low, n->high)), half = v3_mul((real)0.5, v3_sub(n->high, n->low));
	const seen w = see(t, v3_add(s->at, mat3_mul(s->turn, v3_mul(s->size, middle))));
	if (t->endless && w.h < 0) return false;
	return real_abs(w.h) - s->size * v3_norm(half) > j->reach + j->snap;
}

void scree_surface_round(surface_job *j, const surface_at_wall *o)
{
	const tube t = tube_of(o->a, o->wall);
	const trimesh *m = o->a->of;
	int32_t wait[TRIMESH_DEPTH], waiting = 0;
	wait[waiting++] = 0;
	while (waiting) {
		const trimesh_node *n = m->node + wait[--waiting];
		if (far_from(j, &t, n)) continue;
		for (int32_t i = n->first; i < n->first + n->count; ++i) triangle_and_tube(j, &t, i);
		if (n->count) continue;
		wait[waiting++] = n->first + 1;
		wait[waiting++] = n->first;
	}
}
