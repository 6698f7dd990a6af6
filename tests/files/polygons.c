/* Polygons of mesh files: any simple polygon (concave, with corners on straight sides, with holes connected by
 * bridges, rotated in space and rounded to the digits of a file) is covered exactly once by its triangles, in the same
 * orientation; polygons that cross themselves are refused. A file may contain any number of polygons. */
#include "test.h"

#include "base/maths.h"
#include "base/memory.h"
#include "format/mesh.h"
#include "kernel/quat.h"

enum { MOST = 400 };

typedef struct flat {
	int corners;
	real x[MOST], y[MOST];
} flat;

static void add(flat *p, real x, real y)
{
	assert_true(p->corners < MOST);
	p->x[p->corners] = x, p->y[p->corners++] = y;
}

static real uniform(random_stream *r) { return scree_random_real(r); }

/* corners at random distances from the origin */
static void star(flat *p, random_stream *r, int corners)
{
	for (int k = 0; k < corners; ++k) {
		real s, c, far = 0.2 + uniform(r);
		scree_sincos(2 * SCREE_PI * (k + 0.8 * uniform(r)) / corners, &s, &c);
		add(p, far * c, far * s);
	}
}

/* teeth standing on a base, with corners on the straight sides between them */
static void comb(flat *p, random_stream *r, int teeth)
{
	const int more = 1 + (int)(4 * uniform(r));
	for (int k = 0; k <= more; ++k) add(p, (real)2 * teeth * k / more, 0);
	for (int k = teeth - 1; k >= 0; --k) {
		add(p, 2 * k + 2, 1), add(p, 2 * k + 1.5, 1 + 3 * uniform(r)), add(p, 2 * k + 1, 1), add(p, 2 * k + 0.5, 1);
	}
	add(p, 0, 1);
}

/* a strip wound into a spiral */
static void spiral(flat *p, int corners)
{
	for (int side = 0; side < 2; ++side)
		for (int k = 0; k < corners; ++k) {
			real s, c, turn = 0.35 * (side ? corners - 1 - k : k), far = 1 + 0.2 * turn + (side ? 0 : 0.5);
			scree_sincos(turn, &s, &c);
			add(p, far * c, far * s);
		}
}

/* a square with square holes, each connected to the lower side by a bridge */
static void holed(flat *p, random_stream *r, int holes)
{
	add(p, 0, 0);
	for (int k = 0; k < holes; ++k) {
		const real x = k + 0.3, low = 0.2 + 0.3 * uniform(r), up = low + 0.3, wide = 0.4;
		add(p, x, 0), add(p, x, low);
		add(p, x, up), add(p, x + wide, up), add(p, x + wide, low), add(p, x, low);
		add(p, x, 0);
	}
	add(p, holes, 0), add(p, holes, 1), add(p, 0, 1);
}

static void draw(flat *p, random_stream *r, int kind)
{
	p->corners = 0;
	const int size = 3 + (int)(12 * uniform(r));
	if (kind == 0) star(p, r, size + 1);
	if (kind == 1) comb(p, r, size / 2);
	if (kind == 2) spiral(p, size + 5);
	if (kind == 3) holed(p, r, 1 + size / 4);
	if (kind == 4) {
		/* a square with a notch, starting from any corner */
		static const real at[6][2] = {{1, 2}, {0, 2}, {0, 0}, {2, 0}, {2, 1}, {1, 1}};
		for (int k = 0; k < 6; ++k) add(p, at[(k + size) % 6][0], at[(k + size) % 6][1]);
	}
	if (kind == 5) /* a triangle with extra corners on its sides, starting from one of these */
		for (int k = 0; k < 3 * size; ++k) {
			static const real at[4][2] = {{0, 0}, {3, 0}, {1, 2}, {0, 0}};
			const int turned = (k + size / 2) % (3 * size), side = turned / size;
			const real s = (real)(turned % size) / size;
			add(p, at[side][0] + s * (at[side + 1][0] - at[side][0]),
				at[side][1] + s * (at[side + 1][1] - at[side][1]));
		}
}

static real area_of(const flat *p)
{
	real sum = 0;
	for (int k = 0; k < p->corners; ++k) {
		const int n = (k + 1) % p->corners;
		sum += p->x[k] * p->y[n] - p->x[n] * p->y[k];
	}
	return sum / 2;
}

/* winding number of the outline about a point */
static int winding(const flat *p, real x, real y)
{
	int turns = 0;
	for (int k = 0; k < p->corners; ++k) {
		const int n = (k + 1) % p->corners;
		const real side = (p->x[n] - p->x[k]) * (y - p->y[k]) - (x - p->x[k]) * (p->y[n] - p->y[k]);
		if (p->y[k] <= y && p->y[n] > y) turns += side > 0;
		if (p->y[k] > y && p->y[n] <= y) turns -= side < 0;
	}
	return turns;
}

static char file[65536];

/* writes an OBJ file with this number of digits, rotated, scaled and moved; if `digits` is 0, the coordinates are
 * unchanged */
static size_t write_file(const flat *p, quat turn, real scale, vec3 from, int digits, bool back)
{
	const mat3 m = quat_matrix(turn);
	size_t n = 0;
	for (int k = 0; k < p->corners; ++k) {
		const int at = back ? p->corners - 1 - k : k;
		vec3 x = v3(scale * p->x[at], scale * p->y[at], 0);
		if (digits) x = v3_add(from, mat3_mul(m, x));
		const int shown = digits ? digits : 17;
		n += (size_t)snprintf(file + n, sizeof file - n, "v %.*g %.*g %.*g\n", shown, x.x, shown, x.y, shown, x.z);
	}
	n += (size_t)snprintf(file + n, sizeof file - n, "f");
	for (int k = 0; k < p->corners; ++k) n += (size_t)snprintf(file + n, sizeof file - n, " %d", k + 1);
	n += (size_t)snprintf(file + n, sizeof file - n, "\n");
	assert_true(n < sizeof file - 1);
	return n;
}

/* triangles of the mesh, as vertex numbers, in the plane of the polygon */
static void covers(const flat *p, const mesh *m, bool back, random_stream *r, const char *what)
{
	real sum = 0;
	flat t[MOST];
	assert_true(m->triangles <= MOST);
	for (int32_t k = 0; k < m->triangles; ++k) {
		t[k].corners = 0;
		for (int i = 0; i < 3; ++i) {
			const int32_t c = m->triangle[3 * k + i], at = back ? p->corners - 1 - c : c;
			add(t + k, p->x[at], p->y[at]);
		}
		const real own = (back ? -1 : 1) * area_of(t + k);
		CHECK(own > -1e-6, "%s: triangle %d is turned over: area %g", what, k, own);
		sum += own;
	}
	NEAR(sum, area_of(p), 1e-12, what);
	for (int n = 0; n < 40; ++n) {
		const int a = (int)(p->corners * uniform(r)), b = (int)(p->corners * uniform(r));
		const real s = 1.2 * uniform(r) - 0.1, far = 1e-3 * (uniform(r) - 0.5);
		const real x = p->x[a] + s * (p->x[b] - p->x[a]) + far, y = p->y[a] + s * (p->y[b] - p->y[a]) - 0.37 * far;
		int over = 0;
		for (int32_t k = 0; k < m->triangles; ++k) over += winding(t + k, x, y) != 0;
		CHECK(over == winding(p, x, y), "%s: %d triangles over (%g, %g), expected %d", what, over, x, y,
			  winding(p, x, y));
	}
}

static void simple(void **state)
{
	(void)state;
	static flat p;
	FOR_SEEDS(60)
	{
		random_stream r = scree_random_start(test_seed, 0);
		for (int kind = 0; kind < 6; ++kind)
			for (int turned = 0; turned < 3; ++turned) {
				draw(&p, &r, kind);
				const int digits = turned ? 6 + (int)(11 * uniform(&r)) : 0;
				const bool back = uniform(&r) < 0.5;
				const quat q = scree_random_rotation(&r);
				const real scale = scree_pow(10, 6 * uniform(&r) - 3);
				const vec3 from = turned == 2 ? v3(3 * scale, -scale, 2 * scale) : v3(0, 0, 0);
				char what[80];
				snprintf(what, sizeof what, "kind %d, %d corners, %d digits", kind, p.corners, digits);
				mesh m;
				fail why = {0};
				size_t n = write_file(&p, q, scale, from, digits, back);
				CHECK(scree_mesh_parse("polygon", "obj", file, n, &m, &why), "%s: %s", what, why.text);
				CHECK(m.triangles == p.corners - 2, "%s: %d triangles", what, m.triangles);
				covers(&p, &m, back, &r, what);
				scree_mesh_free(&m);
			}
	}
}

/* Repeated corners and spikes give fewer triangles, with the same area. */
static void repeated(void **state)
{
	(void)state;
	static const char text[] = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 1 0\nv 0 2 0\nv 3 0 0\nf 1 2 6 2 3 3 4 5\n";
	mesh m;
	fail why = {0};
	CHECK(scree_mesh_parse("spike", "obj", text, sizeof text - 1, &m, &why), "%s", why.text);
	real sum = 0;
	for (int32_t t = 0; t < m.triangles; ++t) {
		const int32_t *c = m.triangle + 3 * t;
		const vec3 a = v3_cross(v3_sub(m.vertex[c[1]], m.vertex[c[0]]), v3_sub(m.vertex[c[2]], m.vertex[c[0]]));
		CHECK(a.z > 0, "triangle %d", t);
		sum += a.z / 2;
	}
	CHECK(m.triangles == 3, "%d triangles", m.triangles);
	NEAR(sum, 3, 1e-14, "area");
	scree_mesh_free(&m);
}

static void crossing(void **state)
{
	(void)state;
	static flat p;
	static const real bow[4][2] = {{0, 0}, {2, 2}, {2, 0}, {0, 1}};
	for (int kind = 0; kind < 3; ++kind) {
		p.corners = 0;
		for (int k = 0; kind == 0 && k < 4; ++k) add(&p, bow[k][0], bow[k][1]);
		for (int k = 0; kind == 1 && k < 5; ++k) { /* a star whose five inner points are on one line */
			real s, c;
			scree_sincos(4 * SCREE_PI * k / 5, &s, &c);
			add(&p, c, s);
		}
		for (int k = 0; kind == 2 && k < 13; ++k) { /* twice around */
			real s, c;
			scree_sincos(4 * SCREE_PI * k / 13, &s, &c);
			add(&p, (1 + 0.05 * k) * c, (1 + 0.05 * k) * s);
		}
		mesh m;
		fail why = {0};
		const quat q = quat_unit((quat){0.3, 0.2, -0.5, 0.7});
		for (int digits = 0; digits < 2; ++digits) {
			size_t n = write_file(&p, q, 1, v3(1, 2, 3), 8 * digits, false);
			CHECK(!scree_mesh_parse("polygon", "obj", file, n, &m, &why), "kind %d was read", kind);
			CHECK(strstr(why.text, "crosses itself") && !m.vertex && !m.triangle, "kind %d: %s", kind, why.text);
		}
	}
}

/* Largest error due to the limited number of digits in a file. */
static void rounding(void **state)
{
	(void)state;
	static const struct {
		const char *vertices;
		real expected;
	} of[] = {
		{"v 0.374369 -0.25612 0.5\nv 1.355022 0 0\nv 0 1 0.123456\n", 0.5e-6},			 /* six decimals */
		{"v 123.456 0.00123456 0\nv 1 0 0\nv 0 1 0\n", 0.5e-3},							 /* six significant digits */
		{"v 1.23456789012345e-05 0 0\nv 1.1e-5 0 0\nv 0 -1e-5 0\n", 0.5e-19},			 /* fifteen */
		{"v 0.37436899542808577 0.1 0\nv 0.10000000149011612 0 0\nv 0 1 0\n", 0.5e-16},	 /* doubles */
		{"v 0.37436899542808533 0.25 0\nv 0.10000000149011612 0 0\nv 0 1 0\n", 0x1p-24}, /* single precision */
		{"v 0.374368995 0.25 0\nv 0.100000001 0 0\nv 0 1 0\n", 0x1p-24}, /* the same polygon with nine digits */
	};
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
		mesh m;
		fail why = {0};
		char text[256];
		int n = snprintf(text, sizeof text, "%sf 1 2 3\n", of[k].vertices);
		CHECK(scree_mesh_parse("digits", "obj", text, (size_t)n, &m, &why), "%s", why.text);
		CHECK(m.rounding > 0.99 * of[k].expected && m.rounding < 1.01 * of[k].expected, "%zu: %g instead of %g", k,
			  m.rounding, of[k].expected);
		scree_mesh_free(&m);
	}
}

/* Writes a sheet of side x side squares as text in OBJ or OFF format; the caller frees it. */
static char *sheet(const char *format, int side)
{
	const int corners = (side + 1) * (side + 1);
	const size_t room = (size_t)(100 * corners + 100);
	char *text = scree_alloc(room, 1);
	const bool obj = !strcmp(format, "obj");
	size_t at = obj ? 0 : (size_t)snprintf(text, room, "OFF\n%d %d 0\n", corners, side * side);
	for (int k = 0; k < corners; ++k)
		at += (size_t)snprintf(text + at, room - at, "%s%d %d 0\n", obj ? "v " : "", k % (side + 1), k / (side + 1));
	for (int k = 0; k < side * side; ++k) {
		const int a = k % side + k / side * (side + 1) + (obj ? 1 : 0), up = a + side + 1;
		at += (size_t)snprintf(text + at, room - at, "%s %d %d %d %d\n", obj ? "f" : "4", a, a + 1, up + 1, up);
	}
	return text;
}

/* Files with any number of polygons: the list of polygons grows while they are read. */
static void any_number(void **state)
{
	(void)state;
	static const int sides[] = {7, 8, 9, 12, 40};
	static const char *const formats[] = {"obj", "off"};
	for (int k = 0; k < 10; ++k) {
		const int side = sides[k / 2];
		const char *format = formats[k % 2];
		char *text = sheet(format, side);
		mesh m;
		fail why = {0};
		int *halves = scree_alloc((size_t)(side * side), sizeof *halves);
		CHECK(scree_mesh_parse("sheet", format, text, strlen(text), &m, &why), "%s", why.text);
		CHECK(m.triangles == 2 * side * side, "%s: %d triangles of %d squares", format, m.triangles, side * side);
		for (int32_t i = 0; i < m.triangles; ++i) {
			const vec3 *v = m.vertex;
			const int32_t *c = m.triangle + 3 * i;
			const vec3 twice = v3_cross(v3_sub(v[c[1]], v[c[0]]), v3_sub(v[c[2]], v[c[0]]));
			CHECK(twice.z == 1, "%s: triangle %d has twice the area %g", format, i, twice.z);
			const vec3 low = v3_min(v[c[0]], v3_min(v[c[1]], v[c[2]]));
			++halves[(int)low.y * side + (int)low.x];
		}
		for (int i = 0; i < side * side; ++i) CHECK(halves[i] == 2, "%s: %d halves of square %d", format, halves[i], i);
		scree_free(halves);
		scree_mesh_free(&m);
		scree_free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simple),	cmocka_unit_test(repeated),	  cmocka_unit_test(crossing),
		cmocka_unit_test(rounding), cmocka_unit_test(any_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
