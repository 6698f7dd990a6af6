/* Polyhedra at folds of a mesh: two faces that meet at any angle have a common energy, which is continuous in the
 * angle and has force and torque as its derivatives, and a two-sided wall gives the same result on its outside as a
 * one-sided wall. */
#include "overlap_help.h"

/* angles in degrees; negative angles are ridges */
static const real ANGLE[] = {-170, -135, -90, -60, -30, -10, -1, -1e-4, 0, 1e-4, 1, 10, 30, 60, 89, 135, 170};
enum { ANGLES = sizeof ANGLE / sizeof *ANGLE };

typedef void meet_fn(const placed *body, const near_wall *to, touch_list *out);
static meet_fn *const MEET[2] = {scree_overlap_convex_wall, scree_thickness_convex_wall};

/* The face x < 0 of z = 0, and the face x > 0 rotated up by the angle about the y axis, each divided into triangles by
 * points on the fold and next to it. */
static int32_t add_fold(stage *s, real degrees, bool two_sided, bool turned_over)
{
	fail why;
	real up, along;
	scree_sincos(degrees * (SCREE_PI / 180), &up, &along);
	vec3 v[9];
	const real y[3] = {-4, 0.13, 4};
	for (int k = 0; k < 3; ++k) {
		v[3 * k] = v3(-5, y[k], 0);
		v[3 * k + 1] = v3(0, y[k], 0);
		v[3 * k + 2] = v3(5 * along, y[k], 5 * up);
	}
	int32_t t[24] = {0, 1, 4, 0, 4, 3, 3, 4, 6, 4, 7, 6, 1, 2, 4, 2, 5, 4, 4, 5, 8, 4, 8, 7};
	for (int k = 0; turned_over && k < 24; k += 3) {
		const int32_t swap = t[k + 1];
		t[k + 1] = t[k + 2];
		t[k + 2] = swap;
	}
	wall w = scree_wall_default("fold", 0);
	w.two_sided = two_sided;
	const int32_t row = scree_walls_add_mesh(&s->wall, w, 9, v, 8, t, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

typedef struct fold_case {
	stage *s;
	meet_fn *meet;
	int32_t row;
} fold_case;

static pull fold_pull(const fold_case *f, const placed *body)
{
	const int32_t n = all_facets(f->s, f->row);
	touch_list *l = &f->s->list;
	pull sum = {0, {0, 0, 0}, {0, 0, 0}};
	f->meet(body, &(near_wall){&f->s->wall, f->row, n, f->s->all}, l);
	for (int32_t i = 0; i < l->count; ++i) {
		const touch *t = l->item + i;
		const real weight = l->weight[t->first];
		const vec3 push = v3_mul(weight * t->depth, t->normal);
		sum.value += weight * t->depth * t->depth / 2;
		sum.force = v3_add(sum.force, push);
		sum.torque = v3_add(sum.torque, v3_madd(v3_cross(l->at[t->first], push), t->pitch, push));
	}
	return sum;
}

static real fold_energy(const void *what, const placed *a) { return fold_pull(what, a).value; }

static real height(const placed *a, real degrees)
{
	real up, along;
	scree_sincos(degrees * (SCREE_PI / 180), &up, &along);
	return v3_dot(v3(-up, 0, along), a->at);
}

/* A body near the fold, in front of both faces of a valley or of one face of a ridge. */
static bool before_fold(stage *s, random_stream *r, real degrees, placed *a)
{
	*a = place_random(s, (int32_t)(test_seed % SOLIDS), r, 1.2, 0.5, 1.5);
	const real first = a->at.z, second = height(a, degrees);
	const real from = degrees > 0 ? real_min(first, second) : real_max(first, second);
	const real radius = a->size * a->shape->radius;
	return from > 0.3 * radius && from < radius;
}

static void forces_are_slopes(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int64_t touching = 0, bent = 0;
	real worst = 0;
	for (int k = 0; k < ANGLES; ++k) {
		const int32_t row = add_fold(&s, ANGLE[k], false, false);
		FOR_SEEDS(1000)
		{
			random_stream r = scree_random_start(test_seed, 31 + k);
			placed a;
			if (!before_fold(&s, &r, ANGLE[k], &a)) continue;
			for (int m = 0; m < 2; ++m) {
				const fold_case f = {&s, MEET[m], row};
				const pull p = fold_pull(&f, &a);
				if (!(p.value > 0)) continue;
				const real error = slopes(&f, fold_energy, &a, &p);
				CHECK(error < 1e-4, "angle %g, law %d: off by %g", ANGLE[k], m, error);
				worst = real_max(worst, error);
				++touching;
				bent += error > 1e-7;
			}
		}
	}
	printf("%lld touch; greatest error %.2g, above 1e-7 in %lld\n", (long long)touching, worst, (long long)bent);
	CHECK(touching > test_cases(1000) && bent < touching / 100, "%lld touch, %lld bend", (long long)touching,
		  (long long)bent);
	stage_clear(&s);
}

/* On its outside, the wall gives the same result if it is one-sided, two-sided, or has reversed triangles. */
static void sides_are_alike(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int64_t touching = 0;
	for (int k = 0; k < ANGLES; ++k) {
		const int32_t row[3] = {add_fold(&s, ANGLE[k], false, false), add_fold(&s, ANGLE[k], true, false),
								add_fold(&s, ANGLE[k], true, true)};
		FOR_SEEDS(1000)
		{
			random_stream r = scree_random_start(test_seed, 61 + k);
			placed a;
			if (!before_fold(&s, &r, ANGLE[k], &a)) continue;
			for (int m = 0; m < 2; ++m) {
				pull p[3];
				for (int i = 0; i < 3; ++i) p[i] = fold_pull(&(fold_case){&s, MEET[m], row[i]}, &a);
				touching += p[0].value > 0;
				for (int i = 1; i < 3; ++i) {
					NEAR(p[i].value, p[0].value, 1e-9, "energy");
					NEAR(v3_norm(v3_sub(p[i].force, p[0].force)), 0, 1e-9, "force");
				}
			}
		}
	}
	CHECK(touching > test_cases(1000), "%lld touch", (long long)touching);
	stage_clear(&s);
}

/* A result as a function of one variable. */
typedef pull along_fn(void *what, real at);

/* Largest change between neighbouring positions, out of `steps`, after the distance between them has been bisected to
 * a millionth, so that only a jump remains. most: largest force */
static real jump_along(void *what, along_fn *f, real from, real to, int steps, real *most)
{
	const real step = (to - from) / steps;
	real greatest = -1, low = from;
	pull p = f(what, from);
	*most = v3_norm(p.force);
	for (int k = 1; k <= steps; ++k) {
		const pull q = f(what, from + k * step);
		const real change = v3_norm(v3_sub(q.force, p.force));
		if (change > greatest) greatest = change, low = from + (k - 1) * step;
		*most = real_max(*most, v3_norm(q.force));
		p = q;
	}
	for (real width = step / 2; width > step * 1e-6; width /= 2) {
		const pull here = f(what, low), middle = f(what, low + width), there = f(what, low + 2 * width);
		const real first = v3_norm(v3_sub(middle.force, here.force)),
				   second = v3_norm(v3_sub(there.force, middle.force));
		greatest = real_max(first, second);
		if (second > first) low += width;
	}
	return greatest;
}

typedef struct turning {
	stage s;
	meet_fn *meet;
	const placed *body;
} turning;

static pull at_angle(void *what, real degrees)
{
	turning *t = what;
	scree_walls_free(&t->s.wall);
	const int32_t row = add_fold(&t->s, degrees, false, false);
	return fold_pull(&(fold_case){&t->s, t->meet, row}, t->body);
}

/* The angle increases from -170 degrees until the face is near the body's centre. On either side of 0, the fold is
 * nearly a plane, and an angle of a millionth of a degree changes the results only in proportion to the angle. */
static void forces_are_continuous_in_the_angle(void **state)
{
	(void)state;
	turning t = {0};
	add_solids(&t.s);
	int64_t tried = 0;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 91);
		placed a;
		if (!before_fold(&t.s, &r, 0, &a)) continue;
		const real radius = a.size * a.shape->radius;
		real last = 0;
		while (last < 90 && height(&a, last + 1) > 0.3 * radius) last += 1;
		t.body = &a;
		for (int m = 0; m < 2; ++m) {
			t.meet = MEET[m];
			real most;
			const real jump = jump_along(&t, at_angle, -170, last, 200, &most);
			CHECK(jump <= 1e-4 * most, "law %d: the force jumps by %g of %g", m, jump, most);
			const pull flat = at_angle(&t, 0);
			for (real beside = -1e-6; beside < 2e-6; beside += 2e-6) {
				const pull q = at_angle(&t, beside);
				NEAR(q.value, flat.value, 1e-7, "energy beside 0 degrees");
				NEAR(v3_norm(v3_sub(q.force, flat.force)), 0, 1e-6, "force beside 0 degrees");
				NEAR(v3_norm(v3_sub(q.torque, flat.torque)), 0, 1e-6, "torque beside 0 degrees");
			}
			tried += most > 0;
		}
	}
	CHECK(tried > test_cases(300) / 10, "%lld tried", (long long)tried);
	stage_clear(&t.s);
}

typedef struct crossing {
	fold_case at;
	placed body;
} crossing;

static pull at_place(void *what, real x)
{
	crossing *c = what;
	c->body.at.x = x;
	return fold_pull(&c->at, &c->body);
}

/* While a body crosses a ridge, its centre enters the region in front of the second face and leaves the region in front
 * of the first: the results do not jump. */
static void ridges_are_crossed_without_a_jump(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	for (int k = 0; k < ANGLES && ANGLE[k] < 0; ++k) {
		const int32_t row = add_fold(&s, ANGLE[k], false, false);
		FOR_SEEDS(100)
		{
			random_stream r = scree_random_start(test_seed, 121 + k);
			placed a = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 0.3, 0.8, 1.2);
			a.at.z = a.size * (a.shape->inradius + 0.5 * (a.shape->radius - a.shape->inradius));
			for (int m = 0; m < 2; ++m) {
				crossing c = {{&s, MEET[m], row}, a};
				real most;
				const real jump = jump_along(&c, at_place, -0.6, 0.6, 300, &most);
				CHECK(jump <= 1e-4 * most, "angle %g, law %d: the force jumps by %g of %g", ANGLE[k], m, jump, most);
			}
		}
	}
	stage_clear(&s);
}

/* ------------------------------------------------------------------ laws of depth */

/* Four faces that meet at this height above the origin, and reach z = 0 at a distance of 5 from it. */
static int32_t add_tent(stage *s, real height)
{
	fail why;
	const vec3 v[5] = {{0.1, 0.2, height}, {5, 0, 0}, {0, 5, 0}, {-5, 0, 0}, {0, -5, 0}};
	const int32_t t[12] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1};
	const int32_t row = scree_walls_add_mesh(&s->wall, scree_wall_default("tent", 0), 5, v, 4, t, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

static void near_plane(stage *s, int32_t row, const placed *body, const push *flat, int64_t *several)
{
	const push q = meet_convex(s, body, row);
	const real most = 1e-3 * body->size * flat->deepest;
	NEAR(v3_norm(v3_sub(q.force, flat->force)), 0, most, "force on what is all but a plane");
	NEAR(v3_norm(v3_sub(q.couple, flat->couple)), 0, most, "couple on what is all but a plane");
	NEAR(q.twist, flat->twist, most, "twist on what is all but a plane");
	*several += s->list.count > 1;
}

/* Also with depth-based contact laws, folds of 1e-5 and 1e-3 degrees, and equally flat tents, act like a plane:
 * corners of the contact region on the folds do not count, and the contacts share the stiffness of one contact. The
 * flatter folds are one surface, because rounding to the digits of a file may bend a surface by the same angle. */
static void a_flat_fold_is_a_plane_by_depth(void **state)
{
	(void)state;
	stage s = {0};
	add_solids(&s);
	int64_t several = 0;
	const int32_t plane = add_fold(&s, 0, false, false);
	for (real angle = 1e-5; angle < 2e-3; angle *= 100)
		for (real up = -1; up < 2; up += 2) {
			add_fold(&s, up * angle, false, false);
			add_tent(&s, 0.02 * up * angle);
		}
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 141);
		placed a = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 0.6, 0.5, 1.5);
		a.at.z = scree_random_between(&r, 0.3, 1) * a.size * a.shape->radius;
		const push flat = meet_convex(&s, &a, plane);
		if (!(flat.deepest > 0.05)) continue;
		for (int32_t row = plane + 1; row < s.wall.count; ++row) near_plane(&s, row, &a, &flat, &several);
	}
	CHECK(several > test_cases(3000) / 2, "%lld touch several faces", (long long)several);
	stage_clear(&s);
}

static pull by_depth_at_angle(void *what, real degrees)
{
	turning *t = what;
	scree_walls_free(&t->s.wall);
	const push p = meet_convex(&t->s, t->body, add_fold(&t->s, degrees, false, false));
	return (pull){0, p.force, p.couple};
}

/* The angle increases from a nearly flat fold until the face is near the body's centre. */
static void by_depth_valleys_are_continuous_in_the_angle(void **state)
{
	(void)state;
	turning t = {0};
	add_solids(&t.s);
	int64_t tried = 0;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 91);
		placed a;
		if (!before_fold(&t.s, &r, 0, &a)) continue;
		const real radius = a.size * a.shape->radius;
		real last = 0, most;
		while (last < 90 && height(&a, last + 1) > 0.3 * radius) last += 1;
		t.body = &a;
		const real jump = jump_along(&t, by_depth_at_angle, 1e-4, last, 200, &most);
		CHECK(jump <= 1e-3 * most, "the force jumps by %g of %g", jump, most);
		tried += most > 0;
	}
	CHECK(tried > test_cases(300) / 15, "%lld tried", (long long)tried);
	stage_clear(&t.s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forces_are_slopes),
		cmocka_unit_test(sides_are_alike),
		cmocka_unit_test(forces_are_continuous_in_the_angle),
		cmocka_unit_test(ridges_are_crossed_without_a_jump),
		cmocka_unit_test(a_flat_fold_is_a_plane_by_depth),
		cmocka_unit_test(by_depth_valleys_are_continuous_in_the_angle),
	};
	return cmocka_run_group_tests_name("folds", tests, make_shapes, free_shapes);
}
