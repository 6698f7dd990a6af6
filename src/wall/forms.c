/* forms: the table of wall forms, and their functions except drawing (drawing.c). */
#include "wall/forms.h"

#include <stddef.h>

#include "kernel/near_wall.h"
#include "wall/internal.h"

static bool always(const wall *w)
{
	(void)w;
	return true;
}

static void add_bounds(vec3 p, real radius, vec3 axis, vec3 *low, vec3 *high)
{
	for (int32_t d = 0; d < 3; ++d) {
		real a = v3_part(axis, d), r = radius * sqrt(real_max(0, 1 - a * a));
		*v3_along(low, d) = real_min(v3_part(*low, d), v3_part(p, d) - r);
		*v3_along(high, d) = real_max(v3_part(*high, d), v3_part(p, d) + r);
	}
}

static bool along_axis(const wall *w, vec3 axis) { return !(v3_norm2(v3_cross(w->axis, axis)) > (real)1e-24); }

/* ------------------------------------------------------------------ planes */

static bool check_plane(wall *w, fail *why)
{
	return scree_wall_check_point(w, "its point", w->point, why) &&
		   scree_wall_check_unit(w, "its normal", &w->axis, why);
}

static bool plane_has_sides(const wall *w) { return w->two_sided; }

static bool plane_is_line(const wall *w) { return w->axis.z == 0; }

static bool plane_turns_in_itself(const wall *w, vec3 axis, vec3 point)
{
	(void)point;
	return along_axis(w, axis);
}

static const char *plane_cannot_repeat(const wall *w, int32_t axis, real low, real high)
{
	(void)low, (void)high;
	return real_abs(v3_part(w->axis, axis)) > WALL_ALMOST ? "an infinite plane cannot have a normal with a component"
														  : NULL;
}

/* ------------------------------------------------------------------ cylinders and cones */

static bool check_tube(wall *w, fail *why)
{
	return scree_wall_check_point(w, "its end", w->point, why) && scree_wall_check_unit(w, "its axis", &w->axis, why);
}

static bool check_cylinder(wall *w, fail *why)
{
	if (!check_tube(w, why)) return false;
	if (!(w->radius > 0 && wall_bounded(w->radius)) || !(w->length > 0))
		return scree_refuse(why, "wall '%s': a cylinder with radius %g m and length %g m, expected both positive",
							w->name, w->radius, w->length);
	w->radius2 = w->radius;
	return true;
}

static bool check_cone(wall *w, fail *why)
{
	real r = w->radius, r2 = w->radius2;
	if (!check_tube(w, why)) return false;
	if (!(r >= 0 && wall_bounded(r)) || !(r2 >= 0 && wall_bounded(r2)) || !(r + r2 > 0) ||
		!(w->length > 0 && wall_bounded(w->length)))
		return scree_refuse(why,
							"wall '%s': a cone with radii %g m and %g m and length %g m, expected radii >= 0, one of "
							"them and the length positive and finite",
							w->name, r, r2, w->length);
	return true;
}

static bool cylinder_is_endless(const wall *w) { return !finite_length(w); }

static bool cylinder_has_sides(const wall *w) { return !(w->side == SIDE_INSIDE && !finite_length(w)); }

static bool cylinder_is_circle(const wall *w) { return w->axis.x == 0 && w->axis.y == 0 && !finite_length(w); }

static bool tube_turns_in_itself(const wall *w, vec3 axis, vec3 point)
{
	vec3 off = v3_sub(point, w->point);
	off = v3_madd(off, -v3_dot(off, w->axis), w->axis);
	return along_axis(w, axis) && v3_norm2(off) <= (real)1e-24 * w->radius * w->radius;
}

/* perpendicular to its axis, an infinite tube must fit entirely into the cell */
static const char *cylinder_cannot_repeat(const wall *w, int32_t axis, real low, real high)
{
	vec3 e = v3(0, 0, 0);
	*v3_along(&e, axis) = 1;
	if (finite_length(w) || v3_norm(v3_cross(w->axis, e)) < WALL_ALMOST) return NULL;
	if (real_abs(v3_part(w->axis, axis)) > WALL_ALMOST) return "an infinite oblique cylinder cannot repeat";
	real at = v3_part(w->point, axis);
	return at - w->radius > low && at + w->radius < high ? NULL : "a cylinder must lie within the period";
}

static void tube_bounds(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high)
{
	(void)s, (void)shapes;
	add_bounds(w->point, w->radius, w->axis, low, high);
	add_bounds(v3_madd(w->point, w->length, w->axis), w->radius2, w->axis, low, high);
}

static real tube_has_a_back(const wall *w)
{
	return finite_length(w) ? v3_norm(w->point) + real_max(w->radius, w->radius2) + w->length : 0;
}

/* ------------------------------------------------------------------ facets, and polygons of the plane */

static void facet_bounds(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high)
{
	(void)shapes;
	for (int32_t f = w->first_facet; f < w->first_facet + w->facets; ++f) {
		add_bounds(s->facet[f].low, 0, v3(1, 0, 0), low, high);
		add_bounds(s->facet[f].high, 0, v3(1, 0, 0), low, high);
	}
}

/* tests whether p is at most radius + far outside the line of every edge */
static bool near_polygon(const wall *w, vec3 p, real radius, real far)
{
	const shape *s = w->form;
	p = v3_sub(p, s->centre);
	for (int32_t k = 0; k < s->flat.corners; ++k) {
		const flat_corner *c = s->flat.corner + k;
		if (c->ty * (p.x - c->x) - c->tx * (p.y - c->y) > radius + far) return false;
	}
	return true;
}

static void polygon_bounds(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high)
{
	const shape *form = shapes->row + w->shape;
	(void)s;
	add_bounds(form->centre, form->radius, v3(0, 0, 1), low, high);
}

const wall_form scree_wall_forms[WALL_TYPES] = {
	[WALL_PLANE] = {"plane", .check = check_plane, .has_sides = plane_has_sides, .is_endless = always,
					.in_plane = plane_is_line, .in_space = true, .on_devices = true, .is_near = near_plane,
					.turns_in_itself = plane_turns_in_itself, .cannot_repeat = plane_cannot_repeat,
					.draw = scree_wall_draw_plane},
	[WALL_CYLINDER] = {"cylinder", .check = check_cylinder, .has_sides = cylinder_has_sides,
					   .is_endless = cylinder_is_endless, .in_plane = cylinder_is_circle, .in_space = true,
					   .on_devices = true, .is_near = near_cylinder, .turns_in_itself = tube_turns_in_itself,
					   .cannot_repeat = cylinder_cannot_repeat, .bounds = tube_bounds, .has_a_back = tube_has_a_back,
					   .draw = scree_wall_draw_tube},
	[WALL_CONE] = {"cone", .check = check_cone, .in_space = true, .on_devices = true, .is_near = near_cone,
				   .turns_in_itself = tube_turns_in_itself, .bounds = tube_bounds, .has_a_back = tube_has_a_back,
				   .draw = scree_wall_draw_tube},
	[WALL_FACETS] = {"facets", .in_space = true, .on_devices = true, .bounds = facet_bounds,
					 .draw = scree_wall_draw_facets},
	[WALL_POLYGON] = {"polygon", .in_plane = always, .is_near = near_polygon, .bounds = polygon_bounds,
					  .draw = scree_wall_draw_polygon},
};

bool scree_wall_has_sides(const wall *w)
{
	const wall_form *f = scree_wall_forms + w->type;
	return !f->has_sides || f->has_sides(w);
}

bool scree_wall_is_endless(const wall *w)
{
	const wall_form *f = scree_wall_forms + w->type;
	return f->is_endless && f->is_endless(w);
}

void scree_wall_bounds(const walls *s, const wall *w, const shapes *shapes, vec3 *low, vec3 *high)
{
	*low = v3(INFINITY, INFINITY, INFINITY);
	*high = v3(-INFINITY, -INFINITY, -INFINITY);
	scree_wall_forms[w->type].bounds(s, w, shapes, low, high);
}

/* half of the sum of cross products of neighbouring corners, relative to the first corner */
static real area_of_facet(const walls *s, const facet *f)
{
	vec3 sum = {0, 0, 0};
	for (int32_t k = 2; k < f->corners; ++k) {
		const vec3 *c = s->corner + f->first;
		sum = v3_add(sum, v3_cross(v3_sub(c[k - 1], c[0]), v3_sub(c[k], c[0])));
	}
	return v3_norm(sum) / 2;
}

static real around(const shape *s)
{
	const int32_t n = scree_shape_corners(s);
	real length = 0;
	for (int32_t k = 0; k < n; ++k)
		length += v3_norm(v3_sub(scree_shape_corner(s, (k + 1) % n), scree_shape_corner(s, k)));
	return length;
}

static real area_of_tube(const wall *w, bool flat)
{
	if (flat) return 2 * SCREE_PI * w->radius;
	const real other = w->type == WALL_CONE ? w->radius2 : w->radius, rise = w->radius - other;
	return SCREE_PI * (w->radius + other) * sqrt(w->length * w->length + rise * rise);
}

real scree_wall_area(const walls *s, const wall *w, const shapes *shapes, bool flat)
{
	real sum = 0;
	switch (w->type) {
	case WALL_CYLINDER:
	case WALL_CONE:
		return area_of_tube(w, flat);
	case WALL_POLYGON:
		return around(shapes->row + w->shape);
	case WALL_FACETS:
		for (int32_t f = 0; f < w->facets; ++f) sum += area_of_facet(s, s->facet + w->first_facet + f);
		return sum;
	default:
		return INFINITY;
	}
}
