/* step_common: the parts common to both kinds of step. */
#include "step.h"

#include "broad/stage.h"
#include "guard/guard.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "sum/stage.h"
#include "world/world.h"

bool scree_step_drift(const model *m, state *s, work *w)
{
	scree_forces_to_motion_drift(m, s, w);
	if (w->not_a_number) return scree_guard_report(m, s, w, false, true); /* before any search reads the positions */
	if (m->period.on) scree_bodies_to_cells(m, s, w);
	scree_walls_drift(m, s, w);
	return true;
}

void scree_ghosts_follow(const model *m, state *s, work *w)
{
	if (!w->domain.by->refresh) return;
	w->ghosts_behind = false;
	scree_world_follow(s, w, m->implicit ? SHARE_AHEAD : SHARE_STEP);
	scree_ghosts_to_records(m, s, w);
	const bodies *b = &s->body; /* their owners may have chosen contact rows at other steps */
	for (int32_t i = b->owned; i < b->count; ++i) w->skin.beyond = real_max(w->skin.beyond, b->way[i] - b->inner[i]);
	if (w->ahead.drifted) scree_bodies_limits(m, s, w);
}

void scree_ghosts_catch_up(const model *m, state *s, work *w)
{
	if (w->ghosts_behind) scree_ghosts_follow(m, s, w);
}

void scree_pairs_renew(const model *m, state *s, work *w)
{
	/* in a long step, pairs that have passed each other are found where the step ends */
	bool stale = scree_pairs_stale(m, s, w) || scree_step_is_long(m, w);
	if (stale || scree_rows_stale(w)) scree_flights_land(m, s, w);
	if (stale) {
		w->ghosts_behind = false;
		scree_bodies_to_pairs(m, s, w);
		scree_bodies_to_records(m, s, w);
		scree_halos_renew(m, s, w);
		scree_thinnest_renew(m, s, w);
	} else {
		scree_ghosts_follow(m, s, w);
	}
	if (!stale && !scree_rows_stale(w)) return;
	scree_pairs_to_rows(m, s, w);
	scree_sums_prepare(m, s, w, stale);
}

void scree_step_count(const model *m, state *s)
{
	s->step += 1;
	s->time = scree_time_of(m, s, s->step);
	s->begun = true;
}

bool scree_step_holds(const model *m, state *s, work *w)
{
	scree_bodies_through_walls(m, s, w, s->time);
	scree_clock_lap(&w->clock, CLOCK_WALLS);
	return scree_guards_hold(m, s, w) && scree_energy_holds(m, s, w);
}
