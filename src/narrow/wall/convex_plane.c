/* convex_plane: a convex polyhedron and a plane. Curved walls are in convex_round.c, facets in convex_facets.c, and
 * code common to them in patch.c. Theory and limits: docs/theory/walls.md. */
#include "narrow/wall/work.h"

void scree_convex_plane(const placed *body, const wall *w, touch_list *out)
{
	vec3 n = w->axis;
	real h = v3_dot(n, v3_sub(body->at, w->point));
	if (w->two_sided && h < 0) {
		h = -h;
		n = v3_neg(n);
	}
	if (h >= body->size * body->shape->radius) return;
	wall_scratch *scratch = scree_wall_scratch(out);
	vec3 m = view_direction(body, n);
	if (!(scree_wall_depths(scratch, body->shape, m, -h / body->size) > 0)) return;
	scratch->nodes = 0;
	scree_wall_region(scratch, body->shape, m, NULL, 0, 0);
	scree_touch_nodes(out, w->first_surface, body, 1);
	if (out->count) out->item[0].normal = n;
}
