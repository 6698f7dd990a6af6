/* balls2d: what it costs to find and to make the collisions of a frame, for the simulation of the page "Grouping the
 * particles": 3,000 balls of diameter 4 in an area 600 wide and 6,000 high under gravity, an atmosphere with a scale
 * height of 360. bench_balls2d [BROAD [THREADS]]: one broad phase; all of them and one thread unless given.
 *
 * A frame is a step. The collision part is the search for pairs, contacts with walls and the impulses; flight and
 * output are not counted. The page says 28 ms for all pairs, 3.4 ms for vertical and 2.0 ms for horizontal slots, in a
 * browser on a laptop. The mean of the best of many rounds of 100 frames is printed, since a busy machine only ever
 * adds. */
#include "base/maths.h"
#include "base/parallel.h"
#include "base/random.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BALLS = 3000, ROUNDS = 100, FRAMES = 100, WARM = 500 };

static const real DIAMETER = (real)0.004, WIDE = (real)0.6, HIGH = 6, SCALE_HEIGHT = (real)0.36, GRAVITY = (real)9.81;

static void stop(const char *why)
{
	fprintf(stderr, "bench_balls2d: %s\n", why);
	exit(70);
}

static void add_walls(scree_world *w)
{
	const vec3 point[4] = {{0, 0, 0}, {WIDE, 0, 0}, {0, 0, 0}, {0, HIGH, 0}};
	const vec3 normal[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
	fail why = {0};
	for (int k = 0; k < 4; ++k)
		if (scree_walls_add_plane(&w->wall, scree_wall_default("side", 0), point[k], normal[k], &why) < 0)
			stop(why.text);
}

/* places of an exponential atmosphere without overlap, velocities of Maxwell's distribution */
static void add_balls(scree_world *w)
{
	random_stream r = scree_random_start(1, 1);
	static vec3 at[BALLS];
	real u = sqrt(GRAVITY * SCALE_HEIGHT);
	for (int k = 0; k < BALLS;) {
		real x = scree_random_between(&r, DIAMETER / 2, WIDE - DIAMETER / 2);
		real y = DIAMETER / 2 - SCALE_HEIGHT * scree_log(1 - scree_random_real(&r));
		bool is_free = y < HIGH - DIAMETER;
		for (int i = 0; i < k && is_free; ++i) is_free = v3_norm2(v3_sub(at[i], v3(x, y, 0))) > DIAMETER * DIAMETER;
		if (!is_free) continue;
		at[k] = v3(x, y, 0);
		new_body b = {.size = DIAMETER, .position = at[k++], .orientation = {1, 0, 0, 0}};
		b.velocity = v3(u * scree_random_normal(&r), u * scree_random_normal(&r), 0);
		scree_world_add(w, 1, &b);
	}
}

static scree_world *atmosphere(const broad *search)
{
	scree_world *w = scree_world_new();
	material stuff = {.name = "ivory", .density = 1800};
	scree_materials_add(&w->material, stuff);
	scree_materials_set_rule(&w->material, 0, 0, (contact_rule){.restitution = 1});
	scree_shapes_add_sphere(&w->shape, "ball");
	w->gravity = v3(0, -GRAVITY, 0);
	w->solver = scree_solvers;
	w->search = search;
	add_walls(w);
	add_balls(w);
	fail why = {0};
	if (!scree_world_prepare(w, 0, (real)4e-5, &why)) stop(why.text);
	return w;
}

static void frames(scree_world *w, int count)
{
	for (int k = 0; k < count; ++k)
		if (!scree_step(w)) stop(w->why.text);
}

static void measure(const broad *search)
{
	scree_world *w = atmosphere(search);
	const clock_stage parts[4] = {CLOCK_BROAD, CLOCK_NARROW, CLOCK_WALLS, CLOCK_SOLVER};
	double best[4] = {0}, least = 1e30;
	frames(w, WARM);
	int64_t collisions = w->impulse.collisions, searches = w->rebuilds;
	for (int round = 0; round < ROUNDS; ++round) {
		double sum = 0;
		memset(&w->clock, 0, sizeof w->clock);
		frames(w, FRAMES);
		for (int p = 0; p < 4; ++p) sum += w->clock.seconds[parts[p]];
		if (sum > least) continue;
		least = sum;
		for (int p = 0; p < 4; ++p) best[p] = w->clock.seconds[parts[p]];
	}
	const double all = ROUNDS * FRAMES, ms = 1e3 / FRAMES;
	printf("%-10s %.4f ms a frame: search %.4f, walls %.4f, impulses %.4f; %.1f collisions, a search in %.1f frames\n",
		   search->name, ms * least, ms * best[0], ms * (best[1] + best[2]), ms * best[3],
		   (double)(w->impulse.collisions - collisions) / all, all / (double)(w->rebuilds - searches));
	scree_world_free(w);
}

int main(int argc, char **argv)
{
	scree_set_threads(argc > 2 ? atoi(argv[2]) : 1);
	const broad *only = argc > 1 ? scree_broad_find(argv[1]) : NULL;
	if (argc > 1 && !only) stop("there is no such broad phase");
	for (int k = 0; k < scree_broad_count; ++k)
		if (!only || only == scree_broads + k) measure(scree_broads + k);
	return 0;
}
