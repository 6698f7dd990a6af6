/* pressure: polygons of pressure with any number of corners and parts (kernel/pressure.h). */
#include "narrow/touch_list.h"

#include "base/memory.h"

#include <string.h>

static void *doubled(void *array, const void *few, int32_t *room, size_t size)
{
	void *more = scree_alloc(2 * (size_t)*room, size);
	memcpy(more, array, (size_t)*room * size);
	if (array != few) scree_free(array);
	*room *= 2;
	return more;
}

void scree_pressure_room(pressure *o)
{
	o->corner = doubled(o->corner, o->few_corners, &o->corner_room, sizeof *o->corner);
}

void scree_pressure_close(pressure *o)
{
	if (o->parts == o->part_room) o->part = doubled(o->part, o->few_parts, &o->part_room, sizeof *o->part);
	pressure_close(&o->corners, &o->parts, &o->sum, o->corner, o->part);
}

real scree_pressure_arm(pressure *o)
{
	real arm = pressure_arm(o->corner, o->part, o->parts, o->sum);
	if (o->corner != o->few_corners) scree_free(o->corner);
	if (o->part != o->few_parts) scree_free(o->part);
	pressure_start(o);
	return arm;
}
