/* gap: the distance between two convex pieces, or the depth of their overlap, even if the law uses another measure. */
#include "narrow/narrow.h"

#include "narrow/flat/flat.h"
#include "narrow/smooth/capsule.h"
#include "narrow/smooth/smooth.h"

/* Pieces in the plane are in ascending order of type, with the first at the origin. */
static void flat_depth(const placed *a, const placed *b, patch *out)
{
	const bool turned = a->shape->type > b->shape->type;
	placed p = turned ? *b : *a, q = turned ? *a : *b;
	q.at = v3_sub(q.at, p.at);
	p.at = v3(0, 0, 0);
	scree_flat_depth(&p, &q, 0, out);
}

real scree_gap(const placed *a, const placed *b, bool flat)
{
	const real apart = v3_norm(v3_sub(a->at, b->at)) - a->shape->radius * a->size - b->shape->radius * b->size;
	if (apart > 0 || (placed_is_ball(a) && placed_is_ball(b))) return apart;
	if (placed_is_capsule(a) || placed_is_capsule(b)) return scree_capsule_gap(a, b);
	if (placed_is_smooth(a) || placed_is_smooth(b)) return scree_smooth_pair(a, b, 0).gap;
	patch p;
	p.pitch = p.arm = 0;
	p.features = (feature_counts){0};
	if (flat)
		flat_depth(a, b, &p);
	else if (placed_is_ball(a))
		scree_sphere_convex(a->at, a->size / 2, b, 0, &p);
	else if (placed_is_ball(b))
		scree_sphere_convex(b->at, b->size / 2, a, 0, &p);
	else
		scree_convex_convex(a, b, 0, &p);
	return -p.depth;
}
