/* convex.h: inside of shapes.c: makes one convex polyhedron. */
#ifndef SCREE_SHAPE_CONVEX_H
#define SCREE_SHAPE_CONVEX_H

#include "shape/shapes.h"

/* Fills out (all zero before) from faces as scree_shapes_add_convex takes them; what it took stays in out when it
 * fails. name is for messages. */
bool scree_convex_build(shape *out, const char *name, int32_t vertices, const vec3 *vertex, int32_t faces,
						const int32_t *first, const int32_t *corner, fail *why);

#endif
