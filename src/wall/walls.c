/* walls: checks walls and adds them to their table. Code of forms is in forms.c, code of motions in motions.c. */
#include "wall/walls.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/quat.h"
#include "wall/forms.h"
#include "wall/internal.h"

static const real OFF_PLANE = 1e-6; /* distance of a corner from its plane, in extents; for decimals typed by hand */

wall scree_wall_default(const char *name, int32_t material)
{
	wall w = {.material = material, .axis = {0, 0, 1}, .length = (real)INFINITY};
	/* a name that is too long fills the array without a terminator, and scree_wall_check refuses it */
	memcpy(w.name, name, strlen(name) < sizeof w.name ? strlen(name) + 1 : sizeof w.name);
	w.motion.axis = v3(0, 0, 1);
	w.motion.until = (real)INFINITY;
	return w;
}

bool scree_wall_check(wall *w, fail *why)
{
	if (!memchr(w->name, 0, sizeof w->name))
		return scree_refuse(why, "wall '%.*s...': the name is longer than %zu bytes", (int)sizeof w->name, w->name,
							sizeof w->name - 1);
	w->removed = false;
	w->first_facet = w->facets = w->dropped = 0;
	w->repaired = (mesh_repairs){0};
	w->servo = (servo_constants){0};
	return scree_wall_check_motion(w, why);
}

int32_t scree_walls_add(walls *s, wall w, fail *why)
{
	const wall_form *f = scree_wall_forms + w.type;
	if (!scree_wall_check(&w, why) || (f->check && !f->check(&w, why))) return -1;
	return scree_walls_append(s, &w, 1);
}

int32_t scree_walls_add_plane(walls *s, wall w, vec3 point, vec3 normal, fail *why)
{
	w.type = WALL_PLANE;
	w.point = point, w.axis = normal;
	return scree_walls_add(s, w, why);
}

int32_t scree_walls_add_cylinder(walls *s, wall w, vec3 end, vec3 axis, real radius, real length, wall_side side,
								 fail *why)
{
	w.type = WALL_CYLINDER;
	w.point = end, w.axis = axis, w.side = side;
	w.radius = radius, w.length = length;
	return scree_walls_add(s, w, why);
}

int32_t scree_walls_add_cone(walls *s, wall w, vec3 end, vec3 axis, real radius, real radius2, real length,
							 wall_side side, fail *why)
{
	w.type = WALL_CONE;
	w.point = end, w.axis = axis, w.side = side;
	w.radius = radius, w.radius2 = radius2, w.length = length;
	return scree_walls_add(s, w, why);
}

int32_t scree_walls_add_flat_polygon(walls *s, wall w, int32_t shape, fail *why)
{
	w.type = WALL_POLYGON;
	w.shape = shape;
	return scree_walls_add(s, w, why);
}

/* Moves the corners into their mean plane. Fails if a corner is farther from it than OFF_PLANE times the extent. */
static bool flatten(const wall *w, int32_t corners, const vec3 *corner, vec3 *flat, vec3 *normal, real *off, fail *why)
{
	vec3 mean = v3(0, 0, 0), area = v3(0, 0, 0);
	real extent = 0;
	for (int32_t k = 0; k < corners; ++k) mean = v3_madd(mean, 1 / (real)corners, corner[k]);
	for (int32_t k = 0; k < corners; ++k) {
		vec3 p = v3_sub(corner[k], mean), q = v3_sub(corner[k + 1 < corners ? k + 1 : 0], mean);
		extent = real_max(extent, v3_norm(p));
		area = v3_add(area, v3_cross(p, q));
	}
	if (!(v3_norm(area) > OFF_PLANE * extent * extent))
		return scree_refuse(why, "wall '%s': the polygon has no area: its corners are collinear", w->name);
	vec3 n = v3_unit(area);
	for (int32_t k = 0; k < corners; ++k) {
		real above = v3_dot(n, v3_sub(corner[k], mean));
		if (real_abs(above) > OFF_PLANE * extent)
			return scree_refuse(why, "wall '%s': the polygon is not planar: corner %d is %g m off its plane", w->name,
								k, above);
		flat[k] = above == 0 ? corner[k] : v3_madd(corner[k], -above, n);
	}
	for (int32_t k = 0; k < corners; ++k) {
		vec3 edge = v3_sub(flat[k + 1 < corners ? k + 1 : 0], flat[k]), in = v3_unit(v3_cross(n, edge));
		if (!(v3_norm(edge) > OFF_PLANE * extent))
			return scree_refuse(why, "wall '%s': corner %d of the polygon is the same as the previous one", w->name,
								k + 1 < corners ? k + 1 : 0);
		for (int32_t j = 0; j < corners; ++j)
			if (v3_dot(in, v3_sub(flat[j], flat[k])) < -OFF_PLANE * extent)
				return scree_refuse(
					why, "wall '%s': the polygon is not convex: corner %d is outside the edge after corner %d", w->name,
					j, k);
	}
	*normal = n;
	*off = v3_dot(n, mean);
	return true;
}

int32_t scree_walls_add_polygon(walls *s, wall w, int32_t corners, const vec3 *corner, fail *why)
{
	w.type = WALL_FACETS;
	if (!scree_wall_check(&w, why)) return -1;
	if (corners < 3 || corners > 4096) {
		scree_refuse(why, "wall '%s': a polygon with %d corners, expected 3 to 4096", w.name, corners);
		return -1;
	}
	for (int32_t k = 0; k < corners; ++k)
		if (!scree_wall_check_point(&w, "a corner", corner[k], why)) return -1;
	vec3 *flat = scree_alloc((size_t)corners, sizeof *flat), normal;
	real off = 0;
	int32_t row = -1;
	if (flatten(&w, corners, corner, flat, &normal, &off, why)) {
		scree_walls_reserve(s, 1, corners);
		w.first_facet = s->facets, w.facets = 1;
		scree_walls_add_facet(s, 0, normal, off, corners, flat);
		row = scree_walls_append(s, &w, 1);
	}
	scree_free(flat);
	return row;
}
