#include "rank_worlds.h"

#include "base/memory.h"

void plan_cell(const scree_world *w, partition_plan *o)
{
	const periods *p = &w->model.period;
	for (int32_t axis = 0; axis < 3; ++axis) {
		o->periodic[axis] = p->axis[axis];
		if (!p->axis[axis]) continue;
		*v3_along(&o->low, axis) = v3_part(p->low, axis);
		*v3_along(&o->high, axis) = v3_part(p->low, axis) + v3_part(p->size, axis);
	}
	o->flat = w->model.flat;
}

void keep_own_bodies(scree_world *w, rank_part *part)
{
	const bodies *b = &w->state.body;
	int32_t *gone = scree_alloc((size_t)b->count, sizeof *gone), count = 0;
	for (int32_t i = 0; i < b->count; ++i)
		if (part->space.by->owner(&part->space, body_position(b, i)) != part->c->rank) gone[count++] = i;
	scree_world_remove(&w->model, &w->state, &w->work, count, gone);
	scree_free(gone);
	w->work.domain =
		(domain){.by = part->rule ? part->rule : &scree_domain_ranks, .at = part, .first = part->c->rank == 0};
}
