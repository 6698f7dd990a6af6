/* compound.h: private to src/shape: shapes of several parts, and of triangles. */
#ifndef SCREE_SHAPE_COMPOUND_H
#define SCREE_SHAPE_COMPOUND_H

#include "shape/shapes.h"

/* shapes.c */
bool scree_shape_name(shape *s, const char *name, fail *why);
int32_t scree_shapes_append(shapes *s, const shape *made);
void scree_shape_clear(shape *s);

/* compound.c */
real scree_compound_widest_face(const shape *s);

/* compound_flat.c: scree_shapes_add_compound for a mesh whose coordinates are off by up to `rounding` each, from the
 * digits of its file: faces that are flat within this count as flat. 0: doubles. */
int32_t scree_shapes_add_rounded(shapes *s, const char *name, int32_t vertices, const vec3 *vertex, int32_t triangles,
								 const int32_t *triangle, real rounding, fail *why);

#endif
