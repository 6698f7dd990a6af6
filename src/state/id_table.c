#include "state/id_table.h"

#include "base/memory.h"

id_table scree_ids_sort(sort_item *item, int64_t count)
{
	sort_item *tmp = scree_alloc((size_t)count, sizeof *tmp);
	scree_sort(item, tmp, count);
	scree_free(tmp);
	return (id_table){count, item};
}

id_table scree_ids_of_rows(const bodies *b, int32_t from, int32_t end)
{
	const int32_t count = end - from;
	sort_item *item = scree_alloc((size_t)count, sizeof *item);
	for (int32_t k = 0; k < count; ++k) item[k] = (sort_item){b->id[from + k], from + k};
	return scree_ids_sort(item, count);
}
