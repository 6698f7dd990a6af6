/* triangle_pairs.h: the pairs of triangles with which bench/tritri.c and its peer are timed, with the same numbers in
 * both programs, in C and C++. */
#ifndef SCREE_BENCH_TRIANGLE_PAIRS_H
#define SCREE_BENCH_TRIANGLE_PAIRS_H

#include <math.h>
#include <stdint.h>

enum { TIMED_PAIRS = 6400, GRAIN = 80 };

/* random number from 0 to 1 (Steele, Lea and Flood 2014) */
static double pairs_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static void pairs_triangle(uint64_t *state, double at[9])
{
	for (int k = 0; k < 9; ++k) at[k] = pairs_random(state) - 0.5;
}

/* random triangles of size 1, moved apart along x until the boxes are `low` to `high` apart */
static void pairs_apart(double to[TIMED_PAIRS][18], double low, double high)
{
	uint64_t state = 1;
	for (int i = 0; i < TIMED_PAIRS; ++i) {
		double *a = to[i], *b = a + 9, most = -1, least = 1;
		pairs_triangle(&state, a);
		pairs_triangle(&state, b);
		for (int k = 0; k < 9; k += 3) {
			most = a[k] > most ? a[k] : most;
			least = b[k] < least ? b[k] : least;
		}
		double way = most - least + low + (high - low) * pairs_random(&state);
		for (int k = 0; k < 9; k += 3) b[k] += way;
	}
}

/* The closest points are 0 to 0.02 apart along x: alternately a corner over a face, two crossed edges, and two corners;
 * the pair is then rotated. */
static void pairs_touching(double to[TIMED_PAIRS][18])
{
	uint64_t state = 2;
	for (int i = 0; i < TIMED_PAIRS; ++i) {
		double *p = to[i], gap = 0.02 * pairs_random(&state);
		pairs_triangle(&state, p);
		pairs_triangle(&state, p + 9);
		int in_plane = i % 3 == 0 ? 3 : i % 3 == 1 ? 2 : 1, other = i % 3 == 1 ? 2 : 1;
		for (int k = 0; k < 3; ++k) {
			p[3 * k] = k < in_plane ? 0 : -fabs(p[3 * k]) - 0.05;
			p[9 + 3 * k] = k < other ? gap : gap + fabs(p[9 + 3 * k]) + 0.05;
		}
		double s = 0.1 + 0.8 * pairs_random(&state), t = 0.1 + 0.8 * pairs_random(&state);
		for (int c = 1; c < 3; ++c) { /* the closest points of both triangles */
			double on_a = i % 3 == 0   ? (1 - s) * p[c] + s * ((1 - t) * p[3 + c] + t * p[6 + c])
						  : i % 3 == 1 ? (1 - s) * p[c] + s * p[3 + c]
									   : p[c];
			double on_b = i % 3 == 1 ? (1 - t) * p[9 + c] + t * p[12 + c] : p[9 + c];
			for (int k = 9; k < 18; k += 3) p[k + c] += on_a - on_b;
		}
		for (int k = 0; k < 18; k += 3) { /* two rotations with given sines */
			double x = 0.6 * p[k] - 0.8 * p[k + 1], y = 0.8 * p[k] + 0.6 * p[k + 1], z = p[k + 2];
			p[k] = x, p[k + 1] = (5 * y - 12 * z) / 13, p[k + 2] = (12 * y + 5 * z) / 13;
		}
	}
}

/* corner k of side s of an icosahedron */
static void pairs_icosahedron(int s, int k, double at[3])
{
	static const int side[20][3] = {{0, 11, 5},	 {0, 5, 1},	 {0, 1, 7},	 {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
									{11, 10, 2}, {10, 7, 6}, {7, 1, 8},	 {3, 9, 4},	 {3, 4, 2},	  {3, 2, 6}, {3, 6, 8},
									{3, 8, 9},	 {4, 9, 5},	 {2, 4, 11}, {6, 2, 10}, {8, 6, 7},	  {9, 8, 1}};
	double g = (1 + sqrt(5)) / 2, n = sqrt(1 + g * g);
	int c = side[s][k], which = c / 4, sign = c % 4;
	double one = (sign & 1 ? 1 : -1) / n, other = (sign & 2 ? -g : g) / n;
	double p[3] = {which == 2	? other
				   : which == 0 ? one
								: 0,
				   which == 0	? other
				   : which == 1 ? one
								: 0,
				   which == 1	? other
				   : which == 2 ? one
								: 0};
	for (int x = 0; x < 3; ++x) at[x] = p[x];
}

/* A grain of 80 triangles: a ball of diameter 1 whose corners are moved inwards by up to a quarter, depending on their
 * position. The grain is not quite closed, which does not matter for these timings. */
static void pairs_grain(double to[GRAIN][9])
{
	for (int s = 0; s < 20; ++s) {
		double c[6][3];
		for (int k = 0; k < 3; ++k) pairs_icosahedron(s, k, c[k]);
		for (int k = 0; k < 3; ++k)
			for (int x = 0; x < 3; ++x) c[3 + k][x] = c[k][x] + c[(k + 1) % 3][x];
		for (int k = 0; k < 6; ++k) {
			double n = sqrt(c[k][0] * c[k][0] + c[k][1] * c[k][1] + c[k][2] * c[k][2]);
			double bump = 0.5 * (0.875 + 0.125 * sin(9 * c[k][0] / n + 7 * c[k][1] / n + 5 * c[k][2] / n));
			for (int x = 0; x < 3; ++x) c[k][x] *= bump / n;
		}
		static const int part[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
		for (int t = 0; t < 4; ++t)
			for (int k = 0; k < 9; ++k) to[4 * s + t][k] = c[part[t][k / 3]][k % 3];
	}
}

/* all triangles of a grain with all triangles of its mirror image, 0.01 away */
static void pairs_grains(double to[TIMED_PAIRS][18])
{
	static double grain[GRAIN][9];
	double most = 0;
	pairs_grain(grain);
	for (int i = 0; i < GRAIN; ++i)
		for (int k = 0; k < 9; k += 3) most = grain[i][k] > most ? grain[i][k] : most;
	for (int i = 0; i < TIMED_PAIRS; ++i)
		for (int k = 0; k < 9; ++k) {
			to[i][k] = grain[i / GRAIN][k];
			/* rotated about x, so that no edges are exactly parallel */
			const double *b = grain[i % GRAIN];
			double turned[3] = {2 * most + 0.01 - b[k - k % 3], 0.8 * b[k - k % 3 + 1] - 0.6 * b[k - k % 3 + 2],
								0.6 * b[k - k % 3 + 1] + 0.8 * b[k - k % 3 + 2]};
			to[i][9 + k] = turned[k % 3];
		}
}

#endif
