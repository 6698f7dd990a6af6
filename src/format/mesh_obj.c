/* mesh_obj: Wavefront files: vertices (v) and faces (f, corners as 7, 7/1, 7/1/2 or 7//2, from 1 on, or counted back
 * from the last vertex when negative). Textures, normals, names, lines and points are skipped; curved surfaces are
 * refused, since leaving them out would leave a hole. */
#include <string.h>

#include "format/mesh_parts.h"

static const char *const skipped[] = {"vt",		"vn", "vp", "o",  "g",	 "s",	   "usemtl",
									  "mtllib", "l",  "p",	"mg", "lod", "usemap", "maplib"};

/* the number before the first slash */
static bool parse_corner(text *t, word w, int32_t vertices, int32_t *vertex)
{
	word number = w;
	const char *slash = w.length ? memchr(w.start, '/', (size_t)w.length) : NULL;
	if (slash) number.length = (int)(slash - w.start);
	int64_t value;
	if (!number.length) return scree_text_unexpected(t, w, "the number of a vertex");
	if (!scree_text_integer(t, number, "the number of a vertex", &value)) return false;
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
	return f.corners >= 3 || scree_text_fail(t, "a face with %lld corners, expected at least 3", (long long)f.corners);
}

bool scree_mesh_parse_obj(const char *name, const void *bytes, size_t length, mesh *out, fail *why)
{
	mesh_builder b = {0};
	text t = scree_text_start(name, bytes, length, why);
	t.comments = true;
	bool good = true;
	for (; good && scree_text_find_line(&t); scree_text_next_line(&t)) {
		word w = scree_text_word(&t);
		vec3 p;
		if (scree_word_is(w, "v")) {
			good = scree_text_vector(&t, &p);
			if (good) scree_build_vertex(&b, p);
		} else if (scree_word_is(w, "f")) {
			good = parse_face(&t, &b);
		} else {
			bool known = false;
			for (size_t k = 0; k < sizeof skipped / sizeof *skipped; ++k) known = known || scree_word_is(w, skipped[k]);
			if (!known)
				good = scree_text_unexpected(
					&t, w, "a line of an OBJ file with flat faces (v, f, vt, vn, o, g, s, usemtl, ...)");
		}
		if (!good) break;
	}
	*out = b.made;
	return good;
}
