/* step: which of the two kinds of step, and what both share. */
#include "stages.h"

void scree_pairs_renew(scree_world *w)
{
	bool stale = scree_pairs_stale(w);
	if (stale) {
		scree_bodies_to_pairs(w);
		scree_bodies_to_records(w);
	}
	if (stale || scree_rows_stale(w)) scree_pairs_to_rows(w);
}

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
