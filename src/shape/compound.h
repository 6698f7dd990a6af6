/* compound.h: private to src/shape: shapes of several parts, and of triangles. */
#ifndef SCREE_SHAPE_COMPOUND_H
#define SCREE_SHAPE_COMPOUND_H

#include "shape/shapes.h"

/* area as scree_shape_widest_face, for a compound (compound.c) */
real scree_compound_widest_face(const shape *s);

/* scree_shapes_add_compound for a mesh from a file (compound_flat.c). rounding: error of each coordinate, from the
 * digits of the file; faces that are flat within this error count as flat. 0: coordinates are exact to double. */
int32_t scree_shapes_add_rounded(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								 const int32_t *triangle, real rounding, fail *why);

#endif
