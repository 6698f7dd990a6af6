/* granulate: random grains. The hull is built as a temporary shape in the table of shapes (shape/hull/hull.c). The
 * corners of the hull are then looked up among the points, so that the grain has exactly their coordinates. */
#include "format/granulate.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/quat.h"
#include "shape/mesh/trimesh.h"
#include "shape/shapes.h"

enum { FEWEST = 4, MOST = 4096, TRIES = 1000 };
static const uint64_t STREAM = (uint64_t)0x6772616e << 32; /* "gran": differs from other streams of the same seed */

static bool check(const granulate *g, const char *name, fail *why)
{
	if (g->points < FEWEST || g->points > MOST)
		return scree_fail(why, FAIL_INPUT, "shape '%s': a grain of %d points, expected %d to %d", name, g->points,
						  (int)FEWEST, (int)MOST);
	if (!(g->low > 0 && g->low <= g->high && g->high <= 1e6 * g->low))
		return scree_fail(why, FAIL_INPUT,
						  "shape '%s': radial factors from %g to %g, expected a range above 0, whose end is at least "
						  "its start and at most a million times that",
						  name, g->low, g->high);
	return true;
}

/* Finds the points that are vertices of the hull, in the order of the vertices: row[v] is the point of vertex v. */
static bool find_rows(const shape *s, int32_t points, const vec3 *p, int32_t *row)
{
	int32_t at = 0;
	for (int32_t v = 0; v < s->vertices; ++v, ++at) {
		vec3 q = v3_add(s->centre, quat_rotate(s->frame, shape_vertex(s, v)));
		while (at < points && !(v3_norm(v3_sub(q, p[at])) <= 1e-12 * s->radius)) ++at;
		if (at == points) return false;
		row[v] = at;
	}
	return true;
}

/* Makes the mesh of the hull. Vertex v of the hull becomes q[row[v]]; q has one vertex per point. */
static mesh hull_of(const shape *s, const int32_t *row, const vec3 *q)
{
	mesh m = {.vertices = s->vertices, .triangles = s->corners - 2 * s->faces};
	m.vertex = scree_alloc((size_t)m.vertices, sizeof *m.vertex);
	m.triangle = scree_alloc(3 * (size_t)m.triangles, sizeof *m.triangle);
	for (int32_t v = 0; v < s->vertices; ++v) m.vertex[v] = q[row[v]];
	int32_t *to = m.triangle;
	for (int32_t f = 0; f < s->faces; ++f)
		for (int32_t k = s->first[f] + 1; k + 1 < s->first[f + 1]; ++k, to += 3)
			to[0] = s->corner[s->first[f]], to[1] = s->corner[k], to[2] = s->corner[k + 1];
	return m;
}

/* Tests whether the middle of the cloud is inside the hull. */
static bool surrounded(const shape *s)
{
	vec3 middle = quat_unrotate(s->frame, v3_neg(s->centre));
	for (int32_t f = 0; f < s->faces; ++f)
		if (!(v3_dot(shape_normal(s, f), middle) < s->off[f])) return false;
	return true;
}

/* Moves the centroid to 0, and scales the grain so that the farthest vertex is at 1/2. */
static bool place(const char *name, mesh *m, fail *why)
{
	trimesh t;
	if (!scree_trimesh_build(&t, name, m->vertices, m->vertex, m->triangles, m->triangle, why)) return false;
	vec3 centre = scree_trimesh_mass(&t).centre;
	scree_trimesh_free(&t);
	real far = 0;
	for (int32_t i = 0; i < m->vertices; ++i) far = real_max(far, v3_norm(v3_sub(m->vertex[i], centre)));
	for (int32_t i = 0; i < m->vertices; ++i) m->vertex[i] = v3_mul(0.5 / far, v3_sub(m->vertex[i], centre));
	return true;
}

/* Makes the hull of a cloud of points. again: set if a new cloud is needed, because the middle is outside the hull */
static bool try_cloud(const granulate *g, const char *name, const vec3 *direction, const vec3 *point, mesh *out,
					  bool *again, fail *why)
{
	shapes all = {0};
	bool hull_first = g->order == HULL_THEN_SCALE;
	if (scree_shapes_add_hull(&all, name, g->points, hull_first ? direction : point, why) < 0) return false;
	int32_t *row = scree_alloc((size_t)g->points, sizeof *row);
	const shape *s = all.row;
	bool good = find_rows(s, g->points, hull_first ? direction : point, row);
	*again = good && !surrounded(s);
	if (!good)
		scree_fail(why, FAIL_INPUT, "shape '%s': points are too close to each other for a hull", name);
	else if (!*again)
		*out = hull_of(s, row, point);
	scree_free(row);
	scree_shapes_free(&all);
	return good;
}

bool scree_granulate(const granulate *g, const char *name, mesh *out, fail *why)
{
	*out = (mesh){0};
	if (!check(g, name, why)) return false;
	vec3 *direction = scree_alloc((size_t)g->points, sizeof *direction);
	vec3 *point = scree_alloc((size_t)g->points, sizeof *point);
	random_stream r = scree_random_start(g->seed, STREAM + g->number);
	bool good = true, again = true;
	for (int tries = 0; good && again; ++tries) {
		for (int32_t i = 0; i < g->points; ++i) direction[i] = scree_random_direction(&r);
		for (int32_t i = 0; i < g->points; ++i)
			point[i] = v3_mul(scree_random_between(&r, g->low, g->high), direction[i]);
		good = try_cloud(g, name, direction, point, out, &again, why);
		if (good && again && tries == TRIES)
			good = scree_fail(why, FAIL_INPUT, "shape '%s': no set of %d points encloses its centre", name, g->points);
	}
	SCREE_FREE_ALL(point, direction);
	good = good && place(name, out, why);
	if (!good) scree_mesh_free(out);
	return good;
}
