/* ranks: simulations divided among processes started by a launcher. The launcher's environment variables give their
 * number before MPI is initialized, so that a single process, or a build without MPI, does not initialize it. */
#include "library/internal.h"

#include "base/hash.h"
#include "broad/stage.h"
#include "model/response.h"
#include "ranks/division/part.h"
#include "ranks/mpi/mpi_ranks.h"
#include "ranks/mpi/zoltan.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const real PATIENCE = 3600; /* time limit for waits, in s, long enough for a rank that writes to a slow disk */

/* There is one set of ranks per process. */
static struct {
	channel c;
	rank_part part; /* used for collective calls that do not need a world */
	bool begun;
	open_attempt made; /* the last collective call */
	fail why;
} all;

/* ------------------------------------------------------------------ the launcher */

/* Returns the first of these variables that is a number; -1 if none is. */
static int number_in(const char *const *name)
{
	for (; *name; ++name) {
		const char *text = getenv(*name);
		if (text && *text >= '0' && *text <= '9') return atoi(text);
	}
	return -1;
}

/* srun also sets the number of tasks in batch scripts, which have no rank. */
static int launched(void)
{
	static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
	static const char *const tasks[] = {"SLURM_STEP_NUM_TASKS", NULL}, *const pmix[] = {"PMIX_RANK", "PMI_RANK", NULL};
	const int size = number_in(sizes), step = number_in(pmix) >= 0 ? number_in(tasks) : -1;
	return size > 0 ? size : step > 0 ? step : 1;
}

static int launched_rank(void)
{
	static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", NULL};
	const int rank = launched() > 1 ? number_in(ranks) : 0;
	return rank > 0 ? rank : 0;
}

int scree_ranks_local(void)
{
	static const char *const ranks[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", NULL};
	const int rank = all.begun ? number_in(ranks) : 0;
	return rank > 0 ? rank : 0;
}

int scree_ranks_near(void)
{
	static const char *const sizes[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_TASKS_PER_NODE", NULL};
	const int size = all.begun ? number_in(sizes) : 1;
	return size > 0 ? size : 1;
}

channel *scree_ranks_channel(void) { return all.begun ? &all.c : NULL; }

bool scree_ranks_have_begun(void) { return all.begun; }

int scree_rank(void) { return all.begun ? all.c.rank : launched_rank(); }

int scree_ranks(void) { return all.begun ? all.c.ranks : launched(); }

int scree_ranks_share(int threads)
{
	static const char *const local[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_TASKS_PER_NODE", NULL};
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const int here = number_in(local), each = here > 0 ? (int)(processors / here) : threads;
	if (!all.begun || each >= threads) return threads;
	return each > 1 ? each : 1;
}

/* ------------------------------------------------------------------ begin and end */

static bool begin_mpi(void)
{
	if (setjmp(*scree_attempt_begin(&all.made, &all.why))) return false;
	const bool good = scree_mpi_begin(&all.c, PATIENCE, &all.why);
	scree_attempt_end(&all.made);
	return good;
}

scree_code scree_ranks_begin(void)
{
	const int size = launched();
	if (all.begun || size < 2) return SCREE_DONE;
	all.begun = begin_mpi();
	if (!all.begun) return scree_sim_code(&all.why);
	all.part = (rank_part){.c = &all.c};
	if (all.c.ranks == size) return SCREE_DONE;
	scree_fail(&all.why, FAIL_INPUT,
			   "the launcher has started %d processes, but MPI counts %d: the launcher belongs to a different MPI from "
			   "the one scree was built with",
			   size, all.c.ranks);
	return SCREE_BAD_INPUT;
}

/* Waits for all ranks; returns false if one of them has failed. */
static bool wait_for_all(void)
{
	const domain d = scree_ranks_domain();
	if (all.c.failed) return false;
	if (setjmp(*scree_attempt_begin(&all.made, &all.why))) return false;
	scree_domain_any(&d, false);
	scree_attempt_end(&all.made);
	return true;
}

void scree_ranks_end(int code)
{
	if (!all.begun) return;
	const bool together = wait_for_all();
	scree_mpi_end(&all.c, together ? 0 : code ? code : SCREE_INTERNAL);
	all.begun = false;
}

void scree_ranks_abort(int code)
{
	if (all.begun) scree_mpi_end(&all.c, code ? code : SCREE_INTERNAL);
}

const char *scree_ranks_error(void) { return all.why.text; }

/* ------------------------------------------------------------------ agreement */

domain scree_ranks_domain(void)
{
	if (!all.begun) return scree_domain_alone;
	return (domain){.by = &scree_domain_ranks, .at = &all.part, .first = all.c.rank == 0};
}

/* replaces x with the largest values over all ranks */
static void join(int count, double *x)
{
	const domain d = scree_ranks_domain();
	scree_domain_most(&d, count, x);
}

scree_code scree_ranks_greatest(int count, double *x)
{
	if (count < 0 || (count && !x)) {
		scree_fail(&all.why, FAIL_INPUT, "the count of numbers is %d, or the pointer to them is NULL", count);
		return SCREE_BAD_INPUT;
	}
	if (!all.begun) return SCREE_DONE;
	if (setjmp(*scree_attempt_begin(&all.made, &all.why))) return scree_sim_code(&all.why);
	join(count, x);
	scree_attempt_end(&all.made);
	return SCREE_DONE;
}

bool scree_ranks_same(uint64_t hash)
{
	const real high = (real)(hash >> 32), low = (real)(uint32_t)hash;
	real x[4] = {high, low, -high, -low};
	join(4, x);
	return x[0] == -x[2] && x[1] == -x[3];
}

bool scree_ranks_agree(bool here, fail *why)
{
	const domain d = scree_ranks_domain();
	if (!all.begun) return here;
	if (setjmp(*scree_attempt_begin(&all.made, why))) return false;
	const bool good = scree_domain_agree(&d, here, why);
	scree_attempt_end(&all.made);
	return good;
}

void scree_ranks_tell(const fail *why)
{
	if (all.begun) scree_channel_fail(&all.c, why);
}

bool scree_sim_any(scree_sim *s, bool here)
{
	double x = here;
	return s->part ? scree_ranks_greatest(1, &x) || x > 0 : here;
}

/* ------------------------------------------------------------------ opened by rank 0 for all */

/* Message from rank 0: these numbers, then a snapshot without bodies. */
static bool write_world(const scree_sim *s, rank_rows *to, fail *why)
{
	const prepared_numbers found = scree_world_prepared(&s->w->model, &s->w->state);
	size_t length = 0;
	char *bytes = scree_snapshot_without_bodies(s->w, &s->extra, &length, why);
	if (!bytes) return false;
	*to = (rank_rows){scree_alloc(sizeof found + length, 1), sizeof found + length};
	memcpy(to->bytes, &found, sizeof found);
	memcpy((char *)to->bytes + sizeof found, bytes, length);
	scree_free(bytes);
	return true;
}

static bool read_world(scree_sim *s, const rank_rows *from, fail *why)
{
	prepared_numbers found;
	if (from->size < sizeof found)
		return scree_fail(why, FAIL_IO, "rank %d has received no world from rank 0", all.c.rank);
	memcpy(&found, from->bytes, sizeof found);
	s->w = scree_snapshot_parse("the world of rank 0", (const char *)from->bytes + sizeof found,
								from->size - sizeof found, &s->extra, why);
	if (s->w) scree_world_take_prepared(&s->w->model, &s->w->state, &found);
	return s->w != NULL;
}

bool scree_sim_from_first(scree_sim *s)
{
	rank_rows *row = scree_alloc((size_t)all.c.ranks, sizeof *row);
	fail why;
	bool good = scree_ranks_agree(all.c.rank > 0 || write_world(s, row, &why), &why);
	if (good) scree_ranks_need(scree_tree_gather(&all.c, row, &why), &why);
	if (good && all.c.rank > 0) good = read_world(s, row, &why);
	for (int32_t k = 0; k < all.c.ranks; ++k) scree_free(row[k].bytes);
	scree_free(row);
	if (!good) s->why = why;
	return good;
}

/* ------------------------------------------------------------------ division */

static bool is_divided(const scree_sim *s) { return s->part && s->w->work.domain.at == s->part; }

void scree_sim_divide(scree_sim *s)
{
	scree_world *w = s->w;
	if (!s->part || is_divided(s)) return;
	(s->held ? scree_world_hand_out : scree_world_divide)(&w->model, &w->state, &w->work, s->part);
	scree_bodies_to_pairs(&w->model, &w->state, &w->work);
	w->work.skin.stale = true; /* walls have not moved yet */
}

void scree_sim_as_first(const scree_sim *s, int count, double *x)
{
	if (!s->held || !s->part || is_divided(s)) return;
	for (int k = 0; k < count && all.c.rank; ++k) x[k] = -INFINITY;
	join(count, x);
}

scree_world *scree_sim_whole(scree_sim *s)
{
	if (is_divided(s)) return scree_ranks_whole(s->part, s->w);
	return s->part && all.c.rank ? NULL : s->w;
}

void scree_sim_whole_end(scree_sim *s, scree_world *whole)
{
	if (whole != s->w) scree_ranks_whole_free(whole);
}

/* ------------------------------------------------------------------ planning of the division, once all ranks agree */

/* Ranks may have read different files. */
static bool is_same_everywhere(const scree_sim *s)
{
	const scree_world *w = s->w;
	const char *scene = s->extra.resolved ? s->extra.resolved : "";
	return scree_ranks_same(scree_hash_join(scree_world_hash(&w->model, &w->state, &w->work), scene, strlen(scene)));
}

/* Either all ranks exchange forces set by a program, or none of them do. */
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
		return scree_fail(
			why, FAIL_INPUT,
			"a simulation can be divided only once, before its outputs are opened and before its first step");
	const model *m = &s->w->model;
	const bool changes = m->population.sources || m->population.sinks || !m->guard.lost_is_error;
	if (m->applied && m->solver && changes)
		return scree_fail(
			why, FAIL_INPUT,
			"run.response: %s on ranks does not support forces set by a program if bodies are added or removed",
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
		good =
			scree_fail(&why, FAIL_INPUT, "the ranks have read different files: use a file system that all ranks share");
	if (good && !all_have_forces(s))
		good = scree_fail(&why, FAIL_INPUT, "forces are set by the program on some ranks, but not on others");
	if (good) {
		s->part = part;
		return SCREE_DONE;
	}
	scree_free(part);
	s->why = why;
	return scree_sim_code(&why);
}
