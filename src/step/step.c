/* step: calls the step of the chosen kind. */
#include "step/step.h"

#include "model/response.h"
#include "motion/stage.h"
#include "world/world.h"

typedef struct one_step {
	const model *m;
	state *s;
	work *w;
	bool last;	/* the caller may read the world after this step */
	bool holds; /* every guard holds */
} one_step;

static void make_step(void *what)
{
	one_step *s = what;
	s->holds = (s->w->device ? s->w->device->step : s->m->response->steps->step)(s->m, s->s, s->w);
	if (s->last || !s->holds) scree_ghosts_catch_up(s->m, s->s, s->w);
	/* all parts stop in the same step; only one part may have the id of the body to report */
	if (!s->holds) scree_domain_agree(&s->w->domain, false, &s->w->why);
}

static bool step(scree_world *w, bool last)
{
	one_step s = {.m = &w->model, .s = &w->state, .w = &w->work, .last = last};
	if (!scree_world_attempt(w, make_step, &s, &w->work.why)) return false;
	if (!s.holds)
		scree_flights_land(&w->model, &w->state, &w->work); /* the caller may read the bodies after a failed step */
	return s.holds;
}

bool scree_step(scree_world *w) { return scree_steps(w, 1); }

bool scree_steps(scree_world *w, int64_t steps)
{
	bool holds = true;
	const int64_t last = w->state.step + steps;
	scree_flights_until(&w->work, last);
	if (w->work.device) w->work.device->forget(w->work.device);
	w->work.changing = false;
	while (holds && w->state.step < last) holds = step(w, w->state.step + 1 == last);
	return holds;
}
