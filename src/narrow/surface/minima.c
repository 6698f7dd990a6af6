/* minima: local minima of the distance between vertices, edges, and faces of two nearby triangles.
 *
 * A minimum is between a vertex and a face, edge or vertex, or between two edges. Around the two points the surfaces
 * must not be closer to each other, except at slopes up to LEVEL around a vertex or an edge. With this tolerance, faces
 * that rest on each other have contacts at the corners of their common area. Each vertex and edge is tested with only
 * one of its triangles, which is within reach if any of them is. */
#include "narrow/surface/room.h"

#include "kernel/wall_rows.h"

/* sine up to which edges count as parallel and triangles as coplanar within rounding */
static const real PARALLEL = (real)1e-11, ONE_PLANE = (real)1e-6;
/* largest sine for facets whose corners are not exactly in their planes due to rounding in a file (wall/net.h) */
static const real ROUGH = (real)1e-2;

/* A minimum between point x of a and point y of b; normal from b to a. */
typedef struct between {
	feature on_a, on_b;
	vec3 x, y, normal;
	real distance;
} between;

/* True if another wall also supports the body at a point on the border of this wall, in the frame of the walls. */
static bool is_carried(const surface_job *j, const between *o)
{
	const walls *s = j->walls;
	int32_t side[2];
	if (!s || !s->meets || o->on_b.kind == FEATURE_FACE) return false;
	const int borders = scree_skin_borders(&j->b, o->on_b, side);
	for (int k = 0; k < borders; ++k) {
		const wall_border_point p = {j->b.row[side[k]], j->b.surface[side[k] / 3], v3_sub(o->y, j->b.at),
									 v3_sub(o->x, j->b.at), o->on_a.kind == FEATURE_VERTEX ? OVER_NONE : ALONG};
		if (wall_carries(s, &p, s->meet_near)) return true;
	}
	return false;
}

static void note(surface_job *j, const between *o)
{
	if (is_carried(j, o)) return;
	const uint64_t name = (uint64_t)scree_skin_name(&j->a, o->on_a) << 32 | scree_skin_name(&j->b, o->on_b);
	const vec3 at = v3_madd(v3_mul((real)0.5, v3_add(o->x, o->y)), (j->b.halo - j->a.halo) / 2, o->normal);
	const int32_t surface = scree_skin_surface(&j->b, o->on_b);
	*scree_surface_found(j->room) = (surface_minimum){name, surface, o->normal, at, o->distance};
}

static bool nearest(const skin *s, feature f, vec3 towards, real slack)
{
	const vec3 own = mat3_tmul(s->turn, towards);
	if (f.kind == FEATURE_FACE) return true;
	return f.kind == FEATURE_EDGE ? scree_skin_edge_nearest(s, f.side, own, slack)
								  : scree_skin_vertex_nearest(s, f.side, own, slack);
}

/* ------------------------------------------------------------------ a vertex and its nearest features */

/* The vector to vertex p of one surface from the closest point on a triangle of the other surface. */
typedef struct rise {
	feature on;
	vec3 foot, way;
	real height;
	real slack; /* sine of the rounding error of `way` */
} rise;

/* Finds the vector from the interior of a face to p; returns false if p's foot is outside the triangle. */
static bool rise_from_face(const skin *s, vec3 p, real snap, rise *o)
{
	vec3 n = skin_normal(s, o->on.side / 3), r = v3_sub(p, o->foot);
	real h = v3_dot(n, r), off = v3_norm(v3_madd(r, -h, n));
	if (off > 2 * snap + ONE_PLANE * real_abs(h) + real_min(s->rough, ROUGH * real_abs(h))) return false;
	if (h < 0 && !s->two_sided) return false;
	o->way = h < 0 ? v3_neg(n) : n;
	o->height = real_abs(h);
	o->slack = 0;
	return true;
}

static void rise_from_border(const surface_job *j, const skin *s, vec3 outward_p, vec3 p, rise *o)
{
	vec3 r = v3_sub(p, o->foot);
	real h = v3_norm(r);
	o->height = h;
	/* a vector shorter than rounding error has no meaningful direction */
	bool far = h > (real)1e-4 * j->snap;
	o->way = far ? v3_mul(1 / h, r) : v3_unit(v3_sub(scree_skin_outward(s, o->on), outward_p));
	o->slack = h > 0 ? 2 * j->snap / h : 2;
}

/* Tests a vertex against triangle t of s. corner: the vertex's corner in `from` */
static void vertex_and_triangle(surface_job *j, const skin *from, int32_t corner, const skin *s, int32_t t)
{
	const vec3 p = skin_corner(from, corner);
	const feature vertex = {FEATURE_VERTEX, corner};
	rise o = {.foot = p};
	o.on = scree_skin_closest(s, t, p, j->snap, &o.foot);
	if (v3_norm2(v3_sub(p, o.foot)) > j->reach * j->reach) return;
	if (o.on.kind == FEATURE_FACE) {
		if (!rise_from_face(s, p, j->snap, &o)) return;
	} else {
		rise_from_border(j, s, scree_skin_outward(from, vertex), p, &o);
	}
	if (!nearest(s, o.on, o.way, o.slack) || !nearest(from, vertex, v3_neg(o.way), LEVEL + o.slack)) {
		++j->counts->no_minima;
		return;
	}
	const bool of_a = from == &j->a;
	const vec3 foot = v3_madd(p, -o.height, o.way);
	const between b = {of_a ? vertex : o.on, of_a ? o.on : vertex,		   of_a ? p : foot,
					   of_a ? foot : p,		 of_a ? o.way : v3_neg(o.way), o.height};
	note(j, &b);
}

/* Tests the vertices whose first corner is in triangle t; vertices without an edge are skipped. */
static void vertices(surface_job *j, const skin *from, int32_t t, const skin *s, int32_t u)
{
	for (int32_t c = 3 * t; c < 3 * t + 3; ++c)
		if (from->first[from->corner[c]] == c) vertex_and_triangle(j, from, c, s, u);
}

/* Closest points of the lines p + s u and q + t v. */
typedef struct crossing {
	vec3 u, v, n; /* unit vectors u, v; n is perpendicular to both */
	real s, t, sine, uu, vv;
} crossing;

static bool cross(vec3 r, vec3 u, vec3 v, crossing *o)
{
	vec3 n = v3_cross(u, v);
	real uu = v3_norm2(u), vv = v3_norm2(v), uv = v3_dot(u, v), sine = v3_norm(n) / sqrt(uu * vv);
	if (!(sine > PARALLEL)) return false;
	*o = (crossing){.u = u, .v = v, .sine = sine, .uu = uu, .vv = vv};
	vec3 across = v3_madd(u, -uv / vv, v);
	real by = 1 / v3_norm2(across);
	/* refined once from the first solution, for which r is small */
	for (int again = 0; again < 2; ++again) {
		vec3 rest = v3_madd(v3_madd(r, o->s, u), -o->t, v);
		real s = -v3_dot(across, rest) * by;
		o->s += s;
		o->t += (uv * s + v3_dot(v, rest)) / vv;
	}
	/* perpendicular to both: removes the components along nearly parallel edges that rounding leaves in the product */
	n = v3_unit(n);
	n = v3_madd(n, -v3_dot(n, v) / vv, v);
	n = v3_madd(n, -v3_dot(n, across) * by, across);
	o->n = v3_unit(n);
	return true;
}

/* Tests whether a point on an edge is farther than snap from both ends, which are vertices. */
static bool within(real s, real length2, real snap)
{
	return s > 0 && s < 1 && s * s * length2 > snap * snap && (1 - s) * (1 - s) * length2 > snap * snap;
}

static void edge_and_edge(surface_job *j, int32_t e, int32_t f)
{
	const vec3 p = skin_corner(&j->a, e), q = skin_corner(&j->b, f), r = v3_sub(p, q);
	crossing o;
	if (!cross(r, v3_sub(skin_corner(&j->a, side_next(e)), p), v3_sub(skin_corner(&j->b, side_next(f)), q), &o)) return;
	if (!within(o.s, o.uu, j->snap) || !within(o.t, o.vv, j->snap)) return;
	const feature on_a = {FEATURE_EDGE, e}, on_b = {FEATURE_EDGE, f};
	real h = v3_dot(o.n, r);
	/* determines the direction from b to a for touching edges, regardless of rounding */
	bool back = v3_dot(o.n, v3_sub(scree_skin_outward(&j->b, on_b), scree_skin_outward(&j->a, on_a))) < 0;
	if (j->b.two_sided) back = v3_dot(o.n, scree_skin_outward(&j->a, on_a)) > 0;
	if (back) o.n = v3_neg(o.n), h = -h;
	if (h < -j->snap || h > j->reach) return;
	h = real_max(h, 0);
	/* the distance between nearly parallel edges is constant, so testing their ends is sufficient */
	if (o.sine * sqrt(real_min(o.uu, o.vv)) <= LEVEL / 4 * h) return;
	if (!nearest(&j->a, on_a, v3_neg(o.n), LEVEL) || !nearest(&j->b, on_b, o.n, LEVEL)) {
		++j->counts->no_minima;
		return;
	}
	const between b = {on_a, on_b, v3_madd(p, o.s, o.u), v3_madd(q, o.t, o.v), o.n, h};
	note(j, &b);
}

static bool asks(const skin *s, int32_t side) { return side_is_edge(s, side) && side_of_edge(s, side) == side; }

void scree_surface_minima(surface_job *j, int32_t ta, int32_t tb)
{
	vertices(j, &j->a, ta, &j->b, tb);
	vertices(j, &j->b, tb, &j->a, ta);
	for (int32_t e = 3 * ta; e < 3 * ta + 3; ++e)
		for (int32_t f = 3 * tb; f < 3 * tb + 3 && asks(&j->a, e); ++f)
			if (asks(&j->b, f)) edge_and_edge(j, e, f);
}
