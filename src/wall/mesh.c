/* mesh: converts a triangle mesh into surfaces and facets with links to their neighbours. Corners are welded (within
 * 1e-9 of the extent), and duplicate triangles and those without height are removed. Neighbours are triangles that
 * share an edge and traverse it in opposite directions. An edge of only one triangle, or of more than two, is open. In
 * two-sided walls, where the orientation of triangles has no meaning, triangles are first oriented consistently along
 * shared edges.
 *
 * Surfaces grow from the largest triangles by adding neighbours with all corners in the surface's mean plane. Distances
 * are measured from the plane of the whole surface, not from neighbour to neighbour, so that a finely meshed smooth
 * curve does not become one surface. The tolerance is a few rounding errors of single precision, the precision of
 * binary STL. With a smaller tolerance, each triangle of a tilted flat plate would be a separate surface, and bodies on
 * seams would be pushed twice. */
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "shape/mesh/surface.h"
#include "wall/net.h"
#include "wall/internal.h"

static const real WELD = 1e-9;	 /* largest distance between coinciding corners, relative to the extent */
static const real HEIGHT = 1e-9; /* smallest height of a triangle relative to the extent */
/* largest distance from the plane, relative to the largest coordinate: 10 rounding errors of single precision */
static const real IN_PLANE = 6e-7;
/* Tolerance for equality within a file's precision, as a fraction of the extent: NEAR for single precision or seven
 * digits, or else DIGITS units of the last digit if that is at most MOST of the extent. */
static const real NEAR = 1e-6, DIGITS = 2, MOST = 3e-4;

static bool check_mesh(const wall *w, net *n, const vec3 *vertex, const int32_t *triangle, fail *why)
{
	if (n->vertices < 3 || n->triangles < 1 || n->triangles > INT32_MAX / 3)
		return scree_refuse(why, "wall '%s': a mesh with %d vertices and %d triangles, expected at least 3 and 1",
							w->name, n->vertices, n->triangles);
	for (int32_t i = 0; i < n->vertices; ++i) {
		vec3 p = vertex[i];
		if (!scree_wall_check_point(w, "a vertex", p, why)) return scree_fail_in(why, "vertex %d", i);
		n->reach = real_max(n->reach, real_max(real_abs(p.x), real_max(real_abs(p.y), real_abs(p.z))));
	}
	n->extent = scree_extent(n->vertices, vertex);
	for (int32_t k = 0; k < 3 * n->triangles; ++k)
		if (triangle[k] < 0 || triangle[k] >= n->vertices)
			return scree_refuse(why, "wall '%s': triangle %d has vertex %d, expected 0 to %d", w->name, k / 3,
								triangle[k], n->vertices - 1);
	return true;
}

static bool has_height(const net *n, const int32_t *t)
{
	if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
	real longest = 0;
	for (int k = 0; k < 3; ++k)
		longest = real_max(longest, v3_norm(v3_sub(n->vertex[t[(k + 1) % 3]], n->vertex[t[k]])));
	return v3_norm(net_area(n, t)) > HEIGHT * n->extent * longest;
}

/* Welds corners, and keeps one copy of each triangle with nonzero height. */
static void clean(net *n, const int32_t *triangle, bool two_sided)
{
	int32_t *to = scree_alloc((size_t)n->vertices, sizeof *to);
	scree_weld(n->vertices, n->vertex, WELD * n->extent, to);
	n->triangle = scree_alloc(3 * (size_t)n->triangles, sizeof *n->triangle);
	named_triangle *all = scree_alloc((size_t)n->triangles, sizeof *all);
	for (int32_t t = 0; t < n->triangles; ++t) {
		int32_t *c = n->triangle + 3 * t;
		for (int k = 0; k < 3; ++k) c[k] = to[triangle[3 * t + k]];
		int low = c[0] < c[1] ? (c[0] < c[2] ? 0 : 2) : (c[1] < c[2] ? 1 : 2);
		all[t] = (named_triangle){{c[low], c[(low + 1) % 3], c[(low + 2) % 3]}, t};
		if (two_sided && all[t].corner[1] > all[t].corner[2])
			all[t] = (named_triangle){{c[low], c[(low + 2) % 3], c[(low + 1) % 3]}, t};
	}
	bool *copy = scree_triangle_copies(n->triangles, all); /* copies list the same corners, starting with the lowest */
	int32_t kept = 0;
	for (int32_t t = 0; t < n->triangles; ++t)
		if (!copy[t] && has_height(n, n->triangle + 3 * t))
			memmove(n->triangle + 3 * kept++, n->triangle + 3 * t, 3 * sizeof *n->triangle);
	n->dropped = n->triangles - kept;
	n->triangles = kept;
	SCREE_FREE_ALL(copy, to);
}

/* tests whether the side from corner k starts at the lower of its two vertices */
static bool runs_up(const net *n, int32_t k) { return n->triangle[k] < n->triangle[net_after(k)]; }

/* Orients each connected part like its lowest triangle. Neighbours then traverse an edge in opposite directions. */
static void turn_alike(net *n)
{
	scree_net_across(n, false);
	int32_t *wait = scree_alloc((size_t)n->triangles, sizeof *wait);
	signed char *seen = scree_alloc((size_t)n->triangles, 1); /* 1: keep, 2: reverse */
	for (int32_t seed = 0; seed < n->triangles; ++seed) {
		if (seen[seed]) continue;
		int32_t count = 0, done = 0;
		seen[seed] = 1;
		wait[count++] = seed;
		while (done < count) {
			int32_t t = wait[done++];
			for (int32_t k = 3 * t; k < 3 * t + 3; ++k) {
				int32_t m = n->across[k];
				if (m < 0 || seen[m / 3]) continue;
				bool same_way = runs_up(n, k) == runs_up(n, m);
				seen[m / 3] = (signed char)(same_way ? 3 - seen[t] : seen[t]);
				wait[count++] = m / 3;
			}
		}
	}
	for (int32_t t = 0; t < n->triangles; ++t) {
		if (seen[t] != 2) continue;
		SCREE_SWAP(n->triangle[3 * t + 1], n->triangle[3 * t + 2]);
		n->normal[t] = v3_neg(n->normal[t]);
	}
	SCREE_FREE_ALL(wait, seen);
}

/* The area-weighted mean plane of a growing surface. */
typedef struct mean_plane {
	vec3 area, moment;
	real weight;
} mean_plane;

static void take(mean_plane *m, const net *n, int32_t t)
{
	const int32_t *c = n->triangle + 3 * t;
	vec3 area = net_area(n, c);
	real weight = v3_norm(area);
	m->area = v3_add(m->area, area);
	for (int k = 0; k < 3; ++k) m->moment = v3_madd(m->moment, weight / 3, n->vertex[c[k]]);
	m->weight += weight;
}

static bool in_plane(const mean_plane *m, const net *n, int32_t t)
{
	vec3 normal = v3_unit(m->area), origin = v3_mul(1 / m->weight, m->moment);
	real off = real_max(IN_PLANE * n->reach, n->near);
	if (!(v3_dot(normal, n->normal[t]) > 0)) return false;
	for (int k = 0; k < 3; ++k)
		if (real_abs(v3_dot(normal, v3_sub(n->vertex[n->triangle[3 * t + k]], origin))) > off) return false;
	return true;
}

/* Assigns this number to all triangles connected to the seed in its plane; `wait` has room for all triangles. */
static void grow(net *n, int32_t seed, int32_t number, int32_t *wait)
{
	int32_t count = 0, done = 0;
	mean_plane plane = {0};
	take(&plane, n, seed);
	n->surface[seed] = number;
	wait[count++] = seed;
	while (done < count) {
		int32_t t = wait[done++];
		for (int32_t k = 3 * t; k < 3 * t + 3; ++k) {
			int32_t u = n->across[k] / 3;
			if (n->across[k] < 0 || n->surface[u] >= 0 || !in_plane(&plane, n, u)) continue;
			take(&plane, n, u);
			n->surface[u] = number;
			wait[count++] = u;
		}
	}
}

/* Grows surfaces from the largest, most accurate triangles, then numbers them in order of their lowest facets. */
static void find_surfaces(net *n)
{
	sized *seed = scree_net_sizes(n);
	int32_t *wait = scree_alloc((size_t)n->triangles, sizeof *wait);
	for (int32_t t = 0; t < n->triangles; ++t) n->surface[t] = -1;
	for (int32_t k = 0; k < n->triangles; ++k)
		if (n->surface[seed[k].row[0]] < 0) grow(n, seed[k].row[0], n->surfaces++, wait);
	int32_t *number = wait, next = 0;
	for (int32_t k = 0; k < n->surfaces; ++k) number[k] = -1;
	for (int32_t t = 0; t < n->triangles; ++t) {
		if (number[n->surface[t]] < 0) number[n->surface[t]] = next++;
		n->surface[t] = number[n->surface[t]];
	}
	SCREE_FREE_ALL(wait, seed);
}

static void add_facets(walls *s, const net *n)
{
	int32_t base = s->facets;
	scree_walls_reserve(s, n->triangles, 3 * n->triangles);
	for (int32_t t = 0; t < n->triangles; ++t) {
		vec3 corner[3];
		for (int k = 0; k < 3; ++k) corner[k] = n->vertex[n->triangle[3 * t + k]];
		real off =
			(v3_dot(n->normal[t], corner[0]) + v3_dot(n->normal[t], corner[1]) + v3_dot(n->normal[t], corner[2])) / 3;
		scree_walls_add_facet(s, n->surface[t], n->normal[t], off, 3, corner);
		int32_t first = s->facet[base + t].first;
		for (int32_t k = 0; k < 3; ++k) {
			int32_t m = n->across[3 * t + k], u = m / 3;
			if (m < -1) s->next[first + k] = edge_cover(base - 2 - m);
			if (m < 0) continue;
			s->next[first + k] = base + u;
			if (n->surface[u] == n->surface[t]) continue;
			s->bend[first + k] = -v3_dot(n->normal[u], s->outward[first + k]);
			/* folded flat (a knife edge): the sine is meaningless, and the edge can be touched like a ridge */
			if (v3_dot(n->normal[t], n->normal[u]) < 0 && real_abs(s->bend[first + k]) < WELD) s->bend[first + k] = -1;
		}
	}
}

/* welded triangles become facets with links to their neighbours */
static void make_net(net *n, const wall *w)
{
	/* a tolerance above MOST is the user's choice and not due to rounding in the file */
	const real digits = DIGITS * w->tolerance <= MOST * n->extent ? DIGITS * w->tolerance : 0;
	n->near = real_max(NEAR * n->extent, digits);
	n->normal = scree_alloc((size_t)n->triangle_room, sizeof *n->normal);
	for (int32_t t = 0; t < n->triangles; ++t) n->normal[t] = v3_unit(net_area(n, n->triangle + 3 * t));
	n->source = scree_alloc((size_t)n->triangle_room, sizeof *n->source);
	for (int32_t t = 0; t < n->triangles; ++t) n->source[t] = t;
	scree_net_conform(n);
	if (n->two_sided) turn_alike(n);
	scree_net_across(n, true);
	scree_net_cover(n);
	n->surface = scree_alloc((size_t)n->triangles, sizeof *n->surface);
	find_surfaces(n);
}

int32_t scree_walls_add_mesh(walls *s, wall w, int32_t vertices, const vec3 *vertex, int32_t triangles,
							 const int32_t *triangle, fail *why)
{
	w.type = WALL_FACETS;
	net n = {.vertices = vertices, .triangles = triangles, .two_sided = w.two_sided};
	if (!scree_wall_check(&w, why) || !check_mesh(&w, &n, vertex, triangle, why)) return -1;
	n.vertex_room = vertices, n.triangle_room = triangles;
	n.vertex = scree_copy(vertex, (size_t)vertices, sizeof *n.vertex);
	clean(&n, triangle, w.two_sided);
	int32_t row = -1;
	if (n.triangles) make_net(&n, &w);
	if (!n.triangles)
		scree_refuse(why, "wall '%s': none of the %d triangles of its mesh has an area", w.name, triangles);
	else if (n.triangles > (INT32_MAX - s->corners) / 3)
		scree_refuse(why, "wall '%s': %d triangles are too many in addition to the %d corners of earlier walls", w.name,
					 n.triangles, s->corners);
	else {
		w.first_facet = s->facets, w.facets = n.triangles;
		w.dropped = n.dropped;
		w.repaired = n.found;
		w.tolerance = n.near;
		add_facets(s, &n);
		row = scree_walls_append(s, &w, n.surfaces);
	}
	SCREE_FREE_ALL(n.vertex, n.triangle, n.across, n.normal, n.surface, n.source);
	return row;
}
