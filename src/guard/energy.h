/* energy.h: what the files of the guard of energy share; private to src/guard. */
#ifndef SCREE_GUARD_ENERGY_H
#define SCREE_GUARD_ENERGY_H

#include "world/world.h"

/* Energies of bodies at a reading, J. */
typedef struct energy_shares {
	real moving;	/* kinetic energy of bodies that took part: contacts have changed their energy since their birth */
	real waiting;	/* kinetic energy of the others, of each no more than any that took part has had so far */
	real exchanged; /* kinetic energy of bodies whose energy changed since the last reading */
	real floor;		/* a part of weight times size of bodies that took part */
	real turning;	/* what the integration of free rotations swings by: (omega dt)^2 of the kinetic energy */
} energy_shares;

/* Reads all bodies, and remembers in each what the next reading needs. most: J, the greatest that a body that took part
 * has had, with its weight times size, so far: raised here */
energy_shares scree_energy_share(const model *m, state *s, work *w, real *most);

/* Energy that came from nowhere or went nowhere, compared with what was turned over: since the start, over the last
 * steps, or over all stretches in which little was turned over. */
typedef struct energy_verdict {
	real wrong, residual, made; /* J */
	real of;					/* J, turned over */
	real part;
	real most;	   /* J, turned over in each stretch; 0: all stretches count */
	int64_t steps; /* 0: since the start */
	bool calm;	   /* of contacts of bodies that moved with `most` at most */
} energy_verdict;

/* the worst class of energies of bodies, by what the geometry of their patches made */
energy_verdict scree_energy_classes(const model *m, state *s, work *w, real noise);

/* Both set w->why and return false. */
bool scree_energy_report(const model *m, state *s, work *w, const energy_verdict *j);
/* no number: a sum of energies is beyond what its quanta hold */
bool scree_energy_unread(state *s, work *w);

#endif
