/* Discs, ellipses and polygons in the plane, with depth-based contact laws, compared with dense sampling of all
 * directions using libm, with finite differences of the depth, and with closed forms. */
#include "flat_help.h"

#include "kernel/sphere_contact.h"
#include "shape/flat_support.h"

static real gap_along(const flat_body *a, const flat_body *b, real x, real y)
{
	return x * (a->placed.at.x - b->placed.at.x) + y * (a->placed.at.y - b->placed.at.y) - support_of(a, -x, -y) -
		   support_of(b, x, y);
}

static real gap_at(const flat_body *a, const flat_body *b, real angle)
{
	return gap_along(a, b, cos(angle), sin(angle));
}

/* golden-section search between two angles */
static real refined(const flat_body *a, const flat_body *b, real low, real high)
{
	const real part = 0.61803398874989485;
	real p = high - part * (high - low), q = low + part * (high - low), gp = gap_at(a, b, p), gq = gap_at(a, b, q);
	for (int k = 0; k < 60; ++k) {
		if (gp > gq) {
			high = q, q = p, gq = gp;
			p = high - part * (high - low), gp = gap_at(a, b, p);
		} else {
			low = p, p = q, gp = gq;
			q = low + part * (high - low), gq = gap_at(a, b, q);
		}
	}
	return fmax(gp, gq);
}

/* the largest gap over all directions, sampled and then refined around every local maximum that may be the largest */
static real oracle(const flat_body *a, const flat_body *b)
{
	enum { SAMPLES = 360 };
	real g[SAMPLES], most = -INFINITY, width = 2 * SCREE_PI / SAMPLES;
	for (int k = 0; k < SAMPLES; ++k) {
		g[k] = gap_at(a, b, k * width);
		most = fmax(most, g[k]);
	}
	real best = most, reach = reach_of(a) + reach_of(b) + v3_norm(v3_sub(a->placed.at, b->placed.at));
	for (int k = 0; k < SAMPLES; ++k) {
		real before = g[(k + SAMPLES - 1) % SAMPLES], after = g[(k + 1) % SAMPLES];
		/* |g'| is at most `reach`, so no value within the width of a sample can exceed this bound */
		if (g[k] >= before && g[k] >= after && g[k] + reach * width > most)
			best = fmax(best, refined(a, b, (k - 1) * width, (k + 1) * width));
	}
	return best;
}

static bool is_in(const flat_body *b, real x, real y, real slack)
{
	real c = cos(b->angle), s = sin(b->angle), p = (c * x + s * y) / b->placed.size,
		 q = (c * y - s * x) / b->placed.size;
	slack /= b->placed.size;
	if (b->shape.type != SHAPE_POLYGON) {
		bool disc = b->shape.type == SHAPE_SPHERE;
		real u = disc ? b->shape.radius : b->shape.semi_x, v = disc ? b->shape.radius : b->shape.semi_y;
		return hypot(p / u, q / v) <= 1 + slack / fmin(u, v);
	}
	for (int32_t k = 0; k < b->shape.flat.corners; ++k) {
		const flat_corner *e = b->ring + 1 + k;
		if (e->ty * (p - e->x) - e->tx * (q - e->y) > slack) return false;
	}
	return true;
}

/* from far apart to deeply overlapping; half of the pairs nearly touch */
static void place_pair(flat_body *a, flat_body *b, random_stream *r)
{
	real far = (reach_of(a) + reach_of(b)) * pow(scree_random_real(r), 1.5) * 1.1,
		 angle = scree_random_between(r, 0, 7);
	int kind = (int)(test_seed % 6);
	set_pose(b, v3(scree_random_between(r, -5, 5), scree_random_between(r, -5, 5), 0), b->angle);
	if (kind == 5) far *= 1e-9;
	set_pose(a, v3(b->placed.at.x + far * cos(angle), b->placed.at.y + far * sin(angle), 0), a->angle);
	if (kind < 3) {
		static patch p;
		real away = reach_of(a) + reach_of(b), deep = scree_random_real(r) * fmin(reach_of(a), reach_of(b));
		a->placed.at = v3(b->placed.at.x + away * cos(angle), b->placed.at.y + away * sin(angle), 0);
		scree_flat_depth_round_round(&a->placed, &b->placed, 0, &p);
		deep *= kind == 0 ? 1e-12 : kind == 1 ? -1e-5 : 0.03;
		a->placed.at = v3_madd(a->placed.at, p.depth - deep, p.normal);
	}
}

/* kinds of pairs: disc with ellipse, ellipse with ellipse, disc with polygon, ellipse with polygon */
static void random_pair(flat_body *a, flat_body *b, random_stream *r)
{
	*r = scree_random_start(test_seed, 3);
	int kind = (int)(test_seed / 6 % 4);
	random_shape(a, kind % 2 ? FLAT_ELLIPSE : FLAT_DISC, r);
	random_shape(b, kind < 2 ? FLAT_ELLIPSE : FLAT_POLYGON, r);
	place_pair(a, b, r);
}

static bool same_patch(const patch *p, const patch *q)
{
	bool same = p->points == q->points && p->depth == q->depth && !memcmp(&p->normal, &q->normal, sizeof p->normal);
	return same && (!p->points || !memcmp(p->at, q->at, sizeof *p->at));
}

static real least_radius(const flat_body *b)
{
	if (b->shape.type == SHAPE_POLYGON) return 0;
	if (b->shape.type == SHAPE_SPHERE) return b->placed.size * b->shape.radius;
	real u = fmin(b->shape.semi_x, b->shape.semi_y), v = fmax(b->shape.semi_x, b->shape.semi_y);
	return b->placed.size * u * u / v;
}

static void agrees_with_sampling(void **state)
{
	(void)state;
	static flat_body a, b;
	static patch p, q;
	int64_t touching = 0, deep = 0;
	real worst = 0;
	FOR_SEEDS(20000)
	{
		random_stream r;
		random_pair(&a, &b, &r);
		real scale = reach_of(&a) + reach_of(&b) + v3_norm(b.placed.at);
		scree_flat_depth_round_round(&a.placed, &b.placed, 0, &p);
		NEAR(v3_norm(p.normal), 1, 1e-14, "length of the normal");
		/* the depth is measured along the normal, and no direction has a smaller depth */
		NEAR(-p.depth, gap_along(&a, &b, p.normal.x, p.normal.y), 1e-14 * scale, "gap along the normal");
		real most = oracle(&a, &b);
		worst = fmax(worst, (most + p.depth) / scale);
		CHECK(-p.depth >= most - 1e-13 * scale, "gap %.17g, but %.17g was found", -p.depth, most);
		scree_flat_depth_round_round(&a.placed, &b.placed, (int32_t)scree_random_bits(&r), &q);
		CHECK(same_patch(&p, &q), "the hint changed the contact");
		CHECK((p.points > 0) == (p.depth > 0) && p.pitch == 0 && p.axis == 0, "%d points at depth %g", p.points,
			  p.depth);
		if (!p.points) continue;
		++touching;
		deep += p.depth > least_radius(&a) + least_radius(&b);
		CHECK(p.points == 1 && p.weight[0] == 1 && p.deep[0] == p.depth, "one point");
		/* midway between the point of a that is deepest inside b and a point of b */
		vec3 n = p.normal, in = v3_madd(p.at[0], -p.depth / 2, n), out = v3_madd(p.at[0], p.depth / 2, n);
		vec3 way = v3_sub(a.placed.at, b.placed.at);
		NEAR(-v3_dot(in, n), support_of(&a, -n.x, -n.y), 1e-13 * scale, "point of support of a");
		CHECK(is_in(&a, in.x, in.y, 1e-13 * scale), "it is not of a");
		/* beyond the smallest radius of curvature, the first and second derivatives may both vanish, so n is less
		 * accurate */
		real loose = p.depth < 0.9 * (least_radius(&a) + least_radius(&b)) ? 1e-13 : 2e-3;
		CHECK(is_in(&b, way.x + out.x, way.y + out.y, loose * scale), "the other one is not of b: seed %d depth %g",
			  (int)test_seed, p.depth);
	}
	int64_t cases = test_cases(20000);
	print_message("%lld of %lld touch, %lld deeper than the least radius of curvature; worst %g of the size\n",
				  (long long)touching, (long long)cases, (long long)deep, worst);
	CHECK(touching > cases / 4 && deep > cases / 20, "the cases are no mixture");
}

static real depth_moved(const flat_body *a, const flat_body *b, vec3 by, real turn_a, real turn_b)
{
	static flat_body c, d;
	static patch p;
	copy_body(&c, a);
	copy_body(&d, b);
	set_pose(&c, v3_add(a->placed.at, by), a->angle + turn_a);
	set_pose(&d, b->placed.at, b->angle + turn_b);
	scree_flat_depth_round_round(&c.placed, &d.placed, 0, &p);
	return p.depth;
}

static void force_is_the_gradient(void **state)
{
	(void)state;
	static flat_body a, b;
	static patch p;
	real worst = 0;
	int64_t tried = 0;
	FOR_SEEDS(20000)
	{
		random_stream r;
		random_pair(&a, &b, &r);
		set_pose(&a, v3_sub(a.placed.at, b.placed.at), a.angle);
		set_pose(&b, v3(0, 0, 0), b.angle);
		scree_flat_depth_round_round(&a.placed, &b.placed, 0, &p);
		real radius = least_radius(&a) + least_radius(&b), scale = reach_of(&a) + reach_of(&b);
		if (!p.points || p.depth > 0.5 * radius || radius < 1e-4 * scale) continue;
		++tried;
		real h = 1e-5 * radius, g[4], turn = h / scale;
		g[0] = (depth_moved(&a, &b, v3(h, 0, 0), 0, 0) - depth_moved(&a, &b, v3(-h, 0, 0), 0, 0)) / (2 * h);
		g[1] = (depth_moved(&a, &b, v3(0, h, 0), 0, 0) - depth_moved(&a, &b, v3(0, -h, 0), 0, 0)) / (2 * h);
		g[2] = (depth_moved(&a, &b, v3(0, 0, 0), turn, 0) - depth_moved(&a, &b, v3(0, 0, 0), -turn, 0)) / (2 * h);
		g[3] = (depth_moved(&a, &b, v3(0, 0, 0), 0, turn) - depth_moved(&a, &b, v3(0, 0, 0), 0, -turn)) / (2 * h);
		vec3 n = p.normal, from_b = v3_add(p.at[0], a.placed.at);
		real expected[4] = {-n.x, -n.y, -v3_cross(p.at[0], n).z / scale, v3_cross(from_b, n).z / scale};
		for (int k = 0; k < 4; ++k) {
			worst = fmax(worst, fabs(g[k] - expected[k]));
			NEAR(g[k], expected[k], 5e-5, "slope of the depth");
		}
	}
	print_message("%lld pairs, slopes of the depth to %g\n", (long long)tried, worst);
	CHECK(tried > test_cases(20000) / 10, "hardly any were tried");
}

/* ellipses that are circles, compared with discs */
static void circles_are_discs(void **state)
{
	(void)state;
	static flat_body a, b;
	static patch p;
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		for (int k = 0; k < 2; ++k) {
			flat_body *x = k ? &b : &a;
			random_shape(x, test_seed >> k & 1 ? FLAT_DISC : FLAT_ELLIPSE, &r);
			x->shape.semi_x = x->shape.semi_y = x->shape.radius;
			set_pose(x, v3(scree_random_between(&r, -3, 3), scree_random_between(&r, -3, 3), 0), x->angle);
		}
		real ra = reach_of(&a), rb = reach_of(&b);
		sphere_contact c = sphere_contact_of(v3_sub(a.placed.at, b.placed.at), ra, rb);
		scree_flat_depth_round_round(&a.placed, &b.placed, 0, &p);
		NEAR(p.depth, c.depth, 1e-14 * (ra + rb + 9), "depth");
		NEAR(v3_norm(v3_sub(p.normal, c.normal)), 0, 1e-14 * (ra + rb + 9) / fmin(ra + rb, ra + rb - c.depth),
			 "normal");
		if (p.points) NEAR(v3_norm(v3_sub(p.at[0], c.at)), 0, 1e-13 * (ra + rb + 9), "point");
	}
}

static void concentric_and_coincident(void **state)
{
	(void)state;
	static flat_body a, b;
	static patch p;
	FOR_SEEDS(2000)
	{
		random_stream r = scree_random_start(test_seed, 6);
		random_shape(&a, test_seed % 2 ? FLAT_DISC : FLAT_ELLIPSE, &r);
		bool same = test_seed / 2 % 2;
		if (same)
			copy_body(&b, &a);
		else
			random_shape(&b, test_seed / 4 % 2 ? FLAT_ELLIPSE : FLAT_DISC, &r);
		vec3 at = v3(scree_random_between(&r, -3, 3), scree_random_between(&r, -3, 3), 0);
		set_pose(&a, at, a.angle);
		set_pose(&b, at, b.angle);
		scree_flat_depth_round_round(&a.placed, &b.placed, 0, &p);
		NEAR(v3_norm(p.normal), 1, 1e-14, "length of the normal");
		NEAR(p.depth, -oracle(&a, &b), 1e-13 * (reach_of(&a) + reach_of(&b)), "depth");
		if (same) NEAR(p.depth, 2 * a.placed.size * a.shape.inradius, 1e-14 * reach_of(&a), "twice the shorter one");
	}
}

/* aspect ratios of 1:1000, the largest allowed, and size ratios of 1:1000 */
static void very_slender(void **state)
{
	(void)state;
	static flat_body a, b;
	static patch p;
	FOR_SEEDS(5000)
	{
		random_stream r = scree_random_start(test_seed, 7);
		random_shape(&a, FLAT_ELLIPSE, &r);
		random_shape(&b, test_seed % 2 ? FLAT_ELLIPSE : FLAT_POLYGON, &r);
		a.shape.semi_x = 1;
		a.shape.semi_y = 1e-3;
		if (test_seed % 4 == 0) a.placed.size = b.placed.size / 1000;
		place_pair(&a, &b, &r);
		real scale = reach_of(&a) + reach_of(&b) + v3_norm(b.placed.at);
		scree_flat_depth_round_round(&a.placed, &b.placed, 0, &p);
		NEAR(-p.depth, gap_along(&a, &b, p.normal.x, p.normal.y), 1e-14 * scale, "gap along the normal");
		CHECK(-p.depth >= oracle(&a, &b) - 1e-13 * scale, "not the greatest");
	}
}

static void boxes_are_tight(void **state)
{
	(void)state;
	static flat_body a;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 8);
		random_shape(&a, (flat_kind)(test_seed % 3), &r);
		if (test_seed % 5 == 0) set_pose(&a, a.placed.at, SCREE_PI / 4 * (real)(scree_random_bits(&r) % 8));
		set_pose(&a, v3(scree_random_between(&r, -3, 3), scree_random_between(&r, -3, 3), 0), a.angle);
		vec3 low, high, at = a.placed.at;
		scree_flat_box(a.placed.shape, a.placed.size, at, a.placed.turn, &low, &high);
		CHECK(low.z == 0 && high.z == 0, "the box has a height");
		real tiny = 1e-14 * (reach_of(&a) + 5);
		NEAR(high.x, at.x + support_of(&a, 1, 0), tiny, "touches on the right");
		NEAR(high.y, at.y + support_of(&a, 0, 1), tiny, "touches above");
		NEAR(low.x, at.x - support_of(&a, -1, 0), tiny, "touches on the left");
		NEAR(low.y, at.y - support_of(&a, 0, -1), tiny, "touches below");
	}
}

static void shapes_are_made(void **state)
{
	(void)state;
	shapes all = {0};
	fail why = {0};
	CHECK(scree_shapes_add_disc(&all, "disc", &why) == 0 && scree_shapes_add_ellipse(&all, "egg", 2, 0.5, &why) == 1,
		  "%s", why.text);
	const shape *d = all.row, *e = all.row + 1;
	CHECK(d->type == SHAPE_SPHERE && d->radius == 0.5 && d->inradius == 0.5, "a disc of diameter 1");
	NEAR(d->volume, SCREE_PI / 4, 1e-15, "area of the disc");
	NEAR(d->inertia.z, d->volume / 8, 1e-15, "m r^2 / 2");
	CHECK(e->type == SHAPE_ELLIPSE && e->radius == 2 && e->inradius == 0.5 && e->semi_x == 2 && e->semi_y == 0.5,
		  "axes");
	NEAR(e->volume, SCREE_PI, 1e-15, "area of the ellipse");
	NEAR(e->inertia.z, SCREE_PI * (4 + 0.25) / 4, 1e-14, "m (a^2 + b^2) / 4");
	CHECK(e->inertia.x == e->inertia.z && e->inertia.y == e->inertia.z && e->frame.w == 1, "it turns like a ball");
	const real wrong[5][2] = {{0, 1}, {1, -1}, {NAN, 1}, {1, INFINITY}, {1, 1001}};
	for (int k = 0; k < 5; ++k) {
		why.text[0] = 0;
		CHECK(scree_shapes_add_ellipse(&all, "bad", wrong[k][0], wrong[k][1], &why) == -1 && why.text[0],
			  "semi-axes %g and %g were taken", wrong[k][0], wrong[k][1]);
	}
	const char *name = "a name of more than forty-seven bytes, which is too long";
	why.text[0] = 0;
	CHECK(scree_shapes_add_disc(&all, name, &why) == -1 && why.text[0], "a long name was taken");
	CHECK(scree_shapes_add_ellipse(&all, name, 1, 1, &why) == -1 && all.count == 2, "a long name was taken");
	scree_shapes_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_sampling), cmocka_unit_test(force_is_the_gradient),
		cmocka_unit_test(circles_are_discs),	cmocka_unit_test(concentric_and_coincident),
		cmocka_unit_test(very_slender),			cmocka_unit_test(boxes_are_tight),
		cmocka_unit_test(shapes_are_made),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
