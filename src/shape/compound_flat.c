/* compound_flat: compounds from coordinates of few digits.
 *
 * Corners of a flat face that is rotated in space are off its plane by the rounding of the file's digits, and by more
 * if the face is wider than its largest triangle. If such meshes are cut as they are, they give splinters as thin as
 * that error, or no parts. So faces that are flat within the digits are made flat first. If that fails, the mesh is
 * used as it is, and after that wider bounds are tried. */
#include "shape/compound.h"

#include "base/memory.h"
#include "shape/mesh/surface.h"
#include "shape/parts/convex_parts.h"

static const real FLAT = 1e-11;	 /* over the extent: convex parts count this as flat anyway */
static const real COARSE = 1e-4; /* over the extent: if rounding is larger, coordinates determine planes too poorly */

static int32_t add_flat(shapes *s, const char *name, int32_t vertices, const vec3 *from, int32_t triangles,
						const int32_t *triangle, real within)
{
	vec3 *vertex = scree_copy(from, (size_t)vertices, sizeof *vertex);
	int32_t row = -1;
	real moved = 0;
	fail why = {0};
	if (scree_convex_parts_flatten(name, vertices, vertex, triangles, triangle, within, &moved, &why) && moved > 0)
		row = scree_shapes_add_compound(s, name, vertices, vertex, triangles, triangle, &why);
	scree_free(vertex);
	return row;
}

int32_t scree_shapes_add_rounded(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								 const int32_t *triangle, real rounding, fail *why)
{
	const real extent = scree_extent(vertices, vertex), point = 2 * rounding; /* point: error of three coordinates */
	const bool may = rounding <= COARSE * extent && extent > 1e-30 && extent < 1e30 && triangles >= 4 &&
					 triangles <= PARTS_TRIANGLES;
	int32_t row = -1;
	if (may && 4 * point > FLAT * extent) row = add_flat(s, name, vertices, vertex, triangles, triangle, 4 * point);
	if (row < 0) row = scree_shapes_add_compound(s, name, vertices, vertex, triangles, triangle, why);
	for (real within = 16 * point; may && row < 0 && within <= 300 * point; within *= 4)
		if (within > FLAT * extent) row = add_flat(s, name, vertices, vertex, triangles, triangle, within);
	return row;
}
