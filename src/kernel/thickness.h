/* thickness.h: the elastic energy of an overlap as a function of its volume and its thickness (docs/theory/overlap.md).
 */
#ifndef SCREE_KERNEL_THICKNESS_H
#define SCREE_KERNEL_THICKNESS_H

#include "base/real.h"

/* In space U = E* THICKNESS_SPACE sqrt(V t^3). Of a circular punch, a ball and a cone on a plane, and a ball on a ball
 * that is 0.89, 1.22, 1.32, 0.99 of the elastic energy, of a punch that tilts 0.74. In the plane U = E* l
 * THICKNESS_PLANE t^2 for bodies l long: flat edges have the stiffness E* l, a disc on a line has 1.05 of (pi/4) E* l,
 * which discs and ellipses have. */
#define THICKNESS_SPACE ((real)0.5)
#define THICKNESS_PLANE ((real)0.5)

/* m^3: U/E*. lambda: variance across the thinnest direction, t^2 = 12 lambda */
SCREE_FN real thickness_energy(real volume, real lambda)
{
	real t = sqrt(12 * lambda);
	return THICKNESS_SPACE * sqrt(volume * t) * t;
}

/* m: weight of two faces of this area that lie flat on each other: their stiffness is E* weight */
SCREE_FN real thickness_flat(real area) { return 2 * THICKNESS_SPACE * sqrt(area); }

/* A body that tilts on its contact is an oscillator of the inertia that rolls there, 1.4 m R^2 (Iwashita and Oda 1998),
 * and of the stiffness of tilt, 2.25 k s^2 about an axis across which the contact spreads by s, root mean square. With
 * the damping ratio of the contact its dashpot is c s R times the root of both numbers (docs/theory/overlap.md,
 * "Tilt"). */
#define TILT_DASHPOT ((real)1.7748239349298849)

/* Points about a middle one lie in pairs, one pair an axis, and share the dashpot evenly. A pair that is `far` from the
 * middle has the spread s where far^2 = s^2 points/2; it resists tilt so as many times farther away as is the root of
 * this reach over far. m */
SCREE_FN real tilt_reach(real radius, int64_t points) { return TILT_DASHPOT * radius * sqrt((real)0.5 * (real)points); }
SCREE_FN real tilt_part(real reach, real far) { return far > 0 ? sqrt(reach / far) : 1; }

#endif
