/* build_mesh: a mesh from a file, for shapes and for walls. */
#include "scene/reader.h"

#include <string.h>

bool scree_build_mesh(reader *r, const head *h, const char *file, mesh *out)
{
	size_t length;
	const node *at = scree_where(h, "file");
	const char *bytes = scree_reader_file(r, at, file, (size_t)256 << 20, &length);
	const char *dot = strrchr(file, '.');
	fail why = {0};
	char ending[8] = "";
	for (int i = 0; dot && i < 7 && dot[1 + i]; ++i)
		ending[i] = (char)(dot[1 + i] >= 'A' && dot[1 + i] <= 'Z' ? dot[1 + i] + 32 : dot[1 + i]);
	if (!bytes) return false;
	if (scree_mesh_parse(file, ending, bytes, length, out, &why)) return true;
	return scree_report(&r->r, at->at, NULL, "file: %s", why.text);
}
