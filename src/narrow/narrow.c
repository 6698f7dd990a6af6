/* narrow: lists of patches and of points. */
#include "narrow/narrow.h"

#include "base/memory.h"

const char *scree_convex_refuses(const walls *s, int32_t wall)
{
	if (s->row[wall].internal) return "class: internal skips tests of edges that this narrow phase always makes";
	return NULL;
}

patch *scree_patch_list_add(patch_list *l, uint64_t feature)
{
	if (l->count == l->capacity) {
		int32_t capacity = l->capacity + l->capacity / 2 + 4;
		l->item = scree_grow(l->item, (size_t)l->count, (size_t)capacity, sizeof *l->item);
		l->feature = scree_grow(l->feature, (size_t)l->count, (size_t)capacity, sizeof *l->feature);
		l->capacity = capacity;
	}
	l->feature[l->count] = feature;
	return l->item + l->count++;
}

void scree_patch_list_free(patch_list *l)
{
	scree_free(l->item);
	scree_free(l->feature);
	*l = (patch_list){0};
}

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
