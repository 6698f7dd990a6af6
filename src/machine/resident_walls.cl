/* resident_walls.cl: the contacts of spheres with walls in a step that stays on a device (resident.cl): one group, a
 * body and a wall, per item. */
#include "machine/resident.cl"

#include "kernel/resident_walls.h"

#define WALLS                                                                                                          \
	SCREE_GLOBAL const wall_row *row, SCREE_GLOBAL const facet *face, SCREE_GLOBAL const vec3 *corner,                 \
		SCREE_GLOBAL const vec3 *outward, SCREE_GLOBAL const int32_t *next, SCREE_GLOBAL const int32_t *meets,         \
		SCREE_GLOBAL const real *bend, SCREE_GLOBAL const wall_meeting *meeting, SCREE_GLOBAL const int32_t *near,     \
		SCREE_GLOBAL near_point *point, SCREE_GLOBAL wall_point *found, SCREE_GLOBAL resident_touch *touch
#define WALLS_IN(r)                                                                                                    \
	{                                                                                                                  \
		{row, face, corner, outward, next, r->meetings ? meets : 0, bend, meeting, r->meet_near}, near, point, found,  \
			touch                                                                                                      \
	}

/* Before the first step of a launch: tests whether the host must make it because a centre may cross a wall. */
SCREE_KERNEL void resident_look_at_walls(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
										 SCREE_GLOBAL const resident_wall *walls,
										 SCREE_GLOBAL const resident_group *groups, SCREE_GLOBAL int64_t *stop, WALLS)
{
	const int64_t k = item_number();
	const resident_memory m = {columns_in(bodies, r->body_stride), 0, walls, touch, 0, r, 0};
	const resident_walls o = WALLS_IN(r);
	if (k >= r->groups) return;
	const resident_group g = groups[k];
	if (!resident_stays_apart(&m, &o, &g)) stop_before(stop, 0, true);
}

/* Adds the masses that press on a wall moved by forces, from which the shares of all its contacts are computed. */
SCREE_FN void add_pushes(const resident_memory *m, const resident_walls *o, const resident_group *g,
						 SCREE_GLOBAL uint64_t *loads)
{
	SCREE_GLOBAL const resident_wall *w = m->wall + g->wall;
	for (int32_t k = g->row; k < g->row + g->rows && w->driven; ++k) {
		const resident_touch t = o->touch[k];
		const resident_push p = push_of(&m->body, g->body, w, &t);
		if (t.depth > -INFINITY && push_counts(&p, t.depth))
			report_plus(loads + g->wall * LOAD_ON_WALL_WORDS + LOAD_ON_WALL_PUSH + 2 * p.to,
						fixed_words(p.mass * real_abs(p.way)));
	}
}

SCREE_KERNEL_128 void resident_meets(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
									 SCREE_GLOBAL real *rows, SCREE_GLOBAL const law_constants *constants,
									 SCREE_GLOBAL const resident_wall *walls, SCREE_GLOBAL const resident_group *groups,
									 SCREE_GLOBAL uint64_t *loads, SCREE_GLOBAL int64_t *stop, WALLS, int32_t step)
{
	const int64_t k = item_number();
	const resident_memory m = {
		columns_in(bodies, r->body_stride), constants, walls_after(walls, r, step), touch, 0, r, 0};
	const resident_walls o = WALLS_IN(r);
	const columns in = columns_in(rows, r->row_stride[1]);
	if (k >= r->groups || is_off(stop, step)) return;
	const resident_group g = groups[k];
	resident_meet(&m, &o, &in, &g);
	add_pushes(&m, &o, &g, loads + (int64_t)step * r->walls * LOAD_ON_WALL_WORDS);
	if (!resident_stays_apart(&m, &o, &g)) stop_before(stop, step + 1, true);
}
