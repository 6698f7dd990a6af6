/* Closest features of polygons, compared with tests of all features and with separating axes, from any start; the
 * example in Fig. 10 of Schinner (1999); Voronoi regions; parallel edges, corners on edges, and touching corners. */
#include "polygon_help.h"

/* largest error of a distance relative to the sizes of both bodies, excluding pairs that nearly touch */
static real greatest_error;

/* The result must agree with the reference methods, up to rounding at the scale of the bodies. */
static void check_against_oracles(const flat_placed *a, const flat_placed *b, const feature_pair *f)
{
	ring ra, rb;
	ring_of(a, &ra);
	ring_of(b, &rb);
	real size = a->size + b->size, s = separation(&ra, &rb), tiny = 4e-15 * size;
	if (s > -1e-13 * size && s < 1e-13 * size) tiny = 2e-13 * size; /* if the bodies touch, either result is correct */
	if (real_abs(s) > 1e-13 * size)
		CHECK(f->overlapping == (s < 0), "overlapping %d, separation %g", f->overlapping, s);
	if (f->overlapping) {
		CHECK(f->distance == 0, "distance %g", f->distance);
		if (f->nested) return;
		CHECK(f->fa & f->fb & 1, "features %d %d", f->fa, f->fb);
		NEAR(from_segment(&ra, f->fa / 2, f->a.x, f->a.y), 0, tiny, "crossing on a");
		/* an end of b's edge may be beyond a's edge by 1e-13 of the scale, and still count as outside */
		real scale = a->size * a->shape->radius + b->size * b->shape->radius;
		NEAR(from_segment(&rb, f->fb / 2, f->a.x, f->a.y), 0, 2e-13 * scale, "crossing on b");
		return;
	}
	real d = distance_of(&ra, &rb);
	NEAR(f->distance, d, tiny, "distance");
	if (s > 1e-13 * size) greatest_error = real_max(greatest_error, real_abs(f->distance - d) / size);
	real dx = f->a.x - f->b.x, dy = f->a.y - f->b.y;
	NEAR(sqrt(dx * dx + dy * dy), d, tiny, "distance of the points");
	NEAR(f->n.x * f->n.x + f->n.y * f->n.y, 1, 1e-14, "unit normal");
	NEAR(f->n.x * dx + f->n.y * dy, d, tiny, "normal from b to a");
	int32_t i = f->fa / 2, j = f->fb / 2;
	real off_a =
		f->fa & 1 ? from_segment(&ra, i, f->a.x, f->a.y) : real_abs(f->a.x - ra.x[i]) + real_abs(f->a.y - ra.y[i]);
	real off_b =
		f->fb & 1 ? from_segment(&rb, j, f->b.x, f->b.y) : real_abs(f->b.x - rb.x[j]) + real_abs(f->b.y - rb.y[j]);
	NEAR(off_a, 0, 1e-14 * size + tiny, "closest point on its feature of a");
	NEAR(off_b, 0, 1e-14 * size + tiny, "closest point on its feature of b");
}

static int32_t any_features(random_stream *r, const flat_placed *a, const flat_placed *b)
{
	return features_pack((int32_t)(scree_random_bits(r) % (uint32_t)(2 * a->shape->corners)),
						 (int32_t)(scree_random_bits(r) % (uint32_t)(2 * b->shape->corners)));
}

typedef struct tally {
	int64_t apart, nested, asked_apart, asked_overlapping;
} tally;

static void count(tally *t, const feature_pair *f)
{
	t->apart += !f->overlapping;
	t->nested += f->nested;
	t->asked_apart += f->exhausted && !f->overlapping;
	t->asked_overlapping += (f->exhausted || f->searched) && f->overlapping && !f->nested;
}

/* without start features, with random ones, and with impossible ones */
static void try_starts(const flat_placed *a, const flat_placed *b, random_stream *r, tally *t)
{
	feature_pair f, g;
	scree_closest_features(a, b, any_features(r, a, b), &f);
	check_against_oracles(a, b, &f);
	count(t, &f);
	scree_closest_features(a, b, test_seed % 2 ? 0 : (int32_t)scree_random_bits(r), &g);
	check_against_oracles(a, b, &g);
	count(t, &g);
	/* a search from these features ends at once */
	scree_closest_features(a, b, f.hint, &g);
	CHECK(f.nested || f.exhausted || f.searched || (g.sweeps == 1 && g.changes == 0 && g.hint == f.hint), "%d sweeps",
		  g.sweeps);
}

/* Pairs from deeply overlapping to far apart. */
static void any_start_gives_the_oracle(void **state)
{
	(void)state;
	tally t = {0};
	int64_t cases = test_cases(40000);
	FOR_SEEDS(40000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		flat_placed a, b;
		random_pair(&all, &r, test_seed % 8 ? 0.6 : 0, test_seed % 8 ? 1.2 : 1, &a, &b);
		try_starts(&a, &b, &r, &t);
	}
	print_message("%lld pairs twice: %lld apart, %lld nested; all features asked %lld times apart, %lld overlapping; "
				  "greatest error of a distance %.2g of the sizes\n",
				  (long long)cases, (long long)t.apart, (long long)t.nested, (long long)t.asked_apart,
				  (long long)t.asked_overlapping, greatest_error);
	CHECK(t.apart > cases / 2 && t.apart < 3 * cases / 2, "the cases are no mixture: %lld apart", (long long)t.apart);
	CHECK(t.asked_apart * 10000 <= cases, "all features asked %lld times", (long long)t.asked_apart);
	CHECK(t.asked_overlapping * 50 <= cases, "all features asked %lld times", (long long)t.asked_overlapping);
}

/* aligned edges, and corners on corners, some of them displaced by 1e-13 */
static void coinciding_features(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		flat_placed a, b;
		lattice_pair(&all, &r, &a, &b);
		try_starts(&a, &b, &r, &t);
	}
	print_message("%lld apart, %lld nested; all features asked %lld times apart, %lld overlapping\n",
				  (long long)t.apart, (long long)t.nested, (long long)t.asked_apart, (long long)t.asked_overlapping);
}

/* ------------------------------------------------------------------ seed 000 */

/* In Fig. 10, the pairs of features are (v1A, e1B), (e1A, e1B) and finally (e1A, v1B), the closest pair. */
static void figure_10(void **state)
{
	(void)state;
	shapes s = {0};
	fail why;
	const vec3 box[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
	const vec3 kite[] = {{1.5, 0.5, 0}, {1.7, -0.5, 0}, {2.5, 0.5, 0}, {1.8, 1.3, 0}};
	CHECK(scree_shapes_add_polygon(&s, "A", 4, box, &why) == 0, "%s", why.text);
	CHECK(scree_shapes_add_polygon(&s, "B", 4, kite, &why) == 1, "%s", why.text);
	flat_placed a = place_flat(s.row, s.row[0].centre.x, s.row[0].centre.y, 0, 1);
	flat_placed b = place_flat(s.row + 1, s.row[1].centre.x, s.row[1].centre.y, 0, 1);
	feature_pair f;
	scree_closest_features(&a, &b, features_pack(2, 1), &f); /* start with corner 1 of A and edge 0 of B */
	CHECK(f.sweeps == 3 && f.changes == 2, "%d sweeps, %d changes", f.sweeps, f.changes);
	CHECK(f.fa == 3 && f.fb == 0 && !f.overlapping, "features %d and %d", f.fa, f.fb);
	/* start with the features of the second iteration, after which one more iteration is needed */
	scree_closest_features(&a, &b, features_pack(3, 1), &f);
	CHECK(f.sweeps == 2 && f.changes == 1 && f.fa == 3 && f.fb == 0, "%d sweeps from both edges", f.sweeps);
	NEAR(f.distance, 0.5, 1e-15, "distance");
	NEAR(f.a.x + a.x, 1, 1e-15, "closest point of A");
	NEAR(f.a.y + a.y, 0.5, 1e-15, "closest point of A");
	scree_shapes_free(&s);
}

/* The table of Voronoi regions, which uses only data local to a feature. */
static bool in_region(const flat_polygon *p, int32_t feature, real x, real y)
{
	const flat_corner *c = p->corner + feature / 2;
	real along = (x - c->x) * c->tx + (y - c->y) * c->ty;
	if (feature & 1) return along >= 0 && along <= c->length && (x - c->x) * c->ty - (y - c->y) * c->tx >= 0;
	return along <= 0 && (x - c->x) * c[-1].tx + (y - c->y) * c[-1].ty >= 0;
}

/* Each point outside the polygon is in exactly one region, whose feature is the closest to a tiny polygon at this
 * point. */
static void regions_part_the_plane(void **state)
{
	(void)state;
	int64_t on_rays = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 3);
		flat_placed a, b;
		random_pair(&all, &r, 0.3, 2, &a, &b);
		a = place_flat(all.row, 0, 0, 0, 1);
		a.shape = &all.row[scree_random_bits(&r) % (uint32_t)all.count].flat;
		ring ra;
		ring_of(&a, &ra);
		real outside = -INFINITY;
		for (int32_t i = 0; i < ra.n; ++i) {
			const flat_corner *c = a.shape->corner + i;
			outside = real_max(outside, (b.x - c->x) * c->ty - (b.y - c->y) * c->tx);
		}
		if (outside < 1e-3) continue;
		int32_t regions = 0, found = -1;
		for (int32_t k = 0; k < 2 * ra.n; ++k)
			if (in_region(a.shape, k, b.x, b.y)) ++regions, found = k;
		CHECK(regions == 1, "%d regions", regions);
		b.size = 1e-9;
		feature_pair f;
		scree_closest_features(&a, &b, any_features(&r, &a, &b), &f);
		on_rays += f.fa != found;
	}
	CHECK(on_rays <= test_cases(20000) / 5000, "another feature %lld times", (long long)on_rays);
}

/* ------------------------------------------------------------------ special cases */

static feature_pair of_squares(real x, real y, real angle, int32_t hint)
{
	const shape *q = all.row + scree_shapes_find(&all, "regular4");
	flat_placed a = place_flat(q, 0, 0, 0, 1), b = place_flat(q, x, y, angle, 1);
	feature_pair f;
	scree_closest_features(&a, &b, hint, &f);
	return f;
}

static void special_cases(void **state)
{
	(void)state;
	real w = sqrt(0.5), h = w / 2;
	for (int32_t hint = 0; hint < 9; ++hint)
		for (int32_t other = 0; other < 8; ++other) {
			int32_t start = hint < 8 ? features_pack(hint, other) : 0;
			/* parallel edges: the result is the midpoint of their overlap, even after a rotation of the order of
			 * rounding errors */
			for (int32_t k = -1; k <= 1; ++k) {
				feature_pair f = of_squares(0.2, w + 0.1, k * 1e-14, start);
				NEAR(f.distance, 0.1, 1e-13, "gap");
				NEAR(f.a.x, 0.1, 1e-12, "middle");
				NEAR(f.b.x, 0.1, 1e-12, "middle");
				CHECK(f.fa & f.fb & 1 && !f.overlapping, "features %d %d", f.fa, f.fb);
			}
			/* a corner on an edge counts as touching */
			feature_pair f = of_squares(0.1, h + 0.5, SCREE_PI / 4, start);
			CHECK(!f.overlapping && f.distance < 1e-15, "a corner on an edge: distance %g", f.distance);
			NEAR(f.n.x, 0, 1e-15, "normal of the edge");
			NEAR(f.n.y, -1, 1e-15, "normal of the edge");
			NEAR(f.a.x, 0.1, 1e-14, "place");
			/* touching edges and touching corners */
			f = of_squares(0.2, w, 0, start);
			CHECK(!f.overlapping && f.distance < 1e-15, "edges that touch: distance %g", f.distance);
			NEAR(f.n.y, -1, 1e-15, "normal of the edge");
			NEAR(f.a.x, 0.1, 1e-12, "middle");
			f = of_squares(w, w, 0, start);
			CHECK(!f.overlapping && f.distance < 1e-15, "corners that touch: distance %g", f.distance);
			f = of_squares(w + 0.003, w + 0.004, 0, start);
			NEAR(f.distance, 0.005, 1e-15, "corner to corner");
			/* both bodies at the same position */
			f = of_squares(0, 0, 0, start);
			CHECK(f.overlapping, "the same place");
		}
	const shape *q = all.row + scree_shapes_find(&all, "regular4");
	flat_placed a = place_flat(q, 0, 0, 0, 1), b = place_flat(q, 0.1, 0, 0.5, 0.1);
	feature_pair f;
	scree_closest_features(&a, &b, 0, &f);
	CHECK(f.overlapping && f.nested, "one inside the other");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_start_gives_the_oracle),
		cmocka_unit_test(coinciding_features),
		cmocka_unit_test(figure_10),
		cmocka_unit_test(regions_part_the_plane),
		cmocka_unit_test(special_cases),
	};
	return cmocka_run_group_tests_name("closest_features", tests, make_shapes, free_shapes);
}
