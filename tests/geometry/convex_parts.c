/* Convex parts: each part is a shape, together they fill the volume inside the surface exactly once, and outer faces
 * are on the surface; convex surfaces are unchanged; counts for known grains; random blocks, granulates and nearly flat
 * grains; refusals. */
#include "test.h"

#include "base/memory.h"
#include "grains.h"
#include "shape/parts/convex_parts.h"
#include "shape/shapes.h"

/* solid angle of the surface seen from p, divided by 4 pi: 1 inside, 0 outside (van Oosterom and Strackee 1983) */
static real winding(const grain *g, vec3 p)
{
	real sum = 0;
	for (int32_t t = 0; t < g->triangles; ++t) {
		const int32_t *c = g->triangle + 3 * t;
		vec3 a = v3_sub(g->vertex[c[0]], p), b = v3_sub(g->vertex[c[1]], p), d = v3_sub(g->vertex[c[2]], p);
		real u = v3_norm(a), v = v3_norm(b), w = v3_norm(d);
		sum += 2 * scree_atan2(v3_dot(a, v3_cross(b, d)),
							   u * v * w + v3_dot(a, b) * w + v3_dot(b, d) * u + v3_dot(d, a) * v);
	}
	return sum / (4 * SCREE_PI);
}

static real extent_of(const grain *g)
{
	real most = 0;
	for (int32_t k = 0; k < g->vertices; ++k) most = real_max(most, v3_norm(v3_sub(g->vertex[k], g->vertex[0])));
	return most;
}

/* distance of p from the plane of the nearest triangle that contains its projection; a large number if there is none */
static real off_surface(const grain *g, vec3 p)
{
	real least = 1e30, size = extent_of(g);
	for (int32_t t = 0; t < g->triangles; ++t) {
		const int32_t *c = g->triangle + 3 * t;
		vec3 n = v3_unit(v3_cross(v3_sub(g->vertex[c[1]], g->vertex[c[0]]), v3_sub(g->vertex[c[2]], g->vertex[c[0]])));
		bool in = true;
		for (int k = 0; k < 3; ++k) {
			vec3 a = g->vertex[c[k]], b = g->vertex[c[(k + 1) % 3]];
			in = in && v3_dot(v3_cross(n, v3_unit(v3_sub(b, a))), v3_sub(p, a)) > -1e-9 * size;
		}
		if (in) least = real_min(least, real_abs(v3_dot(n, v3_sub(p, g->vertex[c[0]]))));
	}
	return least;
}

static vec3 face_normal(const convex_part *p, int32_t f)
{
	vec3 area = v3(0, 0, 0), a = p->vertex[p->corner[p->first[f]]];
	for (int32_t k = p->first[f] + 1; k + 1 < p->first[f + 1]; ++k)
		area = v3_add(area, v3_cross(v3_sub(p->vertex[p->corner[k]], a), v3_sub(p->vertex[p->corner[k + 1]], a)));
	return v3_unit(area);
}

/* smallest depth below the planes; negative outside */
static real depth(const convex_part *p, vec3 x)
{
	real least = 1e30;
	for (int32_t f = 0; f < p->faces; ++f)
		least = real_min(least, v3_dot(face_normal(p, f), v3_sub(p->vertex[p->corner[p->first[f]]], x)));
	return least;
}

/* a random point on a face */
static vec3 on_face(random_stream *r, const convex_part *p, int32_t f)
{
	vec3 sum = v3(0, 0, 0);
	real all = 0;
	for (int32_t k = p->first[f]; k < p->first[f + 1]; ++k) {
		real w = scree_random_between(r, 0.01, 1);
		sum = v3_madd(sum, w, p->vertex[p->corner[k]]);
		all += w;
	}
	return v3_mul(1 / all, sum);
}

static real volume_off = 2e-12;

static void check_faces(random_stream *r, const grain *g, const convex_part *p, real size)
{
	for (int32_t f = 0; f < p->faces; ++f) {
		vec3 x = on_face(r, p, f), n = face_normal(p, f);
		CHECK(p->inner[f] >= 0 && p->inner[f] <= 1, "share %g", p->inner[f]);
		if (p->inner[f] == 0) CHECK(off_surface(g, x) < 1e-9 * size, "face %d: %g off", f, off_surface(g, x) / size);
		if (volume_off < 1e-11 && p->inner[f] == 1 && depth(p, v3_madd(x, -1e-9 * size, n)) > 0)
			NEAR(winding(g, v3_madd(x, 1e-9 * size, n)), 1, 1e-6, "beyond a face inside");
	}
}

static void check_points(random_stream *r, const grain *g, const convex_parts *p, real size)
{
	vec3 low = g->vertex[0], high = low;
	for (int32_t k = 0; k < g->vertices; ++k) {
		vec3 x = g->vertex[k];
		low = v3(real_min(low.x, x.x), real_min(low.y, x.y), real_min(low.z, x.z));
		high = v3(real_max(high.x, x.x), real_max(high.y, x.y), real_max(high.z, x.z));
	}
	for (int n = 0; n < 60; ++n) {
		vec3 x = v3(scree_random_between(r, low.x, high.x), scree_random_between(r, low.y, high.y),
					scree_random_between(r, low.z, high.z));
		int32_t in = 0, near = 0;
		for (int32_t k = 0; k < p->count; ++k) {
			real d = depth(p->part + k, x);
			in += d > 1e-9 * size;
			near += real_abs(d) <= 1e-9 * size;
		}
		if (!near) CHECK(in == (winding(g, x) > 0.5), "a point is in %d parts, winding number %g", in, winding(g, x));
	}
}

/* relative tolerances allow for parts that are flat to 1e-11, which count as flat */

static void check_parts(random_stream *r, const grain *g, const convex_parts *p)
{
	real volume = 0, size = extent_of(g), cube = size * size * size;
	for (int32_t k = 0; k < p->count; ++k) {
		const convex_part *c = p->part + k;
		shapes alone = {0};
		fail why = {0};
		int32_t row =
			scree_shapes_add_convex(&alone, "part", c->vertices, c->vertex, c->faces, c->first, c->corner, &why);
		CHECK(row == 0, "part %d: %s", k, why.text);
		NEAR(alone.row->volume / cube, c->volume / cube, 1e-14, "volume of a part");
		volume += alone.row->volume;
		scree_shapes_free(&alone);
		check_faces(r, g, c, size);
	}
	NEAR(volume / grain_volume(g), 1, volume_off, "volume of all");
	NEAR(p->volume / grain_volume(g), 1, 1e-12, "volume of the surface");
	check_points(r, g, p, size);
}

/* returns the number of parts, or 0 if the shape is refused with the error message `says` */
static int32_t parts_of(random_stream *r, const grain *g, int32_t most, const char *says)
{
	int64_t used = scree_memory_used();
	convex_parts p;
	fail why = {0};
	if (!scree_convex_parts("grain", g->vertices, g->vertex, g->triangles, g->triangle, most, &p, &why)) {
		CHECK(says && strstr(why.text, says), "%d triangles: %s", g->triangles, why.text);
		CHECK(p.count == 0 && scree_memory_used() == used, "what is refused leaves nothing");
		return 0;
	}
	check_parts(r, g, &p);
	int32_t count = p.count;
	scree_convex_parts_free(&p);
	CHECK(scree_memory_used() == used, "freed");
	return count;
}

static real random_size(random_stream *r) { return scree_exp(scree_random_between(r, -13.8, 13.8)); }

/* the shape as given, and rotated, scaled and moved three times: the number of parts is the same */
static int32_t count_of(grain g)
{
	int32_t count = 0;
	for (uint64_t k = 0; k < 4; ++k) {
		random_stream r = scree_random_start(k, 1);
		real size = k ? random_size(&r) : 1;
		grain placed = {g.vertices, g.triangles, scree_copy(g.vertex, (size_t)g.vertices, sizeof *g.vertex),
						scree_copy(g.triangle, 3 * (size_t)g.triangles, sizeof *g.triangle)};
		if (k) grain_place(&placed, size, scree_random_rotation(&r), v3_mul(size, scree_random_direction(&r)));
		int32_t now = parts_of(&r, &placed, 64, NULL);
		grain_free(&placed);
		CHECK(k == 0 || now == count, "%d parts, and %d when turned", count, now);
		count = now;
	}
	grain_free(&g);
	return count;
}

static void known(void **state)
{
	(void)state;
	int64_t drawn = 0;
#define PARTS(grain, least, most)                                                                                      \
	do {                                                                                                               \
		if (!test_drawn(drawn++)) break;                                                                               \
		int32_t count = count_of(grain);                                                                               \
		CHECK(count >= (least) && count <= (most), "%d parts, expected %d to %d", count, least, most);                 \
	} while (0)
	PARTS(grain_letter('L'), 2, 2);
	PARTS(grain_letter('U'), 3, 3);
	PARTS(grain_letter('+'), 3, 3);
	PARTS(grain_jack(0.2), 3, 7);
	PARTS(grain_tetrapod(0.15, 0.5), 4, 5);
	PARTS(grain_tetrapod(0.3, 0.5), 4, 5);
	PARTS(grain_caltrop(0.5, 1), 4, 5);
	PARTS(grain_caltrop(0.5, 0.7), 4, 5);
	PARTS(grain_star(5, 0.2), 4, 6);
	PARTS(grain_star(6, 0.3), 4, 7);
	PARTS(grain_gear(8), 5, 10);
	PARTS(grain_torus(10, 10, 1, 0.4), 5, 10);
}

/* The result is bitwise equal to the polyhedron whose faces were split into fans. */
static void same_shape(const shape *a, const char *name, int32_t parts, const convex_part *p)
{
	shapes made = {0};
	fail why = {0};
	CHECK(parts == 1, "%s: %d parts", name, parts);
	CHECK(scree_shapes_add_convex(&made, name, p->vertices, p->vertex, p->faces, p->first, p->corner, &why) == 0, "%s",
		  why.text);
	const shape *b = made.row;
	CHECK(a->vertices == b->vertices && a->faces == b->faces && a->corners == b->corners, "%s: %d faces", name,
		  b->faces);
	size_t n = (size_t)a->vertices * sizeof(real);
	CHECK(!memcmp(a->vx, b->vx, n) && !memcmp(a->vy, b->vy, n) && !memcmp(a->vz, b->vz, n), "%s: vertices", name);
	CHECK(!memcmp(a->first, b->first, ((size_t)a->faces + 1) * sizeof *a->first), "%s: faces", name);
	CHECK(!memcmp(a->corner, b->corner, (size_t)a->corners * sizeof *a->corner), "%s: loops", name);
	CHECK(!memcmp(a->off, b->off, (size_t)a->faces * sizeof *a->off), "%s: planes", name);
	CHECK(a->volume == b->volume && !memcmp(&a->inertia, &b->inertia, sizeof a->inertia), "%s: mass", name);
	CHECK(!memcmp(&a->centre, &b->centre, sizeof a->centre) && !memcmp(&a->frame, &b->frame, sizeof a->frame),
		  "%s: frame", name);
	for (int32_t f = 0; f < p->faces; ++f) CHECK(p->inner[f] == 0, "%s: a face inside", name);
	scree_shapes_free(&made);
}

static void convex_ones(void **state)
{
	(void)state;
	static const char *const solid[] = {"tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"};
	shapes all = {0};
	fail why = {0};
	for (int k = 0; k < 5; ++k) CHECK(scree_shapes_add_regular(&all, solid[k], solid[k], &why) == k, "%s", why.text);
	CHECK(scree_shapes_add_box(&all, "box", v3(1, 0.3, 0.1), &why) == 5, "%s", why.text);
	random_stream r = scree_random_start(1, 2);
	vec3 ball[502];
	for (int k = 0; k < 502; ++k) ball[k] = scree_random_direction(&r);
	CHECK(scree_shapes_add_hull(&all, "ball", 502, ball, &why) == 6, "%s", why.text);
	for (int32_t k = 0; k < all.count; ++k) {
		const shape *s = all.row + k;
		grain g = grain_of_shape(s);
		shapes back = {0}; /* the same coordinates given as faces */
		CHECK(scree_shapes_add_convex(&back, s->name, g.vertices, g.vertex, s->faces, s->first, s->corner, &why) == 0,
			  "%s", why.text);
		convex_parts p;
		CHECK(scree_convex_parts(s->name, g.vertices, g.vertex, g.triangles, g.triangle, 1, &p, &why), "%s", why.text);
		CHECK(p.part->vertices == g.vertices &&
				  !memcmp(p.part->vertex, g.vertex, (size_t)g.vertices * sizeof *g.vertex),
			  "%s: the surface's own vertices", s->name);
		same_shape(back.row, s->name, p.count, p.part);
		scree_convex_parts_free(&p);
		scree_shapes_free(&back);
		grain_free(&g);
	}
	scree_shapes_free(&all);
	/* faces of many triangles, with points inside them and on their edges; bent by less than the tolerance of shapes
	 */
	const real x[4] = {0, 0.1, 0.7, 1};
	for (uint64_t k = 0; k < 8; ++k) {
		random_stream q = scree_random_start(k, 3);
		grain g = grain_blocks(3, 3, 3, x, x, x, ((uint64_t)1 << 27) - 1);
		grain_place(&g, random_size(&q), scree_random_rotation(&q), v3(0, 0, 0));
		for (int32_t i = 0; i < g.vertices; ++i)
			g.vertex[i] = v3_madd(g.vertex[i], 1e-10 * extent_of(&g), scree_random_direction(&q));
		convex_parts p;
		CHECK(scree_convex_parts("box", g.vertices, g.vertex, g.triangles, g.triangle, 1, &p, &why), "%s", why.text);
		CHECK(p.count == 1 && p.part->faces == 6 && p.part->vertices == 8, "%d faces", p.part->faces);
		scree_convex_parts_free(&p);
		grain_free(&g);
	}
}

/* Blocks of lattice boxes, no two of which meet only at an edge or a corner. */
static bool simple(const grain *g)
{
	for (int32_t k = 0; k < 3 * g->triangles; ++k) {
		int32_t a = g->triangle[k], b = g->triangle[k % 3 == 2 ? k - 2 : k + 1], uses = 0;
		for (int32_t j = 0; j < 3 * g->triangles; ++j)
			uses += g->triangle[j] == a && g->triangle[j % 3 == 2 ? j - 2 : j + 1] == b;
		if (uses != 1) return false;
	}
	return true;
}

static void random_blocks(void **state)
{
	(void)state;
	int32_t largest = 0, cases = 0;
	FOR_SEEDS(400)
	{
		random_stream r = scree_random_start(test_seed, 4);
		real x[3][4];
		for (int i = 0; i < 12; ++i)
			x[i / 4][i % 4] = i % 4 ? x[i / 4][i % 4 - 1] + scree_random_between(&r, 0.05, 1) : 0;
		uint64_t full = (uint64_t)1 << 13;
		for (int k = 0; k < 27; ++k)
			if (scree_random_real(&r) < 0.75) full |= (uint64_t)1 << k;
		grain g = grain_blocks(3, 3, 3, x[0], x[1], x[2], full);
		if (simple(&g)) {
			real size = random_size(&r);
			if (test_seed % 2)
				grain_place(&g, size, scree_random_rotation(&r), v3_mul(size, scree_random_direction(&r)));
			int32_t count = parts_of(&r, &g, 64, NULL);
			largest = count > largest ? count : largest;
			++cases;
		}
		grain_free(&g);
	}
	CHECK(cases > 5 && largest > 5 && largest < 27, "%d cases, up to %d parts", cases, largest);
}

static void granulates(void **state)
{
	(void)state;
	int64_t cases = 0, sum = 0;
	FOR_SEEDS(12)
	{
		random_stream r = scree_random_start(test_seed, 5);
		int32_t points = 8 + (int32_t)(scree_random_bits(&r) % 43);
		grain g = grain_granulate(&r, points, test_seed % 3 ? 0.75 : 0.95);
		real size = random_size(&r);
		grain_place(&g, size, scree_random_rotation(&r), v3_mul(size, scree_random_direction(&r)));
		int32_t count = parts_of(&r, &g, 64, NULL);
		sum += count * 100 / g.triangles;
		++cases;
		grain_free(&g);
	}
	CHECK(sum < 40 * cases, "%d parts for 100 triangles", (int)(sum / cases));
}

/* After small displacements, flat faces are no longer flat: the result is correct, or the surface is refused. */
static void nearly_flat(void **state)
{
	(void)state;
	int32_t done = 0, refused = 0;
	volume_off = 1e-7;
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 6);
		grain g = test_seed % 4 == 0   ? grain_jack(0.3)
				  : test_seed % 4 == 1 ? grain_tetrapod(0.2, 0.5)
				  : test_seed % 4 == 2 ? grain_letter('U')
									   : grain_star(5, 0.25);
		real off = scree_exp(scree_random_between(&r, -34, -4));
		grain_place(&g, 1, scree_random_rotation(&r), scree_random_direction(&r));
		for (int32_t k = 0; k < g.vertices; ++k)
			g.vertex[k] = v3_madd(g.vertex[k], off * scree_random_real(&r), scree_random_direction(&r));
		int32_t count = parts_of(&r, &g, 64, "halo");
		done += count > 0;
		refused += count == 0;
		grain_free(&g);
	}
	volume_off = 2e-12;
	CHECK(test_cases(60) < 60 || done > 20, "%d done, %d refused", done, refused);
}

/* Faces with coordinates in single precision are made planar again. */
static void rounded(void **state)
{
	(void)state;
	for (uint64_t k = 0; k < 9; ++k) {
		random_stream r = scree_random_start(k, 10);
		grain g = k % 3 == 0 ? grain_jack(0.2) : k % 3 == 1 ? grain_letter('U') : grain_tetrapod(0.15, 0.5);
		grain_place(&g, 1, scree_random_rotation(&r), scree_random_direction(&r));
		for (int32_t i = 0; i < g.vertices; ++i)
			g.vertex[i] = v3((float)g.vertex[i].x, (float)g.vertex[i].y, (float)g.vertex[i].z);
		real moved;
		fail why = {0};
		CHECK(scree_convex_parts_flatten("g", g.vertices, g.vertex, g.triangles, g.triangle, 1e-6, &moved, &why), "%s",
			  why.text);
		CHECK(moved > 0 && moved < 1e-6, "moved by %g", moved);
		int32_t count = parts_of(&r, &g, 64, NULL);
		CHECK(count <= (k % 3 == 0 ? 5 : k % 3 == 1 ? 3 : 16), "%d parts", count);
		grain_free(&g);
	}
}

/* A box with a box-shaped cavity, and two separate boxes. */
static void several_surfaces(void **state)
{
	(void)state;
	const real x[6] = {0, 0.3, 0.5, 0.6, 0.8, 1}, y[4] = {0, 0.2, 0.8, 1};
	random_stream r = scree_random_start(1, 7);
	grain hollow = grain_blocks(3, 3, 3, y, y, y, (((uint64_t)1 << 27) - 1) & ~((uint64_t)1 << 13));
	int32_t count = parts_of(&r, &hollow, 64, NULL);
	CHECK(count == 6, "%d parts", count);
	grain two = grain_blocks(5, 1, 1, x, y, y, 0x13);
	count = parts_of(&r, &two, 64, NULL);
	CHECK(count == 2, "%d parts", count);
	grain_free(&hollow);
	grain_free(&two);
}

static void refusals(void **state)
{
	(void)state;
	random_stream r = scree_random_start(1, 8);
	grain g = grain_granulate(&r, 50, 0.75);
	parts_of(&r, &g, 4, "more than the 4 that are allowed: use it as a surface with a halo");
	g.triangles -= 1;
	parts_of(&r, &g, 64, "is open");
	g.triangles += 1;
	for (int32_t t = 0; t < g.triangles; ++t) {
		int32_t *c = g.triangle + 3 * t, swap = c[0];
		c[0] = c[1], c[1] = swap;
	}
	parts_of(&r, &g, 64, "oriented inwards");
	g.vertex[3].y = NAN;
	parts_of(&r, &g, 64, "finite numbers");
	g.triangle[4] = g.vertices;
	g.vertex[3].y = 0;
	parts_of(&r, &g, 64, "corner 1 of triangle 1");
	grain_free(&g);
}

/* Each call produces the same bits, regardless of earlier calls. */
static void twice(void **state)
{
	(void)state;
	random_stream r = scree_random_start(3, 9);
	grain g = grain_granulate(&r, 40, 0.8);
	convex_parts a, b;
	fail why = {0};
	CHECK(scree_convex_parts("a", g.vertices, g.vertex, g.triangles, g.triangle, 64, &a, &why), "%s", why.text);
	CHECK(scree_convex_parts("b", g.vertices, g.vertex, g.triangles, g.triangle, 64, &b, &why), "%s", why.text);
	CHECK(a.count == b.count, "%d and %d", a.count, b.count);
	for (int32_t k = 0; k < a.count; ++k) {
		const convex_part *p = a.part + k, *q = b.part + k;
		CHECK(p->vertices == q->vertices && p->faces == q->faces &&
				  !memcmp(p->vertex, q->vertex, (size_t)p->vertices * sizeof *p->vertex) &&
				  !memcmp(p->corner, q->corner, (size_t)p->first[p->faces] * sizeof *p->corner) &&
				  !memcmp(p->inner, q->inner, (size_t)p->faces * sizeof *p->inner),
			  "part %d", k);
	}
	scree_convex_parts_free(&a);
	scree_convex_parts_free(&b);
	grain_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known),	  cmocka_unit_test(convex_ones), cmocka_unit_test(random_blocks),
		cmocka_unit_test(granulates), cmocka_unit_test(nearly_flat), cmocka_unit_test(several_surfaces),
		cmocka_unit_test(rounded),	  cmocka_unit_test(refusals),	 cmocka_unit_test(twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
