/* wall_table: rows, surfaces, and facets of the table of walls, independent of forms and motions. */
#include "wall/walls.h"

#include <string.h>

#include "base/memory.h"
#include "wall/internal.h"

bool scree_wall_check_point(const wall *w, const char *what, vec3 p, fail *why)
{
	if (v3_within(p, WALL_LARGEST)) return true;
	return scree_refuse(why, "wall '%s': %s is (%g, %g, %g), expected finite numbers up to 1e30", w->name, what, p.x,
						p.y, p.z);
}

bool scree_wall_check_unit(const wall *w, const char *what, vec3 *axis, fail *why)
{
	if (!scree_wall_check_point(w, what, *axis, why)) return false;
	real most = real_max(real_abs(axis->x), real_max(real_abs(axis->y), real_abs(axis->z)));
	if (!(most > 0)) return scree_refuse(why, "wall '%s': %s is zero, expected a direction", w->name, what);
	/* an axis of length 1 within rounding is unchanged */
	if (real_abs(v3_norm2(*axis) - 1) > 4e-16) *axis = v3_unit(v3_mul(1 / most, *axis));
	return true;
}

int32_t scree_walls_append(walls *s, const wall *w, int32_t surfaces)
{
	if (s->surfaces + surfaces > s->surface_capacity) {
		int32_t capacity = s->surfaces + surfaces + s->surface_capacity / 2;
		const size_t had = (size_t)s->surfaces, room = (size_t)capacity;
		s->surface_wall = scree_grow(s->surface_wall, had, room, sizeof *s->surface_wall);
		for (int k = 0; k < 2; ++k) s->link[k] = scree_grow(s->link[k], had, room, sizeof *s->link[k]);
		s->face = scree_grow(s->face, had, room, sizeof *s->face);
		s->surface_capacity = capacity;
	}
	for (int32_t k = 0; k < surfaces; ++k) s->surface_wall[s->surfaces + k] = s->count;
	SCREE_APPEND(s->row, s->count, s->capacity, *w);
	wall *to = s->row + s->count - 1;
	to->first_surface = s->surfaces;
	to->surfaces = surfaces;
	s->surfaces += surfaces;
	scree_wall_link(s, to);
	return s->count - 1;
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
	*f = (facet){s->count, s->surfaces + surface, normal, off, s->corners, corners, corner[0], corner[0]};
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

int32_t scree_walls_find(const walls *s, const char *name)
{
	for (int32_t i = 0; i < s->count; ++i)
		if (strcmp(s->row[i].name, name) == 0) return i;
	return -1;
}

void *scree_walls_keep(walls *s, const void *from, int32_t count, size_t size)
{
	if (count <= 0) return NULL;
	return SCREE_APPEND(s->owned, s->owned_count, s->owned_capacity, scree_copy(from, (size_t)count, size));
}

walls scree_walls_copy(const walls *s)
{
	const size_t corners = (size_t)s->corners, surfaces = (size_t)s->surfaces;
#define COPY(array, count) .array = scree_copy(s->array, (size_t)(count), sizeof *s->array)
	walls o = {s->count,
			   s->count,
			   COPY(row, s->count),
			   .facets = s->facets,
			   .facet_capacity = s->facets,
			   COPY(facet, s->facets),
			   .corners = s->corners,
			   .corner_capacity = s->corners,
			   COPY(corner, corners),
			   COPY(outward, corners),
			   COPY(next, corners),
			   COPY(bend, corners),
			   .meet_near = s->meet_near,
			   .surfaces = s->surfaces,
			   .surface_capacity = s->surfaces,
			   COPY(surface_wall, surfaces)};
#undef COPY
	for (int k = 0; k < 2; ++k) o.link[k] = scree_alloc(surfaces, sizeof *o.link[k]);
	o.face = scree_alloc(surfaces, sizeof *o.face);
	return o;
}

void scree_walls_free(walls *s)
{
	for (int32_t k = 0; k < s->owned_count; ++k) scree_free(s->owned[k]);
	SCREE_FREE_ALL(s->owned, s->row, s->facet, s->corner, s->outward, s->next, s->bend, s->surface_wall, s->meets,
				   s->meeting, s->link[0], s->link[1], s->face);
	*s = (walls){0};
}
