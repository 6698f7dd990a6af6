/* fuzz_mesh: arbitrary bytes are read as a mesh file, made into a one-sided or two-sided wall, and inspected. The
 * first byte selects the format. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "format/mesh.h"
#include "wall/wall_surface.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void make_wall(const mesh *m, bool two_sided)
{
	walls w = {0};
	fail why = {0};
	wall o = scree_wall_default("m", 0);
	o.two_sided = two_sided;
	if (scree_walls_add_mesh(&w, o, m->vertices, m->vertex, m->triangles, m->triangle, &why) == 0) {
		wall_surface l = scree_wall_surface(&w, 0);
		const mesh_repairs *r = &w.row[0].repaired;
		bool cut = r->junctions || r->cracks || r->doubled;
		if (l.facets < 1 || (!cut && l.facets + w.row[0].dropped < m->triangles)) abort();
		if (l.closed && (l.open || l.turned)) abort();
		if (l.turned_facets > l.facets / 2 || (l.turned_facets && !l.turned)) abort();
		if (scree_wall_backs(&w, 0, l.low) * 0 != 0) abort();
	} else if (!why.text[0])
		abort();
	scree_walls_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	if (!length) return 0;
	const mesh_format *format = scree_mesh_formats + bytes[0] % scree_mesh_format_count;
	mesh m;
	fail why = {0};
	int64_t used = scree_memory_used();
	if (scree_mesh_parse("fuzz", format->ending, bytes + 1, length - 1, &m, &why)) {
		for (int32_t k = 0; k < 3 * m.triangles; ++k)
			if (m.triangle[k] < 0 || m.triangle[k] >= m.vertices) abort();
		make_wall(&m, bytes[0] & 64);
	} else if (!why.text[0] || m.vertex || m.triangle)
		abort();
	scree_mesh_free(&m);
	if (scree_memory_used() != used) abort();
	return 0;
}
