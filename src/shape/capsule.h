/* capsule.h: measures of capsules, cylinders with hemispheres at both ends (docs/theory/smooth.md). */
#ifndef SCREE_SHAPE_CAPSULE_H
#define SCREE_SHAPE_CAPSULE_H

#include "shape/shapes.h"

/* Half of the distance between the centres of its hemispheres, which are on the axis z; for size 1. */
SCREE_FN real scree_capsule_half(const shape *s) { return s->semi_z - s->semi_x; }
/* The outward unit normal at a point of the surface. */
vec3 scree_capsule_normal(const shape *s, vec3 p);

#endif
