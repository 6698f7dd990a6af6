/* touch_list.h: functions that narrow phases use to add contacts with a wall to a list. Private to src/narrow. */
#ifndef SCREE_NARROW_TOUCH_LIST_H
#define SCREE_NARROW_TOUCH_LIST_H

#include "kernel/pressure.h"
#include "narrow/narrow.h"
#include "base/real.h"

#include <stddef.h>

/* pressure.c: pressures as in kernel/pressure.h, of any size. */
enum { PRESSURE_CORNERS = 128, PRESSURE_PARTS = 48 };

typedef struct pressure {
	int32_t corners, parts, corner_room, part_room;
	pressure_corner *corner;
	pressure_part *part;
	pressure_sums sum; /* over all parts */
	pressure_corner few_corners[PRESSURE_CORNERS];
	pressure_part few_parts[PRESSURE_PARTS];
} pressure;

/* Starts an empty pressure distribution, which scree_pressure_arm completes. */
SCREE_FN void pressure_start(pressure *o)
{
	o->corners = o->parts = 0;
	o->corner_room = PRESSURE_CORNERS;
	o->part_room = PRESSURE_PARTS;
	o->corner = o->few_corners;
	o->part = o->few_parts;
	o->sum = (pressure_sums){0, 0, 0};
}

void scree_pressure_room(pressure *o);

SCREE_FN void pressure_corner_add(pressure *o, real x, real y, real p)
{
	if (o->corners == o->corner_room) scree_pressure_room(o);
	o->corner[o->corners++] = pressure_corner_of(x, y, p);
}

/* Creates a part from the corners added since the last part. */
void scree_pressure_close(pressure *o);

/* Completes the pressure, and returns its mean distance from its centre, or 0 if there is no pressure. */
real scree_pressure_arm(pressure *o);

typedef struct wall_scratch wall_scratch; /* wall/work.h */

wall_scratch *scree_wall_scratch(touch_list *t);
/* Allocates room in an array for one more item of this size, and returns the array. */
void *scree_wall_room(void *array, int32_t count, int32_t *capacity, size_t size);
/* Allocates room in an array for at least this number of items, and returns the array. */
void *scree_wall_least(void *array, int32_t least, int32_t *capacity, size_t size);
void scree_wall_add_node(wall_scratch *w, vec3 p, vec3 n, real d, real s);
void scree_touch_point(touch_list *t, int32_t surface, vec3 normal, vec3 at, real depth);
struct wall_point; /* kernel/sphere_wall.h */
void scree_touch_wall_point(touch_list *t, const struct wall_point *p);
/* Converts contacts of a sphere enlarged by `reach` to contacts of the sphere; overlaps below 0 are distances. */
void scree_touches_shrink(touch_list *t, real reach);
/* Adds a contact with the data of a patch, except its axis. */
void scree_touch_patch(touch_list *t, int32_t surface, const patch *p);
/* Adds a contact from the nodes and the arm in the scratch memory, with overlaps multiplied by the factor; adds nothing
 * if all depths are at most 0. */
void scree_touch_nodes(touch_list *t, int32_t surface, const placed *body, real depth_factor);

#endif
