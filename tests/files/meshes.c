/* Mesh files: every format yields the same cube, truncated and damaged files yield an error message, and broken files
 * yield the message stored next to them in tests/bad/meshes. */
#include "test.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/memory.h"
#include "format/mesh.h"
#include "wall/wall_surface.h"

enum { ROOM = 16384 };

typedef struct buffer {
	size_t length;
	unsigned char byte[ROOM];
} buffer;

static void put(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(buffer *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf((char *)b->byte + b->length, ROOM - b->length, format, args);
	va_end(args);
	assert_true(n >= 0 && (size_t)n < ROOM - b->length);
	b->length += (size_t)n;
}

static void put_bytes(buffer *b, const void *bytes, size_t count)
{
	assert_true(b->length + count <= ROOM);
	memcpy(b->byte + b->length, bytes, count);
	b->length += count;
}

static void put_number(buffer *b, uint64_t value, size_t bytes)
{
	unsigned char little[8];
	for (size_t k = 0; k < bytes; ++k) little[k] = (unsigned char)(value >> 8 * k);
	put_bytes(b, little, bytes);
}

static void put_big(buffer *b, uint64_t value, size_t bytes)
{
	while (bytes--) put_number(b, value >> 8 * bytes & 255, 1);
}

static void put_float(buffer *b, real x)
{
	float value = (float)x;
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_number(b, bits, 4);
}

/* The cube 0..2 made of quads; a polygon is split into a fan around its first corner. */
static const int quad[6][4] = {{0, 2, 3, 1}, {0, 1, 5, 4}, {0, 4, 6, 2}, {1, 3, 7, 5}, {2, 6, 7, 3}, {4, 5, 7, 6}};
static vec3 cube(int i) { return v3(i & 1 ? 2 : 0, i & 2 ? 2 : 0, i & 4 ? 2 : 0); }

static void stl_text(buffer *b, const char *end)
{
	put(b, "solid a cube%s", end);
	for (int f = 0; f < 6; ++f)
		for (int k = 1; k < 3; ++k) {
			put(b, " facet normal nan 0 0%s  OUTER LOOP%s", end, end);
			const int c[3] = {quad[f][0], quad[f][k], quad[f][k + 1]};
			for (int i = 0; i < 3; ++i)
				put(b, "   vertex %.1e +%g %.17f%s", cube(c[i]).x, cube(c[i]).y, cube(c[i]).z, end);
			put(b, "  endloop%s endfacet%s", end, end);
		}
	put(b, "endsolid a cube");
}

static void stl_binary(buffer *b, const char *header)
{
	char first[80] = {0};
	memcpy(first, header, strlen(header));
	put_bytes(b, first, 80);
	put_number(b, 12, 4);
	for (int f = 0; f < 6; ++f)
		for (int k = 1; k < 3; ++k) {
			const int c[3] = {quad[f][0], quad[f][k], quad[f][k + 1]};
			for (int i = 0; i < 3; ++i) put_float(b, 0);
			for (int i = 0; i < 3; ++i)
				put_float(b, cube(c[i]).x), put_float(b, cube(c[i]).y), put_float(b, cube(c[i]).z);
			put_number(b, 0, 2);
		}
}

/* as some programs write it: with a byte order mark, capitals, two-word keywords, and invalid or missing normals
 */
static void stl_loose(buffer *b, const char *mark, const char *end)
{
	put(b, "%sSOLID%s", mark, end);
	for (int f = 0; f < 6; ++f)
		for (int k = 1; k < 3; ++k) {
			static const char *const normal[] = {"", " normal", " NORMAL -nan(ind) nan 0,5", " normal 0 0 1"};
			put(b, "Facet%s%s  OuterLoop%s", normal[(f + k) % 4], end, end);
			const int c[3] = {quad[f][0], quad[f][k], quad[f][k + 1]};
			for (int i = 0; i < 3; ++i) put(b, "   Vertex %g %g %g%s", cube(c[i]).x, cube(c[i]).y, cube(c[i]).z, end);
			put(b, "  End Loop%s End Facet%s", end, end);
		}
	put(b, "end solid of nobody");
}

/* continued lines, colours after the coordinates, and '\\' inside a line that is skipped */
static void obj_continued(buffer *b, const char *end)
{
	put(b, "\xEF\xBB\xBF# C:\\cube\\%smtllib C:\\a.mtl%sg a b \\%s c d%s", end, end, end, end);
	for (int i = 0; i < 8; ++i) put(b, "v %g \\%s %g %g 0.5 0.25 1e-2%s", cube(i).x, end, cube(i).y, cube(i).z, end);
	put(b, "c_interp on%sbevel off%s", end, end);
	for (int f = 0; f < 6; ++f)
		put(b, "f %d %d \\ %s\t%d\\%s %d%s", quad[f][0] - 8, quad[f][1] - 8, end, quad[f][2] - 8, end, quad[f][3] + 1,
			end);
}

static void obj_text(buffer *b, const char *end, bool back)
{
	put(b, "# a cube%smtllib cube.mtl%so cube%s%s", end, end, end, end);
	for (int i = 0; i < 8; ++i) put(b, "v %g %g %g 1.0%s", cube(i).x, cube(i).y, cube(i).z, end);
	put(b, "vn 0 0 1%svt 0.5 0.5%susemtl steel%ss off%s", end, end, end, end);
	for (int f = 0; f < 6; ++f) {
		put(b, "f");
		static const char *const rest[] = {"", "/1", "//1", "/1/1"};
		for (int k = 0; k < 4; ++k) put(b, " %d%s", back ? quad[f][k] - 8 : quad[f][k] + 1, rest[f % 4]);
		put(b, "  # side %d%s", f, end);
	}
}

static void ply_header(buffer *b, const char *format, const char *real_type, const char *whole)
{
	put(b, "ply\nformat %s 1.0\ncomment a cube\nelement vertex 8\nproperty uchar red\nproperty %s x\n", format,
		real_type);
	put(b, "property %s y\nproperty list uchar short tags\nproperty %s z\nelement edge 1\nproperty int a\n", real_type,
		real_type);
	put(b, "element face 6\nproperty list uchar %s vertex_indices\nproperty float quality\nend_header\n", whole);
}

static void ply_text(buffer *b)
{
	ply_header(b, "ascii", "double", "int");
	for (int i = 0; i < 8; ++i) put(b, "255 %g %g 2 -7 9 %g\n", cube(i).x, cube(i).y, cube(i).z);
	put(b, "3\n");
	for (int f = 0; f < 6; ++f) put(b, "4 %d %d %d %d nan\n", quad[f][0], quad[f][1], quad[f][2], quad[f][3]);
}

static void ply_binary(buffer *b, bool wide)
{
	ply_header(b, "binary_little_endian", wide ? "float64" : "float", wide ? "uint" : "uint8");
	for (int i = 0; i < 8; ++i) {
		const real x[3] = {cube(i).x, cube(i).y, cube(i).z};
		put_number(b, 255, 1);
		for (int k = 0; k < 3; ++k) {
			uint64_t bits;
			memcpy(&bits, x + k, sizeof bits);
			if (wide)
				put_number(b, bits, 8);
			else
				put_float(b, x[k]);
			if (k == 1) put_number(b, 2, 1), put_number(b, 0xfff9, 2), put_number(b, 9, 2);
		}
	}
	put_number(b, 3, 4);
	for (int f = 0; f < 6; ++f) {
		put_number(b, 4, 1);
		for (int k = 0; k < 4; ++k) put_number(b, (uint64_t)quad[f][k], wide ? 4 : 1);
		put_float(b, NAN);
	}
}

/* big-endian; a list property of another element, an element without rows, and header lines that end in \r */
static void ply_big(buffer *b, const char *end)
{
	static const char *const line[] = {"ply",
									   "format binary_big_endian 1.0",
									   "obj_info made by hand",
									   "element strip 1",
									   "property list ushort int64 list",
									   "element face 6",
									   "property list int uint64 vertex_index",
									   "element nothing 0",
									   "property char a",
									   "element vertex 8",
									   "property ushort a",
									   "property double X",
									   "property float Y",
									   "property double Z",
									   "end_header"};
	for (size_t k = 0; k < sizeof line / sizeof *line; ++k) put(b, "%s%s", line[k], end);
	put_big(b, 1, 2), put_big(b, 10, 8); /* 10 is '\n' */
	for (int f = 0; f < 6; ++f) {
		put_big(b, 4, 4);
		for (int k = 0; k < 4; ++k) put_big(b, (uint64_t)quad[f][k], 8);
	}
	for (int i = 0; i < 8; ++i) {
		const real x = cube(i).x, z = cube(i).z;
		const float y = (float)cube(i).y;
		uint64_t bits[2];
		uint32_t single;
		memcpy(bits, &x, 8), memcpy(bits + 1, &z, 8), memcpy(&single, &y, 4);
		put_big(b, 0x0d0a, 2), put_big(b, bits[0], 8), put_big(b, single, 4), put_big(b, bits[1], 8);
	}
}

static void off_text(buffer *b, const char *header)
{
	put(b, "%s", header);
	for (int i = 0; i < 8; ++i) put(b, "%g %g %g 0 0 255\n\n", cube(i).x, cube(i).y, cube(i).z);
	for (int f = 0; f < 6; ++f)
		put(b, "4 %d %d %d %d 255 0 0 # side\n", quad[f][0], quad[f][1], quad[f][2], quad[f][3]);
}

enum { SAMPLES = 21 };

static const char *sample(int k, buffer *b)
{
	*b = (buffer){0};
	switch (k) {
	case 0:
		stl_text(b, "\n");
		return "stl";
	case 1:
		stl_text(b, "\r\n");
		return "STL";
	case 2:
		stl_binary(b, "binary");
		return "stl";
	case 3:
		stl_binary(b, "solid but binary\nfacet normal");
		return "stl";
	case 4:
		obj_text(b, "\n", false);
		return "obj";
	case 5:
		obj_text(b, "\r\n", true);
		return "obj";
	case 6:
		ply_text(b);
		return "ply";
	case 7:
		ply_binary(b, false);
		return "ply";
	case 8:
		ply_binary(b, true);
		return "ply";
	case 9:
		off_text(b, "OFF\n8 6 12\n");
		return "off";
	case 10:
		off_text(b, "# a cube\nOFF 8 6 0\n# and more\n\n");
		return "off";
	case 11:
		off_text(b, "COFF\n\n8 6\n");
		return "off";
	case 12:
		stl_loose(b, "\xEF\xBB\xBF", "\n");
		return "stl";
	case 13:
		stl_loose(b, "", "\r");
		return "stl";
	case 14:
		stl_text(b, "\r");
		return "stl";
	case 15:
		obj_continued(b, "\n");
		return "obj";
	case 16:
		obj_continued(b, "\r\n");
		return "obj";
	case 17:
		obj_continued(b, "\r");
		return "obj";
	case 18:
		ply_big(b, "\n");
		return "ply";
	case 19:
		ply_big(b, "\r");
		return "ply";
	default:
		off_text(b, "\xEF\xBB\xBF# a\r# b\rSTCOFF\r8 6 0\r");
		return "off";
	}
}

static buffer b;

static void same_cube(void **state)
{
	(void)state;
	for (int k = 0; k < SAMPLES; ++k) {
		const char *format = sample(k, &b);
		mesh m;
		fail why = {0};
		CHECK(scree_mesh_parse("cube", format, b.byte, b.length, &m, &why), "sample %d: %s", k, why.text);
		CHECK(m.triangles == 12, "sample %d: %d triangles", k, m.triangles);
		int t = 0;
		for (int f = 0; f < 6; ++f)
			for (int j = 1; j < 3; ++j, ++t) {
				const int c[3] = {quad[f][0], quad[f][j], quad[f][j + 1]};
				for (int i = 0; i < 3; ++i) {
					vec3 p = m.vertex[m.triangle[3 * t + i]], q = cube(c[i]);
					CHECK(p.x == q.x && p.y == q.y && p.z == q.z, "sample %d: corner %d of triangle %d", k, i, t);
				}
			}
		walls w = {0};
		CHECK(scree_walls_add_mesh(&w, scree_wall_default("cube", 0), m.vertices, m.vertex, m.triangles, m.triangle,
								   &why) == 0,
			  "sample %d: %s", k, why.text);
		wall_surface l = scree_wall_surface(&w, 0);
		CHECK(l.closed && l.facets == 12 && w.row[0].surfaces == 6 && w.row[0].dropped == 0, "sample %d: %d open", k,
			  l.open);
		NEAR(l.volume, 8, 1e-14, "volume");
		CHECK(l.low.x == 0 && l.high.z == 2, "bounds %g %g", l.low.x, l.high.z);
		scree_walls_free(&w);
		scree_mesh_free(&m);
	}
}

/* Each prefix of a good file, and each file with one corrupted byte, is either accepted or refused with an error
 * message, without leaking memory. A prefix is accepted only if it is a text file truncated within its last number, or
 * contains all data that its header announces. */
static void spoilt(void **state)
{
	(void)state;
	static buffer whole;
	int64_t used = scree_memory_used();
	for (int k = 0; k < SAMPLES; ++k) {
		const char *format = sample(k, &whole);
		for (size_t n = 0; n <= whole.length; n += test_short() ? 4 : 1) {
			mesh m;
			fail why = {0};
			/* a copy, so that a sanitizer detects reads past the end */
			unsigned char *exact = scree_copy(whole.byte, n, 1);
			bool good = scree_mesh_parse("cut", format, exact, n, &m, &why);
			CHECK(good || (why.code == FAIL_INPUT && why.text[0] && !m.vertex && !m.triangle), "%zu bytes of sample %d",
				  n, k);
			CHECK(!good || strcmp(format, "obj") == 0 || n + 25 >= whole.length,
				  "sample %d is whole with %zu bytes of %zu", k, n, whole.length);
			scree_mesh_free(&m);
			scree_free(exact);
		}
		FOR_SEEDS(2000)
		{
			random_stream r = scree_random_start(test_seed, (uint64_t)k);
			unsigned char *exact = scree_copy(whole.byte, whole.length, 1);
			for (uint32_t times = 1 + scree_random_bits(&r) % 3; times; --times)
				exact[scree_random_bits(&r) % (uint32_t)whole.length] = (unsigned char)scree_random_bits(&r);
			mesh m;
			fail why = {0};
			bool good = scree_mesh_parse("spoilt", format, exact, whole.length, &m, &why);
			CHECK(good || (why.code == FAIL_INPUT && why.text[0]), "sample %d", k);
			for (int32_t i = 0; i < 3 * m.triangles; ++i)
				CHECK(m.triangle[i] >= 0 && m.triangle[i] < m.vertices, "sample %d: vertex %d of %d", k, m.triangle[i],
					  m.vertices);
			scree_mesh_free(&m);
			scree_free(exact);
		}
	}
	CHECK(scree_memory_used() == used, "%lld bytes left", (long long)(scree_memory_used() - used));
}

static size_t load(const char *path, unsigned char *to, size_t room)
{
	FILE *f = fopen(path, "rb");
	CHECK(f != NULL, "%s", path);
	size_t length = fread(to, 1, room, f);
	fclose(f);
	return length;
}

/* Every file in tests/bad/meshes is refused with the message stored next to it. SCREE_UPDATE=1 rewrites the messages:
 * read the diff before you commit it. */
static void bad_files(void **state)
{
	(void)state;
	const char *folder = SCREE_SOURCE "/tests/bad/meshes";
	DIR *all = opendir(folder);
	CHECK(all != NULL, "%s", folder);
	int seen = 0;
	for (struct dirent *entry = readdir(all); entry; entry = readdir(all)) {
		const char *dot = strrchr(entry->d_name, '.');
		if (!dot || dot == entry->d_name || strcmp(dot, ".expected") == 0 || entry->d_name[0] == '.') continue;
		char path[1024], expected[1024] = {0};
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		b.length = load(path, b.byte, ROOM);
		snprintf(path, sizeof path, "%s/%s.expected", folder, entry->d_name);
		size_t length = load(path, (unsigned char *)expected, sizeof expected - 1);
		while (length && expected[length - 1] == '\n') expected[--length] = 0;
		mesh m;
		fail why = {0};
		CHECK(!scree_mesh_parse(entry->d_name, dot + 1, b.byte, b.length, &m, &why), "%s was read", entry->d_name);
		if (getenv("SCREE_UPDATE")) {
			FILE *f = fopen(path, "wb");
			CHECK(f && fprintf(f, "%s\n", why.text) > 0 && fclose(f) == 0, "%s cannot be written", path);
			continue;
		}
		CHECK(strcmp(why.text, expected) == 0, "\n  said     %s\n  expected %s", why.text, expected);
		CHECK(!m.vertex && !m.triangle && why.code == FAIL_INPUT, "%s", entry->d_name);
		++seen;
	}
	closedir(all);
	CHECK(seen >= 30, "%d files", seen);
}

static void from_disk(void **state)
{
	(void)state;
	mesh m;
	fail why = {0};
	sample(4, &b);
	CHECK(scree_mesh_parse("cube.of.OBJ", "OBJ", b.byte, b.length, &m, &why) && m.triangles == 12, "%s", why.text);
	scree_mesh_free(&m);
	CHECK(!scree_mesh_parse("giant.stl", "stl", "", (1u << 30) + 1, &m, &why) &&
			  strstr(why.text, "expected at most 1073741824 (1 GiB)"),
		  "%s", why.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_cube),
		cmocka_unit_test(spoilt),
		cmocka_unit_test(bad_files),
		cmocka_unit_test(from_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
