/* mesh_obj: reads Wavefront files, using vertices (v) and faces (f). Corners have the form 7, 7/1, 7/1/2 or 7//2 and
 * count from 1; negative numbers count back from the last vertex. A backslash joins two lines. Colours after the
 * coordinates, textures, normals, names, lines and points are skipped. Curved surfaces are refused, since skipping them
 * would leave a hole. Vertices with a weight other than 1 are refused, since programs disagree about them. */
#include <string.h>

#include "format/mesh_reader.h"

static const char *const skipped[] = {"vt",		"vn",		"vp",		"o",		  "g",		  "s",		"usemtl",
									  "mtllib", "l",		"p",		"mg",		  "lod",	  "usemap", "maplib",
									  "bevel",	"c_interp", "d_interp", "shadow_obj", "trace_obj"};

static bool is_skipped(word w)
{
	for (size_t k = 0; k < sizeof skipped / sizeof *skipped; ++k)
		if (scree_word_is(w, skipped[k])) return true;
	return false;
}

/* Reads the number before the first slash. */
static bool parse_corner(text *t, word w, int32_t vertices, int32_t *vertex)
{
	word number = w;
	const char *slash = w.length ? memchr(w.start, '/', (size_t)w.length) : NULL;
	if (slash) number.length = (int)(slash - w.start);
	int64_t value;
	if (!number.length) return scree_text_unexpected(t, w, "a vertex index");
	if (!scree_text_integer(t, number, "a vertex index", &value)) return false;
	int64_t row = value < 0 ? vertices + value : value - 1;
	if (value == 0 || row < 0 || row >= vertices)
		return scree_text_fail(t, "found vertex %lld, expected 1 to %d, the vertices so far (or -1 to -%d)",
							   (long long)value, vertices, vertices);
	*vertex = (int32_t)row;
	return true;
}

static bool parse_face(text *t, mesh_builder *b)
{
	fan f = {0};
	for (word w = scree_text_word(t); w.length; w = scree_text_word(t)) {
		int32_t vertex = 0;
		if (!parse_corner(t, w, b->made.vertices, &vertex)) return false;
		scree_build_corner(b, &f, vertex);
	}
	scree_build_face(b, &f, t->line);
	return f.corners >= 3 || scree_text_fail(t, "a face with %lld corners, expected at least 3", (long long)f.corners);
}

/* Reads x, y and z, which may be followed by a weight or colours. */
static bool parse_vertex(text *t, mesh_builder *b)
{
	vec3 p;
	if (!scree_text_vector(t, &p)) return false;
	text behind = *t;
	const word one = scree_text_word(t);
	real weight;
	if (one.length && !scree_text_word(t).length) {
		scree_text_word(&behind); /* sets the position for messages */
		if (!scree_text_real(&behind, one, &weight)) return false;
		if (weight != 1) return scree_text_unexpected(&behind, one, "a weight of 1, or none");
	}
	scree_build_vertex(b, p);
	return true;
}

bool scree_mesh_parse_obj(text *t, mesh_builder *b)
{
	t->comments = t->continues = true;
	for (; scree_text_find_line(t); scree_text_next_line(t)) {
		word w = scree_text_word(t);
		bool good;
		if (scree_word_is(w, "v"))
			good = parse_vertex(t, b);
		else if (scree_word_is(w, "f") || scree_word_is(w, "fo"))
			good = parse_face(t, b);
		else
			good = is_skipped(w) ||
				   scree_text_unexpected(t, w,
										 "a line of an OBJ file with flat faces (v, f, vt, vn, o, g, s, usemtl, ...)");
		if (!good) return false;
	}
	return true;
}
