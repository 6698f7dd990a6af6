/* compound.h: inside of shapes.c: shapes of several parts, and of triangles. */
#ifndef SCREE_STATE_COMPOUND_H
#define SCREE_STATE_COMPOUND_H

#include "state/shapes.h"

/* shapes.c */
bool scree_shape_name(shape *s, const char *name, fail *why);
int32_t scree_shapes_append(shapes *s, const shape *made);
void scree_shape_clear(shape *s);

/* compound.c */
real scree_compound_widest_face(const shape *s);

#endif
