/* Every broad phase finds the same pairs as brute force, in scenes of every kind. */
#include "broad/broad.h"

#include "base/maths.h"
#include "box_pairs.h"
#include "choices/choices.h"
#include "test.h"

enum { MOST = 600 };

typedef struct cloud {
	real side[6][MOST];
	int32_t count;
} cloud;

static void set_box(cloud *c, int32_t i, vec3 middle, vec3 half)
{
	const real m[3] = {middle.x, middle.y, middle.z}, h[3] = {half.x, half.y, half.z};
	for (int d = 0; d < 3; ++d) {
		c->side[d][i] = m[d] - h[d];
		c->side[d + 3][i] = m[d] + h[d];
	}
}

static vec3 point(random_stream *r, real wide)
{
	real x = scree_random_between(r, -wide, wide), y = scree_random_between(r, -wide, wide);
	return v3(x, y, scree_random_between(r, -wide, wide));
}

/* random boxes, clustered ones, equal ones on a lattice, huge and tiny ones, flat ones, far away ones, all at one
 * position, sizes from 1 to 100 mixed with points, and points only */
static void fill(cloud *c, random_stream *r, int scene)
{
	c->count = 2 + (int32_t)(scree_random_bits(r) % (MOST - 2));
	for (int32_t i = 0; i < c->count; ++i) {
		vec3 at = point(r, 5), half = v3(0.4, 0.3, 0.5);
		if (scene == 1) at = v3_add(v3_mul(0.1, at), v3((real)(i % 3) * 40, 0, 0));
		if (scene == 2) at = v3((real)(i % 8), (real)(i / 8 % 8), (real)(i / 64)), half = v3(0.5, 0.5, 0.5);
		if (scene == 3) half = v3_mul(i % 50 == 0 ? 4 : 0.05, half);
		if (scene == 4) half = v3(3, 0.01, 0.01);
		if (scene == 5 && i == 0) at = v3(1e12, -1e9, 3);
		if (scene == 6) at = v3(1, 1, 1);
		if (scene == 7) half = v3_mul(i % 40 ? scree_random_real(r) * scree_random_real(r) : (real)(i % 80) / 20, half);
		if (scene == 8) half = v3(0, 0, 0), at = v3((real)(i % 3), (real)(i % 5), 0);
		set_box(c, i, at, half);
	}
}

static void every_phase_finds_what_brute_finds(void **state)
{
	(void)state;
	static cloud c;
	random_stream r = scree_random_start(11, 0);
	const broad *brute = scree_broad_find("brute");
	assert_non_null(brute);
	assert_null(scree_broad_find("nothing"));
	int64_t pairs = 0;
	FOR_SEEDS(135)
	{
		fill(&c, &r, (int)(test_seed % 9));
		box_list list = {
			.count = c.count, .low = {c.side[0], c.side[1], c.side[2]}, .high = {c.side[3], c.side[4], c.side[5]}};
		box_pairs wanted = {0};
		broad_search referee = {0};
		scree_broad_search(&referee, brute, &list, true, &wanted);
		box_pairs_sort(&wanted);
		pairs += wanted.count;
		for (int b = 0; scree_broad_row(b); ++b) {
			box_pairs found = {0};
			broad_search search = {0};
			scree_broad_search(&search, scree_broad_row(b), &list, true, &found);
			box_pairs_sort(&found);
			CHECK(found.count == wanted.count, "%s found %lld pairs, not %lld", scree_broad_row(b)->name,
				  (long long)found.count, (long long)wanted.count);
			CHECK(!wanted.count || !memcmp(found.pair, wanted.pair, (size_t)wanted.count * sizeof *wanted.pair),
				  "%s missed or invented a pair", scree_broad_row(b)->name);
			scree_box_pairs_free(&found);
			scree_broad_search_free(&search);
		}
		scree_box_pairs_free(&wanted);
	}
	CHECK(pairs > 1000, "the scenes hold hardly any pairs: %lld", (long long)pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_phase_finds_what_brute_finds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
