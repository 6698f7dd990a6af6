/* energy_guard.h: readings of the energy guard (docs/theory/laws.md). */
#ifndef SCREE_STATE_ENERGY_GUARD_H
#define SCREE_STATE_ENERGY_GUARD_H

#include "base/real.h"
#include "state/energy_classes.h"

/* Energy that is made or lost other than by the dissipation of a law: read every ENERGY_STEPS steps
 * (docs/theory/laws.md, "The guard of energy"). All of it is state, so that a resumed run stops where the whole one
 * does. */
enum { ENERGY_STEPS = 500, ENERGY_READINGS = 8 };

/* Sums over intervals of ENERGY_STEPS steps in which the energy exchanged was at most the bound of a level. */
typedef struct energy_level {
	real wrong, made; /* J: of integration residual and geometry; of geometry alone */
	real turned;	  /* J: lost, and in motion or in springs of bodies that exchanged energy */
	int64_t steps;
} energy_level;

typedef struct energy_guard {
	real held;					  /* J, largest energy in motion and in springs so far, of bodies that took part */
	real busiest;				  /* J, largest kinetic energy, and weight times size, so far of one of these bodies */
	real floor;					  /* J: from weights and sizes; smaller energies are ignored */
	int32_t count;				  /* number of readings below, oldest first */
	real wrong[ENERGY_READINGS];  /* J, of residual and geometry */
	real made[ENERGY_READINGS];	  /* J, of geometry alone */
	real lost[ENERGY_READINGS];	  /* J */
	real method[ENERGY_READINGS]; /* J, lost along normals, by laws and by the method */
	real turned[ENERGY_READINGS]; /* J: lost and exchanged since the reading before */
	real springs;				  /* J, in springs at the last reading */
	real swing;					  /* J: largest error so far by the integration of free walls */
	energy_level level[ENERGY_LEVELS]; /* bounds grow by 16 from level to level */
	real worst, worst_time;			   /* the largest fraction so far, and its time, s */
	real worst_loss, worst_loss_time;  /* the largest part of the energy that implicit steps lost so far */
	energy_class classes[ENERGY_LEVELS];
	real class_held[ENERGY_LEVELS]; /* J, largest energy in motion so far of bodies of this class and those below */
} energy_guard;

#endif
