/* step_bounds: limits on the step besides the contact time: resistance to rolling and spinning, and the drag of a fluid
 * (docs/theory/motion.md, "Packings and damping", "A fluid"). */
#include "model/integrator.h"
#include "prepare/internal.h"

#include "base/memory.h"
#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* Velocity Verlet with predicted velocities is stable if d x + s x^2/4 < 1, where x = omega dt. Gear's integrators need
 * x (limit0 + limit1 zeta) < 1, with omega and zeta of the mode itself. */
real scree_step_angle(const model *m, real lump, real d)
{
	const gear_rule *r = m->integrator->gear;
	if (r) return 1 / (r->limit[0] * sqrt(lump) + r->limit[1] * d / 2);
	return 2 / (d + sqrt(d * d + lump));
}

/* Number of contacts that resist the rotation of one body simultaneously. Packings begin to oscillate at 9 to 10 (in
 * the plane at 4); the margin leaves room for other damping (measured, docs/theory/motion.md). */
static const real TURNS[2] = {15, 6};

/* sqrt(2.25 * 1.4) and sqrt(2.25 * 0.4) from equations 16 and 20 of laws.md */
static const real ROLLING_DASHPOT = (real)1.77482393492988481, TWISTING_DASHPOT = (real)0.94868329805051380;

/* Bound for an angular spring with a dashpot, next to a contact of stiffness m omega^2 = k. The stiffness of the
 * angular spring is 2.25 mu^2 k R^2. share: m R^2 divided by the body's moment of inertia, for relative rotation */
real scree_step_turning(const model *m, const law_constants *c, real zeta, real share)
{
	real rolls = real_min(c->rolling, 1), twists = m->flat ? 0 : real_min(c->twisting, 1);
	real widest = real_max(rolls, twists), lump = (real)2.25 * widest * widest * share;
	real d = 2 * zeta * real_max(ROLLING_DASHPOT * rolls, TWISTING_DASHPOT * twists) * share;
	if (!(lump > 0)) return INFINITY;
	return scree_step_angle(m, TURNS[m->flat] * lump, TURNS[m->flat] * d);
}

/* The body that the fluid brakes fastest, among the present bodies and the smallest bodies of each source. */
typedef struct braked {
	real rate;			/* 1/s */
	uint64_t id;		/* id of the body, if from is NULL */
	const source *from; /* the source that makes it, or NULL */
} braked;

static void note_braked(braked *most, real rate, uint64_t id, const source *from)
{
	if (rate > most->rate) *most = (braked){rate, id, from};
}

real scree_step_braking(const model *m, const state *s, int32_t i)
{
	real speed = v3_norm(v3_sub(m->fluid.velocity, body_velocity(&s->body, i)));
	return s->body.inv_mass[i] * drag_rate_of(&m->fluid, 2 * s->body.round[i], speed).slope;
}

static braked most_braked(const model *m, const state *s, const domain *d)
{
	const bodies *b = &s->body;
	braked most = {0};
	int64_t parts = 1;
	for (int32_t i = 0; i < b->owned; ++i) note_braked(&most, scree_step_braking(m, s, i), b->id[i], NULL);
	braked *part = d->by->gather(d->at, &parts, sizeof *part, &most);
	for (int64_t k = 0; k < parts; ++k) note_braked(&most, part[k].rate, part[k].id, NULL);
	scree_free(part);
	for (mix_walk w = {0}; mix_next(m, &w);) {
		const shape *o = m->shape.row + w.part->shape;
		const real speed = v3_norm(v3_sub(m->fluid.velocity, w.from->velocity));
		const real size = scree_spread_smallest(&w.part->size);
		const real mass = m->material.row[w.part->material].density * scree_world_volume(m, o, size);
		note_braked(&most, drag_rate_of(&m->fluid, 2 * scree_world_round(m, o, size), speed).slope / mass, 0, w.from);
	}
	return most;
}

/* A step of a tenth of the relaxation time is accurate to one part in a thousand. Contacts also use some of the
 * stability limit, so drag may use only half of it. */
static step_bound drag_parts(const model *m)
{
	real most = scree_step_angle(m, 0, 1) / 2;
	return (step_bound){real_min((real)0.1, most), most};
}

real scree_step_braked(const model *m, const state *s, const domain *d)
{
	return m->fluid.on ? most_braked(m, s, d).rate : 0;
}

step_bound scree_step_drag(const model *m, const state *s, const domain *d)
{
	real rate = scree_step_braked(m, s, d);
	step_bound part = drag_parts(m);
	if (!(rate > 0)) return (step_bound){INFINITY, INFINITY};
	return (step_bound){part.safe / rate, part.most / rate};
}

bool scree_step_refuse_drag(const model *m, const state *s, const domain *d, fail *why)
{
	braked most = most_braked(m, s, d);
	step_bound part = drag_parts(m);
	char name[80];
	scree_name_of(most.from, most.id, name, sizeof name);
	return scree_refuse(why,
						"the time step %.3g s is too large for the drag of the fluid: the relaxation time of %s is "
						"%.3g s, and integrator %s is stable up to %.2g times that; set run.step to %.3g s, at most "
						"%.3g s; run.step.unsafe: true allows it",
						m->dt, name, 1 / most.rate, m->integrator->name, part.most, part.safe / most.rate,
						part.most / most.rate);
}

bool scree_step_refuse_more(real before, real now, fail *why)
{
	const fail of = *why;
	if (!(before > 1)) return false;
	return scree_fail(why, of.code,
					  "%s; the run has already exceeded this limit by a factor of %.4g because its bodies have "
					  "changed, which is tolerated, but this change would raise the factor to %.4g",
					  of.text, before, now);
}

bool scree_drag_holds(const model *m, state *s, work *w)
{
	const bodies *b = &s->body;
	if (!m->fluid.on || !(w->stiffest_drag * m->dt > scree_step_angle(m, 0, 1))) return true;
	int32_t i = -1;
	suspect most = {0, 0, 0};
	for (int32_t k = 0; k < b->owned; ++k) {
		const suspect of = {scree_step_braking(m, s, k), b->id[k], 0};
		if (of.extent > 0 && scree_suspect_before(&of, &most)) most = of, i = k;
	}
	if (!scree_domain_names(&w->domain, &most) || i < 0) return scree_world_fails_elsewhere(w);
	real time = 1 / w->stiffest_drag;
	return scree_fail(&w->why, FAIL_GUARD,
					  "the drag of the fluid on body %llu has a relaxation time of %.3g s at (%.6g, %.6g, %.6g) m, t = "
					  "%.6g s, too short for integrator %s with a step of %.3g s: set run.step to %.3g s or less, or "
					  "find out why the body moves at %.3g m/s",
					  (unsigned long long)b->id[i], time, b->x[i], b->y[i], b->z[i], s->time, m->integrator->name,
					  m->dt, drag_parts(m).safe * time, v3_norm(body_velocity(b, i)));
}
