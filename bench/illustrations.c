/* illustrations: data from the engine for the figures about seed 002 in docs/theory. Prints tables to standard output,
 * each below a line `# NAME column,column,...`; bench/figures.py stores and draws them.
 *
 * grids: undivided cells of the adaptive and the reluctant grid around the bodies of Appendix B, in the plane, at
 *   three iterations (Fig. 5).
 * layout: a tetrahedron as stored in a shape, and as the columns that the search over pairs of triangles reads
 *   (Fig. 6).
 * closest: two triangles, their closest points and the weights of the points (Fig. 9).
 * penalty: the squared distance between a point and a triangle along one edge, with two penalties for points outside,
 *   and Newton's steps on it (Fig. 10). */
#include "traversal.h"

#include "kernel/triangle_newton.h"
#include "narrow/triangle/triangles.h"
#include "shape/mesh/trimesh.h"

#include "base/memory.h"
#include "broad/broad.h"
#include "choices/choices.h"

#include <stdio.h>

/* ------------------------------------------------------------------ grids */

typedef struct cells {
	const levels *s;
	const char *phase;
	int iteration;
} cells;

static void no_vertex(void *what, const level_place *p)
{
	(void)what;
	(void)p;
}

static void print_cell(void *what, const level_place *p, bool refined)
{
	const cells *o = what;
	if (refined) return;
	real wide = (real)o->s->mesh[p->level] / o->s->scale;
	printf("%d,%s,%.6f,%.6f,%.6f\n", o->iteration, o->phase, (real)p->at[0] * wide, (real)p->at[1] * wide, wide);
}

static void print_grids(const char *phase, const char *shown)
{
	static const int told[] = {3000, 6400, 9500};
	broad_search s = {.bounded = true, .area_high = {1, 1, 1}, .mesh = 0.3};
	box_pairs found = {0};
	const real from[2] = {(real)2 / 9, (real)2 / 3}, half = 0.015;
	real side[6][2] = {{0}};
	box_list l = {.count = 2, .low = {side[0], side[1], side[2]}, .high = {side[3], side[4], side[5]}, .flat = true};
	for (int i = 1, k = 0; k < 3; ++i) {
		for (int b = 0; b < 2; ++b)
			for (int d = 0; d < 2; ++d) {
				real at = 0.05 + from[b] + 1e-4 * i * (0.5 - from[b]);
				side[d][b] = at - half;
				side[d + 3][b] = at + half;
			}
		scree_broad_search(&s, scree_broad_find(phase), &l, true, &found);
		if (i < told[k]) continue;
		cells o = {s.memory, shown, told[k++]};
		traversal_events e = {&o, no_vertex, print_cell};
		traverse(&s, TRAVERSAL_PEANO, &e);
		for (int b = 0; b < 2; ++b)
			printf("%d,%s body,%.6f,%.6f,%.6f\n", o.iteration, shown, side[0][b], side[1][b], 2 * half);
	}
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
}

/* ------------------------------------------------------------------ layout */

static bool print_layout(void)
{
	static const vec3 vertex[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	static const int32_t corner[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
	trimesh m = {0};
	fail why = {0};
	if (!scree_trimesh_build(&m, "tetrahedron", 4, vertex, 4, corner, &why)) {
		fprintf(stderr, "illustrations: %s\n", why.text);
		return false;
	}
	for (int32_t v = 0; v < m.vertices; ++v)
		printf("vertex,%d,%g,%g,%g\n", v, m.vertex[v].x, m.vertex[v].y, m.vertex[v].z);
	for (int32_t t = 0; t < m.triangles; ++t) {
		const int32_t *c = m.corner + 3 * t;
		printf("triangle,%d,%d,%d,%d\n", t, c[0], c[1], c[2]);
	}
	/* the x-coordinates of the three corners of triangle t, as in the columns of pairs */
	for (int32_t t = 0; t < m.triangles; ++t) {
		const int32_t *c = m.corner + 3 * t;
		printf("x of pair,%d,%g,%g,%g\n", t, m.vertex[c[0]].x, m.vertex[c[1]].x, m.vertex[c[2]].x);
	}
	scree_trimesh_free(&m);
	return true;
}

/* ------------------------------------------------------------------ closest points */

static void print_point(const char *what, const double at[3], double b, double c)
{
	printf("%s,%.6f,%.6f,%.6f,%.6f,%.6f\n", what, at[0], at[1], at[2], b, c);
}

static void print_closest(void)
{
	static const double a[9] = {0, 0, 0, 1, 0.1, 0, 0.3, 0.9, 0.1},
						b[9] = {0.55, 0.1, 0.75, 1.2, 0.8, 0.5, 0.2, 0.9, 1.1};
	triangle_pairs p = {.count = 1};
	triangle_search s = scree_triangles_certified(10);
	triangle_gap g;
	triangle_counts counts = {{0}};
	for (int k = 0; k < 9; ++k) p.a[k] = a + k, p.b[k] = b + k;
	scree_triangles(&p, &s, &g, &counts);
	static const char *const name[6] = {"A", "B", "C", "D", "E", "F"};
	for (int k = 0; k < 6; ++k) print_point(name[k], k < 3 ? a + 3 * k : b + 3 * (k - 3), 0, 0);
	double x[3], y[3];
	for (int d = 0; d < 3; ++d) {
		x[d] = a[d] + g.a_b * (a[3 + d] - a[d]) + g.a_c * (a[6 + d] - a[d]);
		y[d] = b[d] + g.b_b * (b[3 + d] - b[d]) + g.b_c * (b[6 + d] - b[d]);
	}
	print_point("X", x, g.a_b, g.a_c);
	print_point("Y", y, g.b_b, g.b_c);
	printf("distance,%.6f,%.3g,%.3g,0,0\n", g.distance, g.low - g.distance, g.high - g.distance);
}

/* ------------------------------------------------------------------ a penalty */

/* A triangle with edges of length 1 and 0.8, and a point beyond the end of the first edge, stored as a degenerate
 * triangle. */
static tri_pair point_beyond(void)
{
	const tri3 y = {1.45, 0, 0.5};
	return (tri_pair){.a1 = {1, 0, 0}, .a2 = {0, 0.8, 0}, .b0 = y, .b1 = y, .b2 = y};
}

/* the squared distance, and half of the squared excess beyond a border, whose derivative is used by tri_newton_step */
static void price(const tri_pair *p, tri_weights at, double *distance2, double *beyond)
{
	tri_places o = {at, {0, 0}};
	tri3 w = tri_newton_between(p, o);
	tri_borders g = tri_borders_of(at);
	double third = real_max(at.b + at.c - 1, 0), b = g.gb - third, c = g.gc - third;
	*distance2 = t3_dot(w, w);
	*beyond = 0.5 * (b * b + c * c + third * third);
}

static double mean_of(const tri_pair *p)
{
	tri3 j0 = t3_sub(p->a1, p->a0), j1 = t3_sub(p->a2, p->a0);
	return 0.5 * (t3_dot(j0, j0) + t3_dot(j1, j1)); /* as in tri_newton_step, for two edges of zero length */
}

static void print_penalty(void)
{
	const tri_pair p = point_beyond();
	const double strong = TRI_PENALTY * mean_of(&p), weak = strong / 2000;
	double f, beyond;
	for (int k = -30; k <= 170; ++k) {
		price(&p, (tri_weights){k / 100.0, 0}, &f, &beyond);
		printf("curve,%.3f,%.6f,%.6f,%.6f\n", k / 100.0, f, f + weak * beyond, f + strong * beyond);
	}
	tri_places at = tri_newton_start();
	for (int step = 0; step <= 4; ++step) {
		price(&p, at.a, &f, &beyond);
		printf("step %d,%.6f,%.6f,%.6f,%.6f\n", step, at.a.b, f, f + weak * beyond, f + strong * beyond);
		at = tri_newton_step(&p, at).at;
	}
}

int main(void)
{
	printf("# grids iteration,phase,x,y,width\n");
	print_grids("levels/adaptive", "adaptive");
	print_grids("levels/reluctant", "reluctant");
	printf("# layout what,number,first,second,third\n");
	if (!print_layout()) return 70;
	printf("# closest what,x,y,z,b,c\n");
	print_closest();
	printf("# penalty what,b,f,P_weak,P\n");
	print_penalty();
	return 0;
}
