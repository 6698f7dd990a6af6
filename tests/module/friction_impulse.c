/* Coulomb friction of one contact (kernel/impulse.h): for random bodies, lever arms and slip velocities, the impulse
 * obeys the law. The impulse stops the slip if its upper bound permits this; otherwise, its magnitude equals the bound,
 * and its direction is opposite to the remaining slip. */
#include "test.h"

#include "kernel/impulse.h"

static impulse_body random_body(random_stream *r)
{
	impulse_body o = {.inv_mass = scree_random_between(r, 0.5, 2)};
	o.inv_x = scree_random_between(r, 0.5, 5), o.inv_y = scree_random_between(r, 0.5, 5);
	o.inv_z = scree_random_between(r, 0.5, 5);
	o.inv_xy = scree_random_between(r, -0.2, 0.2), o.inv_xz = scree_random_between(r, -0.2, 0.2);
	o.inv_yz = scree_random_between(r, -0.2, 0.2);
	return o;
}

/* slip that remains after the impulse, including the effect of the springs; the third component is zero if there is no
 * couple */
static vec3 slip_left(const friction_block *f, vec3 slip, vec3 by)
{
	vec3 left = v3_add(slip, sym3_mul(&f->response, by));
	if (!(f->arm > 0)) left.z = 0;
	return left;
}

static void impulses_obey_coulomb(void **state)
{
	(void)state;
	int64_t slides = 0, sticks = 0;
	real worst = 0;
	FOR_SEEDS(4000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const impulse_body a = random_body(&r), b = random_body(&r);
		const vec3 arm_a = scree_random_direction(&r), arm_b = scree_random_direction(&r);
		const real arm = test_seed % 3 ? scree_random_between(&r, 0.05, 1) : 0, soft = test_seed % 2 ? 0.3 : 0;
		const friction_block f = friction_block_of(&a, arm_a, &b, arm_b, scree_random_direction(&r), arm, soft);
		const real fast = scree_random_between(&r, 0, 3);
		vec3 has = scree_random_direction(&r), slip = v3_mul(fast, scree_random_direction(&r));
		if (!(arm > 0)) has.z = slip.z = 0;
		const real cap = scree_random_between(&r, 0.05, 1.5);
		const vec3 to = friction_impulse(&f, has, slip, cap), left = slip_left(&f, slip, v3_sub(to, has));
		const real size = v3_norm(to), turned = v3_norm(v3_cross(left, to));
		CHECK(size <= cap * (1 + 1e-12), "an impulse of %g with a cap of %g", size, cap);
		if (size < cap * (1 - 1e-12)) {
			NEAR(v3_norm(left), 0, 1e-12 * (fast + 10), "slip that sticks");
			++sticks;
			continue;
		}
		CHECK(v3_dot(left, to) <= 1e-12, "friction drives the slip");
		worst = real_max(worst, turned / (cap * (fast + 1)));
		++slides;
	}
	print_message("%lld slide, %lld stick; slip across friction: %.2g\n", (long long)slides, (long long)sticks, worst);
	CHECK(slides > 10 && sticks > 10, "cases of one kind alone");
	NEAR(worst, 0, 0.02, "part of the slip that is not along friction"); /* after four steps of Newton's method */
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(impulses_obey_coulomb)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
