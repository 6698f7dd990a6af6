/* divide: a simulation is planned to be divided among ranks, once all of them agree. */
#include "library/internal.h"

#include "base/hash.h"
#include "model/response.h"
#include "ranks/division/part.h"
#include "ranks/mpi/zoltan.h"

#include <string.h>

/* Ranks may have read different files. */
static bool is_same_everywhere(const scree_sim *s)
{
	const scree_world *w = s->w;
	const char *scene = s->extra.resolved ? s->extra.resolved : "";
	return scree_ranks_same(scree_hash_join(scree_world_hash(&w->model, &w->state, &w->work), scene, strlen(scene)));
}

/* Forces of a program are exchanged by all ranks, or by none. */
static bool all_have_forces(const scree_sim *s)
{
	const real here = s->w->model.applied != NULL;
	real x[2] = {here, -here};
	const domain d = scree_ranks_domain();
	scree_domain_most(&d, 2, x);
	return x[0] == -x[1];
}

static bool may_divide(const scree_sim *s, fail *why)
{
	if (s->out || !s->fresh || s->part)
		return scree_fail(why, FAIL_INPUT, "a simulation is divided once, before its outputs and its first step");
	const model *m = &s->w->model;
	const bool changes = m->population.sources || m->population.sinks || !m->guard.lost_is_error;
	if (m->applied && m->solver && changes)
		return scree_fail(why, FAIL_INPUT,
						  "run.response: %s on ranks does not support forces of a program where bodies come or go",
						  m->response->name);
	return true;
}

scree_code scree_in_ranks_divide(scree_sim *s, const char *partition)
{
	if (!scree_ranks_have_begun()) return SCREE_DONE;
	fail why;
	rank_part *part = scree_alloc(1, sizeof *part);
	part->c = scree_ranks_channel();
	bool good = scree_ranks_agree(may_divide(s, &why), &why);
	if (good) good = scree_rank_part_plan(part, &s->w->model, &s->w->state, partition, scree_zoltan_cut, &why);
	good = scree_ranks_agree(good, &why);
	if (good && !s->held && !is_same_everywhere(s))
		good = scree_fail(&why, FAIL_INPUT, "the ranks have read different files: use a file system that all share");
	if (good && !all_have_forces(s))
		good = scree_fail(&why, FAIL_INPUT, "forces of a program are set on some ranks, and not on others");
	if (good) {
		s->part = part;
		return SCREE_DONE;
	}
	scree_free(part);
	s->why = why;
	return scree_sim_code(&why);
}
