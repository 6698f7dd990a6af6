/* overlap_round: contacts of a convex polyhedron with a cylinder or a cone by thickness (kernel/tube_overlap.h). */
#include "narrow/wall/parts.h"
#include "kernel/tube_overlap.h"

static void parts_add(parts_cutting *c, int32_t sum, vec3 along)
{
	const solid *left = parts_left(c);
	if (!c->any[sum]) scree_overlap_begin(c->sum + sum, ENERGY_OF_THICKNESS, left, solid_lowest(left, along), along);
	scree_overlap_add(c->sum + sum, left);
	c->any[sum] = true;
}

void scree_thickness_round(const placed *body, const wall *w, touch_list *out)
{
	overlap_tube t[TUBE_WAYS];
	overlap sum[TUBE_SUMS];
	bool any[TUBE_SUMS] = {false};
	parts_cutting c;
	overlap_contact found;
	tube_results all = {0};
	tube_see(body->shape, body, w, t);
	if (!tube_is_near(t, w)) return;
	c.sum = sum, c.any = any;
	tube_find_parts(t, body->shape, body->size, &c);
	for (int k = 0; k < TUBE_SUMS; ++k) all.is[k] = any[k] && scree_thickness_effect(sum + k, all.of + k);
	if (tube_contact(t, &all, &found))
		scree_overlap_touch(&found, ENERGY_OF_THICKNESS, &body->turn, w->first_surface, out);
}
