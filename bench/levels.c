/* levels: cost of grids of many levels in space, without skins: all overlapping pairs of boxes are found after every
 * step of a motion. bench_levels [WORD] runs only the part with this name: ratios, giants, two or steps.
 *
 * ratios: 10,000 spheres that fill 0.3 of a cube, with uniformly distributed logarithms of diameters; comparisons and
 *   time for all phases.
 * giants: 100,000 small bodies among 100 bodies that are 100 times as large, in the plane and in space; cost of a
 *   small body, compared with its cost without large ones.
 * two: the bodies of Appendix B of seed 002; the iterations in which they are compared, and the numbers of vertices
 *   of the grids.
 * steps: the largest step in which no body leaves the cells around its own cell, which the paper's grids require but
 *   ours do not; for the two bodies of Appendix B, and for 10,000 bodies whose speeds do not depend on their size.
 *
 * The shortest time of several rounds on one thread is reported, since other programs can only add time. */
#include "../tests/levels_check.h"

#include "base/clock.h"
#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "papers/levels/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, WARM = 8, STEPS = 8 };

typedef struct crowd {
	int32_t count;
	bool flat;
	real *at[3], *v[3], *half, *side[6];
} crowd;

static crowd *crowd_new(int32_t count, bool flat)
{
	crowd *c = scree_alloc(1, sizeof *c);
	c->count = count;
	c->flat = flat;
	c->half = scree_alloc((size_t)count, sizeof(real));
	for (int d = 0; d < 3; ++d) {
		c->at[d] = scree_alloc((size_t)count, sizeof(real));
		c->v[d] = scree_alloc((size_t)count, sizeof(real));
	}
	for (int d = 0; d < 6; ++d) c->side[d] = scree_alloc((size_t)count, sizeof(real));
	return c;
}

static void crowd_free(crowd *c)
{
	scree_free(c->half);
	for (int d = 0; d < 3; ++d) {
		scree_free(c->at[d]);
		scree_free(c->v[d]);
	}
	for (int d = 0; d < 6; ++d) scree_free(c->side[d]);
	scree_free(c);
}

static box_list boxes_of(crowd *c)
{
	for (int d = 0; d < (c->flat ? 2 : 3); ++d)
		for (int32_t i = 0; i < c->count; ++i) {
			c->side[d][i] = c->at[d][i] - c->half[i];
			c->side[d + 3][i] = c->at[d][i] + c->half[i];
		}
	return (box_list){.count = c->count,
					  .low = {c->side[0], c->side[1], c->side[2]},
					  .high = {c->side[3], c->side[4], c->side[5]},
					  .flat = c->flat};
}

/* about a hundredth of their diameter per step */
static void drift(crowd *c, random_stream *r)
{
	for (int d = 0; d < (c->flat ? 2 : 3); ++d)
		for (int32_t i = 0; i < c->count; ++i) c->v[d][i] = 0.02 * c->half[i] * scree_random_normal(r);
}

static void move(crowd *c, real sign)
{
	for (int d = 0; d < (c->flat ? 2 : 3); ++d)
		for (int32_t i = 0; i < c->count; ++i) c->at[d][i] += sign * c->v[d][i];
}

typedef struct cost {
	double seconds; /* a search */
	broad_counts count;
	int64_t pairs;
} cost;

/* number of searches after the grid has settled; mesh: mesh size at the base of the grid, or 0 if not given */
static cost measure_once(const char *name, crowd *c, real mesh, int steps)
{
	broad_search s = {.mesh = mesh};
	box_pairs found = {0};
	cost o = {0};
	bool kept = strncmp(name, "levels", 6) == 0;
	int warm = kept ? WARM : 0;
	for (int k = -warm; k < steps; ++k) {
		box_list l = boxes_of(c);
		if (k == 0) memset(&s.count, 0, sizeof s.count);
		double began = scree_now();
		scree_broad_search(&s, scree_broad_find(name), &l, true, &found);
		if (k >= 0) o.seconds += (scree_now() - began) / steps;
		o.pairs = found.count;
		move(c, k & 1 ? -1 : 1); /* moves bodies back and forth, so that every broad phase is given the same boxes */
	}
	o.count = s.count;
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
	return o;
}

static cost measure(const char *name, crowd *c, real mesh, int steps)
{
	cost best = {.seconds = 1e30};
	for (int round = 0; round < ROUNDS; ++round) {
		cost o = measure_once(name, c, mesh, steps);
		if (o.seconds < best.seconds) best = o;
	}
	return best;
}

/* ------------------------------------------------------------------ size ratios */

/* sorts bodies so that neighbouring bodies are in nearby rows, as in the engine */
static void put_in_order(crowd *c, real wide)
{
	enum { CELLS = 32 };
	int32_t next = 0, *order = scree_alloc((size_t)c->count, sizeof *order);
	int32_t *start = scree_alloc(CELLS * CELLS * CELLS + 1, sizeof *start);
	for (int pass = 0; pass < 2; ++pass) {
		for (int32_t i = 0; i < c->count; ++i) {
			int64_t cell = 0;
			for (int d = 2; d >= 0; --d)
				cell = cell * CELLS + (int64_t)real_clamp(c->at[d][i] / wide * CELLS, 0, CELLS - 1);
			if (pass)
				order[start[cell]++] = i;
			else
				start[cell] += 1;
		}
		for (int k = 0; !pass && k < CELLS * CELLS * CELLS; ++k) {
			int32_t those = start[k];
			start[k] = next;
			next += those;
		}
	}
	for (int d = 0; d < 4; ++d) {
		real *was = d < 3 ? c->at[d] : c->half, *is = scree_alloc((size_t)c->count, sizeof *is);
		for (int32_t i = 0; i < c->count; ++i) is[i] = was[order[i]];
		memcpy(was, is, (size_t)c->count * sizeof *is);
		scree_free(is);
	}
	scree_free(order);
	scree_free(start);
}

static crowd *mixture(int ratio, int32_t count)
{
	crowd *c = crowd_new(count, false);
	random_stream r = scree_random_start(1, (uint64_t)ratio);
	real volume = 0;
	for (int32_t i = 0; i < count; ++i) {
		c->half[i] = 0.5 * scree_exp(-scree_log((real)ratio) * scree_random_real(&r));
		volume += SCREE_PI / 6 * 8 * c->half[i] * c->half[i] * c->half[i];
	}
	real wide = scree_exp(scree_log(volume / 0.3) / 3);
	for (int d = 0; d < 3; ++d)
		for (int32_t i = 0; i < count; ++i) c->at[d][i] = scree_random_between(&r, 0, wide);
	put_in_order(c, wide);
	drift(c, &r);
	return c;
}

static const struct {
	const char *name, *shown;
	bool coarse; /* the mesh at the base of the grid is chosen for the largest body */
} phase[] = {{"brute", "none", false},
			 {"grid", "grid", false},
			 {"levels/regular", "regular, one mesh", true},
			 {"levels/regular", "regular", false},
			 {"levels/adaptive", "adaptive", false},
			 {"levels/reluctant", "reluctant", false},
			 {"levels/regular/k2", "regular/k2", false},
			 {"levels/adaptive/k2", "adaptive/k2", false},
			 {"levels/reluctant/k2", "reluctant/k2", false}};
enum { PHASES = sizeof phase / sizeof *phase };

/* The mesh of a grid whose cells are just larger than the largest body (1): the unbounded domain is 1.5 times as wide
 * as the box of all bodies, and a mesh is this width divided by a power of k. */
static real mesh_of_largest(crowd *c, int k)
{
	box_list l = boxes_of(c);
	real wide = 0;
	for (int d = 0; d < 3; ++d) {
		real low = l.low[d][0], high = l.high[d][0];
		for (int32_t i = 1; i < l.count; ++i) {
			low = real_min(low, l.low[d][i]);
			high = real_max(high, l.high[d][i]);
		}
		wide = real_max(wide, high - low);
	}
	real mesh = 1.5 * wide;
	while (mesh / k > 1.01) mesh /= k;
	return mesh;
}

static void measure_ratios(void)
{
	enum { BODIES = 10000 };
	printf("ratios: %d spheres, 0.3 of a cube; a body and search\n", BODIES);
	printf("%-6s %-18s %12s %9s %9s %9s %9s %9s\n", "ratio", "phase", "comparisons", "ns", "pairs", "vertices",
		   "virtuals", "moves");
	for (int ratio = 1; ratio <= 81; ratio *= 3)
		for (int p = 0; p < PHASES; ++p) {
			crowd *c = mixture(ratio, BODIES);
			int steps = p ? STEPS : 2;
			real mesh = phase[p].coarse ? 1.0001 * mesh_of_largest(c, 3) : 0;
			cost o = measure(phase[p].name, c, mesh, steps);
			double each = (double)BODIES * steps;
			printf("1:%-4d %-18s %12.2f %9.0f %9.3f %9.3f %9.3f %9.4f\n", ratio, phase[p].shown,
				   (double)o.count.comparisons / each, 1e9 * o.seconds / BODIES, (double)o.pairs / BODIES,
				   (double)o.count.vertices / BODIES, (double)o.count.virtuals / each, (double)o.count.moves / each);
			fflush(stdout);
			crowd_free(c);
		}
}

/* ------------------------------------------------------------------ giants */

enum { SMALL = 100000, LARGE = 100, WIDER = 100 };

/* Large bodies are on a lattice with a pitch of 1.1 diameters, and small bodies are at random positions between them.
 */
static crowd *giants(bool flat, bool with)
{
	crowd *c = crowd_new(SMALL + (with ? LARGE : 0), flat);
	random_stream r = scree_random_start(3, flat);
	const int rows[3] = {flat ? 10 : 5, flat ? 10 : 5, flat ? 1 : 4};
	const real pitch = 1.1 * WIDER;
	for (int32_t i = 0; i < SMALL; ++i) {
		real off2;
		do { /* not inside a large body */
			off2 = 0;
			for (int d = 0; d < (flat ? 2 : 3); ++d) {
				real x = scree_random_between(&r, 0, rows[d] * pitch), off = x - (scree_floor(x / pitch) + 0.5) * pitch;
				c->at[d][i] = x;
				off2 += off * off;
			}
		} while (off2 < 0.25 * (WIDER + 1) * (WIDER + 1));
		c->half[i] = 0.5;
	}
	for (int32_t i = SMALL; i < c->count; ++i) {
		const int at[3] = {(i - SMALL) % rows[0], (i - SMALL) / rows[0] % rows[1], (i - SMALL) / rows[0] / rows[1]};
		for (int d = 0; d < (flat ? 2 : 3); ++d) c->at[d][i] = (at[d] + 0.5) * pitch;
		c->half[i] = 0.5 * WIDER;
	}
	put_in_order(c, 10 * pitch);
	drift(c, &r);
	return c;
}

static void measure_giants(void)
{
	static const char *const name[] = {"grid",
									   "levels/regular",
									   "levels/adaptive",
									   "levels/reluctant",
									   "levels/regular/k2",
									   "levels/adaptive/k2",
									   "levels/reluctant/k2"};
	printf("giants: %d bodies of 1, %d of %d; ns and comparisons a small body and search\n", SMALL, LARGE, WIDER);
	printf("%-9s %-20s %9s %9s %7s %12s %12s\n", "", "phase", "alone", "with", "factor", "comparisons", "with");
	for (int flat = 1; flat >= 0; --flat)
		for (int p = 0; p < 7; ++p) {
			cost o[2];
			for (int with = 0; with < 2; ++with) {
				crowd *c = giants(flat, with);
				o[with] = measure(name[p], c, 0, 4);
				crowd_free(c);
			}
			printf("%-9s %-20s %9.0f %9.0f %7.2f %12.2f %12.2f\n", flat ? "plane" : "space", name[p],
				   1e9 * o[0].seconds / SMALL, 1e9 * o[1].seconds / SMALL, o[1].seconds / o[0].seconds,
				   (double)o[0].count.comparisons / SMALL / 4, (double)o[1].count.comparisons / SMALL / 4);
			fflush(stdout);
		}
}

/* ------------------------------------------------------------------ two bodies */

/* mesh: mesh size in m to which all cells are refined */
static void two_row(const char *name, real mesh)
{
	crowd *c = crowd_new(2, false);
	broad_search s = {.bounded = true, .area_high = {1, 1, 1}, .mesh = mesh};
	box_pairs found = {0};
	int first = 0, again = 0, compared = 0;
	int64_t vertices = 0, least = INT64_MAX, most = 0;
	c->half[0] = c->half[1] = 0.015;
	for (int i = 1; i <= 9500; ++i) {
		real t = 1e-4 * i, from[2] = {(real)2 / 9, (real)2 / 3};
		for (int b = 0; b < 2; ++b)
			for (int d = 0; d < 3; ++d) c->at[d][b] = 0.05 + from[b] + t * (0.5 - from[b]);
		box_list l = boxes_of(c);
		int64_t before = s.count.comparisons;
		scree_broad_search(&s, scree_broad_find(name), &l, true, &found);
		if (s.count.comparisons > before && ++compared == 1) first = i;
		if (s.count.comparisons > before && again == 0 && compared > 1) again = i;
		if (i % 50 == 3 || s.count.comparisons > before) vertices = levels_grid_vertices(&s);
		if (!vertices) continue;
		least = vertices < least ? vertices : least;
		most = vertices > most ? vertices : most;
	}
	printf("%-20s %6.3g m %9d %9d %9d %9lld %9lld\n", name, mesh, first, again, compared, (long long)least,
		   (long long)most);
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
	crowd_free(c);
}

static void measure_two(void)
{
	printf("two: iterations in which the two bodies are compared, of 9,500; vertices of all cells, least and most\n");
	printf("%-20s %8s %9s %9s %9s %9s %9s\n", "phase", "base", "first", "then from", "times", "vertices", "most");
	/* the paper's h_max gives 1/9 everywhere, but its vertex counts show that its adaptive grids start with 1/3 */
	two_row("levels/regular", 0.3);
	for (int k = 0; k < 2; ++k) {
		two_row("levels/adaptive", k ? 0.34 : 0.3);
		two_row("levels/reluctant", k ? 0.34 : 0.3);
	}
}

/* ------------------------------------------------------------------ steps */

static int rising(const void *a, const void *b)
{
	real x = *(const real *)a, y = *(const real *)b;
	return (x > y) - (x < y);
}

static const char *const kept_phase[] = {"levels/regular", "levels/adaptive", "levels/reluctant"};

/* Computes the shortest and the median time in which a body crosses a cell of its level along any axis. If all bodies
 * have the same step, the shortest time limits this step. */
static void print_steps(const broad_search *s, const crowd *c, const char *what)
{
	real *time = scree_alloc((size_t)c->count, sizeof *time), narrowest = INFINITY;
	for (int32_t i = 0; i < c->count; ++i) {
		real speed = 0, width = levels_cell_width(s, i);
		for (int d = 0; d < 3; ++d) speed = real_max(speed, real_abs(c->v[d][i]));
		time[i] = width / speed;
		narrowest = real_min(narrowest, width);
	}
	qsort(time, (size_t)c->count, sizeof *time, rising);
	printf("%-24s %-18s %12.5f %12.4g %12.4g\n", what, s->by->name, narrowest, time[0], time[c->count / 2]);
	scree_free(time);
}

static void steps_of_two(const char *name)
{
	static const int told[] = {20, 6400, 8600};
	crowd *c = crowd_new(2, false);
	broad_search s = {.bounded = true, .area_high = {1, 1, 1}, .mesh = 0.3};
	box_pairs found = {0};
	const real from[2] = {(real)2 / 9, (real)2 / 3};
	c->half[0] = c->half[1] = 0.015;
	for (int i = 1, k = 0; k < 3; ++i) {
		for (int b = 0; b < 2; ++b)
			for (int d = 0; d < 3; ++d) {
				c->v[d][b] = 0.5 - from[b];
				c->at[d][b] = 0.05 + from[b] + 1e-4 * i * c->v[d][b];
			}
		box_list l = boxes_of(c);
		scree_broad_search(&s, scree_broad_find(name), &l, true, &found);
		if (i < told[k]) continue;
		char what[32];
		snprintf(what, sizeof what, "two, iteration %d", told[k++]);
		print_steps(&s, c, what);
	}
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
	crowd_free(c);
}

/* wider: edge of the cube divided by the edge for a solid fraction of 0.3. Velocities along each axis are normally
 * distributed with a standard deviation of 1 m/s, and the largest body is 1 m wide. */
static void steps_of_motion(int ratio, real wider, const char *name)
{
	crowd *c = mixture(ratio, 10000);
	broad_search s = {0};
	box_pairs found = {0};
	random_stream r = scree_random_start(2, (uint64_t)ratio);
	for (int d = 0; d < 3; ++d)
		for (int32_t i = 0; i < c->count; ++i) {
			c->at[d][i] *= wider;
			c->v[d][i] = scree_random_normal(&r);
		}
	box_list l = boxes_of(c);
	for (int k = 0; k < 2 * WARM; ++k) scree_broad_search(&s, scree_broad_find(name), &l, true, &found);
	char what[32];
	snprintf(what, sizeof what, "1:%d, %.4f solid", ratio, 0.3 / (wider * wider * wider));
	print_steps(&s, c, what);
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
	crowd_free(c);
}

static void measure_steps(void)
{
	printf("steps: m of the narrowest cells with bodies; s in which a body goes through a cell of its own, least and "
		   "middle\n");
	printf("%-24s %-18s %12s %12s %12s\n", "", "phase", "cells", "least", "middle");
	for (int p = 0; p < 3; ++p) steps_of_two(kept_phase[p]);
	for (int ratio = 1; ratio <= 81; ratio *= 9)
		for (int wider = 1; wider <= 10; wider += 9)
			for (int p = 0; p < 3; ++p) steps_of_motion(ratio, wider, kept_phase[p]);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*measure)(void);
	} part[] = {{"ratios", measure_ratios}, {"giants", measure_giants}, {"two", measure_two}, {"steps", measure_steps}};
	scree_set_threads(1);
	for (int k = 0; k < 4; ++k)
		if (argc < 2 || !strcmp(argv[1], part[k].name)) part[k].measure();
	return 0;
}
