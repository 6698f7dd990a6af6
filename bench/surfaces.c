/* surfaces: pairs of neighbouring granulates of some 65 triangles (50 points of a ball, drawn in by up to a quarter,
 * and their hull; seed 002) a second, with all contacts of their halos; and who answered. bench_surfaces [FILE]: writes
 * the pairs for peer_fcl_mesh.
 *
 * The least of several rounds is printed, since a busy machine only ever adds. */
#include "base/memory.h"
#include "base/random.h"
#include "kernel/quat.h"
#include "narrow/surface/surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PAIRS = 400, ROUNDS = 30 };
static const real HALO = 0.005;

typedef struct pair {
	placed_surface a, b;
} pair;

static pair all[PAIRS];
static trimesh grain[2 * PAIRS];
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

static int32_t contacts_of(const pair *p, bool *crossed)
{
	list.count = 0;
	scree_surface_surface(&p->a, &p->b, &scratch, &list, crossed);
	return list.count;
}

/* far: of the diameter, between the halos; < 0: they touch */
static void make_pairs(real far)
{
	random_stream r = scree_random_start(1, 1);
	for (int i = 0; i < PAIRS; ++i) {
		pair *p = all + i;
		make_grain(&r, grain + 2 * i), make_grain(&r, grain + 2 * i + 1);
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
	for (int i = 0; i < PAIRS; ++i)
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
	for (int round = 0; round < ROUNDS; ++round) {
		scratch.counts = (surface_counts){0};
		contacts = 0;
		double start = now();
		for (int i = 0; i < PAIRS; ++i) {
			bool crossed;
			contacts += contacts_of(all + i, &crossed);
		}
		double t = (now() - start) / PAIRS;
		least = t < least ? t : least;
	}
	for (int i = 0; i < 2 * PAIRS; ++i) triangles += grain[i].triangles;
	const surface_counts *c = &scratch.counts;
	printf("%-6s scree %9.0f ns a pair %9.0f pairs/s  %.1f triangles  %.2f contacts\n", name, least, 1e9 / least,
		   (double)triangles / (2 * PAIRS), (double)contacts / PAIRS);
	printf("%-6s a pair: tree %.1f slab %.1f newton %.2f brute %.2f thorough %.3f uncertified %.0f no minima %.2f "
		   "duplicates %.3f; boxes %.2f\n",
		   name, (double)c->tree / PAIRS, (double)c->slab / PAIRS, (double)c->newton / PAIRS, (double)c->brute / PAIRS,
		   (double)c->thorough / PAIRS, (double)c->uncertified, (double)c->no_minima / PAIRS,
		   (double)c->duplicates / PAIRS, (double)c->boxes / PAIRS);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		real far;
	} kind[] = {{"touch", -HALO}, {"near", 0.02}, {"apart", 0.2}};
	FILE *f = argc > 1 ? fopen(argv[1], "w") : NULL;
	for (int k = 0; k < 3; ++k) {
		make_pairs(kind[k].far);
		measure(kind[k].name);
		if (f) write_pairs(f);
		for (int i = 0; i < 2 * PAIRS; ++i) scree_trimesh_free(grain + i);
	}
	scree_surface_scratch_free(&scratch), scree_point_list_free(&list);
	return f && fclose(f) ? 4 : 0;
}
