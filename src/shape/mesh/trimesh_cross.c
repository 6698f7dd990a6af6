/* trimesh_cross: finds triangles of a surface that cross or touch where they must not, and whether a point is inside.
 * Two triangles may only share the span of their common vertices: nothing, a vertex, or a side. All other contacts,
 * including touching, are refused, since the inside of a surface that touches itself is not defined. All signs are
 * exact (base/orient.h), so no tolerance is needed: neighbours in one plane and rounded planes are allowed, and
 * crossings of any depth are found. The tree finds boxes that overlap a triangle's box. */
#include "base/orient.h"
#include "base/progress.h"
#include "shape/mesh/trimesh_internal.h"

typedef struct point2 {
	real x, y;
} point2;

static point2 drop(vec3 p, int axis)
{
	return axis == 0 ? (point2){p.y, p.z} : axis == 1 ? (point2){p.z, p.x} : (point2){p.x, p.y};
}

static int turn(point2 a, point2 b, point2 c) { return scree_orient2(a.x, a.y, b.x, b.y, c.x, c.y); }

/* an axis along which the triangle's projection has a nonzero area */
static int seen_along(vec3 a, vec3 b, vec3 c)
{
	vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
	real x = real_abs(n.x), y = real_abs(n.y), z = real_abs(n.z);
	int best = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
	for (int k = 0; k < 3; ++k, best = (best + 1) % 3)
		if (turn(drop(a, best), drop(b, best), drop(c, best))) return best;
	return best;
}

static bool in_triangle(const point2 t[3], point2 p)
{
	int s[3] = {turn(t[0], t[1], p), turn(t[1], t[2], p), turn(t[2], t[0], p)};
	return (s[0] >= 0 && s[1] >= 0 && s[2] >= 0) || (s[0] <= 0 && s[1] <= 0 && s[2] <= 0);
}

static bool apart(real a, real b, real c, real d)
{
	return real_max(a, b) < real_min(c, d) || real_max(c, d) < real_min(a, b);
}

static bool segments_meet(point2 a, point2 b, point2 c, point2 d)
{
	if (apart(a.x, b.x, c.x, d.x) || apart(a.y, b.y, c.y, d.y)) return false;
	return turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0;
}

static bool flat_segment_meets(const vec3 t[3], vec3 p, vec3 q)
{
	int axis = seen_along(t[0], t[1], t[2]);
	point2 c[3], a = drop(p, axis), b = drop(q, axis);
	for (int k = 0; k < 3; ++k) c[k] = drop(t[k], axis);
	if (in_triangle(c, a) || in_triangle(c, b)) return true;
	for (int k = 0; k < 3; ++k)
		if (segments_meet(c[k], c[(k + 1) % 3], a, b)) return true;
	return false;
}

bool scree_triangle_holds(vec3 a, vec3 b, vec3 c, vec3 p)
{
	if (scree_orient3(a, b, c, p) != 0) return false;
	int axis = seen_along(a, b, c);
	const point2 t[3] = {drop(a, axis), drop(b, axis), drop(c, axis)};
	return in_triangle(t, drop(p, axis));
}

static bool segment_meets(const vec3 t[3], vec3 p, vec3 q)
{
	int from = scree_orient3(t[0], t[1], t[2], p), to = scree_orient3(t[0], t[1], t[2], q);
	if (from * to > 0) return false;
	if (!from && !to) return flat_segment_meets(t, p, q);
	int s[3];
	for (int k = 0; k < 3; ++k) s[k] = scree_orient3(p, q, t[k], t[(k + 1) % 3]);
	return (s[0] >= 0 && s[1] >= 0 && s[2] >= 0) || (s[0] <= 0 && s[1] <= 0 && s[2] <= 0);
}

/* returns the first corner of t, from row `from` onwards, that u also has, and its row in u; 3 if there is none */
static int shared(const int32_t *t, const int32_t *u, int from, int *there)
{
	for (int k = from; k < 3; ++k)
		for (*there = 0; *there < 3; ++*there)
			if (t[k] == u[*there]) return k;
	return 3;
}

static bool apart_cross(const vec3 p[3], const vec3 q[3])
{
	for (int k = 0; k < 3; ++k)
		if (segment_meets(p, q[k], q[(k + 1) % 3]) || segment_meets(q, p[k], p[(k + 1) % 3])) return true;
	return false;
}

/* Tests whether two triangles with a common side pq and third corners a and b are in one plane, on the same side. */
static bool folded(vec3 p, vec3 q, vec3 a, vec3 b)
{
	if (scree_orient3(p, q, a, b) != 0) return false;
	int axis = seen_along(p, q, a);
	return turn(drop(p, axis), drop(q, axis), drop(a, axis)) == turn(drop(p, axis), drop(q, axis), drop(b, axis));
}

bool scree_triangles_cross(const vec3 *vertex, const int32_t *t, const int32_t *u)
{
	vec3 p[3], q[3];
	for (int k = 0; k < 3; ++k) p[k] = vertex[t[k]], q[k] = vertex[u[k]];
	int i, j, at = shared(t, u, 0, &i);
	if (at == 3) return apart_cross(p, q);
	int again = shared(t, u, at + 1, &j);
	/* if both triangles meet beyond the common vertex, their intersection reaches the opposite side of one of them */
	if (again == 3)
		return segment_meets(p, q[(i + 1) % 3], q[(i + 2) % 3]) || segment_meets(q, p[(at + 1) % 3], p[(at + 2) % 3]);
	return folded(p[at], p[again], p[3 - at - again], q[3 - i - j]);
}

enum { ENOUGH = 1000 };
typedef struct crossings {
	int32_t count, t, u; /* the crossing pair with the lowest numbers in the user's order */
} crossings;

static void note(crossings *c, int32_t t, int32_t u)
{
	int32_t low = t < u ? t : u, high = t < u ? u : t;
	if (!c->count++ || low < c->t || (low == c->t && high < c->u)) c->t = low, c->u = high;
}

static void cross_one(const trimesh *m, const int32_t *given, int32_t t, crossings *c)
{
	const int32_t *k = m->corner + 3 * t;
	vec3 low = m->vertex[k[0]], high = low;
	for (int i = 1; i < 3; ++i) v3_widen(&low, &high, m->vertex[k[i]]);
	int32_t wait[TRIMESH_DEPTH];
	int waiting = 0;
	wait[waiting++] = 0;
	while (waiting && c->count < ENOUGH) {
		const trimesh_node *n = m->node + wait[--waiting];
		if (!v3_boxes_meet(n->low, n->high, low, high)) continue;
		if (!n->count) {
			wait[waiting++] = n->first;
			wait[waiting++] = n->first + 1;
			continue;
		}
		for (int32_t u = n->first; u < n->first + n->count; ++u)
			if (u > t && scree_triangles_cross(m->vertex, k, m->corner + 3 * u)) note(c, given[t], given[u]);
	}
}

bool scree_trimesh_check_crossing(const trimesh_given *g, const trimesh *m, const int32_t *given)
{
	crossings c = {0};
	for (int32_t t = 0; t < m->triangles && c.count < ENOUGH; ++t) {
		if (t % 256 == 0) scree_progress("which triangles cross: %d of %d", t, m->triangles);
		cross_one(m, given, t, &c);
	}
	if (!c.count) return true;
	const int32_t *t = g->triangle + 3 * c.t, *u = g->triangle + 3 * c.u;
	const vec3 *v = g->vertex;
	return scree_refuse(g->why,
						"shape '%s' crosses itself: triangle %d, (%g, %g, %g) (%g, %g, %g) (%g, %g, %g), and triangle "
						"%d, (%g, %g, %g) (%g, %g, %g) (%g, %g, %g), meet in more than the vertices they share (%s%d "
						"such pair%s), expected a surface that neither crosses nor touches itself",
						g->name, c.t, v[t[0]].x, v[t[0]].y, v[t[0]].z, v[t[1]].x, v[t[1]].y, v[t[1]].z, v[t[2]].x,
						v[t[2]].y, v[t[2]].z, c.u, v[u[0]].x, v[u[0]].y, v[u[0]].z, v[u[1]].x, v[u[1]].y, v[u[1]].z,
						v[u[2]].x, v[u[2]].y, v[u[2]].z, c.count >= ENOUGH ? "at least " : "", c.count,
						c.count == 1 ? "" : "s");
}

/* A point is inside if its ray along x leaves the surface more often than it enters. Where the ray meets a side or a
 * vertex, p is moved infinitesimally along y, and far less along z (Edelsbrunner and Muecke 1990), so that rays meet
 * only interiors of triangles. Returns the orientation of p, a, b seen along x; 0 only if a and b coincide. */
static int turn_of(vec3 p, vec3 a, vec3 b)
{
	int turn = scree_orient2(p.y, p.z, a.y, a.z, b.y, b.z);
	if (turn) return turn;
	if (a.z != b.z) return a.z > b.z ? 1 : -1;
	return (b.y > a.y) - (b.y < a.y);
}

static bool on_ray(const trimesh_node *n, vec3 p)
{
	return p.x <= n->high.x && n->low.y <= p.y && p.y <= n->high.y && n->low.z <= p.z && p.z <= n->high.z;
}

/* returns 1 if the ray leaves the surface at this triangle, -1 if it enters, or 0 if it misses */
static int crossing(vec3 a, vec3 b, vec3 c, vec3 p)
{
	int turn = turn_of(p, a, b);
	if (!turn || turn_of(p, b, c) != turn || turn_of(p, c, a) != turn) return 0;
	/* a triangle that is counter-clockwise seen along x faces ahead, so p must be behind its plane */
	return scree_orient3(a, b, c, p) == -turn ? turn : 0;
}

int scree_trimesh_inside(const trimesh *m, vec3 p)
{
	int32_t wait[TRIMESH_DEPTH];
	int waiting = 0, leaves = 0;
	wait[waiting++] = 0;
	while (waiting) {
		const trimesh_node *n = m->node + wait[--waiting];
		if (!on_ray(n, p)) continue;
		if (!n->count) {
			wait[waiting++] = n->first;
			wait[waiting++] = n->first + 1;
			continue;
		}
		for (int32_t t = n->first; t < n->first + n->count; ++t) {
			const int32_t *k = m->corner + 3 * t;
			vec3 a = m->vertex[k[0]], b = m->vertex[k[1]], c = m->vertex[k[2]];
			if (v3_boxes_meet(n->low, n->high, p, p) && scree_triangle_holds(a, b, c, p)) return 0;
			leaves += crossing(a, b, c, p);
		}
	}
	return leaves > 0 ? 1 : -1;
}
