/* work.h: memory of solvers from step to step; private to src/solver. */
#ifndef SCREE_SOLVER_WORK_H
#define SCREE_SOLVER_WORK_H

#include "solver/colours.h"

struct solver_work {
	colour_list *found; /* [founds] touching rows, found by each thread */
	int32_t founds;
	colouring touching; /* all of them */
};

#endif
