/* The energy of thickness in the plane: force and torque compared with finite differences of this energy, for bodies
 * of all kinds and all walls; known overlaps; and a drum that exerts no torque on a body. */

#include "narrow/flat/flat.h"
#include "narrow/flat/round.h"
#include "polygon_help.h"
#include "shape/shapes.h"

/* effect on a body: energy divided by E* l, force, and torque about the body's centre */
typedef struct pull {
	real u, x, y, turn;
} pull;

static pull pull_of(const patch *p, const char *what)
{
	pull sum = {0, 0, 0, 0};
	for (int32_t k = 0; k < p->points; ++k) {
		real f = p->weight[k] * p->deep[k] / p->points;
		CHECK(f - f == 0 && p->weight[k] >= 0, "%s: weight %g, overlap %g", what, p->weight[k], p->deep[k]);
		sum.u += f * p->deep[k] / 2;
		sum.x += f * p->normal.x;
		sum.y += f * p->normal.y;
		sum.turn += f * (p->at[k].x * p->normal.y - p->at[k].y * p->normal.x);
	}
	return sum;
}

typedef pull meet_fn(const void *what, const placed *a);

static placed moved(const placed *p, real x, real y, real angle)
{
	real s, c;
	scree_sincos(angle, &s, &c);
	placed q = *p;
	q.at = v3_add(p->at, v3(x, y, 0));
	q.turn.x = v3(c * p->turn.x.x - s * p->turn.x.y, s * p->turn.x.x + c * p->turn.x.y, 0);
	q.turn.y = v3(-q.turn.x.y, q.turn.x.x, 0);
	return q;
}

static real off_slopes(const void *what, meet_fn *meet, const placed *a)
{
	const real h = 1e-6;
	pull p = meet(what, a);
	real found[3] = {p.x, p.y, p.turn}, worst = 0;
	for (int k = 0; k < 3; ++k) {
		placed up = moved(a, k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0);
		placed down = moved(a, k == 0 ? -h : 0, k == 1 ? -h : 0, k == 2 ? -h : 0);
		worst = real_max(worst, real_abs(-(meet(what, &up).u - meet(what, &down).u) / (2 * h) - found[k]));
	}
	return worst;
}

/* ------------------------------------------------------------------ bodies */

static pull with_body(const void *what, const placed *a)
{
	patch p = {0};
	placed first = *a, second = *(const placed *)what;
	second.at = v3_sub(second.at, first.at);
	first.at = v3(0, 0, 0);
	bool swap = first.shape->type > second.shape->type;
	if (!swap) {
		scree_flat_thickness(&first, &second, 0, &p);
		return pull_of(&p, "pair");
	}
	placed mirror = first;
	mirror.at = v3_neg(second.at);
	second.at = v3(0, 0, 0);
	scree_flat_thickness(&second, &mirror, 0, &p);
	flat_swap(&p, xy_of(mirror.at.x, mirror.at.y));
	return pull_of(&p, "pair");
}

static void polygons_have_a_potential(void **state)
{
	(void)state;
	int64_t touching = 0, bends = 0;
	real worst = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		flat_placed fa, fb;
		random_pair(&all, &r, 0.2, 1, &fa, &fb);
		placed a = as_body(&fa), b = as_body(&fb);
		pull p = with_body(&b, &a), q = with_body(&a, &b);
		NEAR(p.u, q.u, 1e-9 * p.u, "energy, exchanged");
		if (!(p.u > 1e-12)) continue;
		NEAR(p.x + q.x, 0, 1e-8, "opposite forces");
		++touching;
		real off = off_slopes(&b, with_body, &a);
		CHECK(off < 1e-3, "force or torque off by %g", off);
		bends += off > 1e-6;
		worst = real_max(worst, off);
	}
	print_message("%lld touch, greatest error %.2g, above 1e-6 in %lld\n", (long long)touching, worst,
				  (long long)bends);
	CHECK(touching > test_cases(20000) / 4 && bends < touching / 50, "%lld of %lld are off", (long long)bends,
		  (long long)touching);
}

static void edges_on_edges(void **state)
{
	(void)state;
	const shape *s = all.row + scree_shapes_find(&all, "regular4");
	real side = sqrt(0.5);
	flat_placed fb = place_flat(s, 0, 0, 0, 1);
	placed b = as_body(&fb);
	for (real deep = 1e-2; deep > 1e-9; deep /= 10) {
		for (int k = -2; k <= 2; ++k) {
			real x = 0.3 * k * side, w = side - real_abs(x);
			flat_placed fa = place_flat(s, x, side - deep, 0, 1);
			placed a = as_body(&fa);
			pull p = with_body(&b, &a);
			NEAR(p.u / (0.5 / (1 / (deep * deep) + 1 / (w * w))), 1, 1e-6 + 1e-14 / deep, "energy");
			NEAR(p.y / deep, 1, 4 * deep * deep / (w * w) + 1e-14 / deep, "force");
		}
	}
	/* the resistance to tilting is 3/2 times the resistance of springs along the edge (Winkler): u = 1/2 d^2 + 3/2
	 * tilt^2 <x^2> */
	placed a = b;
	a.at = v3(0, side - 1e-4, 0);
	a.size = 0.3;
	a.at.y = side / 2 + 0.3 * side / 2 - 1e-4;
	a = moved(&a, 0, 0, 1e-7);
	real length = 0.3 * side;
	NEAR(with_body(&b, &a).turn / (-1e-7 * 3 * length * length / 12), 1, 1e-2, "stiffness against tilt");
}

/* ------------------------------------------------------------------ round bodies */

static void round_bodies_have_a_potential(void **state)
{
	(void)state;
	int64_t touching = 0, bends = 0;
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		shape disc = {.type = SHAPE_SPHERE, .radius = 0.5, .inradius = 0.5};
		real flat = scree_random_between(&r, 0.3, 1);
		shape egg = {.type = SHAPE_ELLIPSE, .semi_x = 0.5, .semi_y = 0.5 * flat, .radius = 0.5, .inradius = 0.5 * flat};
		flat_placed fa, fb;
		random_pair(&all, &r, 0.6, 1, &fa, &fb);
		placed a = as_body(&fa), b = as_body(&fb);
		a.shape = test_seed % 2 ? &disc : &egg;
		if (test_seed % 3 == 0) b.shape = test_seed % 6 ? &disc : &egg;
		if (a.shape->type > b.shape->type) continue;
		pull p = with_body(&b, &a);
		if (!(p.u > 0) || sqrt(p.u) > 0.1) continue;
		++touching;
		bends += off_slopes(&b, with_body, &a) > 1e-4;
	}
	CHECK(touching > test_cases(5000) / 50 && bends <= touching / 20, "%lld of %lld are off", (long long)bends,
		  (long long)touching);
}

/* ------------------------------------------------------------------ walls */

typedef struct drum_case {
	vec3 centre;
	real radius;
} drum_case;

static pull in_drum(const void *what, const placed *a)
{
	const drum_case *d = what;
	patch p = {0};
	scree_flat_thickness_polygon_circle(a, d->centre, d->radius, true, &p);
	return pull_of(&p, "drum");
}

static pull on_line(const void *what, const placed *a)
{
	patch p = {0};
	scree_flat_thickness_polygon_line(a, v3(0.1, 0.2, 0), *(const vec3 *)what, &p);
	return pull_of(&p, "line");
}

static void walls_have_a_potential(void **state)
{
	(void)state;
	int64_t touching = 0, bends = 0;
	FOR_SEEDS(10000)
	{
		random_stream r = scree_random_start(test_seed, 3);
		flat_placed fa, fb;
		random_pair(&all, &r, 0.6, 1, &fa, &fb);
		placed a = as_body(&fa);
		real reach = a.size * a.shape->radius, angle = scree_random_between(&r, 0, 2 * SCREE_PI), s, c;
		scree_sincos(angle, &s, &c);
		vec3 e = v3(c, s, 0);
		drum_case d = {v3(3, 4, 0), reach * scree_random_between(&r, 1.1, 20)};
		a.at = v3_madd(d.centre, d.radius - reach * scree_random_between(&r, 0.3, 1), e);
		if (in_drum(&d, &a).u > 0) {
			++touching;
			pull p = in_drum(&d, &a);
			real torque = p.turn + (a.at.x - d.centre.x) * p.y - (a.at.y - d.centre.y) * p.x;
			if (v3_norm(v3_sub(a.at, d.centre)) >
				reach / 2) /* closer to the drum's centre, the side directions are held fixed */
				NEAR(torque, 0, 1e-9 * (1 + d.radius) * sqrt(p.x * p.x + p.y * p.y), "torque about the drum's centre");
			bends += off_slopes(&d, in_drum, &a) > 1e-5 * (1 + p.u);
		}
		a.at = v3_madd(v3(0.1, 0.2, 0), reach * scree_random_between(&r, 0.1, 1), e);
		if (on_line(&e, &a).u > 0) {
			++touching;
			bends += off_slopes(&e, on_line, &a) > 1e-5;
		}
	}
	print_message("%lld touch, %lld bend\n", (long long)touching, (long long)bends);
	CHECK(touching > test_cases(10000) && bends < touching / 50, "%lld of %lld are off", (long long)bends,
		  (long long)touching);
}

/* A body as wide as its drum, on and near the centre, where the direction to the body's centre rotates fast: the
 * energy is a function of position even there, with force and torque as its derivatives. */
static void drums_as_narrow_as_a_body_have_a_potential(void **state)
{
	(void)state;
	int64_t touching = 0, bends = 0;
	real jump = 0;
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		flat_placed fa, fb;
		random_pair(&all, &r, 0.6, 1, &fa, &fb);
		placed a = as_body(&fa);
		real reach = a.size * a.shape->radius, angle = scree_random_between(&r, 0, 2 * SCREE_PI), s, c;
		scree_sincos(angle, &s, &c);
		const drum_case d = {v3(3, 4, 0), reach * scree_random_between(&r, 0.9, 0.98)};
		a.at = v3_madd(d.centre, reach * scree_random_between(&r, 0.02, 0.7), v3(c, s, 0));
		const pull p = in_drum(&d, &a);
		if (!(p.u > 0)) continue;
		++touching;
		bends += off_slopes(&d, in_drum, &a) > 1e-5 * (1 + p.u);
		a.at = v3_madd(d.centre, 1e-9, v3(c, s, 0));
		const real here = in_drum(&d, &a).u;
		a.at = v3_madd(d.centre, -1e-9, v3(c, s, 0));
		jump = real_max(jump, real_abs(here - in_drum(&d, &a).u) / real_max(here, 1e-6));
	}
	print_message("%lld touch, %lld bend, jump in the centre %.2g\n", (long long)touching, (long long)bends, jump);
	CHECK(touching > test_cases(3000) / 2 && bends < touching / 50, "%lld of %lld are off", (long long)bends,
		  (long long)touching);
	CHECK(jump < 1e-4, "the energy jumps by %g in the centre", jump);
}

/* a large drum acts like a line, and a line acts like a large polygon */
static void lines_and_drums_agree(void **state)
{
	(void)state;
	vec3 corner[4] = {{-100, -100, 0}, {100, -100, 0}, {100, 100, 0}, {-100, 100, 0}};
	shapes s = {0};
	fail why;
	CHECK(scree_shapes_add_polygon(&s, "ground", 4, corner, &why) == 0, "%s", why.text);
	int64_t touching = 0;
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 4);
		flat_placed fa, fb;
		random_pair(&all, &r, 0.6, 1, &fa, &fb);
		placed a = as_body(&fa), ground = {s.row, v3(0.1, 0.2 - 100, 0), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1};
		a.at = v3(0.1, 0.2 + a.size * a.shape->radius * scree_random_between(&r, 0.1, 1), 0);
		vec3 up = v3(0, 1, 0);
		pull p = on_line(&up, &a), q = with_body(&ground, &a);
		NEAR(p.u, q.u, 1e-9, "energy on a line and on a polygon");
		NEAR(p.y, q.y, 1e-8, "force on a line and on a polygon");
		NEAR(p.turn, q.turn, 1e-8, "torque on a line and on a polygon");
		drum_case d = {v3(0.1, 0.2 + 1e6, 0), 1e6};
		pull t = in_drum(&d, &a);
		if (p.u > 1e-4) NEAR(t.y / p.y, 1, 3e-2, "force on a line and in a wide drum");
		touching += p.u > 1e-4;
	}
	CHECK(touching > test_cases(3000) / 3, "%lld touch", (long long)touching);
	scree_shapes_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(polygons_have_a_potential),
		cmocka_unit_test(edges_on_edges),
		cmocka_unit_test(round_bodies_have_a_potential),
		cmocka_unit_test(walls_have_a_potential),
		cmocka_unit_test(drums_as_narrow_as_a_body_have_a_potential),
		cmocka_unit_test(lines_and_drums_agree),
	};
	return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
