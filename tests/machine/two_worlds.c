/* Worlds stepped at the same time by several threads of a program are bitwise identical to worlds stepped one at a
 * time.
 */
#include "test.h"

#include <pthread.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "scene/scene.h"
#include "world/world.h"

enum { STEPS = 200, AT_ONCE = 3 };

typedef struct run {
	const char *file;
	int threads;
	int64_t steps;
	uint64_t hash;
	char said[400];
} run;

static void *load_and_step(void *what)
{
	run *r = what;
	scene s;
	char path[400], *report = NULL;
	r->hash = 0;
	scree_set_threads(r->threads);
	snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, r->file);
	if (!scree_scene_load(path, 0, NULL, &s, &report)) {
		snprintf(r->said, sizeof r->said, "%.300s", report);
		scree_free(report);
		return NULL;
	}
	bool good = true;
	for (int64_t k = 0; k < r->steps && good; ++k) good = scree_step(s.world);
	if (good)
		r->hash = scree_world_hash(&s.world->model, &s.world->state, &s.world->work);
	else
		snprintf(r->said, sizeof r->said, "%.300s", s.world->work.why.text);
	scree_scene_free(&s);
	return NULL;
}

/* spheres and polyhedra in space with friction, in the plane, with impulses, and with sources */
static const char *const files[] = {"scenes/settling_cubes.scene.yaml", "examples/heap2d.scene.yaml",
									"examples/gas.scene.yaml", "examples/hopper.scene.yaml"};
enum { FILES = sizeof files / sizeof *files };

static void at_the_same_time(void **state)
{
	(void)state;
	run alone[FILES];
	int64_t steps = test_cases(STEPS);
	for (int k = 0; k < FILES; ++k) {
		alone[k] = (run){.file = files[k], .threads = 1, .steps = steps};
		load_and_step(&alone[k]);
		CHECK(alone[k].hash, "%s: %s", files[k], alone[k].said);
	}
	for (int first = 0; first < FILES; ++first) {
		run r[AT_ONCE];
		pthread_t thread[AT_ONCE];
		for (int k = 0; k < AT_ONCE; ++k) {
			/* two worlds of one scene, and a world of another scene */
			r[k] = (run){.file = files[(first + k / 2) % FILES], .threads = 1 + (first + k) % 3, .steps = steps};
			assert_int_equal(pthread_create(&thread[k], NULL, load_and_step, &r[k]), 0);
		}
		for (int k = 0; k < AT_ONCE; ++k) {
			pthread_join(thread[k], NULL);
			CHECK(r[k].hash == alone[(first + k / 2) % FILES].hash, "%s with %d threads beside others: %016llx %s",
				  r[k].file, r[k].threads, (unsigned long long)r[k].hash, r[k].said);
		}
	}
}

/* each thread of the program has its own number of helpers */
static void *ask(void *what)
{
	scree_set_threads(5);
	*(int *)what = scree_threads();
	return NULL;
}

static void threads_are_chosen_by_each(void **state)
{
	(void)state;
	pthread_t other;
	int there = 0;
	scree_set_threads(2);
	assert_int_equal(pthread_create(&other, NULL, ask, &there), 0);
	pthread_join(other, NULL);
	CHECK(there == 5 && scree_threads() == 2, "%d there, %d here", there, scree_threads());
	scree_set_threads(0);
}

typedef struct handed_over {
	scree_world *w;
	int threads;
	int64_t steps;
	bool good;
} handed_over;

static void *step_on(void *what)
{
	handed_over *h = what;
	scree_set_threads(h->threads);
	h->good = true;
	for (int64_t k = 0; k < h->steps && h->good; ++k) h->good = scree_step(h->w);
	return NULL;
}

/* a world is passed from a thread with few helpers to a thread with more */
static void a_world_changes_threads(void **state)
{
	(void)state;
	uint64_t hash[2];
	for (int way = 0; way < 2; ++way) {
		scene s;
		char *report = NULL;
		CHECK(scree_scene_load(SCREE_SOURCE "/scenes/settling_cubes.scene.yaml", 0, NULL, &s, &report), "%s",
			  report ? report : "");
		handed_over h = {.w = s.world, .threads = 1, .steps = 20};
		step_on(&h);
		CHECK(h.good, "%s", s.world->work.why.text);
		h.threads = way ? 6 : 1;
		h.steps = 1; /* a single step, so that nothing else causes rows to be selected */
		pthread_t other;
		assert_int_equal(pthread_create(&other, NULL, step_on, &h), 0);
		pthread_join(other, NULL);
		CHECK(h.good, "%s", s.world->work.why.text);
		CHECK(s.world->work.threads >= h.threads, "room for %d threads, not for %d", s.world->work.threads, h.threads);
		hash[way] = scree_world_hash(&s.world->model, &s.world->state, &s.world->work);
		scree_scene_free(&s);
	}
	scree_set_threads(0);
	CHECK(hash[0] == hash[1], "%016llx and %016llx", (unsigned long long)hash[0], (unsigned long long)hash[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_are_chosen_by_each),
		cmocka_unit_test(a_world_changes_threads),
		cmocka_unit_test(at_the_same_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
