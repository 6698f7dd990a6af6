/* xy.h: vectors in the plane z = 0. */
#ifndef SCREE_KERNEL_XY_H
#define SCREE_KERNEL_XY_H

#include "base/real.h"

typedef struct xy {
	real x, y;
} xy;

SCREE_FN xy xy_of(real x, real y)
{
	xy v = {x, y};
	return v;
}
SCREE_FN xy xy_flat(vec3 v) { return xy_of(v.x, v.y); }
SCREE_FN vec3 xy_solid(xy v) { return v3(v.x, v.y, 0); }
SCREE_FN xy xy_add(xy a, xy b) { return xy_of(a.x + b.x, a.y + b.y); }
SCREE_FN xy xy_sub(xy a, xy b) { return xy_of(a.x - b.x, a.y - b.y); }
SCREE_FN xy xy_mul(real s, xy a) { return xy_of(s * a.x, s * a.y); }
SCREE_FN xy xy_madd(xy a, real s, xy b) { return xy_of(a.x + s * b.x, a.y + s * b.y); }
SCREE_FN real xy_dot(xy a, xy b) { return a.x * b.x + a.y * b.y; }
SCREE_FN real xy_cross(xy a, xy b) { return a.x * b.y - a.y * b.x; }
SCREE_FN real xy_norm(xy a) { return sqrt(xy_dot(a, a)); }
SCREE_FN xy xy_unit(xy a) { return xy_mul(1 / xy_norm(a), a); }
/* Rotates by a quarter turn counter-clockwise. */
SCREE_FN xy xy_left(xy a) { return xy_of(-a.y, a.x); }
/* Rotations to the world frame and back, with the first two columns of a rotation about z. */
SCREE_FN xy xy_turned(mat3 t, xy a) { return xy_of(t.x.x * a.x + t.y.x * a.y, t.x.y * a.x + t.y.y * a.y); }
SCREE_FN xy xy_unturned(mat3 t, xy a) { return xy_of(t.x.x * a.x + t.x.y * a.y, t.y.x * a.x + t.y.y * a.y); }

#endif
