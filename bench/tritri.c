/* tritri: nanoseconds per pair of triangles for each method to find their distance, in double and in float, for many
 * pairs at once and for one pair at a time; the stage that gave each result; and the number of Newton steps.
 * bench_tritri [PAIRS [STEPS]] prints a histogram of steps over PAIRS random pairs, and uses STEPS Newton steps for
 * certified.
 *
 * The shortest time of several rounds is printed, since other programs on the machine can only add time. */
#include "triangle_pairs.h"

#include "base/random.h"
#include "narrow/triangle/triangles.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 60, MOST_STEPS = 99 };

static double corner[18][TIMED_PAIRS];
static float corner_float[18][TIMED_PAIRS];
static triangle_gap gap[TIMED_PAIRS];
static triangle_gap_float gap_float[TIMED_PAIRS];
static triangle_pairs pairs;
static triangle_pairs_float pairs_float;
static int32_t certified_steps = -1;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void columns(double (*row)[18])
{
	for (int i = 0; i < TIMED_PAIRS; ++i)
		for (int k = 0; k < 18; ++k) corner[k][i] = row[i][k], corner_float[k][i] = (float)row[i][k];
}

static triangle_search search_of(enum triangle_way way, bool one_by_one, bool in_float)
{
	triangle_search s = in_float ? scree_triangles_certified_float(0.02) : scree_triangles_certified(0.02);
	s.way = way;
	s.one_by_one = one_by_one;
	if (way == TRIANGLES_CERTIFIED) {
		if (certified_steps >= 0) s.steps = certified_steps;
	} else {
		s.steps = way == TRIANGLES_PENALTY ? MOST_STEPS : 8;
		s.tolerance = (real)1e-4;
	}
	return s;
}

static double least_time(const triangle_search *s, bool in_float, triangle_counts *counts)
{
	double least = 1e30;
	for (int round = 0; round < (s->one_by_one ? ROUNDS / 6 : ROUNDS); ++round) {
		*counts = (triangle_counts){{0}};
		double start = now();
		if (in_float)
			scree_triangles_float(&pairs_float, s, gap_float, counts);
		else
			scree_triangles(&pairs, s, gap, counts);
		double t = (now() - start) / TIMED_PAIRS;
		least = t < least ? t : least;
	}
	return least;
}

static void measure(const char *name)
{
	for (int way = 0; way < TRIANGLE_WAYS; ++way)
		for (int in_float = 0; in_float < 2; ++in_float) {
			triangle_counts c;
			triangle_search at_once = search_of((enum triangle_way)way, false, in_float);
			triangle_search one = search_of((enum triangle_way)way, true, in_float);
			double fast = least_time(&at_once, in_float, &c), slow = least_time(&one, in_float, &c);
			printf("%-7s %-12s %-7s at once %8.1f ns  one by one %8.1f ns  %%: slab %5.1f newton %5.1f brute %5.1f "
				   "thorough %6.3f, uncertified %lld\n",
				   name, scree_triangle_ways[way].name, in_float ? "float" : "double", fast, slow,
				   100.0 * (double)c.by[0] / TIMED_PAIRS, 100.0 * (double)c.by[1] / TIMED_PAIRS,
				   100.0 * (double)c.by[2] / TIMED_PAIRS, 100.0 * (double)c.by[3] / TIMED_PAIRS,
				   (long long)c.by[TRIANGLES_UNCERTIFIED]);
			fflush(stdout);
		}
}

static void random_pairs(random_stream *r)
{
	for (int i = 0; i < TIMED_PAIRS; ++i) {
		vec3 away = v3_mul(scree_random_between(r, 0, 3), scree_random_direction(r));
		const real way[3] = {away.x, away.y, away.z};
		for (int k = 0; k < 18; ++k)
			corner[k][i] = scree_random_between(r, (real)-0.5, (real)0.5) + (k < 9 ? 0 : way[k % 3]);
	}
}

/* number of steps of the penalty method until a step is shorter than 1e-4 times the size of the pair */
static void histogram(int64_t wanted)
{
	static int64_t count[MOST_STEPS + 1];
	random_stream r = scree_random_start(1, 1);
	triangle_search s = search_of(TRIANGLES_PENALTY, false, false);
	int64_t done = 0, sum = 0;
	for (; done < wanted; done += TIMED_PAIRS) {
		triangle_counts c = {{0}};
		random_pairs(&r);
		scree_triangles(&pairs, &s, gap, &c);
		for (int i = 0; i < TIMED_PAIRS; ++i) ++count[gap[i].steps];
	}
	for (int k = 0; k <= MOST_STEPS; ++k) {
		sum += count[k];
		if (count[k])
			printf("steps %2d  pairs %10lld  %8.4f %%  up to here %8.4f %%\n", k, (long long)count[k],
				   100.0 * (double)count[k] / (double)done, 100.0 * (double)sum / (double)done);
	}
}

/* number of random pairs that are certified by the points of Newton's method after each number of steps */
static void shares(void)
{
	const real tolerance[] = {1e-4, 1e-12};
	random_stream r = scree_random_start(2, 1);
	random_pairs(&r);
	for (int32_t steps = 1; steps <= 8; ++steps) {
		printf("certified after %d steps", steps);
		for (int k = 0; k < 2; ++k) {
			triangle_search s = scree_triangles_certified(INFINITY);
			triangle_counts c = {{0}};
			s.steps = steps, s.tolerance = tolerance[k];
			scree_triangles(&pairs, &s, gap, &c);
			printf("  within %g %6.2f %%", tolerance[k], 100.0 * (double)c.by[TRIANGLES_BY_NEWTON] / TIMED_PAIRS);
		}
		printf("\n");
	}
}

int main(int count, char **word)
{
	static double row[TIMED_PAIRS][18];
	if (count > 2) certified_steps = (int32_t)strtol(word[2], NULL, 10);
	pairs.count = pairs_float.count = TIMED_PAIRS;
	for (int k = 0; k < 9; ++k) {
		pairs.a[k] = corner[k], pairs.b[k] = corner[9 + k];
		pairs_float.a[k] = corner_float[k], pairs_float.b[k] = corner_float[9 + k];
	}
	pairs_apart(row, 1, 8);
	columns(row);
	measure("far");
	pairs_apart(row, 0, 0.01);
	columns(row);
	measure("near");
	pairs_touching(row);
	columns(row);
	measure("contact");
	pairs_grains(row);
	columns(row);
	measure("grains");
	shares();
	histogram(count > 1 ? (int64_t)strtod(word[1], NULL) : 1000000);
	return 0;
}
