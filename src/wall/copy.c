/* copy: walls for another world (copy.h). */
#include "wall/copy.h"

#include "base/memory.h"

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
