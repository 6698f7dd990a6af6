/* Counters for the tracking of closest features: calls, results whose features differ from the previous result, and
 * searches through all features; the counts are the same for any number of threads. */
#include "base/maths.h"
#include "base/parallel.h"
#include "choices/choices.h"
#include "lab.h"
#include "model/narrow.h"
#include "shape/shapes.h"
#include "test.h"

#include <string.h>

enum { SQUARE, TRIANGLE, FAN };

static scree_world *plane_world(const char *narrow)
{
	bool area = !strcmp(narrow, "overlap-area");
	contact_rule rule = lab_linear(1000, 0.5, 0.3);
	if (area) rule = (contact_rule){.law = LAW_AREA, .restitution = 0.5, .friction = 0.3};
	scree_world *w = lab_world(rule);
	fail why = {0};
	scree_shapes_free(&w->model.shape);
	w->model.flat = true;
	w->model.thickness = 0.01;
	w->model.narrow = scree_narrow_find(narrow);
	bool made = scree_shapes_add_regular_polygon(&w->model.shape, "square", 4, &why) == SQUARE &&
				scree_shapes_add_regular_polygon(&w->model.shape, "triangle", 3, &why) == TRIANGLE &&
				scree_shapes_add_regular_polygon(&w->model.shape, "fan", 12, &why) == FAN;
	CHECK(made, "%s", why.text);
	return w;
}

static quat turned(real angle)
{
	quat q = {0, 0, 0, 0};
	scree_sincos(angle / 2, &q.z, &q.w);
	return q;
}

/* Two squares with diagonal 1 and level sides; one is rotated by 30 degrees, and its lower left corner is near the
 * upper right corner of the other. */
static feature_counts corner_near_corner(const char *narrow, real apart)
{
	scree_world *w = plane_world(narrow);
	real c, s, side = 1 / sqrt((real)2), near = side / 2 + apart / sqrt((real)2);
	scree_sincos(75 * SCREE_PI / 180, &s, &c); /* of its diagonal */
	lab_add(w, SQUARE, 1, v3(0, 0, 0));
	lab_add_moving(w, SQUARE, 1, v3(near + c / 2, near + s / 2, 0), turned(SCREE_PI / 6), v3(0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 1e-6);
	lab_steps(w, 1);
	feature_counts counted = w->work.features;
	CHECK(w->work.touching == 0, "they touch");
	scree_world_free(w);
	return counted;
}

/* two corners closer together than 1e-7 of the size are inconclusive (docs/theory/polygons.md) */
static void asking_all_features_is_counted(void **state)
{
	(void)state;
	static const char *const narrow[2] = {"overlap-area", "closest-features"};
	for (int k = 0; k < 2; ++k) {
		feature_counts far = corner_near_corner(narrow[k], 1e-3), close = corner_near_corner(narrow[k], 1e-9);
		CHECK(far.calls > 0 && far.all == 0, "%s, apart: %lld calls, all asked %lld times", narrow[k],
			  (long long)far.calls, (long long)far.all);
		CHECK(close.calls > 0 && close.all == close.calls, "%s, close: %lld calls, all asked %lld times", narrow[k],
			  (long long)close.calls, (long long)close.all);
	}
}

/* A triangle spins above another one, within reach or beyond: the test reads the features stored in the slot. */
static void features_that_change_are_counted(void **state)
{
	(void)state;
	scree_world *w = plane_world("overlap-area");
	const pair_list *l = w->state.pair + PAIR_CONVEX_CONVEX;
	lab_add(w, TRIANGLE, 1, v3(0, 0, 0));
	lab_add_moving(w, TRIANGLE, 1, v3(0, 0.9, 0), turned(0.1), v3(0, 0, 0), v3(0, 0, 50));
	lab_prepare(w, 1e-4);
	int64_t seen = 0, answers = 0;
	for (int32_t k = 0, before = 0; k < 2000; ++k) {
		lab_steps(w, 1);
		int32_t now = l->count ? w->work.pair[PAIR_CONVEX_CONVEX].cache.axis[0] : 0;
		seen += before != 0 && now != 0 && now != before;
		answers += now != 0;
		before = now;
	}
	feature_counts c = w->work.features;
	CHECK(seen > 10 && c.renewed == seen, "%lld renewed, %lld seen", (long long)c.renewed, (long long)seen);
	CHECK(c.known <= answers && c.known >= c.renewed && c.calls == c.known + 1, "%lld calls, %lld known, %lld answers",
		  (long long)c.calls, (long long)c.known, (long long)answers);
	CHECK(c.changes >= c.renewed && c.changes < 4 * c.renewed, "%lld changes", (long long)c.changes);
	scree_world_free(w);
}

static feature_counts crowd(const char *narrow, int threads)
{
	scree_world *w = plane_world(narrow);
	scree_set_threads(threads);
	random_stream r = scree_random_start(5, 1);
	enum { SIDE = 30 };
	for (int32_t k = 0; k < SIDE * SIDE; ++k) {
		vec3 v = v3(scree_random_between(&r, -1, 1), scree_random_between(&r, -1, 1), 0);
		lab_add_moving(w, k % 2 ? TRIANGLE : FAN, 1, v3(k % SIDE, k / SIDE, 0), turned(scree_random_between(&r, 0, 6)),
					   v, v3(0, 0, scree_random_between(&r, -3, 3)));
	}
	lab_prepare(w, 1e-4);
	lab_steps(w, 300);
	feature_counts c = w->work.features;
	scree_set_threads(1);
	scree_world_free(w);
	return c;
}

static void threads_count_the_same(void **state)
{
	(void)state;
	static const char *const narrow[2] = {"overlap-area", "closest-features"};
	for (int k = 0; k < 2; ++k) {
		feature_counts one = crowd(narrow[k], 1), three = crowd(narrow[k], 3);
		CHECK(one.calls > 10000 && one.renewed > 50 && one.changes > 50, "%s: %lld calls, %lld renewed", narrow[k],
			  (long long)one.calls, (long long)one.renewed);
		CHECK(!memcmp(&one, &three, sizeof one), "%s: %lld and %lld calls", narrow[k], (long long)one.calls,
			  (long long)three.calls);
	}
}

int main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(asking_all_features_is_counted),
		cmocka_unit_test(features_that_change_are_counted),
		cmocka_unit_test(threads_count_the_same),
	};
	return cmocka_run_group_tests(test, NULL, NULL);
}
