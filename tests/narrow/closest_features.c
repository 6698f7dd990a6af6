/* Closest features of polygons: against all features and against separating axes, from any start; the example of
 * seed 000, Fig. 10; its Voronoi regions; parallel edges, corners on edges, touching corners. */
#include "polygon_help.h"

static shapes all;

static int make_shapes(void **state)
{
	(void)state;
	add_polygons(&all);
	return 0;
}

static int free_shapes(void **state)
{
	(void)state;
	scree_shapes_free(&all);
	return 0;
}

/* What the oracles say of the result, to rounding of the size. */
static void check_against_oracles(const flat_placed *a, const flat_placed *b, const feature_pair *f)
{
	ring ra, rb;
	ring_of(a, &ra);
	ring_of(b, &rb);
	real size = a->size + b->size, s = separation(&ra, &rb), tiny = 4e-15 * size;
	if (real_abs(s) > 1e-13 * size) CHECK(f->overlapping == (s < 0), "overlapping %d, separation %g", f->overlapping, s);
	if (f->overlapping) {
		CHECK(f->distance == 0, "distance %g", f->distance);
		if (f->nested) return;
		CHECK(f->fa & f->fb & 1, "features %d %d", f->fa, f->fb);
		NEAR(from_segment(&ra, f->fa / 2, f->ax, f->ay), 0, tiny, "crossing on a");
		NEAR(from_segment(&rb, f->fb / 2, f->ax, f->ay), 0, tiny, "crossing on b");
		return;
	}
	real d = distance_of(&ra, &rb);
	NEAR(f->distance, d, tiny, "distance");
	real dx = f->ax - f->bx, dy = f->ay - f->by;
	NEAR(sqrt(dx * dx + dy * dy), d, tiny + 1e-13 * size * (d == 0), "distance of the points");
	NEAR(f->nx * f->nx + f->ny * f->ny, 1, 1e-14, "unit normal");
	NEAR(f->nx * dx + f->ny * dy, d, tiny + 1e-13 * size * (d == 0), "normal from b to a");
	int32_t i = f->fa / 2, j = f->fb / 2;
	real off_a = f->fa & 1 ? from_segment(&ra, i, f->ax, f->ay) : real_abs(f->ax - ra.x[i]) + real_abs(f->ay - ra.y[i]);
	real off_b = f->fb & 1 ? from_segment(&rb, j, f->bx, f->by) : real_abs(f->bx - rb.x[j]) + real_abs(f->by - rb.y[j]);
	NEAR(off_a, 0, 1e-14 * size, "closest point on its feature of a");
	NEAR(off_b, 0, 1e-14 * size, "closest point on its feature of b");
}

static int32_t any_features(random_stream *r, const flat_placed *a, const flat_placed *b)
{
	return features_pack((int32_t)(scree_random_bits(r) % (uint32_t)(2 * a->shape->corners)),
						 (int32_t)(scree_random_bits(r) % (uint32_t)(2 * b->shape->corners)));
}

/* Pairs from deep inside to far apart, from no, random and impossible start features. */
static void any_start_gives_the_oracle(void **state)
{
	(void)state;
	int64_t apart = 0, exhausted = 0, nested = 0, cases = test_cases(40000);
	FOR_SEEDS(40000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		flat_placed a, b;
		feature_pair f, g;
		random_pair(&all, &r, test_seed % 8 ? 0.6 : 0, test_seed % 8 ? 1.2 : 1, &a, &b);
		scree_closest_features(&a, &b, any_features(&r, &a, &b), &f);
		check_against_oracles(&a, &b, &f);
		exhausted += f.exhausted && !f.nested;
		apart += !f.overlapping;
		nested += f.nested;
		scree_closest_features(&a, &b, test_seed % 2 ? 0 : (int32_t)scree_random_bits(&r), &g);
		check_against_oracles(&a, &b, &g);
		CHECK(f.overlapping == g.overlapping && f.nested == g.nested, "the start decides");
		exhausted += g.exhausted && !g.nested;
		/* what was found is found again at once */
		scree_closest_features(&a, &b, f.hint, &g);
		CHECK(f.nested || (g.sweeps == 1 && g.changes == 0 && g.hint == f.hint), "%d sweeps", g.sweeps);
	}
	print_message("%lld pairs: %lld apart, %lld nested; all features asked %lld times\n", (long long)cases,
				  (long long)apart, (long long)nested, (long long)exhausted);
	CHECK(apart > cases / 4 && apart < 3 * cases / 4, "the cases are no mixture: %lld apart", (long long)apart);
	CHECK(exhausted * 100 <= cases, "all features asked %lld times", (long long)exhausted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_start_gives_the_oracle),
	};
	return cmocka_run_group_tests_name("closest_features", tests, make_shapes, free_shapes);
}
