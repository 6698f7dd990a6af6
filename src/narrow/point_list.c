/* point_list: lists of contact points. */
#include "narrow/narrow.h"

#include "base/memory.h"

point_found *scree_point_list_add(point_list *l, uint64_t feature)
{
	if (l->count == l->capacity) {
		int32_t capacity = l->capacity + l->capacity / 2 + 8;
		l->item = scree_grow(l->item, (size_t)l->count, (size_t)capacity, sizeof *l->item);
		l->capacity = capacity;
	}
	point_found *p = l->item + l->count++;
	*p = (point_found){.feature = feature, .part = 1};
	return p;
}

void scree_point_list_free(point_list *l)
{
	scree_free(l->item);
	*l = (point_list){0};
}
