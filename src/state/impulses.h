/* impulses.h: state of worlds whose contacts are solved: counts since the start. */
#ifndef SCREE_STATE_IMPULSES_H
#define SCREE_STATE_IMPULSES_H

#include "base/fixed.h"

typedef struct impulses {
	int64_t collisions;
	/* of implicit steps */
	int64_t sweeps;
	int64_t capped;						 /* steps that reached the most sweeps */
	real solved;						 /* N s: sum of all normal impulses */
	real unsolved;						 /* N s: the part that further sweeps would have changed */
	real window_solved, window_unsolved; /* N s: the same since the last test of the guard */
	/* of solvers with one problem per body (docs/theory/ffd.md): bodies that were stopped, because their contacts
	 * contradict each other, and bodies whose response was reduced, each counted once per step */
	int64_t stopped, limited;
	fixed given, unbalanced; /* N s: impulses between bodies, and the momentum that they made or lost */
} impulses;

#endif
