/* facets: a smooth body and the facets of a wall, by the rules for spheres (wall/sphere_facets.c). */
#include "narrow/smooth/wall.h"
#include "narrow/wall/work.h"

static vec3 farthest(const void *of, vec3 n) { return scree_smooth_plane(of, n, v3_across(n)).at; }

static round_meeting segment(const void *of, vec3 a, vec3 b)
{
	const smooth *s = of;
	const smooth_line m = scree_smooth_segment(s, a, b);
	return (round_meeting){-m.gap.gap, v3_neg(m.gap.normal), m.point};
}

void scree_smooth_facets(const smooth *s, const walls *all, int32_t wall, int32_t facets, const int32_t *facet,
						 touch_list *out)
{
	const round_body body = {s, farthest, segment};
	scree_round_facets(&body, s->at, s->radius, all, wall, facets, facet, out);
}
