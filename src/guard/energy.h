/* energy.h: shared by the files of the energy guard; private to src/guard. */
#ifndef SCREE_GUARD_ENERGY_H
#define SCREE_GUARD_ENERGY_H

#include "base/real.h"
#include "model/declared.h"
#include "state/state.h"

/* Energies of bodies at a reading, in J. */
typedef struct energy_shares {
	real moving;  /* kinetic energy of bodies that took part: contacts have changed their energy since their creation */
	real waiting; /* kinetic energy of other bodies, each at most the largest energy so far of a body that took part */
	real exchanged; /* kinetic energy of bodies whose energy changed since the last reading */
	real floor;		/* a fraction of weight times size, for bodies that took part */
	real turning;	/* oscillating error of the integration of free rotations: (omega dt)^2 times the kinetic energy */
} energy_shares;

/* Reads all bodies. keeps: stores in each body the data for the next reading. most: largest energy so far of a body
 * that took part, in J, plus its weight times its size; updated here */
energy_shares scree_energy_share(const model *m, state *s, work *w, bool keeps, real *most);

/* Energy created or lost, and exchanged: since the start, in the last steps, or in intervals with little exchange. */
typedef struct energy_verdict {
	real wrong, residual, made; /* J */
	real of;					/* J, exchanged */
	real part;
	real most;	   /* bound on the energy exchanged in each interval, in J; 0 if all intervals count */
	int64_t steps; /* 0: since the start */
	bool calm;	   /* concerns only contacts of bodies whose energy was at most `most` */
	bool gained;   /* energy was created by implicit steps, whose losses are negative */
	bool lost;	   /* by implicit steps */
	bool burnt;	   /* compared only with losses and exchanges of contacts in these steps */
} energy_verdict;

/* Verdict on the class of body energies in which the geometry of patches created the most energy. */
energy_verdict scree_energy_classes(const model *m, const state *s, work *w, energy_guard *g, real noise);

/* Reports the verdict: sets w->why and returns false. */
bool scree_energy_report(const model *m, state *s, work *w, const energy_verdict *j);
bool scree_energy_unread(state *s, work *w); /* reports sums of energies beyond their range, returns false */

#endif
