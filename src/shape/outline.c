/* outline: shapes of the plane as polygons, for pictures. */
#include "base/maths.h"
#include "base/memory.h"
#include "shape/shapes.h"

enum { AROUND = 64 };

int32_t scree_shape_corners(const shape *s) { return s->type == SHAPE_POLYGON ? s->flat.corners : AROUND; }

vec3 scree_shape_corner(const shape *s, int32_t k)
{
	real y, x;
	if (s->type == SHAPE_POLYGON) return v3(s->flat.corner[k].x, s->flat.corner[k].y, 0);
	scree_sincos(2 * SCREE_PI * k / AROUND, &y, &x);
	return s->type == SHAPE_ELLIPSE ? v3(s->semi_x * x, s->semi_y * y, 0) : v3(s->radius * x, s->radius * y, 0);
}
