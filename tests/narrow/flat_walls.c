/* Discs, ellipses and polygons on lines and circles, with depth-based contact laws, compared with brute force, closed
 * forms, and finite differences. */
#include "flat_help.h"

typedef struct flat_wall {
	vec3 at, normal;
	real radius; /* 0: a line */
	bool inside;
} flat_wall;

static void touch_wall(const flat_body *b, const flat_wall *w, patch *out)
{
	bool polygon = b->shape.type == SHAPE_POLYGON;
	if (w->radius > 0 && polygon)
		scree_flat_depth_polygon_circle(&b->placed, w->at, w->radius, w->inside, out);
	else if (w->radius > 0)
		scree_flat_depth_round_circle(&b->placed, w->at, w->radius, w->inside, out);
	else if (polygon)
		scree_flat_depth_polygon_line(&b->placed, w->at, w->normal, out);
	else
		scree_flat_depth_round_line(&b->placed, w->at, w->normal, out);
}

static void check_patch(const patch *p)
{
	real sum = 0, most = 0;
	CHECK((p->points > 0) == (p->depth > 0) && p->points <= PATCH_POINTS, "%d points at %g", p->points, p->depth);
	CHECK(p->pitch == 0 && p->axis == 0, "pitch and axis");
	NEAR(v3_norm(p->normal), 1, 1e-14, "length of the normal");
	for (int32_t k = 0; k < p->points; ++k) {
		sum += p->weight[k];
		most = real_max(most, p->deep[k]);
		CHECK(p->weight[k] >= 0 && p->deep[k] > 0 && p->at[k].z == 0, "weight %g, overlap %g", p->weight[k],
			  p->deep[k]);
	}
	if (!p->points) return;
	NEAR(sum, 1, 1e-12, "sum of the weights");
	CHECK(most <= p->depth, "a point is deeper than the contact");
}

/* force and torque from a spring of stiffness 1 that is shared by the points */
typedef struct push {
	real x, y, couple;
} push;

static push push_of(const patch *p)
{
	push f = {0, 0, 0};
	for (int32_t k = 0; k < p->points; ++k) {
		real s = p->weight[k] * p->deep[k];
		f.x += s * p->normal.x;
		f.y += s * p->normal.y;
		f.couple += s * v3_cross(p->at[k], p->normal).z;
	}
	return f;
}

/* moves the body into a wall, to a depth of this fraction of its size */
static void at_wall(flat_body *b, flat_wall *w, random_stream *r, real deep)
{
	static patch p;
	real angle = scree_random_between(r, 0, 7), reach = reach_of(b), away = reach;
	int kind = (int)(test_seed % 3);
	*w = (flat_wall){v3(scree_random_between(r, -3, 3), scree_random_between(r, -3, 3), 0),
					 v3(cos(angle), sin(angle), 0), kind ? reach * exp(scree_random_between(r, 0.1, 4)) : 0, kind == 1};
	if (kind == 1) away = w->radius / 4;
	if (kind == 2) away = reach + w->radius;
	if (kind == 1 && test_seed % 2) {
		/* with the flat side of an ellipse facing the wall */
		bool slim = b->shape.semi_x < b->shape.semi_y;
		set_pose(b, b->placed.at, angle + (slim ? 0 : SCREE_PI / 2) + scree_random_between(r, -0.1, 0.1));
	}
	set_pose(b, v3_madd(w->at, away, w->normal), b->angle);
	for (int k = 0; k < (kind == 1 ? 8 : 1); ++k) {
		touch_wall(b, w, &p);
		set_pose(b, v3_madd(b->placed.at, p.depth - deep * b->placed.size, p.normal), b->angle);
	}
}

/* ------------------------------------------------------------------ the depth */

/* the depth from 2000 points on the border, or from the corners, which is never too large and only slightly too small
 */
static real sampled_depth(const flat_body *b, const flat_wall *w)
{
	bool disc = b->shape.type == SHAPE_SPHERE, polygon = b->shape.type == SHAPE_POLYGON;
	real most = -INFINITY;
	int n = polygon ? b->shape.flat.corners : 2000;
	for (int k = 0; k < n; ++k) {
		real x, y;
		if (polygon) {
			x = b->ring[k + 1].x;
			y = b->ring[k + 1].y;
		} else {
			x = (disc ? b->shape.radius : b->shape.semi_x) * cos(2 * SCREE_PI * k / n);
			y = (disc ? b->shape.radius : b->shape.semi_y) * sin(2 * SCREE_PI * k / n);
		}
		vec3 p = v3_add(b->placed.at, mat3_mul(b->placed.turn, v3(b->placed.size * x, b->placed.size * y, 0)));
		vec3 r = v3_sub(p, w->at);
		most = fmax(most, w->radius > 0 ? v3_norm(r) - w->radius : -v3_dot(r, w->normal));
	}
	return most;
}

static void depth_is_that_of_the_border(void **state)
{
	(void)state;
	static flat_body b;
	static patch p;
	int64_t touching = 0;
	FOR_SEEDS(6000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		flat_wall w;
		random_shape(&b, (flat_kind)(test_seed / 3 % 3), &r);
		at_wall(&b, &w, &r, scree_random_between(&r, -0.1, 0.1));
		touch_wall(&b, &w, &p);
		check_patch(&p);
		touching += p.points > 0;
		if (w.radius > 0 && !w.inside) continue;
		real size = reach_of(&b) + w.radius + 5, found = sampled_depth(&b, &w);
		real lost = b.shape.type == SHAPE_POLYGON ? 0 : 5e-6 * reach_of(&b);
		CHECK(p.depth >= found - 1e-14 * size && p.depth <= found + lost + 1e-14 * size, "depth %.17g, sampled %.17g",
			  p.depth, found);
	}
	CHECK(touching > test_cases(6000) / 3, "hardly any contacts");
}

static real depth_moved(const flat_body *b, const flat_wall *w, real x, real y, real turn)
{
	static flat_body c;
	static patch p;
	copy_body(&c, b);
	set_pose(&c, v3_add(b->placed.at, v3(x, y, 0)), b->angle + turn);
	touch_wall(&c, w, &p);
	return p.depth;
}

/* the derivative of the depth equals the derivative for a single point with all of the weight */
static void one_point_is_the_gradient(void **state)
{
	(void)state;
	static flat_body b;
	static patch p;
	real worst = 0;
	int64_t tried = 0;
	FOR_SEEDS(10000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		flat_wall w;
		random_shape(&b, (flat_kind)(test_seed / 3 % 3), &r);
		at_wall(&b, &w, &r, 1e-3);
		touch_wall(&b, &w, &p);
		if (p.points != 1) continue;
		++tried;
		real h = 1e-7 * b.placed.size, size = reach_of(&b), lever = h / size;
		real g[3] = {depth_moved(&b, &w, h, 0, 0) - depth_moved(&b, &w, -h, 0, 0),
					 depth_moved(&b, &w, 0, h, 0) - depth_moved(&b, &w, 0, -h, 0),
					 depth_moved(&b, &w, 0, 0, lever) - depth_moved(&b, &w, 0, 0, -lever)};
		real expected[3] = {-p.normal.x, -p.normal.y, -v3_cross(p.at[0], p.normal).z / size};
		for (int k = 0; k < 3; ++k) {
			real off = fabs(g[k] / (2 * h) - expected[k]), blur = 4e-16 * (size + w.radius + 5) / h;
			worst = fmax(worst, off);
			CHECK(off < 1e-4 + blur, "slope of the depth %g is not %g", g[k] / (2 * h), expected[k]);
		}
	}
	print_message("%lld slopes to %g\n", (long long)tried, worst);
	CHECK(tried > test_cases(10000) / 2, "hardly any were tried");
}

/* ------------------------------------------------------------------ several points */

static void set_box(flat_body *b, real x, real y)
{
	const real at[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
	take_corners(b, 4, at);
	b->placed.size = 1;
}

static void square_rests_flat(void **state)
{
	(void)state;
	static flat_body b;
	static patch p;
	set_box(&b, 1, 0.5);
	set_pose(&b, v3(7, 2 + 0.5 - 0.01, 0), 0);
	scree_flat_depth_polygon_line(&b.placed, v3(0, 2, 0), v3(0, 1, 0), &p);
	check_patch(&p);
	CHECK(p.points == 2, "%d points", p.points);
	for (int k = 0; k < 2; ++k) {
		NEAR(p.weight[k], 0.5, 1e-14, "half of the contact");
		NEAR(p.deep[k], 0.01, 1e-14, "overlap");
		NEAR(p.at[k].y, -0.495, 1e-14, "midway");
		NEAR(fabs(p.at[k].x), 1, 1e-14, "at the corner");
	}
	/* one corner has all the weight; after a rotation by 45 degrees, it is the lowest point of two equal sides */
	set_box(&b, 0.5, 0.5);
	set_pose(&b, v3(0, sqrt(0.5) - 0.01, 0), SCREE_PI / 4);
	scree_flat_depth_polygon_line(&b.placed, v3(0, 0, 0), v3(0, 1, 0), &p);
	CHECK(p.points == 1 && p.weight[0] == 1, "%d points", p.points);
	NEAR(p.deep[0], 0.01, 1e-14, "overlap of the corner");
	/* in a much larger drum, the box rests as if on a line */
	set_box(&b, 1, 0.5);
	real radius = 1000, sagitta = 1 / (2 * radius);
	set_pose(&b, v3(0, 0.5 + sagitta - radius - 0.01, 0), 0);
	scree_flat_depth_polygon_circle(&b.placed, v3(0, 0, 0), radius, true, &p);
	check_patch(&p);
	CHECK(p.points == 2, "%d points", p.points);
	NEAR(p.normal.y, 1, 1e-9, "upwards");
	for (int k = 0; k < 2; ++k) {
		NEAR(p.weight[k], 0.5, 1e-12, "half of the contact");
		NEAR(p.deep[k], 0.01, 1e-6, "overlap");
	}
	/* a body entirely behind the line is still pushed out */
	set_pose(&b, v3(0, -3, 0), 0.1);
	scree_flat_depth_polygon_line(&b.placed, v3(0, 0, 0), v3(0, 1, 0), &p);
	check_patch(&p);
	CHECK(p.points > 0 && p.depth > 3.5, "depth %g", p.depth);
}

/* the force exerted by a line on a polygon, computed independently by a loop over the corners of all edges */
static push plain_push(const flat_body *b, const flat_wall *w)
{
	int32_t n = b->shape.flat.corners;
	real total = 0;
	push f = {0, 0, 0};
	for (int32_t k = 0; k < n; ++k) {
		vec3 p[3], lever = v3(0, 0, 0);
		real d[3], lump = 0;
		for (int j = 0; j < 3; ++j) {
			const flat_corner *c = b->ring + 1 + (k + j + n - 1) % n;
			vec3 v = mat3_mul(b->placed.turn, v3(b->placed.size * c->x, b->placed.size * c->y, 0));
			p[j] = v;
			d[j] = v3_dot(w->normal, v3_sub(w->at, v3_add(v, b->placed.at)));
		}
		if (!(d[1] > 0)) continue;
		for (int j = 0; j < 2; ++j) {
			vec3 e = v3_sub(p[j + 1], p[j]);
			real wide = e.x * w->normal.y - e.y * w->normal.x, other = d[j ? 2 : 0];
			lump += fmax(wide, 0) * (other > 0 ? 1 : d[1] / (d[1] - other)) / 2;
		}
		lever = v3_madd(p[1], d[1] / 2, w->normal);
		real s = lump * d[1];
		total += s;
		f.x += s * d[1] * w->normal.x;
		f.y += s * d[1] * w->normal.y;
		f.couple += s * d[1] * v3_cross(lever, w->normal).z;
	}
	return (push){f.x / total, f.y / total, f.couple / total};
}

static void corners_in_a_row(void **state)
{
	(void)state;
	static flat_body b;
	static patch p;
	int64_t grouped = 0;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 3);
		flat_wall w;
		int32_t corners = test_seed % 2 ? 1000 : 3 + (int32_t)(test_seed % 40);
		random_polygon(&b, &r, corners, scree_random_between(&r, 0.1, 1));
		b.placed.size = scree_random_between(&r, 0.1, 10);
		at_wall(&b, &w, &r, scree_random_between(&r, 0, 0.3));
		touch_wall(&b, &w, &p);
		check_patch(&p);
		grouped += p.points > PATCH_POINTS / 2;
		if (w.radius > 0 || !p.points) continue;
		push f = push_of(&p), g = plain_push(&b, &w);
		real size = reach_of(&b);
		NEAR(f.x, g.x, 1e-11 * size, "force along x");
		NEAR(f.y, g.y, 1e-11 * size, "force along y");
		NEAR(f.couple, g.couple, 1e-11 * size * size, "couple");
	}
	CHECK(grouped > test_cases(2000) / 20, "hardly any contact has many points");
}

/* bisects a small motion repeatedly, choosing the half over which the force changes more; a jump would remain */
static void force_is_continuous(void **state)
{
	(void)state;
	static flat_body b, c;
	static patch p;
	real worst = 0;
	FOR_SEEDS(4000)
	{
		random_stream r = scree_random_start(test_seed, 4);
		flat_wall w;
		random_shape(&b, (flat_kind)(test_seed / 3 % 3), &r);
		at_wall(&b, &w, &r, scree_random_between(&r, 0, 0.02) * b.shape.radius);
		real size = reach_of(&b), low = 0, high = 1, angle = scree_random_between(&r, -0.05, 0.05);
		vec3 way = v3_mul(0.03 * size, scree_random_direction(&r));
		way.z = 0;
		if (w.inside && b.shape.type == SHAPE_ELLIPSE) angle /= 10;
		push end[3];
		copy_body(&c, &b);
		for (int k = 0; k < 45; ++k) {
			real at[3] = {low, (low + high) / 2, high};
			for (int j = 0; j < 3; ++j) {
				set_pose(&c, v3_madd(b.placed.at, at[j], way), b.angle + angle * at[j]);
				touch_wall(&c, &w, &p);
				end[j] = push_of(&p);
			}
			real change[2];
			for (int j = 0; j < 2; ++j)
				change[j] = fabs(end[j + 1].x - end[j].x) + fabs(end[j + 1].y - end[j].y) +
							fabs(end[j + 1].couple - end[j].couple) / size;
			if (k == 44) {
				worst = fmax(worst, fmin(change[0], change[1]) / size);
				CHECK(fmin(change[0], change[1]) < 1e-9 * size, "jumps by %g of the size", change[0] / size);
			}
			if (change[0] > change[1])
				high = at[1];
			else
				low = at[1];
		}
	}
	print_message("after 45 halves the force changes by %g of the size at most\n", worst);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_is_that_of_the_border), cmocka_unit_test(one_point_is_the_gradient),
		cmocka_unit_test(square_rests_flat),		   cmocka_unit_test(corners_in_a_row),
		cmocka_unit_test(force_is_continuous),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
