/* mesh: the table of mesh formats, and the choice of a format. A reader is passed all bytes at once. It compares every
 * count with the remaining length before it allocates memory: at most a fixed multiple of the file's length. */
#include <string.h>

#include "base/memory.h"
#include "format/mesh_reader.h"

enum { LONGEST = 1 << 30 };

const mesh_format scree_mesh_formats[] = {
	{"stl", "stereolithography, ASCII or binary", scree_mesh_parse_stl},
	{"obj", "Wavefront: lines v and f", scree_mesh_parse_obj},
	{"ply", "Stanford polygons, ASCII or binary", scree_mesh_parse_ply},
	{"off", "object file format, ASCII", scree_mesh_parse_off},
};
const int scree_mesh_format_count = (int)(sizeof scree_mesh_formats / sizeof *scree_mesh_formats);

void scree_mesh_free(mesh *m)
{
	SCREE_FREE_ALL(m->vertex, m->triangle);
	*m = (mesh){0};
}

static const mesh_format *find_format(const char *ending)
{
	word w = {.start = ending, .length = (int)strlen(ending)};
	for (int k = 0; k < scree_mesh_format_count; ++k)
		if (scree_word_is(w, scree_mesh_formats[k].ending)) return scree_mesh_formats + k;
	return NULL;
}

bool scree_mesh_parse(const char *name, const char *format, const void *bytes, size_t length, mesh *out, fail *why)
{
	*out = (mesh){0};
	const mesh_format *f = strlen(format) < 16 ? find_format(format) : NULL;
	if (!f)
		return scree_fail(why, FAIL_INPUT, "%s: unknown mesh format '%.16s', expected stl, obj, ply or off", name,
						  format);
	if (length > LONGEST)
		return scree_fail(why, FAIL_INPUT, "%s: %zu bytes, expected at most %d (1 GiB)", name, length, (int)LONGEST);
	if (!length) return scree_fail(why, FAIL_INPUT, "%s: the file is empty", name);
	mesh_builder b = {0};
	text t = scree_text_start(name, bytes, length, why);
	const bool good = scree_build_finish(&b, f->parse(&t, &b), &t);
	*out = b.made;
	if (!good) {
		scree_mesh_free(out);
		const unsigned char *first = bytes; /* text in UTF-16 would otherwise fail with a confusing message */
		bool wide = length >= 2 && ((first[0] == 0xFF && first[1] == 0xFE) || (first[0] == 0xFE && first[1] == 0xFF));
		return wide && scree_fail(why, FAIL_INPUT, "%s: the file is text in UTF-16, expected ASCII or UTF-8", name);
	}
	if (out->triangles) return true;
	scree_mesh_free(out);
	return scree_fail(why, FAIL_INPUT, "%s: found no triangles, expected at least one", name);
}
