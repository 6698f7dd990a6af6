/* near_wall.h: tests whether a ball is near a plane, a cylinder or a cone (wall/forms.h, is_near). p: centre in the
 * wall's frame. The result may also be true for some other balls. */
#ifndef SCREE_KERNEL_NEAR_WALL_H
#define SCREE_KERNEL_NEAR_WALL_H

#include "kernel/wall_rows.h"

SCREE_FN bool near_plane(SCREE_GLOBAL const table_wall *w, vec3 p, real radius, real far)
{
	const real along = v3_dot(v3_sub(p, w->point), w->axis), grown = radius + far;
	return along <= grown && (!w->two_sided || along >= -grown);
}

SCREE_FN bool finite_length(SCREE_GLOBAL const table_wall *w) { return w->length < (real)INFINITY; }

/* coordinates of a point along a tube and across it */
typedef struct beside {
	real along, across;
	bool is; /* false: the point is beyond the ends by more than `grown` */
} beside;

SCREE_FN beside beside_tube(SCREE_GLOBAL const table_wall *w, vec3 p, real grown)
{
	const vec3 d = v3_sub(p, w->point);
	const real along = v3_dot(d, w->axis);
	/* an infinite tube also has no first end */
	const bool is = !finite_length(w) || (along >= -grown && along <= w->length + grown);
	const beside o = {along, v3_norm(v3_madd(d, -along, w->axis)), is};
	return o;
}

SCREE_FN bool near_cylinder(SCREE_GLOBAL const table_wall *w, vec3 p, real radius, real far)
{
	const real grown = radius + far;
	const beside o = beside_tube(w, p, grown);
	return o.is && (w->side == SIDE_INSIDE ? o.across + grown >= w->radius : o.across - grown <= w->radius);
}

SCREE_FN bool near_cone(SCREE_GLOBAL const table_wall *w, vec3 p, real radius, real far)
{
	const real grown = radius + far, slope = (w->radius2 - w->radius) / w->length;
	const beside o = beside_tube(w, p, grown);
	const real r0 = w->radius + slope * real_clamp(o.along - grown, 0, w->length);
	const real r1 = w->radius + slope * real_clamp(o.along + grown, 0, w->length);
	const bool meets =
		w->side == SIDE_INSIDE ? o.across + grown >= real_min(r0, r1) : o.across - grown <= real_max(r0, r1);
	return o.is && meets;
}

#endif
