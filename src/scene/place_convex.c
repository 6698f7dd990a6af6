/* place_convex: tests whether two convex bodies have a point in common: then their difference contains the origin.
 * Simplices of the difference's corners move towards the origin until one contains it, or until all of the difference
 * is beyond a plane across the last direction (Gilbert, Johnson, Keerthi 1988, IEEE J. Robot. Autom. 4, 193). */
#include "scene/place_apart.h"

enum { MOST_TURNS = 32 };

typedef struct simplex {
	vec3 p[4]; /* newest point first */
	int32_t count;
} simplex;

static placed part_of(const placed *o, int32_t k)
{
	if (!o->shape->parts) return *o;
	const shape_part *p = o->shape->part + k;
	const mat3 turn = {mat3_mul(o->turn, p->turn.x), mat3_mul(o->turn, p->turn.y), mat3_mul(o->turn, p->turn.z)};
	return (placed){p->solid, v3_madd(o->at, o->size, mat3_mul(o->turn, p->at)), turn, o->size};
}

static real radius_of(const placed *o, int32_t k)
{
	return o->size * (o->shape->parts ? o->shape->part[k].radius : o->shape->radius);
}

/* the corner of a body farthest along n, from its centre */
static vec3 farthest(const placed *o, vec3 n)
{
	const shape *s = o->shape;
	const vec3 own = mat3_tmul(o->turn, n);
	int32_t best = 0;
	real most = -INFINITY;
	for (int32_t v = 0; v < s->vertices; ++v) {
		const real along = own.x * s->vx[v] + own.y * s->vy[v] + own.z * s->vz[v];
		if (along > most) most = along, best = v;
	}
	return v3_mul(o->size, mat3_mul(o->turn, shape_vertex(s, best)));
}

static vec3 corner_of_difference(const placed *a, const placed *b, vec3 n)
{
	return v3_add(v3_sub(a->at, b->at), v3_sub(farthest(a, n), farthest(b, v3_neg(n))));
}

static bool same_side(vec3 a, vec3 b) { return v3_dot(a, b) > 0; }

/* direction across the line from a to b, towards the origin */
static vec3 across(vec3 a, vec3 b)
{
	const vec3 u = v3_sub(b, a);
	return v3_cross(v3_cross(u, v3_neg(a)), u);
}

/* Keeps the part of the line nearest to the origin; returns the next direction. */
static vec3 from_line(simplex *s, vec3 a, vec3 b)
{
	const bool between = same_side(v3_sub(b, a), v3_neg(a));
	*s = (simplex){{a, b}, between ? 2 : 1};
	return between ? across(a, b) : v3_neg(a);
}

static vec3 from_triangle(simplex *s, vec3 a, vec3 b, vec3 c)
{
	const vec3 u = v3_sub(b, a), v = v3_sub(c, a), n = v3_cross(u, v), back = v3_neg(a);
	if (same_side(v3_cross(n, v), back)) return same_side(v, back) ? from_line(s, a, c) : from_line(s, a, b);
	if (same_side(v3_cross(u, n), back)) return from_line(s, a, b);
	const bool above = same_side(n, back);
	*s = (simplex){{a, above ? b : c, above ? c : b}, 3};
	return above ? n : v3_neg(n);
}

/* Tests the faces at the newest corner a; b, c, d are counter-clockwise seen from it. True: the origin is inside. */
static bool from_tetrahedron(simplex *s, vec3 *next)
{
	const vec3 a = s->p[0], b = s->p[1], c = s->p[2], d = s->p[3], back = v3_neg(a);
	const vec3 u = v3_sub(b, a), v = v3_sub(c, a), w = v3_sub(d, a);
	if (same_side(v3_cross(u, v), back))
		*next = from_triangle(s, a, b, c);
	else if (same_side(v3_cross(v, w), back))
		*next = from_triangle(s, a, c, d);
	else if (same_side(v3_cross(w, u), back))
		*next = from_triangle(s, a, d, b);
	else
		return true;
	return false;
}

static bool holds_origin(simplex *s, vec3 *next)
{
	if (s->count == 4) return from_tetrahedron(s, next);
	*next = s->count == 3 ? from_triangle(s, s->p[0], s->p[1], s->p[2]) : from_line(s, s->p[0], s->p[1]);
	return false;
}

static apartness convex_apart(const placed *a, const placed *b)
{
	vec3 n = v3_sub(a->at, b->at);
	simplex s = {{corner_of_difference(a, b, n)}, 1};
	n = v3_neg(s.p[0]);
	for (int turn = 0; turn < MOST_TURNS && v3_norm2(n) > 0; ++turn) {
		const vec3 p = corner_of_difference(a, b, n);
		if (v3_dot(p, n) < 0) return APART;
		for (int32_t k = s.count++; k > 0; --k) s.p[k] = s.p[k - 1];
		s.p[0] = p;
		if (holds_origin(&s, &n)) return TOGETHER;
	}
	return UNSURE;
}

apartness scree_solids_apart(const placed *a, const placed *b)
{
	apartness all = APART;
	for (int32_t i = 0; i < (a->shape->parts ? a->shape->parts : 1); ++i) {
		const placed p = part_of(a, i);
		for (int32_t k = 0; k < (b->shape->parts ? b->shape->parts : 1); ++k) {
			const placed q = part_of(b, k);
			const real reach = radius_of(a, i) + radius_of(b, k);
			if (v3_norm2(v3_sub(p.at, q.at)) > reach * reach) continue;
			const apartness one = convex_apart(&p, &q);
			if (one == TOGETHER) return TOGETHER;
			all = one == UNSURE ? UNSURE : all;
		}
	}
	return all;
}
