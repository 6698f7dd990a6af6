/* common: code common to all kinds of steps. */
#include "step/step.h"

#include "broad/stage.h"
#include "guard/guard.h"
#include "model/response.h"
#include "motion/stage.h"
#include "narrow/narrow.h"
#include "narrow/stage.h"
#include "population/stage.h"
#include "sum/stage.h"
#include "world/world.h"

void scree_step_begin(const model *m, state *s, work *w)
{
	scree_clock_start(&w->clock);
	if (w->domain.by->begin) w->domain.by->begin(w->domain.at, m, s, w);
	scree_population_run(m, s, w, scree_ball_meets_wall); /* marks the pairs as stale */
	scree_clock_lap(&w->clock, CLOCK_POPULATION);
	if (!s->begun && m->response->first) m->response->first(m, s, w);
}

/* Tests whether all positions are finite. */
static bool drift_ends(const model *m, state *s, work *w)
{
	scree_join(m, s, w);
	return !w->not_a_number;
}

bool scree_step_drift(const model *m, state *s, work *w)
{
	const step_kind *by = m->response->steps;
	if (m->period.deforms) scree_cell_begin(m, s, w);
	scree_forces_to_motion_drift(m, s, w);
	if (m->period.on && !drift_ends(m, s, w))
		return scree_guard_report(m, s, w, false, true); /* a body without a valid position is in no cell */
	scree_bodies_through_planes(m, s);
	if (m->period.on) scree_bodies_to_cells(m, s, w);
	scree_walls_drift(m, s, w);
	w->joint.stale = by->stale_here && by->stale_here(m, s, w);
	scree_domain_put_flag(&w->domain, &w->joint.stale);
	if (m->period.on) {
		scree_join(m, s, w);
		return true;
	}
	return drift_ends(m, s, w) || scree_guard_report(m, s, w, false, true); /* before any search reads the positions */
}

/* Copies the owners' current values to ghosts. */
static void ghosts_follow(const model *m, state *s, work *w)
{
	if (!w->domain.by->refresh) return;
	w->ghosts_behind = false;
	scree_world_follow(s, w, m->response->steps->ghosts);
	scree_ghosts_to_records(m, s, w);
	const bodies *b = &s->body; /* the ghosts' owners may have selected contact rows in other steps */
	for (int32_t i = b->owned; i < b->count; ++i) w->skin.beyond = real_max(w->skin.beyond, b->way[i] - b->inner[i]);
	if (w->ahead.drifted) scree_bodies_limits(m, s, w);
}

void scree_ghosts_catch_up(const model *m, state *s, work *w)
{
	if (w->ghosts_behind) ghosts_follow(m, s, w);
}

void scree_pairs_renew(const model *m, state *s, work *w)
{
	const step_kind *by = m->response->steps;
	/* with a long step, pairs that have passed each other are found at the end of the step */
	bool stale = (by->stale ? by->stale(m, s, w) : w->joint.stale > 0) || scree_step_is_long(m, w);
	if (stale || scree_rows_stale(w)) scree_flights_land(m, s, w);
	if (stale) {
		w->ghosts_behind = false;
		scree_bodies_to_pairs(m, s, w);
		scree_bodies_to_records(m, s, w);
		scree_halos_renew(m, s, w);
		scree_thinnest_renew(m, s, w);
	} else {
		ghosts_follow(m, s, w);
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

void scree_step_look(const model *m, state *s, work *w, real time)
{
	scree_bodies_through_walls(m, s, w, time);
	scree_guards_look(w);
	scree_clock_lap(&w->clock, CLOCK_WALLS);
}

void scree_step_join(const model *m, state *s, work *w)
{
	if (m->period.deforms) scree_cell_end(m, s);
	scree_clock_lap(&w->clock, CLOCK_KICK);
	scree_step_look(m, s, w, scree_time_of(m, s, s->step + 1));
	scree_join(m, s, w);
}

void scree_step_end(const model *m, state *s, work *w)
{
	scree_walls_kick(m, s, w);
	w->ghosts_behind = w->domain.by->refresh != NULL;
	scree_step_count(m, s);
	if (s->step % ENERGY_STEPS == 0) scree_ghosts_catch_up(m, s, w);
}

bool scree_step_is_read(const model *m, const state *s, const work *w)
{
	return s->step % ENERGY_STEPS == 0 || !(w->greatest_speed >= 0) || w->left_domain || w->passed.found ||
		   !scree_halos_quiet(m, s, w);
}

/* Bodies that flew are recorded when they land (scree_flights_land). */
static void note_greatest(state *s, const work *w)
{
	greatest_note(&s->greatest.overlap, w->greatest_overlap_ever);
	greatest_note(&s->greatest.speed, w->greatest_speed);
}

bool scree_step_holds(const model *m, state *s, work *w)
{
	note_greatest(s, w);
	return scree_guards_hold(m, s, w) && scree_energy_holds(m, s, w);
}
