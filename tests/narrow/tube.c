/* Ellipsoids and superquadrics in cylinders and cones: contacts compared with brute force over angles around the axis,
 * over directions, and over points on rims. */
#include "smooth_help.h"
#include "wall_help.h"

#include "narrow/smooth/smooth.h"

enum { KINDS = 10 };
static shapes all;

static int make_shapes(void **state)
{
	(void)state;
	const squared made[KINDS] = {{{0.5, 0.5, 0.5}, 2, 2}, {{0.5, 1, 1.5}, 2, 2},   {{0.3, 1.5, 1.4}, 2, 2},
								 {{0.2, 0.2, 2}, 2, 2},	  {{0.5, 0.5, 0.9}, 3, 3}, {{0.5, 0.7, 0.6}, 4.5, 4.5},
								 {{0.6, 0.5, 0.4}, 8, 8}, {{0.5, 0.5, 0.8}, 2, 8}, {{0.6, 0.4, 0.5}, 8, 2},
								 {{1.5, 0.5, 0.6}, 3, 8}};
	add_superquadrics(&all, KINDS, made);
	return 0;
}

static int forget_shapes(void **state)
{
	(void)state;
	scree_shapes_free(&all);
	return 0;
}

static placed random_body(random_stream *r, real far)
{
	const int32_t kind = one_of(r, KINDS);
	return random_placed(r, all.row + kind, far, 0.5, 1.5);
}

static void meet(stage *s, const placed *b, real grown, real power)
{
	scree_smooth_wall(b, grown, power, &(near_wall){&s->wall, 0, 0, NULL}, &s->list);
	if (grown > 0)
		for (int32_t t = 0; t < s->list.count; ++t) s->list.item[t].depth -= grown;
}

/* The normal of the wall at an angle, pointing away from the axis. */
static vec3 out_at(const wall *w, real angle)
{
	const vec3 x = v3_across(w->axis), y = v3_cross(w->axis, x);
	const real taper = w->type == WALL_CONE ? (w->radius2 - w->radius) / w->length : 0, c = 1 / sqrt(1 + taper * taper);
	const vec3 radial = v3_add(v3_mul(cos(angle), x), v3_mul(sin(angle), y));
	return v3_mul(c, v3_madd(radial, -taper, w->axis));
}

static real depth_at(const wall *w, const placed *b, real angle)
{
	const vec3 n = out_at(w, angle);
	const real c = v3_norm(v3_madd(n, -v3_dot(n, w->axis), w->axis)), h = v3_dot(n, v3_sub(b->at, w->point));
	return w->side == SIDE_INSIDE ? reach_of(b, n) + h - w->radius * c : reach_of(b, v3_neg(n)) - h + w->radius * c;
}

/* The angle within a grid step of the given one at which sign times the depth is largest. */
static real refined(const wall *w, const placed *b, real angle, real step, real sign)
{
	real low = angle - step, high = angle + step;
	while (high - low > 1e-9) {
		const real third = (high - low) / 3, x = low + third, y = high - third;
		if (sign * depth_at(w, b, x) < sign * depth_at(w, b, y))
			low = x;
		else
			high = y;
	}
	return (low + high) / 2;
}

/* ------------------------------------------------------------------ from inside */

/* Results of brute force: peaks with more than this prominence, their forces, and the total force. */
static const real STANDS_OUT = 1e-5;
enum { GRID = 4096, MOST = 32 };
typedef struct crown {
	int peaks;
	real angle[MOST], depth[MOST], left[MOST]; /* left: force that remains after subtracting the forces of valleys */
	vec3 force;								   /* sum of the remaining forces as vectors, and sum of their magnitudes */
	real sum;
	bool flat; /* whether some peaks are barely prominent */
} crown;

static void drop_peak(crown *o, int k)
{
	for (int i = k; i + 1 < o->peaks; ++i) o->angle[i] = o->angle[i + 1], o->depth[i] = o->depth[i + 1];
	--o->peaks;
}

/* position of the smallest depth between a peak and the next one, in grid steps */
static int valley_after(const crown *o, int k, const real *depth)
{
	const real step = 2 * SCREE_PI / GRID;
	const int from = (int)lrint(o->angle[k] / step);
	int to = (int)lrint(o->angle[(k + 1) % o->peaks] / step), low;
	if (to <= from) to += GRID;
	low = from;
	for (int i = from; i <= to; ++i)
		if (depth[i % GRID] < depth[low % GRID]) low = i;
	return low;
}

static void join_flat_peaks(crown *o, const real *depth)
{
	for (bool again = true; again && o->peaks > 1;) {
		again = false;
		for (int k = 0; k < o->peaks && !again; ++k) {
			const int next = (k + 1) % o->peaks, low = valley_after(o, k, depth);
			const int less = o->depth[k] < o->depth[next] ? k : next;
			if (o->depth[less] - depth[low % GRID] >= STANDS_OUT) continue;
			again = o->flat = true;
			drop_peak(o, less);
		}
	}
}

/* Fraction of a force at angle `low` that a contact at the first angle carries, if a contact at the second angle
 * carries the rest, so that the two forces add up to the given one. */
static real part_of(real first, real low, real second)
{
	const real way = second - first, shrink = way > 2 ? 2 / way : 1;
	return sin(shrink * (second - low)) / sin(shrink * way);
}

static crown crown_of(const wall *w, const placed *b, real power)
{
	static real depth[GRID];
	const real step = 2 * SCREE_PI / GRID;
	crown o = {0};
	for (int k = 0; k < GRID; ++k) depth[k] = depth_at(w, b, k * step);
	for (int k = 0; k < GRID; ++k) {
		const real here = depth[k];
		if (!(here > 0) || here < depth[(k + 1) % GRID] || here <= depth[(k + GRID - 1) % GRID]) continue;
		assert_true(o.peaks < MOST);
		o.angle[o.peaks] = k * step, o.depth[o.peaks++] = here;
	}
	join_flat_peaks(&o, depth);
	int shallow = 0;
	real low[MOST], valley[MOST];
	for (int k = 0; k < o.peaks; ++k) {
		low[k] = refined(w, b, valley_after(&o, k, depth) * step, step, -1);
		valley[k] = depth_at(w, b, low[k]);
		if (valley[k] < valley[shallow]) shallow = k;
	}
	for (int k = 0; k < o.peaks; ++k) {
		o.angle[k] = refined(w, b, o.angle[k], step, 1);
		o.left[k] = pow(o.depth[k] = depth_at(w, b, o.angle[k]), power);
	}
	for (int k = 0; k < o.peaks && o.peaks > 1; ++k) {
		const int next = (k + 1) % o.peaks;
		const real to = next > k ? o.angle[next] : o.angle[next] + 2 * SCREE_PI;
		if (k == shallow || !(valley[k] > 0)) continue;
		o.left[k] -= part_of(o.angle[k], low[k], to) * pow(valley[k], power);
		o.left[next] -= part_of(-to, -low[k], -o.angle[k]) * pow(valley[k], power);
	}
	for (int k = 0; k < o.peaks; ++k) o.sum += o.left[k];
	for (int k = 0; k < o.peaks; ++k) o.force = v3_madd(o.force, -o.left[k], out_at(w, o.angle[k]));
	return o;
}

/* A body in a cylinder or a cone that is as wide as the body or much wider, with larger overlaps than in any run. */
static placed body_in(stage *s, random_stream *r, real far)
{
	fail why;
	const vec3 axis = v3_unit(random_in(r, 1));
	const real radius = scree_random_between(r, 0.6, 1.6) * (scree_random_real(r) < 0.5 ? 1 : 4);
	const bool cone = scree_random_real(r) < 0.5;
	const real wide = cone ? radius * scree_random_between(r, 0.2, 1.8) : radius;
	placed b = random_body(r, 1);
	stage_clear(s);
	const wall w = scree_wall_default("w", 0);
	const vec3 first = v3_mul(-20, axis);
	const real slope = (wide - radius) / 4;
	if (cone && radius - 20 * slope > 0 && radius + 20 * slope > 0)
		assert_true(scree_walls_add_cone(&s->wall, w, first, axis, radius - 20 * slope, radius + 20 * slope, 40,
										 SIDE_INSIDE, &why) == 0);
	else
		assert_true(scree_walls_add_cylinder(&s->wall, w, first, axis, radius,
											 scree_random_real(r) < 0.5 ? 40 : INFINITY, SIDE_INSIDE, &why) == 0);
	const real off = scree_random_between(r, 0, 1) * far * radius;
	b.at = v3_add(v3_mul(scree_random_between(r, -1, 1), axis), v3_mul(off, v3_unit(v3_cross(axis, random_in(r, 1)))));
	return b;
}

static void contacts_from_inside_are_the_peaks_over_all_angles(void **state)
{
	(void)state;
	stage s = {0};
	int64_t count[MOST] = {0}, flat = 0;
	FOR_SEEDS(250)
	{
		random_stream r = scree_random_start(test_seed, 1);
		const placed b = body_in(&s, &r, 1);
		const real power = test_seed % 2 ? 1 : 1.5, grown = test_seed % 3 == 0 ? 0.1 : 0;
		const wall *w = s.wall.row;
		const vec3 from = v3_sub(b.at, w->point), facing = v3_madd(from, -v3_dot(from, w->axis), w->axis);
		const real angle =
			atan2(v3_dot(facing, v3_cross(w->axis, v3_across(w->axis))), v3_dot(facing, v3_across(w->axis)));
		const vec3 out = out_at(w, angle);
		/* the body's centre has passed the wall */
		if (v3_dot(out, from) > w->radius * v3_dot(out, v3_unit(facing))) continue;
		const crown o = crown_of(w, &b, power);
		meet(&s, &b, grown, power);
		vec3 force = v3(0, 0, 0);
		bool in_doubt = o.flat;
		int touches = 0;
		for (int k = 0; k < o.peaks; ++k) in_doubt |= o.left[k] < 1e-6; /* neighbouring contacts may carry the rest */
		for (int32_t t = 0; t < s.list.count; ++t) {
			const touch *f = s.list.item + t;
			if (!(f->depth > 0)) continue;
			touches += pow(f->depth, power) > 1e-6;
			force = v3_madd(force, pow(f->depth, power), f->normal);
			NEAR(v3_dot(f->normal, out_at(w, f->place)), -1, 1e-12, "normal");
		}
		/* the grid misses emerging maxima, which carry some of the force */
		if (!in_doubt) NEAR(v3_norm(v3_sub(force, o.force)), 0, 4e-3, "force of all");
		++count[o.peaks], flat += o.flat;
		if (in_doubt) continue;
		int wanted = 0;
		for (int k = 0; k < o.peaks; ++k) wanted += o.left[k] > 1e-6;
		CHECK(touches == wanted || grown > 0, "%d contacts, %d by brute force", touches, wanted);
		for (int k = 0; k < o.peaks; ++k) {
			real near = o.left[k] > 1e-4 ? INFINITY : 0; /* a flat peak may disappear */
			for (int32_t t = 0; t < s.list.count; ++t)
				if (real_abs(remainder(s.list.item[t].place - o.angle[k], 2 * SCREE_PI)) < 2e-2)
					near = real_min(near,
									real_abs(pow(real_max(s.list.item[t].depth, 0), power) - real_max(o.left[k], 0)));
			CHECK(near < 1e-4, "no contact at angle %g, overlap %g", o.angle[k], o.depth[k]);
		}
	}
	printf("# contacts by brute force: 0: %lld, 1: %lld, 2: %lld, 3: %lld, 4: %lld; hardly apart: %lld\n",
		   (long long)count[0], (long long)count[1], (long long)count[2], (long long)count[3], (long long)count[4],
		   (long long)flat);
	CHECK(count[2] > 0 && count[1] > 0, "%lld with two contacts", (long long)count[2]);
	stage_clear(&s);
}

/* A body moves along a line through a tube and beyond its ends: neither the total force nor the torque jumps. */
static void forces_change_without_a_jump(void **state)
{
	(void)state;
	stage s = {0};
	real worst = 0, twist = 0;
	int64_t jumps = 0;
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 2);
		placed b = body_in(&s, &r, 0.6);
		const vec3 way = v3_unit(random_in(&r, 1)), spin = v3_mul(0.5, v3_unit(random_in(&r, 1))), from = b.at;
		const quat turn = scree_random_rotation(&r);
		const real step = 2e-4;
		vec3 last = v3(0, 0, 0), twisted = v3(0, 0, 0);
		real least = INFINITY;
		for (int k = 0; k < 64; ++k) least = real_min(least, depth_at(s.wall.row, &b, k * SCREE_PI / 32));
		if (least > -0.2 * b.size) continue; /* the tube may be too narrow for the body in all directions */
		for (int k = 0; k < 1000; ++k) {
			b.at = v3_madd(from, k * step, way);
			b.turn = quat_matrix(quat_mul(quat_exp(v3_mul(k * step, spin), 1), turn));
			vec3 force = v3(0, 0, 0), couple = v3(0, 0, 0);
			meet(&s, &b, 0, 1);
			for (int32_t t = 0; t < s.list.count; ++t) {
				const vec3 f = v3_mul(s.list.item[t].depth, s.list.item[t].normal);
				force = v3_add(force, f);
				couple = v3_add(couple, v3_cross(s.list.at[s.list.item[t].first], f));
			}
			const real jump = v3_norm(v3_sub(force, last)), turns = v3_norm(v3_sub(couple, twisted));
			if (k) worst = real_max(worst, jump), twist = real_max(twist, turns);
			if (k) CHECK(jump < 50 * step, "the force jumps by %g at step %d", jump, k);
			jumps += k && turns > 100 * step; /* number of cases in which the shift of a contact is at its limit */
			last = force, twisted = couple;
		}
	}
	printf("# greatest change in a step of 2e-4: of the force %.3g, of the couple %.3g, %lld jumps\n", worst, twist,
		   (long long)jumps);
	CHECK(jumps * 10 <= test_cases(60), "the couple jumps %lld times", (long long)jumps);
	stage_clear(&s);
}

/* ------------------------------------------------------------------ from outside */

/* The overlap with the convex cylinder is the smallest overlap over all angles. */
static void one_contact_from_outside_is_that_of_the_least_overlap(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	int64_t hits = 0;
	FOR_SEEDS(400)
	{
		random_stream r = scree_random_start(test_seed, 3);
		const vec3 axis = v3_unit(random_in(&r, 1));
		const real radius = scree_random_between(&r, 0.05, 1.5), slope = scree_random_between(&r, -0.5, 0.5);
		const real half = test_seed % 2 ? 0.9 * radius / real_abs(slope) : 10;
		placed b = random_body(&r, 1);
		stage_clear(&s);
		if (test_seed % 2)
			assert_true(scree_walls_add_cone(&s.wall, scree_wall_default("w", 0), v3_mul(-half, axis), axis,
											 radius - half * slope, radius + half * slope, 2 * half, SIDE_OUTSIDE,
											 &why) == 0);
		else
			assert_true(scree_walls_add_cylinder(&s.wall, scree_wall_default("w", 0), v3_mul(-half, axis), axis, radius,
												 test_seed % 4 ? 2 * half : INFINITY, SIDE_OUTSIDE, &why) == 0);
		const vec3 side = v3_unit(v3_cross(axis, random_in(&r, 1)));
		b.at = v3_mul(radius + b.size * scree_random_between(&r, 0, 1), side);
		const wall *w = s.wall.row;
		real least = INFINITY, angle = 0;
		for (int k = 0; k < GRID; ++k) {
			const real deep = depth_at(w, &b, 2 * SCREE_PI * k / GRID);
			if (deep < least) least = deep, angle = 2 * SCREE_PI * k / GRID;
		}
		angle = refined(w, &b, angle, 2 * SCREE_PI / GRID, -1);
		least = depth_at(w, &b, angle);
		/* the axis is near the body or inside it */
		if (least > 0.5 * radius || v3_dot(b.at, out_at(w, angle)) < 0) continue;
		meet(&s, &b, 0, 1.5);
		bool beyond = false;
		real depth = 0;
		for (int32_t t = 0; t < s.list.count; ++t) {
			const vec3 on_wall = v3_add(b.at, s.list.at[s.list.item[t].first]);
			beyond |= real_abs(v3_dot(on_wall, axis)) > 0.8 * half;
			depth = real_max(depth, s.list.item[t].depth);
		}
		if (beyond || b.size * b.shape->radius > 0.5 * half) continue; /* it touches a rim */
		NEAR(depth, real_max(least, 0), 1e-9, "overlap");
		hits += least > 0;
	}
	printf("# %lld hits\n", (long long)hits);
	CHECK(hits > test_cases(400) / 10, "%lld hits", (long long)hits);
	stage_clear(&s);
}

/* ------------------------------------------------------------------ rims */

/* At the open end of a tube, a body touches the rim at the point of the circle closest to the body. */
static void rims_are_met_at_the_nearest_points(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	int64_t hits = 0;
	enum { POINTS = 2000 };
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 4);
		const real radius = scree_random_between(&r, 0.5, 4);
		placed b = random_body(&r, 1);
		stage_clear(&s);
		assert_true(scree_walls_add_cylinder(&s.wall, scree_wall_default("w", 0), v3(0, 0, -5), v3(0, 0, 1), radius, 5,
											 SIDE_INSIDE, &why) == 0);
		b.at = v3(radius * scree_random_between(&r, 0, 1.2), 0, 0);
		b.at.z = 0.95 * reach_of(&b, v3(0, 0, -1)); /* its lowest point is slightly below the plane of the rim */
		const smooth body = scree_smooth_of(&b, 0);
		real least = INFINITY;
		for (int k = 0; k < POINTS; ++k) {
			const real angle = 2 * SCREE_PI * k / POINTS;
			const smooth point = smooth_point(v3(radius * cos(angle), radius * sin(angle), 0));
			least = real_min(least, scree_smooth_gap(&body, &point).gap);
		}
		meet(&s, &b, 0, 1.5);
		real depth = 0;
		bool side = false;
		for (int32_t t = 0; t < s.list.count; ++t) {
			depth = real_max(depth, s.list.item[t].depth);
			side |= real_abs(s.list.item[t].normal.z) < 1e-12;
		}
		if (side) continue; /* the body touches the wall below the rim */
		NEAR(depth, real_max(-least, 0), 5e-4, "overlap with the rim");
		hits += least < 0;
	}
	printf("# %lld hits\n", (long long)hits);
	CHECK(hits > test_cases(60) / 10, "%lld hits", (long long)hits);
	stage_clear(&s);
}

/* A body of revolution on the axis of a narrow tube has the same overlap all around the rim: it has one contact, like
 * a sphere, even if rounding makes some points deeper than others. */
static void a_round_body_on_a_rim_touches_once(void **state)
{
	(void)state;
	fail why;
	stage s = {0};
	int round = 0;
	for (int32_t k = 0; k < KINDS; ++k) {
		placed b = {all.row + k, v3(0, 0, 0), quat_matrix(quat_one()), 1.3};
		if (b.shape->semi_x != b.shape->semi_y || b.shape->power_xy != 2) continue;
		const real radius = 0.6 * reach_of(&b, v3(1, 0, 0)), off[] = {0, 1e-16, 1e-14, -1e-12};
		for (size_t n = 0; n < sizeof off / sizeof *off; ++n) {
			stage_clear(&s);
			assert_true(scree_walls_add_cylinder(&s.wall, scree_wall_default("w", 0), v3(0, 0, -5), v3(0, 0, 1), radius,
												 5, SIDE_INSIDE, &why) == 0);
			b.at = v3(off[n], 0, 0.5 * reach_of(&b, v3(0, 0, 1)));
			meet(&s, &b, 0, 1.5);
			CHECK(s.list.count == 1 && s.list.item[0].depth > 0, "shape %d, %g beside the axis: %d contacts", k, off[n],
				  s.list.count);
		}
		++round;
	}
	CHECK(round > 1, "%d shapes", round);
	stage_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contacts_from_inside_are_the_peaks_over_all_angles),
		cmocka_unit_test(forces_change_without_a_jump),
		cmocka_unit_test(one_contact_from_outside_is_that_of_the_least_overlap),
		cmocka_unit_test(rims_are_met_at_the_nearest_points),
		cmocka_unit_test(a_round_body_on_a_rim_touches_once),
	};
	return cmocka_run_group_tests(tests, make_shapes, forget_shapes);
}
