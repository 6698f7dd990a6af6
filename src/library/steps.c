/* steps: makes steps, up to a given time; changes the step length. */
#include "library/internal.h"

#include "guard/guard.h"
#include "world/world.h"

/* Called after each step that tests the time step required by contacts. */
static scree_code watch(scree_sim *s)
{
	scree_world *w = s->w;
	const real before = w->model.dt;
	const step_load load = scree_world_watch(&w->model, &w->state, &w->work);
	if (!scree_world_follow_load(w, load.part, &w->work.why)) return scree_sim_stopped(s);
	if (w->model.dt < before) scree_sim_record_step(s, before);
	return SCREE_DONE;
}

void scree_sim_begin_steps(scree_sim *s)
{
	scree_sim_touch(s);
	scree_sim_divide(s);
	s->fresh = false;
	s->changes += 1;
}

scree_code scree_sim_make_steps(scree_sim *s, int64_t steps)
{
	scree_world *w = s->w;
	const int64_t last = w->state.step + steps;
	const scree_code placed = scree_sim_place_steps(s);
	if (placed) return placed;
	scree_sim_outputs_log(s);
	while (w->state.step < last) {
		const int64_t whole = scree_sim_next_watch(s), to = whole < last ? whole : last;
		scree_code code = scree_sim_end_late(s);
		if (code || (code = scree_sim_begin_stage(s))) return code;
		scree_sim_begin_steps(s);
		if (!scree_steps(w, scree_sim_stage_steps(s, to - w->state.step))) return scree_sim_stopped(s);
		if (w->state.step == whole && (code = watch(s))) return code;
		if ((code = scree_sim_end_stage(s))) return code;
	}
	return SCREE_DONE;
}

scree_code scree_sim_may_step(scree_sim *s)
{
	if (s->broken) return s->broken;
	if (s->lost.code) {
		s->why = s->lost;
		return scree_sim_code(&s->lost);
	}
	if (!s->stopped && !s->wrong) return SCREE_DONE;
	s->why = s->stop;
	return s->stopped ? SCREE_GUARD : SCREE_BAD_INPUT;
}

scree_code scree_in_step(scree_sim *s, int64_t steps)
{
	scree_code code = scree_sim_may_step(s);
	if (code) return code;
	if (steps < 0 || steps > INT64_MAX - s->w->state.step)
		return scree_sim_refuse(s, "%lld steps, expected 0 or more", (long long)steps);
	code = scree_sim_outputs_allow(s, steps);
	return code || !steps ? code : scree_sim_make_steps(s, steps);
}

scree_code scree_in_run_until(scree_sim *s, double time)
{
	const scree_code code = scree_sim_may_step(s);
	if (code) return code;
	int64_t steps = scree_in_steps_until(s, time);
	if (steps < 0) return scree_sim_refuse(s, "the time %g s cannot be the end of a run", time);
	for (; steps > 0; steps = scree_in_steps_until(s, time)) { /* the length of steps may change here */
		const scree_code failed = scree_in_step(s, scree_sim_watch_steps(s, scree_sim_stage_steps(s, steps)));
		if (failed) return failed;
	}
	return SCREE_DONE;
}

/* A new step length changes the springs of a loaded world's contacts, so the contacts must be found first. */
scree_code scree_in_set_step_length(scree_sim *s, double seconds)
{
	fail why;
	if (scree_sim_undivided(s)) return SCREE_BAD_INPUT;
	/* output intervals depend on the step length */
	if (scree_sim_check_rows(s, false) || scree_sim_outputs_allow(s, 1)) return SCREE_BAD_INPUT;
	scree_sim_touch(s);
	if (s->fresh && s->w->state.step > 0 && !s->w->model.solver) {
		scree_sim_changing_now(s);
		if (scree_sim_changed_now(s, CHANGED_VELOCITIES)) return s->broken;
	}
	if (scree_world_set_step(s->w, seconds, &why)) return SCREE_DONE;
	s->why = why;
	return s->w->broken ? (s->broken = scree_sim_code(&why)) : SCREE_BAD_INPUT;
}

double scree_in_seconds(const scree_sim *s)
{
	/* the time spent on contacts found only for reading is not counted */
	const clock_table *clock = s->shown ? &s->hidden.clock : &s->w->work.clock;
	double all = 0;
	for (int k = 0; k < CLOCK_STAGES; ++k)
		if (k != CLOCK_OUTPUT) all += clock->seconds[k];
	return all;
}

scree_code scree_in_progress(scree_sim *s, scree_progress_row *out)
{
	const work *w = &s->w->work;
	scree_sim_look(s);
	*out = (scree_progress_row){.bodies = scree_world_bodies(s->w),
								.contacts = w->touching,
								.overlap = w->greatest_overlap_part,
								.speed = w->greatest_speed};
	double read[] = {(double)out->bodies, (double)out->contacts, out->overlap, out->speed};
	scree_sim_as_first(s, 4, read);
	out->bodies = (long long)read[0], out->contacts = (long long)read[1], out->overlap = read[2], out->speed = read[3];
	return SCREE_DONE;
}
