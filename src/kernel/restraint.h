/* restraint.h: what keeps a patch from giving bodies more energy than it took from them (docs/theory/laws.md, "Grazing
 * impacts"). Values in, values out. */
#ifndef SCREE_KERNEL_RESTRAINT_H
#define SCREE_KERNEL_RESTRAINT_H

#include "base/real.h"

typedef struct restraint {
	real part; /* of the normal force that acts */
	real drag; /* N, against the sliding */
} restraint;

/* A patch has no potential. Where it changes its form while it is pressed, the work that its springs give back is not
 * the work that they took, and bodies that graze each other would leave faster than they came. What it would give
 * beyond `left` is first taken by a force against the sliding, since that is what changes the patch: no more than the
 * normal force, and no more than a quarter of what would stop the sliding within the step. What is still too much is
 * taken from the normal force.
 * left: W, what the contact may still give, over the step; given: W by the normal force now; force: N, the normal
 * force; slip: m/s; mass: kg, reduced */
SCREE_FN restraint restraint_of(real left, real given, real force, real slip, real mass, real dt)
{
	real strong = (real)0.25 * mass / dt, most = real_min(force, strong * slip), excess = real_max(given - left, 0);
	bool enough = most * slip >= excess;
	real part = enough ? 1 : left / (given - most * slip);
	real needed = excess > 0 ? excess / slip : 0;
	real least = excess > 0 ? 1 - strong * given / (force * force) : 0;
	part = real_max(part, least);
	restraint o = {part, enough ? needed : part * most};
	return o;
}

#endif
