/* surfaces: pairs per second for neighbouring granulates of about 65 triangles (the hull of 50 points on a ball that
 * are moved inwards by up to a quarter; seed 002), with all contacts of their halos, and the stage that gave each
 * result. The program then measures bumpy balls with more triangles, with and without surrogates, and tests of all
 * pairs of triangles, with and without bounding spheres as a last filter, as in section 7 of seed 002. bench_surfaces
 * [FILE] writes the granulates for peer_fcl_mesh.
 *
 * The shortest time of several rounds is printed, since other programs on the machine can only add time. */
#include "base/memory.h"
#include "base/random.h"
#include "kernel/quat.h"
#include "narrow/surface/surface.h"
#include "narrow/triangle/triangles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAIRS = 400, ROUNDS = 30, LARGE_PAIRS = 12, LARGE_ROUNDS = 60 };
static const real HALO = 0.005;

typedef struct pair {
	placed_surface a, b;
} pair;

static pair all[PAIRS];
static trimesh grain[2 * PAIRS];
static int pairs, rounds;
static surface_scratch scratch;
static point_list list;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void make_grain(random_stream *r, trimesh *m)
{
	vec3 p[50];
	for (int k = 0; k < 50; ++k) p[k] = v3_mul(scree_random_between(r, 0.375, 0.5), scree_random_direction(r));
	shapes s = {0};
	fail why = {0};
	if (scree_shapes_add_hull(&s, "grain", 50, p, &why) != 0 || !scree_trimesh_of_convex(m, s.row)) exit(1);
	scree_shapes_free(&s);
}

/* a new corner at the midpoint of each side */
static int32_t between(vec3 *p, int32_t *count, int32_t a, int32_t b)
{
	const vec3 m = v3_unit(v3_add(p[a], p[b]));
	for (int32_t k = 0; k < *count; ++k)
		if (v3_norm2(v3_sub(p[k], m)) < 1e-12) return k;
	p[*count] = m;
	return (*count)++;
}

/* A surface with 20 4^n triangles: an icosahedron with bumps, whose faces are divided into four, n times. */
static void make_bumpy(random_stream *r, int n, trimesh *m)
{
	static const int32_t twenty[60] = {0, 11, 5,  0, 5,	 1, 0, 1, 7, 0, 7,	10, 0, 10, 11, 1, 5, 9, 5, 11,
									   4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,	9,	4, 3,  4,  2, 3, 2, 6, 3,
									   6, 8,  3,  8, 9,	 4, 9, 5, 2, 4, 11, 6,	2, 10, 8,  6, 7, 9, 8, 1};
	const real g = (1 + sqrt(5.0)) / 2, sign[2] = {-1, 1};
	int32_t triangles = 20, count = 12;
	vec3 *p = scree_alloc((size_t)10 << (2 * n) | 2, sizeof *p);
	int32_t *t = scree_alloc((size_t)60 << (2 * n), sizeof *t), *u = scree_alloc((size_t)60 << (2 * n), sizeof *u);
	for (int k = 0; k < 4; ++k) {
		const real one = sign[k % 2], phi = k < 2 ? g : -g;
		p[k] = v3_unit(v3(one, phi, 0)), p[4 + k] = v3_unit(v3(0, one, phi)), p[8 + k] = v3_unit(v3(phi, 0, one));
	}
	memcpy(t, twenty, sizeof twenty);
	for (int level = 0; level < n; ++level, triangles *= 4) {
		for (int32_t k = 0; k < triangles; ++k) {
			const int32_t *c = t + 3 * k, a = between(p, &count, c[0], c[1]), b = between(p, &count, c[1], c[2]);
			const int32_t d = between(p, &count, c[2], c[0]), of[12] = {c[0], a, d, c[1], b, a, c[2], d, b, a, b, d};
			memcpy(u + 12 * k, of, sizeof of);
		}
		int32_t *swap = t;
		t = u, u = swap;
	}
	const vec3 shift = v3_mul(6, scree_random_direction(r));
	for (int32_t k = 0; k < count; ++k) {
		const vec3 x = v3_add(v3_mul(9, p[k]), shift);
		p[k] = v3_mul((real)0.5 + (real)0.02 * (sin(x.x) * cos(x.y) + sin(x.y) * cos(x.z) + sin(x.z) * cos(x.x)), p[k]);
	}
	fail why = {0};
	if (!scree_trimesh_build(m, "bumpy", count, p, triangles, t, &why)) {
		fprintf(stderr, "%s\n", why.text);
		exit(1);
	}
	scree_free(p), scree_free(t), scree_free(u);
}

static int32_t contacts_of(const pair *p, bool *crossed)
{
	list.count = 0;
	scree_surface_surface(&p->a, &p->b, &scratch, &list, crossed);
	return list.count;
}

/* cuts: how many times the faces of bumpy balls are subdivided; negative for granulates. far: gap between the halos,
 * divided by the diameter; negative if the halos touch
 */
static void make_pairs(int cuts, real far)
{
	random_stream r = scree_random_start(1, 1);
	for (int i = 0; i < pairs; ++i) {
		pair *p = all + i;
		for (int k = 2 * i; k < 2 * i + 2; ++k)
			if (cuts < 0)
				make_grain(&r, grain + k);
			else
				make_bumpy(&r, cuts, grain + k);
		vec3 way = scree_random_direction(&r);
		p->a = (placed_surface){
			.of = grain + 2 * i, .turn = quat_matrix(scree_random_rotation(&r)), .size = 1, .halo = HALO};
		p->b = (placed_surface){.of = grain + 2 * i + 1, .turn = quat_matrix(scree_random_rotation(&r)), .size = 1};
		p->b.halo = HALO;
		real low = 0, high = 2;
		for (int k = 0; k < 40; ++k) {
			bool crossed;
			p->b.at = v3_mul((low + high) / 2, way);
			if (contacts_of(p, &crossed) || crossed)
				low = (low + high) / 2;
			else
				high = (low + high) / 2;
		}
		p->b.at = v3_mul(high + far, way);
	}
}

static void write_pairs(FILE *f)
{
	for (int i = 0; i < pairs; ++i)
		for (int k = 0; k < 2; ++k) {
			const placed_surface *p = k ? &all[i].b : &all[i].a;
			fprintf(f, "%d %d\n", p->of->vertices, p->of->triangles);
			for (int32_t v = 0; v < p->of->vertices; ++v) {
				vec3 x = v3_add(p->at, mat3_mul(p->turn, p->of->vertex[v]));
				fprintf(f, "%.17g %.17g %.17g\n", x.x, x.y, x.z);
			}
			for (int32_t t = 0; t < p->of->triangles; ++t)
				fprintf(f, "%d %d %d\n", p->of->corner[3 * t], p->of->corner[3 * t + 1], p->of->corner[3 * t + 2]);
		}
}

static void measure(const char *name)
{
	double least = 1e30;
	int64_t contacts = 0, triangles = 0;
	for (int round = 0; round < rounds; ++round) {
		scratch.counts = (surface_counts){0};
		contacts = 0;
		double start = now();
		for (int i = 0; i < pairs; ++i) {
			bool crossed;
			contacts += contacts_of(all + i, &crossed);
		}
		double t = (now() - start) / pairs;
		least = t < least ? t : least;
	}
	for (int i = 0; i < 2 * pairs; ++i) triangles += grain[i].triangles;
	const surface_counts *c = &scratch.counts;
	printf("%-6s scree %9.0f ns a pair %9.0f pairs/s  %.1f triangles  %.2f contacts\n", name, least, 1e9 / least,
		   (double)triangles / (2 * pairs), (double)contacts / pairs);
	printf("%-6s a pair: tree %.1f surrogates %.1f planes %.1f slab %.1f newton %.2f brute %.2f thorough %.3f "
		   "uncertified %.0f no minima %.2f "
		   "duplicates %.3f; boxes %.2f\n",
		   name, (double)c->tree / pairs, (double)c->surrogates / pairs, (double)c->planes / pairs,
		   (double)c->slab / pairs, (double)c->newton / pairs, (double)c->brute / pairs, (double)c->thorough / pairs,
		   (double)c->uncertified, (double)c->no_minima / pairs, (double)c->duplicates / pairs,
		   (double)c->boxes / pairs);
}

/* ------------------------------------------------------------------ spheres around triangles */

/* triangles of one body in the layout that the search needs */
typedef struct placed_triangles {
	int32_t count;
	double *c[9], *sphere[4]; /* centre and radius */
} placed_triangles;

static placed_triangles place(const placed_surface *s)
{
	placed_triangles o = {.count = s->of->triangles};
	for (int k = 0; k < 9; ++k) o.c[k] = scree_alloc((size_t)o.count, sizeof *o.c[k]);
	for (int k = 0; k < 4; ++k) o.sphere[k] = scree_alloc((size_t)o.count, sizeof *o.sphere[k]);
	for (int32_t t = 0; t < o.count; ++t) {
		vec3 p[3], middle = v3(0, 0, 0);
		real r2 = 0;
		for (int k = 0; k < 3; ++k) {
			p[k] = v3_add(s->at, mat3_mul(s->turn, v3_mul(s->size, s->of->vertex[s->of->corner[3 * t + k]])));
			o.c[3 * k][t] = p[k].x, o.c[3 * k + 1][t] = p[k].y, o.c[3 * k + 2][t] = p[k].z;
			middle = v3_madd(middle, (real)1 / 3, p[k]);
		}
		for (int k = 0; k < 3; ++k) r2 = real_max(r2, v3_norm2(v3_sub(p[k], middle)));
		o.sphere[0][t] = middle.x, o.sphere[1][t] = middle.y, o.sphere[2][t] = middle.z, o.sphere[3][t] = sqrt(r2);
	}
	return o;
}

static void placed_free(placed_triangles *o)
{
	for (int k = 0; k < 9; ++k) scree_free(o->c[k]);
	for (int k = 0; k < 4; ++k) scree_free(o->sphere[k]);
}

enum { WAITING = 64 };
typedef struct waiting {
	int count;
	double c[18][WAITING];
	triangle_gap gap[WAITING];
	triangle_counts by;
} waiting;

static void compare(waiting *o, real reach)
{
	triangle_pairs p = {.count = o->count};
	for (int k = 0; k < 9; ++k) p.a[k] = o->c[k], p.b[k] = o->c[9 + k];
	const triangle_search how = scree_triangles_certified(reach);
	if (o->count) scree_triangles(&p, &how, o->gap, &o->by);
	o->count = 0;
}

static bool spheres_meet(const placed_triangles *a, int32_t t, const placed_triangles *b, int32_t u, real reach)
{
	real d2 = 0, r = a->sphere[3][t] + b->sphere[3][u] + reach;
	for (int k = 0; k < 3; ++k) d2 += (a->sphere[k][t] - b->sphere[k][u]) * (a->sphere[k][t] - b->sphere[k][u]);
	return d2 <= r * r;
}

/* pairs of triangles whose distances remain to be found */
static int64_t all_triangles(const placed_triangles *a, const placed_triangles *b, bool filter, waiting *o)
{
	int64_t left = 0;
	for (int32_t t = 0; t < a->count; ++t)
		for (int32_t u = 0; u < b->count; ++u) {
			if (filter && !spheres_meet(a, t, b, u, 2 * HALO)) continue;
			for (int k = 0; k < 9; ++k) o->c[k][o->count] = a->c[k][t], o->c[9 + k][o->count] = b->c[k][u];
			++left;
			if (++o->count == WAITING) compare(o, 2 * HALO);
		}
	compare(o, 2 * HALO);
	return left;
}

/* all pairs without a filter and with bounding spheres, as a reference for the trees */
static void measure_spheres(const char *name)
{
	static waiting o;
	for (int filter = 0; filter < 2; ++filter) {
		double least = 1e30;
		int64_t left = 0;
		for (int round = 0; round < rounds / 6; ++round) {
			left = 0;
			o.by = (triangle_counts){{0}};
			double start = now();
			for (int i = 0; i < pairs; ++i) {
				placed_triangles a = place(&all[i].a), b = place(&all[i].b);
				left += all_triangles(&a, &b, filter, &o);
				placed_free(&a), placed_free(&b);
			}
			double t = (now() - start) / pairs;
			least = t < least ? t : least;
		}
		printf("%-6s all triangles, %s spheres: %9.0f ns a pair  %.1f left, of which by the slab %.1f\n", name,
			   filter ? "with" : "without", least, (double)left / pairs, (double)o.by.by[TRIANGLES_BY_SLAB] / pairs);
	}
}

static void measure_large(int cuts, const char *name, real far)
{
	char text[64];
	pairs = LARGE_PAIRS, rounds = LARGE_ROUNDS;
	make_pairs(cuts, far);
	trimesh_surrogate *kept[2 * LARGE_PAIRS];
	for (int turn = 0; turn < 2; ++turn) {
		snprintf(text, sizeof text, "%s %s", name, turn ? "with boxes alone" : "with surrogates");
		measure(text);
		for (int i = 0; i < 2 * pairs && !turn; ++i) kept[i] = grain[i].surrogate, grain[i].surrogate = NULL;
	}
	for (int i = 0; i < 2 * pairs; ++i) grain[i].surrogate = kept[i], scree_trimesh_free(grain + i);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		real far;
	} kind[] = {{"touch", -HALO}, {"near", 0.02}, {"apart", 0.2}};
	FILE *f = argc > 1 ? fopen(argv[1], "w") : NULL;
	for (int k = 0; k < 3; ++k) {
		pairs = PAIRS, rounds = ROUNDS;
		make_pairs(-1, kind[k].far);
		measure(kind[k].name);
		measure_spheres(kind[k].name);
		if (f) write_pairs(f);
		for (int i = 0; i < 2 * pairs; ++i) scree_trimesh_free(grain + i);
	}
	for (int cuts = 3; cuts < 6; ++cuts)
		for (int k = 0; k < 2; ++k) measure_large(cuts, kind[k].name, kind[k].far);
	scree_surface_scratch_free(&scratch), scree_point_list_free(&list);
	return f && fclose(f) ? 4 : 0;
}
