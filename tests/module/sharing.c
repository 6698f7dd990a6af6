/* Division of the contacts of surfaces among threads (narrow/sharing.c): for each way of sharing, any number of threads
 * and any order of work, a step finds the same contacts in the same order, with the same counts. */
#include "grains.h"
#include "lab.h"
#include "part_shapes.h"
#include "test.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "choices/choices.h"
#include "model/narrow.h"
#include "narrow/stage.h"
#include "narrow/surface/surface.h"
#include "narrow/work.h"
#include "world/world.h"

#include <string.h>

enum { BALL, CUBE, HOOK, CROSS, RING, PEBBLE, GRAIN, SHAPES };
enum { BUMPS = 24, LOOKS = 15 };
static const real D = 0.01; /* m */
static const real HALO = 0.06;

static void add_mesh(scree_world *w, const char *name, grain g, int32_t row)
{
	fail why = {0};
	CHECK(scree_shapes_add_surface(&w->model.shape, name, g.vertices, g.vertex, g.triangles, g.triangle, HALO, &why) ==
			  row,
		  "%s", why.text);
	grain_free(&g);
}

/* a bumpy floor of 1,152 facets */
static void add_floor(scree_world *w)
{
	vec3 v[(BUMPS + 1) * (BUMPS + 1)];
	int32_t t[6 * BUMPS * BUMPS], n = 0;
	for (int i = 0; i <= BUMPS; ++i)
		for (int k = 0; k <= BUMPS; ++k)
			v[(BUMPS + 1) * i + k] =
				v3(D * (0.5 * i - BUMPS / 4), D * (0.5 * k - BUMPS / 4), 0.1 * D * ((i + k) % 2 - 0.5));
	for (int i = 0; i < BUMPS; ++i)
		for (int k = 0; k < BUMPS; ++k) {
			const int32_t at = (BUMPS + 1) * i + k;
			const int32_t corner[6] = {at, at + BUMPS + 1, at + BUMPS + 2, at, at + BUMPS + 2, at + 1};
			for (int c = 0; c < 6; ++c) t[n++] = corner[c];
		}
	fail why = {0};
	CHECK(scree_walls_add_mesh(&w->model.wall, scree_wall_default("floor", 0), (BUMPS + 1) * (BUMPS + 1), v, n / 3, t,
							   &why) == 0,
		  "%s", why.text);
}

/* Two rings of 2,400 triangles, one on top of the other, with the lower one on a floor of facets, and smaller bodies
 * of all kinds that fall onto them and onto a plane. The same seed produces the same world. */
static scree_world *rings_and_grains(uint64_t seed)
{
	random_stream r = scree_random_start(seed, 1);
	contact_rule rule = {.law = LAW_OVERLAP, .restitution = 0.5, .friction = 0.4};
	scree_world *w = lab_world(rule);
	fail why = {0};
	w->model.narrow = scree_narrow_find("overlap-thickness");
	CHECK(part_add_surface(&w->model.shape, "hook", &part_hook, HALO, &why) == HOOK, "%s", why.text);
	CHECK(part_add_compound(&w->model.shape, "cross", &part_cross, &why) == CROSS, "%s", why.text);
	add_mesh(w, "ring", grain_torus(60, 20, 0.5, 0.15), RING);
	CHECK(part_add_pebble(&w->model.shape, "pebble", false, &why) == PEBBLE, "%s", why.text);
	add_mesh(w, "grain", grain_granulate(&r, 50, 0.75), GRAIN);
	w->model.gravity = v3(0, 0, -10);
	if (seed % 2) lab_periods(w, "xy", v3(-9 * D, -9 * D, 0), v3(18 * D, 18 * D, 0));
	if (!(seed % 2)) add_floor(w);
	lab_plane(w, v3(0, 0, -0.02 * D), v3(0, 0, 1));
	const real size = 4 * D, half = 0.15 * size, halo = HALO * size;
	const real low = seed % 2 ? -0.02 * D : 0.05 * D;
	lab_add_moving(w, RING, size, v3(0, 0, low + half + 0.9 * halo), quat_one(), v3(0, 0, -0.02), v3(0, 0, 0));
	lab_add_moving(w, RING, size, v3(0.01 * D, 0, low + 3 * half + 2.7 * halo), quat_one(), v3(0, 0, -0.05),
				   v3(0, 0, 1));
	for (int k = 0; k < 24; ++k) {
		static const int32_t of[6] = {HOOK, GRAIN, BALL, CROSS, PEBBLE, CUBE};
		static const real above[6] = {1.58, 1.4, 1.35, 1.58, 1.5, 1.6};
		const vec3 at = v3(D * (2.1 * (k % 5) - 4), D * (2.1 * (k / 5) - 4), 4.5 * D);
		const quat turn = scree_random_rotation(&r);
		lab_add_moving(w, of[k % 6], 1.3 * D, at, turn, v3(0, 0, -1), v3(3, 2, 1));
		lab_add_moving(w, GRAIN, 1.2 * D, v3_add(at, v3(0, 0, above[k % 6] * D)), turn, v3(0, 0, -3), v3(1, 2, 3));
	}
	w->model.material.row[0].young = 3e7;
	lab_prepare(w, 0);
	lab_prepare(w, w->model.safe_step); /* the longest safe step, to cover more time */
	return w;
}

/* hash of all results of a step, in row order */
static uint64_t hash_of_rows(const scree_world *w)
{
	uint64_t h = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		const contact_work *o = &w->work.pair[kind].contact;
		if (!l->rows) continue;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			const real x[7] = {o->nx[c.row], o->ny[c.row], o->nz[c.row],   o->px[c.row],
							   o->py[c.row], o->pz[c.row], o->depth[c.row]};
			h = scree_hash_join(h, l->feature + c.row, sizeof *l->feature);
			h = scree_hash_join(h, l->slot + c.row, sizeof *l->slot);
			h = scree_hash_join(h, x, sizeof x);
		}
	}
	return h;
}

typedef struct course {
	uint64_t rows, state;
	surface_counts counts;
	int64_t most;  /* largest number of contacts in one step */
	int64_t small; /* number of contacts between bodies other than the rings, in all steps examined */
} course;

static int64_t contacts_of_grains(const scree_world *w)
{
	int64_t count = 0;
	const pair_list *l = w->state.pair + PAIR_SEVERAL_POINTS;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		count += w->state.body.id[l->ca[c.row]] > 2 && w->state.body.id[l->cb[c.row]] > 2;
	return count;
}

static course steps_of(const sharing *how, int threads, uint64_t seed, int64_t looks)
{
	scree_set_threads(threads);
	scree_parallel_shuffle(threads > 1 ? seed + 7 : 0);
	scree_world *w = rings_and_grains(seed);
	course o = {0};
	w->model.share = how;
	for (int k = 0; k < looks; ++k) {
		lab_steps(w, 8);
		const uint64_t now = hash_of_rows(w);
		o.rows = scree_hash_join(o.rows, &now, sizeof now);
		o.small += contacts_of_grains(w);
		o.most = w->work.touching > o.most ? w->work.touching : o.most;
	}
	o.state = scree_world_hash(&w->model, &w->state, &w->work);
	o.counts = scree_surfaces_counted(&w->work);
	scree_world_free(w);
	scree_parallel_shuffle(0);
	scree_set_threads(0);
	return o;
}

static void all_ways_find_the_same(void **state)
{
	(void)state;
	const int64_t part = test_cases(LOOKS), looks = part < LOOKS ? part : LOOKS;
	FOR_SEEDS(2)
	{
		const course first = steps_of(scree_sharing_row(0), 1, test_seed, looks);
		CHECK(first.most > 20 && (looks < LOOKS || first.small > 10), "%lld contacts, %lld of grains",
			  (long long)first.most, (long long)first.small);
		/* over four seeds, each way of sharing is run with each number of threads */
		for (int k = 0; scree_sharing_row(k); ++k) {
			static const int number[4] = {7, 4, 2, 1};
			const int threads = number[(test_seed + (uint64_t)k) % 4];
			const course o = steps_of(scree_sharing_row(k), threads, test_seed, looks);
			const char *name = scree_sharing_row(k)->name;
			CHECK(o.rows == first.rows, "%s, %d threads: other contacts, or in another order", name, threads);
			CHECK(o.state == first.state, "%s, %d threads: another state", name, threads);
			CHECK(!memcmp(&o.counts, &first.counts, sizeof o.counts), "%s, %d threads: other counts", name, threads);
		}
	}
}

/* Derived data may be discarded between steps, even if a pair has several contacts. */
static void lost_work_changes_nothing(void **state)
{
	(void)state;
	FOR_SEEDS(2)
	{
		scree_world *w = rings_and_grains(test_seed), *twin = rings_and_grains(test_seed);
		for (int k = 0; k < LOOKS; ++k) {
			lab_steps(w, 8);
			for (int step = 0; step < 8; ++step) {
				if (step % 3)
					lab_lose_pairs(twin);
				else
					lab_lose_work(twin);
				lab_steps(twin, 1);
			}
			CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
					  scree_world_hash(&twin->model, &twin->state, &twin->work),
				  "look %d", k);
		}
		CHECK(w->work.touching > 10, "%lld contacts", (long long)w->work.touching);
		scree_world_free(w);
		scree_world_free(twin);
	}
}

/* Each way of sharing divides the work among the threads as its name says: only by pieces, or by pairs, or by the
 * triangles of all pairs or of large pairs. Pairs whose triangles are shared are then in the caller's list. */
static void each_way_hands_out_what_it_says(void **state)
{
	(void)state;
	scree_set_threads(3);
	for (int k = 0; scree_sharing_row(k); ++k) {
		const sharing *how = scree_sharing_row(k);
		const char *name = how->name;
		scree_world *w = rings_and_grains(2);
		w->model.share = how;
		lab_steps(w, 20);
		int64_t ahead = 0, large = 0, of_all = 0; /* large: number of pairs whose triangles are shared */
		for (const points_ahead *f = w->work.narrow->found.item;
			 f < w->work.narrow->found.item + w->work.narrow->found.count; ++f) {
			++ahead;
			CHECK(f->shared == (how->joint && how->joint(f->work, w->work.narrow->found.work)) &&
					  (!f->shared || f->thread == 0),
				  "%s: a pair of work %g is shared: %d, by thread %d", name, f->work, f->shared, f->thread);
			large += f->work > 0;
			of_all += f->work > 0 && f->thread == 0;
		}
		const bool pieces = !strncmp(name, "pieces", 6), triangles = !strncmp(name, "triangles", 9);
		CHECK(pieces ? !ahead : ahead > 0, "%s: %lld pairs ahead of the pieces", name, (long long)ahead);
		CHECK(!triangles || (large > 0 && of_all == large), "%s: %lld of %lld pairs were shared", name,
			  (long long)of_all, (long long)large);
		CHECK(how->even == (strstr(name, "/static") != NULL), "%s: even %d", name, how->even);
		const bool nested = !strncmp(name, "nested", 6);
		CHECK((how->joint != NULL) == (nested || triangles), "%s: all threads share a pair", name);
		CHECK(!how->joint || (how->joint(1, 1e6) == triangles && how->joint(1e6, 1e6)), "%s: small pairs", name);
		scree_world_free(w);
	}
	scree_set_threads(0);
}

/* Once memory is reserved, a step allocates no further memory, except when pairs are searched for or rows are chosen
 * again. */
static void steps_take_no_memory(void **state)
{
	(void)state;
	scree_set_threads(1);
	for (int k = 0; k < test_few(choice_count(&scree_sharings), 2); ++k) {
		scree_world *w = rings_and_grains(2);
		w->model.share = scree_sharing_row(k);
		lab_steps(w, 150);
		int64_t taking = 0;
		for (int step = 0; step < 60; ++step) {
			const int64_t before = scree_allocations(), searches = w->work.rebuilds;
			lab_steps(w, 1);
			taking += w->work.rebuilds == searches && scree_allocations() != before;
		}
		CHECK(taking <= 2, "%s: %lld of 60 steps took memory", scree_sharing_row(k)->name, (long long)taking);
		scree_world_free(w);
	}
	scree_set_threads(0);
}

static void snapshots_keep_it(void **state)
{
	(void)state;
	for (int k = 0; scree_sharing_row(k); ++k) {
		scree_world *w = rings_and_grains(2);
		w->model.share = scree_choice_find(&scree_sharings, scree_sharing_row(k)->name);
		scree_world *again = lab_resumed(w);
		CHECK(again->model.share == scree_sharing_row(k), "%s became %s", scree_sharing_row(k)->name,
			  again->model.share->name);
		scree_world_free(w);
		scree_world_free(again);
	}
	CHECK(!scree_choice_find(&scree_sharings, "cells"), "there is no such way");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_ways_find_the_same),
									   cmocka_unit_test(lost_work_changes_nothing),
									   cmocka_unit_test(each_way_hands_out_what_it_says),
									   cmocka_unit_test(steps_take_no_memory), cmocka_unit_test(snapshots_keep_it)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
