/* impulses: set-up of worlds in which contacts act by impulses: tests whether their solver supports them, and sets the
 * step. Contacts take no time, so the step follows from the displacement of the fastest body. */
#include "prepare/prepare.h"

#include "base/memory.h"
#include "model/response.h"
#include "prepare/internal.h"

/* largest displacement in a step, as a fraction of the smallest diameter */
static const real LARGEST_PART = (real)0.5;

/* The bodies of a world and of its sources. */
typedef struct crowd {
	int32_t any;			 /* an integer, since another rank may send any bytes */
	real smallest, fastest2; /* m: least diameter; (m/s)^2: largest speed squared */
	vec3 low, high;
} crowd;

static void note(crowd *c, real diameter, vec3 velocity, vec3 low, vec3 high)
{
	c->smallest = c->any ? real_min(c->smallest, diameter) : diameter;
	c->fastest2 = real_max(c->fastest2, v3_norm2(velocity));
	if (!c->any) c->low = low, c->high = high;
	c->low = v3_min(c->low, low);
	c->high = v3_max(c->high, high);
	c->any = true;
}

static void join(crowd *c, const crowd *o)
{
	const real fastest2 = real_max(c->fastest2, o->fastest2);
	if (o->any) note(c, o->smallest, v3(0, 0, 0), o->low, o->high);
	c->fastest2 = fastest2;
}

static void note_source(const model *m, const source *source, crowd *c)
{
	vec3 low, high;
	scree_region_bounds(&source->where, &low, &high);
	for (int32_t p = 0; p < source->parts; ++p) {
		const mix_part *part = source->part + p;
		real size = scree_spread_smallest(&part->size);
		note(c, 2 * m->shape.row[part->shape].radius * size, source->velocity, low, high);
	}
}

static crowd crowd_of(const model *m, const state *s, const domain *d)
{
	const bodies *b = &s->body;
	crowd here = {0}, c = {0};
	int64_t parts = 1;
	for (int32_t i = 0; i < b->owned; ++i)
		note(&here, 2 * b->radius[i], body_velocity(b, i), body_position(b, i), body_position(b, i));
	crowd *part = d->by->gather(d->at, &parts, sizeof *part, &here);
	for (int64_t k = 0; k < parts; ++k) join(&c, part + k);
	scree_free(part);
	for (int32_t k = 0; k < m->population.sources; ++k) note_source(m, m->population.source + k, &c);
	return c;
}

static real fastest_wall(const model *m, const crowd *c)
{
	const vec3 middle = v3_mul((real)0.5, v3_add(c->low, c->high));
	real reach = v3_norm(v3_sub(c->high, c->low)) / 2, fastest = 0;
	for (int32_t k = 0; k < m->wall.count; ++k) {
		const wall *o = m->wall.row + k;
		if (o->motion.type != MOTION_STILL) fastest = real_max(fastest, scree_wall_fastest(o, middle, reach));
	}
	return fastest;
}

/* A speed that few bodies exceed: that of the guard; or that of the fastest body at the start after a fall through the
 * space of all bodies, plus that of the fastest wall. */
static real usual_speed(const model *m, const crowd *c)
{
	if (m->guard.speed > 0) return m->guard.speed;
	real fall = 2 * v3_norm(m->gravity) * v3_norm(v3_sub(c->high, c->low));
	return sqrt(c->fastest2 + fall) + fastest_wall(m, c);
}

static bool check_way(const model *m, const crowd *c, fail *why)
{
	const real way = sqrt(c->fastest2) * m->dt;
	if (!c->any || way <= LARGEST_PART * c->smallest) return true;
	return scree_fail(why, FAIL_INPUT,
					  "the time step %.3g s is too large: the fastest body moves %.3g m in it, and the smallest "
					  "diameter is %.3g m; set run.step to %.3g s (1/20 of it), at most %.3g s",
					  m->dt, way, c->smallest, m->dt * SCREE_USUAL_WAY * c->smallest / way,
					  m->dt * LARGEST_PART * c->smallest / way);
}

bool scree_world_impulses_prepare(model *m, state *s, work *w, real part, real step, fail *why)
{
	if (!m->solver->takes(m, s, w, why)) return false;
	size_t rules = (size_t)m->material.count * (size_t)m->material.count;
	scree_free(m->constants); /* constants for no law: no cohesion, no friction */
	m->constants = scree_alloc(rules, sizeof *m->constants);
	crowd c = crowd_of(m, s, &w->domain);
	real speed = usual_speed(m, &c);
	m->contact_time = 0;
	m->longest = c.any ? c.smallest / 2 : INFINITY;
	if (!(step > 0) && !(c.any && speed > 0))
		return scree_fail(why, FAIL_INPUT, "nothing moves, so run.step must be given");
	m->dt = step > 0 ? step : (part > 0 ? part : SCREE_USUAL_WAY) * c.smallest / speed;
	/* bodies of a resumed run may have become faster, which must not stop it here, because the guard tests speeds */
	return s->begun || check_way(m, &c, why);
}

bool scree_world_check_impulses(const model *m, const state *s, const domain *d, fail *why)
{
	const crowd c = crowd_of(m, s, d);
	return check_way(m, &c, why);
}
