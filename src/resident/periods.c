/* periods: copies periodic space to the memory of a device: the cell, and the images in the next steps. */
#include "resident/blocks.h"

#include "base/memory.h"
#include "model/model.h"
#include "state/pairs.h"
#include "state/state.h"

#include <string.h>

static images_row images_of(const images *o)
{
	images_row d = {o->low, o->size, o->speed, o->offset, o->turns, .shift = {{0, 0, 0}}};
	memcpy(d.shift, o->shift, sizeof d.shift);
	memcpy(d.drift, o->drift, sizeof d.drift);
	return d;
}

/* The image of the pair of each row. */
void scree_resident_put_pairs_images(resident *r, const pair_list *l)
{
	const int64_t rows = l->pieces && l->met ? l->base[l->pieces] : 0;
	image *met = scree_alloc((size_t)rows, sizeof *met);
	for (int64_t k = 0; k < rows; ++k)
		if (l->cb[k] >= 0) met[k] = l->met[l->slot[k]];
	scree_block_room(r, MET, r->rule.periodic ? r->rule.row_stride[LIST_SPHERES] * (int64_t)sizeof *met : 1);
	scree_block_put(r, MET, 0, met, rows * (int64_t)sizeof *met);
	scree_free(met);
}

void scree_resident_put_space(resident *r, const state *s)
{
	const images_row now = images_of(&s->images);
	scree_block_put_all(r, SPACE, &now, sizeof now);
}

/* Images that do not move are the same in all steps. */
void scree_resident_put_images(resident *r, const model *m, const state *s, int64_t steps)
{
	const periods *p = &m->period;
	const period_row rule = {{p->axis[0], p->axis[1], p->axis[2]}, p->shears, p->flow, p->gradient};
	const int64_t count = !p->on ? 0 : r->rule.flows ? steps : 1;
	images now = s->images;
	images_row *of = scree_alloc((size_t)count, sizeof *of);
	for (int64_t k = 0; k < count; ++k) {
		scree_periods_set(p, &now, s->step + k + 1 - s->step_from, m->dt);
		of[k] = images_of(&now);
	}
	scree_block_put_all(r, PERIOD, &rule, sizeof rule);
	scree_block_put_all(r, IMAGES, of, count * (int64_t)sizeof *of);
	scree_free(of);
}
