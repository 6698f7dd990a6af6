/* resident_walls.cl: the contacts of spheres with walls in a step that stays on a device (resident.cl), and bodies near
 * walls that their centres can cross: one group, a body and a wall, per item. */
#include "machine/resident.cl"

#include "kernel/resident_walls.h"

#define WALLS                                                                                                          \
	WALL_TABLES, SCREE_GLOBAL near_point *point, SCREE_GLOBAL wall_point *found, SCREE_GLOBAL resident_touch *touch
#define WALLS_IN(r)                                                                                                    \
	{                                                                                                                  \
		{IN_WALL_TABLE(r)}, near, point, found, touch                                                                  \
	}

/* Tests whether the host must make the step after this one because a centre may cross a wall. step: -1 before the first
 * step of a launch */
SCREE_KERNEL void resident_look_at_walls(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
										 SCREE_GLOBAL const resident_wall *walls,
										 SCREE_GLOBAL const resident_group *groups, SCREE_GLOBAL int64_t *stop, WALLS,
										 int32_t step)
{
	const int64_t k = item_number();
	const resident_memory m = {columns_in(bodies, &r->body_stride), 0, walls_after(walls, r, step), touch, 0, r, 0};
	const resident_walls o = WALLS_IN(r);
	if (k >= r->groups || is_off(stop, step)) return;
	const resident_group g = groups[k];
	if (!resident_stays_apart(&m, &o, &g)) stop_before(stop, step + 1, true);
}

SCREE_FN void add_pushes(const resident_memory *m, const resident_walls *o, const resident_group *g,
						 SCREE_GLOBAL uint64_t *loads)
{
	for (int32_t k = g->row; k < g->row + g->rows; ++k) {
		const resident_touch t = o->touch[k];
		if (t.depth > -INFINITY) add_push(m, g->body, &t, loads);
	}
}

SCREE_KERNEL_128 void resident_meets(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
									 SCREE_GLOBAL real *rows, SCREE_GLOBAL const law_constants *constants,
									 SCREE_GLOBAL const resident_wall *walls, SCREE_GLOBAL const resident_group *groups,
									 SCREE_GLOBAL uint64_t *loads, SCREE_GLOBAL const int64_t *stop, WALLS,
									 int32_t step)
{
	const int64_t k = item_number();
	const resident_memory m = {
		columns_in(bodies, &r->body_stride), constants, walls_after(walls, r, step), touch, 0, r, 0};
	const resident_walls o = WALLS_IN(r);
	const columns in = columns_in(rows, &r->row_stride[1]);
	if (k >= r->groups || is_off(stop, step)) return;
	const resident_group g = groups[k];
	if (g.list != LIST_ON_WALLS) return;
	resident_meet(&m, &o, &in, &g);
	if (m.wall[g.wall].driven) add_pushes(&m, &o, &g, loads_in(loads, r, step));
}
