/* Stored clipping results, and pairs computed in batches, give bit-identical results: for slowly moving pairs, for
 * pairs that jump, and for more pairs than can be stored. */
#include "base/memory.h"
#include "narrow/solid/known_cuts.h"
#include "overlap_help.h"

static known_cuts *known;

static int start(void **state)
{
	known = scree_known_cuts();
	return make_shapes(state);
}

static int end(void **state)
{
	scree_free(known);
	return free_shapes(state);
}

static bool same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void check_same(const patch *p, const patch *q, bool holds)
{
	CHECK(p->points == q->points, "%d points, alone %d", q->points, p->points);
	CHECK(p->points ? p->depth == q->depth : !(q->depth > 0), "depth %g, alone %g", q->depth, p->depth);
	if (!p->points) return;
	CHECK(same(p->normal, q->normal) && p->pitch == q->pitch && p->arm == q->arm, "normal, pitch %g or arm %g",
		  q->pitch, q->arm);
	CHECK(!holds || same(p->hold, q->hold), "where friction holds");
	for (int32_t k = 0; k < p->points; ++k)
		CHECK(same(p->at[k], q->at[k]) && p->deep[k] == q->deep[k] && p->weight[k] == q->weight[k], "point %d", k);
}

/* a small step of a body: most corners stay on the same sides of all faces */
static void creep(random_stream *r, placed *b, real by)
{
	*b = shifted(b, v3_mul(by, scree_random_direction(r)));
	*b = turned(b, scree_random_direction(r), by * scree_random_between(r, -1, 1));
}

typedef void overlap_of(const placed *a, const placed *b, int32_t hint, patch *out);
typedef void overlap_known(const placed *a, const placed *b, int32_t hint, known_cuts *known, overlap_form *kept,
						   patch *out);

static void slow_pairs(overlap_of alone, overlap_known with, bool holds)
{
	int64_t made = known->made, asked = 0;
	FOR_SEEDS(400)
	{
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 11, &a, &b, &r);
		patch p, q;
		overlap_form kept = {0};
		q.axis = 0;
		for (int step = 0; step < 30; ++step) {
			creep(&r, step % 2 ? &a : &b, step % 10 ? 1e-5 : 0.02);
			alone(&a, &b, 0, &p);
			with(&a, &b, q.axis, known, &kept, &q);
			check_same(&p, &q, holds);
			asked += p.points > 0;
		}
	}
	made = known->made - made;
	if (test_factor() == 1) /* in longer tests, not all pairs can be stored */
		CHECK(made > 100 && made < asked, "%lld forms made for %lld overlaps", (long long)made, (long long)asked);
}

static void volumes_of_slow_pairs(void **state)
{
	(void)state;
	slow_pairs(scree_overlap_convex_convex, scree_overlap_known, false);
}

static void thicknesses_of_slow_pairs(void **state)
{
	(void)state;
	scree_free(known); /* causes combinatorial forms to be rebuilt */
	known = scree_known_cuts();
	slow_pairs(scree_thickness_convex_convex, scree_thickness_known, true);
}

/* compares the results of pairs computed in batches */
static int32_t check_together(overlap_pairs *m, const patch *alone, patch *p, int32_t *axis)
{
	scree_overlap_pairs(m);
	for (int32_t i = 0; i < m->count; ++i) {
		const patch *of = alone + m->row[i];
		if (scree_overlap_pairs_get(m, i, p)) {
			check_same(of, p, true);
			axis[m->row[i]] = p->axis;
		} else {
			CHECK(!of->points, "no volume together, alone %d points", of->points);
		}
	}
	int32_t count = m->count;
	m->count = 0;
	return count;
}

static void slow_pairs_together(void **state)
{
	(void)state;
	enum { PAIRS = 20 };
	static patch alone[PAIRS];
	int64_t together = 0;
	FOR_SEEDS(30)
	{
		random_stream r[PAIRS];
		placed a[PAIRS], b[PAIRS];
		int32_t axis[PAIRS] = {0};
		overlap_form kept[PAIRS] = {{0}};
		for (uint64_t k = 0; k < PAIRS; ++k) two_bodies(test_seed * PAIRS + k, 12, a + k, b + k, r + k);
		for (int step = 0; step < 20; ++step) {
			overlap_pairs m = {0};
			patch p;
			for (int32_t k = 0; k < PAIRS; ++k) {
				creep(r + k, step % 2 ? a + k : b + k, step % 10 ? 1e-5 : 0.02);
				scree_thickness_convex_convex(a + k, b + k, 0, alone + k);
				if (!scree_overlap_pairs_add(&m, k, a + k, b + k, axis[k], known, kept + k, &p)) {
					check_same(alone + k, &p, true);
					axis[k] = p.axis;
				}
				if (m.count == PAIRS_AT_ONCE) together += check_together(&m, alone, &p, axis);
			}
			together += check_together(&m, alone, &p, axis);
		}
	}
	CHECK(together > 0, "no pair overlaps");
}

/* Faces rest on faces: heights are of the order of rounding errors, and corners may be on either side. */
static void faces_in_line(void **state)
{
	(void)state;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 13);
		placed b = place(&all, 0, v3(0, 0, 0), UPRIGHT, 1), a = b;
		real off[3];
		for (int k = 0; k < 3; ++k) off[k] = scree_random_between(&r, -3, 3) * 1e-12;
		a.at = v3(off[0], (test_seed % 3 ? 0.5 : 0) + off[1], 1 - 1e-3 * (real)(test_seed % 5) + off[2]);
		if (test_seed % 4 == 0) creep(&r, &a, 1e-12);
		patch p, q;
		scree_overlap_convex_convex(&a, &b, 0, &p);
		scree_overlap_known(&a, &b, 0, known, NULL, &q);
		check_same(&p, &q, false);
	}
}

/* Pairs that never recur fill the store, which is then emptied once and remains empty. */
static void more_than_is_remembered(void **state)
{
	(void)state;
	scree_free(known); /* earlier pairs may have disabled the store */
	known = scree_known_cuts();
	int64_t made = known->made, most = 0;
	for (test_seed = 1; known->made - made < 9000 && test_seed < 20000; ++test_seed) {
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 14, &a, &b, &r);
		patch p, q;
		scree_overlap_convex_convex(&a, &b, 0, &p);
		scree_overlap_known(&a, &b, (int32_t)(test_seed % 9000) - 8999, known, NULL, &q);
		check_same(&p, &q, false);
		most = known->forms > most ? known->forms : most;
	}
	CHECK(most > 8000 && known->forms < most, "%lld forms at most, %lld now", (long long)most, (long long)known->forms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(volumes_of_slow_pairs),   cmocka_unit_test(thicknesses_of_slow_pairs),
		cmocka_unit_test(slow_pairs_together),	   cmocka_unit_test(faces_in_line),
		cmocka_unit_test(more_than_is_remembered),
	};
	return cmocka_run_group_tests(tests, start, end);
}
