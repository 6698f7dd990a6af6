/* Elementary functions compared with the C library, random numbers compared with published values,
 * order-independent sums, and sorting. */
#include "base/fixed.h"
#include "base/maths.h"
#include "base/sort.h"
#include "test.h"

#include <stdlib.h>

/* error in units in the last place */
static real ulps(real got, real wanted)
{
	if (got == wanted) return 0;
	real unit = nextafter(fabs(wanted), INFINITY) - fabs(wanted);
	return fabs(got - wanted) / unit;
}

static void functions_agree_with_libm(void **state)
{
	(void)state;
	random_stream r = scree_random_start(1, 1);
	real worst[6] = {0};
	FOR_SEEDS(200000)
	{
		real wide = scree_random_between(&r, -1, 1) * scree_exp(scree_random_between(&r, -20, 20));
		real s, c;
		real angle = real_clamp(wide, -1e6, 1e6);
		scree_sincos(angle, &s, &c);
		worst[0] = real_max(worst[0], fabs(s - sin(angle)) *
										  0x1p53); /* absolute error: a sine loses relative accuracy near its zeros */
		worst[1] = real_max(worst[1], fabs(c - cos(angle)) * 0x1p53);
		real e = scree_random_between(&r, -700, 700);
		worst[2] = real_max(worst[2], ulps(scree_exp(e), exp(e)));
		real x = scree_exp(scree_random_between(&r, -700, 700));
		worst[3] = real_max(worst[3], ulps(scree_log(x), log(x)));
		real near = 1 + scree_random_between(&r, -0.1, 0.1);
		worst[3] = real_max(worst[3], ulps(scree_log(near), log(near)));
		real y = scree_random_between(&r, -2, 2);
		worst[4] = real_max(worst[4], ulps(scree_atan2(y, wide), atan2(y, wide)));
		real power = scree_random_between(&r, -3, 3), base = scree_random_between(&r, 0.01, 100);
		worst[5] = real_max(worst[5], ulps(scree_pow(base, power), pow(base, power)));
	}
	const real allowed[6] = {2, 2, 3, 3, 4, 40};
	const char *const name[6] = {"sin", "cos", "exp", "log", "atan2", "pow"};
	for (int k = 0; k < 6; ++k) CHECK(worst[k] <= allowed[k], "%s is wrong by %g units", name[k], worst[k]);
}

static void special_values(void **state)
{
	(void)state;
	assert_true(scree_exp(0) == 1 && scree_exp(-800) == 0 && isinf(scree_exp(800)) && isnan(scree_exp(NAN)));
	assert_true(scree_log(1) == 0 && isinf(scree_log(0)) && isnan(scree_log(-1)));
	assert_true(scree_pow(2, 10) == 1024 && scree_pow(4, 0.5) == 2 && scree_pow(-2, 3) == -8 &&
				scree_pow(10, -2) == 0.01);
	assert_true(scree_sin(0) == 0 && scree_cos(0) == 1 && isnan(scree_sin(INFINITY)));
	assert_true(scree_floor(-0.5) == -1 && scree_floor(2) == 2 && scree_floor(-3) == -3 && scree_floor(1e300) == 1e300);
	NEAR(scree_atan2(0, -1), SCREE_PI, 1e-15, "atan2(0, -1)");
	NEAR(scree_log(5e-324), log(5e-324), 1e-12, "log of the smallest number");
}

/* known-answer tests of Random123 (Salmon et al. 2011) */
static void philox_gives_published_numbers(void **state)
{
	(void)state;
	const uint32_t zero[4] = {0}, ones[4] = {~0u, ~0u, ~0u, ~0u};
	const uint32_t pi[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, key[2] = {0xa4093822, 0x299f31d0};
	uint32_t out[4];
	scree_philox(zero, zero, out);
	assert_true(out[0] == 0x6627e8d5 && out[1] == 0xe169c58d && out[2] == 0xbc57ac4c && out[3] == 0x9b00dbd8);
	scree_philox(ones, ones, out);
	assert_true(out[0] == 0x408f276d && out[1] == 0x41c83b0e && out[2] == 0xa20bc7c6 && out[3] == 0x6d5451fd);
	scree_philox(pi, key, out);
	assert_true(out[0] == 0xd16cfe09 && out[1] == 0x94fdcceb && out[2] == 0x5001e420 && out[3] == 0x24126ea1);
}

static void random_numbers_have_their_moments(void **state)
{
	(void)state;
	random_stream r = scree_random_start(7, 3);
	real sum = 0, sum2 = 0, flat = 0;
	vec3 turned = v3(0, 0, 0);
	enum { N = 200000 };
	for (int k = 0; k < N; ++k) {
		real x = scree_random_normal(&r);
		sum += x;
		sum2 += x * x;
		flat += scree_random_real(&r);
		quat q = scree_random_rotation(&r);
		NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-14, "a rotation is a unit quaternion");
		turned = v3_add(turned, scree_random_direction(&r));
	}
	NEAR(sum / N, 0, 0.01, "mean of the normal");
	NEAR(sum2 / N, 1, 0.02, "variance of the normal");
	NEAR(flat / N, 0.5, 0.003, "mean of the uniform");
	NEAR(v3_norm(turned) / N, 0, 0.01, "directions have no favourite");
}

static void fixed_sums_have_no_order(void **state)
{
	(void)state;
	random_stream r = scree_random_start(9, 1);
	enum { N = 1000 };
	real x[N];
	for (int k = 0; k < N; ++k) x[k] = scree_random_between(&r, -1, 1) * scree_exp(scree_random_between(&r, -40, 20));
	fixed up = {0}, down = {0};
	long double exact = 0;
	for (int k = 0; k < N; ++k) scree_fixed_add(&up, x[k]), exact += x[k];
	for (int k = N - 1; k >= 0; --k) scree_fixed_add(&down, x[k]);
	assert_true(up.quanta == down.quanta && !up.beyond);
	NEAR(scree_fixed_value(up), (real)exact, 1e-9 * fabs((real)exact) + 1e-20, "sum");
	fixed one = {0};
	scree_fixed_add(&one, 1.5e-20);
	NEAR(scree_fixed_value(one), 1.5e-20, 1e-27, "a small value keeps its digits");
	scree_fixed_add(&one, 1e10);
	scree_fixed_add(&one, -1e10);
	NEAR(scree_fixed_value(one), 1.5e-20, 1e-27, "and survives a large one");
	scree_fixed_add(&one, 3e25);
	scree_fixed_add(&one, -2e11);
	NEAR(scree_fixed_value(one), 3e25 - 2e11, 1e10, "a sum beyond 128 bits");
	scree_fixed_add(&one, 2e11);
	scree_fixed_add(&one, -3e25);
	NEAR(scree_fixed_value(one), 1.5e-20, 1e-27, "which comes back from there");
	for (int k = -1; k <= 1; k += 2) {
		fixed sum = {0}, back = {0};
		for (int n = 0; n < 1000; ++n) scree_fixed_add(&sum, k * 1.25e11), scree_fixed_add(&back, -k * 1.25e11);
		NEAR(scree_fixed_value(sum), k * 1.25e14, 0, "many that fit make one that does not");
		scree_fixed_join(&sum, back);
		assert_true(sum.quanta == 0 && sum.beyond == 0);
	}
	scree_fixed_add(&one, 2e30);
	assert_true(isnan(scree_fixed_value(one)));
	one = (fixed){0};
	scree_fixed_add(&one, NAN);
	assert_true(isnan(scree_fixed_value(one)));
}

static void sort_is_stable(void **state)
{
	(void)state;
	random_stream r = scree_random_start(2, 2);
	enum { N = 5000 };
	static sort_item item[N], tmp[N];
	FOR_SEEDS(20)
	{
		uint64_t mask = test_seed % 3 == 0 ? 0xff : test_seed % 3 == 1 ? 0xfffffffffffull : ~0ull;
		for (int k = 0; k < N; ++k) {
			uint64_t high = scree_random_bits(&r);
			item[k] = (sort_item){(high << 32 | scree_random_bits(&r)) & mask, k};
		}
		scree_sort(item, tmp, N);
		for (int k = 1; k < N; ++k)
			CHECK(item[k - 1].key < item[k].key ||
					  (item[k - 1].key == item[k].key && item[k - 1].value < item[k].value),
				  "at %d", k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_agree_with_libm),	  cmocka_unit_test(special_values),
		cmocka_unit_test(philox_gives_published_numbers), cmocka_unit_test(random_numbers_have_their_moments),
		cmocka_unit_test(fixed_sums_have_no_order),		  cmocka_unit_test(sort_is_stable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
