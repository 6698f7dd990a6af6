/* periods: bodies in a periodic world (model/periods.h). */
#include "world/world.h"

#include "state/pairs.h"

int32_t scree_world_image(const model *m, const state *s, int kind, int64_t slot)
{
	const pair_list *l = s->pair + kind;
	return image_met(&m->period, &s->images, l->met[slot], body_cell(&s->body, l->a[slot]),
					 body_cell(&s->body, l->b[slot]));
}

vec3 scree_world_unwrapped(const model *m, const state *s, int32_t i)
{
	return scree_periods_unwrap(&m->period, &s->images, body_position(&s->body, i), body_cell(&s->body, i));
}

void scree_world_wrap(const model *m, state *s, int32_t i)
{
	bodies *b = &s->body;
	image crossed;
	vec3 drift, p = scree_periods_wrap(&m->period, &s->images, body_position(b, i), &crossed, &drift);
	b->x[i] = p.x, b->y[i] = p.y, b->z[i] = p.z;
	b->cell_x[i] += crossed.x, b->cell_y[i] += crossed.y, b->cell_z[i] += crossed.z;
	b->vx[i] -= drift.x, b->vy[i] -= drift.y, b->vz[i] -= drift.z;
}
