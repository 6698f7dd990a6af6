/* trimesh: builds a closed surface of triangles from a user's input: checks the input, sorts it by the tree, and adds
 * data for contacts. The checks are in trimesh_check.c and trimesh_cross.c. */
#include "shape/mesh/trimesh.h"

#include "base/join.h"
#include "base/memory.h"
#include "base/orient.h"
#include "shape/mesh/trimesh_internal.h"
#include "shape/shapes.h"

/* Smallest height of a triangle, relative to the extent, at which the normal is accurate to about 1e-6. Triangles of
 * loaded surfaces may be lower, since they were rounded after the first check. */
static const real LEAST = 1e-10, LEAST_LOADED = 0.5e-10;
/* relative distance within which neighbours are in one plane; a few rounding errors of single precision */
static const real FLAT = 0x1p-22;

static vec3 corner_of(const trimesh *m, int32_t side) { return m->vertex[m->corner[side]]; }

static void make_normals(trimesh *m)
{
	for (int32_t t = 0; t < m->triangles; ++t) {
		vec3 a = corner_of(m, 3 * t), u = v3_sub(corner_of(m, 3 * t + 1), a), v = v3_sub(corner_of(m, 3 * t + 2), a);
		real size = 1 / m->extent; /* scaled so that squares of products do not overflow */
		m->normal[t] = v3_unit(v3_cross(v3_mul(size, u), v3_mul(size, v)));
	}
}

static real bend_of(const trimesh *m, int32_t side)
{
	int32_t other = m->across[side], t = side / 3, u = other / 3;
	vec3 from = corner_of(m, side), to = corner_of(m, side_next(side)), far = corner_of(m, side_last(other));
	vec3 near = corner_of(m, side_last(side)), n = m->normal[t], o = m->normal[u];
	real cosine = v3_dot(n, o),
		 off = real_max(real_abs(v3_dot(n, v3_sub(far, from))), real_abs(v3_dot(o, v3_sub(near, from))));
	if (cosine > 0 && off <= FLAT * m->extent) return 0;
	/* convex if the next triangle is behind the plane of this triangle */
	real sense = -scree_orient3(from, to, near, far);
	if (cosine < 0) return sense;
	return sense * real_min(1, real_abs(v3_dot(v3_cross(n, o), v3_unit(v3_mul(1 / m->extent, v3_sub(to, from))))));
}

/* Both sides of a fold have the same value, computed for the side with the lower number. */
static void make_bends(trimesh *m)
{
	for (int32_t side = 0; side < 3 * m->triangles; ++side) {
		int32_t other = m->across[side];
		m->bend[side] = other < side ? m->bend[other] : bend_of(m, side);
	}
}

static void make_shortest(trimesh *m)
{
	real least2 = v3_norm2(v3_sub(corner_of(m, 1), corner_of(m, 0)));
	for (int32_t side = 0; side < 3 * m->triangles; ++side)
		least2 = real_min(least2, v3_norm2(v3_sub(corner_of(m, side_next(side)), corner_of(m, side))));
	m->shortest = sqrt(least2);
}

/* Finds features independent of how faces are divided: faces of many triangles, and vertices that are corners. */
static void make_planes(trimesh *m)
{
	for (int32_t t = 0; t < m->triangles; ++t) m->plane[t] = t;
	for (int32_t v = 0; v < m->vertices; ++v) m->first[v] = -1;
	for (int32_t side = 0; side < 3 * m->triangles; ++side)
		if (m->bend[side] == 0) join_two(m->plane, side / 3, m->across[side] / 3);
	for (int32_t t = 0; t < m->triangles; ++t) m->plane[t] = join_root(m->plane, t);
	/* a fold has two sides, which start at its two ends, so a side is found for every vertex of a fold */
	for (int32_t side = 3 * m->triangles; side-- > 0;)
		if (m->bend[side] != 0) m->first[m->corner[side]] = side;
}

/* Computes `across` of sorted triangles. before: [3*triangles] corners before sorting; given[t]: former number of t */
static void sort_across(trimesh *m, const int32_t *before, const int32_t *given)
{
	int32_t *was = scree_copy(m->across, 3 * (size_t)m->triangles, sizeof *was);
	int32_t *now = scree_alloc(3 * (size_t)m->triangles, sizeof *now); /* the new number of each side */
	for (int32_t t = 0; t < m->triangles; ++t)
		for (int k = 0; k < 3; ++k) {
			int32_t side = 3 * given[t];
			while (before[side] != m->corner[3 * t + k]) ++side;
			now[side] = 3 * t + k;
		}
	for (int32_t side = 0; side < 3 * m->triangles; ++side) m->across[now[side]] = now[was[side]];
	SCREE_FREE_ALL(now, was);
}

/* derives all other data from vertices, corners and `across`; sets given[t] to the former number of triangle t */
static void make_rest(trimesh *m, int32_t *given)
{
	int32_t *before = scree_copy(m->corner, 3 * (size_t)m->triangles, sizeof *before);
	for (int32_t t = 0; t < m->triangles; ++t) given[t] = t;
	scree_trimesh_plant(m, given);
	sort_across(m, before, given);
	scree_free(before);
	m->extent = scree_trimesh_extent(m->vertices, m->vertex);
	scree_trimesh_make_surrogates(m);
	make_normals(m);
	make_bends(m);
	make_planes(m);
	make_shortest(m);
}

static trimesh copy_of(const trimesh_given *g)
{
	size_t sides = 3 * (size_t)g->triangles;
	trimesh m = {.vertices = g->vertices, .triangles = g->triangles};
	m.vertex = scree_copy(g->vertex, (size_t)g->vertices, sizeof *m.vertex);
	m.corner = scree_copy(g->triangle, sides, sizeof *m.corner);
	m.across = scree_alloc(sides, sizeof *m.across);
	m.bend = scree_alloc(sides, sizeof *m.bend);
	m.normal = scree_alloc((size_t)g->triangles, sizeof *m.normal);
	m.plane = scree_alloc((size_t)g->triangles, sizeof *m.plane);
	m.first = scree_alloc((size_t)g->vertices, sizeof *m.first);
	return m;
}

static bool make(trimesh *out, trimesh_given *g, bool all_checks)
{
	*out = (trimesh){0};
	if (!scree_trimesh_check_given(g)) return false;
	if (all_checks && !scree_trimesh_check_places(g)) return false;
	trimesh m = copy_of(g);
	int32_t *given = scree_alloc((size_t)m.triangles, sizeof *given);
	bool good = scree_trimesh_check_closed(g, m.across);
	if (good) make_rest(&m, given);
	good = good && scree_trimesh_check_outward(g, &m) && (!all_checks || scree_trimesh_check_crossing(g, &m, given));
	scree_free(given);
	if (good)
		*out = m;
	else
		scree_trimesh_free(&m);
	return good;
}

bool scree_trimesh_build(trimesh *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						 const int32_t *triangle, fail *why)
{
	return make(out, &(trimesh_given){name, vertices, triangles, vertex, triangle, LEAST, 0, why}, true);
}

bool scree_trimesh_load(trimesh *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
						const int32_t *triangle, fail *why)
{
	return make(out, &(trimesh_given){name, vertices, triangles, vertex, triangle, LEAST_LOADED, 0, why}, false);
}

void scree_trimesh_free(trimesh *m)
{
	SCREE_FREE_ALL(m->vertex, m->corner, m->across, m->normal, m->bend, m->node, m->plane, m->first, m->surrogate);
	*m = (trimesh){0};
}

void scree_trimesh_move(trimesh *m, vec3 from, mat3 turn)
{
	for (int32_t i = 0; i < m->vertices; ++i) m->vertex[i] = mat3_tmul(turn, v3_sub(m->vertex[i], from));
	int32_t *given = scree_alloc((size_t)m->triangles, sizeof *given);
	make_rest(m, given);
	scree_free(given);
}

/* returns the smallest height of the triangles in the face's fan from corner k */
static real fan_height(const shape *s, int32_t face, int32_t k)
{
	const int32_t *c = s->corner + s->first[face];
	int32_t count = s->first[face + 1] - s->first[face];
	real least = s->radius;
	for (int32_t i = 1; i + 1 < count; ++i)
		least = real_min(least, scree_triangle_height(shape_vertex(s, c[k]), shape_vertex(s, c[(k + i) % count]),
													  shape_vertex(s, c[(k + i + 1) % count])));
	return least;
}

/* adds the fan whose smallest height is largest; returns the number of its triangles */
static int32_t add_fan(const shape *s, int32_t face, int32_t *triangle)
{
	const int32_t *c = s->corner + s->first[face];
	int32_t count = s->first[face + 1] - s->first[face], best = 0;
	real most = -1;
	for (int32_t k = 0; k < count; ++k) {
		real height = fan_height(s, face, k);
		if (height > most) most = height, best = k;
	}
	for (int32_t i = 1; i + 1 < count; ++i, triangle += 3)
		triangle[0] = c[best], triangle[1] = c[(best + i) % count], triangle[2] = c[(best + i + 1) % count];
	return count - 2;
}

bool scree_trimesh_of_convex(trimesh *out, const struct shape *s)
{
	*out = (trimesh){0};
	if (s->type != SHAPE_CONVEX) return false;
	vec3 *vertex = scree_alloc((size_t)s->vertices, sizeof *vertex);
	int32_t *triangle = scree_alloc(3 * (size_t)s->corners, sizeof *triangle), triangles = 0;
	for (int32_t i = 0; i < s->vertices; ++i) vertex[i] = shape_vertex(s, i);
	for (int32_t f = 0; f < s->faces; ++f) triangles += add_fan(s, f, triangle + 3 * triangles);
	fail why = {0}; /* neighbouring triangles of rounded faces may cross due to rounding */
	bool good = scree_trimesh_load(out, s->name, s->vertices, vertex, triangles, triangle, &why);
	SCREE_FREE_ALL(vertex, triangle);
	return good;
}
