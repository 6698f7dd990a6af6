/* Distances of triangles: every certified interval holds the true distance, in double and in float, of pairs of all
 * kinds; what is many at once has the bits of one by one. SCREE_TEST_FACTOR=1000 are 1e8 pairs. */
#include "narrow/triangle_help.h"

enum { PAIRS = 250, CASES = 400 };

typedef struct field {
	double c[18][PAIRS];
	float f[18][PAIRS];
	triangle_pairs pairs;
	triangle_pairs_float floats;
	enum pair_kind kind[PAIRS];
} field;

/* scale: of all coordinates */
static void fill(field *o, random_stream *r, real scale)
{
	o->pairs.count = o->floats.count = PAIRS;
	for (int i = 0; i < PAIRS; ++i) {
		vec3 p[6];
		o->kind[i] = (enum pair_kind)(i % PAIR_KINDS);
		make_pair(r, o->kind[i], p);
		for (int k = 0; k < 6; ++k) {
			o->c[3 * k][i] = p[k].x * scale, o->c[3 * k + 1][i] = p[k].y * scale, o->c[3 * k + 2][i] = p[k].z * scale;
		}
		for (int k = 0; k < 18; ++k) o->f[k][i] = (float)o->c[k][i];
	}
	for (int k = 0; k < 9; ++k) {
		o->pairs.a[k] = o->c[k], o->pairs.b[k] = o->c[9 + k];
		o->floats.a[k] = o->f[k], o->floats.b[k] = o->f[9 + k];
	}
}

static wide3 corner(const field *o, int i, int k, bool of_float)
{
	return of_float ? (wide3){o->f[3 * k][i], o->f[3 * k + 1][i], o->f[3 * k + 2][i]}
					: (wide3){o->c[3 * k][i], o->c[3 * k + 1][i], o->c[3 * k + 2][i]};
}

/* what the answers are held against */
typedef struct known {
	wide distance, size; /* the greatest coordinate as seen from the first corner */
	wide3 p[6];
} known;

static known known_of(const field *o, int i, bool of_float)
{
	known t = {0};
	for (int k = 0; k < 6; ++k) {
		t.p[k] = w3_sub(corner(o, i, k, of_float), corner(o, i, 0, of_float));
		t.size = fmaxl(t.size, fmaxl(fabsl(t.p[k].x), fmaxl(fabsl(t.p[k].y), fabsl(t.p[k].z))));
	}
	t.distance = true_distance(t.p);
	return t;
}

static wide3 point(const wide3 *p, wide b, wide c)
{
	return w3_madd(w3_madd(p[0], b, w3_sub(p[1], p[0])), c, w3_sub(p[2], p[0]));
}

/* The second way's own rounding is some 1e-19 of the size. weights: what a weight's rounding moves a point by */
static void check_bounds(const known *t, const triangle_gap *g, const char *what, int i, wide weights)
{
	wide slack = 1e-17L * t->size;
	CHECK(g->low <= t->distance + slack, "%s, pair %d: %.17g is not below the distance %.17Lg", what, i, g->low,
		  t->distance);
	CHECK(g->high >= t->distance - slack, "%s, pair %d: %.17g is not above the distance %.17Lg", what, i, g->high,
		  t->distance);
	CHECK(g->low >= 0 && g->a_b >= 0 && g->a_c >= 0 && g->b_b >= 0 && g->b_c >= 0, "%s, pair %d: weights", what, i);
	wide apart = w3_norm(w3_sub(point(t->p, g->a_b, g->a_c), point(t->p + 3, g->b_b, g->b_c)));
	CHECK(apart <= g->high + slack + weights * t->size, "%s, pair %d: points %.17Lg apart, not %.17g", what, i, apart,
		  g->high);
	CHECK(!g->penetrated || g->low == 0, "%s, pair %d: goes through, but %g apart", what, i, g->low);
}

static triangle_gap widened(const triangle_gap_float *g)
{
	return (triangle_gap){g->low, g->high, g->distance, g->a_b,	  g->a_c,
						  g->b_b, g->b_c,  g->steps,	g->stage, g->penetrated};
}

static triangle_gap gap[PAIRS];
static triangle_gap_float gap_float[PAIRS];

/* contact: who is farther apart is looked at no further */
static void check_certified(const field *o, real contact)
{
	triangle_counts counts = {{0}};
	triangle_search s = scree_triangles_certified(contact), f = scree_triangles_certified_float(contact);
	scree_triangles(&o->pairs, &s, gap, &counts);
	scree_triangles_float(&o->floats, &f, gap_float, &counts);
	CHECK(counts.by[TRIANGLES_UNCERTIFIED] == 0, "%lld uncertified", (long long)counts.by[TRIANGLES_UNCERTIFIED]);
	for (int i = 0; i < PAIRS; ++i) {
		known t = known_of(o, i, false);
		check_bounds(&t, gap + i, "certified", i, 0);
		bool sure = gap[i].low > contact;
		wide off = fabsl(gap[i].distance - t.distance), room = gap[i].high - (wide)gap[i].low;
		CHECK(sure || (off <= 1e-12L * t.size && room <= 1e-12L * t.size),
			  "kind %d, pair %d: off by %Lg, room %Lg of %Lg", (int)o->kind[i], i, off, room, t.size);
		t = known_of(o, i, true);
		triangle_gap g = widened(gap_float + i);
		check_bounds(&t, &g, "certified in float", i, 0x1p-21L);
		off = fabsl(g.distance - t.distance), room = g.high - (wide)g.low;
		CHECK(g.low > contact || (off <= 1e-5L * t.size && room <= 1.0001e-5L * t.size),
			  "float, kind %d, pair %d: off by %Lg, room %Lg of %Lg", (int)o->kind[i], i, off, room, t.size);
	}
}

static void certified(void **state)
{
	(void)state;
	static field o;
	FOR_SEEDS(CASES)
	{
		random_stream r = scree_random_start(test_seed, 1);
		fill(&o, &r, 1);
		check_certified(&o, test_seed % 2 ? INFINITY : 0.01);
	}
}

/* units: nothing under- or overflows on the way */
static void any_unit(void **state)
{
	(void)state;
	static field o;
	FOR_SEEDS(20)
	{
		random_stream r = scree_random_start(test_seed, 2);
		fill(&o, &r, test_seed % 2 ? (real)1e-12 : (real)1e12);
		check_certified(&o, INFINITY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(certified),
		cmocka_unit_test(any_unit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
