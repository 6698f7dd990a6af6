/* flat_shapes.h: the round shapes of worlds in the plane. `volume` is an area, and `inertia` is the polar second moment
 * of area in all three components, so that such a body rotates like a ball. Both are per unit of the world's
 * thickness. */
#ifndef SCREE_SHAPE_FLAT_SHAPES_H
#define SCREE_SHAPE_FLAT_SHAPES_H

#include "shape/shapes.h"

/* A disc of diameter 1. Returns its row, or -1 with a message. */
int32_t scree_shapes_add_disc(shapes *s, const char *name, fail *why);
/* An ellipse with these semi-axes along x and y. */
int32_t scree_shapes_add_ellipse(shapes *s, const char *name, real semi_x, real semi_y, fail *why);

#endif
