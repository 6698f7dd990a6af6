/* periods: bodies in a world whose space repeats (state/periods.h). */
#include "world/world.h"

int32_t scree_world_image(const scree_world *w, int kind, int64_t slot)
{
	const pair_list *l = w->pair + kind;
	return image_met(&w->period, l->met[slot], body_cell(&w->body, l->a[slot]), body_cell(&w->body, l->b[slot]));
}

vec3 scree_world_unwrapped(const scree_world *w, int32_t i)
{
	return scree_periods_unwrap(&w->period, body_position(&w->body, i), body_cell(&w->body, i));
}

void scree_world_wrap(scree_world *w, int32_t i)
{
	bodies *b = &w->body;
	image crossed;
	vec3 drift, p = scree_periods_wrap(&w->period, body_position(b, i), &crossed, &drift);
	b->x[i] = p.x, b->y[i] = p.y, b->z[i] = p.z;
	b->cell_x[i] += crossed.x, b->cell_y[i] += crossed.y, b->cell_z[i] += crossed.z;
	b->vx[i] -= drift.x, b->vy[i] -= drift.y, b->vz[i] -= drift.z;
}
