/* round_depth: the patches of pairs with a disc or an ellipse, for laws on depth. */
#include "narrow/flat/round.h"

#include "narrow/flat/round_gap.h"
#include "narrow/flat/round_patch.h"

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
