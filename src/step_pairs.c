/* step_pairs: what both kinds of step do between moving bodies and looking at contacts. */
#include "stages.h"

#include "guard/guard.h"

void scree_ghosts_follow(scree_world *w)
{
	if (!w->parts.by->refresh) return;
	w->parts.by->refresh(w->parts.at, w);
	scree_ghosts_to_records(w);
	const bodies *b = &w->body; /* their owners may have chosen rows at another time */
	for (int32_t i = b->owned; i < b->count; ++i) w->skin.beyond = real_max(w->skin.beyond, b->way[i] - b->inner[i]);
}

void scree_pairs_renew(scree_world *w)
{
	/* pairs that have passed each other in a long step are found where it ends */
	bool stale = scree_pairs_stale(w) || scree_step_is_long(w);
	if (stale || scree_rows_stale(w)) scree_flights_land(w);
	if (stale) {
		scree_bodies_to_pairs(w);
		scree_bodies_to_records(w);
		scree_halos_renew(w);
		scree_thinnest_renew(w);
	} else {
		scree_ghosts_follow(w);
	}
	if (!stale && !scree_rows_stale(w)) return;
	scree_pairs_to_rows(w);
	scree_sums_prepare(w, stale);
}
