/* room: working arrays of a thread, and surfaces with the places of their vertices in them. */
#include "narrow/surface/room.h"

#include "base/memory.h"

struct surface_room *scree_surface_room(surface_scratch *s)
{
	if (!s->room) s->room = scree_alloc(1, sizeof *s->room);
	s->room->waiting = s->room->minima = 0;
	return s->room;
}

void scree_surface_forget(surface_places *p, int32_t vertices, skin *s)
{
	if (vertices > p->capacity) {
		int32_t capacity = vertices + vertices / 2;
		surface_places_free(p);
		p->place = scree_alloc((size_t)capacity, sizeof *p->place);
		p->known = scree_alloc((size_t)capacity, sizeof *p->known);
		p->capacity = capacity, p->now = 0;
	}
	if (!++p->now) { /* after 2^32 calls */
		memset(p->known, 0, (size_t)p->capacity * sizeof *p->known);
		p->now = 1;
	}
	s->place = p->place, s->known = p->known, s->now = p->now;
}

skin scree_skin_of(const placed_surface *p, vec3 origin, surface_places *places)
{
	const trimesh *m = p->of;
	skin s = {.triangles = m->triangles,
			  .vertex = m->vertex,
			  .normal = m->normal,
			  .corner = m->corner,
			  .across = m->across,
			  .plane = m->plane,
			  .first = m->first,
			  .bend = m->bend,
			  .at = v3_sub(p->at, origin),
			  .turn = p->turn,
			  .size = p->size,
			  .halo = p->halo};
	scree_surface_forget(places, m->vertices, &s);
	return s;
}
