/* response: the table of responses of contacts, and which of them may follow one another during a run. */
#include "choices/choices.h"
#include "papers/rows.h"
#include "start/start.h"

static const response table[] = {
	{.name = "forces",
	 .help = "forces while bodies overlap, by the contact laws",
	 .steps = &scree_step_by_forces,
	 .first = scree_first_forces},
	{.name = "implicit",
	 .help = "the same laws ahead in the next step, for steps as long as a contact",
	 .steps = &scree_step_ahead,
	 .first = scree_first_forces_ahead,
	 .implicit = true},
	{.name = "hard",
	 .help = "contacts as stiff as the step allows, whatever the material",
	 .steps = &scree_step_ahead,
	 .first = scree_first_forces_ahead,
	 .implicit = true,
	 .hard = true},
	{.name = "elastic",
	 .help = "impulses: instantaneous frictionless collisions of spheres",
	 .steps = &scree_step_by_impulses,
	 .takes = scree_solver_takes,
	 .prepare = scree_elastic_prepare,
	 .sweep = scree_elastic_sweep,
	 .done = scree_elastic_done,
	 .corrects = true},
};
const choices scree_responses = {sizeof *table, ROWS_OF(table), &scree_paper_responses};

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
