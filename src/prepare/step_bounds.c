/* step_bounds: what else than the time of a contact limits the step: resistance to rolling and spinning, and the
 * drag of a fluid (docs/theory/motion.md, "Packings and damping", "A fluid"). */
#include "prepare/parts.h"

#include <stdio.h>

/* Velocity Verlet with predicted velocities bears it as long as d x + s x^2/4 < 1, x = omega dt. Gear's integrators ask
 * for x (limit0 + limit1 zeta) < 1 with omega and zeta of the mode itself. */
real scree_step_angle(const scree_world *w, real s, real d)
{
	const gear_rule *r = w->mover->gear;
	if (r) return 1 / (r->limit[0] * sqrt(s) + r->limit[1] * d / 2);
	return 2 / (d + sqrt(d * d + s));
}

/* Contacts that resist the turning of one body at once: packings begin to hum at 9 to 10 (in the plane 4), the rest
 * leaves room for other damping (measured, docs/theory/motion.md). */
static const real TURNS[2] = {15, 6};

/* sqrt(2.25 * 1.4) and sqrt(2.25 * 0.4): eqs. 16 and 20 of laws.md */
static const real ROLLING_DASHPOT = (real)1.77482393492988481, TWISTING_DASHPOT = (real)0.94868329805051380;

/* Of a spring of angle beside a contact of stiffness k m omega^2 = k: stiffness 2.25 mu^2 k R^2, and its dashpot.
 * share: of m R^2 over the body's moment of inertia, for the relative turning of both. */
real scree_step_turning(const scree_world *w, const law_constants *c, real zeta, real share)
{
	real rolls = real_min(c->rolling, 1), twists = w->flat ? 0 : real_min(c->twisting, 1);
	real widest = real_max(rolls, twists), s = (real)2.25 * widest * widest * share;
	real d = 2 * zeta * real_max(ROLLING_DASHPOT * rolls, TWISTING_DASHPOT * twists) * share;
	if (!(s > 0)) return INFINITY;
	return scree_step_angle(w, TURNS[w->flat] * s, TURNS[w->flat] * d);
}

/* What the fluid brakes fastest: of the bodies that are there, and of the smallest ones of each source. */
typedef struct braked {
	real rate;			/* 1/s */
	uint64_t id;		/* of the body, or */
	const source *from; /* NULL: of none */
} braked;

static void note_braked(braked *most, real rate, uint64_t id, const source *from)
{
	if (rate > most->rate) *most = (braked){rate, id, from};
}

real scree_step_braking(const scree_world *w, int32_t i)
{
	real speed = v3_norm(v3_sub(w->fluid.velocity, body_velocity(&w->body, i)));
	return w->body.inv_mass[i] * drag_rate_of(&w->fluid, 2 * w->body.round[i], speed).slope;
}

static braked most_braked(const scree_world *w)
{
	const bodies *b = &w->body;
	braked most = {0};
	for (int32_t i = 0; i < b->count; ++i) note_braked(&most, scree_step_braking(w, i), b->id[i], NULL);
	for (int32_t k = 0; k < w->people.sources; ++k) {
		const source *s = w->people.source + k;
		real speed = v3_norm(v3_sub(w->fluid.velocity, s->velocity));
		for (int32_t p = 0; p < s->parts; ++p) {
			const shape *o = w->shape.row + s->part[p].shape;
			real size = scree_spread_smallest(&s->part[p].size);
			real mass = w->material.row[s->material].density * scree_world_volume(w, o, size);
			note_braked(&most, drag_rate_of(&w->fluid, 2 * scree_world_round(w, o, size), speed).slope / mass, 0, s);
		}
	}
	return most;
}

/* A tenth of the relaxation time is exact to a part in a thousand. What the integrator bears is left to contacts, too,
 * so that only half of it is let to drag. */
static step_bound drag_parts(const scree_world *w)
{
	real most = scree_step_angle(w, 0, 1) / 2;
	return (step_bound){real_min((real)0.1, most), most};
}

real scree_step_braked(const scree_world *w) { return w->fluid.on ? most_braked(w).rate : 0; }

step_bound scree_step_drag(const scree_world *w)
{
	real rate = scree_step_braked(w);
	step_bound part = drag_parts(w);
	if (!(rate > 0)) return (step_bound){INFINITY, INFINITY};
	return (step_bound){part.safe / rate, part.most / rate};
}

bool scree_step_refuse_drag(const scree_world *w, fail *why)
{
	braked most = most_braked(w);
	step_bound part = drag_parts(w);
	char who[80];
	if (most.from)
		snprintf(who, sizeof who, "bodies of %s", most.from->name);
	else
		snprintf(who, sizeof who, "body %llu", (unsigned long long)most.id);
	return scree_fail(
		why, FAIL_INPUT,
		"the time step %.3g s is too large for the drag of the fluid: the relaxation time of %s is %.3g s, "
		"and integrator %s bears at most %.2g of that; take %.3g s, at most %.3g s; "
		"run.step.unsafe: true allows it",
		w->dt, who, 1 / most.rate, w->mover->name, part.most, part.safe / most.rate, part.most / most.rate);
}

bool scree_drag_holds(scree_world *w)
{
	const bodies *b = &w->body;
	if (!w->fluid.on || !(w->stiffest_drag * w->dt > scree_step_angle(w, 0, 1))) return true;
	int32_t i = 0;
	for (int32_t k = 1; k < b->owned; ++k)
		if (scree_step_braking(w, k) > scree_step_braking(w, i)) i = k;
	real time = 1 / w->stiffest_drag;
	return scree_fail(&w->why, FAIL_GUARD,
					  "the drag of the fluid on body %llu has a relaxation time of %.3g s at (%.6g, %.6g, %.6g) m, t = "
					  "%.6g s, too short for integrator %s with a step of %.3g s: take a run.step of %.3g s or less, "
					  "or see why the body moves at %.3g m/s",
					  (unsigned long long)b->id[i], time, b->x[i], b->y[i], b->z[i], w->time, w->mover->name, w->dt,
					  drag_parts(w).safe * time, v3_norm(body_velocity(b, i)));
}
