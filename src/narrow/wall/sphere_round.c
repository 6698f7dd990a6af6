/* sphere_round: contact between a sphere and the closest point of a plane, a cylinder, or a cone.
 *
 * A cylinder is a cone without taper. In the half plane of radius and height, the wall is a straight line between its
 * ends, the rims. A sphere whose centre has passed through a tube's wall has no contact with the tube, as for a
 * one-sided facet. Planes and infinite cylinders have no way around them and always push back. */
#include "narrow/wall/work.h"

void scree_sphere_plane(vec3 sphere, real radius, const wall *w, touch_list *out)
{
	vec3 n = w->axis;
	real h = v3_dot(n, v3_sub(sphere, w->point));
	if (w->two_sided && h < 0) {
		h = -h;
		n = v3_neg(n);
	}
	real depth = radius - h;
	if (depth > 0) scree_touch_point(out, w->first_surface, n, v3_mul(-(radius + h) / 2, n), depth);
}

/* Adds a contact if the sphere reaches the wall's point at distance `away` from the centre along n. */
static void at_distance(real radius, vec3 n, real away, const wall *w, touch_list *out)
{
	if (radius - away > 0) scree_touch_point(out, w->first_surface, n, v3_mul(-(radius + away) / 2, n), radius - away);
}

void scree_sphere_round(vec3 sphere, real radius, const wall *w, touch_list *out)
{
	bool cone = w->type == WALL_CONE, endless = !(w->length < INFINITY);
	real taper = cone ? w->radius2 - w->radius : 0;
	real side = endless ? INFINITY : sqrt(w->length * w->length + taper * taper);
	real c = endless ? 1 : w->length / side, s = endless ? 0 : taper / side;
	vec3 r = v3_sub(sphere, w->point);
	real z = v3_dot(r, w->axis);
	vec3 across = v3_madd(r, -z, w->axis);
	real rho = v3_norm(across);
	vec3 e = rho > 0 ? v3_mul(1 / rho, across) : v3_across(w->axis);
	real along = (rho - w->radius) * s + z * c; /* coordinate along the wall's line, relative to the first end */
	if (endless || (along >= 0 && along <= side)) {
		real f = (rho - w->radius) * c - z * s; /* > 0 outside */
		vec3 n = v3_madd(v3_mul(c, e), -s, w->axis);
		real h = w->side == SIDE_INSIDE ? -f : f;
		if (h < 0 && !endless) return;
		at_distance(radius, w->side == SIDE_INSIDE ? v3_neg(n) : n, h, w, out);
		return;
	}
	vec3 rim = along < 0 ? v3_mul(w->radius, e) : v3_madd(v3_mul(cone ? w->radius2 : w->radius, e), w->length, w->axis);
	vec3 d = v3_sub(r, rim);
	real far = v3_norm(d);
	if (far >= radius) return;
	vec3 n = far > 0 ? v3_mul(1 / far, d) : v3_mul(along < 0 ? -1 : 1, w->axis);
	at_distance(radius, n, far, w, out);
}
