/* Compounds made from meshes that were rotated, scaled and moved, and written with few digits, have the same parts and
 * the same volume as the mesh with all digits. Faces that are not flat are not changed. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/maths.h"
#include "base/memory.h"
#include "grains.h"
#include "shape/compound.h"

enum { KINDS = 16 };

static grain grain_of(int kind)
{
	static const char *const solids[] = {"cube", "dodecahedron", "icosahedron", "octahedron"};
	const real x[4] = {0, 0.2, 0.8, 1}, radius[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	real angle[12];
	for (int k = 0; k < 12; ++k) angle[k] = k * SCREE_PI / 6;
	if (kind < 4) return grain_hollow(kind);
	if (kind == 4) return grain_jack(0.2);
	if (kind == 5) return grain_tetrapod(0.15, 0.5);
	if (kind == 6) return grain_letter('U');
	if (kind == 7) return grain_letter('L');
	if (kind == 8) return grain_star(5, 0.25);
	if (kind == 9) return grain_gear(6);
	if (kind == 10) return grain_prism(12, radius, angle, 0.5);
	if (kind == 11) return grain_blocks(3, 3, 3, x, x, x, 0x7ffffff & ~(1 << 4) & ~(1 << 13) & ~(1 << 22));
	shapes all = {0};
	fail why;
	int32_t row = scree_shapes_add_regular(&all, "s", solids[kind - 12], &why);
	CHECK(row == 0, "%s", why.text);
	grain g = grain_of_shape(all.row);
	scree_shapes_free(&all);
	return g;
}

static real round_to(real x, int digits)
{
	char text[40];
	if (digits == 0) return (real)(float)x;
	snprintf(text, sizeof text, "%.*g", digits, x);
	return strtod(text, NULL);
}

/* rounds all coordinates; returns the largest possible error */
static real round_all(grain *g, int digits)
{
	real far = 0, unit = 1;
	for (int32_t k = 0; k < g->vertices; ++k) {
		vec3 *p = g->vertex + k;
		far = real_max(far, real_max(real_abs(p->x), real_max(real_abs(p->y), real_abs(p->z))));
		*p = v3(round_to(p->x, digits), round_to(p->y, digits), round_to(p->z, digits));
	}
	while (unit > far) unit /= 10;
	while (10 * unit <= far) unit *= 10;
	return digits ? 5 * unit * scree_pow(10, -digits) : 0x1p-24 * far;
}

static int32_t parts_in(const shape *s) { return s->type == SHAPE_CONVEX ? 1 : s->parts; }

static void turned(void **state)
{
	(void)state;
	int32_t more = 0;
	FOR_SEEDS(4)
	{
		random_stream r = scree_random_start(test_seed, 11);
		for (int kind = 0; kind < KINDS; ++kind) {
			grain g = grain_of(kind);
			shapes all = {0};
			fail why = {0};
			const real size = scree_pow(10, scree_random_between(&r, -3, 3));
			const int digits = (int)scree_random_between(&r, 6, 13), shown = test_seed % 3 == 0 ? 0 : digits;
			const vec3 at = v3_mul(size * (real)(test_seed % 2), scree_random_direction(&r));
			grain_place(&g, size, scree_random_rotation(&r), at);
			int32_t exact =
				scree_shapes_add_compound(&all, "exact", g.vertices, g.vertex, g.triangles, g.triangle, &why);
			CHECK(exact == 0, "kind %d: %s", kind, why.text);
			const real rounding = round_all(&g, shown);
			int32_t row = scree_shapes_add_rounded(&all, "rounded", g.vertices, g.vertex, g.triangles, g.triangle,
												   rounding, &why);
			CHECK(row == 1, "kind %d, %d digits: %s", kind, shown, why.text);
			const shape *s = all.row, *t = all.row + 1;
			/* an inner plane that passes through several concave edges may miss some of them after rounding */
			CHECK(parts_in(t) <= 4 * parts_in(s), "kind %d, %d digits: %d parts, %d with all digits", kind, shown,
				  parts_in(t), parts_in(s));
			CHECK(s->type != SHAPE_CONVEX || t->type == SHAPE_CONVEX, "kind %d is no longer convex", kind);
			more += parts_in(t) > parts_in(s);
			const real off = 30 * rounding / s->radius;
			NEAR(t->volume / s->volume, 1, 10 * off, "volume");
			NEAR(t->inertia.x / s->inertia.x, 1, 20 * off, "inertia");
			NEAR(v3_norm(v3_sub(t->centre, s->centre)), 0, 100 * rounding, "centre");
			if (s->type == SHAPE_CONVEX)
				CHECK(s->faces == t->faces, "kind %d: %d faces of %d", kind, t->faces, s->faces);
			scree_shapes_free(&all);
			grain_free(&g);
		}
	}
	CHECK(more <= test_cases(4) * KINDS / 4 + 2, "%d with more parts", more);
}

/* A hexagonal nut with a hexagonal hole: planes of the hole pass through the outer corners of the nut until coordinates
 * are rounded. */
static grain nut(void)
{
	grain g = {0};
	for (int k = 0; k < 24; ++k) { /* outer corners first, below and above, then inner ones */
		const real r = k < 12 ? 1 : (real)0.5, angle = k % 6 * SCREE_PI / 3;
		grain_vertex(&g, v3(r * scree_cos(angle), r * scree_sin(angle), k / 6 % 2));
	}
	for (int k = 0; k < 6; ++k) {
		const int a = k, b = (k + 1) % 6;
		grain_quad(&g, a, b, b + 6, a + 6);
		grain_quad(&g, b + 12, a + 12, a + 18, b + 18);
		grain_quad(&g, a + 6, b + 6, b + 18, a + 18);
		grain_quad(&g, b, a, a + 12, b + 12);
	}
	return g;
}

static void nuts(void **state)
{
	(void)state;
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 12);
		const int digits = 9 + (int)(test_seed % 4);
		const real size = test_seed % 2 ? 1 : (real)25.4, full = (real)1.5 * sqrt((real)3) * (real)0.75;
		grain g = nut();
		grain_place(&g, size, scree_random_rotation(&r), v3(0, 0, 0));
		const real rounding = round_all(&g, digits);
		shapes all = {0};
		fail why = {0};
		const int32_t row =
			scree_shapes_add_rounded(&all, "nut", g.vertices, g.vertex, g.triangles, g.triangle, rounding, &why);
		CHECK(row == 0, "%d digits: %s", digits, why.text);
		NEAR(all.row->volume / (full * size * size * size), 1, 300 * rounding / size, "volume");
		CHECK(parts_in(all.row) <= 24, "%d digits: %d parts", digits, parts_in(all.row));
		scree_shapes_free(&all);
		grain_free(&g);
	}
}

/* A cube with a roof of height 1e-5: nine faces if the rounding error is far below this height, and otherwise the six
 * faces of a cube. */
static void shallow_roof(void **state)
{
	(void)state;
	static const int32_t quads[5][4] = {{0, 2, 3, 1}, {0, 1, 5, 4}, {0, 4, 6, 2}, {1, 3, 7, 5}, {2, 6, 7, 3}};
	grain g = {0};
	for (int k = 0; k < 8; ++k) grain_vertex(&g, v3(k & 1, k >> 1 & 1, k >> 2 & 1));
	for (int f = 0; f < 5; ++f) grain_quad(&g, quads[f][0], quads[f][1], quads[f][2], quads[f][3]);
	const int32_t top = grain_vertex(&g, v3(0.5, 0.5, 1 + 1e-5)), rim[4] = {4, 5, 7, 6};
	for (int k = 0; k < 4; ++k) grain_triangle(&g, rim[k], rim[(k + 1) % 4], top);
	shapes all = {0};
	fail why = {0};
	const int32_t fine =
		scree_shapes_add_rounded(&all, "fine", g.vertices, g.vertex, g.triangles, g.triangle, 1e-8, &why);
	const int32_t coarse =
		scree_shapes_add_rounded(&all, "coarse", g.vertices, g.vertex, g.triangles, g.triangle, 0.5e-5, &why);
	CHECK(fine == 0 && coarse == 1, "%s", why.text);
	CHECK(all.row[0].faces == 9 && all.row[1].faces == 6, "%d and %d faces", all.row[0].faces, all.row[1].faces);
	NEAR(all.row[0].volume, 1 + 1e-5 / 3, 1e-14, "volume of the roof");
	scree_shapes_free(&all);
	grain_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turned),
		cmocka_unit_test(nuts),
		cmocka_unit_test(shallow_roof),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
