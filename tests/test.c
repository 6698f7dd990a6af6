#include "test.h"

#include <stdlib.h>

uint64_t test_seed;

/* SCREE_TEST_ONLY='*faults*' runs only tests with matching names. */
__attribute__((constructor)) static void choose_tests(void)
{
	const char *pattern = getenv("SCREE_TEST_ONLY");
	if (pattern) cmocka_set_test_filter(pattern);
}

int64_t test_factor(void)
{
	const char *text = getenv("SCREE_TEST_FACTOR");
	return text ? strtoll(text, NULL, 10) : 1;
}

static int64_t test_part(void)
{
	const char *text = getenv("SCREE_TEST_PART");
	int64_t part = text ? strtoll(text, NULL, 10) : 1;
	return part > 0 ? part : 1;
}

int64_t test_cases(int64_t n)
{
	int64_t cases = n * test_factor() / test_part();
	return cases > 0 ? cases : 1;
}

bool test_short(void) { return getenv("SCREE_TEST_SHORT") != NULL; }
bool test_drawn(int64_t k) { return !test_short() || k % test_part() == 0; }
int64_t test_drawn_of(int64_t n) { return test_short() ? n / test_part() : n; }

int64_t test_few(int64_t n, int64_t few) { return test_cases(n) < n ? few : n; }

/* first (0) or second (1) number in a share such as 2/8 */
static uint64_t of_share(int number)
{
	const char *text = getenv("SCREE_TEST_SHARE"), *second = text ? strchr(text, '/') : NULL;
	if (!second) return 1;
	uint64_t o = strtoull(number ? second + 1 : text, NULL, 10);
	return o > 0 ? o : 1;
}

uint64_t test_first(void) { return of_share(0); }
uint64_t test_stride(void) { return of_share(1); }

void test_check(bool truth, const char *text, const char *file, int line, const char *format, ...)
{
	if (truth) return;
	char why[512];
	va_list args;
	va_start(args, format);
	vsnprintf(why, sizeof why, format, args);
	va_end(args);
	print_error("%s:%d: not true: %s\n  %s (seed %llu)\n", file, line, text, why, (unsigned long long)test_seed);
	_fail(file, line);
}

void test_near(real a, real b, real tolerance, const char *what, const char *file, int line)
{
	real d = a - b;
	if (d >= -tolerance && d <= tolerance) return;
	print_error("%s:%d: %s: %.17g is not %.17g within %g (seed %llu)\n", file, line, what, a, b, tolerance,
				(unsigned long long)test_seed);
	_fail(file, line);
}
