/* time: the times of steps, and the number of steps up to a time. */
#include "library/internal.h"

#include "prepare/prepare.h"

int64_t scree_sim_next_watch(const scree_sim *s)
{
	const int64_t step = s->w->state.step;
	int64_t every = 2500;
	if (scree_world_follows(&s->w->model)) every = step < 500 ? 100 : step < 5000 ? 500 : 1000;
	return (step / every + 1) * every;
}

int64_t scree_sim_watch_steps(const scree_sim *s, int64_t most)
{
	const int64_t left = scree_sim_next_watch(s) - s->w->state.step;
	return scree_world_follows(&s->w->model) && left < most ? left : most;
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

double scree_in_time_of(const scree_sim *s, int64_t step) { return scree_time_of(&s->w->model, &s->w->state, step); }
