/* touch_list: collects contacts with walls.
 *
 * The list owns its memory and the memory of the functions that fill it, which never shrinks, so a thread's list soon
 * stops allocating. */
#include "narrow/touch_list.h"

#include "base/memory.h"
#include "narrow/wall/work.h"
#include "kernel/sphere_wall.h"

wall_scratch *scree_wall_scratch(touch_list *t)
{
	if (!t->scratch) t->scratch = scree_alloc(1, sizeof *t->scratch);
	return t->scratch;
}

void *scree_wall_least(void *array, int32_t least, int32_t *capacity, size_t size)
{
	if (least <= *capacity) return array;
	int32_t more = least + least / 2 + 16;
	array = scree_grow(array, (size_t)*capacity, (size_t)more, size);
	*capacity = more;
	return array;
}

void *scree_wall_room(void *array, int32_t count, int32_t *capacity, size_t size)
{
	return scree_wall_least(array, count + 1, capacity, size);
}

void scree_wall_add_node(wall_scratch *w, vec3 p, vec3 n, real d, real s)
{
	w->node = scree_wall_room(w->node, w->nodes, &w->node_capacity, sizeof *w->node);
	w->node[w->nodes++] = (wall_node){p, n, d, s};
}

static void room_for_point(touch_list *t)
{
	int32_t had = t->point_capacity, c1 = had, c2 = had, c3 = had;
	if (t->points < had) return;
	t->at = scree_wall_room(t->at, t->points, &c1, sizeof *t->at);
	t->deep = scree_wall_room(t->deep, t->points, &c2, sizeof *t->deep);
	t->weight = scree_wall_room(t->weight, t->points, &c3, sizeof *t->weight);
	t->point_capacity = c1;
}

static touch *new_touch(touch_list *t, int32_t surface)
{
	t->item = scree_wall_room(t->item, t->count, &t->capacity, sizeof *t->item);
	touch *i = t->item + t->count++;
	*i = (touch){.surface = surface, .first = t->points, .part = 1};
	return i;
}

static void add_point(touch_list *t, touch *i, vec3 at, real deep, real weight)
{
	room_for_point(t);
	t->at[t->points] = at;
	t->deep[t->points] = deep;
	t->weight[t->points] = weight;
	++t->points;
	++i->points;
	if (deep > i->depth) i->depth = deep;
}

void scree_touch_point(touch_list *t, int32_t surface, vec3 normal, vec3 at, real depth)
{
	touch *i = new_touch(t, surface);
	i->normal = normal;
	add_point(t, i, at, depth, 1);
}

void scree_touch_wall_point(touch_list *t, const wall_point *p)
{
	scree_touch_point(t, p->surface, p->normal, p->at, p->depth);
}

void scree_touch_patch(touch_list *t, int32_t surface, const patch *p)
{
	touch *i = new_touch(t, surface);
	i->normal = p->normal;
	i->pitch = p->pitch;
	for (int32_t k = 0; k < p->points; ++k) add_point(t, i, p->at[k], p->deep[k], p->weight[k]);
}

void scree_touch_nodes(touch_list *t, int32_t surface, const placed *body, real depth_factor)
{
	wall_scratch *w = t->scratch;
	wall_contact c;
	if (!wall_complete(w, body, depth_factor, &c)) return;
	touch *item = new_touch(t, surface);
	for (int32_t i = 0; i < w->nodes; ++i) add_point(t, item, w->node[i].p, w->node[i].d, w->node[i].s);
	item->normal = c.normal;
	item->arm = c.arm;
}

void scree_touches_shrink(touch_list *list, real reach)
{
	for (int32_t i = 0; i < list->count; ++i) {
		touch *t = list->item + i;
		t->depth -= reach;
		list->deep[t->first] -= reach;
		list->at[t->first] = v3_madd(list->at[t->first], reach / 2, t->normal);
	}
}
