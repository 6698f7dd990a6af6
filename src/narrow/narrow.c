/* narrow: functions for lists of patches and points. */
#include "narrow/narrow.h"

#include "base/memory.h"
#include "narrow/touch_list.h"

const char *scree_convex_refuses(const walls *s, int32_t wall)
{
	if (s->row[wall].internal) return "class: internal skips tests of edges that this narrow phase always makes";
	return NULL;
}

patch *scree_patch_list_add(patch_list *l, uint64_t feature)
{
	int32_t had = l->capacity;
	l->item = scree_wall_room(l->item, l->count, &had, sizeof *l->item);
	l->feature = scree_wall_room(l->feature, l->count, &l->capacity, sizeof *l->feature);
	l->feature[l->count] = feature;
	return l->item + l->count++;
}

void scree_patch_list_free(patch_list *l)
{
	SCREE_FREE_ALL(l->item, l->feature);
	*l = (patch_list){0};
}

void scree_point_list_add(point_list *l, point_found p)
{
	l->item = scree_wall_room(l->item, l->count, &l->capacity, sizeof *l->item);
	l->item[l->count++] = p;
}

void scree_point_list_free(point_list *l)
{
	scree_free(l->item);
	*l = (point_list){0};
}
