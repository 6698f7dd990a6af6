/* mesh_stl: reads stereolithography files. A file is binary if its length agrees with its count of triangles at byte
 * 80, even if it begins with "solid", as many binary files do. Otherwise it is text if it begins with "solid" and has
 * no zero byte near its start. Any other file is treated as a damaged binary file. Normals are skipped: the order of
 * corners gives the same information, and in many files the two disagree. Text files may have keywords in two words
 * (end solid), and normals that are missing or not numbers. Each triangle has three vertices of its own (walls weld
 * them). */
#include <string.h>

#include "format/mesh_reader.h"

enum { HEADER = 80, ROW = 50 };

static uint32_t u32_at(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static real float_at(const unsigned char *p)
{
	uint32_t bits = u32_at(p);
	float value;
	memcpy(&value, &bits, sizeof value);
	return (real)value;
}

static bool bounded(real x) { return real_abs(x) <= 3.5e38; }

static bool parse_binary(text *t, uint32_t count, mesh_builder *b)
{
	t->binary = true;
	scree_build_reserve(b, 3 * (int32_t)count, (int32_t)count);
	for (int32_t n = 0; n < (int32_t)count; ++n) {
		const unsigned char *row = t->file + HEADER + 4 + (size_t)n * ROW + 12;
		for (int k = 0; k < 3; ++k, row += 12) {
			vec3 p = v3(float_at(row), float_at(row + 4), float_at(row + 8));
			if (!bounded(p.x) || !bounded(p.y) || !bounded(p.z))
				return scree_fail(t->why, FAIL_INPUT,
								  "%s, byte %zu: vertex (%g, %g, %g) of triangle %d, expected finite numbers", t->name,
								  (size_t)(row - t->file), p.x, p.y, p.z, n);
			scree_build_vertex(b, p);
		}
		scree_build_triangle(b, 3 * n, 3 * n + 1, 3 * n + 2);
	}
	return true;
}

static bool expect(text *t, const char *what, const char *shown)
{
	word w = scree_text_any_word(t);
	return scree_word_is(w, what) || scree_text_unexpected(t, w, shown);
}

/* Tests whether the word is this keyword, written as one word or two ("end" "solid"); if two, reads the second word. */
static bool is_keyword(text *t, word w, const char *first, const char *second)
{
	const int length = (int)strlen(first);
	if (w.length > length && scree_word_is((word){w.start, length}, first))
		return scree_word_is((word){w.start + length, w.length - length}, second);
	if (!scree_word_is(w, first)) return false;
	text behind = *t;
	if (!scree_word_is(scree_text_any_word(&behind), second)) return false;
	*t = behind;
	return true;
}

static bool expect_two(text *t, const char *first, const char *second, const char *shown)
{
	word w = scree_text_any_word(t);
	return is_keyword(t, w, first, second) || scree_text_unexpected(t, w, shown);
}

/* Skips "normal" and up to three words before "outer", if present. */
static void skip_normal(text *t)
{
	text behind = *t;
	if (!scree_word_is(scree_text_any_word(&behind), "normal")) return;
	*t = behind;
	for (int k = 0; k < 3; ++k) {
		word w = scree_text_any_word(&behind);
		if (scree_word_is(w, "outer") || scree_word_is(w, "outerloop")) return;
		*t = behind;
	}
}

static bool parse_facet(text *t, mesh_builder *b)
{
	skip_normal(t);
	if (!expect_two(t, "outer", "loop", "'outer loop'")) return false;
	for (int k = 0; k < 3; ++k) {
		vec3 p;
		if (!expect(t, "vertex", "'vertex'") || !scree_text_vector(t, &p)) return false;
		scree_build_vertex(b, p);
	}
	if (!expect_two(t, "end", "loop", "'endloop'") || !expect_two(t, "end", "facet", "'endfacet'")) return false;
	int32_t n = b->made.vertices;
	scree_build_triangle(b, n - 3, n - 2, n - 1);
	return true;
}

/* Reads one or more blocks of solid NAME, facets and endsolid NAME. */
static bool parse_text(text *t, mesh_builder *b)
{
	while (!scree_text_at_end(t)) {
		if (!expect(t, "solid", "'solid'")) return false;
		scree_text_next_line(t);
		for (;;) {
			word w = scree_text_any_word(t);
			if (is_keyword(t, w, "end", "solid")) break;
			if (!scree_word_is(w, "facet")) return scree_text_unexpected(t, w, "'facet' or 'endsolid'");
			if (!parse_facet(t, b)) return false;
		}
		scree_text_next_line(t);
	}
	return true;
}

bool scree_mesh_parse_stl(text *t, mesh_builder *b)
{
	const size_t length = t->length;
	const uint32_t count = length >= HEADER + 4 ? u32_at(t->file + HEADER) : 0;
	const uint64_t wanted = HEADER + 4 + (uint64_t)count * ROW;
	text start = *t;
	const bool solid = scree_word_is(scree_text_any_word(&start), "solid");
	if (length >= HEADER + 4 && wanted == length) return parse_binary(t, count, b);
	if (solid && !memchr(t->file, 0, length < 1024 ? length : 1024)) return parse_text(t, b);
	if (length < HEADER + 4)
		return scree_fail(
			t->why, FAIL_INPUT,
			"%s: neither text that begins with 'solid' nor the %d bytes of a binary header, found %zu bytes", t->name,
			HEADER + 4, length);
	return scree_fail(t->why, FAIL_INPUT, "%s, byte %d: %u triangles need a file of %llu bytes, found %zu bytes",
					  t->name, HEADER, count, (unsigned long long)wanted, length);
}
