/* touch_list.h: functions with which the functions of narrow.h write contacts with a wall to a list of touches; private
 * to src/narrow. */
#ifndef SCREE_NARROW_TOUCH_LIST_H
#define SCREE_NARROW_TOUCH_LIST_H

#include <stddef.h>

#include "narrow/narrow.h"

typedef struct wall_scratch wall_scratch; /* wall/work.h */

wall_scratch *scree_wall_scratch(touch_list *t);
/* Makes room for one more item of this size in an array, and returns the array. */
void *scree_wall_room(void *array, int32_t count, int32_t *capacity, size_t size);
/* Makes room for at least this many items in an array, and returns the array. */
void *scree_wall_least(void *array, int32_t least, int32_t *capacity, size_t size);
void scree_wall_add_node(wall_scratch *w, vec3 p, vec3 n, real d, real s);
/* Adds a touch with one point. */
void scree_touch_point(touch_list *t, int32_t surface, vec3 normal, vec3 at, real depth);
/* Converts touches of a sphere enlarged by `reach` to touches of the sphere itself; overlaps below 0 are distances. */
void scree_touches_shrink(touch_list *t, real reach);
/* Adds a touch with the data of a patch, except its axis. */
void scree_touch_patch(touch_list *t, int32_t surface, const patch *p);
/* Adds a touch from the nodes and the arm in the scratch, with overlaps multiplied by the factor; none if no node is
 * deeper than 0. */
void scree_touch_nodes(touch_list *t, int32_t surface, const placed *body, real depth_factor);

#endif
