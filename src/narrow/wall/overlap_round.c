/* overlap_round: contacts of a convex polyhedron with a cylinder or a cone by thickness (kernel/tube_overlap.h). */
#include "narrow/solid/convex_solid.h"
#include "narrow/solid/overlap.h"
#include "narrow/wall/work.h"

#define SCREE_TUBE_PARTS /* the names of kernel/tube_overlap.h; parts are added to their sums at once */
typedef struct tube_cutting {
	cutting c;
	overlap sum[4];
	bool any[4];
} tube_cutting;

static void tube_cut_start(tube_cutting *c, const shape *s, real size, real slack)
{
	scree_cut_start(&c->c, s, size, slack);
}

static bool tube_cut(tube_cutting *c, vec3 n, real off) { return scree_cut(&c->c, n, off); }

static void tube_add_part(tube_cutting *c, int32_t sum, vec3 along)
{
	const solid *left = c->c.part + c->c.now;
	if (!c->any[sum]) scree_overlap_begin(c->sum + sum, ENERGY_OF_THICKNESS, left, solid_lowest(left, along), along);
	scree_overlap_add(c->sum + sum, left);
	c->any[sum] = true;
}

#include "kernel/tube_overlap.h"

void scree_thickness_round(const placed *body, const wall *w, touch_list *out)
{
	overlap_tube t[TUBE_WAYS];
	tube_cutting c;
	overlap_contact found;
	tube_results all = {0};
	tube_see(body->shape, body, w, t);
	if (!tube_is_near(t, w)) return;
	for (int k = 0; k < TUBE_SUMS; ++k) c.any[k] = false;
	tube_find_parts(t, body->shape, body->size, &c);
	for (int k = 0; k < TUBE_SUMS; ++k) all.is[k] = c.any[k] && scree_thickness_effect(c.sum + k, all.of + k);
	if (tube_contact(t, &all, &found))
		scree_overlap_touch(&found, ENERGY_OF_THICKNESS, &body->turn, w->first_surface, out);
}
