/* draw: code shared by all fills: a list of bodies, and one random body by the keys of its fill. */
#include "scene/reader.h"

#include <stdio.h>

#include "base/memory.h"
#include "kernel/quat.h"

void scree_body_list_add(body_list *l, new_body b)
{
	if (l->count == l->capacity) {
		int64_t capacity = l->capacity * 3 / 2 + 256;
		l->row = scree_grow(l->row, (size_t)l->capacity, (size_t)capacity, sizeof *l->row);
		l->capacity = capacity;
	}
	l->row[l->count++] = b;
}

const char *scree_fill_name(const reader *r, const fill_spec *f, char name[64])
{
	const fill_spec *first = r->spec.fill.item;
	if (f->name)
		snprintf(name, 64, "fill '%.47s'", f->name);
	else
		snprintf(name, 64, "fill %d", (int)(f - first) + 1);
	return name;
}

static const mix_part *draw_part(const mix_part *part, int32_t parts, random_stream *s)
{
	real all = 0, sum = 0;
	for (int32_t k = 0; k < parts; ++k) all += part[k].share;
	real u = all * scree_random_real(s);
	for (int32_t k = 0; k < parts - 1; ++k) {
		sum += part[k].share;
		if (u < sum) return &part[k];
	}
	return &part[parts - 1];
}

new_body scree_fill_draw(const reader *r, const fill_spec *f, const mix_part *part, int32_t parts, shape_rows *rows,
						 random_stream *s)
{
	const mix_part *p = draw_part(part, parts, s);
	shape_rows *of = rows + p->shape;
	new_body b = {.shape = of->first + (int32_t)(of->taken++ % of->count),
				  .material = f->material,
				  .velocity = f->velocity,
				  .angular_velocity = f->angular_velocity};
	b.flags = (f->held ? BODY_HELD : 0) | (f->locked ? BODY_LOCKED : 0);
	b.size = scree_spread_draw(&p->size, s);
	b.orientation = f->orientation.type == ORIENT_RANDOM  ? r->flat ? scree_random_turn(s) : scree_random_rotation(s)
					 : f->orientation.type == ORIENT_GIVEN ? quat_unit(f->orientation.q)
														  : quat_one();
	return b;
}
