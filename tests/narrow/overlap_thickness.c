/* The energy of volume and thickness: force and torque compared with finite differences of this energy, for bodies and
 * all walls; known overlaps; comparison with the theory of elasticity; alignments; deep, nested and nearly parallel
 * bodies. */
#include "overlap_help.h"

/* energy, force and torque divided by E* */
static pull pull_of(real deep, real weight, real pitch, vec3 n, vec3 at)
{
	vec3 f = v3_mul(weight * deep, n);
	return (pull){weight * deep * deep / 2, f, v3_madd(v3_cross(at, f), pitch, f)};
}

static pull pair_pull(const placed *a, const placed *b)
{
	patch p;
	scree_thickness_convex_convex(a, b, 0, &p);
	if (!p.points) return (pull){0, {0, 0, 0}, {0, 0, 0}};
	CHECK(p.points == SPREAD_POINTS && p.depth > 0 && p.deep[0] == p.depth && p.weight[0] >= 0, "five points");
	vec3 spread = v3(0, 0, 0);
	for (int k = 1; k < SPREAD_POINTS; ++k) spread = v3_add(spread, v3_sub(p.at[k], p.at[0]));
	NEAR(v3_norm(spread), 0, 1e-12, "their middle is the first one");
	NEAR(v3_norm(p.normal), 1, 1e-12, "length of the normal");
	return pull_of(p.deep[0], p.weight[0], p.pitch, p.normal, p.at[0]);
}

static pull on_b(const pull *p, const placed *a, const placed *b)
{
	vec3 apart = v3_sub(a->at, b->at);
	return (pull){p->value, v3_neg(p->force), v3_neg(v3_add(p->torque, v3_cross(apart, p->force)))};
}

static real with_b(const void *b, const placed *a) { return pair_pull(a, b).value; }
static real with_a(const void *a, const placed *b) { return pair_pull(a, b).value; }

static void near_pull(const pull *p, const pull *q, real tolerance)
{
	NEAR(p->value, q->value, tolerance, "energy");
	NEAR(v3_norm(v3_sub(p->force, q->force)), 0, tolerance, "force");
	NEAR(v3_norm(v3_sub(p->torque, q->torque)), 0, tolerance, "torque");
}

/* ------------------------------------------------------------------ gradient */

static void force_and_torque_are_slopes(void **state)
{
	(void)state;
	real worst = 0;
	int64_t touching = 0, bends = 0;
	FOR_SEEDS(10000)
	{
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 2, &a, &b, &r);
		pull p = pair_pull(&a, &b);
		if (!(p.value > 0)) continue;
		++touching;
		pull q = on_b(&p, &a, &b);
		real error = real_max(slopes(&b, with_b, &a, &p), slopes(&a, with_a, &b, &q));
		CHECK(error < 1e-4, "force or torque off by %g of %g", error, v3_norm(p.force));
		bends += error > 1e-7;
		worst = real_max(worst, error);
	}
	print_message("%lld touch; greatest error %.2g, above 1e-7 in %lld\n", (long long)touching, worst,
				  (long long)bends);
	CHECK(touching > test_cases(10000) / 3 && bends < touching / 50, "%lld of %lld are wrong", (long long)bends,
		  (long long)touching);
}

static void exchanged(void **state)
{
	(void)state;
	FOR_SEEDS(10000)
	{
		random_stream r;
		placed a, b;
		two_bodies(test_seed, 3, &a, &b, &r);
		pull p = pair_pull(&a, &b), q = pair_pull(&b, &a), there = on_b(&q, &b, &a);
		near_pull(&p, &there, 1e-9);
	}
}

/* ------------------------------------------------------------------ known overlaps */

/* energy of a box-shaped overlap, whose principal variances are w^2/12 */
static real box_energy(real x, real y, real z)
{
	real t2 = 1 / (1 / (x * x) + 1 / (y * y) + 1 / (z * z)), t = sqrt(t2);
	return 0.5 * sqrt(x * y * z * t) * t;
}

/* a cube on a cube, with overlaps down to rounding errors */
static void faces_on_faces(void **state)
{
	(void)state;
	placed b = place(&all, 0, v3(0, 0, 0), UPRIGHT, 1);
	for (real deep = 0.1; deep > 1e-9; deep /= 10) {
		for (int k = 0; k < 25; ++k) {
			real x = 0.25 * (k % 5 - 2), y = 0.25 * (k / 5 - 2), w = 1 - real_abs(x), d = 1 - real_abs(y);
			placed a = place(&all, 0, v3(x, y, 1 - deep), UPRIGHT, 1);
			pull p = pair_pull(&a, &b);
			real u = box_energy(w, d, deep);
			NEAR(p.value / u, 1, 1e-6 + 1e-15 / deep, "energy");
			if (deep < 0.01) NEAR(p.force.z / (2 * u / deep), 1, 10 * deep * deep / (w * w) + 1e-14 / deep, "force");
			/* lateral force: a smaller contact is softer; no lateral force if sides are aligned */
			real aside = x == 0 ? 0 : u / (2 * w) * (x > 0 ? 1 : -1);
			if (deep < 0.01) NEAR(p.force.x, aside, 1e-3 * u / deep + 1e-12 * deep, "force aside");
		}
	}
	patch p;
	placed apart = place(&all, 0, v3(0, 0, 1 + 2e-12), UPRIGHT, 1);
	scree_thickness_convex_convex(&apart, &b, 0, &p);
	CHECK(!p.points, "contact across a gap");
}

/* A cube on its edge, rotated about the vertical, with overlaps down to rounding errors: the overlap is a prism with a
 * right angle at the bottom, whose variances are 1/12, h^2/6 and h^2/18. */
static void edges_on_faces(void **state)
{
	(void)state;
	placed b = place(&all, 0, v3(0, 0, -1.5), UPRIGHT, 3), edge = place(&all, 0, v3(0, 0, 0), UPRIGHT, 1);
	edge = turned(&edge, v3(1, 0, 0), 0.78539816339744830962);
	for (real deep = 0.1; deep > 1e-9; deep /= 10) {
		for (int k = 0; k < 12; ++k) {
			placed a = turned(&edge, v3(0, 0, 1), 0.3 * k);
			a.at.z = sqrt(0.5) - deep;
			real lambda = 1 / (12 + 24 / (deep * deep)), t = sqrt(12 * lambda);
			real u = 0.5 * sqrt(deep * deep * t) * t, slope = u / deep * (1 + 36 * lambda / (deep * deep));
			pull p = pair_pull(&a, &b), q = pair_pull(&b, &a);
			real error = 1e-12 + 1e-14 / deep;
			NEAR(p.value / u, 1, error, "energy of an edge");
			NEAR(q.value / u, 1, error, "energy, exchanged");
			NEAR(p.force.z / slope, 1, error, "force");
			NEAR(v3_norm(v3(p.force.x, p.force.y, 0)) / slope, 0, error, "force aside");
			NEAR(v3_norm(p.torque) / slope, 0, error, "torque");
		}
	}
}

/* rotations by tiny angles about all axes cause no jumps */
static void faces_nearly_parallel(void **state)
{
	(void)state;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		real angle = 0.1, deep = 1e-3;
		for (uint64_t k = 0; k < test_seed % 16; ++k) angle /= 10;
		placed b = place(&all, 0, v3(0, 0, 0), UPRIGHT, 1), a = place(&all, 0, v3(0, 0, 1 - deep), UPRIGHT, 1);
		if (test_seed % 3) a.at.x = 0.25 * (real)(test_seed / 16 % 5) - 0.5;
		a = turned(&a, scree_random_direction(&r), angle);
		pull p = pair_pull(&a, &b), q = pair_pull(&b, &a);
		NEAR(p.value, q.value, 1e-9 * p.value, "energy, exchanged");
		if (angle < 1e-6)
			NEAR(p.value, box_energy(1 - real_abs(a.at.x), 1, deep), 10 * angle * deep, "energy of the slab");
	}
}

/* effect of a tilt on a flat contact: u = 1/2 d^2 + 9/8 tilt^2 <x^2>, where 9/8 is 3/4 of the factor in two dimensions
 */
static void a_tilt_is_felt(void **state)
{
	(void)state;
	const real deep = 1e-4, tilt = 1e-6;
	placed b = place(&all, 0, v3(0, 0, -1.5), UPRIGHT, 3), a = place(&all, 0, v3(0, 0, 0.5 - deep), UPRIGHT, 1);
	pull flat = pair_pull(&a, &b);
	a = turned(&a, v3(0, 1, 0), tilt);
	pull p = pair_pull(&a, &b);
	real stiff = -p.torque.y / tilt, expected = 2 * flat.value * 2.25 / (12 * deep * deep);
	NEAR(stiff / expected, 1, 1e-2, "stiffness against tilt");
}

/* a cone with 60 sides, tip down, whose height is a tenth of its radius */
static int32_t add_cone(stage *s)
{
	enum { SIDES = 60 };
	vec3 p[SIDES + 1];
	for (int i = 0; i < SIDES; ++i)
		p[i] = v3(10 * cos(2 * SCREE_PI * i / SIDES), 10 * sin(2 * SCREE_PI * i / SIDES), 1);
	p[SIDES] = v3(0, 0, 0);
	fail why;
	int32_t row = scree_shapes_add_hull(&s->shape, "cone", SIDES + 1, p, &why);
	CHECK(row >= 0, "%s", why.text);
	return row;
}

static real lowest_of(const placed *b)
{
	real low = INFINITY;
	for (int32_t v = 0; v < b->shape->vertices; ++v) low = real_min(low, vertex_of(b, v).z);
	return low;
}

/* A cone on a plane, compared with the theory of elasticity: (2/3 pi) tan E* h^3 (Sneddon 1965), and with 1.32 times
 * this value according to docs/theory/overlap.md. */
static void beside_elasticity(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	const real h = 0.1;
	int32_t plane = scree_walls_add_plane(&s.wall, scree_wall_default("plane", 0), v3(0, 0, 0), v3(0, 0, 1), &why);
	placed up = place(&s, add_cone(&s), v3(0, 0, 0), UPRIGHT, 1), c = up;
	/* the order of the principal axes is arbitrary: select the one of the six orientations in which the tip is down */
	static const vec3 about[6] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
	static const real angle[6] = {0, SCREE_PI, SCREE_PI / 2, -SCREE_PI / 2, SCREE_PI / 2, -SCREE_PI / 2};
	bool found = false;
	for (int k = 0; k < 6 && !found; ++k) {
		c = up;
		c.turn = quat_matrix(turn_about(about[k], angle[k]));
		c.at.z = -h - lowest_of(&c);
		int32_t below = 0;
		for (int32_t v = 0; v < c.shape->vertices; ++v) below += vertex_of(&c, v).z < 0;
		found = below == 1;
	}
	CHECK(found, "the cone does not stand on its tip");
	s.list.count = 0;
	scree_thickness_convex_wall(&c, &(near_wall){&s.wall, plane, 0, NULL}, &s.list);
	CHECK(s.list.count == 1, "the cone does not touch");
	real u = s.list.weight[0] * s.list.deep[0] * s.list.deep[0] / 2;
	NEAR(u / (2 / (3 * SCREE_PI) * 10 * h * h * h), 1.32, 0.02, "cone");
	stage_clear(&s);
}

/* ------------------------------------------------------------------ deep */

static void nested(void **state)
{
	(void)state;
	for (int32_t row = 0; row <= SOLIDS; ++row) {
		placed b = place(&all, row, v3(0.1, 0.2, 0.3), turn_about(v3(0.6, 0, 0.8), 1), 1), a = b;
		a.size = 0.2;
		pull p = pair_pull(&a, &b), q = pair_pull(&b, &a);
		NEAR(p.value, q.value, 1e-12, "nested, the other way round");
		CHECK(p.value > 0, "no energy");
		NEAR(v3_norm(p.force), 0, 1e-13, "nothing pushes");
		NEAR(v3_norm(q.force), 0, 1e-13, "nothing pushes");
	}
}

/* ------------------------------------------------------------------ walls */

static pull wall_pull(stage *s, const placed *body, int32_t row)
{
	int32_t n = all_facets(s, row);
	pull sum = {0, {0, 0, 0}, {0, 0, 0}};
	scree_thickness_convex_wall(body, &(near_wall){&s->wall, row, n, s->all}, &s->list);
	for (int32_t i = 0; i < s->list.count; ++i) {
		const touch *t = s->list.item + i;
		CHECK(t->points == SPREAD_POINTS && t->depth > 0, "five points");
		CHECK(!i || t[-1].surface < t->surface, "surfaces do not rise");
		pull p = pull_of(t->depth, s->list.weight[t->first], t->pitch, t->normal, s->list.at[t->first]);
		sum = (pull){sum.value + p.value, v3_add(sum.force, p.force), v3_add(sum.torque, p.torque)};
	}
	return sum;
}

typedef struct wall_case {
	stage *s;
	int32_t row;
} wall_case;

static real with_wall(const void *what, const placed *a)
{
	const wall_case *w = what;
	return wall_pull(w->s, a, w->row).value;
}

/* the sum over a triangulated floor acts like a plane, wherever the seams are, and so does a large block */
static void floors_are_planes(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	add_solids(&s);
	int32_t plane = scree_walls_add_plane(&s.wall, scree_wall_default("plane", 0), v3(0, 0, 0), v3(0, 0, 1), &why);
	int32_t mesh = add_random_floor(&s, 6, 12, 0.2, 3, false);
	vec3 corner[4] = {{-6, -6, 0}, {6, -6, 0}, {6, 6, 0}, {-6, 6, 0}};
	int32_t quad = scree_walls_add_polygon(&s.wall, scree_wall_default("quad", 0), 4, corner, &why);
	placed block = place(&s, 0, v3(0, 0, -10), UPRIGHT, 20);
	int64_t touching = 0;
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 6);
		placed a = over_floor(&s, &r, 4);
		pull p = wall_pull(&s, &a, plane), q = wall_pull(&s, &a, mesh), t = wall_pull(&s, &a, quad);
		pull u = pair_pull(&a, &block);
		near_pull(&p, &q, 1e-7);
		near_pull(&p, &t, 1e-10);
		near_pull(&p, &u, 1e-8);
		wall_case w = {&s, plane};
		if (p.value > 0) CHECK(slopes(&w, with_wall, &a, &p) < 1e-4, "not the slope");
		touching += p.value > 0;
	}
	CHECK(touching > test_cases(3000) / 2, "%lld touch", (long long)touching);
	stage_clear(&s);
}

/* smallest x of the body in the plane z = 0, or INFINITY if the body does not intersect the plane */
static real reaches_to(const placed *b)
{
	real least = INFINITY;
	for (int32_t e = 0; e < b->shape->edges; ++e) {
		vec3 p = vertex_of(b, b->shape->ends[2 * e]), q = vertex_of(b, b->shape->ends[2 * e + 1]);
		if ((p.z < 0) != (q.z < 0)) least = real_min(least, p.x + p.z / (p.z - q.z) * (q.x - p.x));
	}
	return least;
}

/* A body that reaches over the border of a sheet by as little as 1e-9 of the body's size: the overlap is no deeper than
 * the displacement that separates the two, and vanishes with this displacement. */
static void borders_are_met_from_nothing(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	add_solids(&s);
	vec3 corner[4] = {{-9, -9, 0}, {0, -9, 0}, {0, 9, 0}, {-9, 9, 0}};
	wall sheet = scree_wall_default("sheet", 0);
	sheet.two_sided = true;
	int32_t row = scree_walls_add_polygon(&s.wall, sheet, 4, corner, &why), n = all_facets(&s, row);
	int64_t met = 0, other = 0; /* other: number of contacts whose overlap changes shape during the motion */
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 12);
		placed a = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.5);
		a.at = v3(0, 0, a.size * a.shape->radius * scree_random_between(&r, -0.7, 0.7));
		real most = reaches_to(&a), before = INFINITY;
		for (real way = 1e-3; way > 3e-10 && most < INFINITY; way /= 10) {
			a.at.x = -most - way * a.size;
			scree_thickness_convex_wall(&a, &(near_wall){&s.wall, row, n, s.all}, &s.list);
			CHECK(s.list.count == 1 || way < 1e-4, "%d touches at %g", s.list.count, way);
			if (way < 1e-5) ++met, other += !s.list.count;
			if (!s.list.count) continue; /* the whole overlap is within the rounding error */
			const touch *t = s.list.item;
			real back = t->depth * real_abs(t->normal.x) / (way * a.size), rounding = 1e-15 / way;
			CHECK(back <= 1.001 + rounding, "it is %g times as deep as the way back, %g", back, way);
			CHECK(back > 0, "it is %g times as deep as the way back, %g", back, way);
			if (way < 1e-5) other += !(real_abs(back - before) < 1e-3 + rounding);
			before = back;
		}
	}
	CHECK(met > test_cases(5000) && other < met / 200, "%lld met, %lld otherwise than at a tenth", (long long)met,
		  (long long)other);
	stage_clear(&s);
}

/* drums, posts and cones with ends, including their rims */
static void round_walls_have_a_potential(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	add_solids(&s);
	wall w = scree_wall_default("wall", 0);
	int32_t rows[6] = {scree_walls_add_cylinder(&s.wall, w, v3(0, 0, -5), v3(0, 0, 1), 3, 10, SIDE_INSIDE, &why),
					   scree_walls_add_cylinder(&s.wall, w, v3(0, 0, 9), v3(0, 0, 1), 1.2, INFINITY, SIDE_INSIDE, &why),
					   scree_walls_add_cylinder(&s.wall, w, v3(0, 0, -5), v3(0, 0, 1), 2, 10, SIDE_OUTSIDE, &why),
					   scree_walls_add_cylinder(&s.wall, w, v3(0, 0, -0.5), v3(0, 0, 1), 0.4, 1, SIDE_OUTSIDE, &why),
					   scree_walls_add_cone(&s.wall, w, v3(0, 0, -2), v3(0, 0, 1), 1.5, 4, 4, SIDE_INSIDE, &why),
					   scree_walls_add_cone(&s.wall, w, v3(0, 0, -2), v3(0, 0, 1), 1, 2, 4, SIDE_OUTSIDE, &why)};
	static const real radius[6] = {3, 1.2, 2, 0.4, 2.75, 1.5};
	int64_t touching[6] = {0}, off[6] = {0};
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 8);
		placed a = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.5);
		real reach = a.size * a.shape->radius, angle = scree_random_between(&r, 0, 2 * SCREE_PI);
		real z = scree_random_between(&r, -1, 1);
		for (int k = 0; k < 6; ++k) {
			bool inside = s.wall.row[rows[k]].side == SIDE_INSIDE;
			real way = radius[k] + (inside ? -1 : 1) * reach * scree_random_between(&r, 0.3, 1);
			if (way < 0.05) continue;
			a.at = v3(way * cos(angle), way * sin(angle), z);
			wall_case what = {&s, rows[k]};
			pull p = wall_pull(&s, &a, rows[k]);
			if (!(p.value > 0)) continue;
			++touching[k];
			vec3 torque = v3_add(p.torque, v3_cross(a.at, p.force));
			/* except near the axis, where the side directions are held fixed */
			if (!inside || way > reach / 2) NEAR(torque.z, 0, 1e-9 * (1 + v3_norm(p.force)), "torque about the axis");
			real error = slopes(&what, with_wall, &a, &p);
			CHECK(error < 1e-2, "wall %d: force or torque off by %g of %g", k, error, v3_norm(p.force));
			off[k] += error > 1e-6;
		}
	}
	for (int k = 0; k < 6; ++k) {
		print_message("wall %d: %lld touch, %lld bend\n", k, (long long)touching[k], (long long)off[k]);
		CHECK(touching[k] > test_cases(3000) / 10 && off[k] <= touching[k] / 20, "wall %d: %lld touch, %lld off", k,
			  (long long)touching[k], (long long)off[k]);
	}
	stage_clear(&s);
}

/* A body wider than the tube, on and near the axis, where the direction to the body's centre rotates fast: the energy
 * is a function of position even there, with force and torque as its derivatives. */
static void tubes_narrower_than_a_body_have_a_potential(void **state)
{
	(void)state;
	stage s = {0};
	fail why;
	add_solids(&s);
	wall w = scree_wall_default("wall", 0);
	int32_t rows[3] = {
		scree_walls_add_cylinder(&s.wall, w, v3(0, 0, -5), v3(0, 0, 1), 0.5, INFINITY, SIDE_INSIDE, &why),
		scree_walls_add_cone(&s.wall, w, v3(0, 0, -2), v3(0, 0, 1), 0.1, 2, 4, SIDE_INSIDE, &why),
		scree_walls_add_cone(&s.wall, w, v3(0, 0, -2), v3(0, 0, 1), 2, 0, 4, SIDE_OUTSIDE, &why)};
	int64_t touching = 0, off = 0;
	real worst = 0, jump = 0;
	FOR_SEEDS(3000)
	{
		random_stream r = scree_random_start(test_seed, 13);
		placed a = place_random(&s, (int32_t)(test_seed % SOLIDS), &r, 1, 0.5, 1.5);
		const real reach = a.size * a.shape->radius, angle = scree_random_between(&r, 0, 2 * SCREE_PI);
		const int k = (int)(test_seed / SOLIDS % 2);
		const wall_case what = {&s, rows[k]};
		const vec3 out = v3(cos(angle), sin(angle), 0);
		const vec3 foot = v3(0, 0, k ? reach - 2 : 0);
		a.at = v3_madd(foot, reach * scree_random_between(&r, 0.02, 0.7), out);
		pull p = wall_pull(&s, &a, rows[k]);
		if (!(p.value > 0)) continue;
		const real error = slopes(&what, with_wall, &a, &p) / (1 + v3_norm(p.force));
		++touching;
		off += error > 1e-5;
		worst = real_max(worst, error);
		placed b = a;
		a.at = v3_madd(foot, 1e-9, out);
		b.at = v3_madd(foot, -1e-9, out);
		const real here = with_wall(&what, &a), there = with_wall(&what, &b);
		jump = real_max(jump, real_abs(here - there) / real_max(here + there, 1e-9));
	}
	print_message("%lld touch, %lld bend, worst %.2g, jump on the axis %.2g\n", (long long)touching, (long long)off,
				  worst, jump);
	CHECK(touching > test_cases(3000) / 4 && off <= touching / 20 && worst < 1e-2, "%lld of %lld off, worst %g",
		  (long long)off, (long long)touching, worst);
	CHECK(jump < 1e-4, "the energy jumps by %g on the axis", jump);
	stage_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(force_and_torque_are_slopes),
		cmocka_unit_test(exchanged),
		cmocka_unit_test(faces_on_faces),
		cmocka_unit_test(edges_on_faces),
		cmocka_unit_test(faces_nearly_parallel),
		cmocka_unit_test(a_tilt_is_felt),
		cmocka_unit_test(beside_elasticity),
		cmocka_unit_test(nested),
		cmocka_unit_test(floors_are_planes),
		cmocka_unit_test(borders_are_met_from_nothing),
		cmocka_unit_test(round_walls_have_a_potential),
		cmocka_unit_test(tubes_narrower_than_a_body_have_a_potential),
	};
	return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
