/* restraint.h: what keeps a patch from giving bodies more energy than it took from them, and an elastic one from giving
 * less (docs/theory/laws.md, "Grazing impacts"). Values in, values out. */
#ifndef SCREE_KERNEL_RESTRAINT_H
#define SCREE_KERNEL_RESTRAINT_H

#include "base/real.h"

typedef struct restraint {
	real part; /* of the normal force that acts */
	real drag; /* N s/m: over the slip velocity, against it */
} restraint;

/* A patch has no potential. Where it changes its form while it is pressed, the work that its springs give back is not
 * the work that they took, and bodies that graze each other would leave faster than they came. What it would give
 * beyond `left` is first taken by a force against the sliding, since that is what changes the patch: no more than the
 * normal force. What is still too much is taken from the normal force. Neither takes more than a quarter of what would
 * stop that motion of the reduced mass within the step: bodies that are pressed together go on to be held, by a strong
 * dashpot in place of a force that is there in one step and gone in the next. A force that pulls is let be.
 * left: W, what the contact may still give, over the step; given: W by the normal force now; force: N, the normal
 * force; slip: m/s; mass: kg, reduced */
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

/* A contact that dissipates nothing gives back what it took: where its form has changed so that its springs hold less,
 * they push so many times harder while the bodies part. taken, elastic: J, by it, in its springs */
SCREE_FN real repaid(real taken, real elastic)
{
	const real most = 4;
	return elastic > 0 ? real_clamp(taken / elastic, 1, most) : 1;
}

#endif
