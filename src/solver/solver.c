#include "model/solver.h"

#include "solver/work.h"

#include "base/memory.h"

#include <string.h>

const solver scree_solvers[] = {
	{"elastic", "instantaneous frictionless collisions of spheres, pair by pair", scree_elastic_takes,
	 scree_elastic_prepare, scree_elastic_sweep, scree_elastic_done},
};
const int scree_solver_count = (int)(sizeof scree_solvers / sizeof *scree_solvers);

const solver *scree_solver_find(const char *name)
{
	for (int k = 0; k < scree_solver_count; ++k)
		if (!strcmp(scree_solvers[k].name, name)) return scree_solvers + k;
	return NULL;
}

struct solver_work *scree_solver_work_new(void) { return scree_alloc(1, sizeof(struct solver_work)); }

void scree_solver_work_free(struct solver_work *p)
{
	if (!p) return;
	for (int32_t t = 0; t < p->founds; ++t) scree_free(p->found[t].item);
	scree_free(p->found);
	scree_free(p->pairs.item);
	scree_free(p->walls.item);
	for (int k = 0; k < 2; ++k) scree_free(p->sort[k]);
	scree_free(p);
}
