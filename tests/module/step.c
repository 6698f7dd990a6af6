/* What a step promises beside its result: between two searches for pairs it takes no memory; rows are an optimisation.
 */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "stages.h"

#include <string.h>

/* spheres and cubes that fall on each other and on a floor */
static scree_world *heap(void)
{
	scree_world *w = lab_world(lab_linear(2e4, 0.5, 0.5));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->gravity = v3(0, 0, -100); /* so that it does not take long */
	for (int k = 0; k < 200; ++k)
		lab_add(w, k % 2, 0.01,
				v3(0.011 * (k % 5) + 0.001 * (k % 3), 0.011 * (k / 5 % 5) + 0.001 * (k % 7), 0.006 + 0.012 * (k / 25)));
	lab_prepare(w, 0);
	return w;
}

static void no_memory_within_a_step(void **state)
{
	(void)state;
	scree_world *w = heap();
	lab_steps(w, 2000);
	int quiet = 0;
	for (int k = 0; k < 3000; ++k) {
		int64_t calls = scree_allocations(), rebuilds = w->rebuilds;
		CHECK(scree_step(w), "%s", w->why.text);
		if (w->rebuilds != rebuilds) continue;
		++quiet;
		/* a room for points of patches may still grow now and then: never in a heap at rest */
		if (k > 1000) CHECK(scree_allocations() == calls, "step %d takes memory", k);
	}
	CHECK(w->touching > 80 && quiet > 2000, "%lld contacts, %d steps without a search", (long long)w->touching, quiet);
	scree_world_free(w);
}

/* rows chosen anew in every step, or seldom: the same bits */
static void rows_change_nothing(void **state)
{
	(void)state;
	scree_world *w = heap(), *twin = heap();
	for (int k = 0; k < 3000; ++k) {
		twin->margin.inner_moved = 1; /* m: stale */
		if (k % 7 == 0) twin->margin.stale = true;
		CHECK(scree_step(w) && scree_step(twin), "%s %s", w->why.text, twin->why.text);
		if (k % 100 == 0) CHECK(scree_world_hash(w) == scree_world_hash(twin), "step %d", k);
	}
	CHECK(scree_world_hash(w) == scree_world_hash(twin) && w->touching > 50, "%lld contacts", (long long)w->touching);
	CHECK(w->rebuilds < twin->rebuilds / 2, "%lld", (long long)w->rebuilds);
	scree_world_free(w);
	scree_world_free(twin);
}

/* heap with the bodies that came and went up to now */
static void advance(scree_world *w, int step)
{
	if (step % 500 == 100) {
		int32_t row = lab_row(w, (uint64_t)step / 12); /* rows are in another order in every world */
		scree_world_remove(w, 1, &row);
	}
	if (step % 500 == 200) lab_add(w, step / 500 % 2, 0.01, v3(0.02, 0.02, 0.12));
	CHECK(scree_step(w), "%s", w->why.text);
}

/* every broad phase, with margins of all kinds, while bodies come and go: the same bits */
static void broad_phases_change_nothing(void **state)
{
	(void)state;
	const real width[3] = {-1, 0, 0.001}; /* m; the first: follows the motion */
	uint64_t hash = 0;
	for (int k = 0; k < 3 * scree_broad_count; ++k) {
		scree_world *w = heap();
		w->search = scree_broads + k / 3;
		w->margin.given = width[k % 3] >= 0;
		if (w->margin.given) w->margin.width = width[k % 3];
		for (int step = 0; step < 2500; ++step) advance(w, step);
		if (k == 0) hash = scree_world_hash(w);
		CHECK(scree_world_hash(w) == hash, "%s, margin %g: another state", w->search->name, width[k % 3]);
		CHECK(w->touching > 20, "%lld contacts", (long long)w->touching);
		scree_world_free(w);
	}
}

/* a spin beyond all numbers is reported in its step; no search looks for the place of what has none */
static void what_is_no_number_stops(void **state)
{
	(void)state;
	for (int shape = 0; shape < 2; ++shape) {
		scree_world *w = heap();
		CHECK(scree_step(w), "%s", w->why.text);
		w->body.ly[100 + shape] = 1e200;
		w->margin.stale = true;
		CHECK(!scree_step(w), "it went on");
		CHECK(w->why.code == FAIL_GUARD && strstr(w->why.text, "not a number any more"), "%s", w->why.text);
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_memory_within_a_step),
		cmocka_unit_test(rows_change_nothing),
		cmocka_unit_test(broad_phases_change_nothing),
		cmocka_unit_test(what_is_no_number_stops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
