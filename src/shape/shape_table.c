/* shape_table: adds, finds, and frees rows of the table of shapes, for the files that create shapes. */
#include "shape/compound.h"

#include <string.h>

#include "base/memory.h"
#include "shape/thickness.h"

void scree_shape_clear(shape *s)
{
	for (int32_t k = 0; k < s->parts; ++k) {
		if (s->part[k].solid) scree_shape_clear(s->part[k].solid);
		scree_free(s->part[k].solid);
	}
	scree_free(s->part);
	scree_trimesh_free(&s->mesh);
	if (s->skin) scree_trimesh_free(s->skin);
	SCREE_FREE_ALL(s->skin, s->source.point, s->source.triangle, s->source.radius, s->vx, s->vy, s->vz, s->nx, s->ny,
				   s->nz, s->off, s->first, s->corner, s->across, s->ends, s->sides, s->at_first, s->at);
	scree_polygon_free(&s->flat);
	*s = (shape){0};
}

void scree_shapes_free(shapes *s)
{
	for (int32_t i = 0; i < s->count; ++i) scree_shape_clear(s->row + i);
	scree_free(s->row);
	*s = (shapes){0};
}

int32_t scree_shapes_append(shapes *s, const shape *made)
{
	SCREE_APPEND(s->row, s->count, s->capacity, *made);
	s->row[s->count - 1].scale = 1;
	s->row[s->count - 1].thick = scree_shape_thickness(made);
	return s->count - 1;
}

bool scree_shape_name(shape *s, const char *name, fail *why)
{
	size_t bytes = strlen(name);
	if (bytes >= sizeof s->name)
		return scree_refuse(why, "shape '%s': the name has %zu bytes, expected at most %zu", name, bytes,
							sizeof s->name - 1);
	memcpy(s->name, name, bytes + 1);
	return true;
}

int32_t scree_shapes_find(const shapes *s, const char *name)
{
	for (int32_t i = 0; i < s->count; ++i)
		if (strcmp(s->row[i].name, name) == 0) return i;
	return -1;
}
