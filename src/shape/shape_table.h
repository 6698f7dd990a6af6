/* shape_table.h: private to src/shape: the rows of the table of shapes. */
#ifndef SCREE_SHAPE_SHAPE_TABLE_H
#define SCREE_SHAPE_SHAPE_TABLE_H

#include "shape/shapes.h"

/* Gives the shape its name; false, with an error message, if that is too long. */
bool scree_shape_name(shape *s, const char *name, fail *why);
/* Adds a finished shape, whose memory then belongs to the table. Returns its row. */
int32_t scree_shapes_append(shapes *s, const shape *made);
/* Frees the memory of a shape that is not in a table. */
void scree_shape_clear(shape *s);

#endif
