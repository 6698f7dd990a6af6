/* impulses.h: state of worlds with a solver. */
#ifndef SCREE_STATE_IMPULSES_H
#define SCREE_STATE_IMPULSES_H

#include "base/fixed.h"

typedef struct impulses {
	int64_t collisions; /* since the start */
	/* of solvers with one problem per body (docs/theory/ffd.md): bodies that were stopped, because their contacts
	 * contradict each other, and bodies whose response was reduced, each counted once per step */
	int64_t stopped, limited;
	fixed given, unbalanced; /* N s: impulses between bodies, and the momentum that they made or lost */
} impulses;

#endif
