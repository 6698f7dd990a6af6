/* thorough: searches one pair of triangles by exhaustive brute force, in double precision, for the few pairs whose
 * bounds are otherwise too far apart. This search repairs two weaknesses of the fast search (docs/theory/triangles.md,
 * "Thorough"):
 * - solutions of linear systems for nearly parallel edges and degenerate triangles: these are refined from the first
 *   solution, so the rounding error is relative to a small vector instead of the pair's size;
 * - the direction between the closest points of triangles that nearly touch: directions are also taken from edges and
 *   faces, which are all possible directions between two convex bodies. */
#include "kernel/triangle_brute.h"
#include "narrow/triangle/triangles.h"
#include "narrow/triangle/unit.h"

enum { AGAIN = 3 };

typedef struct bodies {
	tri_pair pair;
	tri3 corner[6], side[6]; /* three corners of a and three of b; each side is from a corner to the next */
	real unit;
} bodies;

static bodies bodies_of(const double a[9], const double b[9])
{
	bodies o;
	real sum = 0;
	for (int k = 0; k < 6; ++k) {
		const double *c = k < 3 ? a + 3 * k : b + 3 * (k - 3);
		o.corner[k] = t3(c[0] - a[0], c[1] - a[1], c[2] - a[2]);
		sum += o.corner[k].x + o.corner[k].y + o.corner[k].z;
	}
	const tri3 *c = o.corner;
	o.pair = (tri_pair){c[0], c[1], c[2], c[3], c[4], c[5], 0};
	triangle_bits unit = unit_bits(tri_pair_size(&o.pair));
	real per = number_of_bits(inverse_bits(unit));
	for (int k = 0; k < 6; ++k) o.corner[k] = t3_mul(per, o.corner[k]);
	o.pair = (tri_pair){c[0], c[1], c[2], c[3], c[4], c[5], 0};
	/* comparisons would not detect NaN */
	o.pair.size = sum - sum == 0 ? tri_pair_size(&o.pair) : (real)NAN;
	o.unit = number_of_bits(unit);
	for (int k = 0; k < 3; ++k) {
		o.side[k] = t3_sub(c[(k + 1) % 3], c[k]);
		o.side[3 + k] = t3_sub(c[3 + (k + 1) % 3], c[3 + k]);
	}
	return o;
}

/* Refines the closest points of p + s u and q + t v, starting at g. r: p - q */
static tri_segments segments_again(tri3 r, tri3 u, tri3 v, tri_segments g)
{
	real by_u = tri_inverse(t3_dot(u, u)), by_v = tri_inverse(t3_dot(v, v));
	tri3 across = t3_madd(u, -t3_dot(u, v) * by_v, v);
	real square = t3_dot(across, across);
	tri3 between = t3_madd(t3_madd(r, g.s, u), -g.t, v);
	if (!(square <= TRI_PARALLEL * t3_dot(u, u))) g.s = tri_clamp(g.s - t3_dot(across, between) / square, 0, 1);
	between = t3_madd(t3_madd(r, g.s, u), -g.t, v);
	real free_t = g.t + t3_dot(v, between) * by_v;
	g.t = tri_clamp(free_t, 0, 1);
	if (free_t == g.t) return g;
	between = t3_madd(t3_madd(r, g.s, u), -g.t, v);
	g.s = tri_clamp(g.s - t3_dot(u, between) * by_u, 0, 1);
	return g;
}

static tri_best sides(const bodies *o, int e, int f)
{
	tri3 r = t3_sub(o->corner[e], o->corner[3 + f]), u = o->side[e], v = o->side[3 + f];
	tri_segments g = tri_segments_closest(r, u, v);
	for (int k = 0; k < AGAIN; ++k) g = segments_again(r, u, v, g);
	tri3 between = t3_madd(t3_madd(r, g.s, u), -g.t, v);
	return (tri_best){tri_key(between, g.parallel), {tri_along(e, g.s), tri_along(f, g.t)}, between};
}

/* Returns the foot of a point on a face, refined from the first solution. */
static tri_over over(const tri_face *t, tri3 p)
{
	tri_over o = tri_over_face(t, p);
	for (int k = 0; k < AGAIN; ++k) {
		tri3 r = t3_madd(t3_madd(o.r, o.foot.b, t->e), o.foot.c, t->f);
		o.foot.b += t3_dot(t3_cross(t->f, r), t->n) * t->by;
		o.foot.c += t3_dot(t3_cross(r, t->e), t->n) * t->by;
	}
	return o;
}

/* Computes the point where side `side` of the other triangle crosses a face. Position and height are refined from the
 * first solution, because precision is lost if the foot is far outside a degenerate triangle. */
static tri_best piercing(const bodies *o, const tri_face *t, const tri_over *p, const tri_over *q, int side,
						 bool face_of_b)
{
	tri_best best = tri_best_of_piercing(t, p, q, side, face_of_b);
	if (!tri_pierced(&best)) return tri_best_none();
	int k = side + (face_of_b ? 0 : 3);
	real fall = p->height - q->height, s = p->height / fall;
	tri_over x = over(t, t3_madd(o->corner[k], s, o->side[k]));
	for (int again = 0; again < AGAIN; ++again) {
		tri3 left = t3_madd(t3_madd(x.r, x.foot.b, t->e), x.foot.c, t->f);
		s = tri_clamp(s - t3_dot(t->n, left) / fall, 0, 1);
		x = over(t, t3_madd(o->corner[k], s, o->side[k]));
	}
	best.at = tri_places_of(face_of_b, x.foot, tri_along(side, s));
	return tri_within(t, x.foot) ? best : tri_best_none();
}

typedef struct found {
	tri_best beside, through; /* beside: the closest features; through: an edge through a face */
} found;

static void face(const bodies *o, bool face_of_b, found *g)
{
	const tri3 *f = o->corner + (face_of_b ? 3 : 0), *c = o->corner + (face_of_b ? 0 : 3);
	tri_face t = tri_face_of(f[0], f[1], f[2]);
	tri_over p[3] = {over(&t, c[0]), over(&t, c[1]), over(&t, c[2])};
	for (int k = 0; k < 3; ++k) {
		g->beside = tri_best_of(g->beside, tri_best_of_corner(&t, p + k, k, face_of_b));
		g->through = tri_best_of(g->through, piercing(o, &t, p + k, p + (k + 1) % 3, k, face_of_b));
	}
}

static real apart_at(const bodies *o, tri_places at)
{
	tri3 between = tri_between(&o->pair, at);
	return sqrt(t3_dot(between, between));
}

/* Finds the closest features. An edge that pierces a face according to rounded numbers is accepted if it touches this
 * face within rounding error, or if all other features are farther apart. */
static tri_best closest(const bodies *o)
{
	found g = {tri_best_none(), tri_best_none()};
	for (int e = 0; e < 3; ++e)
		for (int f = 0; f < 3; ++f) g.beside = tri_best_of(g.beside, sides(o, e, f));
	face(o, true, &g);
	face(o, false, &g);
	g.beside.at = tri_places_inside(g.beside.at), g.through.at = tri_places_inside(g.through.at);
	real enough = tri_max(apart_at(o, g.beside.at), 64 * TRI_ROUNDING * o->pair.size);
	return tri_pierced(&g.through) && apart_at(o, g.through.at) <= enough ? g.through : g.beside;
}

static tri3 unit_of(tri3 n)
{
	real square = t3_dot(n, n);
	return square > TRI_NOTHING ? t3_mul(1 / sqrt(square), n) : t3(0, 0, 0);
}

/* Returns n without its component along u. */
static tri3 less(tri3 n, tri3 u) { return t3_madd(n, -t3_dot(n, u) * tri_inverse(t3_dot(u, u)), u); }

static real slab(const bodies *o, tri3 n, real low) { return tri_max(low, tri_slab(&o->pair, n, t3_dot(n, n))); }

/* Returns a vector perpendicular to two others. The cross product of nearly parallel vectors is inaccurate, so the
 * product is made perpendicular to the longer vector; its error along the other vector is then within rounding. */
static tri3 across(tri3 u, tri3 v) { return less(unit_of(t3_cross(u, v)), t3_dot(u, u) > t3_dot(v, v) ? u : v); }

static tri3 normal(const tri3 side[3])
{
	int longest = 0;
	for (int k = 1; k < 3; ++k)
		if (t3_dot(side[k], side[k]) > t3_dot(side[longest], side[longest])) longest = k;
	return less(unit_of(t3_cross(side[longest], side[(longest + 1) % 3])), side[longest]);
}

/* The largest gap over all possible directions of two features. between: vector between the closest points */
static real room(const bodies *o, tri3 between)
{
	tri3 n[2] = {normal(o->side), normal(o->side + 3)}, unit = unit_of(between);
	real low = slab(o, between, 0);
	for (int k = 0; k < 2; ++k) low = slab(o, n[k], low);
	for (int k = 0; k < 6; ++k) low = slab(o, less(less(unit, o->side[k]), o->side[k]), low);
	for (int e = 0; e < 3; ++e)
		for (int f = 3; f < 6; ++f) low = slab(o, across(o->side[e], o->side[f]), low);
	return low;
}

triangle_gap scree_triangles_thorough(const double a[9], const double b[9])
{
	bodies o = bodies_of(a, b);
	tri_best best = closest(&o);
	tri3 between = tri_between(&o.pair, best.at);
	real apart = sqrt(t3_dot(between, between)), low = room(&o, between);
	/* if a pair is proved to be apart, a piercing edge can only be due to rounding */
	bool sane = tri_sane(o.pair.size), pierced = tri_pierced(&best) && !(sane && low > 0);
	triangle_gap g = {.low = sane ? low * o.unit : 0,
					  .high = sane ? tri_upper(apart, o.pair.size) * o.unit : (real)INFINITY,
					  .distance = pierced ? 0 : apart * o.unit,
					  .a_b = best.at.a.b,
					  .a_c = best.at.a.c,
					  .b_b = best.at.b.b,
					  .b_c = best.at.b.c,
					  .stage = TRIANGLES_BY_THOROUGH,
					  .penetrated = pierced};
	return g;
}
