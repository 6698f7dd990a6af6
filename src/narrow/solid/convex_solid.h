/* convex_solid.h: polyhedra of any size and their contacts, under the names of kernel/convex_solid.h, with vectorized
 * loops over vertices. Private to src/narrow. */
#ifndef SCREE_NARROW_SOLID_CONVEX_SOLID_H
#define SCREE_NARROW_SOLID_CONVEX_SOLID_H

#include "narrow/narrow.h"
#include "narrow/touch_list.h"

#define SCREE_CONVEX_SOLID /* the names of kernel/convex_solid.h */
typedef shape convex_solid;
typedef placed convex_placed;
typedef patch convex_points;
typedef pressure convex_pressure;
enum { CONVEX_POINTS = PATCH_POINTS };

/* Minimum of n.v over the unit shape's vertices. */
SCREE_FN real convex_lowest(const shape *s, vec3 n)
{
	real low = INFINITY;
	const real *x = s->vx, *y = s->vy, *z = s->vz;
	int32_t count = s->padded & ~7; /* the mask lets the compiler infer that there is no remainder */
#pragma omp simd reduction(min : low)
	for (int32_t k = 0; k < count; ++k) {
		real d = n.x * x[k] + n.y * y[k] + n.z * z[k];
		low = d < low ? d : low;
	}
	return low;
}

/* A patch has room for any part, since corners are merged into few points (kernel/face_patch.h). */
SCREE_FN bool convex_has_room(const patch *out, const pressure *on, int32_t corners)
{
	(void)out, (void)on, (void)corners;
	return true;
}
SCREE_FN void convex_press(pressure *on, real x, real y, real p) { pressure_corner_add(on, x, y, p); }
SCREE_FN void convex_press_close(pressure *on) { scree_pressure_close(on); }

#endif
