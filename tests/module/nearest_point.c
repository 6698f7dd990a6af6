/* The point of a polyhedron in six dimensions that is nearest to the origin (papers/iglberger2009/nearest.c), compared
 * with a search over all sets of active constraints, including cases with dependent normals and empty polyhedra. Needs
 * SCREE_PAPERS. */
#include "test.h"

#include "papers/iglberger2009/nearest.h"

enum { MOST = 10 };

typedef struct problem {
	int32_t count;
	six normal[MOST];
	real offset[MOST];
} problem;

/* Solves matrix * x = right for n <= 6 by elimination; returns false if the matrix is singular. */
static bool solve(int n, real matrix[6][6], real right[6])
{
	for (int k = 0; k < n; ++k) {
		int pivot = k;
		for (int i = k + 1; i < n; ++i)
			if (real_abs(matrix[i][k]) > real_abs(matrix[pivot][k])) pivot = i;
		if (!(real_abs(matrix[pivot][k]) > 1e-9)) return false;
		for (int j = 0; j < n; ++j) {
			const real kept = matrix[k][j];
			matrix[k][j] = matrix[pivot][j], matrix[pivot][j] = kept;
		}
		const real kept = right[k];
		right[k] = right[pivot], right[pivot] = kept;
		for (int i = k + 1; i < n; ++i) {
			const real part = matrix[i][k] / matrix[k][k];
			for (int j = k; j < n; ++j) matrix[i][j] -= part * matrix[k][j];
			right[i] -= part * right[k];
		}
	}
	for (int k = n - 1; k >= 0; --k) {
		for (int j = k + 1; j < n; ++j) right[k] -= matrix[k][j] * right[j];
		right[k] /= matrix[k][k];
	}
	return true;
}

static bool inside(const problem *p, const six *x, real tolerance)
{
	for (int32_t k = 0; k < p->count; ++k)
		if (!(six_dot(p->normal + k, x) >= p->offset[k] - tolerance)) return false;
	return true;
}

/* Computes the point for which exactly these constraints are active, if it is the solution. */
static bool held_by(const problem *p, uint32_t set, six *x)
{
	int n = 0, of[6];
	real matrix[6][6], multiplier[6];
	for (int k = 0; k < p->count; ++k)
		if (set >> k & 1) of[n++] = k;
	for (int i = 0; i < n; ++i) {
		multiplier[i] = p->offset[of[i]];
		for (int j = 0; j < n; ++j) matrix[i][j] = six_dot(p->normal + of[i], p->normal + of[j]);
	}
	if (!solve(n, matrix, multiplier)) return false;
	*x = (six){{0}};
	for (int i = 0; i < n; ++i) {
		if (multiplier[i] < -1e-9) return false;
		six_add(x, multiplier[i], p->normal + of[i]);
	}
	return inside(p, x, 1e-8);
}

/* Finds the point by brute force, trying every set of at most six constraints. */
static bool oracle(const problem *p, six *x)
{
	for (uint32_t set = 0; set < (uint32_t)1 << p->count; ++set)
		if (__builtin_popcount(set) <= 6 && held_by(p, set, x)) return true;
	return false;
}

static real whole(random_stream *r, int most)
{
	const real x = scree_random_real(r) * (2 * most + 1);
	return (real)((int)x - most);
}

/* Components are small integers, so that dependent normals are exactly dependent. kind: 0 random, 1 in a
 * three-dimensional subspace, 2 pairs of opposite normals, 3 real numbers */
static problem draw(random_stream *r, int kind, int32_t count)
{
	problem p = {.count = count};
	for (int32_t k = 0; k < count; ++k) {
		six *a = p.normal + k;
		do
			for (int c = 0; c < 6; ++c) {
				a->at[c] = kind == 3 ? 2 * scree_random_real(r) - 1 : whole(r, 2);
				if (kind == 1 && c >= 3) a->at[c] = a->at[c - 3];
			}
		while (!(six_dot(a, a) > 0));
		p.offset[k] = kind == 3 ? 3 * scree_random_real(r) - 1 : whole(r, 2);
		if (kind != 2 || k % 2 == 0) continue;
		for (int c = 0; c < 6; ++c) a->at[c] = -p.normal[k - 1].at[c];
		if (k % 4 == 1) p.offset[k] = -p.offset[k - 1]; /* both together: a plane */
	}
	return p;
}

/* The point satisfies all constraints, with equality for those that have a multiplier, so it is the nearest one. */
static void is_nearest(const problem *p, const nearest_point *o)
{
	const real far = 1 + sqrt(six_dot(&o->at, &o->at));
	six sum = {{0}};
	CHECK(inside(p, &o->at, 1e-10 * far), "not inside, %g from the origin", far);
	for (int32_t j = 0; j < o->active; ++j) {
		CHECK(o->multiplier[j] >= 0, "multiplier %g", o->multiplier[j]);
		NEAR(six_dot(p->normal + o->of[j], &o->at), p->offset[o->of[j]], 1e-10 * far, "on its constraints");
		six_add(&sum, o->multiplier[j], p->normal + o->of[j]);
	}
	for (int c = 0; c < 6; ++c) NEAR(o->at.at[c], sum.at[c], 0, "sum of its multipliers");
}

static void compare(const problem *p, int64_t *found, int64_t *empty)
{
	six x;
	const bool exists = oracle(p, &x);
	const nearest_point o = scree_nearest_point(p->count, p->normal, p->offset);
	*(o.exists ? found : empty) += 1;
	if (o.exists) is_nearest(p, &o);
	/* cases in which elimination without scaling is too inaccurate */
	const bool far = o.exists && six_dot(&o.at, &o.at) > 1e4;
	CHECK(o.exists == exists || far, "%d constraints: %d", p->count, o.exists);
	for (int c = 0; c < 6 && exists && !far; ++c) NEAR(o.at.at[c], x.at[c], 1e-8, "point");
}

static void all_active_sets(void **state)
{
	(void)state;
	int64_t found[4] = {0}, empty[4] = {0};
	FOR_SEEDS(8000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const int kind = (int)(test_seed % 4);
		const int32_t count = 1 + (int32_t)(scree_random_real(&r) * 6);
		const problem p = draw(&r, kind, count);
		compare(&p, found + kind, empty + kind);
	}
	FOR_SEEDS(400)
	{
		random_stream r = scree_random_start(test_seed, 2);
		const problem p = draw(&r, (int)(test_seed % 4), MOST);
		compare(&p, found + test_seed % 4, empty + test_seed % 4);
	}
	for (int kind = 0; kind < 4; ++kind)
		CHECK(found[kind] * 100 > test_cases(8000) && empty[kind] * 2000 > test_cases(8000), "%d: %lld and %lld", kind,
			  (long long)found[kind], (long long)empty[kind]);
}

/* Contacts of a box with a floor: more constraints than can be independent, but one point satisfies them all. */
static void dependent_ones_agree(void **state)
{
	(void)state;
	enum { CONTACTS = 100 };
	six normal[CONTACTS];
	real offset[CONTACTS];
	for (int k = 0; k < CONTACTS; ++k) {
		const real x = k % 10 - 4.5, y = k / 10 - 4.5;
		normal[k] = (six){{0, 0, 1, y, -x, 0}};
		offset[k] = 3;
	}
	const nearest_point o = scree_nearest_point(CONTACTS, normal, offset);
	CHECK(o.exists && o.active <= 3, "%d active", o.active);
	for (int c = 0; c < 6; ++c) NEAR(o.at.at[c], c == 2 ? 3 : 0, 1e-12, "moves along the normal");
}

/* Two nearly opposite normals: the solution is far away, but still exact. */
static void nearly_opposite(void **state)
{
	(void)state;
	for (real angle = 0.1; angle > 1e-5; angle /= 10) {
		const six normal[2] = {{{1, 0, 0, 0, 0, 0}}, {{-1, angle, 0, 0, 0, 0}}};
		const real offset[2] = {1, 1};
		const nearest_point o = scree_nearest_point(2, normal, offset);
		CHECK(o.exists && o.active == 2, "%g: %d active", angle, o.active);
		NEAR(o.at.at[0], 1, 1e-9, "along");
		NEAR(o.at.at[1] * angle, 2, 1e-9, "across");
	}
	const six normal[2] = {{{1, 0, 0, 0, 0, 0}}, {{-1, 0, 0, 0, 0, 0}}};
	const real offset[2] = {1, 1}, none[2] = {-1, -1};
	CHECK(!scree_nearest_point(2, normal, offset).exists, "contradiction");
	CHECK(scree_nearest_point(2, normal, none).active == 0, "nothing to do");
	CHECK(scree_nearest_point(0, normal, none).exists, "no constraint");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_active_sets),
		cmocka_unit_test(dependent_ones_agree),
		cmocka_unit_test(nearly_opposite),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
