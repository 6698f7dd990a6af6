/* points: contacts between two bodies, at least one of which is a superquadric. */
#include "narrow/smooth/smooth.h"

smooth_gap scree_smooth_pair(const placed *a, const placed *b, real reach)
{
	const smooth p = scree_smooth_of(a, 0), q = scree_smooth_of(b, 0);
	if (b->shape->type == SHAPE_CONVEX) return scree_smooth_solid(&p, b, reach);
	if (a->shape->type != SHAPE_CONVEX) return scree_smooth_gap(&p, &q);
	smooth_gap g = scree_smooth_solid(&q, a, reach);
	g.normal = v3_neg(g.normal);
	g.on_a = v3_madd(v3_sub(v3_add(b->at, g.on_a), a->at), -g.gap, g.normal);
	return g;
}

real scree_smooth_points(const placed *a, const placed *b, real ra, real rb, real reach, vec3 centre, uint64_t feature,
						 point_list *out)
{
	const smooth_gap g = scree_smooth_pair(a, b, reach);
	if (!(g.gap < reach)) return g.gap;
	const vec3 at = v3_add(v3_madd(g.on_a, g.gap / 2, g.normal), v3_sub(a->at, centre));
	scree_point_list_add(out, (point_found){feature, 0, v3_neg(g.normal), at, -g.gap, ra, rb, 1});
	return 0;
}
