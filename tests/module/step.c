/* Guarantees of a step other than its result: between two searches for pairs it allocates no memory, and the choice of
 * rows does not affect results. */
#include "lab.h"
#include "test.h"

#include "base/memory.h"
#include "broad/broad.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "motion/stage.h"
#include "world/world.h"

#include <string.h>

/* spheres and cubes that fall on each other and on a floor */
static scree_world *heap(void)
{
	scree_world *w = lab_world(lab_linear(2e4, 0.5, 0.5));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -100); /* strong gravity, for a short run */
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
		int64_t calls = scree_allocations(), rebuilds = w->work.rebuilds;
		CHECK(scree_step(w), "%s", w->work.why.text);
		if (w->work.rebuilds != rebuilds) continue;
		++quiet;
		/* memory for the points of patches may still grow occasionally, but never in a heap at rest */
		if (k > 1000) CHECK(scree_allocations() == calls, "step %d takes memory", k);
	}
	CHECK(w->work.touching > 80 && quiet > 2000, "%lld contacts, %d steps without a search",
		  (long long)w->work.touching, quiet);
	scree_world_free(w);
}

/* results are bitwise identical whether rows are chosen in every step or rarely */
static void rows_change_nothing(void **state)
{
	(void)state;
	scree_world *w = heap(), *twin = heap();
	for (int k = 0; k < 3000; ++k) {
		twin->work.skin.beyond = 0; /* m: stale */
		if (k % 7 == 0) twin->work.skin.stale = true;
		CHECK(scree_step(w) && scree_step(twin), "%s %s", w->work.why.text, twin->work.why.text);
		if (k % 100 == 0)
			CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
					  scree_world_hash(&twin->model, &twin->state, &twin->work),
				  "step %d", k);
	}
	CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
				  scree_world_hash(&twin->model, &twin->state, &twin->work) &&
			  w->work.touching > 50,
		  "%lld contacts", (long long)w->work.touching);
	CHECK(w->work.rebuilds < twin->work.rebuilds / 2, "%lld", (long long)w->work.rebuilds);
	scree_world_free(w);
	scree_world_free(twin);
}

/* Derived data may be discarded between steps: data of pairs in some steps, and all data in others, after which pairs
 * are searched for again. The caches must not be empty, because the narrow phase has stored its choices. */
static void lost_work_changes_nothing(void **state)
{
	(void)state;
	scree_world *w = heap(), *twin = heap();
	for (int k = 0; k < 1500; ++k) {
		if (k % 3)
			lab_lose_pairs(twin);
		else
			lab_lose_work(twin);
		CHECK(scree_step(w) && scree_step(twin), "%s %s", w->work.why.text, twin->work.why.text);
		if (k % 100 == 0 || k > 1400)
			CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
					  scree_world_hash(&twin->model, &twin->state, &twin->work),
				  "step %d", k);
	}
	const slot_cache *c = &w->work.pair[PAIR_CONVEX_CONVEX].cache;
	int64_t used = 0;
	for (int64_t k = 0; k < w->state.pair[PAIR_CONVEX_CONVEX].count; ++k) used += c->axis[k] != 0 && c->clear[k] > 0;
	CHECK(w->work.touching > 20 && used > 0 && c->kept, "%lld contacts, %lld used", (long long)w->work.touching,
		  (long long)used);
	scree_world_free(w);
	scree_world_free(twin);
}

/* The bound that decides when pairs are searched for again: no corner moves farther in a step than `way`, however fast
 * a body rotates and whatever torque accelerates it. */
static void no_corner_moves_farther_than_its_way(void **state)
{
	(void)state;
	fail why = {0};
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.5));
	CHECK(scree_shapes_add_box(&w->model.shape, "needle", v3(1, 0.1, 0.05), &why) == 2, "%s", why.text);
	const shape *s = w->model.shape.row + 2;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 1);
		lab_add_moving(w, test_seed % 3 ? 2 : 1, 0.01, v3(0, 0, 0), scree_random_rotation(&r), v3(0, 0, 0),
					   v3_mul(scree_random_between(&r, 0, 3e4), scree_random_direction(&r)));
	}
	lab_prepare(w, 0);
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		random_stream r = scree_random_start((uint64_t)i, 2);
		vec3 t =
			v3_mul(w->state.body.ix[i] * scree_random_between(&r, 0, 1e4) / w->model.dt, scree_random_direction(&r));
		w->state.body.tx[i] = t.x, w->state.body.ty[i] = t.y, w->state.body.tz[i] = t.z;
	}
	const int32_t count = w->state.body.count;
	quat *before = scree_alloc((size_t)count, sizeof *before);
	for (int32_t i = 0; i < count; ++i) before[i] = body_orientation(&w->state.body, i);
	scree_forces_to_motion_drift(&w->model, &w->state, &w->work);
	real most = 0;
	for (int32_t i = 0; i < count; ++i) {
		if (w->state.body.shape[i] != 2) continue;
		for (int32_t v = 0; v < s->vertices; ++v) {
			vec3 p = v3_mul(w->state.body.size[i], v3(s->vx[v], s->vy[v], s->vz[v]));
			vec3 moved = v3_sub(quat_rotate(body_orientation(&w->state.body, i), p), quat_rotate(before[i], p));
			CHECK(v3_norm(moved) <= w->state.body.way[i], "body %d moves %g m, its way is %g m", i, v3_norm(moved),
				  w->state.body.way[i]);
			most = real_max(most, v3_norm(moved) / w->state.body.way[i]);
		}
	}
	CHECK(most > 0.5, "ways are %g times too long", 1 / most);
	scree_free(before);
	scree_world_free(w);
}

/* steps a heap while bodies are added and removed */
static void advance(scree_world *w, int step)
{
	if (step % 500 == 100) {
		int32_t row = lab_row(w, (uint64_t)step / 12); /* rows are in a different order in each world */
		scree_world_remove(&w->model, &w->state, &w->work, 1, &row);
	}
	if (step % 500 == 200) lab_add(w, step / 500 % 2, 0.01, v3(0.02, 0.02, 0.12));
	CHECK(scree_step(w), "%s", w->work.why.text);
}

/* results are bitwise identical with every broad phase and all kinds of skin, while bodies are added and removed */
static void broad_phases_change_nothing(void **state)
{
	(void)state;
	const real width[3] = {-1, 0, 0.001}; /* in m; the first value means a skin that adapts to the motion */
	uint64_t hash = 0;
	const int64_t steps = test_few(1250, 700);
	for (int k = 0; k < 3 * choice_count(&scree_broads); ++k) {
		scree_world *w = heap();
		w->model.search = scree_broad_row(k / 3);
		w->model.skin_given = width[k % 3] >= 0;
		if (w->model.skin_given) w->model.skin = width[k % 3];
		for (int step = 0; step < steps; ++step) advance(w, step);
		if (k == 0) hash = scree_world_hash(&w->model, &w->state, &w->work);
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) == hash, "%s, skin %g: another state",
			  w->model.search->name, width[k % 3]);
		CHECK(w->work.touching > 20, "%lld contacts", (long long)w->work.touching);
		scree_world_free(w);
	}
}

/* Some bodies in a packing are fast and others become fast: the search takes them into account and misses no pair. */
static void each_has_a_margin_of_its_own(void **state)
{
	(void)state;
	scree_world *pair[2] = {heap(), heap()}, *w = pair[0], *twin = pair[1];
	twin->model.skin_given = true; /* pairs are searched for in every step */
	twin->work.skin = (broad_skin){.stale = true};
	const int64_t steps = test_few(3000, 900);
	int far = 0;
	for (int k = 0; k < steps; ++k) {
		for (int n = 0; n < 2 && k % 300 == 0; ++n) { /* the upper balls are thrown at each other */
			random_stream r = scree_random_start(1, (uint64_t)k);
			for (uint64_t id = 161 + (uint64_t)k / 300 % 4; id <= 200; id += 4) {
				const int32_t i = lab_row(pair[n], id);
				const vec3 v = v3_mul(scree_random_between(&r, 2, 10), scree_random_direction(&r));
				pair[n]->state.body.vx[i] = v.x, pair[n]->state.body.vy[i] = v.y,
				pair[n]->state.body.vz[i] = real_abs(v.z);
				pair[n]->work.skin.stale = true;
			}
		}
		CHECK(scree_step(w) && scree_step(twin), "%s %s", w->work.why.text, twin->work.why.text);
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
				  scree_world_hash(&twin->model, &twin->state, &twin->work),
			  "step %d", k);
		for (int32_t i = 0; i < w->state.body.count; ++i) far += w->state.body.way[i] > w->work.skin.width / 2;
	}
	CHECK(far > steps / 3 && w->work.rebuilds < steps / 3, "%d times beyond half of the skin, %lld searches", far,
		  (long long)w->work.rebuilds);
	scree_world_free(w);
	scree_world_free(twin);
}

/* an infinite spin is reported in the same step, before a search could use an undefined position */
static void what_is_no_number_stops(void **state)
{
	(void)state;
	for (int shape = 0; shape < 2; ++shape) {
		scree_world *w = heap();
		CHECK(scree_step(w), "%s", w->work.why.text);
		w->state.body.ly[100 + shape] = 1e200;
		w->work.skin.stale = true;
		CHECK(!scree_step(w), "it went on");
		CHECK(w->work.why.code == FAIL_GUARD && strstr(w->work.why.text, "no longer a number"), "%s", w->work.why.text);
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_memory_within_a_step),	   cmocka_unit_test(rows_change_nothing),
		cmocka_unit_test(lost_work_changes_nothing),   cmocka_unit_test(no_corner_moves_farther_than_its_way),
		cmocka_unit_test(broad_phases_change_nothing), cmocka_unit_test(each_has_a_margin_of_its_own),
		cmocka_unit_test(what_is_no_number_stops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
