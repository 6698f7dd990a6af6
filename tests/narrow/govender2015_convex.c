/* Algorithm 1 of Govender, Wilke and Kok (2015), compared with the robust narrow phase and brute force; each of its
 * known defects is demonstrated by a test. Needs SCREE_PAPERS. */
#include "papers/govender2015/govender2015.h"

#include "narrow/solid/convex_solid.h"
#include "papers/govender2015/kernel/govender2015_pair.h"

#include "base/memory.h"
#include "wall_help.h"

static stage all;

static int make_shapes(void **state)
{
	(void)state;
	fail why;
	add_solids(&all);
	CHECK(scree_shapes_add_box(&all.shape, "bar", v3(4, 1, 1), &why) == SOLIDS, "%s", why.text);
	random_stream r = scree_random_start(9, 9);
	vec3 p[100];
	for (int k = 0; k < 100; ++k) {
		quat q = scree_random_rotation(&r);
		p[k] = mat3_mul(quat_matrix(q), v3(0.5, 0, 0));
	}
	CHECK(scree_shapes_add_hull(&all.shape, "round", 100, p, &why) == SOLIDS + 1, "%s", why.text);
	return 0;
}

static int free_shapes(void **state)
{
	(void)state;
	stage_clear(&all);
	return 0;
}

static patch seed_of(const placed *a, const placed *b)
{
	patch p;
	scree_govender2015_convex_convex(a, b, 0, &p);
	return p;
}

static patch robust_of(const placed *a, const placed *b)
{
	patch p;
	scree_convex_convex(a, b, 0, &p);
	return p;
}

static const quat UPRIGHT = {1, 0, 0, 0};

/* ------------------------------------------------------------------ eqs (2)-(5) */

/* smallest distance between points of the two lines, by nested search on a convex function */
static real distance_at(vec3 a0, vec3 u, vec3 b0, vec3 w, real a)
{
	vec3 p = v3_madd(a0, a, u), r = v3_sub(p, b0);
	return v3_norm(v3_madd(r, -v3_dot(r, w) / v3_norm2(w), w));
}

static real least_distance(vec3 a0, vec3 u, vec3 b0, vec3 w, real low, real high)
{
	for (int k = 0; k < 200; ++k) {
		real x = low + (high - low) / 3, y = high - (high - low) / 3;
		if (distance_at(a0, u, b0, w, x) < distance_at(a0, u, b0, w, y))
			high = y;
		else
			low = x;
	}
	return distance_at(a0, u, b0, w, low);
}

static void closest_points_of_edges(void **state)
{
	(void)state;
	int64_t skipped = 0;
	FOR_SEEDS(100000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		vec3 a0 = random_in(&r, 1), u = random_in(&r, 1), b0 = random_in(&r, 1), w = random_in(&r, 1);
		/* one pair in four is nearly parallel, at angles that decrease from 1 to 1e-9 */
		real angle = 1;
		if (test_seed % 4 == 0) {
			for (int k = 0; k < (int)(test_seed / 4 % 10); ++k) angle /= 10;
			w = v3_madd(u, angle, w);
		}
		real a, b;
		if (!govender2015_closest(a0, u, b0, w, &a, &b)) {
			++skipped;
			continue;
		}
		vec3 p = v3_madd(a0, a, u), q = v3_madd(b0, b, w), d = v3_sub(p, q);
		real sine = v3_norm(v3_cross(u, w)) / (v3_norm(u) * v3_norm(w)), far = 1 + v3_norm(p);
		NEAR(v3_dot(d, u), 0, 1e-12 * far / sine, "the way between the points is square to the first");
		NEAR(v3_dot(d, w), 0, 1e-12 * far / sine, "the way between the points is square to the second");
		if (test_seed % 50 == 0 && sine > 1e-3)
			NEAR(v3_norm(d), least_distance(a0, u, b0, w, a - 1, a + 1), 1e-7, "least distance");
	}
	CHECK(skipped < 100, "%lld pairs were called parallel", (long long)skipped);
	real a, b;
	CHECK(!govender2015_closest(v3(0, 0, 0), v3(1, 2, 3), v3(0, 1, 0), v3(2, 4, 6), &a, &b), "parallel");
	/* the test is relative, so the lengths of the edges do not matter */
	CHECK(govender2015_closest(v3(0, 0, 0), v3(1e-12, 0, 0), v3(0, 0, 1), v3(0, 1e-12, 0), &a, &b),
		  "short, not parallel");
}

/* ------------------------------------------------------------------ verdicts */

typedef struct counts {
	int64_t both, none, edges;
	int64_t invented; /* number of contacts between separate bodies, if the algorithm is used as printed */
	real deepest;	  /* depth of the deepest of these contacts */
} counts;

static placed near_body(random_stream *r, const placed *a, int32_t row)
{
	placed b = place_random(&all, row, r, 1, 0.5, 1.5);
	vec3 way = v3_unit(b.at);
	real touch = a->size * a->shape->radius + b.size * b.shape->radius;
	b.at = v3_madd(a->at, touch * scree_random_between(r, 0.6, 1), way);
	return b;
}

static void check_contact(const placed *a, const placed *b, const patch *p)
{
	real reach = a->size * a->shape->radius;
	NEAR(v3_norm(p->normal), 1, 1e-12, "length of the normal");
	CHECK(p->points == 1 && p->weight[0] == 1 && p->deep[0] == p->depth && p->depth > 0, "one point");
	CHECK(v3_norm(p->at[0]) < 1.01 * reach + p->depth, "the point is out of reach");
	CHECK(v3_norm(v3_sub(v3_add(a->at, p->at[0]), b->at)) < 1.01 * b->size * b->shape->radius + p->depth, "of b too");
}

/* The verdict is correct: a contact if there is an overlap, and otherwise none. As printed, without the separating
 * planes of edges, no contact is missed, but 1.4 % of the separate pairs have a contact. */
static void verdict_beside_the_robust_one(void **state)
{
	(void)state;
	counts n = {0};
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		placed a = place_random(&all, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.5);
		placed b = near_body(&r, &a, (int32_t)(test_seed / SOLIDS % SOLIDS));
		patch p = seed_of(&a, &b), q = robust_of(&a, &b), printed;
		scree_govender2015_convex_convex_printed(&a, &b, 0, &printed);
		if (p.points) check_contact(&a, &b, &p);
		n.edges += p.points && -p.axis > a.shape->faces + b.shape->faces;
		n.both += p.points && q.points;
		n.none += !p.points && !q.points;
		n.invented += printed.points && !q.points;
		if (printed.points && !q.points) n.deepest = real_max(n.deepest, printed.depth);
		CHECK(!p.points == !q.points || real_abs(q.depth) < 1e-9, "verdicts differ at an overlap of %g", q.depth);
		CHECK(p.points == printed.points || (printed.points && !p.points), "as printed a contact is missed");
		if (!p.points) CHECK(-p.depth <= 1e-12 || !q.points, "%g apart, yet in contact", -p.depth);
	}
	print_message(
		"%lld pairs in contact, %lld of them by edges; %lld apart, and as printed %lld of these have a contact, "
		"at most %g deep\n",
		(long long)n.both, (long long)n.edges, (long long)n.none, (long long)n.invented, n.deepest);
	int64_t cases = test_cases(20000);
	CHECK(n.both > cases / 10 && n.none > cases / 10 && n.edges > cases / 100, "the cases are no mixture");
	real part = (real)n.invented / (real)n.none;
	CHECK(part > 0.009 && part < 0.02, "as printed %g of the pairs that are apart have a contact", part);
}

/* ------------------------------------------------------------------ symmetries */

static void exchanged(void **state)
{
	(void)state;
	int64_t one_sided = 0, two_sided = 0;
	FOR_SEEDS(10000)
	{
		random_stream r = scree_random_start(test_seed, 3);
		placed a = place_random(&all, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.5);
		placed b = near_body(&r, &a, (int32_t)(test_seed / SOLIDS % SOLIDS));
		patch p = seed_of(&a, &b), q = seed_of(&b, &a);
		CHECK(!p.points == !q.points, "contact one way round alone");
		if (!p.points) continue;
		vec3 at = v3_add(a.at, p.at[0]), there = v3_add(b.at, q.at[0]);
		bool same = real_abs(p.depth - q.depth) < 1e-9 && v3_norm(v3_add(p.normal, q.normal)) < 1e-6 &&
					v3_norm(v3_sub(at, there)) < 1e-9;
		/* each body contains vertices of the other, but only vertices of the first body count */
		int32_t faces = a.shape->faces, p_of_b = -p.axis > faces, q_of_a = -q.axis > b.shape->faces;
		bool edge = -p.axis > faces + b.shape->faces;
		if (edge || p_of_b != q_of_a)
			CHECK(same, "another contact when exchanged: depths %g, %g", p.depth, q.depth);
		else
			same ? 0 : ++two_sided;
		one_sided += same;
	}
	int64_t cases = test_cases(10000);
	CHECK(one_sided > cases / 10 && two_sided > cases / 1000, "%lld, %lld", (long long)one_sided, (long long)two_sided);
}

static placed moved(const placed *a, quat turn, vec3 by)
{
	mat3 m = quat_matrix(turn);
	placed p = *a;
	p.at = v3_add(mat3_mul(m, a->at), by);
	p.turn = (mat3){mat3_mul(m, a->turn.x), mat3_mul(m, a->turn.y), mat3_mul(m, a->turn.z)};
	return p;
}

static void moved_together(void **state)
{
	(void)state;
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 4);
		placed a = place_random(&all, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.5);
		placed b = near_body(&r, &a, (int32_t)(test_seed / SOLIDS % SOLIDS));
		quat turn = scree_random_rotation(&r);
		vec3 by = random_in(&r, 5);
		placed c = moved(&a, turn, by), d = moved(&b, turn, by);
		patch p = seed_of(&a, &b), q = seed_of(&c, &d);
		if (p.points != q.points) {
			CHECK(real_abs(p.depth) < 1e-9 && real_abs(q.depth) < 1e-9, "contact depends on the frame");
			continue;
		}
		if (!p.points) continue;
		NEAR(p.depth, q.depth, 1e-9, "overlap");
		NEAR(v3_norm(v3_sub(mat3_mul(quat_matrix(turn), p.at[0]), q.at[0])), 0, 1e-8, "point");
	}
}

/* The limit of 32 features is due to the size of the authors' constant memory. */
static void a_hundred_corners(void **state)
{
	(void)state;
	const shape *s = all.shape.row + SOLIDS + 1;
	CHECK(s->vertices == 100 && s->faces > 100, "%d vertices, %d faces", s->vertices, s->faces);
	FOR_SEEDS(50)
	{
		random_stream r = scree_random_start(test_seed, 5);
		placed a = place_random(&all, SOLIDS + 1, &r, 1, 1, 1), b = near_body(&r, &a, SOLIDS + 1);
		patch p = seed_of(&a, &b), q = robust_of(&a, &b);
		CHECK(!q.points || p.points || q.depth < 0.01, "overlap %g of two round bodies missed", q.depth);
		if (p.points) check_contact(&a, &b, &p);
	}
}

/* ------------------------------------------------------------------ defects */

/* Two bars that cross like a plus sign: no vertex is inside the other bar, and only one of four edge crossings is used.
 */
static void defect_plus(void **state)
{
	(void)state;
	placed a = place(&all, SOLIDS, v3(0, 0, 0.9), UPRIGHT, 1);
	placed b = place(&all, SOLIDS, v3(0, 0, 0), turn_about(v3(0, 0, 1), SCREE_PI / 2), 1);
	patch p = seed_of(&a, &b), q = robust_of(&a, &b);
	vec3 mean = v3(0, 0, 0);
	for (int32_t i = 0; i < q.points; ++i) mean = v3_madd(mean, q.weight[i], q.at[i]);
	NEAR(q.depth, 0.1, 1e-12, "overlap, robust");
	NEAR(v3_norm(v3(mean.x, mean.y, 0)), 0, 1e-12, "the robust one presses in the middle");
	NEAR(p.depth, 0.1, 1e-12, "overlap, as printed");
	NEAR(real_abs(p.at[0].x), 0.5, 1e-12, "as printed: at a corner of the square");
	NEAR(real_abs(p.at[0].y), 0.5, 1e-12, "as printed: at a corner of the square");
}

/* One cube overlaps half of another: each has two vertices inside the other, but two of these four are not used. */
static void defect_half_of_the_manifold(void **state)
{
	(void)state;
	placed a = place(&all, 0, v3(0.5, 0.02, 0.95), turn_about(v3(0, 1, 0), 0.01), 1);
	placed b = place(&all, 0, v3(0, 0, 0), UPRIGHT, 1);
	patch p = seed_of(&a, &b), q = seed_of(&b, &a);
	CHECK(p.points && q.points, "contact");
	/* in one order, the point is on the border of the first body; in the other order, on the border of the second */
	real between = v3_norm(v3_sub(v3_add(a.at, p.at[0]), v3_add(b.at, q.at[0])));
	CHECK(between > 0.4, "the order of the bodies moves the point by %g only", between);
}

/* A cube slides over a border: when two vertices pass it, the mean point jumps, and so does the torque. */
static void defect_couple_jumps(void **state)
{
	(void)state;
	placed b = place(&all, 0, v3(0, 0, 0), UPRIGHT, 2);
	real jump = 0, robust_jump = 0;
	vec3 before = {0, 0, 0}, robust_before = {0, 0, 0};
	for (int k = 0; k <= 200; ++k) {
		placed a = place(&all, 0, v3(0.4 + 0.001 * k, 0.01, 1.45), UPRIGHT, 1);
		patch p = seed_of(&a, &b), q = robust_of(&a, &b);
		vec3 mean = v3(0, 0, 0);
		for (int32_t i = 0; i < q.points; ++i) mean = v3_madd(mean, q.weight[i], q.at[i]);
		CHECK(p.points && q.points, "contact");
		if (k) {
			jump = real_max(jump, v3_norm(v3_sub(p.at[0], before)));
			robust_jump = real_max(robust_jump, v3_norm(v3_sub(mean, robust_before)));
		}
		before = p.at[0];
		robust_before = mean;
	}
	CHECK(jump > 0.4, "as printed the point jumps by %g", jump);
	CHECK(robust_jump < 0.01, "the robust one's moves by %g", robust_jump);
}

/* The nearest pair of edges is used, even if it is not the shortest way out. */
static void defect_far_edges(void **state)
{
	(void)state;
	int64_t edges = 0, other = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 6);
		placed a = place_random(&all, 1, &r, 1, 0.9, 1.1), b = near_body(&r, &a, 1);
		patch p = seed_of(&a, &b), q = robust_of(&a, &b);
		if (!p.points || !q.points || -p.axis <= 8) continue;
		++edges;
		other += real_abs(p.depth - q.depth) > 0.1 * q.depth;
	}
	print_message("%lld of %lld contacts by edges: not the way out by 10 %%\n", (long long)other, (long long)edges);
	CHECK(other > 0 && edges > other, "%lld of %lld", (long long)other, (long long)edges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closest_points_of_edges),
		cmocka_unit_test(verdict_beside_the_robust_one),
		cmocka_unit_test(exchanged),
		cmocka_unit_test(moved_together),
		cmocka_unit_test(a_hundred_corners),
		cmocka_unit_test(defect_plus),
		cmocka_unit_test(defect_half_of_the_manifold),
		cmocka_unit_test(defect_couple_jumps),
		cmocka_unit_test(defect_far_edges),
	};
	return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
