/* sweeps SNAPSHOT: nanoseconds per contact and sweep of balls, from a snapshot with implicit steps. The program makes a
 * step and then repeats the sweeps over the contacts of this step. The minimum of several turns is printed, in
 * processor time. */
#define _GNU_SOURCE
#include "format/snapshot.h"
#include "solver/constraints.h"
#include "solver/work.h"
#include "world/world.h"

#include <stdio.h>
#include <time.h>

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sweep(solving *v)
{
	const ball_rows *o = &v->of->balls;
	for (int32_t k = 0; k < v->of->colours.colours; ++k) scree_ball_rows_sweep(v, o->first[k], o->first[k + 1], 0);
}

int main(int count, char **word)
{
	enum { TURNS = 9, SWEEPS = 20 };
	fail why = {0};
	scree_world *w = count == 2 ? scree_snapshot_read(word[1], NULL, &why) : NULL;
	if (!w || !scree_step(w)) return fprintf(stderr, "sweeps SNAPSHOT: %s\n", why.text), 2;
	solving v = {.m = &w->model, .s = &w->state, .w = &w->work, .of = &w->work.solver->of};
	v.h = v.tau = w->model.dt;
	double least = 1e30;
	for (int turn = 0; turn < TURNS; ++turn) {
		const double began = seconds();
		for (int k = 0; k < SWEEPS; ++k) sweep(&v);
		const double each = (seconds() - began) / SWEEPS;
		if (each < least) least = each;
	}
	const int64_t n = v.of->count - v.of->fulls;
	printf("contacts %lld  colours %d  ns per contact and sweep %.2f\n", (long long)n, v.of->colours.colours,
		   1e9 * least / (double)n);
	scree_world_free(w);
	return 0;
}
