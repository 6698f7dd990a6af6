/* Areas of discs, ellipses and polygons in the plane, compared with sums of sectors and triangles in long double, and
 * with polygons with thousands of corners; force and moment compared with finite differences of these areas. */
#include "flat_help.h"

typedef long double wide;

static const wide PI = 3.14159265358979323846264338327950288L;

/* number of finite differences that are inaccurate because the area has a kink, where a corner enters the overlap or a
 * chord appears */
static int64_t bends;

/* ------------------------------------------------------------------ areas in long double */

typedef struct wide_pose {
	wide x, y, cosine, sine;
} wide_pose;

static wide_pose pose_of(const flat_body *b)
{
	return (wide_pose){b->placed.at.x, b->placed.at.y, b->placed.turn.x.x, b->placed.turn.x.y};
}

static wide_pose moved(wide_pose p, wide x, wide y, wide turn)
{
	wide c = cosl(turn), s = sinl(turn);
	return (wide_pose){p.x + x, p.y + y, p.cosine * c - p.sine * s, p.sine * c + p.cosine * s};
}

static void axes_of(const flat_body *b, wide *u, wide *v)
{
	bool disc = b->shape.type == SHAPE_SPHERE;
	*u = (wide)b->placed.size * (disc ? b->shape.radius : b->shape.semi_x);
	*v = (wide)b->placed.size * (disc ? b->shape.radius : b->shape.semi_y);
}

/* signed area common to the unit circle and the triangle between the origin, p and q */
static wide over_chord(wide px, wide py, wide qx, wide qy)
{
	wide ex = qx - px, ey = qy - py, a = ex * ex + ey * ey, b = px * ex + py * ey, c = px * px + py * py - 1;
	wide d = b * b - a * c, far = px * ey - py * ex;
	if (!(d > 0)) return atan2l(px * qy - py * qx, px * qx + py * qy) / 2;
	wide t0 = fmaxl((-b - sqrtl(d)) / a, 0), t1 = fminl((-b + sqrtl(d)) / a, 1);
	if (!(t0 < t1)) return atan2l(px * qy - py * qx, px * qx + py * qy) / 2;
	wide rx = px + t0 * ex, ry = py + t0 * ey, sx = px + t1 * ex, sy = py + t1 * ey;
	return atan2l(px * ry - py * rx, px * rx + py * ry) / 2 + far * (t1 - t0) / 2 +
		   atan2l(sx * qy - sy * qx, sx * qx + sy * qy) / 2;
}

/* common area of an ellipse and a polygon */
static wide common_area(const flat_body *a, wide_pose at, const flat_body *b, wide_pose bt)
{
	wide u, v, sum = 0;
	axes_of(a, &u, &v);
	int32_t n = b->shape.flat.corners;
	wide lx = 0, ly = 0;
	for (int32_t k = 0; k <= n; ++k) {
		const flat_corner *c = b->ring + 1 + k % n;
		wide s = b->placed.size, x = s * (bt.cosine * c->x - bt.sine * c->y) + bt.x - at.x;
		wide y = s * (bt.sine * c->x + bt.cosine * c->y) + bt.y - at.y;
		wide px = (at.cosine * x + at.sine * y) / u, py = (at.cosine * y - at.sine * x) / v;
		if (k) sum += over_chord(lx, ly, px, py);
		lx = px;
		ly = py;
	}
	return sum * u * v;
}

static wide wide_lens(wide a, wide b, wide apart)
{
	if (apart >= a + b) return 0;
	if (apart <= fabsl(a - b)) return PI * fminl(a, b) * fminl(a, b);
	wide x = (apart * apart + a * a - b * b) / (2 * apart), y = apart - x, h = sqrtl(a * a - x * x);
	return a * a * atan2l(h, x) - x * h + b * b * atan2l(h, y) - y * h;
}

/* ------------------------------------------------------------------ the gradient of an area */

/* a potential as a function of a body's pose, in long double */
typedef wide (*potential)(const flat_body *body, wide_pose at, const void *with);

/* Compares the patch's area, force and moment with the potential and its finite differences. Finite differences are
 * wrong across a kink in the area (where a corner enters or a chord begins), so the step is tiny, which long double
 * permits. */
static real compare(const flat_body *body, const patch *p, potential area, const void *with, real scale, real deep,
					real sharp)
{
	wide_pose at = pose_of(body);
	real length = p->weight[0], value = (real)area(body, at, with), got = length * p->deep[0];
	NEAR(got, value, sharp * value, "area");
	wide h = 1e-4L * fmin(deep, p->depth);
	real slope[3], blur = (real)(scale * scale * 1e-18L / h);
	for (int k = 0; k < 3; ++k) {
		wide x = k == 0 ? h : 0, y = k == 1 ? h : 0, a = k == 2 ? h / scale : 0;
		slope[k] = (real)((area(body, moved(at, x, y, a), with) - area(body, moved(at, -x, -y, -a), with)) / (2 * h));
	}
	vec3 n = p->normal;
	real expected[3] = {-length * n.x, -length * n.y, -length * v3_cross(p->at[0], n).z / scale}, worst = 0;
	for (int k = 0; k < 3; ++k) {
		real off = fabs(slope[k] - expected[k]) - blur;
		worst = fmax(worst, off / length);
		bends += off > 1e-5 * length;
		CHECK(off < 0.02 * length, "slope of the area %g is not %g", slope[k], expected[k]);
	}
	return worst;
}

/* kinks must be rare */
static void check_bends(int64_t tried, int64_t most, real worst)
{
	print_message("%lld touch; slopes to %g, %lld at bends\n", (long long)tried, worst, (long long)bends);
	CHECK(bends <= most, "%lld of %lld slopes are off", (long long)bends, (long long)tried);
	bends = 0;
}

static void check_area_patch(const patch *p)
{
	CHECK(p->pitch == 0 && p->axis == 0, "pitch and axis");
	NEAR(v3_norm(p->normal), 1, 1e-14, "length of the normal");
	CHECK(p->points == 0 || (p->points == 1 && p->deep[0] == p->depth && p->depth > 0 && p->weight[0] > 0),
		  "%d points, depth %g", p->points, p->depth);
}

/* ------------------------------------------------------------------ ellipse and polygon */

/* in contact, overlapping by a random small fraction of the smaller body's size, down to 1e-7 */
static void press(flat_body *a, flat_body *b, random_stream *r)
{
	static patch p;
	real angle = scree_random_between(r, 0, 7), away = reach_of(a) + reach_of(b);
	real deep = fmin(reach_of(a), reach_of(b)) * exp(-14 * scree_random_real(r));
	set_pose(b, v3(0, 0, 0), b->angle);
	set_pose(a, v3(away * cos(angle), away * sin(angle), 0), a->angle);
	scree_flat_depth_round_round(&a->placed, &b->placed, 0, &p);
	set_pose(a, v3_madd(a->placed.at, p.depth - deep, p.normal), a->angle);
}

/* the patch as b's */
static void see_from_b(patch *p, const flat_body *a, const flat_body *b)
{
	p->normal = v3_neg(p->normal);
	p->at[0] = v3_sub(v3_add(p->at[0], a->placed.at), b->placed.at);
}

static wide area_with(const flat_body *body, wide_pose at, const void *with)
{
	const flat_body *b = with;
	return common_area(body, at, b, pose_of(b));
}

static wide area_from(const flat_body *body, wide_pose at, const void *with)
{
	const flat_body *a = with;
	return common_area(a, pose_of(a), body, at);
}

static void round_on_polygon(void **state)
{
	(void)state;
	static flat_body a, b;
	static patch p, q;
	int64_t touching = 0, inside = 0;
	real worst = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 1);
		random_shape(&a, test_seed % 2 ? FLAT_ELLIPSE : FLAT_DISC, &r);
		random_shape(&b, FLAT_POLYGON, &r);
		press(&a, &b, &r);
		scree_flat_area_round_polygon(&a.placed, &b.placed, 0, &p);
		scree_flat_depth_round_polygon(&a.placed, &b.placed, 0, &q);
		check_area_patch(&p);
		if (!p.points) {
			CHECK(p.depth <= 0 && (q.depth > 0 || p.depth == q.depth), "not the distance");
			inside += q.depth > 0;
			real whole =
				fmin((real)SCREE_PI * a.placed.size * a.placed.size, b.shape.volume * b.placed.size * b.placed.size);
			CHECK(q.depth < 1e-12 || (real)area_with(&a, pose_of(&a), &b) > 0.01 * whole, "no push at depth %g",
				  q.depth);
			continue;
		}
		++touching;
		real scale = reach_of(&a) + reach_of(&b), sharp = 2e-15 * scale / q.depth + 1e-12;
		sharp += 1e-18 * scale * scale / (p.deep[0] * p.weight[0]);
		worst = fmax(worst, compare(&a, &p, area_with, &b, scale, q.depth, sharp));
		/* the opposite force on the other body */
		see_from_b(&p, &a, &b);
		worst = fmax(worst, compare(&b, &p, area_from, &a, scale, q.depth, sharp));
	}
	check_bends(touching, 5 + touching / 1000, worst);
	print_message("%lld within each other\n", (long long)inside);
	CHECK(touching > test_cases(20000) * 8 / 10, "hardly any contacts");
}

/* ------------------------------------------------------------------ lenses */

static void round_on_round(void **state)
{
	(void)state;
	static flat_body a, b;
	static patch p, q;
	int64_t touching = 0, inside = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 2);
		random_shape(&a, test_seed % 2 ? FLAT_ELLIPSE : FLAT_DISC, &r);
		random_shape(&b, test_seed / 2 % 2 ? FLAT_ELLIPSE : FLAT_DISC, &r);
		press(&a, &b, &r);
		scree_flat_area_round_round(&a.placed, &b.placed, 0, &p);
		scree_flat_depth_round_round(&a.placed, &b.placed, 0, &q);
		check_area_patch(&p);
		wide u, v, w, z;
		axes_of(&a, &u, &v);
		axes_of(&b, &w, &z);
		wide ra = sqrtl(u * v), rb = sqrtl(w * z), d = q.depth, h = 1e-4L * fminl(d, 2 * fminl(ra, rb) - d);
		if (!p.points) {
			CHECK(q.depth > 0 ? p.depth == 0 : p.depth == q.depth, "not the distance");
			CHECK(q.depth <= 0 || d >= 2 * fminl(ra, rb), "no push at depth %g", q.depth);
			inside += q.depth > 0;
			continue;
		}
		++touching;
		real area = (real)wide_lens(ra, rb, ra + rb - d), length = p.weight[0];
		real slope = (real)((wide_lens(ra, rb, ra + rb - d - h) - wide_lens(ra, rb, ra + rb - d + h)) / (2 * h));
		/* the depth has rounding errors proportional to the sizes */
		real blur = (real)((ra + rb) / d) * 1e-16;
		NEAR(p.deep[0] * length, area, (1e-13 + blur * 1e-2) * area + 1e-18 * (real)((ra + rb) * (ra + rb)), "area");
		NEAR(slope, length, 1e-6 * length + 1e-18 * (real)((ra + rb) * (ra + rb) / h), "chord");
		NEAR(v3_norm(v3_sub(p.normal, q.normal)), 0, 1e-15, "normal");
		NEAR(v3_cross(v3_sub(p.at[0], q.at[0]), p.normal).z, 0, 1e-14 * (reach_of(&a) + reach_of(&b)), "line of force");
		if (a.shape.type != SHAPE_SPHERE || b.shape.type != SHAPE_SPHERE) continue;
		/* discs: the contact point is the midpoint of the chord, which ends on both circles */
		vec3 across = v3(-p.normal.y, p.normal.x, 0), end = v3_madd(p.at[0], length / 2, across);
		NEAR(v3_norm(end), (real)ra, 1e-14 * (real)(ra + rb), "end of the chord, on a");
		NEAR(v3_norm(v3_sub(v3_add(end, a.placed.at), b.placed.at)), (real)rb, 1e-13 * (real)(ra + rb), "on b");
	}
	print_message("%lld touch, %lld within each other\n", (long long)touching, (long long)inside);
	CHECK(touching > test_cases(20000) * 8 / 10, "hardly any contacts");
}

/* polygons with many corners instead of ellipses, clipped by each other's edges: confirms the sums of sectors */
static void sectors_agree_with_clipping(void **state)
{
	(void)state;
	enum { CORNERS = 1000 };
	static flat_body a, b;
	FOR_SEEDS(300)
	{
		random_stream r = scree_random_start(test_seed, 3);
		random_shape(&a, FLAT_ELLIPSE, &r);
		random_shape(&b, FLAT_POLYGON, &r);
		real away = (reach_of(&a) + reach_of(&b)) * scree_random_real(&r);
		set_pose(&a, v3(away, 0, 0), a.angle);
		real x[2 * CORNERS + 400], y[2 * CORNERS + 400], u[2 * CORNERS + 400], v[2 * CORNERS + 400], twice = 0;
		wide sx, sy;
		int32_t n = CORNERS;
		axes_of(&a, &sx, &sy);
		for (int32_t k = 0; k < n; ++k) {
			real t = 2 * SCREE_PI * k / n, p = (real)sx * cos(t), q = (real)sy * sin(t);
			x[k] = away + p * cos(a.angle) - q * sin(a.angle);
			y[k] = p * sin(a.angle) + q * cos(a.angle);
		}
		for (int32_t e = 0; e < b.shape.flat.corners; ++e) {
			const flat_corner *c = b.ring + 1 + e;
			real nx = b.placed.turn.x.x * c->ty + b.placed.turn.x.y * c->tx;
			real ny = b.placed.turn.x.y * c->ty - b.placed.turn.x.x * c->tx;
			real off = b.placed.size * (c->ty * c->x - c->tx * c->y);
			int32_t made = 0;
			for (int32_t k = 0; k < n; ++k) {
				int32_t l = (k + 1) % n;
				real hk = nx * x[k] + ny * y[k] - off, hl = nx * x[l] + ny * y[l] - off;
				if (hk <= 0) u[made] = x[k], v[made++] = y[k];
				if ((hk <= 0) == (hl <= 0)) continue;
				u[made] = x[k] + hk / (hk - hl) * (x[l] - x[k]);
				v[made++] = y[k] + hk / (hk - hl) * (y[l] - y[k]);
			}
			n = made;
			memcpy(x, u, sizeof x);
			memcpy(y, v, sizeof y);
		}
		for (int32_t k = 0; k < n; ++k) twice += x[k] * y[(k + 1) % n] - x[(k + 1) % n] * y[k];
		real lost = (real)(sx * sy) * SCREE_PI * 7 / (CORNERS * (real)CORNERS);
		real found = (real)area_with(&a, pose_of(&a), &b);
		CHECK(found >= twice / 2 - 1e-9 * lost * CORNERS && found <= twice / 2 + lost, "%g beside %g", found,
			  twice / 2);
	}
}

/* ------------------------------------------------------------------ walls */

typedef struct flat_wall {
	real x, y, nx, ny, radius; /* a point and the normal of a line, or the centre and radius of a circle */
} flat_wall;

static wide under_line(const flat_body *body, wide_pose at, const void *with)
{
	const flat_wall *w = with;
	wide over = (at.x - w->x) * w->nx + (at.y - w->y) * w->ny, sum = 0, lh = 0, lu = 0;
	if (body->shape.type != SHAPE_POLYGON) {
		wide u, v, p = at.cosine * w->nx + at.sine * w->ny, q = at.cosine * w->ny - at.sine * w->nx;
		axes_of(body, &u, &v);
		wide h = sqrtl(u * u * p * p + v * v * q * q), c = over / h;
		if (c >= 1) return 0;
		if (c <= -1) return PI * u * v;
		return u * v * (atan2l(sqrtl(1 - c * c), c) - c * sqrtl(1 - c * c));
	}
	for (int32_t k = 0; k <= body->shape.flat.corners; ++k) {
		const flat_corner *c = body->ring + 1 + k % body->shape.flat.corners;
		wide s = body->placed.size, x = s * (at.cosine * c->x - at.sine * c->y),
			 y = s * (at.sine * c->x + at.cosine * c->y);
		wide h = over + x * w->nx + y * w->ny, u = x * w->ny - y * w->nx;
		if (k && (h < 0 || lh < 0)) {
			wide t0 = lh > 0 ? lh / (lh - h) : 0, t1 = h > 0 ? lh / (lh - h) : 1;
			wide h0 = lh > 0 ? 0 : lh, h1 = h > 0 ? 0 : h;
			sum -= (h0 + h1) / 2 * (t1 - t0) * (u - lu);
		}
		lh = h;
		lu = u;
	}
	return sum;
}

typedef enum wall_kind { LINE, DRUM, OBSTACLE } wall_kind;

static void by_depth(const flat_body *b, const flat_wall *w, wall_kind kind, patch *out)
{
	vec3 at = v3(w->x, w->y, 0), n = v3(w->nx, w->ny, 0);
	bool polygon = b->shape.type == SHAPE_POLYGON;
	if (kind == LINE)
		(polygon ? scree_flat_depth_polygon_line : scree_flat_depth_round_line)(&b->placed, at, n, out);
	else
		(polygon ? scree_flat_depth_polygon_circle : scree_flat_depth_round_circle)(&b->placed, at, w->radius,
																					kind == DRUM, out);
}

static void by_area(const flat_body *b, const flat_wall *w, wall_kind kind, patch *out)
{
	vec3 at = v3(w->x, w->y, 0), n = v3(w->nx, w->ny, 0);
	bool polygon = b->shape.type == SHAPE_POLYGON;
	if (kind == LINE)
		(polygon ? scree_flat_area_polygon_line : scree_flat_area_round_line)(&b->placed, at, n, out);
	else
		(polygon ? scree_flat_area_polygon_circle : scree_flat_area_round_circle)(&b->placed, at, w->radius,
																				  kind == DRUM, out);
}

/* A body at a wall, pressed into it by 1e-6 to 1 times its size, and sometimes more. */
static void at_wall(flat_body *b, flat_wall *w, wall_kind kind, random_stream *r)
{
	static patch p;
	real angle = scree_random_between(r, 0, 7), c = cos(angle), s = sin(angle), reach = reach_of(b);
	real deep = 0.4 * b->placed.size * b->shape.radius * exp(-13 * scree_random_real(r));
	if (b->shape.inradius > 0) deep *= b->shape.inradius / b->shape.radius;
	real x = scree_random_between(r, -2, 2), y = scree_random_between(r, -2, 2);
	w->radius = reach * (kind == DRUM ? exp(scree_random_between(r, 0.5, 5)) : exp(scree_random_between(r, -3, 5)));
	real away = kind == LINE ? reach : kind == DRUM ? 0.3 * w->radius : reach + w->radius;
	w->nx = c;
	w->ny = s;
	w->x = x;
	w->y = y;
	set_pose(b, v3(x + away * c, y + away * s, 0), b->angle);
	if (kind == DRUM && b->shape.type == SHAPE_ELLIPSE && test_seed % 2) {
		/* with its flat side facing the wall, where it may touch at two points */
		real tilt = angle + 0.02 * scree_random_real(r) + (b->shape.semi_x > b->shape.semi_y ? SCREE_PI / 2 : 0);
		w->radius = reach * exp(scree_random_between(r, 0.1, 1));
		set_pose(b, b->placed.at, tilt);
	}
	for (int k = 0; k < (kind == DRUM ? 6 : 1); ++k) {
		by_depth(b, w, kind, &p);
		set_pose(b, v3_madd(b->placed.at, p.depth - deep, p.normal), b->angle);
	}
}

static void areas_at_lines(void **state)
{
	(void)state;
	static flat_body b;
	static patch p, q;
	real worst = 0;
	int64_t touching = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 4);
		random_shape(&b, (flat_kind)(test_seed % 3), &r);
		flat_wall w;
		at_wall(&b, &w, LINE, &r);
		by_area(&b, &w, LINE, &p);
		by_depth(&b, &w, LINE, &q);
		check_area_patch(&p);
		if (!p.points) continue;
		++touching;
		real scale = reach_of(&b);
		worst = fmax(worst, compare(&b, &p, under_line, &w, scale, q.depth, 1e-15 * (scale + 3) / q.depth + 1e-11));
	}
	check_bends(touching, 5 + touching / 1000, worst);
	CHECK(touching > test_cases(20000) * 9 / 10, "hardly any contacts");
}

static wide outside_of_drum(const flat_body *body, wide_pose at, const void *with)
{
	static flat_body drum;
	const flat_wall *w = with;
	drum.shape = (shape){.type = SHAPE_SPHERE, .radius = 0.5};
	drum.placed.size = 2 * w->radius;
	flat_wall far = {(real)at.x, (real)at.y - 4 * reach_of(body), 0, -1, 0};
	return under_line(body, at, &far) - common_area(&drum, (wide_pose){w->x, w->y, 1, 0}, body, at);
}

static wide on_obstacle(const flat_body *body, wide_pose at, const void *with)
{
	static flat_body post;
	const flat_wall *w = with;
	post.shape = (shape){.type = SHAPE_SPHERE, .radius = 0.5};
	post.placed.size = 2 * w->radius;
	return common_area(&post, (wide_pose){w->x, w->y, 1, 0}, body, at);
}

static void polygons_at_circles(void **state)
{
	(void)state;
	static flat_body b;
	static patch p, q;
	real worst = 0;
	int64_t touching = 0;
	FOR_SEEDS(20000)
	{
		random_stream r = scree_random_start(test_seed, 5);
		random_shape(&b, FLAT_POLYGON, &r);
		flat_wall w;
		wall_kind kind = test_seed % 2 ? DRUM : OBSTACLE;
		at_wall(&b, &w, kind, &r);
		by_area(&b, &w, kind, &p);
		by_depth(&b, &w, kind, &q);
		check_area_patch(&p);
		if (!p.points) continue;
		++touching;
		real scale = reach_of(&b) + w.radius, area = p.deep[0] * p.weight[0];
		/* rounding errors of the long sums, in which large areas cancel, and in the last bit of the volume */
		real sharp = 1e-15 * (scale + 3) / q.depth + 1e-11 + 1e-18 * scale * scale / area;
		worst = fmax(worst, compare(&b, &p, kind == DRUM ? outside_of_drum : on_obstacle, &w, scale, q.depth, sharp));
	}
	check_bends(touching, 5 + touching / 1000, worst);
	CHECK(touching > test_cases(20000) * 8 / 10, "hardly any contacts");
}

/* distance from the wall's centre to the point on an ellipse at this angle */
static wide far_at(const flat_body *body, wide_pose at, const flat_wall *w, wide angle)
{
	wide u, v;
	axes_of(body, &u, &v);
	u *= cosl(angle);
	v *= sinl(angle);
	return hypotl(at.x - w->x + at.cosine * u - at.sine * v, at.y - w->y + at.sine * u + at.cosine * v);
}

/* areas of the lunes around all local maxima of the distance, which are found by sampling */
static wide lunes(const flat_body *body, wide_pose at, const void *with)
{
	enum { SAMPLES = 200 };
	const flat_wall *w = with;
	wide d[SAMPLES], sum = 0, width = 2 * PI / SAMPLES, u, v;
	axes_of(body, &u, &v);
	wide radius = sqrtl(u * v), part = 0.618033988749894848205L;
	for (int k = 0; k < SAMPLES; ++k) d[k] = far_at(body, at, w, k * width);
	for (int k = 0; k < SAMPLES; ++k) {
		if (!(d[k] > d[(k + 1) % SAMPLES] && d[k] >= d[(k + SAMPLES - 1) % SAMPLES])) continue;
		wide low = (k - 1) * width, high = (k + 1) * width;
		for (int i = 0; i < 70; ++i) {
			wide p = high - part * (high - low), q = low + part * (high - low);
			if (far_at(body, at, w, p) > far_at(body, at, w, q))
				high = q;
			else
				low = p;
		}
		wide deep = far_at(body, at, w, (low + high) / 2) - w->radius;
		if (deep > 0) sum += PI * radius * radius - wide_lens(radius, w->radius, w->radius - radius + deep);
	}
	return sum;
}

static void rounds_in_drums(void **state)
{
	(void)state;
	static flat_body b;
	static patch p, q;
	real worst = 0;
	int64_t touching = 0, twice = 0;
	FOR_SEEDS(1000)
	{
		random_stream r = scree_random_start(test_seed, 6);
		random_shape(&b, test_seed % 8 ? FLAT_ELLIPSE : FLAT_DISC, &r);
		flat_wall w;
		at_wall(&b, &w, DRUM, &r);
		by_area(&b, &w, DRUM, &p);
		by_depth(&b, &w, DRUM, &q);
		check_area_patch(&p);
		CHECK((p.points > 0) == (q.points > 0), "touches by area %d, by depth %d", p.points, q.points);
		if (!p.points) continue;
		++touching;
		twice += q.points == 2;
		real scale = reach_of(&b) + w.radius, area = p.deep[0] * p.weight[0];
		real sharp = 4e-15 * scale / q.depth + 1e-18 * scale * scale / area + 1e-11;
		if (q.points == 1) worst = fmax(worst, compare(&b, &p, lunes, &w, scale, q.depth, sharp));
		/* if there are two contact points, the sum is the resultant */
		if (q.points == 2) worst = fmax(worst, compare(&b, &p, lunes, &w, scale, q.depth, 10 * sharp));
	}
	check_bends(touching, touching / 30, worst);
	CHECK(touching > test_cases(1000) * 8 / 10, "hardly any contacts");
	CHECK(twice > test_cases(1000) / 50, "hardly any ellipse hangs between two places");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_on_polygon),
		cmocka_unit_test(round_on_round),
		cmocka_unit_test(sectors_agree_with_clipping),
		cmocka_unit_test(areas_at_lines),
		cmocka_unit_test(polygons_at_circles),
		cmocka_unit_test(rounds_in_drums),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
