/* Walls that press with a given force (docs/theory/walls.md): they stop where the bodies press back with the same
 * force, whatever the law, the step and the number of bodies, without tuning. These walls do not create energy, and
 * their history is part of the state. */
#include "base/maths.h"
#include "base/parallel.h"
#include "choices/choices.h"
#include "kernel/quat.h"
#include "kernel/servo.h"
#include "model/response.h"
#include "lab.h"
#include "prepare/prepare.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static const real SIZE = 0.01, GAP = 1e-4;

/* sanitized builds run only the first cases */
static int some(int cases)
{
	int64_t n = test_cases(cases);
	return n < cases ? (int)n : cases;
}

static wall lid_of(real force)
{
	wall lid = scree_wall_default("lid", 0);
	lid.motion = (wall_motion){.type = MOTION_SERVO, .axis = {0, 0, -1}, .until = INFINITY};
	lid.motion.servo = (servo_rule){.force = force, .damping = 1, .low = -INFINITY, .high = INFINITY};
	return lid;
}

static int32_t add_lid(scree_world *w, wall lid, real height)
{
	fail why = {0};
	int32_t row = scree_walls_add_plane(&w->model.wall, lid, v3(0, 0, height), v3(0, 0, -1), &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

/* one body of shape row `shape` on a floor, below a lid */
static scree_world *press(contact_rule rule, int32_t shape, wall lid, real step)
{
	scree_world *w = lab_world(rule);
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	add_lid(w, lid, SIZE + GAP);
	lab_add(w, shape, SIZE, v3(0, 0, SIZE / 2));
	lab_prepare(w, step);
	return w;
}

static const wall *lid_in(const scree_world *w) { return w->model.wall.row + scree_walls_find(&w->model.wall, "lid"); }
static const wall_state *lid_at(const scree_world *w)
{
	return w->state.wall + scree_walls_find(&w->model.wall, "lid");
}
static real load_on(const scree_world *w) { return v3_dot(lid_at(w)->force, v3(0, 0, 1)); }

/* overlaps at the floor and the lid, from the closed form of the law */
static void one_sphere_is_pressed_as_the_law_says(void **state)
{
	(void)state;
	for (int k = 0; k < 6; ++k) {
		real force = k % 3 == 0 ? 0.05 : k % 3 == 1 ? 1 : 8, stiffness = 1e4;
		real reduced = 1e7 / (2 * (1 - 0.25 * 0.25)), hertz = 4.0 / 3 * reduced * sqrt(SIZE / 2);
		scree_world *w = press(k < 3 ? lab_linear(stiffness, 0.5, 0) : lab_hertz(0.5, 0), 0, lid_of(force), 0);
		real overlap = k < 3 ? force / stiffness : pow(force / hertz, 2.0 / 3);
		lab_steps(w, 15000);
		NEAR(load_on(w), force, 1e-6 * force, "force on the lid");
		NEAR(scree_wall_load(&w->model, &w->state, &w->work, 0).force.z, -force, 1e-6 * force, "force on the floor");
		NEAR(lid_at(w)->servo.way - GAP, 2 * overlap, 1e-6 * 2 * overlap, "overlaps of both ends");
		NEAR(lid_at(w)->position.z, -lid_at(w)->servo.way, 0, "it moves along its axis");
		NEAR(lid_at(w)->velocity.z, 0, 1e-9, "it has come to rest");
		scree_world_free(w);
	}
}

/* a cube has a single contact with a plane, a polygon or a mesh, so the kind of lid has no effect */
static void polygons_and_meshes_press_alike(void **state)
{
	(void)state;
	const vec3 corner[4] = {{-0.02, -0.02, 0.0101}, {-0.02, 0.02, 0.0101}, {0.02, 0.02, 0.0101}, {0.02, -0.02, 0.0101}};
	const int32_t triangle[6] = {0, 1, 2, 0, 2, 3};
	for (int k = 0; k < 2; ++k) {
		scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.3));
		fail why = {0};
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		int32_t row = k ? scree_walls_add_mesh(&w->model.wall, lid_of(3), 4, corner, 2, triangle, &why)
						: scree_walls_add_polygon(&w->model.wall, lid_of(3), 4, corner, &why);
		CHECK(row >= 0, "%s", why.text);
		lab_add(w, 1, SIZE, v3(0, 0, SIZE / 2));
		lab_prepare(w, 0);
		lab_steps(w, 15000);
		NEAR(load_on(w), 3, 3e-6, "force");
		NEAR(lid_at(w)->servo.way - GAP, 2 * 3 / 1e4, 1e-9, "overlaps of both faces");
		scree_world_free(w);
	}
}

/* a column of spheres in a smooth box, settled under its own weight */
static scree_world *column(contact_rule rule, real force, real part, int layers)
{
	scree_world *w = lab_world(rule);
	real pitch = 0.93 * SIZE, wide = 4 * pitch;
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_plane(w, v3(0, 0, 0), v3(1, 0, 0));
	lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	lab_plane(w, v3(wide, 0, 0), v3(-1, 0, 0));
	lab_plane(w, v3(0, wide, 0), v3(0, -1, 0));
	add_lid(w, lid_of(force), pitch * (layers + 0.06));
	w->model.gravity = v3(0, 0, -9.81);
	random_stream r = scree_random_start(7, 7);
	for (int k = 0; k < 16 * layers; ++k) {
		real x = k % 4 + 0.5, y = k / 4 % 4 + 0.5, z = k / 16 + 0.5, off = scree_random_between(&r, -0.01, 0.01);
		real size = SIZE * scree_random_between(&r, 0.86, 0.9);
		lab_add(w, 0, size, v3(pitch * (x + off), pitch * (y - off), pitch * z));
	}
	fail why = {0};
	w->model.unsafe = true; /* the stability of the wall is tested up to steps of a tenth of a contact time */
	CHECK(scree_world_prepare(w, part, 0, &why), "%s", why.text);
	return w;
}

static void a_column_settles_under_the_lid(void **state)
{
	(void)state;
	for (int k = 0; k < some(4); ++k) {
		real force = k % 2 ? 2 : 20;
		scree_world *w = column(k < 2 ? lab_linear(1e4, 0.3, 0) : lab_hertz(0.3, 0), force, 0, test_short() ? 3 : 6);
		real weight = 0;
		for (int32_t i = 0; i < w->state.body.count; ++i) weight += 9.81 * w->state.body.mass[i];
		lab_steps(w, 60000);
		NEAR(load_on(w), force, 5e-3 * force, "force on the lid");
		NEAR(-scree_wall_load(&w->model, &w->state, &w->work, 0).force.z, force + weight, 5e-3 * (force + weight),
			 "force on the floor");
		scree_world_free(w);
	}
}

/* largest deviation of the load from the force, relative to the force, in each of five time spans */
static void deviations(scree_world *w, real force, int64_t steps, real off[5])
{
	for (int k = 0; k < 5; ++k) {
		off[k] = 0;
		for (int64_t i = 0; i < steps; ++i) {
			lab_steps(w, 1);
			off[k] = real_max(off[k], real_abs(load_on(w) / force - 1));
		}
	}
}

/* With one to four layers of bodies below the lid and the longest permitted steps, oscillations do not grow. (Packings
 * with less restitution are unstable with steps of a tenth of the contact time even under a fixed lid.) */
static void the_response_dies_out_for_all_steps_and_laws(void **state)
{
	(void)state;
	const real part[3] = {0.01, 0.02, 0.1}, restitution[3] = {0.3, 0.3, 0.6};
	for (int k = 0; k < some(12); ++k) {
		int at = k % 3, layers = k / 3 % 2 ? 1 : 4;
		real e = k / 6 % 2 ? 0.9 : restitution[at], force = layers == 1 ? 5 : 30, off[5];
		scree_world *w = column(k % 2 ? lab_hertz(e, 0.3) : lab_linear(1e4, e, 0.3), force, part[at], layers);
		while (!lid_at(w)->servo.contacts) lab_steps(w, 1);
		deviations(w, force, (int64_t)(80 / part[at]), off);
		if (getenv("SCREE_TEST_TABLES"))
			printf("# law %d part %g e %g force %g layers %d: %.3g %.3g %.3g %.3g %.3g\n", k % 2, part[at], e, force,
				   layers, off[0], off[1], off[2], off[3], off[4]);
		CHECK(off[4] < 0.02 && off[4] < off[0] / 10, "%g after %g", off[4], off[0]);
		scree_world_free(w);
	}
}

/* The packing in an oedometer follows a force that is halved within about 40 contact times, without overshoot, because
 * soils remember the smallest load. If the damper carried a mass from the start of the ramp, the force would overshoot
 * by one sixth. */
static void a_load_is_halved_without_going_beyond(void **state)
{
	(void)state;
	scree_world *w = column(lab_hertz(0.3, 0.3), 30, 0.02, 4);
	wall_motion *lid = &w->model.wall.row[scree_walls_find(&w->model.wall, "lid")].motion;
	for (const real until = w->state.time + 400 * w->model.contact_time; w->state.time < until;) lab_steps(w, 1);
	NEAR(load_on(w), 30, 0.3, "the first load");
	lid->from = w->state.time, lid->ramp = 40 * w->model.contact_time;
	lid->servo.before = 30, lid->servo.force = 15;
	real least = INFINITY;
	for (const real until = w->state.time + 400 * w->model.contact_time; w->state.time < until;) {
		lab_steps(w, 1);
		least = real_min(least, load_on(w));
	}
	NEAR(load_on(w), 15, 0.15, "the second load");
	CHECK(least > 0.98 * 15, "the load falls to %g", least);
	scree_world_free(w);
}

/* the force increases during the ramp and may be changed at any time; the load follows */
static void changes_of_the_force_are_followed(void **state)
{
	(void)state;
	wall lid = lid_of(4);
	lid.motion.from = 0.01;
	lid.motion.ramp = 0.2;
	lid.motion.until = 0.4;
	scree_world *w = press(lab_linear(1e4, 0.5, 0), 0, lid, 1e-5);
	lab_steps(w, 999);
	NEAR(lid_at(w)->servo.way, 0, 0, "it stands still before");
	while (w->state.time < 0.05) lab_steps(w, 1);
	/* the load lags behind the applied force by the damper force at the resulting speed: 20 N/s on two springs in
	 * series */
	real behind = 2 * sqrt(lid_in(w)->servo.stiffness * lid_in(w)->servo.mass) * 2 * 20 / 1e4;
	while (w->state.time < 0.2) {
		lab_steps(w, 1);
		NEAR(load_on(w), 4 * (w->state.time - 0.01) / 0.2 - behind, 1e-4 * behind, "force in the ramp");
	}
	while (w->state.time < 0.3) lab_steps(w, 1);
	NEAR(load_on(w), 4, 4e-6, "force after the ramp");
	w->model.wall.row[1].motion.servo.force = 1;
	while (w->state.time < 0.35) lab_steps(w, 1);
	NEAR(load_on(w), 1, 1e-6, "less force");
	w->model.wall.row[1].motion.servo.force = 2;
	while (w->state.time < 0.41) lab_steps(w, 1);
	real way = lid_at(w)->servo.way;
	lab_steps(w, 100);
	NEAR(lid_at(w)->servo.way, way, 0, "it stands still after");
	NEAR(lid_at(w)->velocity.z, 0, 0, "it stands still after");
	scree_world_free(w);
}

/* A floor moving at a constant speed pushes the ball and the lid back, or lets them follow: the mean load equals the
 * force with each response. A damper attached to the ground adds or subtracts the specified fraction of the force. */
static void the_mean_force_holds_while_walls_move(void **state)
{
	(void)state;
	static const char *const response[] = {"forces", "implicit"};
	const real force = 1, part = (real)0.3, dt = 2e-5;
	for (int k = 0; k < 4; ++k) {
		if (test_short() && k % 3) continue;
		scree_world *w = lab_world(lab_linear(1e4, 0.5, 0));
		model_respond(&w->model, scree_response_find(response[k / 2]));
		lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
		add_lid(w, lid_of(force), SIZE + GAP);
		lab_add(w, 0, SIZE, v3(0, 0, SIZE / 2));
		lab_prepare(w, dt);
		const real damper = 2 * sqrt(lid_in(w)->servo.stiffness * lid_in(w)->servo.mass);
		wall_motion *floor = &w->model.wall.row[0].motion;
		floor->type = MOTION_VELOCITY;
		floor->velocity = v3(0, 0, (k % 2 ? -1 : 1) * part * force / damper);
		floor->until = INFINITY;
		while (w->state.time < 0.3) lab_steps(w, 1);
		const real from = w->state.time, asked = lid_at(w)->servo.asked, given = lid_at(w)->servo.given;
		real mean = 0;
		while (w->state.time < from + 0.2) {
			lab_steps(w, 1);
			mean += load_on(w) * dt;
		}
		mean /= w->state.time - from;
		NEAR(mean, force, 0.02 * force, response[k / 2]);
		NEAR((lid_at(w)->servo.given - given) / (lid_at(w)->servo.asked - asked), mean / force, 1e-6,
			 "what is reported");
		NEAR(lid_at(w)->velocity.z, floor->velocity.z, 0.02 * real_abs(floor->velocity.z), "speed of the lid");
		scree_world_free(w);
	}
}

static void it_keeps_to_its_limits(void **state)
{
	(void)state;
	wall lid = lid_of(5);
	lid.motion.servo.max_speed = 0.3;
	lid.motion.servo.high = 0.2 * GAP;
	lid.motion.servo.low = -0.1 * GAP;
	scree_world *w = press(lab_linear(1e4, 0.5, 0), 0, lid, 1e-6);
	real fastest = 0;
	for (int k = 0; k < 1000; ++k) {
		lab_steps(w, 1);
		fastest = real_max(fastest, real_abs(lid_at(w)->servo.speed));
	}
	NEAR(fastest, 0.3, 0, "it comes to its greatest speed, and no farther");
	NEAR(lid_at(w)->servo.way, 0.2 * GAP, 0, "it stands at its stop");
	NEAR(lid_at(w)->velocity.z, 0, 0, "it stands at its stop");
	w->state.body.vz[0] = 3; /* up, against it */
	bool at_low = false;
	for (int k = 0; k < 2000; ++k) {
		lab_steps(w, 1);
		at_low |= lid_at(w)->servo.way == -0.1 * GAP;
		CHECK(lid_at(w)->servo.way >= -0.1 * GAP, "%g", lid_at(w)->servo.way);
	}
	CHECK(at_low, "it was not pushed back to its other stop");
	scree_world_free(w);
}

/* the force does work on the lid, the lid does work on the bodies, and the damper dissipates the rest; the error of the
 * time integration decreases with the square of the step */
static void it_makes_no_energy(void **state)
{
	(void)state;
	real off[2];
	for (int k = 0; k < 2; ++k) {
		scree_world *w = press(lab_linear(1e4, 1, 0), 0, lid_of(2), k ? 1e-6 : 2e-6);
		real most = 0, before = 0;
		for (int i = 0; i < 20000 << k; ++i) {
			lab_steps(w, 1);
			const servo_state *s = &lid_at(w)->servo;
			energy_row e = scree_world_energy(&w->model, &w->state, &w->work);
			/* sum of the applied force and the weights of the lid, of the mass carried by its damper, and of the
			 * bodies */
			const real carried = SERVO_CARRIED * s->carried * s->carried;
			real all = e.kinetic + e.elastic + lid_in(w)->servo.mass * (s->speed * s->speed + carried) / 2 - 2 * s->way;
			most = real_max(most, all - before);
			before = all;
			off[k] = real_max(off[k] * (i > 0), real_abs(e.residual));
		}
		CHECK(most < 1e-9, "a step makes %g J", most);
		CHECK(before < -1e-4, "the damper took only %g J", -before);
		scree_world_free(w);
	}
	CHECK(off[1] < off[0] / 3 && off[0] > 0 && off[0] < 1e-5, "residual %g J, with half the step %g J", off[0], off[1]);
}

/* without damping, the lid is a mass driven by a spring and a constant force */
static void without_damping_it_swings_for_ever(void **state)
{
	(void)state;
	wall lid = lid_of(2);
	lid.motion.servo.damping = 0;
	lid.motion.servo.mass = 0.5; /* the lid has a thousand times the mass of the sphere: the two contacts act like one
									spring of half the stiffness */
	lid.motion.servo.max_speed = 10;
	scree_world *w = press(lab_linear(1e4, 1, 0), 0, lid, 1e-5);
	w->state.wall[1].servo.way = GAP + 0.5 * 2 * 2 / 1e4; /* half of the rest overlap, so the sphere stays in contact */
	w->state.body.z[0] -= 0.5 * 2 / 1e4;
	real low = INFINITY, high = 0, last = 0, crossings = 0, first = 0, end = 0, rest = GAP + 2 * 2 / 1e4;
	for (int i = 0; i < 60000; ++i) {
		lab_steps(w, 1);
		real way = lid_at(w)->servo.way;
		if (last < rest && way >= rest) {
			if (crossings == 0) first = w->state.time;
			end = w->state.time;
			crossings += 1;
		}
		last = way;
		if (i > 30000) low = real_min(low, way), high = real_max(high, way);
	}
	real period = 2 * SCREE_PI * sqrt(0.5 / (1e4 / 2));
	NEAR((end - first) / (crossings - 1), period, 1e-3 * period, "period");
	NEAR(high - low, 2 * 2 / 1e4, 4e-6, "it swings as far as at the start");
	scree_world_free(w);
}

static void the_standard_mass_is_that_of_a_layer(void **state)
{
	(void)state;
	scree_world *w = column(lab_linear(1e4, 0.5, 0), 1, 0, 6);
	real mass = 0, size = 0, area = 4 * 0.93 * SIZE * 4 * 0.93 * SIZE;
	for (int32_t i = 0; i < w->state.body.count; ++i) {
		mass += w->state.body.mass[i] / w->state.body.count;
		size += 2 * w->state.body.radius[i] / w->state.body.count;
	}
	NEAR(lid_in(w)->servo.mass, area / (size * size) * mass, 0.15 * 16 * mass, "some 16 bodies");
	scree_world_free(w);
	fail why = {0};
	wall lid = lid_of(1);
	lid.motion.servo.mass = 1e-9;
	w = lab_world(lab_linear(1e4, 0.5, 0));
	add_lid(w, lid, 1);
	lab_add(w, 0, SIZE, v3(0, 0, 0.5));
	CHECK(!scree_world_prepare(w, 0, 1e-4, &why) && strstr(why.text, "set its mass to at least"), "%s", why.text);
	CHECK(scree_world_prepare(w, 0, 0, &why), "the default step follows the mass: %s", why.text);
	scree_world_free(w);
}

/* results are bitwise identical whether pairs are searched for in every step or rarely, although a fast lid approaches
 * from far away */
static void pairs_are_found_in_time(void **state)
{
	(void)state;
	scree_world *pair[2];
	for (int k = 0; k < 2; ++k) {
		pair[k] = column(lab_linear(1e4, 0.5, 0.3), 20, 0, 2);
		wall *lid = pair[k]->model.wall.row + 5;
		lid->point.z += 2 * SIZE;
		lid->servo.max_speed = 2;
	}
	for (int i = 0; i < 4000; ++i) {
		pair[1]->work.skin.stale = true;
		for (int k = 0; k < 2; ++k) lab_steps(pair[k], 1);
		if (i % 50 == 0)
			CHECK(scree_world_hash(&pair[0]->model, &pair[0]->state, &pair[0]->work) ==
					  scree_world_hash(&pair[1]->model, &pair[1]->state, &pair[1]->work),
				  "step %d", i);
	}
	CHECK(lid_at(pair[0])->servo.way > 2 * SIZE && lid_at(pair[0])->servo.contacts > 4, "it did not arrive");
	CHECK(pair[0]->work.rebuilds < 2000, "%lld", (long long)pair[0]->work.rebuilds);
	for (int k = 0; k < 2; ++k) scree_world_free(pair[k]);
}

static void threads_and_resumes_change_nothing(void **state)
{
	(void)state;
	const int before = scree_threads();
	uint64_t hash[3] = {0};
	for (int k = 0; k < 3; ++k) {
		scree_set_threads(k == 1 ? 3 : 1);
		scree_world *w = column(lab_hertz(0.5, 0.3), 20, 0, 70);
		w->model.gravity = v3(0, 0, 0);
		/* a speed that the lid does not reach; otherwise the limit would be the only load */
		w->model.wall.row[5].servo.max_speed = 3;
		lab_steps(w, 200);
		const servo_state *s = &lid_at(w)->servo;
		while (w->state.step < 3000 && !(s->contacts > 4 && real_abs(s->speed) < lid_in(w)->servo.max_speed / 4))
			lab_steps(w, 1);
		CHECK(w->state.step < 3000 && s->speed != 0, "it is not stopped by the bodies");
		if (k == 2) {
			scree_world *again = lab_resumed(w);
			scree_world_free(w);
			w = again;
		}
		lab_steps(w, 200);
		hash[k] = scree_world_hash(&w->model, &w->state, &w->work);
		scree_world_free(w);
	}
	scree_set_threads(before);
	CHECK(hash[0] == hash[1], "three threads give another state");
	CHECK(hash[0] == hash[2], "a resume gives another state");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sphere_is_pressed_as_the_law_says),
		cmocka_unit_test(polygons_and_meshes_press_alike),
		cmocka_unit_test(a_column_settles_under_the_lid),
		cmocka_unit_test(the_response_dies_out_for_all_steps_and_laws),
		cmocka_unit_test(a_load_is_halved_without_going_beyond),
		cmocka_unit_test(changes_of_the_force_are_followed),
		cmocka_unit_test(the_mean_force_holds_while_walls_move),
		cmocka_unit_test(it_keeps_to_its_limits),
		cmocka_unit_test(it_makes_no_energy),
		cmocka_unit_test(without_damping_it_swings_for_ever),
		cmocka_unit_test(the_standard_mass_is_that_of_a_layer),
		cmocka_unit_test(pairs_are_found_in_time),
		cmocka_unit_test(threads_and_resumes_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
