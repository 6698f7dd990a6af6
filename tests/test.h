/* test.h: cmocka with seeds. A property test is a loop FOR_SEEDS(n) over random cases; a failure names its seed. */
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

/* All test programs are linked into one, so tests/CMakeLists.txt gives each main its own name. */
#ifdef main
int main(void);
#endif

/* Seed of the current case; 0 outside FOR_SEEDS. */
extern uint64_t test_seed;
/* Multiplies the number of cases (./dev check runs with SCREE_TEST_FACTOR=100). */
int64_t test_factor(void);
/* Number of the n random cases to run: multiplied by that factor, over SCREE_TEST_PART (sanitized builds run an
 * eighth); at least 1. */
int64_t test_cases(int64_t n);
/* Number of n long trials to run: all, or the first `few` if only a part of the cases runs.
 */
int64_t test_few(int64_t n, int64_t few);
/* Whether the short form is requested (SCREE_TEST_SHORT, set by ./dev test). */
bool test_short(void);
/* Whether case k of a table of cases or parameters runs: each, or in short form every SCREE_TEST_PART-th, starting with
 * the first. */
bool test_drawn(int64_t k);
/* Minimum number of n such cases that run. */
int64_t test_drawn_of(int64_t n);

/* SCREE_TEST_SHARE=2/8 runs seeds 2, 10, 18 ... of each FOR_SEEDS: processes share campaigns. */
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
