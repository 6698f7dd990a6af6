/* mesh_mend: code common to the repairs of mesh_repair.c. */
#include "format/mesh_mend.h"

#include "base/memory.h"
#include "shape/mesh/surface.h"

void scree_mender_room(mender *r, int32_t triangles)
{
	if (triangles <= r->room) return;
	size_t kept = (size_t)r->m.triangles, room = (size_t)triangles;
	r->m.triangle = scree_grow(r->m.triangle, 3 * kept, 3 * room, sizeof *r->m.triangle);
	r->turned = scree_grow(r->turned, kept, room, sizeof *r->turned);
	r->across = scree_grow(r->across, 3 * (size_t)r->room, 3 * room, sizeof *r->across);
	r->room = triangles;
}

bool scree_mend_refuse_side(const mender *r, int32_t from, int32_t to, const char *what)
{
	vec3 p = r->m.vertex[from], q = r->m.vertex[to];
	return scree_fail(r->why, FAIL_INPUT, "mesh '%s': the side from (%g, %g, %g) to (%g, %g, %g) %s", r->name, p.x, p.y,
					  p.z, q.x, q.y, q.z, what);
}

bool scree_mend_across(mender *r)
{
	int64_t count = 3 * (int64_t)r->m.triangles;
	side *at = scree_sides(r->m.triangles, r->m.triangle);
	bool good = true;
	for (int64_t from = 0, end; good && from < count; from = end) {
		end = scree_sides_end(at, count, from);
		const side *a = at + from;
		r->across[a->corner] = -1;
		if (end - from == 2) r->across[a->corner] = a[1].corner, r->across[a[1].corner] = a->corner;
		good = end - from <= 2 ||
			   scree_mend_refuse_side(
				   r, a->low, a->high,
				   "belongs to more than two triangles: it is not clear which of them form the surface");
	}
	scree_free(at);
	return good;
}
