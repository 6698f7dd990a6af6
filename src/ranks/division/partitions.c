/* partitions: the table of partitions. */
#include "ranks/division/partition.h"

#include <string.h>

static const partition_row *const rows[] = {&scree_partition_grid, &scree_partition_hexagons, &scree_partition_rcb};

const partition_row *scree_partition_find(const char *name)
{
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
		if (!strcmp(rows[k]->name, name)) return rows[k];
	return NULL;
}
