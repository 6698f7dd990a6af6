/* Ellipsoids, superquadrics and capsules in contact with polyhedra and compounds: impacts and gases conserve energy and
 * momentum, a ball defined as another shape moves like a sphere, and bodies come to rest on a box and between boxes,
 * for all responses. */
#include "lab.h"
#include "part_shapes.h"
#include "test.h"

#include "base/random.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "kernel/motion.h"
#include "model/model.h"
#include "model/narrow.h"
#include "model/response.h"

static const real D = 0.01; /* m */
enum { CUBE = 1, CROSS, PEBBLE, EGG, SEED, SOAP, PILL, DISGUISED, ROD, STUB };

static scree_world *mixed_world(contact_rule rule)
{
	scree_world *w = lab_world(rule);
	shapes *s = &w->model.shape;
	fail why = {0};
	vec3 p[20];
	random_stream r = scree_random_start(9, 1);
	for (int k = 0; k < 20; ++k) p[k] = v3_mul(0.6, scree_random_direction(&r));
	CHECK(part_add_compound(s, "cross", &part_cross, &why) == CROSS, "%s", why.text);
	CHECK(scree_shapes_add_hull(s, "pebble", 20, p, &why) == PEBBLE, "%s", why.text);
	CHECK(scree_shapes_add_superquadric(s, "egg", v3(0.5, 0.5, 0.8), 2, 2, &why) == EGG, "%s", why.text);
	CHECK(scree_shapes_add_superquadric(s, "seed", v3(0.2, 0.35, 0.8), 2, 2, &why) == SEED, "%s", why.text);
	CHECK(scree_shapes_add_superquadric(s, "soap", v3(0.6, 0.45, 0.4), 3, 4, &why) == SOAP, "%s", why.text);
	CHECK(scree_shapes_add_superquadric(s, "pill", v3(0.5, 0.5, 0.3), 2, 8, &why) == PILL, "%s", why.text);
	CHECK(scree_shapes_add_superquadric(s, "ball", v3(0.5, 0.5, 0.5), 2, 2, &why) == DISGUISED, "%s", why.text);
	CHECK(scree_shapes_add_capsule(s, "rod", 2, 0.6, &why) == ROD, "%s", why.text);
	CHECK(scree_shapes_add_capsule(s, "stub", 1, 1, &why) == STUB, "%s", why.text);
	return w;
}

static void add_held(scree_world *w, int32_t shape, real size, vec3 at, quat turn)
{
	const new_body held = {.shape = shape, .size = size, .position = at, .orientation = turn, .flags = BODY_HELD};
	scree_world_add(&w->model, &w->state, &w->work, 1, &held);
}

/* ------------------------------------------------------------------ energy and momentum */

static vec3 momentum(const scree_world *w, vec3 *spin)
{
	const bodies *b = &w->state.body;
	vec3 sum = v3(0, 0, 0);
	*spin = sum;
	for (int32_t i = 0; i < b->owned; ++i) {
		const vec3 p = v3_mul(b->mass[i], body_velocity(b, i)), inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
		sum = v3_add(sum, p);
		*spin = v3_add(*spin, v3_cross(body_position(b, i), p));
		*spin = v3_add(*spin, momentum_of(body_orientation(b, i), body_angular_velocity(b, i), inertia));
	}
	return sum;
}

/* Two frictionless bodies at random poses collide. */
static void impacts_keep_energy_and_momentum(void **state)
{
	(void)state;
	static const int32_t smooth[5] = {EGG, SEED, SOAP, PILL, ROD}, solid[3] = {CUBE, PEBBLE, CROSS};
	int64_t met = 0;
	FOR_SEEDS(10)
	{
		random_stream r = scree_random_start(test_seed, 2);
		scree_world *w = mixed_world(test_seed % 2 ? lab_hertz(1, 0) : lab_linear(1e4, 1, 0));
		const quat turn = scree_random_rotation(&r), other = scree_random_rotation(&r);
		lab_add_moving(w, smooth[test_seed % 5], D, v3(0, 0, 0), turn, v3(0, 0, 0.3), v3(5, 3, -8));
		lab_add_moving(w, solid[test_seed % 3], D, v3(0.1 * D, 0.2 * D, 1.8 * D), other, v3(0, 0, -0.3), v3(-3, 9, 4));
		lab_prepare(w, 4e-7);
		vec3 spin[2], p[2];
		const real before = lab_energy(w);
		p[0] = momentum(w, spin);
		lab_steps(w, 75000);
		p[1] = momentum(w, spin + 1);
		met += body_velocity(&w->state.body, 0).z < 0.25;
		/* contacts of rods appear and disappear gradually on small faces (docs/theory/smooth.md) */
		NEAR(lab_energy(w) / before, 1, test_seed % 5 == 4 ? 1e-2 : 1e-5, "energy");
		NEAR(v3_norm(v3_sub(p[1], p[0])) / (1e-3 * 0.3), 0, 1e-9, "momentum");
		NEAR(v3_norm(v3_sub(spin[1], spin[0])) / (1e-3 * 0.3 * D), 0, 1e-6, "angular momentum");
		scree_world_free(w);
	}
	CHECK(met * 2 > test_cases(10), "%lld pairs met", (long long)met);
}

static void gases_keep_their_energy(void **state)
{
	(void)state;
	static const int32_t kind[6][2] = {{EGG, CUBE}, {ROD, CROSS},	{SEED, CROSS},
									   {ROD, CUBE}, {PILL, PEBBLE}, {SOAP, CROSS}};
	enum { SIDE = 3 };
	const real cell = 1.9 * D; /* no two bodies overlap at the start, whatever their orientation */
	for (int k = 0; k < test_few(6, 2); ++k) {
		scree_world *w = mixed_world((contact_rule){.law = LAW_OVERLAP, .restitution = 1});
		w->model.narrow = scree_narrow_find("overlap-thickness");
		random_stream r = scree_random_start(50 + (uint64_t)k, 1);
		lab_periods(w, "xyz", v3(0, 0, 0), v3(SIDE * cell, SIDE * cell, SIDE * cell));
		for (int i = 0; i < SIDE * SIDE * SIDE; ++i) {
			const vec3 at = v3(cell * (i % SIDE + 0.5), cell * (i / SIDE % SIDE + 0.5), cell * (i / SIDE / SIDE + 0.5));
			const vec3 spin = v3_mul(50, scree_random_direction(&r)), velocity = scree_random_direction(&r);
			lab_add_moving(w, kind[k][i % 2], D, at, scree_random_rotation(&r), velocity, spin);
		}
		int64_t impacts;
		const real worst = lab_elastic_gas(w, 0.03, &impacts);
		print_message("kinds %d and %d: %lld impacts, energy off by %.2e\n", kind[k][0], kind[k][1], (long long)impacts,
					  worst);
		CHECK(impacts > 20, "only %lld impacts", (long long)impacts);
		/* with the default step, the energy error of a gas of these rods and spheres is 2.3e-3 */
		CHECK(worst < (kind[k][0] == ROD ? 8e-3 : 1e-3), "energy off by %g", worst);
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ a ball in disguise */

static scree_world *ball_on_box(int32_t ball, const char *response)
{
	scree_world *w = mixed_world(lab_hertz(0.7, 0.4));
	w->model.gravity = v3(0, 0, -9.81);
	model_respond(&w->model, scree_response_find(response));
	add_held(w, CUBE, 4 * D, v3(0, 0, -2 * D), quat_one());
	add_held(w, PEBBLE, D, v3(1.2 * D, 0, 0.3 * D), quat_exp(v3(0.3, 0.2, 0.5), 1));
	lab_add_moving(w, ball, D, v3(0, 0, 0.5 * D), quat_one(), v3(0.3, 0.02, 0), v3(3, 20, 1));
	return w;
}

/* The ball rolls over a box, hits a polyhedron, and falls over the edge of the box. */
static void a_ball_in_disguise_moves_as_a_ball(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		real at, moves, turns; /* m, m/s, rad/s */
	} near[3] = {{"forces", 1e-10, 1e-8, 1e-6}, {"implicit", 1e-6, 1e-4, 1e-2}, {"hard", 2e-4, 1e-2, 1}};
	for (int r = 0; r < 6; ++r) {
		if (!test_drawn(r + 2)) continue;
		const int k = r / 2;
		scree_world *plain = ball_on_box(0, near[k].name);
		scree_world *other = ball_on_box(r % 2 ? STUB : DISGUISED, near[k].name);
		for (int o = 0; o < 2; ++o) {
			lab_prepare(o ? other : plain, k ? 2e-5 : 1e-6);
			lab_steps(o ? other : plain, k ? 3000 : 60000);
		}
		const bodies *a = &plain->state.body, *b = &other->state.body;
		NEAR(v3_norm(v3_sub(body_position(a, 2), body_position(b, 2))), 0, near[k].at, near[k].name);
		NEAR(v3_norm(v3_sub(body_velocity(a, 2), body_velocity(b, 2))), 0, near[k].moves, near[k].name);
		NEAR(v3_norm(v3_sub(body_angular_velocity(a, 2), body_angular_velocity(b, 2))), 0, near[k].turns, near[k].name);
		CHECK(a->vx[2] < 0.25, "the ball has not met the polyhedron: %g", a->vx[2]);
		scree_world_free(plain);
		scree_world_free(other);
	}
}

/* ------------------------------------------------------------------ rest */

static const char *const ways[3] = {"forces", "implicit", "hard"};

static void settle(scree_world *w, int k, real time)
{
	for (int32_t m = 0; m < w->model.material.count * w->model.material.count; ++m)
		w->model.material.rule[m].rolling_friction = 0.1;
	w->model.gravity = v3(0, 0, -9.81);
	model_respond(&w->model, scree_response_find(ways[k]));
	lab_prepare(w, k ? 1e-4 : 4e-6);
	lab_steps(w, (int64_t)(time / (k ? 1e-4 : 4e-6)));
}

/* An egg that falls onto a box comes to rest flat, at the height of its short semi-axis minus the overlap. */
static void an_egg_comes_to_rest_on_a_box(void **state)
{
	(void)state;
	for (int k = test_short(); k < 3; ++k) { /* the response `forces` needs the most steps */
		scree_world *w = mixed_world(lab_hertz(0.3, 0.6));
		add_held(w, CUBE, 6 * D, v3(0, 0, -3 * D), quat_one());
		const uint64_t id =
			lab_add_moving(w, EGG, D, v3(0, 0, 0.9 * D), quat_exp(v3(0.9, 0.2, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
		settle(w, k, 1);
		const bodies *b = &w->state.body;
		const int32_t row = lab_row(w, id);
		NEAR(v3_norm(body_velocity(b, row)), 0, 2e-3, ways[k]);
		NEAR(b->z[row], 0.5 * D, 5e-5, ways[k]);
		NEAR(quat_rotate(body_orientation(b, row), v3(0, 0, 1)).z, 0, 0.05, "the long axis lies");
		scree_world_free(w);
	}
}

/* An egg rests in a groove between two boxes inclined at 45 degrees: it touches two faces, so its centre is sqrt(2)
 * times its radius above the bottom of the groove. */
static void an_egg_rests_in_a_groove(void **state)
{
	(void)state;
	for (int k = test_short(); k < 3; ++k) {
		scree_world *w = mixed_world(lab_hertz(0.3, 0.6));
		const quat turn = quat_exp(v3(0, SCREE_PI / 4, 0), 1);
		for (int side = 0; side < 2; ++side)
			add_held(w, CUBE, 4 * D, v3_mul(2 * D, v3(side ? sqrt(2) : -sqrt(2), 0, 0)), turn);
		const uint64_t id = lab_add_moving(w, EGG, D, v3(0.05 * D, 0, sqrt(0.5) * D + 0.1 * D),
										   quat_exp(v3(SCREE_PI / 2 - 0.1, 0, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
		settle(w, k, 1);
		const bodies *b = &w->state.body;
		const int32_t row = lab_row(w, id);
		NEAR(v3_norm(body_velocity(b, row)), 0, 2e-3, ways[k]);
		NEAR(b->z[row], sqrt(0.5) * D, 1e-4, ways[k]);
		NEAR(b->x[row], 0, 5e-5, ways[k]);
		scree_world_free(w);
	}
}

/* A rod rests across a box, with one end beyond the border of the box, and across two boxes, with both ends beyond the
 * borders. */
static void a_rod_rests_across_borders(void **state)
{
	(void)state;
	for (int n = 0; n < 6; ++n) {
		if (!test_drawn(n)) continue;
		const int k = n / 2;
		const bool bridge = n % 2;
		scree_world *w = mixed_world(lab_hertz(0.3, 0.6));
		for (int side = 0; side < 1 + bridge; ++side)
			add_held(w, CUBE, bridge ? 0.7 * D : D,
					 v3((side	  ? 0.6
						 : bridge ? -0.6
								  : 0) *
							D,
						0, bridge ? 0.15 * D : 0),
					 quat_one());
		const uint64_t id = lab_add_moving(w, ROD, D, v3(bridge ? 0.1 * D : 0.3 * D, 0.1 * D, 0.85 * D),
										   quat_exp(v3(0, SCREE_PI / 2 + 0.05, 0.1), 1), v3(0, 0, 0), v3(0, 0, 0));
		settle(w, k, 0.6);
		const bodies *b = &w->state.body;
		const int32_t row = lab_row(w, id);
		NEAR(v3_norm(body_velocity(b, row)), 0, 2e-3, ways[k]);
		NEAR(b->z[row], 0.8 * D, 5e-5, ways[k]);
		NEAR(quat_rotate(body_orientation(b, row), v3(0, 0, 1)).z, 0, 0.01, "the axis lies");
		scree_world_free(w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(impacts_keep_energy_and_momentum),	  cmocka_unit_test(gases_keep_their_energy),
		cmocka_unit_test(a_ball_in_disguise_moves_as_a_ball), cmocka_unit_test(an_egg_comes_to_rest_on_a_box),
		cmocka_unit_test(an_egg_rests_in_a_groove),			  cmocka_unit_test(a_rod_rests_across_borders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
