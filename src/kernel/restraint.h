/* restraint.h: what keeps a patch from giving bodies more energy than it took from them (docs/theory/laws.md, "Grazing
 * impacts"). Values in, values out. */
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
 * stop that motion within the step: what presses two bodies together goes on to, and meets a dashpot.
 * left: W, what the contact may still give, over the step; given: W by the normal force now; force: N, the normal
 * force; slip: m/s; mass: kg, reduced */
SCREE_FN restraint restraint_of(real left, real given, real force, real slip, real mass, real dt)
{
	const real nothing = (real)1e-300;
	real strong = (real)0.25 * mass / dt, excess = real_max(given - left, 0);
	real dragged = real_min(real_min(force, strong * slip) * slip, excess);
	real part = 1 - (excess - dragged) / real_max(given - dragged, nothing);
	real least = 1 - strong * real_max(given, 0) / real_max(force * force, nothing);
	part = real_max(part, least);
	restraint o = {part, part * dragged / real_max(slip * slip, nothing)};
	return o;
}

#endif
