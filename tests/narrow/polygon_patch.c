/* Patches of polygons: the smallest penetration over all edges, whatever the hint; squares that rest flat on each
 * other; and overlaps that change without jumps. */
#include "polygon_help.h"

#include "narrow/polygon/pair.h"
#include "narrow/polygon/patch.h"

static patch found, other;

static void patch_of(const flat_placed *a, const flat_placed *b, int32_t hint, patch *out)
{
	placed pa = as_body(a), pb = as_body(b);
	scree_polygon_patch(&pa, &pb, hint, out);
}

/* conditions that each patch must satisfy */
static void check_patch(const flat_placed *a, const flat_placed *b, const patch *p)
{
	real size = a->size + b->size, sum = 0, deepest = 0;
	real reach = a->size * a->shape->radius + b->size * b->shape->radius;
	NEAR(v3_norm(p->normal), 1, 1e-14, "unit normal");
	CHECK(p->points >= 1 && p->points <= PATCH_POINTS && p->pitch == 0, "%d points", p->points);
	for (int32_t k = 0; k < p->points; ++k) {
		CHECK(p->weight[k] >= 0 && p->deep[k] >= 0, "weight %g, overlap %g", p->weight[k], p->deep[k]);
		CHECK(v3_norm(p->at[k]) <= reach && p->at[k].z == 0, "a point far off");
		sum += p->weight[k];
		deepest = real_max(deepest, p->deep[k]);
	}
	NEAR(sum, 1, 1e-13, "sum of the weights");
	CHECK(deepest <= p->depth + 1e-13 * size, "a point is deeper than the contact: %g %g", deepest, p->depth);
	if (p->points <= PATCH_POINTS / 2) NEAR(deepest, p->depth, 1e-13 * size, "the deepest point");
}

static bool same_patch(const patch *x, const patch *y)
{
	size_t n = (size_t)x->points;
	return x->points == y->points && memcmp(&x->normal, &y->normal, sizeof x->normal) == 0 &&
		   (!n || memcmp(&x->depth, &y->depth, sizeof x->depth) == 0) && memcmp(x->at, y->at, n * sizeof *x->at) == 0 &&
		   memcmp(x->deep, y->deep, n * sizeof *x->deep) == 0 &&
		   memcmp(x->weight, y->weight, n * sizeof *x->weight) == 0;
}

static void least_penetration_of_all_edges(void **state)
{
	(void)state;
	int64_t touching = 0, cases = test_cases(20000);
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 7);
		flat_placed a, b;
		random_pair(&all, &r, test_seed % 5 ? 0.6 : 0, 1.1, &a, &b);
		if (test_seed % 16 == 0) { /* edges in line */
			b = a;
			b.x += 0.3 * a.c, b.y += 0.3 * a.s;
		}
		found.normal = other.normal = v3(0, 0, 0);
		patch_of(&a, &b, 0, &found);
		ring ra, rb;
		ring_of(&a, &ra);
		ring_of(&b, &rb);
		real s = separation(&ra, &rb), size = a.size + b.size;
		if (real_abs(s) > 1e-11) CHECK((found.points > 0) == (s < 0), "separation %g, %d points", s, found.points);
		if (found.points) {
			NEAR(found.depth, -s, 1e-14 * size, "least penetration");
			check_patch(&a, &b, &found);
		} else if (s > 0) {
			real d = distance_of(&ra, &rb);
			CHECK(-found.depth >= 0 && -found.depth <= d, "%g is no lower bound of %g", -found.depth, d);
		}
		touching += found.points > 0;
		for (int32_t k = 0; k < 5; ++k) {
			int32_t hint = features_pack((int32_t)(scree_random_bits(&r) % (uint32_t)(2 * a.shape->corners)),
										 (int32_t)(scree_random_bits(&r) % (uint32_t)(2 * b.shape->corners)));
			patch_of(&a, &b, k ? hint : found.axis, &other);
			CHECK(same_patch(&found, &other), "hint %d changes the patch: depth %.17g %.17g", hint, found.depth,
				  other.depth);
		}
	}
	print_message("%lld of %lld pairs touch\n", (long long)touching, (long long)cases);
	CHECK(touching > cases / 3 && touching < cases, "the cases are no mixture");
}

/* Two squares of side w: there are two points with the same overlap, at the ends of the overlap of their sides. */
static void squares_lie_flat(void **state)
{
	(void)state;
	const shape *q = all.row + scree_shapes_find(&all, "regular4");
	real w = sqrt(0.5);
	static const real aside[] = {0, 0.1, -0.3};
	for (int32_t k = 0; k < 3; ++k) {
		flat_placed a = place_flat(q, 0, 0, 0, 1), b = place_flat(q, aside[k], 0.01 - w, 0, 1);
		patch_of(&a, &b, 0, &found);
		CHECK(found.points == 2, "%d points", found.points);
		NEAR(found.normal.x, 0, 0, "normal");
		NEAR(found.normal.y, 1, 0, "normal from b to a");
		real low = real_min(found.at[0].x, found.at[1].x), high = real_max(found.at[0].x, found.at[1].x);
		NEAR(low, real_max(-w / 2, aside[k] - w / 2), 1e-15, "left end");
		NEAR(high, real_min(w / 2, aside[k] + w / 2), 1e-15, "right end");
		for (int32_t i = 0; i < 2; ++i) {
			NEAR(found.deep[i], 0.01, 1e-15, "overlap");
			NEAR(found.weight[i], 0.5, 1e-15, "weight");
			NEAR(found.at[i].y, 0.005 - w / 2, 1e-15, "midway");
		}
	}
	/* a square on its corner: the mean overlap of a triangle is half of its height */
	flat_placed a = place_flat(q, 0, 0, 0, 1), b = place_flat(q, 0.1, w / 2 + 0.5 - 0.02, SCREE_PI / 4, 1);
	patch_of(&a, &b, 0, &found);
	real mean = 0, moment = 0;
	for (int32_t i = 0; i < found.points; ++i)
		mean += found.weight[i] * found.deep[i], moment += found.weight[i] * found.deep[i] * found.at[i].x;
	NEAR(found.depth, 0.02, 1e-15, "overlap of a corner");
	NEAR(mean, 0.01, 1e-15, "mean overlap of a corner");
	NEAR(moment / mean, 0.1, 1e-14, "below the corner");
}

typedef struct motion {
	flat_placed a, b;
	real vx, vy, spin, angle;
} motion;

/* mean overlap and its moment about a's centre, measured along the normal */
typedef struct sums {
	real mean, moment;
	vec3 normal;
	bool touching;
} sums;

static sums sums_at(const motion *m, real t)
{
	flat_placed b = place_flat(all.row, m->b.x + t * m->vx, m->b.y + t * m->vy, m->angle + t * m->spin, m->b.size);
	b.shape = m->b.shape;
	patch_of(&m->a, &b, 0, &found);
	sums s = {0, 0, found.normal, found.points > 0};
	for (int32_t k = 0; k < found.points; ++k) {
		real f = found.weight[k] * found.deep[k];
		s.mean += f;
		s.moment += f * (found.at[k].x * found.normal.y - found.at[k].y * found.normal.x);
	}
	return s;
}

static real jump(const sums *x, const sums *y)
{
	return real_max(real_abs(x->mean - y->mean), real_abs(x->moment - y->moment));
}

/* Along random motions, wherever the sums change a lot, the step is halved until either the change proves to be
 * continuous or another edge has taken over. */
static void overlaps_do_not_jump(void **state)
{
	(void)state;
	int64_t halved = 0, other_edge = 0;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 8);
		motion m;
		random_pair(&all, &r, 0.6, 0.9, &m.a, &m.b);
		m.vx = scree_random_between(&r, -0.3, 0.3);
		m.vy = scree_random_between(&r, -0.3, 0.3);
		m.spin = scree_random_between(&r, -1, 1);
		m.angle = scree_random_between(&r, -3, 3);
		enum { STEPS = 200 };
		sums last = sums_at(&m, 0);
		for (int32_t k = 1; k <= STEPS; ++k) {
			real t0 = (k - 1) / (real)STEPS, t1 = k / (real)STEPS;
			sums s0 = last, s1 = sums_at(&m, t1);
			last = s1;
			while (jump(&s0, &s1) > 1e-3 && t1 - t0 > 1e-11) {
				++halved;
				real mid = (t0 + t1) / 2;
				sums s = sums_at(&m, mid);
				if (jump(&s0, &s) > jump(&s, &s1))
					t1 = mid, s1 = s;
				else
					t0 = mid, s0 = s;
			}
			if (!(jump(&s0, &s1) > 1e-3)) continue;
			bool same = s0.touching == s1.touching && v3_dot(s0.normal, s1.normal) > 1 - 1e-12;
			CHECK(!same, "at %.17g: mean overlap %g to %g, moment %g to %g", t0, s0.mean, s1.mean, s0.moment,
				  s1.moment);
			++other_edge;
		}
	}
	print_message("%lld steps halved; another edge took over %lld times with a change of more than 1e-3\n",
				  (long long)halved, (long long)other_edge);
	CHECK(halved > 100, "nothing was tried");
}

/* after swapping the bodies, the normal, depth and mean are the same up to sign */
static void exchanged(void **state)
{
	(void)state;
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 9);
		flat_placed a, b;
		random_pair(&all, &r, 0.7, 1, &a, &b);
		patch_of(&a, &b, 0, &found);
		flat_placed c = b, d = a;
		c.x = c.y = 0;
		d.x = -b.x, d.y = -b.y;
		patch_of(&c, &d, 0, &other);
		CHECK((found.points > 0) == (other.points > 0), "%d and %d points", found.points, other.points);
		if (!found.points) continue;
		NEAR(other.depth, found.depth, 1e-14, "depth");
		if (v3_norm(v3_add(found.normal, other.normal)) > 1e-12) continue; /* two edges tie */
		real x = 0, y = 0;
		for (int32_t k = 0; k < found.points; ++k) x += found.weight[k] * found.deep[k];
		for (int32_t k = 0; k < other.points; ++k) y += other.weight[k] * other.deep[k];
		NEAR(x, y, 1e-12, "mean overlap");
	}
}

/* ------------------------------------------------------------------ many at once */

static polygon_patches block;
static placed first[TRACKED_PAIRS], second[TRACKED_PAIRS];

/* item i of the block as a patch in the form used by a step */
static void patch_at(int32_t i, patch *out)
{
	out->points = 0;
	out->normal = v3(block.nx[i], block.ny[i], 0);
	out->depth = block.depth[i];
	for (int32_t n = TRACKED_MIDDLE - (int32_t)block.left[i]; n <= TRACKED_MIDDLE + (int32_t)block.right[i]; ++n) {
		int32_t k = out->points++;
		out->at[k] = v3(block.x[n][i], block.y[n][i], 0);
		out->deep[k] = block.deep[n][i];
		out->weight[k] = block.weight[n][i];
	}
}

/* checks the patches of the block that are still valid: each is bitwise equal to a patch computed individually, keeps
 * its hint, and has its deepest point */
static int32_t check_block(void)
{
	int32_t held = 0;
	scree_polygon_patches(&block);
	for (int32_t i = 0; i < block.count; ++i) {
		if (!(block.holds[i] > 0)) continue;
		int32_t hint = (int32_t)block.row[i], deepest = 0;
		scree_polygon_patch(first + i, second + i, hint, &found);
		patch_at(i, &other);
		CHECK(found.points > 0 && same_patch(&found, &other), "a block changes the patch: %d and %d points",
			  found.points, other.points);
		CHECK(found.axis == hint, "hint %d is %d for one alone", hint, found.axis);
		for (int32_t k = 1; k < other.points; ++k)
			if (other.deep[k] > other.deep[deepest]) deepest = k;
		CHECK(block.deepest_x[i] == other.at[deepest].x && block.deepest_y[i] == other.at[deepest].y,
			  "the deepest point");
		++held;
	}
	block.count = 0;
	return held;
}

static void add_to_block(const flat_placed *a, const flat_placed *b, int32_t hint, int64_t *added, int64_t *held)
{
	placed pa = as_body(a), pb = as_body(b);
	polygon_pose qa = polygon_pose_of(&pa), qb = polygon_pose_of(&pb);
	real shift = hint % 2 ? 8 : 0; /* treats b as a periodic image */
	qa.x += 3, qa.y -= 2;
	qb.x += 3 - shift, qb.y += shift - 2;
	pb.at.x = qb.x - qa.x + shift, pb.at.y = qb.y - qa.y - shift;
	first[block.count] = pa;
	second[block.count] = pb;
	*added += scree_polygon_patches_add(&block, hint, &qa, &qb, shift, -shift, hint);
	if (block.count == TRACKED_PAIRS) *held += check_block();
}

/* Shallow contacts, with features from a nearby pose, most of which are valid, and with random features, most of which
 * are not. */
static void blocks_of_pairs(void **state)
{
	(void)state;
	int64_t tracked = 0, held = 0, any = 0, any_held = 0;
	block.count = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 11);
		flat_placed a, b;
		if (test_seed % 4 == 0)
			lattice_pair(&all, &r, &a, &b);
		else
			random_pair(&all, &r, 0.3, 1, &a, &b);
		patch_of(&a, &b, 0, &found);
		if (!found.points) continue;
		real out = found.depth - (a.size + b.size) * 0.01 * scree_random_between(&r, 1e-6, 1);
		if (test_seed % 8) b.x -= out * found.normal.x, b.y -= out * found.normal.y;
		patch_of(&a, &b, 0, &found);
		b.x += 1e-4 * scree_random_between(&r, -1, 1), b.y += 1e-4 * scree_random_between(&r, -1, 1);
		if (found.points) add_to_block(&a, &b, found.axis, &tracked, &held);
	}
	held += check_block();
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 12);
		flat_placed a, b;
		random_pair(&all, &r, 0.3, 1, &a, &b);
		int32_t corner = (int32_t)(scree_random_bits(&r) % (uint32_t)a.shape->corners),
				edge = (int32_t)(scree_random_bits(&r) % (uint32_t)b.shape->corners);
		bool swapped = scree_random_bits(&r) & 1;
		add_to_block(&a, &b, features_pack(2 * corner + swapped, 2 * edge + !swapped), &any, &any_held);
	}
	any_held += check_block();
	print_message("%lld of %lld tracked contacts hold, %lld of %lld with any features\n", (long long)held,
				  (long long)tracked, (long long)any_held, (long long)any);
	CHECK(held > tracked / 4 && held < tracked, "the cases are no mixture");
	CHECK(any_held < any / 10, "features that are wrong hold");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(least_penetration_of_all_edges),
		cmocka_unit_test(squares_lie_flat),
		cmocka_unit_test(overlaps_do_not_jump),
		cmocka_unit_test(exchanged),
		cmocka_unit_test(blocks_of_pairs),
	};
	return cmocka_run_group_tests_name("polygon_patch", tests, make_shapes, free_shapes);
}
