/* turning.h: how springs across a contact follow its stiffness; what resists rolling and spinning in it. Values in,
 * values out. */
#ifndef SCREE_KERNEL_TURNING_H
#define SCREE_KERNEL_TURNING_H

#include "kernel/contact_history.h"
#include "kernel/contact_law.h"

/* All springs across a contact are proportional to one scale (Hertz: the radius of contact): what it was and is. */
typedef struct stiffening {
	real before, now;
	real ratio; /* of the energy that a spring keeps: the smaller over the greater */
	real grows; /* of the way that it keeps */
	bool fresh;
} stiffening;

/* ratio: the smaller one over the greater one, where both are above zero */
SCREE_FN stiffening stiffening_by(real before, real now, real ratio)
{
	stiffening s = {before, now, ratio, 1, !(before > 0)};
	s.ratio = s.fresh ? 1 : ratio;
	s.grows = now > before ? s.ratio : 1;
	return s;
}

/* Mindlin, incremental: a growing radius of contact keeps the force, a shrinking one scales it (eq. 12 of laws.md) */
SCREE_FN stiffening stiffening_of(real before, real now)
{
	bool growing = now > before;
	return stiffening_by(before, now, (growing ? before : now) / (growing ? now : before));
}

/* a spring as the new scale finds it; the half step that it is ahead is a way, not a force: it keeps its length */
SCREE_FN vec3 carried(const stiffening *s, vec3 spring, vec3 rate, real dt)
{
	return v3_madd(v3_mul(s->grows, spring), (1 - s->grows) * dt / 2, rate);
}

SCREE_FN slip carried_slip(const stiffening *s, slip spring, slip rate, real dt)
{
	slip o = {carried(s, spring.flat, rate.flat, dt), s->grows * spring.spin + (1 - s->grows) * dt / 2 * rate.spin};
	return o;
}

/* work on this step's slip of the force that shrinking took away: the stored energy knows only what was left.
 * stiffness: that of the spring at scale 1 */
SCREE_FN real dropped(const stiffening *s, real stiffness, slip spring, slip rate, bool patch, real dt)
{
	real both = with_spin(patch, v3_dot(spring.flat, rate.flat), spring.spin * rate.spin);
	return s->now < s->before ? (real)0.5 * (s->before - s->now) * stiffness * dt * both : 0;
}

/* dF/d(overlap) of the elastic part at scale 1, which the stiffness of rolling follows */
SCREE_FN real normal_stiffness(const contact_constants *c, enum law_row law)
{
	return law == LAW_HERTZ || law == LAW_POWER ? (real)1.5 * c->stiffness : c->stiffness;
}

/* What the spring of an angle acts across, in parts of the radius: as wide as it resists, but a contact is not wider
 * than the body. Where it resists more, bodies do not turn, and a stiffer spring would only ask for shorter steps. */
SCREE_FN real width_of(real resists) { return resists < 1 ? resists : 1; }

/* A spring of an angle in one step: what it does, and what is lost in it. */
typedef struct turning {
	slider by;
	real lost; /* J */
} turning;

/* Rolling: an elastic-plastic spring of angle (Iwashita and Oda 1998; eqs. 15-17 of laws.md), for materials that resist
 * it. spin: angular velocity of a against b; force: N, what presses */
SCREE_FN turning roll(const contact_history *h, const contact_constants *c, vec3 n, vec3 spin, real force,
					  enum law_row law, const stiffening *s, real dt)
{
	real lever = c->rolling * c->radius, width = width_of(c->rolling) * c->radius;
	bool rolls = c->rolling > 0;
	real one = (real)2.25 * normal_stiffness(c, law) * width * width, spring = rolls ? one * s->now : 1;
	real damping = 2 * c->zeta * sqrt(spring * (real)1.4 * c->mass * c->radius * c->radius);
	slip across = {v3_madd(spin, -v3_dot(spin, n), n), 0};
	slip angle = {carried(s, h->rolling, across.flat, dt), 0};
	real less = h->rolled * (s->ratio - 1) - dropped(s, one, angle, across, false, dt);
	stretch trial = stretch_of(angle, across, n, false, dt);
	slider r = slide(trial, h->rolled * s->ratio, s->fresh, across, false, spring, damping, lever * force, dt);
	turning o = {r, rolls ? dt * r.heat + r.lost - less : 0};
	o.by.force = v3(rolls ? r.force.x : 0, rolls ? r.force.y : 0, rolls ? r.force.z : 0);
	o.by.spring = v3(rolls ? r.spring.x : 0, rolls ? r.spring.y : 0, rolls ? r.spring.z : 0);
	o.by.stored = rolls ? r.stored : 0;
	o.by.heat = rolls ? r.heat : 0;
	return o;
}

/* Torsional resistance: the same about the normal, one angle; the moment of inertia is that of a sphere that spins in
 * its place (eq. 20 of laws.md). */
SCREE_FN turning twist(const contact_history *h, const contact_constants *c, vec3 n, vec3 spin, real force,
					   enum law_row law, const stiffening *s, real dt)
{
	real lever = c->twisting * c->radius, width = width_of(c->twisting) * c->radius;
	bool twists = c->twisting > 0;
	real one = (real)2.25 * normal_stiffness(c, law) * width * width, spring = twists ? one * s->now : 1;
	real damping = 2 * c->zeta * sqrt(spring * (real)0.4 * c->mass * c->radius * c->radius);
	slip rate = {v3(v3_dot(spin, n), 0, 0), 0};
	/* one angle as the x of vectors across y */
	slip angle = {carried(s, v3(h->twist, 0, 0), rate.flat, dt), 0};
	real less = h->twisted * (s->ratio - 1) - dropped(s, one, angle, rate, false, dt);
	stretch trial = stretch_of(angle, rate, v3(0, 1, 0), false, dt);
	slider t = slide(trial, h->twisted * s->ratio, s->fresh, rate, false, spring, damping, lever * force, dt);
	turning o = {t, twists ? dt * t.heat + t.lost - less : 0};
	o.by.force.x = twists ? t.force.x : 0;
	o.by.spring.x = twists ? t.spring.x : 0;
	o.by.stored = twists ? t.stored : 0;
	o.by.heat = twists ? t.heat : 0;
	return o;
}

#endif
