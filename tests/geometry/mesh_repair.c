/* Repair of meshes: a good mesh is damaged in one way; the surface refuses it with a message that names the fault, the
 * repair reports its changes, and the repaired mesh has the volume of the good one. A mesh that cannot be repaired is
 * refused; files are written with all digits. */
#include "test.h"

#include <unistd.h>

#include "format/mesh_repair.h"
#include "grains.h"
#include "shape/mesh/trimesh_internal.h"

static mesh mesh_of(const grain *g) { return (mesh){g->vertices, g->triangles, g->vertex, g->triangle, 0, 0}; }

static int64_t whole(random_stream *r, int64_t most) { return (int64_t)(scree_random_bits(r) % (uint64_t)(most + 1)); }

enum { GRAINS = GRAIN_HOLLOWS + 2 };

static grain good_grain(int kind)
{
	const real x[3] = {-0.5, 0.1, 0.5};
	if (kind < GRAIN_HOLLOWS) return grain_hollow(kind);
	return kind == GRAIN_HOLLOWS ? grain_torus(16, 9, 0.4, 0.1) : grain_blocks(2, 2, 2, x, x, x, 0xff);
}

/* ------------------------------------------------------------------ ways to break a grain */

static int32_t *row(grain *g, int32_t t) { return g->triangle + 3 * t; }

static void drop(grain *g, int32_t t) { memmove(row(g, t), row(g, --g->triangles), 3 * sizeof(int32_t)); }

static void turn(grain *g, int32_t t)
{
	int32_t *c = row(g, t), swap = c[0];
	c[0] = c[1], c[1] = swap;
}

static void hole(grain *g, random_stream *r) { drop(g, (int32_t)whole(r, g->triangles - 1)); }

/* all triangles coplanar with this one and connected to it */
static void flat_hole(grain *g, random_stream *r)
{
	(void)r;
	for (int32_t t = g->triangles - 1; t >= 0; --t) {
		const int32_t *c = row(g, t);
		if (g->vertex[c[0]].z == g->vertex[0].z && g->vertex[c[1]].z == g->vertex[0].z &&
			g->vertex[c[2]].z == g->vertex[0].z)
			drop(g, t);
	}
}

static void copies(grain *g, random_stream *r)
{
	for (int k = 0; k < 3; ++k) {
		const int32_t *c = row(g, (int32_t)whole(r, g->triangles - 1)), one[3] = {c[0], c[1], c[2]};
		grain_triangle(g, one[1], one[2], one[0]);
	}
}

static void turned_over(grain *g, random_stream *r)
{
	for (int32_t t = 0; t < g->triangles; ++t)
		if (whole(r, 9) == 0 || t == 1) turn(g, t);
}

static void inside_out(grain *g, random_stream *r)
{
	(void)r;
	for (int32_t t = 0; t < g->triangles; ++t) turn(g, t);
}

/* each triangle has its own vertices, as in STL files */
static void no_neighbours(grain *g, random_stream *r)
{
	(void)r;
	int32_t sides = 3 * g->triangles;
	vec3 *old = g->vertex;
	g->vertex = scree_alloc((size_t)sides, sizeof *g->vertex);
	for (int32_t k = 0; k < sides; ++k) {
		g->vertex[k] = old[g->triangle[k]];
		g->triangle[k] = k;
	}
	g->vertices = sides;
	scree_free(old);
}

/* the same with rounding errors: each corner is displaced by up to 1e-7 */
static void jittered(grain *g, random_stream *r)
{
	int32_t sides = 3 * g->triangles;
	vec3 *first = scree_copy(g->vertex, (size_t)g->vertices, sizeof *first);
	no_neighbours(g, r);
	for (int32_t k = 0; k < sides; ++k)
		g->vertex[k] = v3_madd(g->vertex[k], 5e-8 * scree_random_real(r), scree_random_direction(r));
	scree_free(first);
}

static void unused(grain *g, random_stream *r)
{
	for (int k = 0; k < 3; ++k) {
		int32_t at = (int32_t)whole(r, g->vertices);
		grain_vertex(g, v3(7, 8, 9));
		for (int32_t i = g->vertices - 1; i > at; --i) g->vertex[i] = g->vertex[i - 1];
		g->vertex[at] = v3(7, 8, 9 + k);
		for (int32_t i = 0; i < 3 * g->triangles; ++i) g->triangle[i] += g->triangle[i] >= at;
	}
}

static void twice_a_vertex(grain *g, random_stream *r)
{
	const int32_t *c = row(g, (int32_t)whole(r, g->triangles - 1)), a = c[0], b = c[1];
	grain_triangle(g, a, b, a);
}

/* A vertex is added at the midpoint of a side of triangle t, but not to the neighbouring triangle; if the mesh must
 * stay closed, a triangle of zero height fills the gap between them. */
static void cut_side(grain *g, int32_t t, int k, bool closed)
{
	int32_t a = row(g, t)[k], b = row(g, t)[(k + 1) % 3], c = row(g, t)[(k + 2) % 3];
	vec3 p = v3_mul(0.5, v3_add(g->vertex[a], g->vertex[b]));
	for (int32_t i = 0; i < g->vertices; ++i) /* already split, or of zero height */
		if (v3_norm(v3_sub(g->vertex[i], p)) < 1e-9 ||
			scree_triangle_height(g->vertex[a], g->vertex[b], g->vertex[c]) < 1e-9)
			return;
	int32_t mid = grain_vertex(g, p);
	row(g, t)[0] = a, row(g, t)[1] = mid, row(g, t)[2] = c;
	grain_triangle(g, mid, b, c);
	if (closed) grain_triangle(g, a, b, mid);
}

static void no_height(grain *g, random_stream *r)
{
	for (int k = 0; k < 4; ++k) cut_side(g, (int32_t)whole(r, g->triangles - 1), (int)whole(r, 2), true);
}

static void vertex_on_side(grain *g, random_stream *r)
{
	cut_side(g, (int32_t)whole(r, g->triangles - 1), (int)whole(r, 2), false);
}

static const struct {
	const char *name;
	void (*break_it)(grain *g, random_stream *r);
	const char *refusal, *words; /* error message from the surface, report from the repair */
	real change;				 /* largest allowed change in volume */
	int from, to;				 /* kinds of grains */
} faults[] = {
	{"hole", hole, "the surface has a hole there", "filled 1 flat hole with 1 triangle (", 1e-14, 0, GRAINS},
	{"open side of a block", flat_hole, "the surface has a hole there", "filled 1 flat hole with ", 1e-14, 3, 4},
	{"open side of cubes", flat_hole, "belongs to no triangle (1 such vertex)", "filled 1 flat hole with ", 1e-14, 7,
	 8},
	{"copies", copies, "among them", "dropped ", 1e-14, 0, GRAINS},
	{"turned over", turned_over, "one of them is reversed", "turned over ", 1e-14, 0, GRAINS},
	{"inside out", inside_out, "is inside out", "turned all ", 1e-14, 0, GRAINS},
	{"no neighbours", no_neighbours, "both lie at", "welded ", 1e-14, 0, GRAINS},
	{"jittered", jittered, "the surface has a hole there", "joined ", 1e-5, 0, GRAINS},
	{"unused", unused, "belongs to no triangle (3 such vertices)", "dropped 3 vertices without triangles", 1e-14, 0,
	 GRAINS},
	{"vertex twice", twice_a_vertex, "has one vertex twice", "removed 1 triangle without height", 1e-14, 0, GRAINS},
	{"no height", no_height, "has no height", "without height", 1e-13, 0, GRAINS},
	{"vertex on side", vertex_on_side, "the surface has a hole there", "", 1e-13, 0, GRAINS},
};

static void check_repair(size_t f, int kind)
{
	random_stream r = scree_random_start(test_seed, f);
	grain g = good_grain(kind);
	if (strncmp(faults[f].name, "open", 4) && test_seed % 2)
		grain_place(&g, 1, scree_random_rotation(&r), v3(0.1, 0.2, 0.3));
	real volume = grain_volume(&g);
	faults[f].break_it(&g, &r);
	trimesh t;
	fail why = {0};
	CHECK(!scree_trimesh_build(&t, "grain", g.vertices, g.vertex, g.triangles, g.triangle, &why), "%s: not refused",
		  faults[f].name);
	CHECK(strstr(why.text, faults[f].refusal), "%s: expected '%s' in: %s", faults[f].name, faults[f].refusal, why.text);
	mesh in = mesh_of(&g), out;
	mesh_mends done;
	char text[1000];
	CHECK(scree_mesh_repair("grain", &in, &out, &done, &why), "%s, kind %d: %s", faults[f].name, kind, why.text);
	scree_mends_say(&done, text, sizeof text);
	CHECK(scree_mends_any(&done) && strstr(text, faults[f].words), "%s: expected '%s' in: %s", faults[f].name,
		  faults[f].words, text);
	CHECK(scree_trimesh_build(&t, "grain", out.vertices, out.vertex, out.triangles, out.triangle, &why), "%s: %s",
		  faults[f].name, why.text);
	NEAR(scree_trimesh_mass(&t).volume / volume, 1, faults[f].change + 1e-14, faults[f].name);
	scree_trimesh_free(&t);
	/* after that, nothing is left to repair */
	mesh again;
	CHECK(scree_mesh_repair("grain", &out, &again, &done, &why), "%s", why.text);
	scree_mends_say(&done, text, sizeof text);
	CHECK(!scree_mends_any(&done) && !strcmp(text, "nothing"), "%s: a second time: %s", faults[f].name, text);
	CHECK(again.vertices == out.vertices && again.triangles == out.triangles &&
			  !memcmp(again.vertex, out.vertex, sizeof(vec3) * (size_t)out.vertices) &&
			  !memcmp(again.triangle, out.triangle, 12 * (size_t)out.triangles),
		  "%s: a good mesh is changed", faults[f].name);
	scree_mesh_free(&again);
	scree_mesh_free(&out);
	grain_free(&g);
}

static void one_fault(void **state)
{
	(void)state;
	FOR_SEEDS(5)
	{
		for (size_t f = 0; f < sizeof faults / sizeof *faults; ++f)
			for (int kind = faults[f].from; kind < faults[f].to; ++kind) check_repair(f, kind);
	}
}

static void refused(grain *g, const char *words)
{
	mesh in = mesh_of(g), out;
	mesh_mends done;
	fail why = {0};
	CHECK(!scree_mesh_repair("grain", &in, &out, &done, &why), "not refused: '%s'", words);
	CHECK(strstr(why.text, words) && strstr(why.text, "'grain'"), "expected '%s' in: %s", words, why.text);
	CHECK(!out.vertex && !out.triangle && why.code == FAIL_INPUT, "code %d", why.code);
	grain_free(g);
}

static void refusals(void **state)
{
	(void)state;
	random_stream r = scree_random_start(1, 1);
	grain g = grain_torus(16, 9, 0.4, 0.1);
	for (int32_t t = g.triangles - 1; t >= 0; --t) /* the triangles around a vertex, which are not coplanar */
		if (row(&g, t)[0] == 5 || row(&g, t)[1] == 5 || row(&g, t)[2] == 5) drop(&g, t);
	refused(&g, "is not planar, so the missing surface cannot be reconstructed");

	g = good_grain(7); /* two triangles that share a vertex */
	int32_t first = row(&g, 0)[0];
	int dropped = 0;
	for (int32_t t = g.triangles - 1; t >= 0 && dropped < 2; --t) {
		const int32_t *c = row(&g, t), *o = row(&g, 0);
		int same = 0;
		for (int k = 0; k < 9; ++k) same += c[k / 3] == o[k % 3];
		if (t == 0 || (same == 1 && !dropped && (c[0] == first || c[1] == first || c[2] == first)))
			drop(&g, t), ++dropped;
	}
	refused(&g, "holes meet at the vertex at (");

	g = good_grain(7); /* a fin */
	grain_triangle(&g, row(&g, 0)[0], row(&g, 0)[1], grain_vertex(&g, v3(4, 5, 6)));
	refused(&g, "belongs to more than two triangles");

	g = (grain){0}; /* a strip with one twist */
	for (int k = 0; k < 10; ++k) {
		real a = 2 * SCREE_PI * k / 10, h = 0.2;
		for (int s = -1; s < 2; s += 2)
			grain_vertex(&g,
						 v3((1 + s * h * cos(a / 2)) * cos(a), (1 + s * h * cos(a / 2)) * sin(a), s * h * sin(a / 2)));
	}
	for (int k = 0; k < 10; ++k) {
		int32_t a = 2 * k, b = a + 1, c = k < 9 ? a + 2 : 1, d = k < 9 ? a + 3 : 0;
		grain_quad(&g, a, c, d, b);
	}
	refused(&g, "closes a one-sided surface");

	g = good_grain(0);
	g.vertex[3].x = INFINITY;
	refused(&g, "vertex 3 is (inf, ");
	g = good_grain(0);
	g.triangle[5] = -1;
	refused(&g, "triangle 1 names vertex -1");
	g = (grain){0};
	for (int k = 0; k < 4; ++k) grain_vertex(&g, v3(k, k, k));
	grain_triangle(&g, 0, 0, 1);
	refused(&g, "has no triangle with an area");

	g = good_grain(2); /* a surface that crosses itself: one arm passes through the opposite one */
	for (int32_t i = 0; i < g.vertices; ++i)
		if (g.vertex[i].x == 0.5) g.vertex[i].x = -0.9;
	refused(&g, "after all repairs: shape 'grain' crosses itself");
	g = good_grain(2);
	grain h = good_grain(6);
	grain_place(&h, 1, quat_one(), v3(5, 0, 0));
	for (int32_t t = 0; t < h.triangles; ++t)
		grain_triangle(&g, g.vertices + row(&h, t)[0], g.vertices + row(&h, t)[1], g.vertices + row(&h, t)[2]);
	for (int32_t i = 0; i < h.vertices; ++i) grain_vertex(&g, h.vertex[i]);
	grain_free(&h);
	refused(&g, "there are 2 closed surfaces");
	(void)r;
}

static void files(void **state)
{
	(void)state;
	random_stream r = scree_random_start(1, 2);
	grain g = good_grain(0);
	grain_place(&g, 0.1, scree_random_rotation(&r), v3(1.0 / 3, 1e-17, -1e10));
	g.vertex[0] = v3(-0.0, 4.9e-324, 1.7976931348623157e308);
	mesh in = mesh_of(&g), out;
	fail why = {0};
	size_t length;
	void *bytes = scree_mesh_ply(&in, "a grain\nelement vertex 3", &length);
	CHECK(scree_mesh_parse("grain.ply", "ply", bytes, length, &out, &why), "%s", why.text);
	CHECK(out.vertices == in.vertices && out.triangles == in.triangles &&
			  !memcmp(in.vertex, out.vertex, sizeof(vec3) * (size_t)in.vertices) &&
			  !memcmp(in.triangle, out.triangle, 12 * (size_t)in.triangles),
		  "another mesh comes back");
	scree_mesh_free(&out);
	char path[64];
	snprintf(path, sizeof path, "/tmp/scree_%d.ply", (int)getpid());
	CHECK(scree_mesh_write_ply(path, &in, NULL, &why), "%s", why.text);
	bytes = scree_grow(bytes, length, 2 * length, 1);
	FILE *file = fopen(path, "rb");
	CHECK(file && (length = fread(bytes, 1, 2 * length, file)) > 0 && fclose(file) == 0, "%s", path);
	CHECK(scree_mesh_parse(path, "ply", bytes, length, &out, &why), "%s", why.text);
	unlink(path);
	CHECK(!memcmp(in.vertex, out.vertex, sizeof(vec3) * (size_t)in.vertices), "another mesh comes back");
	scree_mesh_free(&out);
	scree_free(bytes);
	grain_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_fault),
		cmocka_unit_test(refusals),
		cmocka_unit_test(files),

	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
