/* build_mesh: a mesh from a file, for shapes and for walls. */
#include "scene/reader.h"

#include <string.h>

/* Limit of rounding relative to the extent. Far from the origin, numbers of a file are so coarse that the mesh is
 * distorted. */
static const real BENT = 1e-3;

static bool check_numbers(const mesh *m, fail *why)
{
	vec3 low = m->vertex[0], high = low;
	for (int32_t i = 1; i < m->vertices; ++i) {
		const vec3 p = m->vertex[i];
		low = v3_min(low, p);
		high = v3_max(high, p);
	}
	const vec3 wide = v3_sub(high, low);
	const real extent = real_max(wide.x, real_max(wide.y, wide.z));
	return !(extent > 0) || m->apart <= BENT * extent ||
		   scree_fail(why, FAIL_INPUT,
					  "the mesh is %.3g long and lies as far as (%.3g, %.3g, %.3g) from the origin, where the numbers "
					  "of the file are up to %.2g apart, so that its vertices are rounded; move it to the origin "
					  "before it is written",
					  extent, real_abs(low.x) > real_abs(high.x) ? low.x : high.x,
					  real_abs(low.y) > real_abs(high.y) ? low.y : high.y,
					  real_abs(low.z) > real_abs(high.z) ? low.z : high.z, 2 * m->apart);
}

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
	if (scree_mesh_parse(file, ending, bytes, length, out, &why)) {
		if (check_numbers(out, &why)) return true;
		scree_mesh_free(out);
	}
	return REFUSE(r, at, NULL, "file: %s", why.text);
}
