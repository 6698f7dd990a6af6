/* wall: a superquadric and a wall. Selects the function for each form of wall; contacts with planes. */
#include "narrow/smooth/wall.h"

static void meet_plane(const smooth *s, const wall *w, touch_list *out)
{
	vec3 n = w->axis;
	real h = v3_dot(n, v3_sub(s->at, w->point));
	if (w->two_sided && h < 0) n = v3_neg(n), h = -h;
	const smooth_plane p = scree_smooth_plane(s, v3_neg(n), v3_across(n));
	smooth_touch(out, w->first_surface, n, p.at, p.reach - h);
}

void scree_smooth_wall(const placed *body, real grown, real power, const walls *s, int32_t which, int32_t facets,
					   const int32_t *candidate, touch_list *out)
{
	const struct wall *w = s->row + which;
	const smooth o = scree_smooth_of(body, grown);
	out->count = out->points = 0;
	if (w->removed) return;
	switch (w->type) {
	case WALL_PLANE:
		meet_plane(&o, w, out);
		break;
	case WALL_CYLINDER:
	case WALL_CONE:
		scree_smooth_tube(&o, w, power, out);
		break;
	case WALL_FACETS:
	case WALL_POLYGON: /* worlds in the plane only */
	case WALL_TYPES:
		scree_smooth_facets(&o, s, which, facets, candidate, out);
		break;
	}
}
