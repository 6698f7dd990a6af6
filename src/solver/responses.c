#include "model/response.h"

#include "solver/work.h"

#include "base/memory.h"

#include <string.h>

static const response table[] = {
	{.name = "forces", .help = "forces while bodies overlap, by the contact laws"},
	{.name = "implicit",
	 .help = "the same laws ahead in the next step, for steps as long as a contact",
	 .implicit = true},
	{.name = "hard",
	 .help = "contacts as stiff as the step allows, whatever the material",
	 .implicit = true,
	 .hard = true},
	{.name = "elastic",
	 .help = "impulses: instantaneous frictionless collisions of spheres",
	 .takes = scree_solver_takes,
	 .prepare = scree_elastic_prepare,
	 .sweep = scree_elastic_sweep,
	 .done = scree_elastic_done,
	 .corrects = true},
};
const choices scree_responses = {sizeof *table, {table, sizeof table / sizeof *table}, &scree_paper_responses};

const char *scree_response_stays(const response *was, const response *is)
{
	static const char why[] = "only 'forces', 'implicit' and 'hard' can follow one another, since contacts by impulses "
							  "have no springs and no forces that the others could continue: start another scene from "
							  "the snapshot of this run, fill: [{from: NAME.snap}]";
	return was != is && (scree_solver_of(was) || scree_solver_of(is)) ? why : NULL;
}

const char *scree_response_keeps(const response *was, const response *is)
{
	if (was->hard != is->hard)
		return "springs of friction keep their force, others begin at zero; overlaps are those "
			   "of the other response";
	return is->implicit ? "springs of contacts continue, impulses begin at zero"
						: "springs of contacts continue, the impulses of the last step are dropped";
}

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
