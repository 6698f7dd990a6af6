/* whole: the state as a whole. */
#include "library/internal.h"

static scree_code hash(scree_sim *s, void *of)
{
	scree_sim_touch(s);
	*(uint64_t *)of = scree_world_hash(&s->w->model, &s->w->state, &s->w->work);
	return SCREE_DONE;
}

uint64_t scree_sim_hash(scree_sim *s)
{
	uint64_t h = 0;
	scree_sim_call(s, hash, &h);
	return h;
}
