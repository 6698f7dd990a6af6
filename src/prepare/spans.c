/* spans: boxes around bodies and around the regions of sources. */
#include "prepare/internal.h"

#include "model/model.h"
#include "state/state.h"

span scree_region_bounds(const region *r)
{
	const real wide = r->radius + r->length / 2;
	const vec3 around = v3(wide, wide, wide);
	if (r->type != REGION_BOX && r->type != REGION_SEGMENT)
		return (span){v3_sub(r->centre, around), v3_add(r->centre, around)};
	return (span){v3_min(r->low, r->high), v3_max(r->low, r->high)};
}

vec3 scree_region_top(const region *r, vec3 g)
{
	const span at = scree_region_bounds(r);
	return v3(g.x > 0 ? at.low.x : at.high.x, g.y > 0 ? at.low.y : at.high.y, g.z > 0 ? at.low.z : at.high.z);
}

void scree_span_join(span *s, const domain *d)
{
	real low[3] = {s->low.x, s->low.y, s->low.z}, high[3] = {s->high.x, s->high.y, s->high.z};
	scree_domain_least(d, 3, low);
	scree_domain_most(d, 3, high);
	*s = (span){v3(low[0], low[1], low[2]), v3(high[0], high[1], high[2])};
}

span scree_span_of_bodies(const state *s, const domain *d, bool whole)
{
	const bodies *b = &s->body;
	span all = NO_SPAN;
	for (int32_t i = 0; i < b->owned; ++i) {
		const real r = whole ? b->radius[i] : 0;
		const vec3 at = body_position(b, i), around = v3(r, r, r);
		span_add(&all, v3_sub(at, around), v3_add(at, around));
	}
	scree_span_join(&all, d);
	return all;
}

span scree_span_of_all(const model *m, const state *s, const domain *d, bool whole)
{
	span all = scree_span_of_bodies(s, d, whole);
	for (int32_t k = 0; k < m->population.sources; ++k) {
		const span at = scree_region_bounds(&m->population.source[k].where);
		span_add(&all, at.low, at.high);
	}
	return all;
}
