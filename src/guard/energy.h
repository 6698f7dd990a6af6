/* energy.h: shared by the files of the energy guard; private to src/guard. */
#ifndef SCREE_GUARD_ENERGY_H
#define SCREE_GUARD_ENERGY_H

#include "world/world.h"

/* Energies of bodies at a reading, J. */
typedef struct energy_shares {
	real moving;	/* kinetic energy of bodies that took part: contacts have changed their energy since their birth */
	real waiting;	/* kinetic energy of the others, each up to the greatest energy so far of a body that took part */
	real exchanged; /* kinetic energy of bodies whose energy changed since the last reading */
	real floor;		/* a fraction of weight times size of bodies that took part */
	real turning;	/* oscillation by the integration of free rotations: (omega dt)^2 of the kinetic energy */
} energy_shares;

/* Reads all bodies, and stores in each the data for the next reading. most: J, greatest energy so far of a body that
 * took part, plus its weight times size; updated here */
energy_shares scree_energy_share(const model *m, state *s, work *w, real *most);

/* Energy that was created or lost, compared with the energy turned over: since the start, over the last steps, or
 * over all intervals in which little was turned over. */
typedef struct energy_verdict {
	real wrong, residual, made; /* J */
	real of;					/* J, turned over */
	real part;
	real most;	   /* J, bound on the energy turned over in each interval; 0: all intervals count */
	int64_t steps; /* 0: since the start */
	bool calm;	   /* for contacts of bodies whose energy was at most `most` */
} energy_verdict;

/* the worst class of energies of bodies, by energy that the geometry of their patches made */
energy_verdict scree_energy_classes(const model *m, state *s, work *w, real noise);

/* Reports the verdict: sets w->why and returns false. */
bool scree_energy_report(const model *m, state *s, work *w, const energy_verdict *j);
/* reports a sum of energies beyond its range: sets w->why and returns false */
bool scree_energy_unread(state *s, work *w);

#endif
