/* step_pairs: what both kinds of step do between moving bodies and looking at contacts. */
#include "stages.h"

void scree_pairs_renew(scree_world *w)
{
	bool stale = scree_pairs_stale(w);
	if (stale) {
		scree_bodies_to_pairs(w);
		scree_bodies_to_records(w);
	}
	if (stale || scree_rows_stale(w)) scree_pairs_to_rows(w);
}
