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
