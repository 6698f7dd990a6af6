/* energy_guard.h: readings of the guard of energy (docs/theory/laws.md). */
#ifndef SCREE_STATE_ENERGY_GUARD_H
#define SCREE_STATE_ENERGY_GUARD_H

#include "base/real.h"
#include "state/energy_classes.h"

/* Energy that is made or lost outside of what a law dissipates: read every so many steps (docs/theory/laws.md, "The
 * guard of energy"). All of it is state, so that a run that is resumed stops where the whole one does. */
enum { ENERGY_STEPS = 500, ENERGY_READINGS = 8 };

/* Stretches of ENERGY_STEPS steps, added up: those in which no more than the bound of a level was turned over. */
typedef struct energy_level {
	real wrong, made; /* J: residual and geometry; geometry alone */
	real turned;	  /* J: lost, and in motion or in springs of bodies that exchanged energy */
	int64_t steps;
} energy_level;

typedef struct energy_guard {
	real most;					 /* part; 0: not watched */
	bool tells;					 /* does not stop: laws that are as a paper has them */
	real held;					 /* J, greatest energy in motion and in springs so far, of bodies that took part */
	real busiest;				 /* J, greatest kinetic energy, and weight times size, so far of one of these bodies */
	real floor;					 /* J: from weights and sizes; less does not count */
	int32_t count;				 /* readings, the oldest first: */
	real wrong[ENERGY_READINGS]; /* J, residual and geometry */
	real made[ENERGY_READINGS];	 /* J, geometry alone */
	real lost[ENERGY_READINGS];	 /* J */
	energy_level level[ENERGY_LEVELS]; /* bounds grow by 16 from level to level */
	real worst, worst_time;			   /* the greatest part so far, and when, s */
	energy_class classes[ENERGY_LEVELS];
	real class_held[ENERGY_LEVELS]; /* J, greatest energy in motion so far of bodies of this class and those below */
} energy_guard;

#endif
