/* sharing: milliseconds for the contacts of a step, for each way of dividing contacts of surfaces with a halo among
 * threads (narrow/sharing.c), with 1, 2, 4 .. threads up to the number of processors. usage: bench_sharing [TURNS
 * [SCENE]]
 *
 * grains: 500 granulates of about 65 triangles next to each other; the halos of half of the neighbours overlap.
 * rings1: two rings of 1,600 triangles, one on top of the other.
 * rings2: two rings of 6,400 triangles.
 * rings3: two rings of 25,600 triangles.
 * rings: two rings of 102,400 triangles.
 * both: the rings above the grains.
 * wall: a ring of 102,400 triangles on a wall of a million facets.
 *
 * The step is so short that no body moves. The methods are run alternately, and the shortest and the median time of all
 * rounds are printed, since other programs on the machine can only add time. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "base/maths.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "choices/choices.h"
#include "kernel/law_constants.h"
#include "kernel/quat.h"
#include "narrow/narrow.h"
#include "narrow/work.h"
#include "narrow/stage.h"
#include "narrow/surface/surface.h"
#include "prepare/prepare.h"
#include "world/world.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHAPES = 20, SIDE = 10, LAYERS = 5, FACETS = 707, STEPS = 1, MOST_TURNS = 1000 };
enum { MOST_COUNTS = 8 };
static const real D = 0.01; /* m */

typedef struct scene {
	const char *name;
	bool grains;
	int32_t ring, second; /* number of quads around the ring, which is twice the number across it */
	bool wall;
} scene;
static const scene scenes[] = {{"grains", true, 0, 0, false},	  {"rings1", false, 40, 40, false},
							   {"rings2", false, 80, 80, false},  {"rings3", false, 160, 160, false},
							   {"rings", false, 320, 320, false}, {"both", true, 320, 320, false},
							   {"wall", false, 320, 0, true}};

static void stop(const fail *why)
{
	fprintf(stderr, "bench_sharing: %s\n", why->text);
	exit((int)why->code);
}

static int32_t add_grain(scree_world *w, random_stream *r)
{
	vec3 p[50];
	for (int k = 0; k < 50; ++k) p[k] = v3_mul(scree_random_between(r, 0.375, 0.5), scree_random_direction(r));
	shapes s = {0};
	trimesh m = {0};
	fail why = {0};
	if (scree_shapes_add_hull(&s, "grain", 50, p, &why) != 0) stop(&why);
	if (!scree_trimesh_of_convex(&m, s.row)) exit(1);
	char name[16];
	snprintf(name, sizeof name, "grain%d", w->model.shape.count);
	int32_t row =
		scree_shapes_add_surface(&w->model.shape, name, m.vertices, m.vertex, m.triangles, m.corner, (real)0.05, &why);
	if (row < 0) stop(&why);
	scree_trimesh_free(&m);
	scree_shapes_free(&s);
	return row;
}

/* a ring with the given number of quads around it and a roughness of a hundredth */
static int32_t add_ring(scree_world *w, int32_t around)
{
	const int32_t across = around / 2;
	vec3 *v = scree_alloc((size_t)around * across, sizeof *v);
	int32_t *t = scree_alloc((size_t)around * across, 6 * sizeof *t), n = 0;
	random_stream r = scree_random_start(5, 1);
	for (int i = 0; i < around; ++i)
		for (int j = 0; j < across; ++j) {
			const real a = 2 * SCREE_PI * i / around, b = 2 * SCREE_PI * j / across;
			const real tube = (real)0.15 - scree_random_between(&r, 0, 0.0015), c = (real)0.35 + tube * scree_cos(b);
			v[i * across + j] = v3(c * scree_cos(a), c * scree_sin(a), tube * scree_sin(b));
		}
	for (int i = 0; i < around; ++i)
		for (int j = 0; j < across; ++j) {
			const int32_t k = (i + 1) % around, l = (j + 1) % across;
			const int32_t q[4] = {i * across + j, k * across + j, k * across + l, i * across + l};
			const int32_t corner[6] = {q[0], q[1], q[2], q[0], q[2], q[3]};
			for (int c = 0; c < 6; ++c) t[n++] = corner[c];
		}
	fail why = {0};
	int32_t row = scree_shapes_add_surface(&w->model.shape, "ring", around * across, v, n / 3, t, (real)0.002, &why);
	if (row < 0) stop(&why);
	scree_free(v);
	scree_free(t);
	return row;
}

/* a square wall with edges of length `wide`, centred on the origin */
static void add_wall(scree_world *w, real wide)
{
	const int32_t row = FACETS + 1;
	vec3 *v = scree_alloc((size_t)row * row, sizeof *v);
	int32_t *t = scree_alloc((size_t)FACETS * FACETS, 6 * sizeof *t), n = 0;
	for (int i = 0; i < row; ++i)
		for (int k = 0; k < row; ++k)
			v[row * i + k] = v3(wide * ((real)i / FACETS - (real)0.5), wide * ((real)k / FACETS - (real)0.5),
								wide / FACETS / 4 * ((i + k) % 2));
	for (int i = 0; i < FACETS; ++i)
		for (int k = 0; k < FACETS; ++k) {
			const int32_t at = row * i + k;
			const int32_t corner[6] = {at, at + row, at + row + 1, at, at + row + 1, at + 1};
			for (int c = 0; c < 6; ++c) t[n++] = corner[c];
		}
	fail why = {0};
	if (scree_walls_add_mesh(&w->model.wall, scree_wall_default("wall", 0), row * row, v, n / 3, t, &why) < 0)
		stop(&why);
	scree_free(v);
	scree_free(t);
}

static void add(scree_world *w, int32_t shape, real size, vec3 at, quat turn)
{
	const new_body b = {.shape = shape, .size = size, .position = at, .orientation = turn};
	scree_world_add(&w->model, &w->state, &w->work, 1, &b);
}

static scree_world *make(const scene *s)
{
	scree_world *w = scree_world_new();
	random_stream r = scree_random_start(1, 1);
	const material m = {.name = "stone", .density = 2500, .young = 1e7, .poisson = 0.25};
	scree_materials_add(&w->model.material, m);
	scree_materials_set_rule(&w->model.material, 0, 0, (contact_rule){.law = LAW_OVERLAP, .restitution = 0.5});
	w->model.narrow = scree_narrow_find("overlap-thickness");
	w->model.guard.overlap = 0;
	for (int k = 0; k < (s->grains ? SHAPES : 0); ++k) add_grain(w, &r);
	for (int k = 0; k < (s->grains ? SIDE * SIDE * LAYERS : 0); ++k) {
		const quat turn = scree_random_rotation(&r);
		add(w, k % SHAPES, D, v3(k % SIDE * D, k / SIDE % SIDE * D, k / SIDE / SIDE * D), turn);
	}
	if (s->wall) add_wall(w, 4 * 10 * D);
	const real size = 10 * D, z = s->wall ? (real)0.1525 * size : 10 * D;
	const int32_t ring = s->ring ? add_ring(w, s->ring) : 0;
	if (s->ring) add(w, ring, size, v3(0, 0, z), quat_one());
	if (s->second) add(w, ring, size, v3(0, 0, z + (real)0.302 * size), quat_one());
	fail why = {0};
	if (!scree_world_prepare(w, 0, 1e-12, &why)) stop(&why);
	if (!scree_steps(w, 30)) stop(&w->work.why);
	return w;
}

/* Moves each helper to its own processor, since a busy system leaves all threads on one processor. Each piece of work
 * waits until all threads have started one, so every thread gets one. */
static void pin(void *what, int64_t from, int64_t to, int thread)
{
	(void)from, (void)to;
	atomic_int *here = what;
	cpu_set_t set, one;
	int cpu = -1;
	sched_getaffinity(0, sizeof set, &set);
	for (int k = 0; k <= thread; ++k) do
			++cpu;
		while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &set));
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	atomic_fetch_add(here, 1);
	while (atomic_load(here) < scree_threads()) sched_yield();
	if (thread) sched_setaffinity(0, sizeof one, &one);
}

static void pin_helpers(void)
{
	atomic_int here = 0;
	scree_parallel(pin, &here, scree_threads(), 1);
}

static double contacts_of_steps(scree_world *w, const sharing *how, int threads)
{
	scree_set_threads(threads);
	w->model.share = how;
	if (!scree_steps(w, 1)) stop(&w->work.why);
	const double *s = w->work.clock.seconds, before = s[CLOCK_NARROW] + s[CLOCK_WALLS];
	if (!scree_steps(w, STEPS)) stop(&w->work.why);
	return (s[CLOCK_NARROW] + s[CLOCK_WALLS] - before) / STEPS;
}

static int rising(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void measure(const scene *s, int turns, int counts)
{
	enum { WAYS = 8 };
	static double took[WAYS][MOST_COUNTS][MOST_TURNS];
	scree_world *w = make(s);
	const surface_counts before = scree_surfaces_counted(&w->work);
	for (int turn = 0; turn < turns; ++turn)
		for (int way = 0; way < choice_count(&scree_sharings) && way < WAYS; ++way)
			for (int k = 0; k < counts; ++k) took[way][k][turn] = contacts_of_steps(w, scree_sharing_row(way), 1 << k);
	const surface_counts after = scree_surfaces_counted(&w->work);
	printf("%s: %lld contacts; %.6g pairs of triangles a step compared\n", s->name, (long long)w->work.touching,
		   (double)(after.slab + after.newton + after.brute - before.slab - before.newton - before.brute) /
			   (turns * counts * choice_count(&scree_sharings) * (STEPS + 1)));
	for (int way = 0; way < choice_count(&scree_sharings) && way < WAYS; ++way) {
		printf("%-6s %-16s ms, least and median of %d, by threads:", s->name, scree_sharing_row(way)->name, turns);
		for (int k = 0; k < counts; ++k) {
			qsort(took[way][k], (size_t)turns, sizeof(double), rising);
			printf("  %d: %.3f %.3f", 1 << k, 1e3 * took[way][k][0], 1e3 * took[way][k][turns / 2]);
		}
		printf("\n");
	}
	scree_world_free(w);
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 15, counts = 1;
	if (turns < 1 || turns > MOST_TURNS) return 2;
	scree_set_threads(0);
	pin_helpers();
	for (const int all = scree_threads(); counts < MOST_COUNTS && 1 << counts <= all;) ++counts;
	for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k)
		if (argc < 3 || !strcmp(argv[2], scenes[k].name)) measure(scenes + k, turns, counts);
	return 0;
}
