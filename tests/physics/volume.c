/* The law volume with the narrow phase overlap-volume: the stored energy is a function of the poses, so the sum of
 * kinetic and stored energy is constant without damping and friction, except for the error of the integrator. */
#include "base/maths.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "lab.h"
#include "model/narrow.h"
#include "test.h"

#include <stdlib.h>

static const real D = 0.01; /* m */

static scree_world *volume_world(real restitution, real friction)
{
	contact_rule rule = {.law = LAW_VOLUME, .restitution = restitution, .friction = friction};
	scree_world *w = lab_world(rule);
	fail why = {0};
	static const char *const name[] = {"tetrahedron", "octahedron", "dodecahedron", "icosahedron"};
	for (int k = 0; k < 4; ++k)
		CHECK(scree_shapes_add_regular(&w->model.shape, name[k], name[k], &why) == 2 + k, "%s", why.text);
	random_stream r = scree_random_start(8, 8);
	vec3 p[20];
	for (int k = 0; k < 20; ++k) {
		vec3 n = scree_random_direction(&r);
		p[k] = v3(0.5 * n.x, 0.35 * n.y, 0.4 * n.z);
	}
	CHECK(scree_shapes_add_hull(&w->model.shape, "pebble", 20, p, &why) == 6, "%s", why.text);
	w->model.narrow = scree_narrow_find("overlap-volume");
	return w;
}

static vec3 momentum(const scree_world *w)
{
	vec3 p = v3(0, 0, 0);
	for (int32_t i = 0; i < w->state.body.count; ++i)
		p = v3_madd(p, w->state.body.mass[i], body_velocity(&w->state.body, i));
	return p;
}

/* ------------------------------------------------------------------ conservation */

typedef struct drift {
	/* largest change in kinetic plus stored energy, relative to the initial kinetic energy, over all pairs that
	 * collided */
	real most, after;
	int64_t met;
} drift;

/* makes two spinning bodies collide off-centre, for 4 ms */
static void collide(uint64_t seed, real dt, drift *o)
{
	scree_world *w = volume_world(1, 0);
	random_stream r = scree_random_start(seed, 1);
	for (int k = 0; k < 2; ++k) {
		int32_t shape = 1 + (int32_t)(scree_random_bits(&r) % 6);
		real y = scree_random_between(&r, -0.3, 0.3) * D, z = scree_random_between(&r, -0.3, 0.3) * D;
		quat turn = scree_random_rotation(&r);
		vec3 spin = v3_mul(scree_random_between(&r, 0, 100), scree_random_direction(&r));
		lab_add_moving(w, shape, D, v3(k ? 0.9 * D : -0.9 * D, y, z), turn, v3(k ? -1 : 1, 0, 0), spin);
	}
	w->model.guard.speed = 2;
	lab_prepare(w, dt);
	w->model.guard.speed = 0;
	real before = lab_energy(w), most = 0;
	vec3 p = momentum(w);
	bool met = false;
	for (int64_t k = 0; k < (int64_t)(0.012 / dt + 0.5); ++k) {
		lab_steps(w, 1);
		met |= w->work.touching > 0;
		most = real_max(most, real_abs(lab_energy(w) / before - 1));
	}
	CHECK(v3_norm(v3_sub(momentum(w), p)) < 1e-12 * v3_norm(p) + 1e-15, "momentum");
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	CHECK(e.lost_normal == 0 && e.lost_friction == 0 && e.lost_rolling == 0, "elastic, yet something is lost");
	if (met) {
		CHECK(w->work.touching == 0, "still in touch");
		++o->met;
		o->most = real_max(o->most, most);
		o->after = real_max(o->after, real_abs(lab_energy(w) / before - 1));
	}
	scree_world_free(w);
}

static void elastic_collisions_keep_their_energy(void **state)
{
	(void)state;
	const real step[3] = {8e-6, 4e-6, 2e-6};
	drift o[3] = {{0, 0, 0}};
	for (int k = 0; k < 3; ++k) {
		FOR_SEEDS(100) collide(test_seed, step[k], o + k);
		print_message("step %g us: %lld met; greatest drift %.2e, afterwards %.2e\n", 1e6 * step[k],
					  (long long)o[k].met, o[k].most, o[k].after);
	}
	CHECK(o[0].met > test_cases(100) / 2, "only %lld met", (long long)o[0].met);
	CHECK(o[0].most < 1e-3 && o[0].after < 1e-4, "drift %g, afterwards %g", o[0].most, o[0].after);
	for (int k = 0; k < 2; ++k)
		CHECK(o[k + 1].most < 0.35 * o[k].most, "half the step leaves %g of the drift", o[k + 1].most / o[k].most);
}

/* ------------------------------------------------------------------ a plane */

typedef struct bounce {
	real part, most, weight; /* ratio of the energies after and before the bounce; largest energy during the bounce;
								ratio of the normal speeds */
	real made;				 /* fraction of energy created by changes in geometry */
} bounce;

static bounce fall(quat turn, real restitution, real friction, real dt, real speed)
{
	scree_world *w = volume_world(restitution, friction);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, 1, D, v3(0, 0, 0.88 * D), turn, v3(0, 0, -speed), v3(0, 0, 0));
	w->model.guard.speed = 2;
	lab_prepare(w, dt);
	real before = lab_energy(w);
	bounce o = {0, 0, 0, 0};
	bool met = false;
	for (int64_t k = 0; k < (int64_t)(0.02 / dt / speed) && !(met && !w->work.touching && w->state.body.vz[0] > 0);
		 ++k) {
		lab_steps(w, 1);
		met |= w->work.touching > 0;
		o.most = real_max(o.most, lab_energy(w) / before);
	}
	CHECK(met && !w->work.touching, "it has not bounced");
	o.part = lab_energy(w) / before;
	o.weight = w->state.body.vz[0] / speed;
	o.made = scree_world_energy(&w->model, &w->state, &w->work).made / before;
	scree_world_free(w);
	return o;
}

/* flat, on edges, on corners, and slightly tilted from each: the energy is conserved; with damping and friction, it
 * only decreases */
static void a_cube_that_falls_at_any_angle(void **state)
{
	(void)state;
	real worst = 0, made = 0;
	FOR_SEEDS(150)
	{
		random_stream r = scree_random_start(test_seed, 2);
		quat base[3] = {quat_one(), quat_exp(v3(SCREE_PI / 4, 0, 0), 1), scree_random_rotation(&r)};
		real angle = 0.1;
		for (uint64_t k = 0; k < test_seed / 3 % 8; ++k) angle /= 10;
		quat turn = quat_mul(quat_exp(v3_mul(angle, scree_random_direction(&r)), 1), base[test_seed % 3]);
		bounce o = fall(turn, 1, 0, 2e-6, 1);
		worst = real_max(worst, real_abs(o.part - 1));
		made = real_max(made, real_abs(o.made));
		bounce rough = fall(turn, 1, 0.4, 2e-6, 1), soft = fall(turn, 0.6, 0.4, 2e-6, 1);
		CHECK(rough.most < 1.0005 && soft.most < 1.0005, "energy made: %g, %g", rough.most - 1, soft.most - 1);
		CHECK(soft.part < 0.999, "damping takes nothing: %g", soft.part);
	}
	print_message("cubes at any angle: energy off by %.2e, made by geometry %.2e\n", worst, made);
	CHECK(worst < 1e-4 && made < 1e-4, "energy %g, geometry %g", worst, made);
}

/* The damping is linear in the square root of the energy of V, so for any shape of the overlap, on a face, an edge
 * and a corner, fast and slow, the restitution is as specified. */
static void restitution_is_what_was_asked_for(void **state)
{
	(void)state;
	quat edge = quat_exp(v3(SCREE_PI / 4, 0, 0), 1);
	quat corner = quat_mul(quat_exp(v3(0, -scree_atan2(1, sqrt(2.0)), 0), 1), edge);
	const quat turn[3] = {quat_one(), edge, corner};
	const real wanted[4] = {0.2, 0.5, 0.8, 0.98};
	for (int k = 0; k < 3; ++k) {
		for (int i = 0; i < 4; ++i) {
			if (!test_drawn(k + i)) continue;
			bounce fast = fall(turn[k], wanted[i], 0, 1e-6, 1), slow = fall(turn[k], wanted[i], 0, 1e-6, 0.2);
			if (getenv("SCREE_TEST_TABLES")) printf("# %d: e %g: %.5f %.5f\n", k, wanted[i], fast.weight, slow.weight);
			NEAR(fast.weight, wanted[i], 2e-3, "restitution at 1 m/s");
			NEAR(slow.weight, wanted[i], 2e-3, "restitution at 0.2 m/s");
		}
	}
}

/* W' A = m g: flat V = a^2 d, so that E* a d = m g */
static void at_rest_the_force_is_the_weight(void **state)
{
	(void)state;
	scree_world *w = volume_world(0.3, 0.5);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	w->model.gravity = v3(0, 0, -9.81);
	for (int k = 0; k < 3; ++k) lab_add(w, 1, D, v3(0, 0, (0.5 + k) * D));
	lab_prepare(w, 0);
	lab_steps(w, (int64_t)(0.2 / w->model.dt));
	real young = 1e7 / (2 * (1 - 0.25 * 0.25)), weight = w->state.body.mass[0] * 9.81;
	real z = 0;
	for (int k = 0; k < 3; ++k) {
		real sinks = real_abs(w->state.body.z[lab_row(w, (uint64_t)k + 1)] - z - (k ? D : D / 2));
		z = w->state.body.z[lab_row(w, (uint64_t)k + 1)];
		NEAR(sinks, (3 - k) * weight / (young * D), 1e-4 * weight / (young * D), "overlap");
	}
	NEAR(scree_wall_load(&w->model, &w->state, &w->work, 0).force.z, -3 * weight, 1e-6 * weight, "force on the plane");
	CHECK(w->work.greatest_speed < 1e-7, "something moves at %g m/s", w->work.greatest_speed);
	energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
	real stored = 0;
	for (int k = 1; k <= 3; ++k) stored += k * weight * k * weight / (2 * young * D);
	NEAR(e.elastic, stored, 1e-4 * stored, "stored energy");
	scree_world_free(w);
}

/* The stiffness of the tangential spring is 4 G* A^2/V0, and friction holds a body on a slope below the angle of
 * friction */
static void a_block_on_a_slope(void **state)
{
	(void)state;
	lab_block_on_slopes(volume_world(0.3, 0.5), volume_world(0.3, 0.5), 1, D, 0.5, 0.01);
}

/* The default step is 1/50 of the shortest contact time, which belongs to two bodies in contact at their widest faces
 */
static void the_step_knows_flat_bodies(void **state)
{
	(void)state;
	scree_world *w = volume_world(1, 0);
	fail why = {0};
	int32_t plate = scree_shapes_add_box(&w->model.shape, "plate", v3(1, 1, 0.05), &why);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_add_moving(w, plate, D, v3(0, 0, 0.026 * D), quat_one(), v3(0, 0, -0.05), v3(0, 0, 0));
	lab_prepare(w, 0);
	real young = 1e7 / (2 * (1 - 0.25 * 0.25)), m = w->state.body.mass[0];
	NEAR(w->model.contact_time, SCREE_PI * sqrt(m / (young * D / 0.05)), 1e-9 * w->model.contact_time, "contact time");
	real before = lab_energy(w);
	int64_t steps = lab_one_contact(w);
	CHECK(steps > 46 && steps < 54, "the contact took %lld steps", (long long)steps);
	NEAR(lab_energy(w) / before, 1, 1e-3, "energy");
	scree_world_free(w);
}

static void what_does_not_go_together(void **state)
{
	(void)state;
	scree_world *w = volume_world(1, 0);
	w->model.narrow = scree_narrow_row(0);
	lab_refused(w, 0, "the law volume needs run.narrow_phase: overlap-volume");
	w = volume_world(1, 0);
	scree_materials_set_rule(&w->model.material, 0, 0, lab_hertz(1, 0));
	lab_refused(w, 0, "the law hertz needs run.narrow_phase: separating-plane for all contacts, not overlap-volume");
	w = volume_world(1, 0);
	lab_add(w, 0, D, v3(0, 0, 0));
	lab_refused(w, 0, "polyhedra only, but some bodies have shape 'ball'");
	w = volume_world(1, 0);
	vec3 p[300];
	random_stream r = scree_random_start(1, 1);
	fail why = {0};
	for (int k = 0; k < 300; ++k) p[k] = scree_random_direction(&r);
	int32_t round = scree_shapes_add_hull(&w->model.shape, "round", 300, p, &why);
	lab_add(w, round, D, v3(0, 0, 0));
	lab_refused(w, 0, "supports shapes with at most 250 faces; 'round' has");
	w = volume_world(1, 0);
	contact_rule sticky = {.law = LAW_VOLUME, .restitution = 1, .cohesion = 2, .surface = 1};
	scree_materials_set_rule(&w->model.material, 0, 0, sticky);
	lab_refused(w, 0, "law volume does not support cohesion");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elastic_collisions_keep_their_energy),
		cmocka_unit_test(a_cube_that_falls_at_any_angle),
		cmocka_unit_test(restitution_is_what_was_asked_for),
		cmocka_unit_test(at_rest_the_force_is_the_weight),
		cmocka_unit_test(a_block_on_a_slope),
		cmocka_unit_test(the_step_knows_flat_bodies),
		cmocka_unit_test(what_does_not_go_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
