/* The region of two polyhedra with many faces, found from the faces near it, is bit-identical to the region obtained by
 * clipping against all faces: for any guess of the first face, deeply overlapping and barely touching bodies, coplanar
 * faces, and coincident corners. */
#include "base/memory.h"
#include "cut_help.h"
#include "narrow/solid/known_cuts.h"

/* random hulls with 60 and 246 faces, a football (32 faces, three at each of 60 vertices), a prism and a double
 * pyramid with 40 sides, and a hull of points on four circles whose faces have many corners */
enum { HULL = 0, LARGE = 4, FOOTBALL, PRISM, PYRAMID, DRUM, SHAPES };

static known_cuts *known;

static int start(void **state)
{
	(void)state;
	known = scree_known_cuts();
	static const char *name[LARGE] = {"hull 1", "hull 2", "hull 3", "hull 4"};
	for (uint64_t k = 0; k < LARGE; ++k) add_random(name[k], 32, k);
	add_random("large", 125, 9);
	add_football();
	add_turned("prism", 40, 2, (real[]){-0.4, 0.4}, (real[]){0.5, 0.5}, 0);
	add_turned("pyramid", 40, 1, (real[]){0}, (real[]){0.5}, 0.5);
	add_turned("drum", 16, 4, (real[]){-0.5, -0.2, 0.2, 0.5}, (real[]){0.3, 0.5, 0.5, 0.3}, 0);
	CHECK(all.shape.count == SHAPES && all.shape.row[HULL].faces == 60 && all.shape.row[LARGE].faces == 246, "shapes");
	return 0;
}

static int end(void **state)
{
	(void)state;
	scree_free(known);
	stage_clear(&all);
	return 0;
}

static void check_patch(const patch *p, const patch *q, bool holds)
{
	CHECK(p->points == q->points, "%d points, alone %d", q->points, p->points);
	CHECK(p->points ? p->depth == q->depth : !(q->depth > 0), "depth %g, alone %g", q->depth, p->depth);
	if (!p->points) return;
	CHECK(same(p->normal, q->normal) && p->pitch == q->pitch && p->arm == q->arm, "normal, pitch or arm");
	CHECK(!holds || same(p->hold, q->hold), "where friction holds");
	for (int32_t k = 0; k < p->points; ++k)
		CHECK(same(p->at[k], q->at[k]) && p->deep[k] == q->deep[k] && p->weight[k] == q->weight[k], "point %d", k);
}

/* how often each result occurred, and the number of regions */
typedef struct tally {
	int64_t asked, of[NEAR_UNKNOWN + 1];
} tally;

static void compare(const placed *a, const placed *b, int32_t *guess, tally *t)
{
	static whole_cut w;
	static solid left;
	const convex_pair c = pair_of(a, b);
	const real slack = 1e-12 * c.scale;
	patch apart = {0};
	cut_by_all(&c, slack, &w);
	near_outcome found = scree_overlap_near(&c, slack, guess, NULL, &left, &apart);
	t->asked += w.found == NEAR_LEFT;
	t->of[found] += 1;
	if (found == NEAR_UNKNOWN) {
		if (w.found == NEAR_LEFT && w.first >= 0) *guess = w.first;
		return;
	}
	CHECK(found == w.found, "outcome %d, of all cuts %d", (int)found, (int)w.found);
	if (found == NEAR_APART)
		CHECK(apart.depth == w.apart.depth && apart.axis == w.apart.axis, "distance %g, of all %g", -apart.depth,
			  -w.apart.depth);
	if (found != NEAR_LEFT) return;
	CHECK(*guess == w.first, "first face %d, of all cuts %d", *guess, w.first);
	check_solid(w.room.part + w.room.now, &left);
}

/* Data kept for a pair from previous calls, for each of the two energies. */
typedef struct keepsake {
	int32_t axis[2];
	overlap_form form[2];
} keepsake;

/* the same with the functions of the narrow phase, which store hints and combinatorial forms */
static void compare_contacts(const placed *a, const placed *b, keepsake *of)
{
	static patch p, q;
	scree_overlap_convex_convex(a, b, 0, &p);
	scree_overlap_known(a, b, of->axis[0], known, of->form, &q);
	check_patch(&p, &q, false);
	of->axis[0] = q.axis;
	scree_thickness_convex_convex(a, b, 0, &p);
	scree_thickness_known(a, b, of->axis[1], known, of->form + 1, &q);
	check_patch(&p, &q, true);
	of->axis[1] = q.axis;
}

/* ------------------------------------------------------------------ pairs */

static void two_bodies(uint64_t stream, random_stream *r, placed *a, placed *b)
{
	*r = scree_random_start(test_seed, stream);
	*a = place_random(&all, (int32_t)(test_seed % SHAPES), r, 1, 0.5, 1.5);
	*b = place_random(&all, (int32_t)(test_seed / SHAPES % SHAPES), r, 1, 0.5, 1.5);
}

/* pairs that move slowly and sometimes jump, from separate to deeply overlapping, most of them with overlaps as in a
 * packing */
static void slow_pairs(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(200)
	{
		random_stream r;
		placed a, b;
		two_bodies(1, &r, &a, &b);
		real part = test_seed % 4 ? scree_random_between(&r, 0.87, 0.97) : scree_random_between(&r, 0, 1);
		b.at = v3_madd(a.at, part * touching_way(&a, &b), scree_random_direction(&r));
		int32_t guess = 0;
		keepsake kept = {.axis = {0, 0}};
		for (int step = 0; step < 20; ++step) {
			creep(&r, step % 2 ? &a : &b, step % 10 ? 1e-5 : 0.02);
			compare(&a, &b, &guess, &t);
			compare_contacts(&a, &b, &kept);
		}
	}
	CHECK(t.of[NEAR_LEFT] > t.asked / 4, "%lld of %lld regions from the faces near them", (long long)t.of[NEAR_LEFT],
		  (long long)t.asked);
	CHECK(t.of[NEAR_APART] > 0, "no face separates bodies");
}

/* uses any face as the guess, including a face that the other body does not have */
static void any_guess(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(1500)
	{
		random_stream r;
		placed a, b;
		two_bodies(2, &r, &a, &b);
		b.at = v3_madd(a.at, touching_way(&a, &b) * scree_random_between(&r, 0.8, 1), scree_random_direction(&r));
		int32_t guess = (int32_t)(scree_random_bits(&r) % 260);
		for (int k = 0; k < 3; ++k) compare(&a, &b, &guess, &t);
	}
	CHECK(t.of[NEAR_LEFT] > t.asked / 4 && t.of[NEAR_APART] > 0 && t.of[NEAR_UNKNOWN] > 0, "%lld found of %lld",
		  (long long)t.of[NEAR_LEFT], (long long)t.asked);
}

/* Overlaps down to rounding: b is moved to the distance at which the bodies begin to touch, and slightly farther. */
static void barely_touching(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(150)
	{
		static patch p;
		random_stream r;
		placed a, b;
		two_bodies(3, &r, &a, &b);
		const vec3 way = scree_random_direction(&r);
		const real far = touching_way(&a, &b);
		real in = 0, out = far;
		for (int k = 0; k < 50; ++k) {
			b.at = v3_madd(a.at, (in + out) / 2, way);
			scree_overlap_convex_convex(&a, &b, 0, &p);
			*(p.points ? &in : &out) = (in + out) / 2;
		}
		int32_t guess = 0;
		keepsake kept = {.axis = {0, 0}};
		real deep = 0.03 * far;
		for (int k = 0; k < 24; ++k, deep *= k % 12 ? 0.1 : -1e11) {
			b.at = v3_madd(a.at, in - deep, way);
			compare(&a, &b, &guess, &t);
			compare_contacts(&a, &b, &kept);
		}
	}
	CHECK(t.of[NEAR_LEFT] > t.asked / 2, "%lld found of %lld", (long long)t.of[NEAR_LEFT], (long long)t.asked);
}

/* Equal bodies with parallel faces and aligned edges: heights are of the order of rounding errors, and corners may be
 * on either side. */
static void faces_in_line(void **state)
{
	(void)state;
	tally t = {0};
	FOR_SEEDS(1500)
	{
		random_stream r = scree_random_start(test_seed, 4);
		placed a = place(&all, (int32_t)(test_seed % SHAPES), v3(0, 0, 0), quat_of(1, 0, 0, 0), 1), b = a;
		const shape *s = a.shape;
		vec3 off = v3_mul(1e-12, random_in(&r, 3));
		switch (test_seed / SHAPES % 4) {
		case 0: /* in the same position, or shifted by the length of an edge */
			if (test_seed % 2) off = v3_add(off, v3_sub(shape_vertex(s, s->ends[1]), shape_vertex(s, s->ends[0])));
			break;
		case 1: /* one body above the other; the ends of the drum and the prism are face to face */
			off.z += 2 * (s->vz[0] < 0 ? -s->vz[0] : s->vz[0]) * (1 - 1e-3 * (real)(test_seed % 5));
			break;
		case 2: /* corners of one body in faces of the other */
			off = v3_add(off, v3_mul(scree_random_between(&r, 0.9, 1), shape_vertex(s, (int32_t)(test_seed % 11))));
			break;
		default: /* mirrored at a face, which both bodies then share */
		{
			int32_t f = (int32_t)(test_seed % (uint64_t)s->faces);
			off = v3_add(off, v3_mul(2 * s->off[f] * (1 - 1e-4 * (real)(test_seed % 3)), shape_normal(s, f)));
			mat3 half = quat_matrix(turn_about(v3_across(shape_normal(s, f)), SCREE_PI));
			if (test_seed % 2) b.turn = half;
		}
		}
		b.at = off;
		if (test_seed % 3 == 0) creep(&r, &b, 1e-12);
		keepsake kept = {.axis = {0, 0}};
		int32_t guess = (int32_t)(scree_random_bits(&r) % (uint32_t)s->faces);
		for (int k = 0; k < 2; ++k) compare(&a, &b, &guess, &t), compare_contacts(&a, &b, &kept);
	}
	CHECK(t.of[NEAR_LEFT] > t.asked / 16, "%lld found of %lld", (long long)t.of[NEAR_LEFT], (long long)t.asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_pairs),
		cmocka_unit_test(any_guess),
		cmocka_unit_test(barely_touching),
		cmocka_unit_test(faces_in_line),
	};
	return cmocka_run_group_tests(tests, start, end);
}
