/* Wall motions: closed forms, velocity as the derivative of the pose, and the bound on the displacement. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "wall/walls.h"
#include "wall/wall_state.h"

static walls with(wall_motion m)
{
	walls s = {0};
	fail why = {0};
	wall w = scree_wall_default("w", 0);
	w.motion = m;
	CHECK(scree_walls_add_plane(&s, w, v3(0, 0, 0), v3(0, 0, 1), &why) == 0, "%s", why.text);
	return s;
}

static void same(vec3 a, vec3 b, real tolerance, const char *what) { NEAR(v3_norm(v3_sub(a, b)), 0, tolerance, what); }

static void still(void **state)
{
	(void)state;
	wall_state at = {0};
	walls s = with((wall_motion){.type = MOTION_STILL, .velocity = {1, 0, 0}});
	scree_walls_move(&s, &at, 7);
	CHECK(v3_norm(at.position) == 0 && at.orientation.w == 1 && v3_norm(at.velocity) == 0, "%g", at.position.x);
	CHECK(scree_wall_travel(s.row, v3(0, 0, 0), INFINITY, 0, 9) == 0, "still");
	scree_walls_free(&s);
}

static void conveyor(void **state)
{
	(void)state;
	vec3 v = v3(2, -1, 0.5);
	wall_state at = {0};
	walls s = with((wall_motion){.type = MOTION_VELOCITY, .velocity = v, .from = 1, .ramp = 2, .until = 5});
	const struct {
		real time, way, share;
	} known[] = {{0, 0, 0}, {1, 0, 0}, {2, 0.25, 0.5}, {3, 1, 1}, {4.5, 2.5, 1}, {5, 3, 0}, {9, 3, 0}};
	for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
		scree_walls_move(&s, &at, known[k].time);
		same(at.position, v3_mul(known[k].way, v), 1e-15, "place");
		same(at.velocity, v3_mul(known[k].share, v), 1e-15, "velocity");
		CHECK(v3_norm(at.angular_velocity) == 0 && at.orientation.w == 1, "no spin");
	}
	NEAR(scree_wall_travel(s.row, v3(0, 0, 0), INFINITY, 2, 4.5), 2.25 * v3_norm(v), 1e-11, "way");
	CHECK(scree_wall_travel(s.row, v3(0, 0, 0), INFINITY, 5, 50) == 0, "at rest after until");
	scree_walls_free(&s);
	s = with((wall_motion){.type = MOTION_VELOCITY, .velocity = v, .from = 1, .until = INFINITY});
	scree_walls_move(&s, &at, 1);
	same(at.velocity, v, 0, "without a ramp at once");
	scree_walls_free(&s);
}

static void drum(void **state)
{
	(void)state;
	wall_state at = {0};
	walls s = with((wall_motion){
		.type = MOTION_ROTATION, .axis = {0, 0, 2}, .point = {1, 0, 5}, .rate = SCREE_PI, .until = INFINITY});
	scree_walls_move(&s, &at, 0.5); /* a quarter */
	same(wall_to_world(&at, v3(2, 0, 3)), v3(1, 1, 3), 1e-15, "a quarter turn about x = 1");
	same(at.angular_velocity, v3(0, 0, SCREE_PI), 1e-15, "spin");
	same(wall_velocity(&at, v3_sub(v3(1, 1, 3), at.position)), v3(-SCREE_PI, 0, 0), 1e-15, "surface velocity");
	scree_walls_move(&s, &at, 2e6); /* a million revolutions */
	same(wall_to_world(&at, v3(2, 0, 3)), v3(2, 0, 3), 2e-9, "whole turns");
	CHECK(scree_wall_travel(s.row, v3(0, 0, 0), INFINITY, 1, 1) == 0, "no time, no way");
	s.row->motion.point = v3(1e6, -1e6, 5); /* points near a distant axis move like points near a close one */
	NEAR(scree_wall_travel(s.row, v3(1e6 + 2, -1e6, 7), 3, 1, 1.1), SCREE_PI / 10 * (2 + 3), 1e-9, "near its axis");
	CHECK(scree_wall_travel(s.row, v3(0, 0, 0), INFINITY, 1, 2) == (real)INFINITY,
		  "an infinite plane that turns has no bound");
	scree_walls_free(&s);
}

static void shaker(void **state)
{
	(void)state;
	vec3 a = v3(0, 0.1, 0.2);
	wall_state at = {0};
	walls s = with((wall_motion){
		.type = MOTION_VIBRATION, .amplitude = a, .frequency = 10, .phase = SCREE_PI / 2, .from = 1, .until = 1.05});
	scree_walls_move(&s, &at, 1);
	same(at.position, v3(0, 0, 0), 0, "starts where it is");
	scree_walls_move(&s, &at, 1.025);
	same(at.position, v3_mul(-1, a), 1e-14, "a quarter of a period after the top");
	same(at.velocity, v3_mul(-20 * SCREE_PI, a), 1e-12, "fastest there");
	scree_walls_move(&s, &at, 70);
	same(at.position, v3_mul(-2, a), 1e-14, "stays where until found it");
	CHECK(v3_norm(at.velocity) == 0, "at rest");
	NEAR(scree_wall_travel(s.row, v3(0, 0, 0), 0, 0, 70), 2 * v3_norm(a), 1e-11, "never more than from end to end");
	scree_walls_free(&s);
}

/* Random motions: velocities are derivatives of the pose, and no point moves farther than the bound. */
static void derivative(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		wall_motion m = {.type = MOTION_VELOCITY + (motion_type)(test_seed % 3), .axis = scree_random_direction(&r)};
		m.velocity = v3_mul(scree_random_real(&r), scree_random_direction(&r));
		m.point = v3_mul(2 * scree_random_real(&r), scree_random_direction(&r));
		m.amplitude = v3_mul(scree_random_real(&r), scree_random_direction(&r));
		m.rate = scree_random_between(&r, -4, 4);
		m.frequency = scree_random_between(&r, 0, 0.5);
		m.phase = scree_random_between(&r, -4, 4);
		m.from = scree_random_between(&r, 0, 1);
		m.ramp = test_seed % 2 ? scree_random_between(&r, 0.2, 1) : 0;
		m.until = m.from + scree_random_between(&r, 1, 3);
		wall_state at = {0};
		walls s = with(m);
		vec3 p = v3_mul(3 * scree_random_real(&r), scree_random_direction(&r));
		real t = scree_random_between(&r, -1, 5), h = 1e-6;
		/* no finite differences across a jump in velocity */
		bool smooth = real_abs(t - m.from) > h && real_abs(t - m.until) > h && real_abs(t - m.from - m.ramp) > h;
		scree_walls_move(&s, &at, t - h);
		vec3 before = wall_to_world(&at, p);
		scree_walls_move(&s, &at, t + h);
		vec3 after = wall_to_world(&at, p);
		scree_walls_move(&s, &at, t);
		vec3 now = wall_to_world(&at, p);
		NEAR(at.orientation.w * at.orientation.w + at.orientation.x * at.orientation.x +
				 at.orientation.y * at.orientation.y + at.orientation.z * at.orientation.z,
			 1, 1e-15, "unit quaternion");
		/* third derivatives up to 5 (4^3 + 3 * 4 * 4 / 0.2) cause an error of 3e-10, and rounding of values near 5
		 * causes an error of 5e-10 */
		if (smooth)
			same(wall_velocity(&at, v3_sub(now, at.position)), v3_mul(1 / (2 * h), v3_sub(after, before)), 4e-9,
				 "velocity");
		const vec3 off = v3_mul(scree_random_real(&r), scree_random_direction(&r));
		real t1 = scree_random_between(&r, -1, 5);
		real bound = scree_wall_travel(s.row, v3_add(now, off), v3_norm(off), t, t1);
		for (int k = 0; k <= 20; ++k) {
			scree_walls_move(&s, &at, t + (t1 - t) * k / 20);
			real way = v3_norm(v3_sub(wall_to_world(&at, p), now));
			CHECK(way <= bound + 1e-15, "moved %g, bound %g", way, bound);
		}
		scree_walls_free(&s);
	}
}

/* ------------------------------------------------------------------ tables */

static void tables_hold_their_rows(void **state)
{
	(void)state;
	wall_state at = {0};
	const motion_row rows[3] = {
		{.time = 1, .value = {1, 2, 3}}, {.time = 2, .value = {1, 4, 3}}, {.time = 4, .value = {2, 1, 3}}};
	for (int smooth = 0; smooth < 2; ++smooth) {
		motion_row row[3] = {rows[0], rows[1], rows[2]};
		const motion_table t = scree_motion_table_of(row, 3, smooth ? TABLE_SMOOTH : TABLE_LINEAR);
		walls s = with((wall_motion){.type = MOTION_TABLE, .table = t, .from = 10, .until = INFINITY});
		for (int k = 0; k < 3; ++k) {
			scree_walls_move(&s, &at, 10 + rows[k].time);
			same(at.position, v3_sub(rows[k].value, rows[0].value), 1e-15, "a row, from the first one on");
		}
		scree_walls_move(&s, &at, 10.5);
		CHECK(v3_norm(at.position) == 0 && v3_norm(at.velocity) == 0, "at rest before");
		scree_walls_move(&s, &at, 99);
		same(at.position, v3(1, -1, 0), 1e-15, "stays in the last row");
		CHECK(v3_norm(at.velocity) == 0, "at rest after");
		scree_walls_move(&s, &at, 12.5);
		if (!smooth) same(at.position, v3(0.25, 1.25, 0), 1e-15, "linear between rows");
		if (!smooth) same(at.velocity, v3(0.5, -1.5, 0), 1e-15, "a constant velocity");
		for (int k = 0; smooth && k <= 100; ++k) {
			scree_walls_move(&s, &at, 11 + 0.03 * k);
			CHECK(at.position.y <= 2 && at.position.y >= -1 && at.position.x >= 0 && at.position.x <= 1, "overshoot");
		}
		const real way = scree_wall_travel(s.row, v3(0, 0, 0), INFINITY, 11, 12);
		CHECK(way >= 2 && way < (smooth ? 6.1 : 2.0001), "bound %g for a way of 2", way);
		scree_walls_free(&s);
	}
}

/* velocities that grow linearly: the position is their integral, a parabola */
static void tables_of_velocities_are_integrated(void **state)
{
	(void)state;
	wall_state at = {0};
	motion_row row[3] = {{.time = 0}, {.time = 2, .slope = {4, 0, 0}}, {.time = 3, .slope = {1, 0, 0}}};
	const motion_table t = scree_motion_table_of(row, 3, TABLE_RATES);
	walls s = with((wall_motion){.type = MOTION_TABLE, .table = t, .until = INFINITY});
	const real known[5][3] = {{1, 1, 2}, {2, 4, 4}, {2.5, 4 + 2 - 0.375, 2.5}, {3, 6.5, 1}, {5, 8.5, 1}};
	for (int k = 0; k < 5; ++k) {
		scree_walls_move(&s, &at, known[k][0]);
		NEAR(at.position.x, known[k][1], 1e-14, "way");
		NEAR(at.velocity.x, known[k][2], 1e-14, "speed");
	}
	scree_walls_free(&s);
	row[0] = (motion_row){.time = 0}, row[1] = (motion_row){.time = 1, .value = {SCREE_PI, 0, 0}};
	s = with((wall_motion){.type = MOTION_ANGLE,
						   .axis = {0, 0, 1},
						   .point = {1, 0, 0},
						   .table = scree_motion_table_of(row, 2, TABLE_LINEAR),
						   .until = INFINITY});
	scree_walls_move(&s, &at, 0.5);
	same(wall_to_world(&at, v3(2, 0, 0)), v3(1, 1, 0), 1e-15, "a quarter turn");
	same(at.angular_velocity, v3(0, 0, SCREE_PI), 1e-15, "spin");
	scree_walls_free(&s);
}

/* ------------------------------------------------------------------ several motions */

static walls with_parts(int32_t count, const wall_motion *m)
{
	walls s = {0};
	fail why = {0};
	wall w = scree_wall_default("w", 0);
	w.parts = count - 1;
	w.part = scree_walls_keep(&s, m, w.parts, sizeof *m);
	w.motion = m[count - 1];
	CHECK(scree_walls_add_plane(&s, w, v3(0, 0, 0), v3(0, 0, 1), &why) == 0, "%s", why.text);
	return s;
}

/* A wall is moved sideways, then rotated about a point fixed in the world, then lifted: each motion starts where the
 * previous one ended. */
static void one_after_another(void **state)
{
	(void)state;
	wall_state at = {0};
	const wall_motion m[3] = {
		{.type = MOTION_VELOCITY, .velocity = {2, 0, 0}, .axis = {0, 0, 1}, .until = 1},
		{.type = MOTION_ROTATION, .rate = SCREE_PI / 2, .axis = {0, 0, 1}, .point = {1, 0, 0}, .from = 1, .until = 2},
		{.type = MOTION_VELOCITY, .velocity = {0, 0, 3}, .axis = {0, 0, 1}, .from = 2, .until = INFINITY}};
	walls s = with_parts(3, m);
	scree_walls_move(&s, &at, 1);
	same(at.position, v3(2, 0, 0), 1e-15, "pushed");
	scree_walls_move(&s, &at, 1.5);
	same(at.position, v3(1 + sqrt(0.5), sqrt(0.5), 0), 1e-15, "half way round");
	same(at.velocity, v3(-SCREE_PI / 2 * sqrt(0.5), SCREE_PI / 2 * sqrt(0.5), 0), 1e-15, "its velocity");
	scree_walls_move(&s, &at, 4);
	same(at.position, v3(1, 1, 6), 1e-15, "turned and lifted");
	same(at.velocity, v3(0, 0, 3), 1e-15, "it no longer turns");
	same(wall_to_world(&at, v3(0, 5, 0)), v3(1 - 5, 1, 6), 1e-14, "a point of the wall");
	scree_walls_free(&s);
}

/* A drum on a shaking table: the axis of the drum also shakes. */
static void at_the_same_time(void **state)
{
	(void)state;
	wall_state at = {0};
	const vec3 a = v3(0.5, 0, 0), p = v3(0, 3, 1);
	const wall_motion m[2] = {
		{.type = MOTION_ROTATION, .rate = 0.7, .axis = {0, 0, 1}, .until = INFINITY},
		{.type = MOTION_VIBRATION, .amplitude = a, .frequency = 2, .axis = {0, 0, 1}, .until = INFINITY}};
	walls s = with_parts(2, m);
	for (int k = 0; k < 20; ++k) {
		const real t = 0.13 * k, shake = 0.5 * sin(4 * SCREE_PI * t),
				   speed = 0.5 * 4 * SCREE_PI * cos(4 * SCREE_PI * t);
		scree_walls_move(&s, &at, t);
		const vec3 now = v3(-3 * sin(0.7 * t) + shake, 3 * cos(0.7 * t), 1);
		same(wall_to_world(&at, p), now, 1e-13, "turned and shaken");
		same(wall_velocity(&at, v3_sub(now, at.position)), v3(-2.1 * cos(0.7 * t) + speed, -2.1 * sin(0.7 * t), 0),
			 1e-12, "velocity");
	}
	scree_walls_free(&s);
}

static wall_motion random_motion(random_stream *r, motion_row row[4])
{
	static const motion_type types[5] = {MOTION_VELOCITY, MOTION_ROTATION, MOTION_VIBRATION, MOTION_TABLE,
										 MOTION_ANGLE};
	wall_motion m = {.type = types[(int)scree_random_between(r, 0, 4.999)], .axis = v3_unit(scree_random_direction(r))};
	m.velocity = v3_mul(scree_random_real(r), scree_random_direction(r));
	m.point = v3_mul(2 * scree_random_real(r), scree_random_direction(r));
	m.amplitude = v3_mul(scree_random_real(r), scree_random_direction(r));
	m.rate = scree_random_between(r, -4, 4);
	m.frequency = scree_random_between(r, 0, 0.5);
	m.from = scree_random_between(r, 0, 1);
	m.until = m.from + scree_random_between(r, 1, 3);
	for (int k = 0; k < 4; ++k)
		row[k] = (motion_row){.time = k ? row[k - 1].time + scree_random_between(r, 0.2, 1) : 0,
							  .value = v3_mul(scree_random_real(r), scree_random_direction(r))};
	if (m.type >= MOTION_TABLE)
		m.table = scree_motion_table_of(row, 4, scree_random_real(r) < 0.5 ? TABLE_SMOOTH : TABLE_RATES);
	return m;
}

/* Up to three random motions: velocities are derivatives of the pose, and no point moves farther than the bound. */
static void derivative_of_several(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		motion_row row[3][4];
		wall_motion m[3];
		const int count = 1 + (int)(test_seed % 3);
		bool jumps = false;
		const real t = scree_random_between(&r, -1, 5), h = 1e-6, t1 = scree_random_between(&r, -1, 5);
		for (int k = 0; k < count; ++k) {
			m[k] = random_motion(&r, row[k]);
			jumps |= real_abs(t - m[k].from) < h || real_abs(t - m[k].until) < h;
		}
		walls s = with_parts(count, m);
		wall_state at = {0};
		const vec3 p = v3_mul(3 * scree_random_real(&r), scree_random_direction(&r));
		scree_walls_move(&s, &at, t - h);
		const vec3 before = wall_to_world(&at, p);
		scree_walls_move(&s, &at, t + h);
		const vec3 after = wall_to_world(&at, p);
		scree_walls_move(&s, &at, t);
		const vec3 now = wall_to_world(&at, p);
		if (!jumps)
			same(wall_velocity(&at, v3_sub(now, at.position)), v3_mul(1 / (2 * h), v3_sub(after, before)), 1e-4,
				 "velocity"); /* accelerations derived from tables jump at the rows of the tables */
		const vec3 off = v3_mul(scree_random_real(&r), scree_random_direction(&r));
		const real bound = scree_wall_travel(s.row, v3_add(now, off), v3_norm(off), t, t1);
		for (int k = 0; k <= 20; ++k) {
			scree_walls_move(&s, &at, t + (t1 - t) * k / 20);
			const real way = v3_norm(v3_sub(wall_to_world(&at, p), now));
			CHECK(way <= bound + 1e-14, "moved %g, bound %g", way, bound);
		}
		scree_walls_free(&s);
	}
}

static void what_does_not_go_together(void **state)
{
	(void)state;
	walls s = {0};
	fail why = {0};
	wall w = scree_wall_default("w", 0);
	const wall_motion turn = {.type = MOTION_ROTATION, .rate = 1, .axis = {1, 0, 0}, .until = INFINITY};
	w.parts = 1;
	w.part = &turn;
	w.motion = (wall_motion){.type = MOTION_SERVO, .axis = {0, 0, 1}, .until = INFINITY};
	w.motion.servo = (servo_rule){.force = 1, .damping = 1, .low = -INFINITY, .high = INFINITY};
	CHECK(scree_walls_add_plane(&s, w, v3(0, 0, 0), v3(0, 0, 1), &why) < 0 && strstr(why.text, "travel"), "%s",
		  why.text);
	const wall_motion servo = w.motion;
	w.part = &servo;
	CHECK(scree_walls_add_plane(&s, w, v3(0, 0, 0), v3(0, 0, 1), &why) < 0, "two servos");
	const motion_row twice[2] = {{.time = 1}, {.time = 1}};
	w.parts = 0;
	w.motion = (wall_motion){.type = MOTION_TABLE, .table = {2, false, twice}, .until = INFINITY};
	CHECK(scree_walls_add_plane(&s, w, v3(0, 0, 0), v3(0, 0, 1), &why) < 0 && strstr(why.text, "times that increase"),
		  "%s", why.text);
	scree_walls_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(still),
		cmocka_unit_test(conveyor),
		cmocka_unit_test(drum),
		cmocka_unit_test(shaker),
		cmocka_unit_test(derivative),
		cmocka_unit_test(tables_hold_their_rows),
		cmocka_unit_test(tables_of_velocities_are_integrated),
		cmocka_unit_test(one_after_another),
		cmocka_unit_test(at_the_same_time),
		cmocka_unit_test(derivative_of_several),
		cmocka_unit_test(what_does_not_go_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
