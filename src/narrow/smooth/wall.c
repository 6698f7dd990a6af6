/* wall: contacts of a superquadric with planes and facets, and the choice of the function for each form of wall. */
#include "narrow/smooth/smooth.h"
#include "narrow/wall/work.h"

static void meet_plane(const smooth *s, const wall *w, touch_list *out)
{
	vec3 n = w->axis;
	real h = v3_dot(n, v3_sub(s->at, w->point));
	if (w->two_sided && h < 0) n = v3_neg(n), h = -h;
	const smooth_plane p = scree_smooth_plane(s, v3_neg(n), v3_across(n));
	smooth_touch(out, w->first_surface, n, p.at, p.reach - h);
}

static vec3 farthest(const void *of, vec3 n) { return scree_smooth_plane(of, n, v3_across(n)).at; }

static round_meeting segment(const void *of, vec3 a, vec3 b)
{
	const smooth *s = of;
	const smooth_line m = scree_smooth_segment(s, a, b);
	return (round_meeting){-m.gap.gap, v3_neg(m.gap.normal), m.point};
}

/* The rules are the same as for spheres (wall/sphere_facets.c). */
static void meet_facets(const smooth *s, const near_wall *to, touch_list *out)
{
	const round_body body = {s, farthest, segment};
	scree_round_facets(&body, s->at, s->radius, to, out);
}

void scree_smooth_wall(const placed *body, real grown, real power, const near_wall *to, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
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
	case WALL_POLYGON: /* only in 2D */
	case WALL_TYPES:
		meet_facets(&o, to, out);
		break;
	default: /* a form for spheres and clumps only: a world with a superquadric refuses it at the start */
		SCREE_ASSERT(false);
	}
}
