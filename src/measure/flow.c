/* flow: mass and number of bodies into a sink. */
#include "measure/measure.h"

#include <string.h>

static int32_t find_sink(const measure_plan *p, const population *o)
{
	int32_t k = o->sinks - 1;
	while (k >= 0 && strcmp(o->sink[k].name, p->sink) != 0) --k;
	return k;
}

bool scree_measure_has_flow(const measure_plan *p, const scree_world *w)
{
	return find_sink(p, &w->model.population) >= 0;
}

measured_flow scree_measure_flow(const measure_plan *p, const scree_world *w)
{
	const sink_state *s = w->state.sink + find_sink(p, &w->model.population);
	return (measured_flow){s->mass_taken, s->taken};
}
