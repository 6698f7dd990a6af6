/* convex.h: private to src/shape: makes one convex polyhedron. */
#ifndef SCREE_SHAPE_CONVEX_H
#define SCREE_SHAPE_CONVEX_H

#include "shape/shapes.h"

/* Fills `out` (all zero before) from faces as for scree_shapes_add_convex. On failure `out` keeps its allocations.
 * name: for messages. */
bool scree_convex_build(shape *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t faces,
						const int32_t *first, const int32_t *corner, fail *why);

#endif
