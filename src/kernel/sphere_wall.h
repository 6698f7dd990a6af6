/* sphere_wall.h: contact between a sphere and the closest point of a plane, a cylinder, or a cone.
 *
 * A cylinder is a cone without taper. In the half plane of radius and height, the wall is a straight line between its
 * ends, the rims. A sphere whose centre has passed through a tube's wall has no contact with the tube, as for a
 * one-sided facet. Planes and infinite cylinders have no way around them and always push back. */
#ifndef SCREE_KERNEL_SPHERE_WALL_H
#define SCREE_KERNEL_SPHERE_WALL_H

#include "kernel/wall_rows.h"

/* A contact of a body with one point. */
typedef struct wall_point {
	int32_t surface; /* row in the list of all walls' surfaces */
	vec3 normal;	 /* from the wall to the body */
	vec3 at;		 /* position relative to the centre of the body, midway between the two surfaces */
	real depth;		 /* > 0: they touch */
} wall_point;

/* The sphere and the wall's point at distance `away` from the centre along n. */
SCREE_FN wall_point sphere_point(real radius, vec3 n, real away, int32_t surface)
{
	wall_point p = {surface, n, v3_mul(-(radius + away) / 2, n), radius - away};
	return p;
}

SCREE_FN wall_point sphere_plane(vec3 sphere, real radius, SCREE_GLOBAL const table_wall *w)
{
	const vec3 n = w->axis;
	const real h = v3_dot(n, v3_sub(sphere, w->point));
	if (w->two_sided && h < 0) return sphere_point(radius, v3_neg(n), -h, w->first_surface);
	return sphere_point(radius, n, h, w->first_surface);
}

/* The side of a tube in the half plane of the sphere's centre. */
typedef struct tube_side {
	vec3 r, e;		   /* the centre from the first end; unit vector from the axis to the centre */
	real z, rho;	   /* the centre's height and distance from the axis */
	real length;	   /* length of the side */
	real cosine, sine; /* angle of the taper */
} tube_side;

SCREE_FN tube_side tube_side_of(vec3 sphere, SCREE_GLOBAL const table_wall *w)
{
	tube_side t;
	const bool endless = !(w->length < INFINITY);
	const real taper = w->type == WALL_CONE ? w->radius2 - w->radius : 0;
	t.length = endless ? INFINITY : sqrt(w->length * w->length + taper * taper);
	t.cosine = endless ? 1 : w->length / t.length;
	t.sine = endless ? 0 : taper / t.length;
	t.r = v3_sub(sphere, w->point);
	t.z = v3_dot(t.r, w->axis);
	const vec3 across = v3_madd(t.r, -t.z, w->axis);
	t.rho = v3_norm(across);
	t.e = t.rho > 0 ? v3_mul(1 / t.rho, across) : v3_across(w->axis);
	return t;
}

SCREE_FN wall_point sphere_rim(const tube_side *t, real radius, bool first, SCREE_GLOBAL const table_wall *w)
{
	const real last = w->type == WALL_CONE ? w->radius2 : w->radius;
	const vec3 rim = first ? v3_mul(w->radius, t->e) : v3_madd(v3_mul(last, t->e), w->length, w->axis);
	const vec3 d = v3_sub(t->r, rim);
	const real far = v3_norm(d);
	return sphere_point(radius, far > 0 ? v3_mul(1 / far, d) : v3_mul(first ? -1 : 1, w->axis), far, w->first_surface);
}

SCREE_FN wall_point sphere_tube(vec3 sphere, real radius, SCREE_GLOBAL const table_wall *w)
{
	const tube_side t = tube_side_of(sphere, w);
	const bool endless = !(w->length < INFINITY), inside = w->side == SIDE_INSIDE;
	const real along = (t.rho - w->radius) * t.sine + t.z * t.cosine; /* coordinate along the side */
	if (!endless && !(along >= 0 && along <= t.length)) return sphere_rim(&t, radius, along < 0, w);
	const real f = (t.rho - w->radius) * t.cosine - t.z * t.sine; /* > 0 outside */
	const vec3 n = v3_madd(v3_mul(t.cosine, t.e), -t.sine, w->axis);
	const real h = inside ? -f : f;
	return sphere_point(radius, inside ? v3_neg(n) : n, h < 0 && !endless ? INFINITY : h, w->first_surface);
}

#endif
