/* flow: mass and number of bodies into a sink, or through a plane. */
#include "measure/measure.h"

#include "world/world.h"

#include <string.h>

static int32_t find_sink(const measure_plan *p, const population *o)
{
	int32_t k = o->sinks - 1;
	while (k >= 0 && strcmp(o->sink[k].name, p->sink) != 0) --k;
	return k;
}

bool scree_measure_has_flow(const measure_plan *p, const scree_world *w)
{
	if (p->type == MEASURE_PLANE) return scree_flow_plane_find(&w->model.flow, p->name) >= 0;
	return find_sink(p, &w->model.population) >= 0;
}

static real difference(fixed a, fixed b)
{
	scree_fixed_join(&a, (fixed){-b.quanta, -b.beyond});
	return scree_fixed_value(a);
}

measured_flow scree_measure_flow(const measure_plan *p, const scree_world *w)
{
	if (p->type == MEASURE_SINK) {
		const sink_state *s = w->state.sink + find_sink(p, &w->model.population);
		return (measured_flow){.mass = s->mass_taken, .count = s->taken};
	}
	fixed sum[FLOW_SUMS];
	flow_to_sums(w->state.flow + scree_flow_plane_find(&w->model.flow, p->name), sum);
	w->work.domain.by->add(w->work.domain.at, FLOW_SUMS, sum);
	const flow_count all = flow_of_sums(sum);
	return (measured_flow){.mass = difference(all.mass[0], all.mass[1]),
						   .count = all.count[0] - all.count[1],
						   .mass_back = scree_fixed_value(all.mass[1]),
						   .back = all.count[1]};
}

const flow_column scree_flow_columns[] = {
	{"mass[kg]", "mass that flowed since the start"},
	{"bodies[1]", "number of bodies that flowed since the start"},
	{"mass_rate[kg/s]", "mean flow of mass since the previous row"},
	{"body_rate[1/s]", "mean flow of bodies since the previous row"},
	{"mass_back[kg]", "mass against the normal of the plane, since the start"},
	{"bodies_back[1]", "bodies against the normal of the plane, since the start"},
};
const int scree_flow_column_count = sizeof scree_flow_columns / sizeof *scree_flow_columns;

int scree_measure_flow_columns(const measure_plan *p) { return p->type == MEASURE_SINK ? 4 : scree_flow_column_count; }
