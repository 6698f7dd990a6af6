/* time: steps. */
#include "library/change.h"
#include "library/ranks.h"
#include "library/stages.h"

#include "guard/guard.h"
#include "prepare/prepare.h"

/* The next step after which the demand of contacts on the time step is tested. A step that the run has chosen follows
 * it, more often while bodies come into contact. */
static int64_t next_watch(const scree_sim *s)
{
	const int64_t step = s->w->state.step;
	int64_t every = 2500;
	if (scree_world_follows(&s->w->model)) every = step < 500 ? 100 : step < 5000 ? 500 : 1000;
	return (step / every + 1) * every;
}

int64_t scree_sim_watch_steps(const scree_sim *s, int64_t most)
{
	const int64_t left = next_watch(s) - s->w->state.step;
	return scree_world_follows(&s->w->model) && left < most ? left : most;
}

/* After a step at which the demand of contacts is tested. */
static scree_code watch(scree_sim *s)
{
	scree_world *w = s->w;
	const real before = w->model.dt;
	const step_load load = scree_world_watch(&w->model, &w->state, &w->work);
	if (!scree_world_follow_load(w, load.part, &w->work.why)) return scree_sim_stopped(s);
	if (w->model.dt < before) scree_sim_record_step(s, before);
	return SCREE_DONE;
}

void scree_sim_touch(scree_sim *s)
{
	if (!s->shown) return;
	scree_world_hide_start(&s->w->model, &s->w->state, &s->w->work, &s->hidden);
	s->shown = false;
}

void scree_sim_look(scree_sim *s)
{
	if (s->shown || !s->fresh || scree_sim_check_rows(s, false)) return;
	s->shown = true;
	s->hidden = scree_world_show_start(&s->w->model, &s->w->state, &s->w->work);
}

/* Implicit steps keep all energies of contacts in their histories; to show the contacts of a loaded world solves them
 * again, for another time. */
void scree_sim_look_at_ledger(scree_sim *s)
{
	if (s->w->state.step > 0 && s->w->model.implicit)
		scree_sim_touch(s);
	else
		scree_sim_look(s);
}

void scree_sim_settle(scree_sim *s)
{
	if (!s->w->state.begun) scree_sim_look(s);
	scree_sim_touch(s);
}

bool scree_sim_holds_at_end(scree_sim *s)
{
	scree_world *w = s->w;
	scree_sim_look_at_ledger(s); /* a snapshot of the end has no energy of springs yet */
	return scree_held_hold(&w->model, &w->state, &w->work) &&
		   scree_solver_holds_at_end(&w->model, &w->state, &w->work) &&
		   scree_energy_holds_at_end(&w->model, &w->state, &w->work);
}

scree_code scree_sim_stopped(scree_sim *s)
{
	s->why = s->stop = s->w->work.why;
	if (s->w->broken) return s->broken = scree_sim_code(&s->why);
	s->stopped = true;
	return SCREE_GUARD;
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
	while (w->state.step < last) {
		const int64_t whole = next_watch(s), to = whole < last ? whole : last;
		scree_code code = scree_sim_end_late(s);
		if (code || (code = scree_sim_begin_stage(s))) return code;
		scree_sim_begin_steps(s);
		if (!scree_steps(w, scree_sim_stage_steps(s, to - w->state.step))) return scree_sim_stopped(s);
		if (w->state.step == whole && (code = watch(s))) return code;
		if ((code = scree_sim_end_stage(s))) return code;
	}
	return SCREE_DONE;
}

static scree_code make_steps(scree_sim *s, void *of) { return scree_sim_make_steps(s, *(const int64_t *)of); }

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
	return code || !steps ? code : scree_sim_call(s, make_steps, &steps);
}

/* whether the time of this step is `time` or later, to half a step */
static bool reaches(const scree_sim *s, int64_t step, double time)
{
	return scree_in_time_of(s, step) + s->w->model.dt / 2 >= time;
}

int64_t scree_in_steps_until(const scree_sim *s, double time)
{
	static const double MOST_STEPS = 9e15;
	const int64_t now = s->w->state.step;
	const double steps = (time - s->w->state.time) / s->w->model.dt - 0.5;
	if (!(steps < MOST_STEPS)) return -1;
	int64_t n = steps > 0 ? (int64_t)steps : 0;
	while (n > 0 && reaches(s, now + n - 1, time)) --n;
	while (!reaches(s, now + n, time)) ++n;
	return n;
}

scree_code scree_in_run_until(scree_sim *s, double time)
{
	const scree_code code = scree_sim_may_step(s);
	if (code) return code;
	int64_t steps = scree_in_steps_until(s, time);
	if (steps < 0) return scree_sim_refuse(s, "the time %g s is no end of a run", time);
	for (; steps > 0; steps = scree_in_steps_until(s, time)) { /* the length of steps may change */
		const scree_code failed = scree_in_step(s, scree_sim_watch_steps(s, scree_sim_stage_steps(s, steps)));
		if (failed) return failed;
	}
	return SCREE_DONE;
}

double scree_in_time_of(const scree_sim *s, int64_t step) { return scree_time_of(&s->w->model, &s->w->state, step); }

typedef struct stepping {
	double seconds;
} stepping;

/* The springs of a loaded world's contacts move with the step, and so they must have been found. */
static scree_code set_step(scree_sim *s, void *of)
{
	const stepping *o = of;
	fail why;
	/* intervals of output times follow from the step */
	if (scree_sim_check_rows(s, false) || scree_sim_outputs_allow(s, 1)) return SCREE_BAD_INPUT;
	scree_sim_touch(s);
	if (s->fresh && s->w->state.step > 0 && !s->w->model.solver) {
		scree_sim_changing_now(s);
		if (scree_sim_changed_now(s, CHANGED_VELOCITIES)) return s->broken;
	}
	if (scree_world_set_step(s->w, o->seconds, &why)) return SCREE_DONE;
	s->why = why;
	return s->w->broken ? (s->broken = scree_sim_code(&why)) : SCREE_BAD_INPUT;
}

scree_code scree_in_set_step_length(scree_sim *s, double seconds)
{
	return scree_sim_call_undivided(s, set_step, &(stepping){seconds});
}

/* ------------------------------------------------------------------ progress */

double scree_in_seconds(const scree_sim *s)
{
	/* contacts that are shown before the first step were found outside of it */
	const clock_table *clock = s->shown ? &s->hidden.clock : &s->w->work.clock;
	double all = 0;
	for (int k = 0; k < CLOCK_STAGES; ++k)
		if (k != CLOCK_OUTPUT) all += clock->seconds[k];
	return all;
}

static scree_code give_progress(scree_sim *s, void *of)
{
	const work *w = &s->w->work;
	scree_sim_look(s);
	*(scree_progress_row *)of = (scree_progress_row){.bodies = scree_world_bodies(s->w),
													 .contacts = w->touching,
													 .overlap = w->greatest_overlap_part,
													 .speed = w->greatest_speed};
	scree_progress_row *out = of;
	double read[] = {(double)out->bodies, (double)out->contacts, out->overlap, out->speed};
	scree_sim_as_first(s, 4, read);
	out->bodies = (long long)read[0], out->contacts = (long long)read[1], out->overlap = read[2], out->speed = read[3];
	return SCREE_DONE;
}

scree_code scree_in_progress(scree_sim *s, scree_progress_row *out) { return scree_sim_call(s, give_progress, out); }
