/* state: arrays of the state with one entry per row of a table of the model. */
#include "state/state.h"

#include "base/memory.h"
#include "model/model.h"
#include "model/sources.h"

real scree_source_waits(const source *s, const source_state *now, real dt)
{
	const int64_t most = 250; /* number of steps that a body may need to leave the region */
	const real bodies = 10;	  /* number of bodies due in the meantime */
	int64_t steps = now->waiting_tries / TRIES_A_STEP;
	return steps >= most && (real)steps * dt * s->rate >= bodies ? (real)steps * dt : 0;
}

int64_t scree_source_expected(const source *s, const source_state *now, real time)
{
	if (!scree_source_owes(s, time, now->made, now->mass, s->mean_mass)) return now->made;
	real bodies = s->mass_rate > 0 ? (real_min(time, s->until) - s->from) * s->mass_rate / s->mean_mass -
										 (now->mass - s->mass_before) / s->mean_mass + 1
								   : (real)(scree_source_due(s, time) - now->made);
	if (s->mass_limit > 0) bodies = real_min(bodies, (s->mass_limit - now->mass) / s->mean_mass + (real)0.5);
	if (s->limit > 0) bodies = real_min(bodies, (real)(s->limit - now->made));
	return now->made + (int64_t)real_min(bodies, 0x1p60);
}

void scree_state_room(const model *m, state *s)
{
	const population *p = &m->population;
	scree_wall_states_room(&m->wall, &s->walls, &s->wall);
	if (s->sources < p->sources)
		s->source = scree_grow(s->source, (size_t)s->sources, (size_t)p->sources, sizeof *s->source);
	/* streams differ from those of fills, so that a fill and a source of equal seeds give different bodies */
	for (; s->sources < p->sources; ++s->sources)
		s->source[s->sources].random =
			scree_random_start(p->source[s->sources].seed, (UINT64_C(1) << 32) + (uint64_t)s->sources);
	if (s->sinks < p->sinks) {
		s->sink = scree_grow(s->sink, (size_t)s->sinks, (size_t)p->sinks, sizeof *s->sink);
		s->sinks = p->sinks;
	}
}

void scree_state_room_free(state *s) { SCREE_FREE_ALL(s->wall, s->source, s->sink); }
