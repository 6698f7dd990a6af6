/* work.h: memory that solvers keep from step to step; private to solvers. */
#ifndef SCREE_SOLVER_WORK_H
#define SCREE_SOLVER_WORK_H

#include "solver/colours.h"
#include "solver/constraints.h"

struct solver_work {
	struct constraints of; /* in implicit steps */
	colour_list *found;	   /* [founds] touching rows found by each thread */
	int32_t founds;
	colouring touching; /* all touching rows */
	void *own;			/* memory for a row in papers/, which sets both members; NULL if unused */
	void (*free_own)(void *own);
};

#endif
