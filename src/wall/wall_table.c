/* wall_table: rows, surfaces and facets of the table of walls, without regard to their forms and motions. */
#include "wall/walls.h"

#include <string.h>

#include "base/memory.h"
#include "wall/internal.h"

static bool finite_vector(vec3 p) { return wall_bounded(p.x) && wall_bounded(p.y) && wall_bounded(p.z); }

bool scree_wall_check_point(const wall *w, const char *what, vec3 p, fail *why)
{
	if (finite_vector(p)) return true;
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

int32_t scree_walls_append(walls *s, const wall *w, int32_t surfaces)
{
	if (s->count == s->capacity) {
		int32_t capacity = s->capacity ? 2 * s->capacity : 8;
		s->row = scree_grow(s->row, (size_t)s->capacity, (size_t)capacity, sizeof *s->row);
		s->capacity = capacity;
	}
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
		f->low = v3_min(f->low, p);
		f->high = v3_max(f->high, p);
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
	if (s->owned_count == s->owned_capacity) {
		const int32_t capacity = s->owned_capacity ? 2 * s->owned_capacity : 8;
		s->owned = scree_grow(s->owned, (size_t)s->owned_capacity, (size_t)capacity, sizeof *s->owned);
		s->owned_capacity = capacity;
	}
	return s->owned[s->owned_count++] = scree_copy(from, (size_t)count, size);
}

void scree_walls_free(walls *s)
{
	for (int32_t k = 0; k < s->owned_count; ++k) scree_free(s->owned[k]);
	scree_free(s->owned);
	scree_free(s->row);
	scree_free(s->facet);
	scree_free(s->corner), scree_free(s->outward), scree_free(s->next), scree_free(s->bend);
	scree_free(s->surface_wall);
	scree_free(s->meets), scree_free(s->meeting);
	scree_free(s->link[0]), scree_free(s->link[1]), scree_free(s->face);
	*s = (walls){0};
}
