/* step: which of the two kinds of step, and what both share. */
#include "stages.h"

void scree_pairs_renew(scree_world *w)
{
	bool stale = scree_pairs_stale(w);
	if (stale) {
		scree_bodies_to_pairs(w);
		scree_bodies_to_records(w);
	}
	if (!stale && !scree_rows_stale(w)) return;
	scree_pairs_to_rows(w);
	scree_sums_prepare(w, stale);
}

bool scree_step(scree_world *w) { return w->solver ? scree_step_impulses(w) : scree_step_forces(w); }
