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

void scree_population_free(population *p)
{
	scree_free(p->source);
	scree_free(p->sink);
	memset(p, 0, sizeof *p);
}
