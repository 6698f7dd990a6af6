/* thickness.h: the elastic energy of an overlap as a function of its volume and its thickness (docs/theory/overlap.md).
 */
#ifndef SCREE_KERNEL_THICKNESS_H
#define SCREE_KERNEL_THICKNESS_H

#include "base/real.h"

/* In space U = E* THICKNESS_SPACE sqrt(V t^3). Of a circular punch, a ball and a cone on a plane, and a ball on a ball
 * that is 0.80, 1.10, 1.19, 0.89 of the elastic energy. In the plane U = E* l THICKNESS_PLANE t^2 for bodies l long:
 * flat edges have the stiffness E* l, a disc on a line has 1.05 of (pi/4) E* l, which discs and ellipses have. */
#define THICKNESS_SPACE ((real)0.45)
#define THICKNESS_PLANE ((real)0.5)

/* m^3: U/E*. lambda: variance across the thinnest direction, t^2 = 12 lambda */
SCREE_FN real thickness_energy(real volume, real lambda)
{
	real t = sqrt(12 * lambda);
	return THICKNESS_SPACE * sqrt(volume * t) * t;
}

/* m: weight of two faces of this area that lie flat on each other: their stiffness is E* weight */
SCREE_FN real thickness_flat(real area) { return 2 * THICKNESS_SPACE * sqrt(area); }

#endif
