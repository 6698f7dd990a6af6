/* convex_wall: a convex polyhedron and a wall. Which function, and the plane; curved walls are in convex_round.c,
 * facets in convex_facets.c, and what they share in patch.c. Theory and limits: docs/theory/walls.md. */
#include "narrow/wall/work.h"

static void at_plane(const placed *body, const wall *w, touch_list *out)
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

/* See narrow.h. */
void scree_convex_wall(const placed *body, const walls *s, int32_t which, int32_t facets, const int32_t *candidate,
					   touch_list *out)
{
	const struct wall *w = s->row + which;
	out->count = out->points = 0;
	if (w->removed) return;
	switch (w->type) {
	case WALL_PLANE:
		at_plane(body, w, out);
		break;
	case WALL_CYLINDER:
	case WALL_CONE:
		scree_convex_round(body, w, out);
		break;
	case WALL_FACETS:
	case WALL_POLYGON: /* of other worlds */
	case WALL_TYPES:
		scree_convex_facets(body, s, which, facets, candidate, out);
		break;
	}
}
