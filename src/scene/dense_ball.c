/* dense_ball: the border of a dense fill in a sphere: triangles with their corners on the sphere, so that no body
 * reaches beyond it. The eight faces of an octahedron are cut into a grid and pushed out to the sphere. */
#include "scene/reader.h"

#include "base/memory.h"
#include "wall/walls.h"
#include "world/world.h"

/* The middle of a triangle is nearer to the centre by at most 0.9 % of the radius. */
enum { CUTS = 16, TRIANGLES = 8 * CUTS * CUTS };

/* Corner i, j of the grid of a face. Faces that share an edge have equal corners there, to the last bit. */
static vec3 corner_of(int face, int i, int j, vec3 centre, real radius)
{
	const int k = CUTS - i - j;
	const vec3 p = v3(face & 1 ? -i : i, face & 2 ? -j : j, face & 4 ? -k : k);
	return v3_madd(centre, radius / v3_norm(p), p);
}

/* Adds a triangle that acts inwards. */
static void add(vec3 *to, vec3 a, vec3 b, vec3 c, vec3 centre)
{
	const bool inwards = v3_dot(v3_cross(v3_sub(b, a), v3_sub(c, a)), v3_sub(centre, a)) > 0;
	to[0] = a, to[1] = inwards ? b : c, to[2] = inwards ? c : b;
}

static void add_cell(vec3 **to, int face, int i, int j, vec3 centre, real radius)
{
	const vec3 a = corner_of(face, i, j, centre, radius), b = corner_of(face, i + 1, j, centre, radius),
			   c = corner_of(face, i, j + 1, centre, radius);
	add(*to, a, b, c, centre);
	*to += 3;
	if (i + j + 2 > CUTS) return;
	add(*to, corner_of(face, i + 1, j + 1, centre, radius), b, c, centre);
	*to += 3;
}

bool scree_dense_add_ball(scree_world *w, vec3 centre, real radius, fail *why)
{
	vec3 *corner = scree_alloc(3 * TRIANGLES, sizeof *corner), *next = corner;
	int32_t *index = scree_alloc(3 * TRIANGLES, sizeof *index);
	for (int32_t k = 0; k < 3 * TRIANGLES; ++k) index[k] = k;
	for (int face = 0; face < 8; ++face)
		for (int i = 0; i < CUTS; ++i)
			for (int j = 0; i + j < CUTS; ++j) add_cell(&next, face, i, j, centre, radius);
	SCREE_ASSERT(next == corner + 3 * TRIANGLES);
	const int32_t row = scree_walls_add_mesh(&w->model.wall, scree_wall_default("border", 0), 3 * TRIANGLES, corner,
											 TRIANGLES, index, why);
	scree_free(corner);
	scree_free(index);
	return row >= 0;
}
