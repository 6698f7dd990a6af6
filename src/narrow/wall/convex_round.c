/* convex_round: contacts between a convex polyhedron and a cylinder or a cone by depth (kernel/round_patch.h). */
#include "narrow/wall/work.h"
#include "kernel/round_patch.h"

void scree_convex_round(const placed *body, const wall *row, touch_list *out)
{
	real factor;
	if (round_nodes(scree_wall_scratch(out), body->shape, body, row, &factor))
		scree_touch_nodes(out, row->first_surface, body, factor);
}
