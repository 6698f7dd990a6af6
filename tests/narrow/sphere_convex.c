/* Spheres and polyhedra: a brute-force search over all triangles of the surface is the oracle. */
#include "kernel/quat.h"
#include "narrow/narrow.h"
#include "shape/shapes.h"
#include "test.h"

enum { HULLS = 40 };
static shapes all;

static int make_shapes(void **state)
{
	(void)state;
	fail why = {0};
	const char *const solid[5] = {"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"};
	for (int k = 0; k < 5; ++k) assert_true(scree_shapes_add_regular(&all, solid[k], solid[k], &why) >= 0);
	random_stream r = scree_random_start(41, 0);
	for (int k = 0; all.count < HULLS && k < 1000; ++k) {
		vec3 p[32];
		int32_t n = 4 + k % 29;
		for (int32_t i = 0; i < n; ++i) {
			vec3 d = scree_random_direction(&r);
			p[i] = v3(d.x, d.y, (k % 3 == 0 ? 0.2 : 1) * d.z);
		}
		char name[16];
		snprintf(name, sizeof name, "hull%d", k);
		scree_shapes_add_hull(&all, name, n, p, &why);
	}
	return all.count == HULLS ? 0 : -1;
}

static int forget_shapes(void **state)
{
	(void)state;
	scree_shapes_free(&all);
	return 0;
}

static vec3 corner(const placed *b, int32_t k)
{
	const shape *s = b->shape;
	int32_t v = s->corner[k];
	return v3_add(b->at, mat3_mul(b->turn, v3_mul(b->size, v3(s->vx[v], s->vy[v], s->vz[v]))));
}

static real to_segment(vec3 p, vec3 a, vec3 b)
{
	vec3 e = v3_sub(b, a);
	return v3_norm(v3_sub(p, v3_madd(a, real_clamp(v3_dot(v3_sub(p, a), e) / v3_norm2(e), 0, 1), e)));
}

static real to_triangle(vec3 p, vec3 a, vec3 b, vec3 c)
{
	vec3 n = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
	bool over = v3_dot(v3_cross(v3_sub(b, a), v3_sub(p, a)), n) >= 0 &&
				v3_dot(v3_cross(v3_sub(c, b), v3_sub(p, b)), n) >= 0 &&
				v3_dot(v3_cross(v3_sub(a, c), v3_sub(p, c)), n) >= 0;
	if (over) return fabs(v3_dot(v3_sub(p, a), n));
	return real_min(to_segment(p, a, b), real_min(to_segment(p, b, c), to_segment(p, c, a)));
}

/* distance of a point from the polyhedron; inside it, minus the smallest distance from the plane of a face */
static real oracle(vec3 p, const placed *b)
{
	const shape *s = b->shape;
	real plane = -INFINITY, least = INFINITY;
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = mat3_mul(b->turn, v3(s->nx[f], s->ny[f], s->nz[f])), q = corner(b, s->first[f]);
		plane = real_max(plane, v3_dot(n, v3_sub(p, q)));
		for (int32_t k = s->first[f] + 1; k + 1 < s->first[f + 1]; ++k)
			least = real_min(least, to_triangle(p, q, corner(b, k), corner(b, k + 1)));
	}
	return plane > 0 ? least : plane;
}

/* anywhere around the polyhedron, on a vertex, on an edge, in a face, in the middle, or very close to one of these */
static vec3 random_centre(random_stream *r, const placed *b, real radius)
{
	const shape *s = b->shape;
	int kind = (int)(test_seed % 8);
	int32_t f = (int32_t)(scree_random_bits(r) % (uint32_t)s->faces), k = s->first[f];
	vec3 n = mat3_mul(b->turn, v3(s->nx[f], s->ny[f], s->nz[f])), q = corner(b, k), e = v3_sub(corner(b, k + 1), q);
	real out = kind % 2 ? 0 : radius * scree_random_between(r, -0.5, 1.2);
	if (kind < 2) return v3_madd(q, out, n);
	if (kind < 4) return v3_madd(v3_madd(q, scree_random_real(r), e), out, n);
	if (kind == 4) return v3_madd(v3_mul((real)1 / 3, v3_add(q, v3_add(corner(b, k + 1), corner(b, k + 2)))), out, n);
	if (kind == 5) return v3_madd(b->at, 1e-9 * scree_random_real(r), n);
	return v3_madd(b->at, (b->size * s->radius + radius) * scree_random_between(r, 0, 1.05), scree_random_direction(r));
}

static void agrees_with_brute_force(void **state)
{
	(void)state;
	random_stream r = scree_random_start(43, 0);
	static patch p, q;
	int64_t touching = 0;
	FOR_SEEDS(30000)
	{
		placed b = {all.row + scree_random_bits(&r) % (uint32_t)all.count, scree_random_direction(&r),
					quat_matrix(scree_random_rotation(&r)), scree_random_between(&r, 0.3, 3)};
		real radius = scree_random_between(&r, 0.01, 2);
		vec3 c = random_centre(&r, &b, radius);
		real size = radius + b.size * b.shape->radius, depth = radius - oracle(c, &b);
		scree_sphere_convex(c, radius, &b, 0, &p);
		if (fabs(depth) > 1e-12 * size) CHECK((p.points > 0) == (depth > 0), "verdict at depth %g", depth);
		int32_t hint[3] = {p.axis, (int32_t)scree_random_bits(&r), 1 + (int32_t)(scree_random_bits(&r) % 60)};
		for (int k = 0; k < 3; ++k) {
			scree_sphere_convex(c, radius, &b, hint[k], &q);
			CHECK(p.points == q.points, "hint %d changed the verdict", hint[k]);
			if (p.points)
				CHECK(!memcmp(&p.normal, &q.normal, sizeof p.normal) && p.depth == q.depth &&
						  !memcmp(p.at, q.at, sizeof *p.at),
					  "hint %d changed the contact", hint[k]);
		}
		if (!p.points) {
			CHECK(p.depth <= 0 && -p.depth <= -depth + 1e-12 * size, "%g is no bound of the distance %g", -p.depth,
				  -depth);
			continue;
		}
		++touching;
		CHECK(p.points == 1 && p.weight[0] == 1 && p.deep[0] == p.depth, "one point with all the weight");
		NEAR(p.depth, depth, 1e-12 * size, "depth");
		NEAR(v3_norm(p.normal), 1, 1e-12, "normal is a unit vector");
		/* the point is half the depth inside the sphere, and midway to the polyhedron's surface; moving the sphere
		 * outwards by the depth ends the contact */
		NEAR(v3_norm(p.at[0]), fabs(radius - depth / 2), 1e-12 * size, "half the depth inside the sphere");
		CHECK(oracle(v3_add(c, p.at[0]), &b) <= depth / 2 + 1e-12 * size,
			  "the point is farther outside than half the depth");
		NEAR(oracle(v3_madd(c, depth * (1 + 1e-9), p.normal), &b), radius, 1e-8 * size, "distance when moved out");
	}
	CHECK(touching > test_cases(10000), "hardly any contacts were tried: %lld", (long long)touching);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_brute_force)};
	return cmocka_run_group_tests(tests, make_shapes, forget_shapes);
}
