#include "ranks/partition.h"

#include "base/memory.h"

#include <string.h>

static const partition_row *const rows[] = {&scree_partition_grid, &scree_partition_hexagons, &scree_partition_rcb};

const partition_row *scree_partition_find(const char *name)
{
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
		if (!strcmp(rows[k]->name, name)) return rows[k];
	return NULL;
}

bool scree_partition_make(partition *p, const partition_row *by, const partition_plan *plan, fail *why)
{
	*p = (partition){.by = by, .plan = *plan};
	for (int32_t axis = 0; axis < 3; ++axis) {
		const real size = v3_part(plan->high, axis) - v3_part(plan->low, axis);
		if (!(size >= 0 && size < INFINITY))
			return scree_fail(why, FAIL_INPUT, "a world that is divided among ranks needs bounds along %c",
							  "xyz"[axis]);
	}
	return by->make(p, why);
}

void scree_partition_free(partition *p)
{
	scree_free(p->plane);
	p->plane = NULL;
}

real scree_partition_gap(const partition *p, int32_t axis, const box *a, const box *b)
{
	const real size = v3_part(p->plan.high, axis) - v3_part(p->plan.low, axis);
	const real up = v3_part(b->low, axis) - v3_part(a->high, axis);
	const real down = v3_part(a->low, axis) - v3_part(b->high, axis);
	const real between = real_max(up, down);
	return p->plan.periodic[axis] ? real_min(between, real_min(up + size, down + size)) : between;
}
