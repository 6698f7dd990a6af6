/* literal2d SNAPSHOT CHUNKS ROUNDS: compares the loop of Schinner (1999), as in Fig. 12 of the paper (literal_loop.h),
 * with the engine, each on one thread and on two, from the same packing of polygons. A run of pure arithmetic without
 * shared data shows the largest speed-up possible on the machine. The programs alternate, and the best round of each is
 * reported.
 */
#include "literal_loop.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/parallel.h"
#include "format/snapshot.h"
#include "world/world.h"

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

/* the fastest of all chunks, for the whole step and by phase */
static void keep(taken *best, double seconds, const double *phase, double *before, int phases, int64_t steps)
{
	if (seconds / (double)steps < best->seconds) best->seconds = seconds / (double)steps;
	for (int k = 0; k < phases; ++k) {
		double part = (phase[k] - before[k]) / (double)steps;
		if (part < best->phase[k]) best->phase[k] = part;
		before[k] = phase[k];
	}
}

/* The first chunk is a warm-up and is not counted. */
enum { CHUNK = 20 };

static void by_loop(const char *path, int threads, int64_t chunks, taken *best)
{
	scree_world *w = load(path);
	literal_loop *l = literal_loop_new(w, threads);
	double before[LITERAL_PHASES] = {0};
	for (int64_t k = 0; k <= chunks; ++k) {
		double began = scree_now();
		literal_loop_run(l, CHUNK);
		taken first = *best;
		keep(k ? best : &first, scree_now() - began, literal_loop_seconds(l), before, LITERAL_PHASES, CHUNK);
	}
	literal_loop_free(l);
	scree_world_free(w);
}

static void by_engine(const char *path, int threads, int64_t chunks, taken *best)
{
	scree_world *w = load(path);
	scree_set_threads(threads);
	double before[CLOCK_STAGES] = {0};
	for (int64_t k = 0; k <= chunks; ++k) {
		double began = scree_now();
		for (int i = 0; i < CHUNK; ++i)
			if (!scree_step(w)) exit(3);
		taken first = *best;
		keep(k ? best : &first, scree_now() - began, w->work.clock.seconds, before, CLOCK_STAGES, CHUNK);
	}
	scree_world_free(w);
}

/* as much work as in a step, in pieces that do not access memory */
enum { PIECES = 64, ADDITIONS = 40000 };

static void add(void *what, int64_t from, int64_t to, int thread)
{
	(void)thread;
	real *sum = what;
	for (int64_t k = from; k < to; ++k) {
		real x = (real)k;
		for (int i = 0; i < ADDITIONS; ++i) x = x * (real)1.0000001 + (real)1e-9;
		sum[k] = x;
	}
}

static void by_arithmetic(int threads, int64_t chunks, taken *best)
{
	static real sum[PIECES];
	scree_set_threads(threads);
	for (int64_t k = 0; k <= chunks; ++k) {
		double began = scree_now();
		for (int i = 0; i < CHUNK; ++i) scree_parallel(add, sum, PIECES, 1);
		double seconds = (scree_now() - began) / CHUNK;
		if (k && seconds < best->seconds) best->seconds = seconds;
	}
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
		fprintf(stderr, "literal2d SNAPSHOT CHUNKS ROUNDS\n");
		return 2;
	}
	int64_t chunks = atoll(argv[2]);
	taken best[6];
	for (int k = 0; k < 6; ++k) {
		best[k].seconds = 1e30;
		for (int p = 0; p < CLOCK_STAGES; ++p) best[k].phase[p] = 1e30;
	}
	for (int round = 0; round < atoi(argv[3]); ++round)
		for (int k = 0; k < 6; ++k)
			if (k < 2)
				by_loop(argv[1], k + 1, chunks, best + k);
			else if (k < 4)
				by_engine(argv[1], k - 1, chunks, best + k);
			else
				by_arithmetic(k - 3, chunks, best + k);
	print("literal", literal_phase_names, LITERAL_PHASES, best, best + 1);
	print("engine", scree_clock_names, CLOCK_STAGES, best + 2, best + 3);
	print("machine", NULL, 0, best + 4, best + 5);
	return 0;
}
