/* broad2d: cost of broad phases in the plane, without skins: all overlapping pairs of boxes are found after every step
 * of a motion. bench_broad2d [WORD] runs only the part with this name: number, sizes, bar, page or literal.
 *
 * number: discs at rest, a dilute gas, and a dense shear flow; time and exchanges as functions of the number of discs.
 * sizes: mixtures of small and large discs at rest and in motion; fit of the cost of cells, t_mesh + 9 N_mesh t_col.
 * bar: one long inclined bar over k discs (Fig. 5 of Schinner 1999).
 * page: 3,000 balls as on the web page "Grouping the particles"; comparisons and milliseconds.
 * literal: linked lists and two threads with a mutex per particle, as in the paper, compared with arrays.
 *
 * The shortest time of several rounds is reported, since other programs can only add time. One thread is used unless
 * two are stated.
 */
#include "literal_sweep.h"

#include "base/clock.h"
#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "broad/broad.h"
#include "choices/choices.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 3 };

typedef struct discs {
	int32_t count;
	real *x, *y, *vx, *vy, *half_x, *half_y; /* half_x, half_y: half-widths of the boxes */
	real wide;								 /* bodies stay between 0 and `wide` */
	real *side[6];
} discs;

static discs *discs_new(int32_t count)
{
	discs *d = scree_alloc(1, sizeof *d);
	real **array[6] = {&d->x, &d->y, &d->vx, &d->vy, &d->half_x, &d->half_y};
	d->count = count;
	for (int k = 0; k < 6; ++k) {
		*array[k] = scree_alloc((size_t)count, sizeof(real));
		d->side[k] = scree_alloc((size_t)count, sizeof(real));
	}
	return d;
}

static void discs_free(discs *d)
{
	real *array[6] = {d->x, d->y, d->vx, d->vy, d->half_x, d->half_y};
	for (int k = 0; k < 6; ++k) {
		scree_free(array[k]);
		scree_free(d->side[k]);
	}
	scree_free(d);
}

static box_list boxes_of(discs *d)
{
	for (int32_t i = 0; i < d->count; ++i) {
		d->side[0][i] = d->x[i] - d->half_x[i];
		d->side[1][i] = d->y[i] - d->half_y[i];
		d->side[3][i] = d->x[i] + d->half_x[i];
		d->side[4][i] = d->y[i] + d->half_y[i];
	}
	return (box_list){.count = d->count,
					  .low = {d->side[0], d->side[1], d->side[2]},
					  .high = {d->side[3], d->side[4], d->side[5]},
					  .flat = true};
}

static void move(discs *d)
{
	for (int32_t i = 0; i < d->count; ++i) {
		d->x[i] += d->vx[i];
		d->y[i] += d->vy[i];
		if ((d->x[i] < 0 && d->vx[i] < 0) || (d->x[i] > d->wide && d->vx[i] > 0)) d->vx[i] = -d->vx[i];
		if ((d->y[i] < 0 && d->vy[i] < 0) || (d->y[i] > d->wide && d->vy[i] > 0)) d->vy[i] = -d->vy[i];
	}
}

/* ------------------------------------------------------------------ motions */

enum { STATIC, GAS, SHEAR, MOTIONS };
static const char *const motion_name[MOTIONS] = {"static", "gas", "shear"};

/* discs of diameter 1 on a shaken square lattice; a gas is four times as wide (area fraction 0.05) */
static discs *packing(int motion, int32_t count)
{
	discs *d = discs_new(count);
	random_stream r = scree_random_start(1, (uint64_t)motion);
	real pitch = motion == GAS ? 4 : 1.02;
	int32_t side = 1;
	while (side * side < count) ++side;
	d->wide = motion == SHEAR
				  ? 1e30
				  : side * pitch; /* in a shear flow, rows of discs slide past each other and leave the square */
	for (int32_t i = 0; i < count; ++i) {
		d->x[i] = pitch * (i % side + 0.5 + scree_random_between(&r, -0.1, 0.1));
		d->y[i] = pitch * (i / side + 0.5 + scree_random_between(&r, -0.1, 0.1));
		d->half_x[i] = d->half_y[i] = 0.5;
		if (motion == GAS) { /* a hundredth of a diameter per step */
			d->vx[i] = 0.01 * scree_random_normal(&r);
			d->vy[i] = 0.01 * scree_random_normal(&r);
		}
		if (motion == SHEAR) { /* adjacent rows pass each other at a thousandth of a diameter per step */
			d->vx[i] = 0.001 * d->y[i] + 0.001 * scree_random_normal(&r);
			d->vy[i] = 0.001 * scree_random_normal(&r);
		}
	}
	return d;
}

typedef struct cost {
	double seconds; /* a step */
	broad_counts count;
	int64_t pairs;
	int steps;
} cost;

/* one round, not counting the first search; bodies close in space are in nearby rows, as in the engine */
static cost run_once(const char *name, discs *d, int motion, int steps)
{
	broad_search s = {0};
	box_pairs found = {0};
	cost c = {.steps = steps};
	for (int k = 0; k <= steps; ++k) {
		box_list l = boxes_of(d);
		if (k == 1) memset(&s.count, 0, sizeof s.count);
		double began = scree_now();
		scree_broad_search(&s, scree_broad_find(name), &l, false, &found);
		if (k) c.seconds += (scree_now() - began) / steps;
		c.pairs = found.count;
		if (motion != STATIC) move(d);
	}
	c.count = s.count;
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
	return c;
}

static cost best_of(const char *name, int motion, int32_t count, int steps)
{
	cost best = {.seconds = 1e30};
	for (int round = 0; round < ROUNDS; ++round) {
		discs *d = packing(motion, count);
		cost c = run_once(name, d, motion, steps);
		if (c.seconds < best.seconds) best = c;
		discs_free(d);
	}
	return best;
}

static void measure_number(void)
{
	static const char *const phase[] = {"sweep", "grid", "slots/cells", "sweep/once"};
	printf("number: ns and exchanges a body and step; changes: pairs that came or went, a body and step\n");
	printf("%-7s %8s %-12s %9s %10s %9s %9s\n", "motion", "bodies", "phase", "ns", "exchanges", "changes", "fallbacks");
	for (int motion = 0; motion < MOTIONS; ++motion)
		for (int32_t n = 100; n <= 1000000; n *= 10)
			for (int p = 0; p < 4; ++p) {
				int steps = 1000000 / n < 5 ? 5 : 1000000 / n > 1000 ? 1000 : 1000000 / n;
				cost c = best_of(phase[p], motion, n, steps);
				double each = (double)n * steps;
				printf("%-7s %8d %-12s %9.1f %10.4g %9.3g %9lld\n", motion_name[motion], n, phase[p],
					   1e9 * c.seconds / n, (double)c.count.exchanges / each,
					   (double)(c.count.adds + c.count.removes) / each, (long long)c.count.fallbacks);
				fflush(stdout);
			}
}

/* ------------------------------------------------------------------ mixtures */

/* small discs on a lattice, with large discs over the same area; small discs covered by large ones also count, since
 * every phase reports all overlapping boxes */
static discs *mixture(int ratio, int32_t small)
{
	int32_t large = small / (ratio * ratio);
	if (large < 1) large = 1;
	discs *base = packing(STATIC, small), *d = discs_new(small + large);
	random_stream r = scree_random_start(2, (uint64_t)ratio);
	d->wide = base->wide;
	for (int32_t i = 0; i < d->count; ++i) {
		bool is_small = i < small;
		d->x[i] = is_small ? base->x[i] : scree_random_between(&r, 0, d->wide);
		d->y[i] = is_small ? base->y[i] : scree_random_between(&r, 0, d->wide);
		d->half_x[i] = d->half_y[i] = is_small ? 0.5 : 0.5 * ratio;
		d->vx[i] = 0.001 * scree_random_normal(&r);
		d->vy[i] = 0.001 * scree_random_normal(&r);
	}
	discs_free(base);
	return d;
}

/* least squares of t = a + b x */
static void fit(const double *x, const double *t, int count, double *a, double *b)
{
	double sx = 0, st = 0, sxx = 0, sxt = 0;
	for (int k = 0; k < count; ++k) sx += x[k], st += t[k], sxx += x[k] * x[k], sxt += x[k] * t[k];
	*b = (count * sxt - sx * st) / (count * sxx - sx * sx);
	*a = (st - *b * sx) / count;
}

static void measure_sizes(void)
{
	static const int ratio[] = {1, 2, 5, 10, 20, 50, 100};
	static const char *const phase[] = {"sweep", "sweep", "grid", "slots/cells"};
	enum { SMALL = 20000, RATIOS = 7, STEPS = 10 };
	double mesh[RATIOS], seconds[RATIOS];
	printf("sizes: %d small discs and as much area of large ones; ns a disc and step; of cells comparisons a disc\n",
		   SMALL);
	printf("%-6s %12s %12s %12s %12s %12s %12s\n", "ratio", "sweep, rest", "sweep", "grid", "cells", "comparisons",
		   "pairs a disc");
	for (int k = 0; k < RATIOS; ++k) {
		cost best[4];
		int32_t count = 0;
		for (int p = 0; p < 4; ++p) {
			best[p] = (cost){.seconds = 1e30};
			for (int round = 0; round < ROUNDS; ++round) {
				discs *d = mixture(ratio[k], SMALL);
				count = d->count;
				cost c = run_once(phase[p], d, p ? GAS : STATIC, STEPS);
				if (c.seconds < best[p].seconds) best[p] = c;
				discs_free(d);
			}
		}
		double compared = (double)best[3].count.comparisons / STEPS / count;
		mesh[k] = compared * 2 / 9; /* each pair is compared only once */
		seconds[k] = best[3].seconds / count;
		printf("1:%-4d %12.1f %12.1f %12.1f %12.1f %12.1f %12.2f\n", ratio[k], 1e9 * best[0].seconds / count,
			   1e9 * best[1].seconds / count, 1e9 * best[2].seconds / count, 1e9 * best[3].seconds / count, compared,
			   (double)best[2].pairs / count);
		fflush(stdout);
	}
	double t_mesh, slope;
	fit(mesh, seconds, RATIOS, &t_mesh, &slope);
	printf("cells: t = t_mesh + 9 N_mesh t_col with t_mesh %.1f ns, t_col %.2f ns (each pair from both sides)\n",
		   1e9 * t_mesh, 1e9 * slope / 9);
}

/* ------------------------------------------------------------------ a long bar */

/* Row 0 is the box of a bar from corner to corner, and the other rows are k discs; all bodies make small random
 * motions. */
static discs *bar_over(int32_t k, bool bar)
{
	discs *base = packing(STATIC, k), *d = discs_new(k + (bar ? 1 : 0));
	random_stream r = scree_random_start(3, 3);
	d->wide = base->wide;
	for (int32_t i = 0; i < d->count; ++i) {
		int32_t of = bar ? i - 1 : i;
		bool is_bar = of < 0;
		d->x[i] = is_bar ? d->wide / 2 : base->x[of];
		d->y[i] = is_bar ? d->wide / 2 : base->y[of];
		d->half_x[i] = d->half_y[i] = is_bar ? d->wide / 2 + 1 : 0.45;
		d->vx[i] = is_bar ? 0 : 1e-3 * scree_random_normal(&r);
		d->vy[i] = is_bar ? 0 : 1e-3 * scree_random_normal(&r);
	}
	discs_free(base);
	return d;
}

/* discs within one radius of the diagonal */
static int32_t near_bar(const discs *d)
{
	int32_t near = 0;
	for (int32_t i = 1; i < d->count; ++i) near += real_abs(d->x[i] - d->y[i]) < 0.45 * sqrt(2.0);
	return near;
}

static void measure_bar(void)
{
	printf("bar: a bar of length sqrt(2 k) over k trembling discs: exchanges a disc and step, ns a disc and step\n");
	printf("%8s %11s %11s %9s %9s %10s %9s\n", "discs", "with bar", "without", "ns with", "without", "candidates",
		   "rejected");
	for (int32_t k = 100; k <= 100000; k *= 10) {
		cost best[2];
		int32_t near = 0;
		for (int bar = 0; bar < 2; ++bar) {
			best[bar] = (cost){.seconds = 1e30};
			for (int round = 0; round < ROUNDS; ++round) {
				discs *d = bar_over(k, bar);
				cost c = run_once("sweep", d, GAS, 100);
				if (c.seconds < best[bar].seconds) best[bar] = c;
				near = bar ? near_bar(d) : 0;
				discs_free(d);
			}
		}
		double each = 100.0 * k;
		printf("%8d %11.4g %11.4g %9.1f %9.1f %10d %9d\n", k, (double)best[1].count.exchanges / each,
			   (double)best[0].count.exchanges / each, 1e9 * best[1].seconds / k, 1e9 * best[0].seconds / k, k,
			   k - near);
		fflush(stdout);
	}
}

/* ------------------------------------------------------------------ the web page */

static discs *page(bool air, uint64_t seed)
{
	discs *d = discs_new(3000);
	random_stream r = scree_random_start(seed, 7);
	for (int32_t i = 0; i < d->count; ++i) {
		d->x[i] = scree_random_between(&r, 0, 600);
		d->y[i] = air ? -360 * scree_log(1 - scree_random_real(&r)) : scree_random_between(&r, 0, 6000);
		d->half_x[i] = d->half_y[i] = 1.999999; /* there are 150 slots, slightly wider than a ball */
	}
	return d;
}

static void page_row(const char *name, bool air, const char *said)
{
	double seconds = 1e30, comparisons = 0;
	enum { SEEDS = 100 };
	for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
		discs *d = page(air, seed);
		box_list l = boxes_of(d);
		broad_search s = {.bounded = true, .area_high = {600, 6000, 0}};
		box_pairs found = {0};
		double began = scree_now();
		scree_broad_search(&s, scree_broad_find(name), &l, true, &found);
		double passed = scree_now() - began;
		seconds = passed < seconds ? passed : seconds;
		comparisons += (double)s.count.comparisons / SEEDS;
		scree_box_pairs_free(&found);
		scree_broad_search_free(&s);
		discs_free(d);
	}
	printf("%-12s %-8s %12.0f %8.3f   %s\n", name, air ? "air" : "even", comparisons, 1e3 * seconds, said);
	fflush(stdout);
}

static void measure_page(void)
{
	printf("page: 3000 balls of 4 px in 600 x 6000 px, drawn evenly or as an atmosphere (scale height 360 px); ms: the "
		   "best of "
		   "100\n");
	printf("%-12s %-8s %12s %8s   %s\n", "phase", "", "comparisons", "ms", "the page");
	page_row("brute", false, "4,498,500; 28 ms with the collisions");
	page_row("slots/x", false, "91,100 with 3,000 binnings; 3.4 ms");
	page_row("slots/x", true, "91,100 with 3,000 binnings; 3.4 ms");
	page_row("slots/y", false, "");
	page_row("slots/y", true, "70,000 to 80,000; 2.0 ms");
	page_row("slots/cells", false, "");
	page_row("slots/cells", true, "");
	page_row("grid", true, "");
	page_row("sweep/once", true, "");
}

/* ------------------------------------------------------------------ the paper's data structures */

static double literal_seconds(int motion, int32_t n, int steps, int threads, int64_t *pairs)
{
	discs *d = packing(motion, n);
	double(*box)[4] = scree_alloc((size_t)n, sizeof *box), seconds = 0;
	literal_sweep *s = NULL;
	for (int k = 0; k <= steps; ++k) {
		for (int32_t i = 0; i < n; ++i) {
			box[i][0] = d->x[i] - d->half_x[i], box[i][1] = d->y[i] - d->half_y[i];
			box[i][2] = d->x[i] + d->half_x[i], box[i][3] = d->y[i] + d->half_y[i];
		}
		if (!s) s = literal_sweep_new(n, (const double(*)[4])box, threads);
		double began = scree_now();
		literal_sweep_update(s, (const double(*)[4])box);
		if (k) seconds += (scree_now() - began) / steps;
		if (motion != STATIC) move(d);
	}
	*pairs = literal_sweep_count(s);
	literal_sweep_free(s);
	scree_free(box);
	discs_free(d);
	return seconds;
}

static void measure_literal(void)
{
	printf(
		"literal: ns a body and step; linked lists as in the paper on one and two threads, arrays (sweep) likewise\n");
	printf("%-7s %8s %9s %9s %9s %9s\n", "motion", "bodies", "lists 1", "lists 2", "arrays 1", "arrays 2");
	for (int motion = 0; motion < MOTIONS; ++motion)
		for (int32_t n = 1000; n <= 100000; n *= 10) {
			int steps = 1000000 / n < 20 ? 20 : 1000000 / n;
			double best[4] = {1e30, 1e30, 1e30, 1e30};
			int64_t pairs[2];
			for (int round = 0; round < ROUNDS; ++round)
				for (int threads = 1; threads <= 2; ++threads) {
					double list = literal_seconds(motion, n, steps, threads, pairs + threads - 1);
					scree_set_threads(threads);
					discs *d = packing(motion, n);
					double array = run_once("sweep", d, motion, steps).seconds;
					discs_free(d);
					best[threads - 1] = list < best[threads - 1] ? list : best[threads - 1];
					best[threads + 1] = array < best[threads + 1] ? array : best[threads + 1];
				}
			printf("%-7s %8d %9.1f %9.1f %9.1f %9.1f%s\n", motion_name[motion], n, 1e9 * best[0] / n, 1e9 * best[1] / n,
				   1e9 * best[2] / n, 1e9 * best[3] / n, pairs[0] == pairs[1] ? "" : "  DIFFERENT PAIRS");
			fflush(stdout);
		}
	scree_set_threads(1);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*measure)(void);
	} part[] = {{"number", measure_number},
				{"sizes", measure_sizes},
				{"bar", measure_bar},
				{"page", measure_page},
				{"literal", measure_literal}};
	scree_set_threads(1);
	for (int k = 0; k < 5; ++k)
		if (argc < 2 || !strcmp(argv[1], part[k].name)) part[k].measure();
	return 0;
}
