/* ledger.h: the energy balance. Terms that are functions of the state are computed on request; the others are
 * accumulated in fixed point, so that the sums are independent of order. */
#ifndef SCREE_STATE_LEDGER_H
#define SCREE_STATE_LEDGER_H

#include "base/fixed.h"

typedef struct ledger {
	/* J, of contacts that have ended, and accumulated work */
	fixed lost_normal, lost_friction, lost_rolling, made;
	fixed lost_method; /* by implicit steps themselves, beyond what the laws take; less method_now */
	fixed wall_work; /* done on bodies by moving walls or by the borders of a sheared world, half a step ahead: subtract
						dt/2 wall_power for the current time */
	real wall_power, fluid_power;	/* W, in the last step; fluid_power: also that of forces from outside, by implicit
									   steps with the velocity after the step */
	real method_now;				/* J: that kinetic energy has, by implicit steps, since forces from outside act at
									   both ends of a displacement */
	real points_power, points_heat; /* J, in the last step, of one-point contacts, whose work and losses are added here
									   at once: the power of their normal springs, and their losses */
	/* J, of heat: from walls and from friction to bodies; of bodies that were added, less that of those removed */
	fixed heat_walls, heat_friction, heat_brought;
	fixed brought; /* kinetic and potential energy of bodies that were added, less that of those removed; energy held by
					  contacts at the start */
} ledger;

/* The columns at one time, J. residual = kinetic + potential + elastic + lost - wall_work - made - brought: energy made
 * or lost by the time integration itself. Implicit steps count it in lost_method, which is part of lost. */
typedef struct energy_row {
	real kinetic, potential, elastic, lost_normal, lost_friction, lost_rolling, lost_method, made, wall_work, brought;
	real residual;
	real lost;	  /* sum of the four kinds at this time: they are half a step ahead */
	real springs; /* sum of absolute energies of the contacts: bonds hold negative energy */
	real owed;	  /* what impacts of implicit steps took so far beyond what springs hold: they may return it */
} energy_row;

#endif
