/* gap: distance, or depth of overlap, of two convex pieces. It uses depths even in worlds whose law uses another
 * measure. */
#include "narrow/gap.h"

#include "narrow/flat/flat.h"
#include "narrow/smooth/capsule.h"
#include "narrow/smooth/smooth.h"

/* Pieces in the plane: the first at the origin, in the order of rising types. */
static void flat_depth(const placed *a, const placed *b, patch *out)
{
	const bool turned = a->shape->type > b->shape->type;
	placed p = turned ? *b : *a, q = turned ? *a : *b;
	q.at = v3_sub(q.at, p.at);
	p.at = v3(0, 0, 0);
	scree_flat_depth(&p, &q, 0, out);
}

/* A capsule and another body; the contact of its middle counts as far as it is deeper than the ends. */
static real capsule_gap(const placed *a, const placed *b)
{
	point_list found = {0};
	const real ra = placed_is_capsule(a) ? a->size * a->shape->semi_x : a->size / 2;
	const real rb = placed_is_capsule(b) ? b->size * b->shape->semi_x : b->size / 2;
	const real apart = scree_capsule_points(a, b, ra, rb, 0, a->at, 0, &found);
	real ends = 0, crossing = 0;
	for (int32_t k = 0; k < found.count; ++k) {
		real *of = found.item[k].feature == 4 ? &crossing : &ends;
		*of = real_max(*of, found.item[k].depth);
	}
	scree_point_list_free(&found);
	return apart > 0 ? apart : -(ends + crossing);
}

real scree_gap(const placed *a, const placed *b, bool flat)
{
	const real apart = v3_norm(v3_sub(a->at, b->at)) - a->shape->radius * a->size - b->shape->radius * b->size;
	if (apart > 0 || (placed_is_ball(a) && placed_is_ball(b))) return apart;
	if (placed_is_capsule(a) || placed_is_capsule(b)) return capsule_gap(a, b);
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
