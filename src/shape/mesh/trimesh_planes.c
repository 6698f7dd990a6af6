/* trimesh_planes: features of a surface that do not depend on the division of its flat faces into triangles: faces of
 * many triangles, and vertices that are corners. */
#include "base/join.h"
#include "shape/mesh/trimesh_internal.h"

void scree_trimesh_make_planes(trimesh *m)
{
	for (int32_t t = 0; t < m->triangles; ++t) m->plane[t] = t;
	for (int32_t v = 0; v < m->vertices; ++v) m->first[v] = -1;
	for (int32_t side = 0; side < 3 * m->triangles; ++side) {
		int32_t p = join_root(m->plane, side / 3), q = join_root(m->plane, m->across[side] / 3);
		if (m->bend[side] != 0) continue;
		m->plane[p > q ? p : q] = p < q ? p : q;
	}
	for (int32_t t = 0; t < m->triangles; ++t) m->plane[t] = join_root(m->plane, t);
	/* a fold has two sides, which start at its two ends, so that every vertex of a fold gets a side that starts
	 * there */
	for (int32_t side = 3 * m->triangles; side-- > 0;)
		if (m->bend[side] != 0) m->first[m->corner[side]] = side;
}
