/* change: changes that the caller makes between two steps. */
#include "library/internal.h"

void scree_sim_note_ledger(scree_sim *s)
{
	if (s->w->state.step > 0) scree_sim_look_at_ledger(s); /* the ledger of a loaded world includes its contacts */
	scree_world_changing(s->w);
}

void scree_sim_changing_now(scree_sim *s)
{
	scree_sim_note_ledger(s);
	scree_sim_touch(s);
}

void scree_sim_testing_now(scree_sim *s)
{
	const scree_world *w = s->w;
	scree_sim_changing_now(s);
	scree_free(s->before.mass);
	s->before = scree_world_step_excess(&w->model, &w->state, &w->work.domain);
}

scree_code scree_sim_changed_now(scree_sim *s, uint32_t what)
{
	scree_world *w = s->w;
	scree_sim_touch(s);
	s->changes += 1;
	if (!scree_world_changed(w, what, &s->why)) return s->broken = SCREE_INTERNAL;
	if (w->state.step > 0 && !w->model.solver) s->fresh = false; /* its contacts were found */
	return SCREE_DONE;
}

bool scree_sim_respond_now(scree_sim *s, const new_response *to, uint32_t what, fail *why)
{
	scree_world *w = s->w;
	scree_sim_touch(s);
	s->changes += 1;
	if (!scree_world_respond(w, to, what, why) || !scree_world_turns_check(&w->model, &w->state, why)) return false;
	if (w->state.step > 0) s->fresh = false; /* its contacts were found */
	return true;
}

bool scree_sim_is_possible(scree_sim *s, fail *why)
{
	scree_world *w = s->w;
	return scree_world_prepare(w, 0, w->model.dt, why) && scree_world_turns_check(&w->model, &w->state, why) &&
		   scree_world_check_change(&w->model, &w->state, &w->work.domain, &s->before, why);
}

/* The step of a world that has begun is set later (change/step_size.c). */
bool scree_sim_is_possible_in_steps(scree_sim *s, real part, real step, fail *why)
{
	scree_world *w = s->w;
	const real before = w->model.dt, own = w->model.own_step;
	const bool possible =
		scree_world_prepare_step(w, part, step, why) && scree_world_turns_check(&w->model, &w->state, why);
	if (w->state.begun) w->model.dt = before, w->model.own_step = own;
	return possible;
}

void scree_sim_prepare_again(scree_sim *s)
{
	fail why;
	const bool possible = scree_world_prepare(s->w, 0, s->w->model.dt, &why);
	/* It was possible before, unless the caller has made bodies too fast for the step since: the next step reports
	 * that. */
	SCREE_ASSERT(possible || !s->w->state.begun);
	s->changes += 1;
}
