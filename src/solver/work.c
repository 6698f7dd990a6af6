/* work: the memory that solvers keep from step to step is made and freed. */
#include "solver/work.h"

#include "base/memory.h"
#include "model/response.h"

struct solver_work *scree_solver_work_new(void) { return scree_alloc(1, sizeof(struct solver_work)); }

void scree_solver_work_free(struct solver_work *p)
{
	if (!p) return;
	for (int32_t t = 0; t < p->founds; ++t) scree_free(p->found[t].item);
	scree_free(p->found);
	scree_colours_free(&p->touching);
	scree_constraints_free(&p->of);
	if (p->own) p->free_own(p->own);
	scree_free(p);
}
