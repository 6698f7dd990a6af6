/* mesh_off: object file format: OFF, counts, vertices and faces. Colours, normals and textures that follow the
 * coordinates (COFF, NOFF, STOFF) or the corners are skipped. Binary files are refused. */
#include "format/mesh_reader.h"

static bool parse_header(text *t, int64_t *vertices, int64_t *faces)
{
	static const char *const names[] = {"OFF", "COFF", "NOFF", "CNOFF", "STOFF", "STCOFF", "STNOFF", "STCNOFF"};
	word w = scree_text_any_word(t);
	bool known = false;
	for (size_t k = 0; k < sizeof names / sizeof *names; ++k) known |= scree_word_is(w, names[k]);
	if (!known) return scree_text_unexpected(t, w, "'OFF'");
	w = scree_text_any_word(t);
	if (scree_word_is(w, "BINARY")) return scree_text_fail(t, "a binary OFF file, expected text: save it as PLY");
	if (!scree_text_integer(t, w, "the number of vertices", vertices)) return false;
	if (!scree_text_integer(t, scree_text_word(t), "the number of faces", faces)) return false;
	/* a vertex needs at least 6 bytes, "0 0 0\n", and a face at least 8, "3 0 0 0\n" */
	int64_t left = t->end - t->at;
	if (*vertices < 0 || *faces < 0 || *vertices > left / 6 + 1 || *faces > left / 8 + 1 ||
		6 * *vertices + 8 * *faces > left + 8)
		return scree_text_fail(t, "%lld vertices and %lld faces do not fit into the %lld bytes that follow",
							   (long long)*vertices, (long long)*faces, (long long)left);
	scree_text_next_line(t);
	return true;
}

static bool parse_face(text *t, mesh_builder *b)
{
	int64_t corners, value;
	if (!scree_text_integer(t, scree_text_word(t), "the number of corners", &corners)) return false;
	if (corners < 3) return scree_text_fail(t, "a face with %lld corners, expected at least 3", (long long)corners);
	fan f = {0};
	for (int64_t k = 0; k < corners; ++k) {
		if (!scree_text_integer(t, scree_text_word(t), "a vertex index", &value)) return false;
		if (value < 0 || value >= b->made.vertices)
			return scree_text_fail(t, "found vertex %lld, expected 0 to %d", (long long)value, b->made.vertices - 1);
		scree_build_corner(b, &f, (int32_t)value);
	}
	scree_build_face(b, &f, t->line);
	return true;
}

bool scree_mesh_parse_off(text *t, mesh_builder *b)
{
	int64_t vertices, faces;
	t->comments = true;
	if (!parse_header(t, &vertices, &faces)) return false;
	scree_build_reserve(b, (int32_t)vertices, (int32_t)faces);
	for (int64_t k = 0; k < vertices; ++k) {
		vec3 p;
		if (!scree_text_find_line(t))
			return scree_text_fail(t, "found the end of the file after %lld vertices, expected %lld", (long long)k,
								   (long long)vertices);
		if (!scree_text_vector(t, &p)) return false;
		scree_build_vertex(b, p);
		scree_text_next_line(t);
	}
	for (int64_t k = 0; k < faces; ++k) {
		if (!scree_text_find_line(t))
			return scree_text_fail(t, "found the end of the file after %lld faces, expected %lld", (long long)k,
								   (long long)faces);
		if (!parse_face(t, b)) return false;
		scree_text_next_line(t);
	}
	if (!scree_text_find_line(t)) return true;
	return scree_text_unexpected(t, scree_text_word(t), "the end of the file after the last face");
}
