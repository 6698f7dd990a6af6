/* sources: how many bodies are due, random points in a region, and whether a point is inside a region. */
#include "model/sources.h"

#include "base/maths.h"
#include "base/memory.h"
#include "model/periods.h"

#include <string.h>

int64_t scree_source_due(const source *s, real time)
{
	if (s->idle || time < s->from) return s->before;
	real until = real_min(time, s->until);
	const real far = 0x1p60; /* a bound, so that any rate gives a valid number of bodies */
	int64_t due = (int64_t)real_clamp(scree_floor((until - s->from) * s->rate), -1, far) + 1 + s->before;
	return s->limit > 0 && due > s->limit ? s->limit : due;
}

/* The next body is due as soon as the mass added so far does not exceed the mass due at this rate. */
static bool owes_mass(const source *s, real time, int64_t made, real mass)
{
	if (s->idle || time < s->from || (s->limit > 0 && made >= s->limit)) return false;
	return mass - s->mass_before <= (real_min(time, s->until) - s->from) * s->mass_rate;
}

bool scree_source_owes(const source *s, real time, int64_t made, real mass, real next)
{
	if (s->mass_limit > 0 && mass + next / 2 > s->mass_limit)
		return false; /* the total is closer to the limit without this body */
	return s->mass_rate > 0 ? owes_mass(s, time, made, mass) : made < scree_source_due(s, time);
}

void scree_population_free(population *p)
{
	SCREE_FREE_ALL(p->source, p->sink);
	memset(p, 0, sizeof *p);
}

static real drawn_between(random_stream *r, real low, real high, real inset)
{
	real u = scree_random_real(r);
	real a = low + inset, b = high - inset;
	return a < b ? a + (b - a) * u : (low + high) / 2;
}

static vec3 drawn_in_disc(random_stream *r, vec3 centre, real radius)
{
	real sine, cosine, out = radius * sqrt(scree_random_real(r));
	scree_sincos(2 * SCREE_PI * scree_random_real(r), &sine, &cosine);
	return v3(centre.x + out * cosine, centre.y + out * sine, 0);
}

vec3 scree_region_draw(const region *g, random_stream *r, real inset)
{
	if (g->type == REGION_BOX) {
		real x = drawn_between(r, g->low.x, g->high.x, inset);
		real y = drawn_between(r, g->low.y, g->high.y, inset);
		return v3(x, y, g->flat ? 0 : drawn_between(r, g->low.z, g->high.z, inset));
	}
	if (g->type == REGION_SEGMENT) return v3_madd(g->low, scree_random_real(r), v3_sub(g->high, g->low));
	real room = real_max(g->radius - inset, 0);
	if (g->flat) return drawn_in_disc(r, g->centre, room);
	if (g->type == REGION_SPHERE) {
		vec3 way = scree_random_direction(r);
		/* a radius whose cube is uniformly distributed: the largest of three uniform numbers */
		real u = scree_random_real(r), v = scree_random_real(r), w = scree_random_real(r);
		return v3_madd(g->centre, room * real_max(u, real_max(v, w)), way);
	}
	real along = drawn_between(r, -g->length / 2, g->length / 2, inset), sine, cosine;
	real out = room * sqrt(scree_random_real(r));
	scree_sincos(2 * SCREE_PI * scree_random_real(r), &sine, &cosine);
	vec3 e = v3_across(g->axis), f = v3_cross(g->axis, e);
	return v3_madd(v3_madd(v3_madd(g->centre, along, g->axis), out * cosine, e), out * sine, f);
}

region scree_region_across(const periods *p, const region *g, real inset)
{
	region o = *g;
	if (!p->on || g->type != REGION_BOX) return o;
	for (int32_t d = 0; d < 3; ++d) {
		real wide = v3_part(g->high, d) - v3_part(g->low, d);
		if (!p->axis[d] || wide < v3_part(p->size, d) * (real)(1 - 1e-9)) continue;
		*v3_along(&o.low, d) -= inset;
		*v3_along(&o.high, d) += inset;
	}
	return o;
}

bool scree_region_holds(const region *g, vec3 p, real inset)
{
	if (g->type == REGION_BOX)
		return p.x >= g->low.x + inset && p.x <= g->high.x - inset && p.y >= g->low.y + inset &&
			   p.y <= g->high.y - inset && (g->flat || (p.z >= g->low.z + inset && p.z <= g->high.z - inset));
	if (g->type == REGION_SEGMENT) { /* bodies may extend beyond a line, which has no inside except for rounding */
		vec3 along = v3_sub(g->high, g->low), d = v3_sub(p, g->low);
		real t = real_clamp(v3_dot(d, along) / v3_norm2(along), 0, 1);
		return v3_norm2(v3_madd(d, -t, along)) <= (real)1e-18 * v3_norm2(along);
	}
	vec3 d = v3_sub(p, g->centre);
	real room = g->radius - inset;
	if (room < 0) return false;
	if (g->type == REGION_SPHERE) return v3_norm2(d) <= room * room;
	real along = v3_dot(d, g->axis);
	vec3 across = v3_madd(d, -along, g->axis);
	return real_abs(along) <= g->length / 2 - inset && v3_norm2(across) <= room * room;
}

void scree_region_reach(const region *g, vec3 *low, vec3 *high)
{
	if (g->type == REGION_BOX || g->type == REGION_SEGMENT) {
		*low = v3_min(g->low, g->high);
		*high = v3_max(g->low, g->high);
		return;
	}
	for (int32_t d = 0; d < 3; ++d) {
		const real along = g->type == REGION_CYLINDER ? v3_part(g->axis, d) : 0;
		const real reach = real_abs(along) * g->length / 2 +
						   g->radius * (g->type == REGION_CYLINDER ? sqrt(real_max(0, 1 - along * along)) : 1);
		*v3_along(low, d) = v3_part(g->centre, d) - reach;
		*v3_along(high, d) = v3_part(g->centre, d) + reach;
	}
}

bool scree_region_spans(const periods *p, const region *g, int32_t axis)
{
	const real size = v3_part(p->size, axis), near = (real)1e-9 * size, low = v3_part(p->low, axis);
	return p->axis[axis] && g->type == REGION_BOX && real_abs(v3_part(g->low, axis) - low) <= near &&
		   real_abs(v3_part(g->high, axis) - low - size) <= near;
}

real scree_region_volume(const region *g)
{
	if (g->type == REGION_BOX) {
		vec3 d = v3_sub(g->high, g->low);
		return g->flat ? d.x * d.y : d.x * d.y * d.z;
	}
	if (g->type == REGION_SEGMENT) return 0;
	real disc = SCREE_PI * g->radius * g->radius;
	if (g->flat) return disc;
	return g->type == REGION_SPHERE ? disc * g->radius * 4 / 3 : disc * g->length;
}
