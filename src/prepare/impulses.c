/* impulses: sets up worlds in which contacts act through impulses: tests whether the solver supports the world, and
 * sets the step. Contacts have no duration, so the step is derived from the displacement of the fastest body. */
#include "prepare/prepare.h"

#include "base/memory.h"
#include "kernel/law_constants.h"
#include "model/model.h"
#include "model/response.h"
#include "model/sources.h"
#include "prepare/internal.h"
#include "state/state.h"
#include "work/work.h"

/* largest displacement in a step, as a fraction of the smallest diameter */
static const real LARGEST_PART = (real)0.5;

/* The bodies of a world and of its sources. */
typedef struct crowd {
	real smallest, fastest2; /* smallest diameter, in m, infinite without bodies; largest squared speed, in (m/s)^2 */
	span at;
} crowd;

static void note(crowd *c, real diameter, vec3 velocity)
{
	c->smallest = real_min(c->smallest, diameter);
	c->fastest2 = real_max(c->fastest2, v3_norm2(velocity));
}

static bool is_any(const crowd *c) { return c->smallest < INFINITY; }

static crowd crowd_of(const model *m, const state *s, const domain *d)
{
	const bodies *b = &s->body;
	crowd c = {.smallest = INFINITY, .at = scree_span_of_all(m, s, d, false)};
	for (int32_t i = 0; i < b->owned; ++i) note(&c, 2 * b->radius[i], body_velocity(b, i));
	scree_domain_least(d, 1, &c.smallest);
	scree_domain_most(d, 1, &c.fastest2);
	for (mix_walk w = {0}; mix_next(m, &w);)
		note(&c, 2 * m->shape.row[w.part->shape].radius * scree_spread_smallest(&w.part->size), w.from->velocity);
	return c;
}

static real fastest_wall(const model *m, const crowd *c)
{
	const vec3 middle = span_middle(&c->at);
	real reach = v3_norm(span_size(&c->at)) / 2, fastest = 0;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (o->motion.type != MOTION_STILL) fastest = real_max(fastest, scree_wall_fastest(o, middle, reach));
	}
	return fastest;
}

/* A speed that few bodies exceed: the speed limit of the guard, or else the speed of the initially fastest body after a
 * fall through the space of all bodies, plus the speed of the fastest wall. */
static real usual_speed(const model *m, const crowd *c)
{
	if (m->guard.speed > 0) return m->guard.speed;
	real fall = 2 * v3_norm(m->gravity) * v3_norm(span_size(&c->at));
	return sqrt(c->fastest2 + fall) + fastest_wall(m, c);
}

static bool check_way(const model *m, const crowd *c, fail *why)
{
	const real way = sqrt(c->fastest2) * m->dt;
	if (!is_any(c) || way <= LARGEST_PART * c->smallest) return true;
	return scree_refuse(why,
						"the time step %.3g s is too large: the fastest body moves %.3g m in a step, but the smallest "
						"diameter is %.3g m; set run.step to %.3g s (1/20 of it), at most %.3g s",
						m->dt, way, c->smallest, m->dt * SCREE_USUAL_WAY * c->smallest / way,
						m->dt * LARGEST_PART * c->smallest / way);
}

bool scree_world_impulses_prepare(model *m, state *s, work *w, real part, real step, fail *why)
{
	if (!m->solver->takes(m, s, w, why)) return false;
	size_t rules = (size_t)m->material.count * (size_t)m->material.count;
	scree_free(m->constants); /* constants for pairs without a law: no cohesion and no friction */
	m->constants = scree_alloc(rules, sizeof *m->constants);
	crowd c = crowd_of(m, s, &w->domain);
	real speed = usual_speed(m, &c);
	m->contact_time = 0;
	m->longest = is_any(&c) ? c.smallest / 2 : INFINITY;
	if (!(step > 0) && !(is_any(&c) && speed > 0)) return scree_refuse(why, "nothing moves, so run.step must be given");
	m->dt = step > 0 ? step : (part > 0 ? part : SCREE_USUAL_WAY) * c.smallest / speed;
	/* bodies of a resumed run may have become faster; this must not stop it here, because the guard tests speeds */
	return s->begun || check_way(m, &c, why);
}

bool scree_world_check_impulses(const model *m, const state *s, const domain *d, fail *why)
{
	const crowd c = crowd_of(m, s, d);
	return check_way(m, &c, why);
}
