/* balls2d: cost of finding and resolving the collisions of a frame. bench_balls2d [atmosphere|gas [BROAD [THREADS]]]
 * runs both set-ups with all broad phases and one thread by default.
 *
 * atmosphere: the case of the page "Grouping the particles". 3,000 balls of diameter 4 are in an area 600 wide and
 *   6,000 high under gravity, with a scale height of 360. A frame is a step. The page gives 28 ms for all pairs, 3.4 ms
 *   for vertical and 2.0 ms for horizontal slots in a browser on a laptop.
 * gas: 3,000 balls of radius 2 in a 600 by 6,000 box, with velocities of at most 100 along each axis and no gravity,
 *   as in the peer benchmarks (bench/peers/flat.h). A frame is 1/60 s, during which the fastest ball moves by more than
 *   its radius, so a frame has three steps, and balls never pass through each other.
 *
 * The collision part consists of the search for pairs, the contacts with walls and the impulses. The whole frame also
 * includes free flight, but not output. The mean time per frame in the best of many rounds is printed, since other
 * programs on the machine can only add time. */
#include "base/maths.h"
#include "base/parallel.h"
#include "base/random.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "model/respond.h"
#include "model/response.h"
#include "prepare/prepare.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BALLS = 3000,
	ROUNDS = 40,
	STEPS = 100,
	WARM = 500
}; /* number of steps per round, and of warm-up steps before the first round */

static const real DIAMETER = (real)0.004, WIDE = (real)0.6, HIGH = 6, SCALE_HEIGHT = (real)0.36, GRAVITY = (real)9.81;
static const real GAS_UNIT = 1000, GAS_SPEED = 100; /* units per metre of the atmosphere; speed in units per second */

typedef struct setup {
	const char *name;
	real unit, gravity, step; /* lengths are the above constants times the unit */
	int32_t steps;			  /* a frame */
	vec3 (*place)(random_stream *r), (*velocity)(random_stream *r);
} setup;

static void stop(const char *why)
{
	fprintf(stderr, "bench_balls2d: %s\n", why);
	exit(70);
}

static void add_walls(scree_world *w, real unit)
{
	const vec3 point[4] = {{0, 0, 0}, {unit * WIDE, 0, 0}, {0, 0, 0}, {0, unit * HIGH, 0}};
	const vec3 normal[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
	fail why = {0};
	for (int k = 0; k < 4; ++k)
		if (scree_walls_add_plane(&w->model.wall, scree_wall_default("side", 0), point[k], normal[k], &why) < 0)
			stop(why.text);
}

/* an exponential atmosphere with Maxwellian velocities */
static vec3 atmosphere_place(random_stream *r)
{
	real x = scree_random_between(r, DIAMETER / 2, WIDE - DIAMETER / 2);
	return v3(x, DIAMETER / 2 - SCALE_HEIGHT * scree_log(1 - scree_random_real(r)), 0);
}

static vec3 atmosphere_velocity(random_stream *r)
{
	real u = sqrt(GRAVITY * SCALE_HEIGHT), x = u * scree_random_normal(r);
	return v3(x, u * scree_random_normal(r), 0);
}

static vec3 gas_place(random_stream *r)
{
	real x = scree_random_between(r, DIAMETER / 2, WIDE - DIAMETER / 2);
	return v3_mul(GAS_UNIT, v3(x, scree_random_between(r, DIAMETER / 2, HIGH - DIAMETER / 2), 0));
}

static vec3 gas_velocity(random_stream *r)
{
	real x = scree_random_between(r, -GAS_SPEED, GAS_SPEED);
	return v3(x, scree_random_between(r, -GAS_SPEED, GAS_SPEED), 0);
}

static const setup SETUPS[] = {
	{"atmosphere", 1, GRAVITY, (real)4e-5, 1, atmosphere_place, atmosphere_velocity},
	{"gas", GAS_UNIT, 0, (real)1 / 180, 3, gas_place, gas_velocity},
};
enum { SETUPS_COUNT = sizeof SETUPS / sizeof *SETUPS };

/* positions at which balls do not overlap */
static void add_balls(scree_world *w, const setup *s)
{
	random_stream r = scree_random_start(1, 1);
	static vec3 at[BALLS];
	const real d = DIAMETER * s->unit;
	for (int k = 0; k < BALLS;) {
		vec3 here = s->place(&r);
		bool is_free = here.y < (HIGH - DIAMETER / 2) * s->unit;
		for (int i = 0; i < k && is_free; ++i) is_free = v3_norm2(v3_sub(at[i], here)) > d * d;
		if (!is_free) continue;
		at[k++] = here;
		new_body b = {.size = d, .position = here, .orientation = {1, 0, 0, 0}, .velocity = s->velocity(&r)};
		scree_world_add(&w->model, &w->state, &w->work, 1, &b);
	}
}

static scree_world *world_of(const setup *s, const broad *search)
{
	scree_world *w = scree_world_new();
	fail why = {0};
	material stuff = {.name = "ivory", .density = 1800};
	scree_materials_add(&w->model.material, stuff);
	scree_materials_set_rule(&w->model.material, 0, 0, (contact_rule){.restitution = 1});
	scree_shapes_add_sphere(&w->model.shape, "ball");
	w->model.gravity = v3(0, -s->gravity, 0);
	model_respond(&w->model, scree_response_find("elastic"));
	w->model.search = search;
	add_walls(w, s->unit);
	add_balls(w, s);
	if (!scree_world_prepare(w, 0, s->step, &why)) stop(why.text);
	return w;
}

static void steps(scree_world *w, int count)
{
	for (int k = 0; k < count; ++k)
		if (!scree_step(w)) stop(w->work.why.text);
}

static void measure(const setup *set, const broad *search)
{
	scree_world *w = world_of(set, search);
	const clock_stage parts[4] = {CLOCK_BROAD, CLOCK_NARROW, CLOCK_WALLS, CLOCK_SOLVER};
	double best[4] = {0}, least = 1e30, whole = 1e30;
	steps(w, WARM);
	int64_t collisions = w->state.impulse.collisions, searches = w->work.rebuilds;
	for (int round = 0; round < ROUNDS; ++round) {
		double sum = 0, began = scree_now();
		memset(&w->work.clock, 0, sizeof w->work.clock);
		steps(w, STEPS);
		double took = scree_now() - began;
		whole = took < whole ? took : whole;
		for (int p = 0; p < 4; ++p) sum += w->work.clock.seconds[parts[p]];
		if (sum > least) continue;
		least = sum;
		for (int p = 0; p < 4; ++p) best[p] = w->work.clock.seconds[parts[p]];
	}
	const double all = (double)ROUNDS * STEPS / set->steps, ms = 1e3 * set->steps / STEPS;
	printf("%-10s %-11s %.4f ms a frame: search %.4f, walls %.4f, impulses %.4f; whole %.4f ms; %.1f collisions, a "
		   "search in %.1f frames\n",
		   set->name, search->name, ms * least, ms * best[0], ms * (best[1] + best[2]), ms * best[3], ms * whole,
		   (double)(w->state.impulse.collisions - collisions) / all, all / (double)(w->work.rebuilds - searches));
	scree_world_free(w);
}

int main(int argc, char **argv)
{
	scree_set_threads(argc > 3 ? atoi(argv[3]) : 1);
	const broad *only = argc > 2 ? scree_broad_find(argv[2]) : NULL;
	if (argc > 2 && !only) stop("there is no such broad phase");
	int found = 0;
	for (int s = 0; s < SETUPS_COUNT; ++s) {
		if (argc > 1 && strcmp(argv[1], SETUPS[s].name) != 0) continue;
		++found;
		for (int k = 0; scree_broad_row(k); ++k)
			if (!only || only == scree_broad_row(k)) measure(SETUPS + s, scree_broad_row(k));
	}
	if (!found) stop("there is no such set-up; there are atmosphere and gas");
	return 0;
}
