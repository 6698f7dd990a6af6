/* surfaces: selects the function for a body and a surface. Balls are tested one by one; polyhedra and compounds have
 * surfaces of their own. */
#include "narrow/surfaces.h"

#include "narrow/compound.h"
#include "shape/shape_forms.h"

placed_surface scree_surface_placed(const placed *p, real round)
{
	const shape *s = p->shape;
	const trimesh *of = s->type == SHAPE_CONVEX ? s->skin : &s->mesh;
	return (placed_surface){of, p->at, p->turn, p->size, s->halo * p->size, round};
}

/* Contacts of the balls of a clump. The features of each ball follow those of the previous one; points are relative to
 * the centre of the clump. */
static real points_of_balls(const placed *a, const placed_surface *b, surface_scratch *scratch, point_list *out,
							bool *crossed)
{
	real least = INFINITY;
	for (int32_t k = 0; k < scree_parts_of(a); ++k) {
		const placed ball = scree_part(a, k);
		const int32_t from = out->count;
		const vec3 from_whole = v3_sub(ball.at, a->at);
		least = real_min(least, scree_sphere_surface(ball.at, ball.size / 2, b, scratch, out, crossed));
		for (int32_t c = from; c < out->count; ++c) {
			out->item[c].feature |= (uint64_t)k << 32;
			out->item[c].at = v3_add(out->item[c].at, from_whole);
		}
	}
	return least;
}

real scree_points_of_surface(const placed *a, const placed *b, real round_a, real round_b, surface_scratch *scratch,
							 point_list *out, bool *crossed)
{
	const placed_surface there = scree_surface_placed(b, round_b);
	if (scree_shape_forms[a->shape->type].balls) return points_of_balls(a, &there, scratch, out, crossed);
	const placed_surface here = scree_surface_placed(a, round_a);
	return scree_surface_surface(&here, &there, scratch, out, crossed);
}
