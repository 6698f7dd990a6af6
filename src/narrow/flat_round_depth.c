/* flat_round_depth: the patches of pairs with a disc or an ellipse whose law looks at the depth, and boxes. */
#include "narrow/flat_round.h"

#include "narrow/flat_round_gap.h"
#include "narrow/flat_round_patch.h"

void scree_flat_depth_round_round(const placed *a, const placed *b, int32_t hint, patch *out)
{
	(void)hint;
	flat_gap g = scree_flat_gap(a, b);
	if (flat_begin(out, g.n, -g.gap)) flat_point(out, xy_madd(g.arm, -g.gap / 2, g.n), -g.gap, 1);
}

void scree_flat_depth_round_polygon(const placed *a, const placed *b, int32_t hint, patch *out)
{
	scree_flat_depth_round_round(a, b, hint, out);
}

static void box_of_oval(const placed *p, xy *half)
{
	oval o = scree_flat_oval(p, (mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
	xy at;
	half->x = oval_support(&o, xy_of(1, 0), &at);
	half->y = oval_support(&o, xy_of(0, 1), &at);
}

/* how far the polygon reaches along n, a direction of the world */
static real reach_of_polygon(const placed *p, xy n)
{
	const flat_polygon *f = &p->shape->flat;
	xy m = xy_unturned(p->turn, n);
	int32_t k = scree_flat_farthest(f, m);
	real most = xy_dot(m, flat_corner_at(f, k, p->size));
	/* where edges lie across n rounding may prefer a neighbour */
	most = real_max(most, xy_dot(m, flat_corner_at(f, flat_before(f, k), p->size)));
	return real_max(most, xy_dot(m, flat_corner_at(f, flat_after(f, k), p->size)));
}

void scree_flat_box(const placed *p, vec3 *low, vec3 *high)
{
	xy up, down;
	if (p->shape->type == SHAPE_POLYGON) {
		up = xy_of(reach_of_polygon(p, xy_of(1, 0)), reach_of_polygon(p, xy_of(0, 1)));
		down = xy_of(reach_of_polygon(p, xy_of(-1, 0)), reach_of_polygon(p, xy_of(0, -1)));
	} else {
		box_of_oval(p, &up);
		down = up;
	}
	*low = v3(p->at.x - down.x, p->at.y - down.y, 0);
	*high = v3(p->at.x + up.x, p->at.y + up.y, 0);
}
