/* Methods for computing the distance between two triangles, in whole runs (run.triangles): methods that prove their
 * answer give the same bits as the default, in double and in single precision; the others give the same bits for any
 * number of threads. */
#include "grains.h"
#include "lab.h"
#include "part_shapes.h"
#include "test.h"

#include "base/parallel.h"
#include "narrow/stage.h"
#include "narrow/surface/surface.h"
#include "narrow/triangle/triangles.h"
#include "world/world.h"

static const real D = 0.01, HALO = 0.03;

/* Eight granulates that fall down a shaft onto each other. */
static scree_world *heap(uint64_t seed)
{
	random_stream r = scree_random_start(seed, 3);
	scree_world *w = lab_world(lab_hertz(0.1, 0.4));
	fail why = {0};
	grain g = grain_granulate(&r, 50, 0.75);
	CHECK(scree_shapes_add_surface(&w->model.shape, "grain", g.vertices, g.vertex, g.triangles, g.triangle, HALO,
								   &why) == 2,
		  "%s", why.text);
	grain_free(&g);
	w->model.gravity = v3(0, 0, -10);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 4; ++k) { /* a shaft */
		const vec3 n = v3(k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0, 0);
		lab_plane(w, v3_madd(v3(0.15 * D, 0.3 * D, 0), -0.9 * D, n), n);
	}
	for (int k = 0; k < 8; ++k)
		lab_add_moving(w, 2, D, v3(0.3 * D * (k % 2), 0.3 * D * (k % 3), (0.56 + 1.05 * k) * D),
					   scree_random_rotation(&r), v3(0, 0, -0.6 - 0.4 * k), v3(3, 2, 1));
	w->model.material.row[0].young = 3e7;
	lab_prepare(w, 0);
	lab_prepare(w, w->model.safe_step); /* the longest safe step, to cover more time */
	return w;
}

typedef struct course {
	uint64_t state;
	surface_counts counts;
	int64_t contacts;
	real height;
} course;

static course run(triangle_choice how, int threads, uint64_t seed)
{
	scree_set_threads(threads);
	scree_world *w = heap(seed);
	w->model.triangles = how;
	course o = {0};
	for (int k = 0; k < 20; ++k) {
		lab_steps(w, 120);
		o.contacts += w->work.touching;
	}
	for (int32_t i = 0; i < w->state.body.count; ++i) o.height += w->state.body.z[i] / D;
	o.counts = scree_surfaces_counted(&w->work);
	w->model.triangles = (triangle_choice){0}; /* reset because the choice itself is part of the hash */
	o.state = scree_world_hash(&w->model, &w->state, &w->work);
	scree_world_free(w);
	scree_set_threads(0);
	return o;
}

static void proofs_give_the_bits_of_the_default(void **state)
{
	(void)state;
	FOR_SEEDS(1)
	{
		const course first = run((triangle_choice){0}, 1, test_seed);
		CHECK(first.contacts > 20, "%lld contacts", (long long)first.contacts);
		for (int k = 1; k < 4; ++k) {
			const triangle_choice how = {k & 1 ? TRIANGLES_BRUTE : TRIANGLES_CERTIFIED, 0, k / 2};
			const course o = run(how, 1 + k, test_seed);
			CHECK(o.state == first.state, "%s in %s: another state", scree_triangle_ways[how.way].name,
				  how.in_float ? "float" : "double");
			CHECK(how.way == TRIANGLES_CERTIFIED || (!o.counts.newton && o.counts.brute > first.counts.brute),
				  "brute force alone: %lld and %lld", (long long)o.counts.newton, (long long)o.counts.brute);
		}
	}
}

static void guesses_do_not_depend_on_threads(void **state)
{
	(void)state;
	static const triangle_choice how[] = {
		{TRIANGLES_PENALTY, 0, 0}, {TRIANGLES_HYBRID, 0, 0}, {TRIANGLES_BATCHES, 0, 0}, {TRIANGLES_BATCHES, 24, 1}};
	const course sure = run((triangle_choice){0}, 1, 1);
	int64_t redone[4];
	for (int k = 0; k < 4; ++k) {
		const course o = run(how[k], 1, 1), other = run(how[k], 4, 1);
		const char *name = scree_triangle_ways[how[k].way].name;
		CHECK(o.state == other.state && !memcmp(&o.counts, &other.counts, sizeof o.counts), "%s: threads matter", name);
		CHECK(o.counts.newton > 0 && !o.counts.slab && !o.counts.thorough, "%s proves something", name);
		NEAR((real)o.contacts / (real)sure.contacts, 1, 0.1, name);
		NEAR(o.height / sure.height, 1, 0.05, name);
		redone[k] = o.counts.brute;
	}
	CHECK(redone[0] == 0 && redone[1] > 0 && redone[3] > redone[1] && redone[2] > redone[3],
		  "redone: %lld, %lld, %lld in batches of 64, %lld of 24", (long long)redone[0], (long long)redone[1],
		  (long long)redone[2], (long long)redone[3]);
}

/* A batch with a single pair follows Algorithm 9. */
static void batches_of_one_pair_are_pairs(void **state)
{
	(void)state;
	const course pairs = run((triangle_choice){TRIANGLES_HYBRID, 0, 0}, 1, 2);
	const course ones = run((triangle_choice){TRIANGLES_BATCHES, 1, 0}, 2, 2);
	CHECK(pairs.state == ones.state && pairs.counts.brute == ones.counts.brute, "batches of one pair differ");
}

/* Grains that cross each other are detected by each method, even by Newton's method, which reports them as touching. */
static void crossing_is_seen(void **state)
{
	(void)state;
	for (int way = 0; way < TRIANGLE_WAYS; ++way)
		for (int in_float = 0; in_float < 2; ++in_float) {
			random_stream r = scree_random_start(5, 3);
			grain g = grain_granulate(&r, 50, 0.75);
			trimesh m = {0};
			fail why = {0};
			CHECK(scree_trimesh_build(&m, "grain", g.vertices, g.vertex, g.triangles, g.triangle, &why), "%s",
				  why.text);
			grain_free(&g);
			const mat3 upright = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
			placed_surface a = {&m, v3(0, 0, 0), upright, 1, HALO, 0.5}, b = a;
			b.at = v3(0.6, 0.1, 0.05);
			surface_scratch s = {.how = {way, 0, in_float}};
			point_list found = {0};
			bool crossed;
			scree_surface_surface(&a, &b, &s, &found, &crossed);
			CHECK(crossed, "%s, float %d: grains in each other", scree_triangle_ways[way].name, in_float);
			b.at = v3(1.3, 0.1, 0.05);
			scree_surface_surface(&a, &b, &s, &found, &crossed);
			CHECK(!crossed, "%s, float %d: grains beside each other", scree_triangle_ways[way].name, in_float);
			scree_point_list_free(&found), scree_surface_scratch_free(&s), scree_trimesh_free(&m);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proofs_give_the_bits_of_the_default), cmocka_unit_test(guesses_do_not_depend_on_threads),
		cmocka_unit_test(batches_of_one_pair_are_pairs), cmocka_unit_test(crossing_is_seen)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
