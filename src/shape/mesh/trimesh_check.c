/* trimesh_check: requirements for a surface of triangles, with messages that describe violations. Triangles and
 * vertices are counted from 0, as in PLY and OFF files. The first defect in the user's order is reported. */
#include <stdio.h>

#include "base/join.h"
#include "base/memory.h"
#include "base/sort.h"
#include "shape/compound.h"
#include "shape/mesh/surface.h"
#include "shape/mesh/trimesh_internal.h"
#include "shape/principal.h"

enum { MOST_TRIANGLES = 100000000 };
static const real LARGEST = 1e30; /* coordinate */
static const real HOLLOW = 1e-12; /* smallest volume over the extent cubed; less may be rounding error */

static bool refuse_triangle(const trimesh_given *g, int32_t t, const char *is, const char *expected)
{
	const int32_t *c = g->triangle + 3 * t;
	vec3 p = g->vertex[c[0]], q = g->vertex[c[1]], r = g->vertex[c[2]];
	return scree_refuse(
		g->why,
		"shape '%s': triangle %d of vertices %d, %d, %d, (%g, %g, %g) (%g, %g, %g) (%g, %g, %g), %s, expected %s",
		g->name, t, c[0], c[1], c[2], p.x, p.y, p.z, q.x, q.y, q.z, r.x, r.y, r.z, is, expected);
}

/* ------------------------------------------------------------------ individual vertices and triangles */

static bool check_counts(const trimesh_given *g)
{
	if (g->triangles < 4 || g->vertices < 4)
		return scree_refuse(g->why,
							"shape '%s' has %d triangles and %d vertices, a closed surface needs at least 4 of each",
							g->name, g->triangles, g->vertices);
	if (g->triangles > MOST_TRIANGLES || g->vertices > MOST_TRIANGLES)
		return scree_refuse(g->why, "shape '%s' has %d triangles and %d vertices, expected at most %d of each", g->name,
							g->triangles, g->vertices, (int)MOST_TRIANGLES);
	return true;
}

static bool check_corners(const trimesh_given *g)
{
	for (int32_t side = 0; side < 3 * g->triangles; ++side)
		if (g->triangle[side] < 0 || g->triangle[side] >= g->vertices)
			return scree_refuse(g->why, "shape '%s': triangle %d names vertex %d, expected 0 to %d", g->name, side / 3,
								g->triangle[side], g->vertices - 1);
	for (int32_t t = 0; t < g->triangles; ++t) {
		const int32_t *c = g->triangle + 3 * t;
		if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
			return refuse_triangle(g, t, "has one vertex twice", "three vertices");
	}
	return true;
}

static bool check_used(const trimesh_given *g)
{
	bool *used = scree_alloc((size_t)g->vertices, sizeof *used);
	int32_t unused = 0, first = -1;
	for (int32_t side = 0; side < 3 * g->triangles; ++side) used[g->triangle[side]] = true;
	for (int32_t i = g->vertices - 1; i >= 0; --i)
		if (!used[i]) first = i, ++unused;
	scree_free(used);
	if (!unused) return true;
	vec3 p = g->vertex[first];
	return scree_refuse(g->why,
						"shape '%s': vertex %d at (%g, %g, %g) belongs to no triangle (%d such %s), expected each "
						"vertex in some triangle",
						g->name, first, p.x, p.y, p.z, unused, unused == 1 ? "vertex" : "vertices");
}

real scree_triangle_height(vec3 a, vec3 b, vec3 c)
{
	vec3 u = v3_sub(b, a), v = v3_sub(c, b), w = v3_sub(a, c);
	real longest = sqrt(real_max(v3_norm2(u), real_max(v3_norm2(v), v3_norm2(w))));
	if (!(longest > 0)) return 0;
	/* divided by the longest side first, so that needles lose no precision and products do not overflow */
	return longest * v3_norm(v3_cross(v3_mul(1 / longest, u), v3_mul(1 / longest, v)));
}

static bool check_heights(const trimesh_given *g)
{
	for (int32_t t = 0; t < g->triangles; ++t) {
		const int32_t *c = g->triangle + 3 * t;
		real height = scree_triangle_height(g->vertex[c[0]], g->vertex[c[1]], g->vertex[c[2]]);
		if (!(height > g->least * g->extent))
			return refuse_triangle(g, t, "has no height", "three corners that are not collinear");
	}
	return true;
}

real scree_trimesh_extent(int32_t vertices, const vec3 *vertex)
{
	vec3 mean = v3(0, 0, 0);
	real most2 = 0;
	for (int32_t i = 0; i < vertices; ++i) mean = v3_madd(mean, 1 / (real)vertices, vertex[i]);
	for (int32_t i = 0; i < vertices; ++i) most2 = real_max(most2, v3_norm2(v3_sub(vertex[i], mean)));
	return sqrt(most2);
}

bool scree_trimesh_check_given(trimesh_given *g)
{
	if (!check_counts(g) || !scree_check_points("shape", g->name, "vertex", g->vertices, g->vertex, g->why) ||
		!check_corners(g) || !check_used(g))
		return false;
	g->extent = scree_trimesh_extent(g->vertices, g->vertex);
	if (!(g->extent > 1 / LARGEST))
		return scree_refuse(g->why, "shape '%s': all %d vertices are at one point", g->name, g->vertices);
	return check_heights(g);
}

bool scree_trimesh_check_places(const trimesh_given *g)
{
	point_row *at = scree_alloc((size_t)g->vertices, sizeof *at);
	int32_t twice = 0, low = 0, high = -1;
	for (int32_t i = 0; i < g->vertices; ++i) at[i] = (point_row){g->vertex[i], i};
	scree_sort_by(at, g->vertices, sizeof *at, scree_sort_points);
	for (int32_t i = 1; i < g->vertices; ++i) {
		if (!v3_equal(at[i - 1].p, at[i].p)) continue;
		if (!twice++ || at[i].row < high) low = at[i - 1].row, high = at[i].row;
	}
	scree_free(at);
	if (!twice) return true;
	vec3 p = g->vertex[low];
	return scree_refuse(g->why,
						"shape '%s': vertices %d and %d both lie at (%g, %g, %g) (%d such pair%s), expected each "
						"position once, so that neighbouring triangles share vertices",
						g->name, low, high, p.x, p.y, p.z, twice, twice == 1 ? "" : "s");
}

/* ------------------------------------------------------------------ sides */

static bool refuse_side(const trimesh_given *g, int32_t side, int32_t count, int32_t other, int32_t such)
{
	int32_t from = g->triangle[side], to = g->triangle[side_next(side)];
	vec3 p = g->vertex[from], q = g->vertex[to];
	char what[160];
	if (count == 1)
		snprintf(what, sizeof what, "belongs only to triangle %d: the surface has a hole there", side / 3);
	else if (count > 2)
		snprintf(what, sizeof what, "belongs to %d triangles, among them %d and %d", count, side / 3, other / 3);
	else
		snprintf(what, sizeof what,
				 "is traversed in the same direction by triangles %d and %d: one of them is reversed", side / 3,
				 other / 3);
	return scree_refuse(g->why,
						"shape '%s': the side from vertex %d, (%g, %g, %g), to vertex %d, (%g, %g, %g), %s (%d such "
						"side%s), expected two triangles at each side, which run along it in opposite directions",
						g->name, from, p.x, p.y, p.z, to, q.x, q.y, q.z, what, such, such == 1 ? "" : "s");
}

static bool check_sides(const trimesh_given *g, int32_t *across)
{
	side *all = scree_sides(g->triangles, g->triangle);
	int64_t sides = 3 * (int64_t)g->triangles;
	int32_t worst = -1, worst_count = 0, worst_other = -1, such[4] = {0};
	for (int64_t from = 0, end; from < sides; from = end) {
		end = scree_sides_end(all, sides, from);
		const side *one = all + from, *two = one + 1;
		if (end - from == 2 && one->forward != two->forward) {
			across[one->corner] = two->corner;
			across[two->corner] = one->corner;
			continue;
		}
		++such[end - from < 3 ? end - from : 3];
		if (worst >= 0 && worst < one->corner) continue;
		worst = one->corner;
		worst_count = (int32_t)(end - from);
		worst_other = worst_count > 1 ? two->corner : -1;
	}
	scree_free(all);
	if (worst < 0) return true;
	return refuse_side(g, worst, worst_count, worst_other, such[worst_count < 3 ? worst_count : 3]);
}

/* ------------------------------------------------------------------ vertices and the whole surface */

/* returns the number of consecutive triangles around the corner at the start of this side */
static int32_t fan_of(const int32_t *across, int32_t side)
{
	int32_t count = 0, at = side;
	do {
		at = across[side_last(at)];
		++count;
	} while (at != side);
	return count;
}

static bool check_fans(const trimesh_given *g, const int32_t *across)
{
	int32_t *uses = scree_alloc((size_t)g->vertices, sizeof *uses);
	int32_t *some = scree_alloc((size_t)g->vertices, sizeof *some);
	bool good = true;
	for (int32_t side = 0; side < 3 * g->triangles; ++side) {
		++uses[g->triangle[side]];
		some[g->triangle[side]] = side;
	}
	for (int32_t i = 0; good && i < g->vertices; ++i) {
		int32_t fan = fan_of(across, some[i]);
		if (fan == uses[i]) continue;
		vec3 p = g->vertex[i];
		good = scree_refuse(
			g->why,
			"shape '%s': vertex %d at (%g, %g, %g) has %d triangles, of which only %d (including triangle %d) are "
			"consecutive around it: several sheets of the surface meet at this point, expected one",
			g->name, i, p.x, p.y, p.z, uses[i], fan, some[i] / 3);
	}
	SCREE_FREE_ALL(uses, some);
	return good;
}

static bool check_one(const trimesh_given *g, const int32_t *across)
{
	int32_t *up = scree_alloc((size_t)g->triangles, sizeof *up), surfaces = 0, second = -1;
	for (int32_t t = 0; t < g->triangles; ++t) up[t] = t;
	for (int32_t side = 0; side < 3 * g->triangles; ++side) join_two(up, side / 3, across[side] / 3);
	for (int32_t t = 0; t < g->triangles; ++t)
		if (join_root(up, t) == t && ++surfaces == 2) second = t;
	scree_free(up);
	if (surfaces == 1) return true;
	char what[100];
	snprintf(what, sizeof what, "is not connected to triangle 0: there are %d closed surfaces", surfaces);
	return refuse_triangle(g, second, what, "one: a body in one piece, without cavities");
}

bool scree_trimesh_check_closed(const trimesh_given *g, int32_t *across)
{
	return check_sides(g, across) && check_fans(g, across) && check_one(g, across);
}

/* Sums over tetrahedra between a point and the triangles (Tonon 2004; docs/theory/shapes.md). The point is first a
 * vertex and then the centroid, so no precision is lost for bodies far from the origin. */
static moments moments_about(const trimesh *m, vec3 from)
{
	moments o = {0};
	for (int32_t t = 0; t < m->triangles; ++t) {
		const int32_t *c = m->corner + 3 * t;
		scree_add_tetrahedron(&o, v3_sub(m->vertex[c[0]], from), v3_sub(m->vertex[c[1]], from),
							  v3_sub(m->vertex[c[2]], from));
	}
	return o;
}

trimesh_mass scree_trimesh_mass(const trimesh *m)
{
	moments about_vertex = moments_about(m, m->vertex[0]);
	vec3 near = v3_madd(m->vertex[0], 1 / about_vertex.volume, about_vertex.first);
	moments o = moments_about(m, near);
	vec3 off = v3_mul(1 / o.volume, o.first); /* remaining rounding error */
	trimesh_mass out = {.volume = o.volume, .centre = v3_add(near, off)};
	real *i = out.moment, *s = o.second.m;
	s[0] -= o.volume * off.x * off.x, s[1] -= o.volume * off.y * off.y, s[2] -= o.volume * off.z * off.z;
	s[3] -= o.volume * off.x * off.y, s[4] -= o.volume * off.z * off.x, s[5] -= o.volume * off.y * off.z;
	i[0] = s[1] + s[2], i[1] = s[2] + s[0], i[2] = s[0] + s[1];
	i[3] = -s[3], i[4] = -s[5], i[5] = -s[4];
	return out;
}

bool scree_trimesh_check_outward(const trimesh_given *g, const trimesh *m)
{
	real volume = scree_trimesh_mass(m).volume, least = HOLLOW * m->extent * m->extent * m->extent;
	if (volume > least) return true;
	if (volume < -least)
		return scree_refuse(g->why,
							"shape '%s' is inside out: its volume is %g, expected corners of triangles "
							"counter-clockwise seen from outside",
							g->name, volume);
	return scree_refuse(g->why, "shape '%s' encloses no volume: %g for an extent of %g", g->name, volume, m->extent);
}
