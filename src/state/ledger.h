/* ledger.h: the energy balance. Terms that are functions of the state are computed on request; the others are
 * accumulated in fixed point, so that the sums do not depend on the order of summation. */
#ifndef SCREE_STATE_LEDGER_H
#define SCREE_STATE_LEDGER_H

#include "base/fixed.h"

typedef struct ledger {
	/* energy of contacts that have ended, and accumulated work, in J */
	fixed lost_normal, lost_friction, lost_rolling, made;
	fixed lost_method;			  /* losses of implicit steps beyond those of the laws, minus method_now */
	fixed wall_work;			  /* work on bodies by walls or sheared borders; half a step (wall_power dt/2) ahead */
	real wall_power, fluid_power; /* power in the last step, in W; fluid_power includes external forces, in implicit
									 steps with the velocity after the step */
	real method_now; /* excess kinetic energy, in J, because external forces act at both ends of a displacement */
	real points_power, points_heat; /* one-point contacts in the last step, which add work and losses to the ledger
									   directly: power of normal springs, and losses in J */
	/* heat given to bodies by walls and by friction, in J; heat of bodies added, less that of bodies removed */
	fixed heat_walls, heat_friction, heat_brought;
	fixed brought; /* kinetic and potential energy of bodies, added less removed; initial energy of contacts */
} ledger;

/* Columns at one time, in J. residual = kinetic + potential + elastic + lost - wall_work - made - brought: energy
 * created or lost by the time integration. Implicit steps include it in lost_method, a part of lost. */
typedef struct energy_row {
	real kinetic, potential, elastic, lost_normal, lost_friction, lost_rolling, lost_method, made, wall_work, brought;
	real residual;
	real lost;	  /* sum of the four kinds of lost energy at this time, although these are stored half a step ahead */
	real springs; /* sum of the absolute values of contact energies; bonds have negative energy */
	real owed;	  /* in implicit steps: energy taken by impacts beyond the energy of springs; it may return */
} energy_row;

#endif
