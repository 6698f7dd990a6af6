/* grip: what decides, beside the law of a contact, how long a step its bodies bear: how easily shapes are turned,
 * how many contacts a body may have, how fast bodies meet and what presses them. */
#include "prepare/parts.h"

#include "base/memory.h"

/* the greatest u'[p]' ease [p] u of any unit vector u: of a force at p in the worst direction */
static real turned_by(vec3 p, vec3 ease)
{
	vec3 u = v3_unit(v3_cross(p, v3(p.y + (real)0.3, -p.z, p.x + (real)0.7)));
	real value = 0;
	for (int k = 0; k < 40; ++k) {
		vec3 t = v3_cross(p, u), to = v3_cross(v3(ease.x * t.x, ease.y * t.y, ease.z * t.z), p);
		value = v3_norm(to);
		if (!(value > 0)) return 0;
		u = v3_mul(1 / value, to);
	}
	return value;
}

static grip flat_grip(const shape *s)
{
	real ease = s->volume / s->inertia.z;
	grip g = {0, ease * s->radius * s->radius};
	for (int32_t k = 0; k < s->flat.corners; ++k) {
		const flat_corner *c = s->flat.corner + k;
		real lever = real_max(real_abs(c->x * c->tx + c->y * c->ty), real_abs(c[1].x * c->tx + c[1].y * c->ty));
		g.pushes = real_max(g.pushes, ease * lever * lever);
	}
	return g;
}

/* How easily what acts at the surface of a body moves it there, over how easily it moves the body's centre, less 1. */
static grip grip_of(const scree_world *w, const shape *s)
{
	grip g = {0, 0};
	if (w->flat) return flat_grip(s);
	if (s->type == SHAPE_SPHERE) return (grip){0, s->volume * s->radius * s->radius / s->inertia.x};
	vec3 ease = v3(s->volume / s->inertia.x, s->volume / s->inertia.y, s->volume / s->inertia.z);
	for (int32_t f = 0; f < s->faces; ++f)
		for (int32_t c = s->first[f]; c < s->first[f + 1]; ++c) {
			int32_t v = s->corner[c];
			vec3 t = v3_cross(v3(s->vx[v], s->vy[v], s->vz[v]), v3(s->nx[f], s->ny[f], s->nz[f]));
			g.pushes = real_max(g.pushes, ease.x * t.x * t.x + ease.y * t.y * t.y + ease.z * t.z * t.z);
		}
	for (int32_t v = 0; v < s->vertices; ++v)
		g.rubs = real_max(g.rubs, turned_by(v3(s->vx[v], s->vy[v], s->vz[v]), ease));
	return g;
}

grip *scree_grips(const scree_world *w)
{
	grip *g = scree_alloc((size_t)w->shape.count, sizeof *g);
	for (int32_t k = 0; k < w->shape.count; ++k) g[k] = grip_of(w, w->shape.row + k);
	return g;
}

/* ------------------------------------------------------------------ what is around a contact */

typedef struct extent {
	vec3 low, high;
	real speed2;
} extent;

static extent extent_of(const scree_world *w)
{
	const bodies *b = &w->body;
	extent e = {0};
	for (int32_t i = 0; i < b->count; ++i) {
		vec3 p = body_position(b, i);
		if (i == 0) e.low = e.high = p;
		e.low = v3(real_min(e.low.x, p.x), real_min(e.low.y, p.y), real_min(e.low.z, p.z));
		e.high = v3(real_max(e.high.x, p.x), real_max(e.high.y, p.y), real_max(e.high.z, p.z));
		e.speed2 = real_max(e.speed2, v3_norm2(body_velocity(b, i)));
	}
	return e;
}

/* a speed that will hardly be exceeded: the guard's, or the initial one and that of a fall through the bodies' extent
 */
static real typical_speed(const scree_world *w, const extent *e)
{
	if (w->guard.speed > 0) return w->guard.speed;
	real v2 = e->speed2;
	v2 += 2 * v3_norm(w->gravity) * v3_norm(v3_sub(e->high, e->low));
	return v2 > 0 ? sqrt(v2) : 1;
}

surroundings scree_surroundings(const scree_world *w)
{
	extent e = extent_of(w);
	surroundings s = {.speed = typical_speed(w, &e), .drag = scree_step_braked(w), .load = scree_world_pressed(w)};
	s.contacts = w->people.sources ? INFINITY : (real)(w->body.count - 1 + w->wall.surfaces);
	return s;
}
