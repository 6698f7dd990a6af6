/* sources: number of bodies that a source owes. */
#include "model/sources.h"

#include "base/maths.h"
#include "base/memory.h"

#include <string.h>

int64_t scree_source_due(const source *s, real time)
{
	if (s->idle || time < s->from) return s->before;
	real until = real_min(time, s->until);
	const real far = 0x1p60; /* a limit, so that any rate gives a number of bodies */
	int64_t due = (int64_t)real_clamp(scree_floor((until - s->from) * s->rate), -1, far) + 1 + s->before;
	return s->limit > 0 && due > s->limit ? s->limit : due;
}

/* The next body is due as soon as the mass so far is no more than the rate allows. */
static bool owes_mass(const source *s, real time, int64_t made, real mass)
{
	if (s->idle || time < s->from || (s->limit > 0 && made >= s->limit)) return false;
	return mass - s->mass_before <= (real_min(time, s->until) - s->from) * s->mass_rate;
}

bool scree_source_owes(const source *s, real time, int64_t made, real mass, real next)
{
	if (s->mass_limit > 0 && mass + next / 2 > s->mass_limit) return false; /* without it, the limit is nearer */
	return s->mass_rate > 0 ? owes_mass(s, time, made, mass) : made < scree_source_due(s, time);
}

void scree_population_free(population *p)
{
	SCREE_FREE_ALL(p->source, p->sink);
	memset(p, 0, sizeof *p);
}
