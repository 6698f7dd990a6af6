/* smooth_help.h: code shared by tests of ellipsoids, superquadrics and capsules: shapes, random poses, and slow
 * measurements of a body based on libm. */
#ifndef SCREE_TESTS_SMOOTH_HELP_H
#define SCREE_TESTS_SMOOTH_HELP_H

#include "test.h"

#include "base/random.h"
#include "kernel/quat.h"
#include "narrow/narrow.h"

/* ------------------------------------------------------------------ shapes */

typedef struct squared {
	vec3 semi;
	real power_xy, power_z;
} squared;

/* adds these shapes as the first ones of a table */
SCREE_FN void add_superquadrics(shapes *s, int count, const squared *made)
{
	fail why = {0};
	for (int k = 0; k < count; ++k)
		assert_true(scree_shapes_add_superquadric(s, "s", made[k].semi, made[k].power_xy, made[k].power_z, &why) == k);
}

SCREE_FN void add_block(shapes *s, vec3 half)
{
	fail why = {0};
	vec3 p[8];
	for (int k = 0; k < 8; ++k) p[k] = v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
	assert_true(scree_shapes_add_hull(s, "box", 8, p, &why) >= 0);
}

/* the hull of points on an ellipsoid */
SCREE_FN void add_pebble(shapes *s, uint64_t seed, int32_t points, vec3 half)
{
	fail why = {0};
	random_stream r = scree_random_start(seed, 1);
	vec3 p[60];
	assert_true(points <= 60);
	for (int k = 0; k < points; ++k) {
		const vec3 n = scree_random_direction(&r);
		p[k] = v3(half.x * n.x, half.y * n.y, half.z * n.z);
	}
	assert_true(scree_shapes_add_hull(s, "pebble", points, p, &why) >= 0);
}

/* A cube, a tetrahedron, a dodecahedron, a plate and a needle. */
enum { FIVE_SOLIDS = 5 };
SCREE_FN void add_five_solids(shapes *s)
{
	fail why = {0};
	add_block(s, v3(0.5, 0.5, 0.5));
	assert_true(scree_shapes_add_regular(s, "tetrahedron", "tetrahedron", &why) >= 0);
	assert_true(scree_shapes_add_regular(s, "dodecahedron", "dodecahedron", &why) >= 0);
	add_block(s, v3(1.2, 1.1, 0.1));
	add_block(s, v3(0.1, 0.15, 1.5));
}

/* ------------------------------------------------------------------ random bodies, drawn in the same order in all
 * tests
 */

SCREE_FN int32_t one_of(random_stream *r, int32_t count)
{
	return (int32_t)scree_random_between(r, 0, (real)count - 1e-9);
}

SCREE_FN vec3 random_place(random_stream *r, real far)
{
	const real x = scree_random_between(r, -far, far), y = scree_random_between(r, -far, far);
	return v3(x, y, scree_random_between(r, -far, far));
}

SCREE_FN placed random_pose(random_stream *r, const shape *s, vec3 at, real least, real most)
{
	const quat turn = scree_random_rotation(r);
	return (placed){s, at, quat_matrix(turn), scree_random_between(r, least, most)};
}

SCREE_FN placed random_placed(random_stream *r, const shape *s, real far, real least, real most)
{
	const vec3 at = random_place(r, far);
	return random_pose(r, s, at, least, most);
}

/* Direction k of n directions spread evenly over the sphere (Fibonacci). */
SCREE_FN vec3 spread(int k, int n)
{
	const real z = 1 - (2 * k + 1) / (real)n, rho = sqrt(1 - z * z), angle = k * 2.39996322972865332;
	return v3(rho * cos(angle), rho * sin(angle), z);
}

/* ------------------------------------------------------------------ measures */

/* Inside-outside function of superquadrics and spheres from the textbook equation: 1 on the surface and less inside. */
SCREE_FN real inside_outside(const placed *p, vec3 x)
{
	const vec3 own = v3_mul(1 / p->size, mat3_tmul(p->turn, v3_sub(x, p->at)));
	if (p->shape->type == SHAPE_SPHERE) return v3_norm(own) / p->shape->radius;
	const real q = p->shape->power_xy, e = p->shape->power_z;
	const real sum = pow(fabs(own.x / p->shape->semi_x), q) + pow(fabs(own.y / p->shape->semi_y), q);
	return pow(pow(sum, e / q) + pow(fabs(own.z / p->shape->semi_z), e), 1 / e);
}

/* largest n.x over the body, relative to its centre */
SCREE_FN real reach_of(const placed *p, vec3 n)
{
	const shape *s = p->shape;
	const vec3 v = mat3_tmul(p->turn, n);
	if (s->type == SHAPE_SPHERE) return p->size * s->radius;
	if (s->type == SHAPE_CAPSULE) return p->size * ((s->semi_z - s->semi_x) * fabs(v.z) + s->semi_x);
	if (s->type == SHAPE_CONVEX) {
		real far = -INFINITY;
		for (int32_t k = 0; k < s->vertices; ++k) far = real_max(far, v3_dot(v, shape_vertex(s, k)));
		return p->size * far;
	}
	const real q = s->power_xy / (s->power_xy - 1), e = s->power_z / (s->power_z - 1);
	const real sum = pow(fabs(v.x * s->semi_x), q) + pow(fabs(v.y * s->semi_y), q);
	return p->size * pow(pow(sum, e / q) + pow(fabs(v.z * s->semi_z), e), 1 / e);
}

SCREE_FN real gap_along(const placed *a, const placed *b, vec3 n)
{
	return v3_dot(n, v3_sub(b->at, a->at)) - reach_of(a, n) - reach_of(b, v3_neg(n));
}

#endif
