/* Motions of walls: closed forms, velocity as the derivative of the pose, and the bound on the way. */
#include "test.h"

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
	scree_walls_move(&s, &at, 2e6); /* a million turns */
	same(wall_to_world(&at, v3(2, 0, 3)), v3(2, 0, 3), 2e-9, "whole turns");
	CHECK(scree_wall_travel(s.row, v3(0, 0, 0), INFINITY, 1, 1) == 0, "no time, no way");
	s.row->motion.point = v3(1e6, -1e6, 5); /* what lies near a far axis moves as near a near one */
	NEAR(scree_wall_travel(s.row, v3(1e6 + 2, -1e6, 7), 3, 1, 1.1), SCREE_PI / 10 * (2 + 3), 1e-9, "near its axis");
	CHECK(scree_wall_travel(s.row, v3(0, 0, 0), INFINITY, 1, 2) == (real)INFINITY,
		  "an endless plane that turns has no bound");
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

/* Random motions: velocities are derivatives, and no point outruns the bound. */
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
		/* not across a jump of the velocity */
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
		/* third derivatives up to 5 (4^3 + 3 * 4 * 4 / 0.2) leave 3e-10, rounding of 5 leaves 5e-10 */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(still),  cmocka_unit_test(conveyor),	cmocka_unit_test(drum),
		cmocka_unit_test(shaker), cmocka_unit_test(derivative),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
