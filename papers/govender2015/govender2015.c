/* govender2015: a narrow phase by Algorithms 1 and 2 of Govender, Wilke and Kok (2015) (kernel/govender2015_pair.h,
 * kernel/govender2015_surface.h). */
#include "papers/govender2015/govender2015.h"

#include "narrow/wall/work.h"
#include "papers/govender2015/kernel/govender2015_pair.h"
#include "papers/govender2015/kernel/govender2015_surface.h"

/* ------------------------------------------------------------------ two bodies */

static void by_algorithm_1(const placed *a, const placed *b, bool printed, patch *out)
{
	govender2015_contact c = {0};
	if (!govender2015_by_vertices(a, b, &c) && (printed || !govender2015_separated(a, b)))
		govender2015_by_edges(a, b, &c);
	out->points = c.code ? 1 : 0;
	out->axis = -c.code;
	out->normal = c.at.n;
	out->depth = out->deep[0] = c.at.depth;
	out->at[0] = c.at.p;
	out->weight[0] = 1;
}

void scree_govender2015_convex_convex(const placed *a, const placed *b, int32_t hint, patch *out)
{
	(void)hint;
	by_algorithm_1(a, b, false, out);
}

void scree_govender2015_convex_convex_printed(const placed *a, const placed *b, int32_t hint, patch *out)
{
	(void)hint;
	by_algorithm_1(a, b, true, out);
}

/* ------------------------------------------------------------------ walls */

static void at_facets(const placed *body, const near_wall *to, touch_list *out)
{
	wall_point p;
	for (int32_t surface = facet_next_surface(to, -1); surface >= 0; surface = facet_next_surface(to, surface))
		if (govender2015_at_surface(body, to, surface, &p)) scree_touch_wall_point(out, &p);
}

void scree_govender2015_convex_wall(const placed *body, const near_wall *to, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	wall_point p;
	out->count = out->points = 0;
	if (w->removed) return;
	if (w->type == WALL_FACETS) at_facets(body, to, out);
	if (govender2015_at_wall(body, w, &p)) scree_touch_wall_point(out, &p);
}

const char *scree_govender2015_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (w->type == WALL_CONE) return "Govender, Wilke and Kok have no algorithm for a cone";
	if (w->type == WALL_CYLINDER && w->side == SIDE_OUTSIDE)
		return "Govender, Wilke and Kok have no algorithm for the outside of a cylinder";
	if (w->type != WALL_PLANE && w->type != WALL_CYLINDER && w->type != WALL_FACETS && w->type != WALL_POLYGON)
		return "Govender, Wilke and Kok have no algorithm for this kind of wall";
	if (w->internal && w->type != WALL_FACETS)
		return "only polygons, meshes and cylinders made of facets can be declared internal";
	return NULL;
}

/* ------------------------------------------------------------------ on a device */

#define AT_WALLS                                                                                                       \
	{"at_wall_vertices"}, {NULL}, { "at_facet_starts", "at_facet_surfaces" }
const narrow_kernels scree_govender2015_kernels = {
	SOLIDS_BY_GOVENDER2015, {"pair_start", "pair_vertices", "pair_separated", "pair_edges"}, AT_WALLS};
const narrow_kernels scree_govender2015_kernels_printed = {
	SOLIDS_BY_GOVENDER2015, {"pair_start", "pair_vertices", "pair_edges"}, AT_WALLS};
const narrow_kernels scree_govender2015_kernels_branching = {SOLIDS_BY_GOVENDER2015, {"pair_branches"}, AT_WALLS};
