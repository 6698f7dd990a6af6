/* Moving ellipsoids and superquadrics in cylinders and cones: a ball defined as another shape, energy and momentum,
 * rest, the numbering of contacts that move around the tube, and histories in snapshots. */
#include "lab.h"
#include "test.h"

#include "base/random.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "model/response.h"
#include "model/law.h"

static int32_t add_shape(scree_world *w, vec3 axes, real power_xy, real power_z)
{
	fail why = {0};
	const int32_t row =
		scree_shapes_add_superquadric(&w->model.shape, "smooth", v3_mul(0.5, axes), power_xy, power_z, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

static wall *add_tube(scree_world *w, vec3 axis, real radius)
{
	fail why = {0};
	const wall o = scree_wall_default("tube", 0);
	const int32_t row =
		scree_walls_add_cylinder(&w->model.wall, o, v3(0, 0, 0), axis, radius, INFINITY, SIDE_INSIDE, &why);
	CHECK(row >= 0, "%s", why.text);
	lab_rows(w);
	return w->model.wall.row + row;
}

static wall *add_cone(scree_world *w, real first, real second, real length)
{
	fail why = {0};
	const wall o = scree_wall_default("cone", 0);
	const int32_t row =
		scree_walls_add_cone(&w->model.wall, o, v3(0, 0, 0), v3(0, 0, 1), first, second, length, SIDE_INSIDE, &why);
	CHECK(row >= 0, "%s", why.text);
	lab_rows(w);
	return w->model.wall.row + row;
}

static const pair_list *contacts_of(const scree_world *w) { return w->state.pair + PAIR_SEVERAL_POINTS_WALL; }

/* ------------------------------------------------------------------ balls in disguise */

/* A ball with spin and friction in a rotating drum or in a cone. */
static scree_world *one_ball(bool disguised, bool cone, const char *response)
{
	scree_world *w = lab_world(lab_hertz(0.7, 0.4));
	const int32_t ball = add_shape(w, v3(1, 1, 1), 2, 2);
	w->model.gravity = v3(0, 0, -9.81);
	model_respond(&w->model, scree_response_find(response));
	if (cone) {
		add_cone(w, 0.004, 0.03, 0.05);
	} else {
		wall *o = add_tube(w, v3(0, 1, 0), 0.02);
		o->motion = (wall_motion){
			.type = MOTION_ROTATION, .axis = v3(0, 1, 0), .point = v3(0, 0, 0), .rate = 6, .until = INFINITY};
		o->motion.base = quat_one();
		lab_rows(w);
	}
	lab_add_moving(w, disguised ? ball : 0, 0.01, cone ? v3(0.001, 0, 0.02) : v3(0.002, 0, -0.0145), quat_one(),
				   v3(0.3, 0.02, 0), v3(3, 20, 1));
	return w;
}

static void a_ball_in_disguise_moves_as_a_ball(void **state)
{
	(void)state;
	static const char *const name[3] = {"forces", "implicit", "hard"};
	/* in implicit steps, the rule for the end of an impact may apply a step earlier or later (solver/impacts.c) */
	static const real at[3] = {1e-11, 2e-6, 1e-4}, moves[3] = {1e-9, 5e-5, 5e-3};
	for (int k = 0; k < 6; ++k) {
		if (!test_drawn(k + 2)) continue;
		const int way = k / 2;
		scree_world *plain = one_ball(false, k % 2, name[way]), *other = one_ball(true, k % 2, name[way]);
		lab_prepare(plain, way ? 2e-5 : 1e-6);
		lab_prepare(other, way ? 2e-5 : 1e-6);
		lab_steps(plain, way ? 3000 : 60000);
		lab_steps(other, way ? 3000 : 60000);
		const bodies *a = &plain->state.body, *b = &other->state.body;
		NEAR(v3_norm(v3_sub(body_position(a, 0), body_position(b, 0))), 0, at[way], name[way]);
		NEAR(v3_norm(v3_sub(body_velocity(a, 0), body_velocity(b, 0))), 0, moves[way], name[way]);
		CHECK(other->work.touching > 0 || k % 2, "it does not touch");
		scree_world_free(plain);
		scree_world_free(other);
	}
}

/* ------------------------------------------------------------------ impacts */

/* A frictionless body that flies back and forth in a tube, touching it with one or both ends, keeps its energy, its
 * momentum along the axis and its angular momentum about the axis. */
static void impacts_keep_energy_and_momentum(void **state)
{
	(void)state;
	int64_t double_contacts = 0;
	real worst = 0;
	FOR_SEEDS(8)
	{
		static const struct {
			vec3 axes;
			real power_xy, power_z;
		} made[4] = {{{1, 1, 1.8}, 2, 2}, {{0.5, 1.4, 1.6}, 2, 2}, {{1, 1.2, 0.9}, 3.5, 3.5}, {{1.2, 1.2, 1.5}, 2, 6}};
		random_stream r = scree_random_start(test_seed, 1);
		scree_world *w = lab_world(test_seed % 2 ? lab_hertz(1, 0) : lab_linear(1e4, 1, 0));
		const int kind = (int)(test_seed / 2 % 4);
		const int32_t row = add_shape(w, made[kind].axes, made[kind].power_xy, made[kind].power_z);
		add_tube(w, v3(0, 0, 1), 0.0092);
		lab_add_moving(w, row, 0.01, v3(0, 0, 0), scree_random_rotation(&r), v3(0.3, 0.1, 0.05), v3(15, 23, -18));
		lab_prepare(w, 2e-7);
		const bodies *b = &w->state.body;
		const real energy = lab_energy(w), speed = b->vz[0];
		for (int k = 0; k < 1000; ++k) {
			lab_steps(w, 200);
			double_contacts += w->work.touching > 1;
		}
		worst = real_max(worst, real_abs(lab_energy(w) / energy - 1));
		NEAR(lab_energy(w) / energy, 1, w->work.touching ? 1e-3 : 3e-6, "energy");
		NEAR(b->vz[0], speed, 1e-9, "speed along the axis");
		scree_world_free(w);
	}
	printf("# worst change of the energy %.2g, %lld looks with two contacts\n", worst, (long long)double_contacts);
}

/* ------------------------------------------------------------------ rest */

/* A long body across a tube touches it with both ends: the contact forces support its weight. */
static void a_long_body_lies_across_a_tube(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(0.2, 0));
	const int32_t row = add_shape(w, v3(1, 1, 3), 2, 2);
	w->model.gravity = v3(0, 0, -9.81);
	add_tube(w, v3(0, 1, 0), 0.02);
	lab_add_moving(w, row, 0.01, v3(0, 0, -0.012), quat_exp(v3(0, 1.5707963267948966, 0), 1), v3(0, 0, 0), v3(0, 0, 0));
	lab_prepare(w, 2e-6);
	lab_steps(w, test_short() ? 100000 : 200000);
	const pair_list *l = contacts_of(w);
	const contact_work *f = &w->work.pair[PAIR_SEVERAL_POINTS_WALL].contact;
	const bodies *b = &w->state.body;
	real up = 0, across = 0;
	int contacts = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row, ++contacts) {
		const real force = scree_law_bears(w->model.constants, b->round[0], 0, f->depth[c.row]);
		up += force * f->nz[c.row];
		across += force * f->nx[c.row];
		CHECK(f->nz[c.row] > 0.3 && real_abs(f->nx[c.row]) > 0.3, "normal %g, %g", f->nx[c.row], f->nz[c.row]);
	}
	assert_int_equal(contacts, 2);
	NEAR(up / (b->mass[0] * 9.81), 1, 1e-6, "its weight");
	NEAR(across / up, 0, 1e-6, "force across");
	NEAR(v3_norm(body_velocity(b, 0)), 0, 1e-6, "speed");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ numbers */

/* A body that touches the tube with both ends rotates about the tube's axis: each contact keeps its number around the
 * tube, even when the angle jumps from a full turn to 0. */
static void contacts_keep_their_numbers_all_around(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_hertz(1, 0));
	const int32_t row = add_shape(w, v3(1, 1, 3), 2, 2);
	const real rate = 50, dt = 5e-6, turn = 2 * SCREE_PI;
	add_tube(w, v3(0, 1, 0), 0.0149);
	lab_add_moving(w, row, 0.01, v3(0, 0, 0), quat_exp(v3(0, 0.3, 0), 1), v3(0, 0, 0), v3(0, rate, 0));
	lab_prepare(w, dt);
	const pair_list *l = contacts_of(w);
	real last[2] = {0, 0}, way[2] = {0, 0};
	for (int k = 0; k < 400; ++k) {
		lab_steps(w, 100);
		int contacts = 0;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row, ++contacts) {
			const uint64_t number = l->feature[c.row];
			CHECK(number < 2, "number %llu", (unsigned long long)number);
			if (number > 1) continue;
			const real moved = remainder(l->place[c.row] - last[number], turn);
			CHECK(l->place[c.row] >= 0 && l->place[c.row] < turn, "place %g", l->place[c.row]);
			if (k) NEAR(real_abs(moved), rate * 100 * dt, 2e-3, "way of a contact");
			if (k) way[number] += moved;
			last[number] = l->place[c.row];
		}
		assert_int_equal(contacts, 2);
	}
	CHECK(real_abs(way[0]) > turn && real_abs(way[1]) > turn, "they have gone %g and %g", way[0], way[1]);
	scree_world_free(w);
}

/* A snapshot contains the positions and springs of contacts, and a run resumed from it is bitwise identical. */
static void a_resumed_run_has_the_same_bits(void **state)
{
	(void)state;
	for (int k = 0; k < 3; ++k) {
		if (!test_drawn(k + 3)) continue;
		static const char *const name[3] = {"forces", "implicit", "hard"};
		scree_world *w = lab_world(lab_hertz(0.5, 0.5));
		const int32_t row = add_shape(w, v3(1, 1.2, 3), 2, 2);
		w->model.gravity = v3(0, 0, -9.81);
		model_respond(&w->model, scree_response_find(name[k]));
		add_tube(w, v3(0, 1, 0), 0.0155);
		lab_add_moving(w, row, 0.01, v3(0, 0, 0), quat_exp(v3(0, 1.3, 0.2), 1), v3(0, 0, 0), v3(0, 40, 0));
		lab_prepare(w, k ? 5e-5 : 2e-6);
		lab_steps(w, k ? 1000 : 20000);
		CHECK(w->work.touching > 0, "%s: it does not touch", name[k]);
		scree_world *other = lab_resumed(w);
		lab_steps(w, k ? 1000 : 20000);
		lab_steps(other, k ? 1000 : 20000);
		CHECK(scree_world_hash(&w->model, &w->state, &w->work) ==
				  scree_world_hash(&other->model, &other->state, &other->work),
			  "%s: another hash", name[k]);
		scree_world_free(w);
		scree_world_free(other);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ball_in_disguise_moves_as_a_ball), cmocka_unit_test(impacts_keep_energy_and_momentum),
		cmocka_unit_test(a_long_body_lies_across_a_tube),	  cmocka_unit_test(contacts_keep_their_numbers_all_around),
		cmocka_unit_test(a_resumed_run_has_the_same_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
