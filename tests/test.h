/* test.h: cmocka with seeds. A property test is a loop FOR_SEEDS(n) over random cases; a failure reports its seed. */
#ifndef SCREE_TESTS_TEST_H
#define SCREE_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "base/real.h"

/* All test programs are linked into one program, so tests/CMakeLists.txt gives each main its own name. */
#ifdef main
int main(void);
#endif

/* Seed of the current case, or 0 outside FOR_SEEDS. */
extern uint64_t test_seed;
/* Factor for the number of cases (./dev check runs with SCREE_TEST_FACTOR=100). */
int64_t test_factor(void);
/* Number of random cases to run instead of n: n times the factor divided by SCREE_TEST_PART (sanitized builds run an
 * eighth), but at least 1. */
int64_t test_cases(int64_t n);
/* Number of long trials to run instead of n: n, or only the first `few` if only a fraction of the cases is run. */
int64_t test_few(int64_t n, int64_t few);
/* Whether the short form was requested (SCREE_TEST_SHORT, set by ./dev test). */
bool test_short(void);
/* Whether to run case k of a table of cases or parameters: always, or in the short form only every SCREE_TEST_PART-th
 * case, starting with the first. */
bool test_drawn(int64_t k);
/* Minimum number of cases that are run in a table of n cases. */
int64_t test_drawn_of(int64_t n);

/* SCREE_TEST_SHARE=2/8 runs seeds 2, 10, 18 ... of each FOR_SEEDS, so that several processes can share a campaign. */
uint64_t test_first(void);
uint64_t test_stride(void);

#define FOR_SEEDS(n)				for (test_seed = test_first(); test_seed <= (uint64_t)test_cases(n); test_seed += test_stride())
#define CHECK(truth, ...)			test_check((truth), #truth, __FILE__, __LINE__, __VA_ARGS__)
#define NEAR(a, b, tolerance, what) test_near((a), (b), (tolerance), what, __FILE__, __LINE__)

void test_check(bool truth, const char *text, const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* |a - b| <= tolerance; NaN fails */
void test_near(real a, real b, real tolerance, const char *what, const char *file, int line);

#endif
