/* team: divides the starting points of one pair of surfaces among threads with their own working arrays and positions.
 * The caller joins the results of all threads in arbitrary order. */
#include "narrow/surface/room.h"

enum { SHARES = 16 }; /* parts per thread if the parts are distributed dynamically */

typedef struct team_job {
	surface_job *job; /* [threads] */
	surface_walk *walk;
	const void *what;
} team_job;

static void walk_some(void *what, int64_t from, int64_t to, int thread)
{
	const team_job *o = what;
	o->walk(o->job + thread, o->what, (int32_t)from, (int32_t)to);
}

/* Compares the remaining pairs of all threads; any thread may process any of these pairs. */
static void compare_rest(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const team_job *o = what;
	for (int64_t t = from; t < to; ++t) scree_surface_compare(o->job + t);
}

static surface_job same(const surface_job *j, surface_scratch *scratch)
{
	surface_job o = *j;
	o.room = scree_surface_room(scratch);
	o.counts = &scratch->counts;
	o.walks = false;
	scree_surface_forget(&o.room->of_a, j->room->of_a.capacity, &o.a);
	scree_surface_forget(&o.room->of_b, j->room->of_b.capacity, &o.b);
	return o;
}

static void join(surface_job *j, const surface_job *o)
{
	for (int32_t m = 0; m < o->room->minima; ++m) *scree_surface_found(j->room) = o->room->minimum[m];
	j->least = real_min(j->least, o->least);
	j->crossed = j->crossed || o->crossed;
}

static int32_t part_of(const surface_team *team, int32_t count)
{
	const int32_t parts = team->even ? team->threads : SHARES * team->threads;
	return (count + parts - 1) / parts;
}

void scree_surface_each(const surface_team *team, parallel_fn *work, void *what, int32_t count)
{
	if (team)
		scree_parallel(work, what, count, part_of(team, count));
	else
		work(what, 0, count, 0);
}

void scree_surface_walk(surface_job *j, surface_walk *walk, const void *what, int32_t count)
{
	const surface_team *team = j->team;
	if (!team) {
		walk(j, what, 0, count);
		scree_surface_compare(j);
		return;
	}
	surface_job job[SCREE_MOST_THREADS];
	team_job o = {job, walk, what};
	job[0] = *j;
	for (int32_t t = 1; t < team->threads; ++t) job[t] = same(j, team->of[t]);
	scree_surface_each(team, walk_some, &o, count);
	scree_parallel(compare_rest, &o, team->threads, 1);
	*j = job[0];
	for (int32_t t = 1; t < team->threads; ++t) join(j, job + t);
}
