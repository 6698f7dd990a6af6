/* thickness.h: the elastic energy of an overlap from its volume and thickness (docs/theory/overlap.md). */
#ifndef SCREE_KERNEL_THICKNESS_H
#define SCREE_KERNEL_THICKNESS_H

#include "base/real.h"

/* In space U = E* THICKNESS_SPACE sqrt(V t^3). The ratio of U to the exact elastic energy is 0.89 for a circular
 * punch, 1.22 for a ball on a plane, 1.32 for a cone on a plane, 0.99 for a ball on a ball and 0.74 for a tilting
 * punch. In the plane U = E* l THICKNESS_PLANE t^2 for bodies of length l: flat edges have the stiffness E* l, and a
 * disc on a line has 1.05 times the stiffness (pi/4) E* l of discs and ellipses. */
#define THICKNESS_SPACE ((real)0.5)
#define THICKNESS_PLANE ((real)0.5)

/* m^3: U/E*. lambda: variance along the thinnest direction, where t^2 = 12 lambda */
SCREE_FN real thickness_energy(real volume, real lambda)
{
	real t = sqrt(12 * lambda);
	return THICKNESS_SPACE * sqrt(volume * t) * t;
}

/* weight, in m, of two flat faces of this area in contact: their stiffness is E* weight */
SCREE_FN real thickness_flat(real area) { return 2 * THICKNESS_SPACE * sqrt(area); }

/* A body that tilts on its contact is an oscillator. The rolling inertia of the body is 1.4 m R^2 (Iwashita and Oda
 * 1998). The tilt stiffness of the contact is 2.25 k s^2 about an axis, where s is the root-mean-square extent of the
 * contact perpendicular to that axis. To give the damping ratio of the contact, the dashpot is c s R times the square
 * root of the product of 1.4 and 2.25 (docs/theory/overlap.md, "Tilt"). */
#define TILT_DASHPOT ((real)1.7748239349298849)

/* m. Points around a central point come in pairs, one pair per axis, and share the dashpot equally. A pair at a
 * distance `far` from the centre has an extent s, where far^2 = s^2 points/2. When the pair resists tilt, its distance
 * is larger by the factor sqrt(reach / far). */
SCREE_FN real tilt_reach(real radius, int64_t points) { return TILT_DASHPOT * radius * sqrt((real)0.5 * (real)points); }
SCREE_FN real tilt_part(real reach, real far) { return far > 0 ? sqrt(reach / far) : 1; }

#endif
