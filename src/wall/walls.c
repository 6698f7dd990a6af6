/* walls: the table of walls. Code specific to a form is in forms.c, code specific to a motion in motions.c. */
#include "wall/walls.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/quat.h"
#include "wall/forms.h"
#include "wall/internal.h"

static const real OFF_PLANE =
	1e-6; /* distance of a polygon's corners from its plane, over its extent: tolerates decimals typed by hand */

wall scree_wall_default(const char *name, int32_t material)
{
	wall w = {.material = material, .axis = {0, 0, 1}, .length = (real)INFINITY};
	/* a name that is too long fills the array without a terminator; scree_wall_check refuses it */
	memcpy(w.name, name, strlen(name) < sizeof w.name ? strlen(name) + 1 : sizeof w.name);
	w.motion.axis = v3(0, 0, 1);
	w.motion.until = (real)INFINITY;
	return w;
}

bool scree_wall_check_point(const wall *w, const char *what, vec3 p, fail *why)
{
	if (v3_within(p, WALL_LARGEST)) return true;
	return scree_fail(why, FAIL_INPUT, "wall '%s': %s is (%g, %g, %g), expected finite numbers up to 1e30", w->name,
					  what, p.x, p.y, p.z);
}

bool scree_wall_check_unit(const wall *w, const char *what, vec3 *axis, fail *why)
{
	if (!scree_wall_check_point(w, what, *axis, why)) return false;
	real most = real_max(real_abs(axis->x), real_max(real_abs(axis->y), real_abs(axis->z)));
	if (!(most > 0)) return scree_fail(why, FAIL_INPUT, "wall '%s': %s is zero, expected a direction", w->name, what);
	/* an axis of length 1 within rounding is unchanged */
	if (real_abs(v3_norm2(*axis) - 1) > 4e-16) *axis = v3_unit(v3_mul(1 / most, *axis));
	return true;
}

bool scree_wall_check(wall *w, fail *why)
{
	if (!memchr(w->name, 0, sizeof w->name))
		return scree_fail(why, FAIL_INPUT, "wall '%.*s...': the name is longer than %zu bytes", (int)sizeof w->name,
						  w->name, sizeof w->name - 1);
	w->removed = false;
	w->first_facet = w->facets = w->dropped = 0;
	w->repaired = (mesh_repairs){0};
	w->servo = (servo_constants){0};
	return scree_wall_check_motion(w, why);
}

int32_t scree_walls_append(walls *s, const wall *w, int32_t surfaces)
{
	if (s->count == s->capacity) s->row = scree_longer(s->row, &s->capacity, sizeof *s->row);
	if (s->surfaces + surfaces > s->surface_capacity) {
		int32_t capacity = s->surfaces + surfaces + s->surface_capacity / 2;
		const size_t had = (size_t)s->surfaces, room = (size_t)capacity;
		s->surface_wall = scree_grow(s->surface_wall, had, room, sizeof *s->surface_wall);
		for (int k = 0; k < 2; ++k) s->link[k] = scree_grow(s->link[k], had, room, sizeof *s->link[k]);
		s->face = scree_grow(s->face, had, room, sizeof *s->face);
		s->surface_capacity = capacity;
	}
	for (int32_t k = 0; k < surfaces; ++k) s->surface_wall[s->surfaces + k] = s->count;
	wall *to = s->row + s->count;
	*to = *w;
	to->first_surface = s->surfaces;
	to->surfaces = surfaces;
	s->surfaces += surfaces;
	scree_wall_link(s, to);
	return s->count++;
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

void scree_walls_reserve(walls *s, int32_t facets, int32_t corners)
{
	if (s->facets + facets > s->facet_capacity) {
		int32_t capacity = s->facets + facets;
		s->facet = scree_grow(s->facet, (size_t)s->facets, (size_t)capacity, sizeof *s->facet);
		s->facet_capacity = capacity;
	}
	if (s->corners + corners > s->corner_capacity) {
		size_t old = (size_t)s->corners, capacity = old + (size_t)corners;
		s->corner = scree_grow(s->corner, old, capacity, sizeof *s->corner);
		s->outward = scree_grow(s->outward, old, capacity, sizeof *s->outward);
		s->next = scree_grow(s->next, old, capacity, sizeof *s->next);
		s->bend = scree_grow(s->bend, old, capacity, sizeof *s->bend);
		s->corner_capacity = (int32_t)capacity;
	}
}

void scree_walls_add_facet(walls *s, int32_t surface, vec3 normal, real off, int32_t corners, const vec3 *corner)
{
	facet *f = s->facet + s->facets++;
	*f = (facet){.wall = s->count,
				 .surface = s->surfaces + surface,
				 .normal = normal,
				 .off = off,
				 .first = s->corners,
				 .corners = corners,
				 .low = corner[0],
				 .high = corner[0]};
	for (int32_t k = 0; k < corners; ++k) {
		vec3 p = corner[k], edge = v3_sub(corner[k + 1 < corners ? k + 1 : 0], p);
		s->corner[f->first + k] = p;
		s->outward[f->first + k] = v3_unit(v3_cross(edge, normal));
		s->next[f->first + k] = EDGE_OPEN;
		s->bend[f->first + k] = 0;
		v3_widen(&f->low, &f->high, p);
	}
	s->corners += corners;
}

/* Moves the corners into their mean plane. Fails if one is farther from it than OFF_PLANE of the extent. */
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
		return scree_fail(why, FAIL_INPUT, "wall '%s': the polygon has no area, its corners lie on one line", w->name);
	vec3 n = v3_unit(area);
	for (int32_t k = 0; k < corners; ++k) {
		real above = v3_dot(n, v3_sub(corner[k], mean));
		if (real_abs(above) > OFF_PLANE * extent)
			return scree_fail(why, FAIL_INPUT, "wall '%s': the polygon is not planar: corner %d is %g m off its plane",
							  w->name, k, above);
		flat[k] = above == 0 ? corner[k] : v3_madd(corner[k], -above, n);
	}
	for (int32_t k = 0; k < corners; ++k) {
		vec3 edge = v3_sub(flat[k + 1 < corners ? k + 1 : 0], flat[k]), in = v3_unit(v3_cross(n, edge));
		if (!(v3_norm(edge) > OFF_PLANE * extent))
			return scree_fail(why, FAIL_INPUT, "wall '%s': corner %d of the polygon is the same as the one before",
							  w->name, k + 1 < corners ? k + 1 : 0);
		for (int32_t j = 0; j < corners; ++j)
			if (v3_dot(in, v3_sub(flat[j], flat[k])) < -OFF_PLANE * extent)
				return scree_fail(
					why, FAIL_INPUT,
					"wall '%s': the polygon is not convex: corner %d is outside of the edge after corner %d", w->name,
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
		scree_fail(why, FAIL_INPUT, "wall '%s': a polygon with %d corners, expected 3 to 4096", w.name, corners);
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

int32_t scree_walls_find(const walls *s, const char *name)
{
	for (int32_t i = 0; i < s->count; ++i)
		if (strcmp(s->row[i].name, name) == 0) return i;
	return -1;
}

void *scree_walls_keep(walls *s, const void *from, int32_t count, size_t size)
{
	if (count <= 0) return NULL;
	if (s->owned_count == s->owned_capacity) s->owned = scree_longer(s->owned, &s->owned_capacity, sizeof *s->owned);
	return s->owned[s->owned_count++] = scree_copy(from, (size_t)count, size);
}

walls scree_walls_copy(const walls *s)
{
	const size_t corners = (size_t)s->corners, surfaces = (size_t)s->surfaces;
	walls o = {.count = s->count,
			   .capacity = s->count,
			   .row = scree_copy(s->row, (size_t)s->count, sizeof *s->row),
			   .facets = s->facets,
			   .facet_capacity = s->facets,
			   .facet = scree_copy(s->facet, (size_t)s->facets, sizeof *s->facet),
			   .corners = s->corners,
			   .corner_capacity = s->corners,
			   .corner = scree_copy(s->corner, corners, sizeof *s->corner),
			   .outward = scree_copy(s->outward, corners, sizeof *s->outward),
			   .next = scree_copy(s->next, corners, sizeof *s->next),
			   .bend = scree_copy(s->bend, corners, sizeof *s->bend),
			   .meet_near = s->meet_near,
			   .surfaces = s->surfaces,
			   .surface_capacity = s->surfaces,
			   .surface_wall = scree_copy(s->surface_wall, surfaces, sizeof *s->surface_wall)};
	for (int k = 0; k < 2; ++k) o.link[k] = scree_alloc(surfaces, sizeof *o.link[k]);
	o.face = scree_alloc(surfaces, sizeof *o.face);
	return o;
}

void scree_walls_free(walls *s)
{
	for (int32_t k = 0; k < s->owned_count; ++k) scree_free(s->owned[k]);
	SCREE_FREE(s->owned, s->row, s->facet, s->corner, s->outward, s->next, s->bend, s->surface_wall, s->meets,
			   s->meeting, s->link[0], s->link[1], s->face);
	*s = (walls){0};
}
