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

bool scree_step(scree_world *w)
{
	one_step s = {.w = w};
	return scree_world_attempt(w, make_step, &s, &w->why) && s.holds;
}
