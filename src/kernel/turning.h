/* turning.h: the state that a contact keeps from step to step, and the result of one step; scaling of tangential
 * springs with the stiffness of a contact; rolling and torsional resistance. All functions are pure. */
#ifndef SCREE_KERNEL_TURNING_H
#define SCREE_KERNEL_TURNING_H

#include "kernel/contact_constants.h"
#include "kernel/law_constants.h"
#include "kernel/slider.h"

/* All zero before the first contact. Only fields needed by the law are stored, such as springs (state/pairs.h). */
typedef struct contact_history {
	vec3 spring;  /* tangential spring in m, in world axes, half a step ahead */
	real spun;	  /* patches only: spring about the normal in m, angle times arm */
	real scale;	  /* scale of the springs' stiffness (Hertz: contact radius in m); > 0 if the bodies touch */
	real stored;  /* energy of the tangential spring, in J */
	vec3 rolling; /* rad  rolling spring */
	real rolled;  /* energy of the rolling spring, in J */
	real twist;	  /* rad  torsional spring */
	real twisted; /* energy of the torsional spring, in J */
	real deepest; /* law plastic: largest overlap so far, in m */
	real torn;	  /* law plastic: energy lost when the bodies separate, in J */
} contact_history;

/* Contribution of one contact to the ledger in one step (docs/theory/laws.md, "The ledger"). */
typedef struct contact_tally {
	real normal, friction, rolling; /* J, lost */
	real work;						/* work of the normal spring on the bodies, in J */
	real elastic;					/* present energy of the normal spring, in J */
	real power, heat;				/* power of the normal spring on the bodies, and dissipation, at present, in W */
} contact_tally;

/* Result of one step for a contact. The opposite force acts on b. */
typedef struct contact_result {
	vec3 force, torque; /* force and torque on a, about its centre, in N and N m */
	real normal;		/* N */
	contact_history history;
	contact_tally tally;
} contact_result;

/* Change in the scale to which all springs of a contact are proportional (the contact radius for Hertz). */
typedef struct stiffening {
	real before, now;
	real ratio; /* fraction of its energy that a spring keeps: the smaller scale over the larger */
	real grows; /* fraction of its displacement that a spring keeps */
	bool fresh;
} stiffening;

/* ratio: the smaller scale over the larger, if both are above zero */
SCREE_FN stiffening stiffening_by(real before, real now, real ratio)
{
	stiffening s = {before, now, ratio, 1, !(before > 0)};
	s.ratio = s.fresh ? 1 : ratio;
	s.grows = now > before ? s.ratio : 1;
	return s;
}

/* Mindlin's incremental rule: the force is kept while the contact radius grows, and is scaled down while the radius
 * shrinks (eq. 12 of laws.md). */
SCREE_FN stiffening stiffening_of(real before, real now)
{
	bool growing = now > before;
	return stiffening_by(before, now, (growing ? before : now) / (growing ? now : before));
}

/* Returns a spring at the new scale. Its advance by half a step is a displacement, not a force, and is not scaled. */
SCREE_FN vec3 carried(const stiffening *s, vec3 spring, vec3 rate, real dt)
{
	return v3_madd(v3_mul(s->grows, spring), (1 - s->grows) * dt / 2, rate);
}

SCREE_FN slip carried_slip(const stiffening *s, slip spring, slip rate, real dt)
{
	slip o = {carried(s, spring.flat, rate.flat, dt), s->grows * spring.spin + (1 - s->grows) * dt / 2 * rate.spin};
	return o;
}

/* Returns the work done on this step's slip by the force that a shrinking contact loses; the stored energy covers only
 * the remaining force. stiffness: stiffness of the spring at scale 1 */
SCREE_FN real dropped(const stiffening *s, real stiffness, slip spring, slip rate, bool patch, real dt)
{
	real both = with_spin(patch, v3_dot(spring.flat, rate.flat), spring.spin * rate.spin);
	return s->now < s->before ? (real)0.5 * (s->before - s->now) * stiffness * dt * both : 0;
}

/* dF/d(overlap) of the elastic part at scale 1, to which the rolling stiffness is proportional. */
SCREE_FN real normal_stiffness(const contact_constants *c, enum law_row law)
{
	return law == LAW_HERTZ || law == LAW_POWER ? (real)1.5 * c->stiffness : c->stiffness;
}

/* Width of an angular spring relative to the radius: the coefficient of resistance, but at most 1. Bodies with more
 * resistance do not roll in any case, and a stiffer spring would only require shorter steps. */
SCREE_FN real width_of(real resists) { return resists < 1 ? resists : 1; }

/* The spring and the dashpot of rolling or torsion (eqs. 16 and 20 of laws.md). resists: coefficient of resistance;
 * lump: moment of inertia over mass radius^2 */
typedef struct angular_spring {
	real lever;		/* ratio of the largest torque to the pressing force, in m */
	real one;		/* N m: stiffness at scale 1 */
	real stiffness; /* in N m; 1 if there is no spring */
	real damping;	/* N m s */
} angular_spring;

#define ROLLING_LUMP  ((real)1.4)
#define TWISTING_LUMP ((real)0.4)

SCREE_FN angular_spring angular_spring_of(const contact_constants *c, real resists, real lump, enum law_row law,
										  real scale)
{
	const real width = width_of(resists) * c->radius;
	angular_spring o;
	o.lever = resists * c->radius;
	o.one = (real)2.25 * normal_stiffness(c, law) * width * width;
	o.stiffness = resists > 0 ? o.one * scale : 1;
	o.damping = 2 * c->zeta * sqrt(o.stiffness * lump * c->mass * c->radius * c->radius);
	return o;
}

typedef struct turning {
	slider by;
	real lost; /* J */
} turning;

/* Advances an angular spring by one step. resists: whether there is a spring; spring, stored: angle and energy of the
 * spring so far; rate: rate of the angle, perpendicular to n; force: pressing force, in N */
SCREE_FN turning turn_by(const angular_spring *a, bool resists, vec3 spring, real stored, vec3 rate, vec3 n, real force,
						 const stiffening *s, real dt)
{
	slip turns = {rate, 0};
	slip angle = {carried(s, spring, rate, dt), 0};
	real less = stored * (s->ratio - 1) - dropped(s, a->one, angle, turns, false, dt);
	stretch trial = stretch_of(angle, turns, n, false, dt);
	slider t = slide(trial, stored * s->ratio, s->fresh, turns, false, a->stiffness, a->damping, a->lever * force, dt);
	turning o = {t, resists ? dt * t.heat + t.lost - less : 0};
	o.by.force = v3(resists ? t.force.x : 0, resists ? t.force.y : 0, resists ? t.force.z : 0);
	o.by.spring = v3(resists ? t.spring.x : 0, resists ? t.spring.y : 0, resists ? t.spring.z : 0);
	o.by.stored = resists ? t.stored : 0;
	o.by.heat = resists ? t.heat : 0;
	return o;
}

/* Rolling resistance: an elastic-plastic angular spring (Iwashita and Oda 1998; eqs. 15-17 of laws.md). spin: angular
 * velocity of a relative to b */
SCREE_FN turning roll(const contact_history *h, const contact_constants *c, vec3 n, vec3 spin, real force,
					  enum law_row law, const stiffening *s, real dt)
{
	const angular_spring a = angular_spring_of(c, c->rolling, ROLLING_LUMP, law, s->now);
	const vec3 across = v3_madd(spin, -v3_dot(spin, n), n);
	return turn_by(&a, c->rolling > 0, h->rolling, h->rolled, across, n, force, s, dt);
}

/* Torsional resistance: as for rolling, with one angle about the normal, and the moment of inertia of a sphere spinning
 * in place (eq. 20 of laws.md). The angle is the x component of vectors, which are perpendicular to y. */
SCREE_FN turning twist(const contact_history *h, const contact_constants *c, vec3 n, vec3 spin, real force,
					   enum law_row law, const stiffening *s, real dt)
{
	const angular_spring a = angular_spring_of(c, c->twisting, TWISTING_LUMP, law, s->now);
	const vec3 rate = v3(v3_dot(spin, n), 0, 0);
	return turn_by(&a, c->twisting > 0, v3(h->twist, 0, 0), h->twisted, rate, v3(0, 1, 0), force, s, dt);
}

#endif
