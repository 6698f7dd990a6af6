/* Slots: numbers of comparisons, checked against the numbers on the web page "Grouping the particles" (3,000 balls with
 * a diameter of 4 px in an area 600 px wide) and against probability theory. tests/module/sweep.c shows that they find
 * all pairs. */
#include "broad/broad.h"
#include "test.h"

#include "base/maths.h"
#include "choices/choices.h"

#include <math.h>

enum { BALLS = 3000, WIDE = 600, HIGH = 6000 };
static const real RADIUS = 1.999999; /* radius in px: slots are slightly wider than the balls, so 150 slots fit */

typedef struct balls {
	real x[BALLS], y[BALLS], side[6][BALLS];
} balls;

static box_list list_of(balls *b)
{
	for (int i = 0; i < BALLS; ++i) {
		const real at[3] = {b->x[i], b->y[i], 0};
		for (int d = 0; d < 2; ++d) {
			b->side[d][i] = at[d] - RADIUS;
			b->side[d + 3][i] = at[d] + RADIUS;
		}
	}
	return (box_list){.count = BALLS,
					  .low = {b->side[0], b->side[1], b->side[2]},
					  .high = {b->side[3], b->side[4], b->side[5]},
					  .flat = true};
}

/* pairs, and comparisons */
static int64_t count(const char *name, balls *b, int64_t *comparisons)
{
	box_list l = list_of(b);
	box_pairs found = {0};
	broad_search s = {.bounded = true, .area_high = {WIDE, HIGH, 0}};
	scree_broad_search(&s, scree_broad_find(name), &l, true, &found);
	int64_t pairs = found.count;
	*comparisons = s.count.comparisons;
	scree_box_pairs_free(&found);
	scree_broad_search_free(&s);
	return pairs;
}

static void uniform(balls *b, uint64_t seed)
{
	random_stream r = scree_random_start(seed, 9);
	for (int i = 0; i < BALLS; ++i) {
		b->x[i] = scree_random_between(&r, 0, WIDE);
		b->y[i] = scree_random_between(&r, 0, HIGH);
	}
}

/* heights distributed as in an atmosphere of point particles, and heights of balls that settle in a run: the
 * experiment `atmosphere` in the book */
static void drawn_atmosphere(balls *b, uint64_t seed, real scale_height)
{
	random_stream r = scree_random_start(seed, 10);
	for (int i = 0; i < BALLS; ++i) {
		b->x[i] = scree_random_between(&r, 0, WIDE);
		b->y[i] = -scale_height * scree_log(1 - scree_random_real(&r));
	}
}

static balls b;

static void naive(void **state)
{
	(void)state;
	int64_t comparisons;
	uniform(&b, 1);
	count("brute", &b, &comparisons);
	assert_int_equal(comparisons, 4498500);
}

/* For uniformly distributed positions, the mean is N(N-1)/2 (1/150 + 2 149/150^2) = 89,570. The page gives 91,100,
 * which includes the 3,000 binnings and excludes the variance of the number of balls in a strip. */
static void vertical_strips(void **state)
{
	(void)state;
	const real wanted = BALLS * (real)(BALLS - 1) / 2 * (1.0 / 150 + 2 * 149.0 / (150 * 150));
	NEAR(wanted, 89570, 1, "expectation");
	int64_t cases = test_cases(100), pairs, strips;
	real sum = 0, squares = 0;
	for (int64_t k = 0; k < cases; ++k) {
		uniform(&b, (uint64_t)k + 1);
		pairs = count("slots/x", &b, &strips);
		real d = (real)strips - wanted;
		sum += d;
		squares += d * d;
		int64_t brute;
		if (k < 4) CHECK(count("brute", &b, &brute) == pairs, "%lld pairs", (long long)pairs);
	}
	real mean = sum / (real)cases, sigma = sqrt(squares / (real)cases);
	CHECK(real_abs(mean) < 3 * sigma / sqrt((real)cases), "the mean is off by %g, sigma of one is %g", mean, sigma);
	CHECK(sigma < 2000, "strips differ by %g from one draw to the next", sigma);
}

/* 1,500 strips: uniformly distributed balls would need about 9,000 comparisons; the page counts 70,000 to 80,000 under
 * gravity. */
static void horizontal_strips(void **state)
{
	(void)state;
	int64_t comparisons;
	for (uint64_t seed = 1; seed <= 10; ++seed) {
		uniform(&b, seed);
		count("slots/y", &b, &comparisons);
		NEAR((real)comparisons, BALLS * (real)(BALLS - 1) / 2 * (3.0 / 1500), 600, "evenly drawn");
		drawn_atmosphere(&b, seed, 360);
		int64_t pairs = count("slots/y", &b, &comparisons), brute;
		CHECK(comparisons > 70000 && comparisons < 80000, "%lld comparisons", (long long)comparisons);
		if (seed == 1) CHECK(count("brute", &b, &brute) == pairs, "%lld pairs", (long long)pairs);
	}
}

/* cells of 4 px: the nine cells around each ball have an area of 16 px^2 each, and half of them are tested */
static void cells(void **state)
{
	(void)state;
	enum { LOW = 600 }; /* height in px: the balls are in a tenth of the area, so there are more comparisons */
	const real wanted = BALLS * (real)BALLS / 2 * 9 * 16 / ((real)WIDE * LOW);
	real mean = 0;
	for (uint64_t seed = 1; seed <= 20; ++seed) {
		int64_t comparisons;
		uniform(&b, seed);
		for (int i = 0; i < BALLS; ++i) b.y[i] *= (real)LOW / HIGH;
		count("slots/cells", &b, &comparisons);
		mean += (real)comparisons / 20;
	}
	/* Poisson scatter of the mean over 20 runs, and half a per cent fewer comparisons because of the border */
	NEAR(mean, wanted, 3 * sqrt(wanted / 20) + 0.01 * wanted, "comparisons");
}

/* bodies outside the area are in the outermost slots, and their pairs are found */
static void outside(void **state)
{
	(void)state;
	static const char *const name[] = {"slots/x", "slots/y", "slots/cells"};
	uniform(&b, 3);
	for (int i = 0; i < BALLS; i += 3) {
		b.x[i] = i % 2 ? -50 + 0.1 * i : WIDE + 0.1 * i;
		b.y[i] = i % 4 < 2 ? -30 + 0.01 * i : HIGH + 0.02 * i;
	}
	int64_t wanted, comparisons, pairs;
	wanted = count("brute", &b, &comparisons);
	for (int k = 0; k < 3; ++k) {
		pairs = count(name[k], &b, &comparisons);
		CHECK(pairs == wanted && wanted > 100, "%s: %lld pairs, not %lld", name[k], (long long)pairs,
			  (long long)wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(naive), cmocka_unit_test(vertical_strips), cmocka_unit_test(horizontal_strips),
		cmocka_unit_test(cells), cmocka_unit_test(outside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
