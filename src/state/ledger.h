/* ledger.h: the energy balance. Terms that are functions of the state are computed on request; the others are
 * accumulated in fixed point, so that the sums are independent of order. */
#ifndef SCREE_STATE_LEDGER_H
#define SCREE_STATE_LEDGER_H

#include "base/fixed.h"

typedef struct ledger {
	/* J, of contacts that have ended, and accumulated work */
	fixed lost_normal, lost_friction, lost_rolling, made;
	fixed lost_method; /* losses of the implicit steps themselves, beyond those of the laws; less method_now */
	fixed wall_work;   /* work done on bodies by moving walls or by the borders of a sheared world, half a step ahead:
						  subtract dt/2 wall_power for the current time */
	real wall_power, fluid_power; /* W, in the last step; fluid_power: including external forces, in implicit steps with
									 the velocity after the step */
	real method_now; /* J: excess of kinetic energy, since external forces act at both ends of a displacement */
	real points_power, points_heat; /* J, in the last step, of one-point contacts, whose work and losses are added here
									   directly: the power of their normal springs, and their losses */
	/* J, heat: from walls and from friction to bodies; of bodies added, less that of bodies removed */
	fixed heat_walls, heat_friction, heat_brought;
	fixed brought; /* kinetic and potential energy of bodies added, less that of removed ones; initial energy of
					  contacts */
} ledger;

/* The columns at one time, J. residual = kinetic + potential + elastic + lost - wall_work - made - brought: energy
 * created or lost by the time integration itself. Implicit steps count it in lost_method, which is part of lost. */
typedef struct energy_row {
	real kinetic, potential, elastic, lost_normal, lost_friction, lost_rolling, lost_method, made, wall_work, brought;
	real residual;
	real lost;	  /* sum of the four kinds at this time, while they are half a step ahead */
	real springs; /* sum of absolute energies of the contacts: bonds hold negative energy */
	real owed;	  /* energy taken so far by impacts of implicit steps beyond that of springs: they may return it */
} energy_row;

#endif
