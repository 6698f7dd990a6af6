/* turns.h: contacts that take their turns in one order on all ranks, as in a world of one part; private to src/solver.
 *
 * A contact has its turn when all earlier contacts of its moving bodies have had theirs. A rank has all contacts of its
 * own bodies. So both owners of a contact need the values that the other body has then, which its owner sends. They
 * both process the contact, with the same result. The number of rounds of messages is that of the longest chain of
 * contacts that goes from rank to rank. */
#ifndef SCREE_SOLVER_TURNS_H
#define SCREE_SOLVER_TURNS_H

#include "base/parallel.h"
#include "base/sort.h"
#include "ranks/together/domain.h"
#include "solver/colours.h"

typedef struct turns {
	const domain *domain;
	int64_t count;
	const colour_item *item; /* contacts */
	const sort_item *order;	 /* [count] value: contact; NULL: in their own order */
	int32_t bodies;			 /* number of rows, with ghosts */
	body_columns values;	 /* columns of bodies that turns read and change */
	parallel_fn *take;		 /* processes one contact: from its number to the next one, thread 0 */
	void *what;				 /* argument of take */
} turns;

void scree_in_turn(const turns *o);

#endif
