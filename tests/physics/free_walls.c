/* Walls moved by the forces on them (docs/theory/walls.md): a lid falls, oscillates on a spring and stops like a body;
 * a wheel rotates according to its moment of inertia; and a torque servo rotates until the bodies resist with the same
 * torque. The energy of these walls is recorded in the ledger. */
#include "base/maths.h"
#include "base/parallel.h"
#include "lab.h"
#include "test.h"

#include <math.h>
#include <string.h>

static const real SIZE = 0.01, G = 9.81;

static wall free_lid(real mass)
{
	wall lid = scree_wall_default("lid", 0);
	lid.motion = (wall_motion){.type = MOTION_FREE, .axis = {0, 0, 1}, .until = INFINITY};
	lid.motion.servo = (servo_rule){.mass = mass, .weight = true, .low = -INFINITY, .high = INFINITY};
	return lid;
}

/* a lid facing down, with nothing below it */
static scree_world *lid_alone(wall lid, real step)
{
	scree_world *w = lab_world(lab_linear(1e4, 1, 0));
	fail why = {0};
	w->model.gravity = v3(0, 0, -G);
	CHECK(scree_walls_add_plane(&w->model.wall, lid, v3(0, 0, 0), v3(0, 0, -1), &why) == 0, "%s", why.text);
	lab_rows(w);
	lab_prepare(w, step);
	return w;
}

static energy_row energy(const scree_world *w) { return scree_world_energy(&w->model, &w->state, &w->work); }

static void it_falls(void **state)
{
	(void)state;
	scree_world *w = lid_alone(free_lid(3), 1e-4);
	lab_steps(w, 5000);
	NEAR(w->state.wall[0].position.z, -G / 2 * 0.25, 1e-12, "way of a fall");
	NEAR(w->state.wall[0].velocity.z, -G * 0.5, 1e-12, "speed of a fall");
	const energy_row e = energy(w);
	NEAR(e.kinetic, 3 * G * G * 0.125, 1e-11, "kinetic energy");
	NEAR(e.potential, -e.kinetic, 1e-11, "potential energy");
	NEAR(e.wall_work, 0, 1e-15, "nothing works from outside");
	NEAR(e.residual, 0, 1e-11, "residual");
	scree_world_free(w);
}

static void it_swings_on_a_spring(void **state)
{
	(void)state;
	wall lid = free_lid(2);
	lid.motion.servo.spring = 800;
	scree_world *w = lid_alone(lid, 1e-4);
	const real period = 2 * SCREE_PI * sqrt(2.0 / 800), rest = -2 * G / 800;
	real first = 0, last = 0, crossings = 0, low = 0, high = rest, before = 0, off = 0;
	for (int k = 0; k < 20000; ++k) {
		lab_steps(w, 1);
		const real z = w->state.wall[0].position.z;
		if (before < rest && z >= rest) {
			const real at = w->state.time - 1e-4 * (z - rest) / (z - before);
			if (crossings == 0) first = at;
			last = at, crossings += 1;
		}
		before = z;
		low = real_min(low, z), high = real_max(high, z);
		off = real_max(off, real_abs(energy(w).residual));
	}
	NEAR((last - first) / (crossings - 1), period, 1e-5 * period, "period");
	NEAR(low, 2 * rest, 1e-5 * -rest, "lowest position");
	NEAR(high, 0, 1e-5 * -rest, "highest position");
	CHECK(off < 1e-5 * 2 * G * -rest, "residual %g J", off); /* Verlet's error: (omega dt)^2 / 8 of the energy */
	NEAR(energy(w).wall_work, 0, 1e-15, "nothing works from outside");
	scree_world_free(w);
}

static void a_damper_takes_energy(void **state)
{
	(void)state;
	wall lid = free_lid(2);
	lid.motion.servo.spring = 800;
	lid.motion.servo.damper = 4;
	lid.motion.servo.weight = false;
	lid.motion.servo.speed = 1;
	scree_world *w = lid_alone(lid, 1e-5);
	const real decay = 4 / (2 * 2.0), omega = sqrt(800 / 2.0 - decay * decay);
	NEAR(energy(w).brought, 1, 1e-15, "the energy of the start is brought");
	for (int k = 1; k <= 5; ++k) {
		while (w->state.step < 10000 * k) lab_steps(w, 1);
		const real t = w->state.time, z = exp(-decay * t) * sin(omega * t) / omega;
		const energy_row e = energy(w);
		NEAR(w->state.wall[0].position.z, z, 1e-7, "damped swing");
		/* the ledger counts the initial power, 4 W, for a whole step instead of half a step */
		NEAR(e.kinetic + e.potential - 1, e.wall_work + 2e-5, 1e-7,
			 "what the damper takes is negative work of the wall");
	}
	CHECK(energy(w).wall_work < -0.5, "the damper took only %g J", -energy(w).wall_work);
	scree_world_free(w);
}

static void it_stops_at_the_end_of_its_travel(void **state)
{
	(void)state;
	wall lid = free_lid(3);
	lid.motion.servo.low = -0.1;
	scree_world *w = lid_alone(lid, 1e-4);
	lab_steps(w, 3000);
	const energy_row e = energy(w);
	NEAR(w->state.wall[0].position.z, -0.1, 0, "it lies on its stop");
	NEAR(w->state.wall[0].velocity.z, 0, 0, "at rest");
	NEAR(e.potential, -3 * G * 0.1, 1e-12, "potential energy");
	NEAR(e.wall_work, e.potential, 1e-12, "the stop took the energy of the fall");
	NEAR(e.residual, 0, 1e-12, "residual");
	scree_world_free(w);
}

/* ------------------------------------------------------------------ wheels */

static const vec3 arm_corner[4] = {{0, 0, -0.05}, {0, 0, 0.05}, {0.1, 0, 0.05}, {0.1, 0, -0.05}};

/* an arm from the z axis along x, facing +y */
static scree_world *arm_alone(wall arm, real friction)
{
	scree_world *w = lab_world(lab_linear(1e4, 1, friction));
	fail why = {0};
	CHECK(scree_walls_add_polygon(&w->model.wall, arm, 4, arm_corner, &why) == 0, "%s", why.text);
	return w;
}

static wall wheel_of(real inertia, real torque)
{
	wall arm = scree_wall_default("arm", 0);
	arm.motion = (wall_motion){.type = MOTION_WHEEL, .axis = {0, 0, 1}, .until = INFINITY};
	arm.motion.servo = (servo_rule){.mass = inertia, .force = torque, .low = -INFINITY, .high = INFINITY};
	return arm;
}

static void a_wheel_turns_by_a_torque(void **state)
{
	(void)state;
	scree_world *w = arm_alone(wheel_of(0.02, 0.1), 0);
	lab_rows(w);
	lab_prepare(w, 1e-4);
	lab_steps(w, 10000);
	const wall_state *at = w->state.wall;
	NEAR(at->angular_velocity.z, 5, 1e-11, "angular velocity T t / I");
	NEAR(at->servo.way, 2.5, 1e-11, "angle");
	NEAR(v3_norm(v3_sub(wall_to_world(at, v3(0.1, 0, 0)), v3(0.1 * cos(2.5), 0.1 * sin(2.5), 0))), 0, 1e-12, "its tip");
	const energy_row e = energy(w);
	NEAR(e.kinetic, 0.25, 1e-11, "kinetic energy");
	NEAR(e.wall_work, 0.25, 1e-11, "the torque did that work");
	scree_world_free(w);
	wall spring = wheel_of(0.02, 0);
	spring.motion.servo.spring = 2;
	spring.motion.servo.speed = 1;
	w = arm_alone(spring, 0);
	lab_rows(w);
	lab_prepare(w, 1e-4);
	while (w->state.time < 1) {
		lab_steps(w, 100);
		NEAR(w->state.wall[0].servo.way, sin(10 * w->state.time) / 10, 1e-5, "it swings on a torsion spring");
	}
	scree_world_free(w);
}

/* an elastic central impact with a moving or resting sphere: momentum and energy are conserved */
static void impacts_keep_momentum_and_energy(void **state)
{
	(void)state;
	for (int wheel = 0; wheel < 2; ++wheel) {
		wall arm = wheel ? wheel_of(2e-6, 0) : free_lid(3e-3);
		arm.motion.axis = wheel ? v3(0, 0, 1) : v3(0, 1, 0);
		arm.motion.servo.weight = false;
		scree_world *w = arm_alone(arm, 0);
		const real v = -0.2, r = 0.05, m = 2500 * SCREE_PI / 6 * SIZE * SIZE * SIZE;
		lab_add_moving(w, 0, SIZE, v3(r, SIZE / 2 + 1e-4, 0), quat_one(), v3(0, v, 0), v3(0, 0, 0));
		lab_prepare(w, 1e-6);
		lab_steps(w, 6000);
		const energy_row e = energy(w);
		const real mass = wheel ? 2e-6 / (r * r) : 3e-3; /* effective mass in the impact */
		CHECK(e.elastic == 0, "they have parted");
		NEAR(w->state.body.vy[0], v * (m - mass) / (m + mass), 2e-3 * real_abs(v), "sphere");
		NEAR(w->state.wall[0].servo.speed * (wheel ? r : 1), 2 * m * v / (m + mass), 2e-3 * real_abs(v), "wall");
		NEAR(e.kinetic, m / 2 * v * v, 1e-5 * m * v * v, "kinetic energy");
		NEAR(e.wall_work, 0, 1e-5 * m * v * v, "no work from outside");
		NEAR(e.residual, 0, 1e-5 * m * v * v, "residual");
		scree_world_free(w);
	}
}

/* ------------------------------------------------------------------ on bodies */

static scree_world *packing(wall lid, real friction)
{
	scree_world *w = lab_world(lab_hertz(0.3, friction));
	const real pitch = 0.93 * SIZE, wide = 4 * pitch;
	fail why = {0};
	lab_plane(w, v3(0, 0, 0), v3(0, 0, 1));
	lab_plane(w, v3(0, 0, 0), v3(1, 0, 0));
	lab_plane(w, v3(0, 0, 0), v3(0, 1, 0));
	lab_plane(w, v3(wide, 0, 0), v3(-1, 0, 0));
	lab_plane(w, v3(0, wide, 0), v3(0, -1, 0));
	CHECK(scree_walls_add_plane(&w->model.wall, lid, v3(0, 0, 3.2 * pitch), v3(0, 0, -1), &why) == 5, "%s", why.text);
	w->model.gravity = v3(0, 0, -G);
	random_stream r = scree_random_start(7, 7);
	for (int k = 0; k < 48; ++k) {
		const real x = k % 4 + 0.5, y = k / 4 % 4 + 0.5, z = k / 16 + 0.5, off = scree_random_between(&r, -0.01, 0.01);
		lab_add(w, 0, SIZE * scree_random_between(&r, 0.86, 0.9), v3(pitch * (x + off), pitch * (y - off), pitch * z));
	}
	lab_prepare(w, 0);
	return w;
}

static void a_lid_rests_on_spheres_by_its_weight(void **state)
{
	(void)state;
	scree_world *w = packing(free_lid(0.2), 0.3);
	real weight = 0;
	for (int32_t i = 0; i < w->state.body.count; ++i) weight += G * w->state.body.mass[i];
	lab_steps(w, 30000);
	NEAR(w->state.wall[5].force.z, 0.2 * G, 2e-3 * 0.2 * G, "load of the lid");
	NEAR(w->state.wall[5].velocity.z, 0, 1e-4, "it rests");
	NEAR(-scree_wall_load(&w->model, &w->state, &w->work, 0).force.z, weight + 0.2 * G, 0.1,
		 "load of the floor; the sides carry little");
	const energy_row e = energy(w);
	NEAR(e.wall_work, 0, 1e-12, "no work from outside");
	CHECK(e.lost > 1e-3 && real_abs(e.residual) < 2e-3 * e.lost, "residual %g J of %g J lost", e.residual, e.lost);
	scree_world_free(w);
}

/* an arm presses a sphere against a plane: the torque on the arm is the servo's torque, and the force on the plane is
 * this torque divided by the distance from the axis */
static void a_servo_turns_to_a_torque(void **state)
{
	(void)state;
	for (int k = 0; k < 2; ++k) {
		const real torque = 0.02, r = 0.05;
		wall arm = scree_wall_default("arm", 0);
		arm.motion = (wall_motion){.type = MOTION_TORQUE, .axis = {0, 0, 1}, .until = INFINITY};
		arm.motion.servo = (servo_rule){.force = torque, .damping = 1, .low = -INFINITY, .high = INFINITY};
		arm.motion.servo.max_speed = k ? 0.05 : 0;
		scree_world *w = arm_alone(arm, 0.5); /* without friction, the sphere would be squeezed out */
		lab_plane(w, v3(0, SIZE + 2e-4, 0), v3(0, -1, 0));
		lab_add(w, 0, SIZE, v3(r, SIZE / 2 + 1e-4, 0));
		lab_prepare(w, 0);
		real fastest = 0;
		for (int i = 0; i < 30000; ++i) {
			lab_steps(w, 1);
			fastest = real_max(fastest, w->state.wall[0].servo.speed);
		}
		const real radius = w->state.body.x[0];
		NEAR(-scree_wall_load(&w->model, &w->state, &w->work, 0).torque.z, torque, 1e-4 * torque, "torque on the arm");
		NEAR(scree_wall_load(&w->model, &w->state, &w->work, 1).force.y, torque / radius, 5e-3 * torque / radius,
			 "force on the plane");
		NEAR(w->state.wall[0].angular_velocity.z, 0, 1e-4, "it has come to rest");
		if (k) NEAR(fastest, 0.05, 0, "its greatest angular velocity");
		scree_world_free(w);
	}
}

static void threads_and_resumes_change_nothing(void **state)
{
	(void)state;
	const int before = scree_threads();
	uint64_t hash[3] = {0};
	const wall_motion shake = {
		.type = MOTION_VIBRATION, .amplitude = {1e-4, 0, 0}, .frequency = 200, .axis = {0, 0, 1}, .until = INFINITY};
	for (int k = 0; k < 3; ++k) {
		wall lid = free_lid(0.2);
		lid.motion.servo.spring = 100, lid.motion.servo.damper = 0.1;
		lid.parts = 1, lid.part = &shake;
		scree_set_threads(k == 1 ? 3 : 1);
		scree_world *w = packing(lid, 0.3);
		lab_steps(w, 1500);
		if (k == 2) {
			scree_world *again = lab_resumed(w);
			scree_world_free(w);
			w = again;
		}
		lab_steps(w, 500);
		CHECK(w->state.wall[5].servo.contacts > 0 && w->state.wall[5].position.x != 0, "it shakes on bodies");
		hash[k] = scree_world_hash(&w->model, &w->state, &w->work);
		scree_world_free(w);
	}
	scree_set_threads(before);
	CHECK(hash[0] == hash[1], "three threads give another state");
	CHECK(hash[0] == hash[2], "a resume gives another state");
}

static void light_walls_need_short_steps(void **state)
{
	(void)state;
	wall lid = free_lid(1e-3);
	lid.motion.servo.spring = 1e6;
	scree_world *w = lab_world(lab_linear(1e4, 1, 0));
	fail why = {0};
	scree_walls_add_plane(&w->model.wall, lid, v3(0, 0, 0), v3(0, 0, -1), &why);
	lab_refused(w, 1e-4, "its spring advances by");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_falls),
		cmocka_unit_test(it_swings_on_a_spring),
		cmocka_unit_test(a_damper_takes_energy),
		cmocka_unit_test(it_stops_at_the_end_of_its_travel),
		cmocka_unit_test(a_wheel_turns_by_a_torque),
		cmocka_unit_test(impacts_keep_momentum_and_energy),
		cmocka_unit_test(a_lid_rests_on_spheres_by_its_weight),
		cmocka_unit_test(a_servo_turns_to_a_torque),
		cmocka_unit_test(threads_and_resumes_change_nothing),
		cmocka_unit_test(light_walls_need_short_steps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
