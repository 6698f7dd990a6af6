/* Sums in two words, for devices, have the quanta of sums of the engine. */
#include "test.h"

#include "base/fixed.h"
#include "kernel/fixed_words.h"

static int128 quanta(two_words w) { return (int128)((unsigned __int128)w.high << 64 | w.low); }

static void check_value(real value)
{
	fixed sum = {0};
	scree_fixed_add(&sum, value);
	CHECK(!sum.beyond && quanta(fixed_words(value)) == sum.quanta && fixed_is_small(value), "%.17g", value);
}

/* also near 2^26, where the value is split differently */
static void values_have_the_quanta_of_the_engine(void **state)
{
	(void)state;
	static const real near[] = {0, 1e-30, 66942000, 67108863.99999999, 67108864, 67108865.5, 1.2e11, 1.29999e11};
	for (size_t k = 0; k < sizeof near / sizeof *near; ++k) check_value(near[k]), check_value(-near[k]);
	for (real x = (real)1.234567e-25; x < (real)1.2e11; x *= (real)1.37) check_value(x), check_value(-x);
	CHECK(!fixed_is_small((real)1.3e11) && !fixed_is_small((real)NAN), "the engine has more words for these");
}

static void sums_out_of_range_are_found(void **state)
{
	(void)state;
	const two_words x = fixed_words((real)1.2e11), less = fixed_words((real)-1.2e11), small = fixed_words(5);
	CHECK(words_exceed(x.high, x.high) && words_exceed(less.high, less.high), "two values are too much");
	CHECK(!words_exceed(x.high, less.high) && !words_exceed(x.high, small.high), "their difference is not");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(values_have_the_quanta_of_the_engine),
									   cmocka_unit_test(sums_out_of_range_are_found)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
