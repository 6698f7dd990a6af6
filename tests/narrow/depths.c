/* Overlap of two bodies compared with the depth used by their contact law: the smallest translation that separates
 * them, found by brute force, equals the result of scree_gap, and is at most the multiple of the law's depth that the
 * thin-body guard assumes (src/narrow/bodies_into_bodies.c). Poses are random, then optimised by hill climbing. */
#include "flat_help.h"
#include "sat_help.h"

#include "narrow/flat/flat.h"
#include "narrow/narrow.h"
#include "narrow/solid/overlap.h"
#include "shape/shapes.h"

typedef void overlap_fn(const placed *a, const placed *b, int32_t hint, patch *out);

/* the multiple assumed by the guard, and a multiple that must be reached to show that the bound is tight */
typedef struct bound {
	const char *name;
	overlap_fn *of;
	bool flat;
	real most, found;
} bound;

static const bound bounds[] = {
	{"overlap", scree_thickness_convex_convex, false, 2, (real)1.45},
	{"volume", scree_overlap_convex_convex, false, 3, (real)2.9},
	{"overlap in the plane", scree_flat_thickness, true, 2, (real)1.15},
	{"area", scree_flat_area, true, 3, (real)1.9},
};
enum { BOUNDS = sizeof bounds / sizeof *bounds, TRIES = 300 };

static real log_between(random_stream *r, real low, real high)
{
	return scree_exp(scree_random_between(r, scree_log(low), scree_log(high)));
}

/* ------------------------------------------------------------------ pairs */

typedef struct pair {
	shapes solid;
	flat_body flat[2];
	placed a, b;
} pair;

/* boxes, and hulls of points on an ellipsoid, with a thickness down to 1/50 */
static int32_t add_solid(shapes *s, random_stream *r)
{
	fail why = {0};
	const vec3 edge = v3(1, log_between(r, (real)0.02, 1), log_between(r, (real)0.02, 1));
	if (scree_random_bits(r) % 4 == 0) return scree_shapes_add_box(s, "box", edge, &why);
	vec3 p[15];
	const int32_t n = 4 + (int32_t)(scree_random_bits(r) % 12);
	for (int32_t i = 0; i < n; ++i) {
		const vec3 d = scree_random_direction(r);
		p[i] = v3(edge.x * d.x, edge.y * d.y, edge.z * d.z);
	}
	return scree_shapes_add_hull(s, "hull", n, p, &why);
}

static void draw(pair *o, bool flat, random_stream *r)
{
	*o = (pair){.a.size = 1, .b.size = log_between(r, (real)0.3, 3)};
	if (flat) {
		const int first = (int)(scree_random_bits(r) % 3), more = (int)(scree_random_bits(r) % 3);
		random_shape(o->flat, (flat_kind)first, r); /* the kinds of the two bodies are in ascending order */
		random_shape(o->flat + 1, (flat_kind)(first > more ? first : more), r);
		o->a = o->flat[0].placed, o->b = o->flat[1].placed;
		return;
	}
	int32_t row[2];
	for (int k = 0; k < 2; ++k)
		while ((row[k] = add_solid(&o->solid, r)) < 0) {
		}
	o->a.shape = o->solid.row + row[0], o->b.shape = o->solid.row + row[1];
	o->a.turn = quat_matrix(scree_random_rotation(r)), o->b.turn = quat_matrix(quat_one());
}

static void turn_flat(placed *p, real angle)
{
	const mat3 m = turn_about_z(angle);
	p->turn = (mat3){mat3_mul(m, p->turn.x), mat3_mul(m, p->turn.y), mat3_mul(m, p->turn.z)};
}

/* at a random pose, or close to the last one */
static placed moved(const pair *o, const placed *from, bool anywhere, bool flat, random_stream *r)
{
	placed q = *from;
	const real reach = o->a.size * o->a.shape->radius + q.size * q.shape->radius;
	const real h = anywhere ? 3 : log_between(r, 1e-4, 1);
	vec3 d = scree_random_direction(r);
	if (flat) d.z = 0;
	q.at = anywhere ? v3_mul(reach * scree_random_real(r), d) : v3_madd(q.at, h * reach, d);
	if (flat) {
		turn_flat(&q, scree_random_between(r, -h, h));
	} else {
		const mat3 m = quat_matrix(quat_exp(scree_random_direction(r), h));
		q.turn = (mat3){mat3_mul(m, q.turn.x), mat3_mul(m, q.turn.y), mat3_mul(m, q.turn.z)};
	}
	return q;
}

/* ------------------------------------------------------------------ by brute force */

static real reach_along(const placed *p, real nx, real ny)
{
	flat_body b = {.placed = *p, .shape = *p->shape};
	if (p->shape->type == SHAPE_POLYGON)
		memcpy(b.ring + 1, p->shape->flat.corner, (size_t)p->shape->flat.corners * sizeof *b.ring);
	b.angle = atan2(p->turn.x.y, p->turn.x.x);
	return support_of(&b, nx, ny) + nx * p->at.x + ny * p->at.y;
}

static real flat_oracle(const placed *a, const placed *b)
{
	enum { ANGLES = 2000 };
	real best = INFINITY, at = 0;
	for (int round = 0; round < 3; ++round) { /* first all directions, then directions near the best one */
		const real wide = round ? 2 * SCREE_PI * pow(ANGLES / 4, -round) : SCREE_PI, middle = at;
		for (int k = 0; k <= ANGLES; ++k) {
			const real angle = middle + wide * (2 * (real)k / ANGLES - 1), x = cos(angle), y = sin(angle);
			const real deep = reach_along(a, x, y) + reach_along(b, -x, -y);
			if (deep < best) best = deep, at = angle;
		}
	}
	return best;
}

static real depth_of(const placed *a, const placed *b, bool flat) { return -scree_gap(a, b, flat); }

/* ratio of the translation to the depth of the law; 0 if the bodies are apart or overlap more than guards allow */
static real ratio(const bound *o, const placed *a, const placed *b, real most)
{
	patch p;
	p.pitch = p.arm = 0;
	p.features = (feature_counts){0};
	const real deep = depth_of(a, b, o->flat);
	if (!(deep > 0 && deep < most)) return 0;
	o->of(a, b, 0, &p);
	return p.points ? deep / p.depth : 0;
}

static real thickness(const placed *p, bool flat)
{
	if (!flat) return p->size * p->shape->thick;
	if (p->shape->type != SHAPE_POLYGON) return 2 * p->size * p->shape->inradius;
	real least = INFINITY; /* the width is at least the diameter of the inscribed ball, and at most 1.5 times that */
	for (int k = 0; k < 200; ++k) {
		const real x = cos(SCREE_PI * k / 200), y = sin(SCREE_PI * k / 200);
		least = real_min(least, reach_along(p, x, y) + reach_along(p, -x, -y));
	}
	return least / (real)1.5;
}

static real steepest(const bound *o, pair *p, random_stream *r)
{
	const real most = (real)0.5 * real_min(thickness(&p->a, o->flat), thickness(&p->b, o->flat));
	placed at = p->b;
	real best = 0;
	for (int k = 0; k < TRIES; ++k) {
		const placed q = moved(p, &at, best == 0 || k < TRIES / 4, o->flat, r);
		const real now = ratio(o, &p->a, &q, most);
		if (now > best) best = now, at = q;
	}
	if (!(best > 0)) return 0;
	const real deep = depth_of(&p->a, &at, o->flat);
	const real truth = o->flat ? flat_oracle(&p->a, &at) : -oracle(&p->a, &at), scale = p->a.size + at.size;
	CHECK(real_abs(deep - truth) < (o->flat ? 1e-5 * scale : 1e-9 * scale), "%s: depth %.9g, by brute force %.9g",
		  o->name, deep, truth);
	return best;
}

static void depths_are_within_what_the_guard_takes(void **state)
{
	(void)state;
	for (int k = 0; k < BOUNDS; ++k) {
		const bound *o = bounds + k;
		real worst = 0;
		FOR_SEEDS(60)
		{
			random_stream r = scree_random_start(test_seed, 91 + (uint64_t)k);
			static pair p;
			draw(&p, o->flat, &r);
			const real now = steepest(o, &p, &r);
			CHECK(now <= o->most * (1 + (real)1e-6), "%s: %g times as deep", o->name, now);
			worst = real_max(worst, now);
			scree_shapes_free(&p.solid);
		}
		print_message("%s: at most %.4g times the depth of the law (the guard takes %g)\n", o->name, worst, o->most);
		CHECK(worst > o->found || test_cases(60) < 60, "%s: no more than %g", o->name, worst);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(depths_are_within_what_the_guard_takes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
