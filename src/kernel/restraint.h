/* restraint.h: limits the energy that a patch returns to the bodies to the energy it took from them. An elastic patch
 * does not return less, either (docs/theory/laws.md, "Grazing impacts"). Values in, values out. */
#ifndef SCREE_KERNEL_RESTRAINT_H
#define SCREE_KERNEL_RESTRAINT_H

#include "base/real.h"

typedef struct restraint {
	real part; /* remaining part of the normal force */
	real drag; /* N s/m: tangential force over the slip velocity, against the slip */
} restraint;

/* A patch has no potential. If its form changes under pressure, the work that its springs return differs from the work
 * that they took. Grazing bodies would then leave faster than they came. The excess over `left` is first removed by a
 * force against the sliding, because sliding changes the patch; that force is at most the normal force. The rest is
 * removed from the normal force. Each force changes by at most a quarter of the force that would stop its motion of the
 * reduced mass within the step. So bodies pressed together are still held, by a strong dashpot and not by a force that
 * is present in one step and absent in the next. Attraction is not limited. left: W, power that the contact may still
 * return, over the step; given: W, present power of the normal force; force: N, the normal force; slip: m/s; mass: kg,
 * reduced */
SCREE_FN restraint restraint_of(real left, real given, real force, real slip, real mass, real dt)
{
	const real nothing = (real)1e-300;
	real push = real_max(force, 0), gives = push > 0 ? given : 0;
	real strong = (real)0.25 * mass / dt, excess = real_max(gives - left, 0);
	real dragged = real_min(real_min(push, strong * slip) * slip, excess);
	real part = 1 - (excess - dragged) / real_max(gives - dragged, nothing);
	real least = 1 - strong * real_max(gives, 0) / real_max(push * push, nothing);
	part = real_max(part, least);
	restraint o = {part, part * dragged / real_max(slip * slip, nothing)};
	return o;
}

/* Factor of the normal force, while bodies separate, with which a contact without dissipation returns the energy that
 * it took. It is above 1 if a change of form left less energy in the springs. taken: J, energy taken by the contact;
 * elastic: J, energy in its springs */
SCREE_FN real repaid(real taken, real elastic)
{
	const real most = 4;
	return elastic > 0 ? real_clamp(taken / elastic, 1, most) : 1;
}

#endif
