/* convex: creates a shape from a user's faces: checks, mass properties, principal frame, and tables.
 *
 * in   vertices and planar loops in an arbitrary frame, at an arbitrary position
 * out  a row of shapes with the same faces in the same order, in the principal frame, with the centroid at 0
 *
 * Volume, centroid, and second moments are sums over the tetrahedra between the fans of the faces and a point near the
 * centre, which keeps precision far from the origin (Tonon 2004; docs/theory/shapes.md, shape/principal.h).
 *
 * The checks use the same stored vertices as the simulation. All tolerances are relative to the extent: the largest
 * distance of a vertex from the mean of the vertices. */
#include "shape/compound.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "kernel/quat.h"
#include "shape/mesh/surface.h"
#include "shape/principal.h"

static const real PLANAR = 1e-9;  /* relative distance of corners from their plane, and of vertices beyond one */
static const real THIN = 1e-6;	  /* smallest inradius relative to the radius */
static const real FLAT = 5e-11;	  /* smallest sine of the angle between two faces */
static const real LARGEST = 1e30; /* limit that keeps fifth powers of lengths in the range of doubles */

/* Data passed between the steps of building a shape. */
typedef struct build {
	const char *name;
	int32_t vertices, faces, corners;
	const vec3 *vertex;
	const int32_t *first, *corner;
	vec3 mean;		   /* mean of the vertices */
	real extent;	   /* largest distance from the mean */
	half_edge *halves; /* [corners] */
	fail *why;
} build;

static bool check_vertices(build *b)
{
	if (b->vertices < 4 || b->faces < 4)
		return scree_refuse(b->why, "shape '%s': %d vertices and %d faces, expected at least 4 of each", b->name,
							b->vertices, b->faces);
	vec3 sum = v3(0, 0, 0);
	if (!scree_check_points("shape", b->name, "vertex", b->vertices, b->vertex, b->why)) return false;
	for (int32_t i = 0; i < b->vertices; ++i) sum = v3_add(sum, b->vertex[i]);
	b->mean = v3_mul(1 / (real)b->vertices, sum);
	for (int32_t i = 0; i < b->vertices; ++i) b->extent = real_max(b->extent, v3_norm(v3_sub(b->vertex[i], b->mean)));
	if (!(b->extent > 1 / LARGEST))
		return scree_refuse(b->why, "shape '%s': all its vertices are at one point", b->name);
	return true;
}

static bool check_loops(build *b)
{
	int32_t *seen = scree_alloc((size_t)b->vertices, sizeof *seen); /* 1 + the last face that used the vertex */
	bool good = true;
	for (int32_t f = 0; good && f < b->faces; ++f) {
		int32_t from = b->first[f], to = b->first[f + 1];
		if (to - from < 3)
			good =
				scree_refuse(b->why, "shape '%s': face %d has %d corners, expected at least 3", b->name, f, to - from);
		for (int32_t k = from; good && k < to; ++k) {
			int32_t i = b->corner[k];
			if (i < 0 || i >= b->vertices)
				good = scree_refuse(b->why, "shape '%s': corner %d of face %d is vertex %d, expected 0 to %d", b->name,
									k - from, f, i, b->vertices - 1);
			else if (seen[i] == f + 1)
				good = scree_refuse(b->why, "shape '%s': face %d has vertex %d twice", b->name, f, i);
			else
				seen[i] = f + 1;
		}
	}
	scree_free(seen);
	return good;
}

half_edge *scree_half_edges(int32_t faces, const int32_t *first, const int32_t *corner)
{
	half_edge *all = scree_alloc((size_t)first[faces], sizeof *all);
	for (int32_t f = 0; f < faces; ++f)
		for (int32_t k = first[f]; k < first[f + 1]; ++k)
			all[k] = (half_edge){corner[k], corner[k + 1 < first[f + 1] ? k + 1 : first[f]], k, f};
	scree_sort_by(all, first[faces], sizeof *all, scree_sort_three);
	return all;
}

const half_edge *scree_half_edge(const half_edge *all, int32_t count, int32_t from, int32_t to)
{
	const half_edge key = {from, to, 0, 0}, *h = bsearch(&key, all, (size_t)count, sizeof key, scree_sort_two);
	while (h && h > all && scree_sort_two(h - 1, &key) == 0) --h; /* NULL: none */
	return h;
}

/* Each edge must occur once in each direction; then the surface is closed, and its faces are oriented consistently. */
static bool check_closed(build *b)
{
	b->halves = scree_half_edges(b->faces, b->first, b->corner);
	for (int32_t k = 1; k < b->corners; ++k) {
		const half_edge *h = b->halves + k;
		if (h[-1].from == h->from && h[-1].to == h->to)
			return scree_refuse(b->why,
								"shape '%s': faces %d and %d both run from vertex %d to vertex %d, expected opposite "
								"ways (each face counter-clockwise seen from outside)",
								b->name, h[-1].face, h->face, h->from, h->to);
	}
	for (int32_t k = 0; k < b->corners; ++k) {
		const half_edge *h = b->halves + k;
		if (!scree_half_edge(b->halves, b->corners, h->to, h->from))
			return scree_refuse(
				b->why, "shape '%s' is open: no other face shares the edge from vertex %d to vertex %d of face %d",
				b->name, h->from, h->to, h->face);
	}
	/* half-edges are sorted by start, and a vertex has as many half-edges as faces */
	for (int32_t i = 0, k = 0; i < b->vertices; ++i) {
		int32_t before = k;
		while (k < b->corners && b->halves[k].from == i) ++k;
		if (k - before < 3)
			return scree_refuse(b->why, "shape '%s': vertex %d is in %d faces, expected at least 3", b->name, i,
								k - before);
	}
	int32_t euler = b->vertices - b->corners / 2 + b->faces;
	if (euler != 2)
		return scree_refuse(b->why, "shape '%s' is not one closed surface: vertices - edges + faces is %d, expected 2",
							b->name, euler);
	return true;
}

/* moments about the point `from`, for faces whose vertices are p */
static moments integrate(const build *b, const vec3 *p, vec3 from)
{
	moments sum = {0};
	for (int32_t f = 0; f < b->faces; ++f) {
		vec3 u = v3_sub(p[b->corner[b->first[f]]], from);
		for (int32_t k = b->first[f] + 1; k + 1 < b->first[f + 1]; ++k) {
			vec3 v = v3_sub(p[b->corner[k]], from), w = v3_sub(p[b->corner[k + 1]], from);
			scree_add_tetrahedron(&sum, u, v, w);
		}
	}
	return sum;
}

/* Sets mass properties, and the vertices in the principal frame. */
static bool place(build *b, shape *s, vec3 *stored)
{
	moments about_mean = integrate(b, b->vertex, b->mean);
	real cube = b->extent * b->extent * b->extent;
	if (about_mean.volume < -1e-12 * cube)
		return scree_refuse(b->why, "shape '%s' is inside out: its faces turn clockwise seen from outside (volume %g)",
							b->name, about_mean.volume);
	if (!(about_mean.volume > 1e-12 * cube))
		return scree_refuse(b->why, "shape '%s' is flat: volume %g with an extent of %g", b->name, about_mean.volume,
							b->extent);
	s->centre = v3_madd(b->mean, 1 / about_mean.volume, about_mean.first);
	s->frame = scree_principal_frame(integrate(b, b->vertex, s->centre).second);
	bool same_axes = s->frame.w == 1;
	mat3 turn = quat_matrix(s->frame);
	for (int32_t i = 0; i < b->vertices; ++i) {
		vec3 d = v3_sub(b->vertex[i], s->centre);
		stored[i] = same_axes ? d : mat3_tmul(turn, d);
	}
	moments m = integrate(b, stored, v3(0, 0, 0));
	s->volume = m.volume;
	s->inertia = scree_inertia_of(m.second);
	return true;
}

static void list_faces_of_vertices(shape *s)
{
	s->at_first = scree_alloc((size_t)s->vertices + 1, sizeof *s->at_first);
	s->at = scree_alloc((size_t)s->corners, sizeof *s->at);
	for (int32_t k = 0; k < s->corners; ++k) s->at_first[s->corner[k] + 1] += 1;
	for (int32_t v = 0; v < s->vertices; ++v) s->at_first[v + 1] += s->at_first[v];
	int32_t *next = scree_copy(s->at_first, (size_t)s->vertices + 1, sizeof *next);
	for (int32_t f = 0; f < s->faces; ++f)
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) s->at[next[s->corner[k]]++] = f;
	scree_free(next);
}

static void copy_tables(const build *b, shape *s, const vec3 *stored)
{
	s->type = SHAPE_CONVEX;
	s->vertices = b->vertices;
	s->padded = (b->vertices + 7) / 8 * 8;
	s->faces = b->faces;
	s->corners = b->corners;
	s->edges = b->corners / 2;
	s->vx = scree_alloc((size_t)s->padded, sizeof *s->vx);
	s->vy = scree_alloc((size_t)s->padded, sizeof *s->vy);
	s->vz = scree_alloc((size_t)s->padded, sizeof *s->vz);
	for (int32_t i = 0; i < s->padded; ++i) {
		vec3 p = stored[i < s->vertices ? i : 0];
		s->vx[i] = p.x, s->vy[i] = p.y, s->vz[i] = p.z;
		s->radius = real_max(s->radius, v3_norm(p));
	}
	s->first = scree_copy(b->first, (size_t)s->faces + 1, sizeof *s->first);
	s->corner = scree_copy(b->corner, (size_t)s->corners, sizeof *s->corner);
	s->across = scree_alloc((size_t)s->corners, sizeof *s->across);
	s->ends = scree_alloc(2 * (size_t)s->edges, sizeof *s->ends);
	s->sides = scree_alloc(2 * (size_t)s->edges, sizeof *s->sides);
	int32_t e = 0;
	for (int32_t f = 0; f < s->faces; ++f)
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k) {
			int32_t from = s->corner[k], to = s->corner[k + 1 < s->first[f + 1] ? k + 1 : s->first[f]];
			int32_t g = scree_half_edge(b->halves, b->corners, to, from)->face;
			s->across[k] = g;
			if (f > g) continue; /* each edge is counted once, from the face with the lower number */
			s->ends[2 * e] = from, s->ends[2 * e + 1] = to;
			s->sides[2 * e] = f, s->sides[2 * e + 1] = g;
			++e;
		}
	SCREE_ASSERT(e == s->edges);
	list_faces_of_vertices(s);
}

/* Computes planes with Newell's sums and offsets from the outermost vertices, so that no vertex is outside a plane. */
static bool find_planes(const build *b, shape *s, const vec3 *stored)
{
	const size_t padded = (size_t)shape_padded_faces(s);
	s->nx = scree_alloc(padded, sizeof *s->nx);
	s->ny = scree_alloc(padded, sizeof *s->ny);
	s->nz = scree_alloc(padded, sizeof *s->nz);
	s->off = scree_alloc(padded, sizeof *s->off);
	real near = PLANAR * b->extent;
	s->inradius = s->radius;
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 area = fan_area(stored, s->corner + s->first[f], s->first[f + 1] - s->first[f]);
		vec3 n = v3_unit(area), base = stored[s->corner[s->first[f]]];
		if (!(v3_norm(area) > near * near)) return scree_refuse(b->why, "shape '%s': face %d has no area", b->name, f);
		real own = v3_dot(n, base), most = own;
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k)
			if (real_abs(v3_dot(n, stored[s->corner[k]]) - own) > near)
				return scree_refuse(b->why, "shape '%s': face %d is not planar: vertex %d is %g off its plane", b->name,
									f, s->corner[k], v3_dot(n, stored[s->corner[k]]) - own);
		for (int32_t i = 0; i < s->vertices; ++i) {
			real d = v3_dot(n, stored[i]);
			if (d > own + near)
				return scree_refuse(b->why, "shape '%s' is not convex: vertex %d is %g outside the plane of face %d",
									b->name, i, d - own, f);
			most = real_max(most, d);
		}
		s->nx[f] = n.x, s->ny[f] = n.y, s->nz[f] = n.z, s->off[f] = most;
		s->inradius = real_min(s->inradius, most);
	}
	if (!(s->inradius > THIN * s->radius))
		return scree_refuse(b->why, "shape '%s' is too thin: inradius %g, expected more than 1e-6 of the radius %g",
							b->name, s->inradius, s->radius);
	return true;
}

/* Tests that faces are convex loops and that neighbours are not in the same plane. */
static bool check_faces(const build *b, const shape *s, const vec3 *stored)
{
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = shape_normal(s, f);
		int32_t from = s->first[f], to = s->first[f + 1];
		for (int32_t k = from; k < to; ++k) {
			vec3 p = stored[s->corner[k]], edge = v3_sub(stored[s->corner[k + 1 < to ? k + 1 : from]], p);
			vec3 in = v3_unit(v3_cross(n, edge));
			if (!(v3_norm(edge) > PLANAR * b->extent))
				return scree_refuse(b->why, "shape '%s': the edge after vertex %d of face %d has no length", b->name,
									s->corner[k], f);
			for (int32_t j = from; j < to; ++j)
				if (v3_dot(in, v3_sub(stored[s->corner[j]], p)) < -PLANAR * b->extent)
					return scree_refuse(
						b->why, "shape '%s': face %d is not convex: vertex %d is outside the edge after vertex %d",
						b->name, f, s->corner[j], s->corner[k]);
			int32_t g = s->across[k];
			vec3 m = shape_normal(s, g);
			if (v3_norm(v3_cross(n, m)) < FLAT && v3_dot(n, m) > 0)
				return scree_refuse(b->why, "shape '%s': faces %d and %d lie in one plane, expected one face", b->name,
									f, g);
		}
	}
	return true;
}

real scree_shape_unevenness(const shape *s)
{
	real most = 0;
	for (int32_t f = 0; f < s->faces; ++f)
		for (int32_t k = s->first[f]; k < s->first[f + 1]; ++k)
			most = real_max(most, s->off[f] - v3_dot(shape_normal(s, f), shape_vertex(s, s->corner[k])));
	return most;
}

bool scree_convex_build(shape *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t faces,
						const int32_t *first, const int32_t *corner, fail *why)
{
	build b = {name, vertices, faces, .vertex = vertex, .first = first, .corner = corner, .why = why};
	bool good = false;
	vec3 *stored = NULL;
	if (check_vertices(&b) && check_loops(&b)) {
		b.corners = first[faces];
		stored = scree_alloc((size_t)vertices, sizeof *stored);
		if (check_closed(&b) && place(&b, out, stored)) {
			copy_tables(&b, out, stored);
			good = find_planes(&b, out, stored) && check_faces(&b, out, stored);
			if (good) out->uneven = scree_shape_unevenness(out);
		}
	}
	SCREE_FREE_ALL(stored, b.halves);
	return good;
}

int32_t scree_shapes_add_convex(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t faces,
								const int32_t *first, const int32_t *corner, fail *why)
{
	shape made = {0};
	if (scree_shape_name(&made, name, why) &&
		scree_convex_build(&made, name, vertices, vertex, faces, first, corner, why))
		return scree_shapes_append(s, &made);
	scree_shape_clear(&made);
	return -1;
}
