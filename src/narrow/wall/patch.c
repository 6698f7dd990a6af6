/* patch: memory of the contact points of polyhedra (kernel/wall_patch.h). */
#include "narrow/wall/work.h"

void scree_wall_vertices(wall_scratch *w, const shape *s)
{
	if (w->vertices >= s->padded) return;
	int32_t c1 = w->vertices, c2 = c1, c3 = c1;
	w->depth = scree_wall_least(w->depth, s->padded, &c1, sizeof *w->depth);
	w->lump = scree_wall_least(w->lump, s->padded, &c2, sizeof *w->lump);
	w->normal = scree_wall_least(w->normal, s->padded, &c3, sizeof *w->normal);
	w->vertices = c1;
}

void scree_wall_corners(wall_scratch *w, int32_t corners)
{
	if (corners <= w->poly_capacity) return;
	int32_t had = w->poly_capacity, c0 = had;
	w->poly[0] = scree_wall_least(w->poly[0], corners, &c0, sizeof *w->poly[0]);
	w->poly_capacity = had;
	w->poly[1] = scree_wall_least(w->poly[1], corners, &w->poly_capacity, sizeof *w->poly[1]);
}
