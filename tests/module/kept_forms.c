/* The combinatorial forms stored for pairs of polyhedra (kernel/form.h) do not affect results, which are bitwise
 * identical if the forms are discarded, with any number of threads, and after a restart. Most contacts have a stored
 * combinatorial form. */
#include "lab.h"
#include "test.h"

#include "base/parallel.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "model/narrow.h"

enum { HULL = 2, GEM, WIDE = 4, HIGH = 3, STEPS = 400 };

static const real D = 0.01;

static void add_shapes(scree_world *w)
{
	fail why;
	random_stream r = scree_random_start(3, 1);
	vec3 p[32];
	for (int k = 0; k < 32; ++k) p[k] = v3_mul((real)0.5, scree_random_direction(&r));
	CHECK(scree_shapes_add_hull(&w->model.shape, "hull", 32, p, &why) == HULL, "%s", why.text);
	CHECK(scree_shapes_add_regular(&w->model.shape, "gem", "icosahedron", &why) == GEM, "%s", why.text);
}

/* A block of hulls, icosahedra and cubes that collide. */
static scree_world *block(int energy)
{
	const bool volume = energy == 1;
	const contact_rule rule = {.law = volume ? LAW_VOLUME : LAW_OVERLAP, .restitution = 0.3, .friction = 0.5};
	scree_world *w = lab_world(rule);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	add_shapes(w);
	w->model.gravity = v3(0, 0, -9.81);
	w->model.narrow = scree_narrow_find(volume ? "overlap-volume" : "overlap-thickness");
	random_stream r = scree_random_start(5, 1);
	const vec3 middle = v3(0.45 * D * (WIDE - 1), 0.45 * D * (WIDE - 1), 0.52 * D);
	for (int k = 0; k < WIDE * WIDE * HIGH; ++k) {
		const vec3 at = v3(0.9 * D * (k % WIDE), 0.9 * D * (k / WIDE % WIDE), D * (0.52 + 0.9 * (k / WIDE / WIDE)));
		const int32_t shape = k % 7 == 6 ? 1 : k % 3 ? GEM : HULL;
		const vec3 v = v3_mul(30, v3_sub(middle, at)); /* m/s */
		lab_add_moving(w, shape, shape == 1 ? 0.6 * D : D, at, scree_random_rotation(&r), v, v3(0, 0, 0));
	}
	lab_prepare(w, 6e-6);
	return w;
}

static uint64_t hash_of(const scree_world *w) { return scree_world_hash(&w->model, &w->state, &w->work); }

/* Counts the contacts between bodies with many faces, and returns how many of these contacts have a combinatorial form.
 */
static int64_t forms_of(const scree_world *w, int64_t *contacts)
{
	const pair_list *l = w->state.pair + PAIR_CONVEX_CONVEX;
	const slot_cache *cache = &w->work.pair[PAIR_CONVEX_CONVEX].cache;
	int64_t forms = 0;
	for (int32_t p = 0; p < l->pieces; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			if (!l->touch[k]) continue;
			const bool counts = w->state.body.shape[l->ca[k]] > 1 && w->state.body.shape[l->cb[k]] > 1;
			*contacts += counts;
			forms += counts && cache->form && cache->form[l->slot[k]].a;
		}
	return forms;
}

static void most_contacts_have_one(void **state)
{
	(void)state;
	for (int energy = 0; energy < 2; ++energy) {
		scree_world *w = block(energy);
		lab_steps(w, STEPS);
		int64_t contacts = 0, forms = forms_of(w, &contacts);
		CHECK(contacts > 40 && forms > contacts * 3 / 4, "%lld forms of %lld contacts", (long long)forms,
			  (long long)contacts);
		scree_world_free(w);
	}
}

static void lost_forms_change_nothing(void **state)
{
	(void)state;
	for (int energy = 0; energy < 2; ++energy) {
		scree_world *w = block(energy), *twin = block(energy);
		for (int k = 0; k < STEPS; ++k) {
			lab_steps(w, 1);
			lab_lose_pairs(twin);
			lab_steps(twin, 1);
			CHECK(hash_of(w) == hash_of(twin), "another state after %d steps", k + 1);
		}
		scree_world_free(twin);
		scree_world_free(w);
	}
}

static void resumed_worlds_go_on_equally(void **state)
{
	(void)state;
	for (int energy = 0; energy < 2; ++energy) {
		scree_world *w = block(energy);
		lab_steps(w, STEPS / 2);
		scree_world *twin = lab_resumed(w);
		lab_steps(w, STEPS / 2);
		lab_steps(twin, STEPS / 2);
		CHECK(hash_of(w) == hash_of(twin), "another state after a resumption");
		scree_world_free(twin);
		scree_world_free(w);
	}
}

static uint64_t hash_with(int threads)
{
	scree_set_threads(threads);
	scree_parallel_shuffle(threads > 1 ? 11 : 0);
	scree_world *w = block(0);
	lab_steps(w, STEPS);
	const uint64_t h = hash_of(w);
	scree_parallel_shuffle(0);
	scree_set_threads(0);
	scree_world_free(w);
	return h;
}

static void threads_change_nothing(void **state)
{
	(void)state;
	const uint64_t one = hash_with(1);
	CHECK(hash_with(3) == one, "another state by three threads");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(most_contacts_have_one),
		cmocka_unit_test(lost_forms_change_nothing),
		cmocka_unit_test(resumed_worlds_go_on_equally),
		cmocka_unit_test(threads_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
