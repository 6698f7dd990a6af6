/* id_table.h: a map from the ids of bodies to numbers, such as their rows. */
#ifndef SCREE_STATE_ID_TABLE_H
#define SCREE_STATE_ID_TABLE_H

#include "base/sort.h"
#include "state/bodies.h"

typedef struct id_table {
	int64_t count;
	sort_item *item; /* [count] in ascending order of ids; free with scree_free */
} id_table;

/* Sorts these ids; the table then owns them. */
id_table scree_ids_sort(sort_item *item, int64_t count);
/* A table of rows from .. end-1 by the ids of their bodies. */
id_table scree_ids_of_rows(const bodies *b, int32_t from, int32_t end);
/* The number of this id, or -1 if it is not found. */
SCREE_FN int32_t id_value(const id_table *t, uint64_t id)
{
	const int64_t k = scree_sort_find(t->item, 0, t->count, id);
	return k < t->count && t->item[k].key == id ? t->item[k].value : -1;
}

#endif
