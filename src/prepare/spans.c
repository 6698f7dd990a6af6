/* spans: boxes around bodies and around the regions of sources; and the largest fall of a body before a wall stops it,
 * for the current positions of walls; this is a bound that ignores holes. */
#include "prepare/internal.h"

#include "kernel/quat.h"
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

/* A tube counts as level if the sine of its axis's slope angle is below this. */
static const real LEVEL = (real)0.2;

static real lowest_of_facets(const walls *s, const wall *o, const wall_state *at, vec3 down)
{
	real low = -INFINITY;
	for (int32_t f = o->first_facet; f < o->first_facet + o->facets; ++f)
		for (int32_t c = s->facet[f].first; c < s->facet[f].first + s->facet[f].corners; ++c)
			low = real_max(low, v3_dot(down, wall_to_world(at, s->corner[c])));
	return low;
}

/* Height of the bottom of a level tube that encloses bodies; other tubes do not stop falls. */
static real lowest_of_tube(const wall *o, const wall_state *at, vec3 down)
{
	const real wide = o->type == WALL_CONE ? real_max(o->radius, o->radius2) : o->radius;
	if (o->side != SIDE_INSIDE || real_abs(v3_dot(quat_rotate(at->orientation, o->axis), down)) > LEVEL)
		return -INFINITY;
	return v3_dot(down, wall_to_world(at, o->point)) + wide;
}

falls scree_falls_of(const model *m, const state *s)
{
	const real g = v3_norm(m->gravity);
	falls f = {.m = m, .s = s, .low = -INFINITY};
	if (!(g > 0)) return f;
	f.down = v3_mul(1 / g, m->gravity);
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (o->removed || o->only) continue;
		if (o->type == WALL_FACETS) f.low = real_max(f.low, lowest_of_facets(&m->wall, o, s->wall + k, f.down));
		if (o->type == WALL_CYLINDER || o->type == WALL_CONE)
			f.low = real_max(f.low, lowest_of_tube(o, s->wall + k, f.down));
	}
	return f;
}

real scree_fall_from(const falls *f, vec3 at)
{
	const model *m = f->m;
	const state *s = f->s;
	real most = real_max(f->low - v3_dot(f->down, at), 0);
	for (int32_t k = 0; v3_norm2(f->down) > 0 && k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (o->type != WALL_PLANE || o->removed || o->only) continue;
		const wall_state *now = s->wall + k;
		const vec3 n = quat_rotate(now->orientation, o->axis), p = wall_to_world(now, o->point);
		const real falls_in = v3_dot(n, f->down), way = v3_dot(n, v3_sub(p, at)) / falls_in;
		/* no steeper than 60 degrees; on a steeper plane, a body slides far or reaches another wall */
		if (real_abs(falls_in) > (real)0.5) most = real_max(most, way);
	}
	return most;
}
