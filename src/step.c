/* step: which of the two kinds of step. */
#include "stages.h"

typedef struct one_step {
	scree_world *w;
	bool holds; /* every guard */
} one_step;

static void make_step(void *what)
{
	one_step *s = what;
	s->holds = s->w->solver ? scree_step_impulses(s->w) : scree_step_forces(s->w);
}

static bool step(scree_world *w)
{
	one_step s = {.w = w};
	if (!scree_world_attempt(w, make_step, &s, &w->why)) return false;
	if (!s.holds) scree_flights_land(w); /* who ends here may look at it */
	return s.holds;
}

bool scree_step(scree_world *w) { return scree_steps(w, 1); }

bool scree_steps(scree_world *w, int64_t steps)
{
	bool holds = true;
	w->flight.until = w->step + steps;
	w->flight.left = -1; /* who flies is chosen anew: somebody may have changed velocities since */
	while (holds && w->step < w->flight.until) holds = step(w);
	return holds;
}
