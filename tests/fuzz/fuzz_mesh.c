/* fuzz_mesh: any bytes, read as each mesh format, then welded and looked at. The first byte chooses the format. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "format/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

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
		scree_mesh_weld(&m, 1e-9);
		mesh_report r = scree_mesh_look(&m);
		if (r.open < 0 || r.parts < 0 || r.parts > m.triangles) abort();
	} else if (!why.text[0] || m.vertex || m.triangle)
		abort();
	scree_mesh_free(&m);
	if (scree_memory_used() != used) abort();
	return 0;
}
