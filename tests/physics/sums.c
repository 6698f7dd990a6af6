/* Forces as integers (docs/theory/sums.md): rounding, addition and overflow. */
#include "base/parallel.h"
#include "base/random.h"
#include "choices/choices.h"
#include "kernel/contact_quanta.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "test.h"

#include <math.h>

/* ------------------------------------------------------------------ one number */

static void numbers_become_the_nearest_quanta(void **state)
{
	(void)state;
	FOR_SEEDS(200000)
	{
		uint64_t k = test_seed;
		random_stream r = scree_random_start(test_seed, 0);
		real x = scree_random_between(&r, -1, 1) * ldexp(1, (int)scree_random_between(&r, -20, 60.99));
		if (k % 4 == 0) x = floor(x) + (real)0.5; /* between two quanta */
		if (k % 4 == 1) x = floor(x);
		CHECK(quanta_of(x) == (int64_t)nearbyint(x), "%.17g gives %lld", x, (long long)quanta_of(x));
		if (real_abs(x) < 1e15)
			CHECK(quanta_small(x) == (int64_t)nearbyint(x), "%.17g gives %lld", x, (long long)quanta_small(x));
		CHECK(quanta_of(-x) == -quanta_of(x), "%.17g is not odd", x);
	}
}

/* ------------------------------------------------------------------ many of them */

/* balls of two sizes and cubes falling together */
static scree_world *crowd(void)
{
	scree_world *w = lab_world(lab_hertz(0.7, 0.4));
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -50);
	for (int k = 0; k < 240; ++k)
		lab_add(
			w, k % 3 == 2, k % 3 ? 0.01 : 0.007,
			v3(0.0115 * (k % 6) + 0.001 * (k % 5), 0.0115 * (k / 6 % 5) + 0.001 * (k % 7), 0.008 + 0.013 * (k / 30)));
	lab_prepare(w, 0);
	return w;
}

static uint64_t hash_after(int threads, bool unsorted, int64_t steps, int64_t *contacts)
{
	scree_set_threads(threads);
	scree_world *w = crowd();
	w->model.unsorted = unsorted;
	*contacts = 0;
	for (int64_t k = 0; k < steps; ++k) {
		lab_steps(w, 1);
		*contacts += w->work.touching;
	}
	uint64_t h = scree_world_hash(&w->model, &w->state, &w->work);
	scree_world_free(w);
	scree_set_threads(0);
	return h;
}

/* Seven threads process pieces in any order, and unsorted bodies have their contacts in a different order. */
static void order_means_nothing(void **state)
{
	(void)state;
	int64_t met, again;
	uint64_t one = hash_after(1, false, 3000, &met);
	CHECK(met > 3000, "they hardly touch: %lld", (long long)met);
	CHECK(hash_after(7, false, 3000, &again) == one, "seven threads change it");
	CHECK(hash_after(1, true, 3000, &again) == one, "the order of bodies changes it");
	CHECK(hash_after(7, true, 3000, &again) == one, "both change it");
}

/* a block of flying balls and cubes, large enough for each stage to have several pieces */
static uint64_t hash_of_packing(int threads, uint64_t seed, int64_t *contacts)
{
	scree_set_threads(threads);
	scree_parallel_shuffle(seed);
	scree_world *w = lab_world(lab_hertz(0.7, 0.4));
	random_stream r = scree_random_start(17, 1);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	for (int k = 0; k < 2700; ++k) {
		vec3 v = v3(scree_random_real(&r) - 0.5, scree_random_real(&r) - 0.5, scree_random_real(&r) - 0.5);
		vec3 at = v3(0.0115 * (k % 15), 0.0115 * (k / 15 % 15), 0.0075 + 0.0115 * (k / 225));
		lab_add_moving(w, k % 2, k % 2 ? 0.006 : 0.0105, at, quat_one(), v3_mul(8, v), v);
	}
	lab_prepare(w, 0);
	*contacts = 0;
	for (int64_t k = 0; k < 100; ++k) {
		lab_steps(w, 1);
		*contacts += w->work.touching;
	}
	uint64_t h = scree_world_hash(&w->model, &w->state, &w->work);
	scree_world_free(w);
	scree_parallel_shuffle(0);
	scree_set_threads(0);
	return h;
}

/* Seven threads process the pieces of every stage in random order. */
static void pieces_are_taken_at_random(void **state)
{
	(void)state;
	int64_t met, again;
	uint64_t one = hash_of_packing(1, 0, &met);
	CHECK(met > 1000, "they hardly touch: %lld", (long long)met);
	for (uint64_t seed = 1; seed < 5; ++seed)
		CHECK(hash_of_packing(7, seed * 7919, &again) == one && again == met, "seed %d changes it", (int)seed);
}

/* ------------------------------------------------------------------ action and reaction */

static scree_world *two_balls(real small, real large)
{
	scree_world *w = lab_world(lab_hertz(0.8, 0.5));
	real gap = 0.001 * small;
	lab_add_moving(w, 0, small, v3(0, 0, 0), (quat){1, 0, 0, 0}, v3(0, 0.3, 1), v3(5, -20, 60));
	lab_add_moving(w, 0, large, v3(0, 0.3 * small, (small + large) / 2 * 0.99 + gap), (quat){1, 0, 0, 0}, v3(0, 0, 0),
				   v3(0, 1, 0));
	lab_prepare(w, 0);
	return w;
}

static void action_is_reaction_to_the_bit(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		scree_world *w = two_balls(0.01, k ? 0.2 : 0.013);
		int64_t met = 0;
		for (int s = 0; s < 20000 && (!met || w->work.touching); ++s) {
			lab_steps(w, 1);
			met += w->work.touching;
			const bodies *b = &w->state.body;
			CHECK(b->fx[0] == -b->fx[1] && b->fy[0] == -b->fy[1] && b->fz[0] == -b->fz[1],
				  "%.17g and %.17g N after %lld contacts", b->fz[0], b->fz[1], (long long)met);
		}
		CHECK(met > 10, "they do not meet");
		CHECK((w->work.sums.wides > 0) == (k == 1), "%d wide bodies", w->work.sums.wides);
		scree_world_free(w);
	}
}

/* The quantum is derived from the current bodies. */
static void quanta_follow_the_bodies(void **state)
{
	(void)state;
	scree_world *w = two_balls(0.01, 0.013);
	lab_steps(w, 10);
	real f = w->work.sums.force_quantum, t = w->work.sums.torque_quantum;
	int e;
	CHECK(frexp(f, &e) == 0.5 && frexp(t, &e) == 0.5, "no powers of two: %g, %g", f, t);
	lab_add(w, 0, 0.05, v3(1, 1, 1));
	lab_steps(w, 1);
	CHECK(w->work.sums.force_quantum > f, "a larger body leaves it at %g", f);
	int32_t row = lab_row(w, 3);
	scree_world_remove(&w->model, &w->state, &w->work, 1, &row);
	lab_steps(w, 1);
	CHECK(w->work.sums.force_quantum == f, "%g is not %g", w->work.sums.force_quantum, f);
	scree_world_free(w);
}

/* A world without bodies, for example one whose sources have not yet started, also has quanta. */
static void no_bodies_have_quanta(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_prepare(w, 1e-5);
	lab_steps(w, 2);
	CHECK(w->work.sums.force_quantum > 0 && w->work.sums.coarsest == 0, "%g", w->work.sums.force_quantum);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ too much */

static void what_no_sum_holds_is_told(void **state)
{
	(void)state;
	contact_rule rule = {.law = LAW_POWER, .restitution = 1};
	rule.power = (power_rule){.stiffness = 1e6, .damping = 1e12, .tangential = 0, .exponent = 0};
	scree_world *w = lab_world(rule);
	w->model.unsafe = true;
	w->model.guard.overlap = 0.01;
	lab_add_moving(w, 0, 0.01, v3(0, 0, 0), (quat){1, 0, 0, 0}, v3(0, 0, 10), v3(0, 0, 0));
	lab_add(w, 0, 0.01, v3(0, 0, 0.010001));
	lab_prepare(w, 1e-7);
	bool holds = true;
	for (int k = 0; k < 100 && holds; ++k) holds = scree_step(w);
	CHECK(!holds, "nobody stops it");
	CHECK(strstr(w->work.why.text, "exceeds the range of force sums") && strstr(w->work.why.text, "body 1"), "%s",
		  w->work.why.text);
	CHECK(w->work.why.code == FAIL_GUARD, "code %d", w->work.why.code);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ real materials */

/* a ball or a cube resting on a plane, with a second body on top; with 64-bit sums where these suffice */
static scree_world *tower(int law, real young, real density, real size, int shape)
{
	contact_rule rule = law == LAW_HERTZ ? lab_hertz(0.5, 0.5) : (contact_rule){.law = law, .restitution = 0.5};
	scree_world *w = lab_world(rule);
	if (law == LAW_OVERLAP) w->model.narrow = scree_narrow_find("overlap-thickness");
	w->model.material.row[0].young = young;
	w->model.material.row[0].density = density;
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	const real half = size / 2;
	for (int k = 0; k < 2; ++k)
		lab_add_moving(w, shape, size, v3(0, 0, half + k * 2 * half * (1 + 1e-5)), quat_one(), v3(0, 0, -0.05),
					   v3(0, 0, 0));
	lab_prepare(w, 0);
	return w;
}

/* Glass and steel bodies from 10 um to 10 mm in size: quanta resolve the weight, sums can hold the forces of an impact,
 * and bodies rebound with their restitution. */
static void real_materials_run(void **state)
{
	(void)state;
	const real young[2] = {70e9, 210e9}, density[2] = {2500, 7800};
	const int laws[2] = {LAW_HERTZ, LAW_OVERLAP};
	for (int k = 0; k < 2 * 2 * 2 * 4; ++k) {
		const real size = pow(10, -5 + k / 8);
		scree_world *w = tower(laws[k / 4 % 2], young[k % 2], density[k % 2], size, k / 2 % 2);
		const real mass = w->state.body.mass[0], fell = mass * 0.05 * 0.05, before = w->state.body.vz[0];
		lab_steps(w, 1);
		CHECK(w->work.sums.coarsest > 0 && w->work.sums.coarsest <= SUMS_COARSEST, "row %d: %g", k,
			  w->work.sums.coarsest);
		for (int s = 0; s < 400; ++s) CHECK(scree_step(w), "row %d: %s", k, w->work.why.text);
		const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
		CHECK(w->state.body.vz[0] > before, "row %d: nothing bounced", k);
		CHECK(e.lost_normal > 0.1 * fell && real_abs(e.residual + e.made) < 0.01 * e.lost_normal,
			  "row %d: %g J lost of %g, %g from nowhere", k, e.lost_normal, fell, e.residual + e.made);
		scree_world_free(w);
	}
}

/* Grains a few nanometres in size: the torques due to their weights are below the resolution of 128 bits. */
static void light_bodies_are_told(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	w->model.material.row[0].young = 1e12;
	w->model.gravity = v3(0, 0, -1e-3);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add(w, 0, 1e-7, v3(0, 0, 1e-7));
	lab_prepare(w, 0);
	CHECK(!scree_step(w), "nobody stops it");
	CHECK(strstr(w->work.why.text, "of the weight of body 1") && strstr(w->work.why.text, "run.guard.overlap"), "%s",
		  w->work.why.text);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ far from the origin */

/* A body falls onto a plane `far` away, which is fixed, rises, or rotates about a point equally far away; returns the
 * body's height and losses. */
static vec3 falls_at(real far, int shape, int motion)
{
	scree_world *w = lab_world(lab_hertz(0.5, 0.5));
	w->model.gravity = v3(0, 0, -9.81);
	lab_plane(w, v3(far, far, 0), v3(0, 0, 1));
	wall_motion *m = &w->model.wall.row[0].motion;
	if (motion == 1) m->type = MOTION_VELOCITY, m->velocity = v3(0.01, 0, 0.02);
	if (motion == 2) m->type = MOTION_ROTATION, m->axis = v3(0, 1, 0), m->rate = 0.5, m->point = v3(far, far, 0);
	lab_add_moving(w, shape, 0.01, v3(far + 0.003, far, shape ? 0.0075 : 0.0055), quat_unit((quat){1, 0.2, 0.1, 0}),
				   v3(0, 0, -0.2), v3(1, 2, 3));
	lab_prepare(w, 0);
	for (int k = 0; k < 400; ++k) CHECK(scree_step(w), "%g m away, motion %d: %s", far, motion, w->work.why.text);
	const energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	const vec3 out = v3(w->state.body.x[0] - far, w->state.body.z[0], e.lost_normal + e.lost_friction);
	CHECK(e.lost_normal > 0, "it does not touch");
	scree_world_free(w);
	return out;
}

/* 1 km and 100 km are 2e5 and 2e7 radii, at which a double resolves 1e-13 m and 1e-11 m. */
static void far_away_is_as_near(void **state)
{
	(void)state;
	for (int k = 0; k < 12; ++k) {
		const int shape = k % 2, motion = k / 2 % 3;
		const real far = k < 6 ? 1e3 : 1e5;
		const vec3 near = falls_at(0, shape, motion), away = falls_at(far, shape, motion);
		NEAR(away.x, near.x, 1e-12 * far, "x");
		NEAR(away.y, near.y, 1e-12 * far, "height");
		NEAR(away.z, near.z, 1e-8 * far / 1e3 * near.z + 1e-15, "lost");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_become_the_nearest_quanta),
		cmocka_unit_test(order_means_nothing),
		cmocka_unit_test(pieces_are_taken_at_random),
		cmocka_unit_test(action_is_reaction_to_the_bit),
		cmocka_unit_test(quanta_follow_the_bodies),
		cmocka_unit_test(no_bodies_have_quanta),
		cmocka_unit_test(what_no_sum_holds_is_told),
		cmocka_unit_test(real_materials_run),
		cmocka_unit_test(light_bodies_are_told),
		cmocka_unit_test(far_away_is_as_near),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
