/* flow2d SCENE CALLS [NAME=VALUE...]: lifetimes of the closest features of polygons in a flow (row S0.21).
 *
 * Runs a scene in the plane repeatedly with `seed` = 1, 2, ... until CALLS calls for the features of two bodies have
 * been counted, and reads the axis stored in each slot after every step. The lifetime of a feature is the number of
 * steps from the first result with this feature to the first result with another feature; a lifetime that ends because
 * the pair is removed does not count as finished. The mean is the number of steps of all slots divided by the number of
 * changes; the median is taken over finished lifetimes. */
#include "base/memory.h"
#include "scene/scene.h"
#include "state/pairs.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 40 };

typedef struct life {
	uint64_t ida, idb;
	int32_t axis;
	int64_t since; /* step at which this axis was first found */
} life;

typedef struct lives {
	life *now, *before; /* [capacity] by slots */
	int64_t count, capacity, rebuilds;
	int32_t *table; /* [size] slots of `before`, indexed by pair, or -1 if none; size is a power of two */
	int64_t size;
	/* sums over all slots, and over the slots whose bodies touch */
	int64_t steps[2], changes[2], finished[BINS];
} lives;

static uint64_t place_of(const life *l, int64_t size)
{
	uint64_t h = l->ida * 0x9E3779B97F4A7C15U ^ (l->idb + 1) * 0xC2B2AE3D27D4EB4FU;
	return (h ^ h >> 29) & ((uint64_t)size - 1);
}

static void reserve(lives *s, int64_t count)
{
	if (count <= s->capacity) return;
	int64_t capacity = 2 * count + 1024;
	s->now = scree_grow(s->now, (size_t)s->count, (size_t)capacity, sizeof *s->now);
	s->before = scree_grow(s->before, 0, (size_t)capacity, sizeof *s->before);
	s->capacity = capacity;
	for (s->size = 1; s->size < 4 * capacity; s->size *= 2)
		;
	scree_free(s->table);
	s->table = scree_alloc((size_t)s->size, sizeof *s->table);
}

/* after a search for pairs, each slot takes over the data of its pair */
static void renumber(lives *s, const scree_world *w, const pair_list *l)
{
	reserve(s, l->count);
	life *old = s->now;
	int64_t olds = s->count;
	s->now = s->before;
	s->before = old;
	s->count = l->count;
	for (int64_t k = 0; k < s->size; ++k) s->table[k] = -1;
	for (int64_t k = 0; k < olds; ++k) {
		uint64_t at = place_of(old + k, s->size);
		while (s->table[at] >= 0) at = (at + 1) & ((uint64_t)s->size - 1);
		s->table[at] = (int32_t)k;
	}
	for (int64_t k = 0; k < s->count; ++k) {
		life x = {w->state.body.id[l->a[k]], w->state.body.id[l->b[k]], 0, 0};
		uint64_t at = place_of(&x, s->size);
		for (; s->table[at] >= 0; at = (at + 1) & ((uint64_t)s->size - 1)) {
			const life *y = old + s->table[at];
			if (y->ida == x.ida && y->idb == x.idb) {
				x = *y;
				break;
			}
		}
		s->now[k] = x;
	}
}

static void finish(lives *s, int64_t steps)
{
	int bin = 0;
	while (bin < BINS - 1 && steps >= (int64_t)2 << bin) ++bin;
	++s->finished[bin]; /* from 2^bin to 2^(bin+1) steps */
}

static void look(lives *s, const scree_world *w)
{
	const pair_list *l = w->state.pair + PAIR_CONVEX_CONVEX;
	if (w->work.rebuilds != s->rebuilds || s->count != l->count) renumber(s, w, l);
	s->rebuilds = w->work.rebuilds;
	for (int64_t k = 0; k < l->count; ++k) {
		life *f = s->now + k;
		int32_t axis = w->work.pair[PAIR_CONVEX_CONVEX].cache.axis[k];
		if (!axis) continue;
		bool touches = l->row[k] >= 0 && l->touch[l->row[k]];
		bool changed = f->axis && axis != f->axis;
		if (f->axis) {
			++s->steps[0];
			s->steps[1] += touches;
		}
		if (changed) {
			++s->changes[0];
			s->changes[1] += touches;
			finish(s, w->state.step - f->since);
		}
		if (changed || !f->axis) *f = (life){f->ida, f->idb, axis, w->state.step};
	}
}

/* median of the finished lifetimes, in steps, with linear interpolation within a bin */
static double median(const lives *s)
{
	int64_t all = 0, below = 0;
	for (int b = 0; b < BINS; ++b) all += s->finished[b];
	for (int b = 0; b < BINS; ++b) {
		if (s->finished[b] && 2 * (below + s->finished[b]) >= all)
			return (double)((int64_t)1 << b) * (1 + ((double)all / 2 - (double)below) / (double)s->finished[b]);
		below += s->finished[b];
	}
	return 0;
}

static void print(const lives *s, const feature_counts *c, const feature_counts *walls, int64_t steps, int runs)
{
	printf("runs %d  steps %lld  calls %lld  known %.4f  changes_a_call %.5f  renewed_a_call %.5f  all_asked %lld  "
		   "borders %lld\n",
		   runs, (long long)steps, (long long)c->calls, (double)c->known / (double)c->calls,
		   (double)c->changes / (double)c->known, (double)c->renewed / (double)c->known, (long long)c->all,
		   (long long)c->borders);
	printf("wall_calls %lld  all_asked %lld  borders %lld\n", (long long)walls->calls, (long long)walls->all,
		   (long long)walls->borders);
	printf("mean_life_steps %.1f  touching %.1f  median_finished %.1f\n", (double)s->steps[0] / (double)s->changes[0],
		   (double)s->steps[1] / (double)s->changes[1], median(s));
	printf("finished lives by steps:");
	for (int b = 0; b < BINS; ++b)
		if (s->finished[b]) printf("  %lld+ %lld", 1LL << b, (long long)s->finished[b]);
	printf("\n");
	fflush(stdout);
}

/* makes one run; returns false if the run could not be made or was stopped by a guard */
static bool run(const char *path, int sets, const char **set, int64_t wanted, lives *s, feature_counts *sum,
				feature_counts *walls, int64_t *steps)
{
	struct scene made;
	char *report = NULL;
	if (!scree_scene_load(path, sets, set, &made, &report)) {
		fputs(report, stderr);
		scree_free(report);
		return false;
	}
	scree_world *w = made.world;
	made.world = NULL;
	s->count = 0;
	s->rebuilds = -1;
	bool ok = true;
	while (ok && w->state.time < made.run.until && sum->calls + w->work.features.calls < wanted) {
		ok = scree_step(w);
		if (ok) look(s, w);
	}
	if (!ok) fprintf(stderr, "%s\n", w->work.why.text);
	*steps += w->state.step;
	features_move(sum, &w->work.features);
	features_move(walls, &w->work.wall_features);
	scree_scene_free(&made);
	scree_world_free(w);
	return ok;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "flow2d SCENE CALLS [NAME=VALUE...]\n");
		return 2;
	}
	int64_t wanted = (int64_t)atof(argv[2]), steps = 0;
	lives s = {0};
	feature_counts sum = {0}, walls = {0};
	int runs = 0;
	while (sum.calls < wanted) {
		char seed[32];
		const char *set[16];
		int sets = 0;
		for (int k = 3; k < argc && sets < 15; ++k) set[sets++] = argv[k];
		snprintf(seed, sizeof seed, "seed=%d", ++runs);
		set[sets++] = seed;
		if (!run(argv[1], sets, set, wanted, &s, &sum, &walls, &steps)) return 3;
	}
	print(&s, &sum, &walls, steps, runs);
	scree_free(s.now);
	scree_free(s.before);
	scree_free(s.table);
	return 0;
}
