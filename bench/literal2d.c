/* literal2d SNAPSHOT STEPS ROUNDS: the loop of Schinner (1999) as its Fig. 12 has it (literal_loop.h) beside the
 * engine, each on one thread and on two, from the same packing of polygons; the four in turns, the best of the rounds.
 */
#include "literal_loop.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/parallel.h"
#include "format/snapshot.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct taken {
	double seconds, phase[CLOCK_STAGES];
} taken;

static scree_world *load(const char *path)
{
	fail why;
	scree_world *w = scree_snapshot_read(path, NULL, &why);
	if (!w) {
		fprintf(stderr, "%s\n", why.text);
		exit(2);
	}
	return w;
}

/* a quarter of the steps before, so that all is where it will be; seconds a step */
static taken by_loop(const char *path, int threads, int64_t steps)
{
	taken t = {0};
	scree_world *w = load(path);
	literal_loop *l = literal_loop_new(w, threads);
	literal_loop_run(l, steps / 4);
	double before[LITERAL_PHASES];
	for (int k = 0; k < LITERAL_PHASES; ++k) before[k] = literal_loop_seconds(l)[k];
	double began = scree_now();
	literal_loop_run(l, steps);
	t.seconds = (scree_now() - began) / (double)steps;
	for (int k = 0; k < LITERAL_PHASES; ++k) t.phase[k] = (literal_loop_seconds(l)[k] - before[k]) / (double)steps;
	literal_loop_free(l);
	scree_world_free(w);
	return t;
}

static taken by_engine(const char *path, int threads, int64_t steps)
{
	taken t = {0};
	scree_world *w = load(path);
	scree_set_threads(threads);
	for (int64_t k = 0; k < steps / 4; ++k)
		if (!scree_step(w)) exit(3);
	w->clock = (clock_table){0};
	double began = scree_now();
	for (int64_t k = 0; k < steps; ++k)
		if (!scree_step(w)) exit(3);
	t.seconds = (scree_now() - began) / (double)steps;
	for (int k = 0; k < CLOCK_STAGES; ++k) t.phase[k] = w->clock.seconds[k] / (double)steps;
	scree_world_free(w);
	return t;
}

/* the fastest of all rounds, whole and phase by phase */
static void keep(taken *best, const taken *t)
{
	if (t->seconds < best->seconds) best->seconds = t->seconds;
	for (int k = 0; k < CLOCK_STAGES; ++k)
		if (t->phase[k] < best->phase[k]) best->phase[k] = t->phase[k];
}

static void print(const char *what, const char *const *name, int phases, const taken *one, const taken *two)
{
	printf("%-8s 1 thread %.4g ms  2 threads %.4g ms  speedup %.3f\n", what, 1e3 * one->seconds, 1e3 * two->seconds,
		   one->seconds / two->seconds);
	for (int k = 0; k < phases; ++k)
		if (one->phase[k] > 0.001 * one->seconds)
			printf("         %-10s %9.4f %9.4f ms  speedup %.3f\n", name[k], 1e3 * one->phase[k], 1e3 * two->phase[k],
				   one->phase[k] / two->phase[k]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "literal2d SNAPSHOT STEPS ROUNDS\n");
		return 2;
	}
	int64_t steps = atoll(argv[2]);
	taken best[4];
	for (int k = 0; k < 4; ++k) {
		best[k].seconds = 1e30;
		for (int p = 0; p < CLOCK_STAGES; ++p) best[k].phase[p] = 1e30;
	}
	for (int round = 0; round < atoi(argv[3]); ++round)
		for (int k = 0; k < 4; ++k) {
			taken t = k < 2 ? by_loop(argv[1], k + 1, steps) : by_engine(argv[1], k - 1, steps);
			keep(best + k, &t);
		}
	print("literal", literal_phase_names, LITERAL_PHASES, best, best + 1);
	print("engine", scree_clock_names, CLOCK_STAGES, best + 2, best + 3);
	return 0;
}
