/* ledger.h: where the energy went. What is a function of the state is computed when it is asked for; only what cannot
 * be is accumulated, in fixed point, so that no order changes it. */
#ifndef SCREE_STATE_LEDGER_H
#define SCREE_STATE_LEDGER_H

#include "base/fixed.h"

typedef struct ledger {
	/* J, of contacts that have ended, and accumulated work */
	fixed lost_normal, lost_friction, lost_rolling, made;
	fixed wall_work; /* done on bodies by moving walls or by the borders of a sheared world, half a step ahead: less
						dt/2 wall_power it is that of now */
	real wall_power, fluid_power;	/* W, in the last step */
	real points_power, points_heat; /* J, in the last step: of contacts with one point, whose work and losses are
									   added up here at once, the power of their normal springs and what they lost */
	fixed brought; /* kinetic and potential energy of bodies that were added, less that of those taken out; what
					  contacts held at the start */
} ledger;

/* The columns at one moment, J. residual = kinetic + potential + elastic + lost - wall_work - made - brought:
 * what the time integration itself made or took. */
typedef struct energy_row {
	real kinetic, potential, elastic, lost_normal, lost_friction, lost_rolling, made, wall_work, brought, residual;
	real springs; /* sum of absolute values of what each contact holds: bonds hold less than nothing */
} energy_row;

#endif
