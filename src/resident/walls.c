/* walls: copies walls to the memory of a device: their tables and their poses, and the bodies near them. */
#include "resident/blocks.h"

#include "base/memory.h"
#include "broad/stage.h"
#include "model/model.h"
#include "motion/stage.h"
#include "narrow/stage.h"
#include "state/pairs.h"
#include "state/state.h"
#include "wall/wall_state.h"
#include "work/work.h"
#include "world/world.h"

#include "kernel/sphere_facets.h"

/* ------------------------------------------------------------------ tables */

static wall_row row_of(const wall *w)
{
	return (wall_row){.point = w->point,
					  .axis = w->axis,
					  .radius = w->radius,
					  .radius2 = w->radius2,
					  .length = w->length,
					  .tolerance = w->tolerance,
					  .type = (int32_t)w->type,
					  .side = (int32_t)w->side,
					  .two_sided = w->two_sided,
					  .internal = w->internal,
					  .removed = w->removed,
					  .first_surface = w->first_surface,
					  .first_facet = w->first_facet,
					  .facets = w->facets};
}

static void put_rows(resident *r, const walls *s)
{
	wall_row *row = scree_alloc((size_t)s->count, sizeof *row);
	for (int32_t k = 0; k < s->count; ++k) row[k] = row_of(s->row + k);
	scree_block_put_all(r, WALL_ROWS, row, s->count * (int64_t)sizeof *row);
	scree_free(row);
}

static void put_facets(resident *r, const walls *s)
{
	const int64_t corners = s->corners;
	scree_block_put_all(r, FACETS, s->facet, s->facets * (int64_t)sizeof *s->facet);
	scree_block_put_all(r, CORNERS, s->corner, corners * (int64_t)sizeof *s->corner);
	scree_block_put_all(r, OUTWARD, s->outward, corners * (int64_t)sizeof *s->outward);
	scree_block_put_all(r, NEXT, s->next, corners * (int64_t)sizeof *s->next);
	scree_block_put_all(r, MEETS, s->meets, s->meets ? corners * (int64_t)sizeof *s->meets : 0);
	scree_block_put_all(r, BENDS, s->bend, corners * (int64_t)sizeof *s->bend);
	scree_block_put_all(r, MEETINGS, s->meeting, s->meetings * (int64_t)sizeof *s->meeting);
}

static void put_surfaces(resident *r, const walls *s)
{
	const int64_t links = s->surfaces * (int64_t)sizeof **s->link;
	scree_block_put_all(r, SURFACE_WALLS, s->surface_wall, s->surfaces * (int64_t)sizeof *s->surface_wall);
	scree_block_put_all(r, SURFACE_FACES, s->face, s->surfaces * (int64_t)sizeof *s->face);
	scree_block_room(r, SURFACE_LINKS, 2 * links);
	for (int k = 0; k < 2; ++k) scree_block_put(r, SURFACE_LINKS, k * links, s->link[k], links);
}

void scree_resident_put_tables(resident *r, const model *m)
{
	put_rows(r, &m->wall);
	put_facets(r, &m->wall);
	if (r->solids) put_surfaces(r, &m->wall);
}

/* ------------------------------------------------------------------ groups */

static void set_groups(resident *r, int64_t groups, int64_t facets)
{
	const int64_t rows = r->rule.rows[LIST_ON_WALLS];
	r->rule.groups = (int32_t)groups;
	r->near_facets = facets;
	scree_block_room(r, NEAR_POINTS, rows * (int64_t)sizeof(near_point));
	scree_block_room(r, FOUND_POINTS, rows * (int64_t)sizeof(wall_point));
	scree_block_room(r, TOUCHES, rows * (int64_t)sizeof(resident_touch));
}

void scree_resident_room_groups(resident *r, int64_t groups, int64_t facets)
{
	scree_block_room(r, GROUPS, groups * (int64_t)sizeof(resident_group));
	scree_block_room(r, NEAR_FACETS, facets * (int64_t)sizeof(int32_t));
	if (r->solids) scree_block_room(r, AT_FACETS, groups * (int64_t)sizeof(int32_t));
	set_groups(r, groups, facets);
}

/* The groups of one list, after those of others. */
static resident_group *put_list(resident_group *to, int32_t list, int64_t facets, const pair_list *l,
								const wall_groups *near)
{
	for (const wall_group *g = near->group; g < near->group + near->count; ++g)
		*to++ = (resident_group){list,	   g->body, g->wall, l->row[g->slot], g->slots, (int32_t)(facets + g->facet),
								 g->facets};
	return to;
}

static void put_at_facets(resident *r, const model *m, const resident_group *group, int64_t groups)
{
	int32_t *at = scree_alloc((size_t)groups, sizeof *at);
	r->at_facets = 0;
	for (int64_t k = 0; k < groups; ++k)
		if (group[k].list == LIST_SOLID_WALL && m->wall.row[group[k].wall].type == WALL_FACETS)
			at[r->at_facets++] = (int32_t)k;
	scree_block_put(r, AT_FACETS, 0, at, r->at_facets * (int64_t)sizeof *at);
	scree_free(at);
}

void scree_resident_put_groups(resident *r, const model *m, const state *s, const work *w)
{
	const wall_groups *balls = w->near + PAIR_SPHERE_WALL, *solids = w->near + PAIR_CONVEX_WALL;
	const int64_t groups = balls->count + solids->count, facet = sizeof *balls->facet;
	resident_group *group = scree_alloc((size_t)groups, sizeof *group), *end = group;
	end = put_list(end, LIST_ON_WALLS, 0, s->pair + PAIR_SPHERE_WALL, balls);
	put_list(end, LIST_SOLID_WALL, balls->facets, s->pair + PAIR_CONVEX_WALL, solids);
	scree_resident_room_groups(r, groups, balls->facets + solids->facets);
	scree_block_put(r, GROUPS, 0, group, groups * (int64_t)sizeof *group);
	scree_block_put(r, NEAR_FACETS, 0, balls->facet, balls->facets * facet);
	scree_block_put(r, NEAR_FACETS, balls->facets * facet, solids->facet, solids->facets * facet);
	put_at_facets(r, m, group, groups);
	scree_free(group);
}

static void get_list(const resident *r, work *w, int list, const resident_group *from)
{
	wall_groups *to = scree_wall_groups_room(w, resident_kinds[list], r->rule.groups, r->near_facets);
	to->count = 0;
	for (const resident_group *g = from; g < from + r->rule.groups; ++g)
		if (g->list == list)
			to->group[to->count++] = (wall_group){.body = g->body,
												  .wall = g->wall,
												  .slot = g->row,
												  .slots = g->rows,
												  .facet = g->facet,
												  .facets = g->facets};
}

void scree_resident_get_groups(resident *r, work *w)
{
	const int64_t groups = r->rule.groups, facets = r->near_facets;
	resident_group *from = scree_alloc((size_t)groups, sizeof *from);
	scree_block_get(r, GROUPS, 0, from, groups * (int64_t)sizeof *from);
	for (int list = 0; list < r->rule.lists; ++list) {
		if (!list_on_wall(list)) continue;
		get_list(r, w, list, from);
		scree_block_get(r, NEAR_FACETS, 0, w->near[resident_kinds[list]].facet, facets * (int64_t)sizeof(int32_t));
	}
	scree_free(from);
}

/* ------------------------------------------------------------------ poses */

static resident_wall pose_of(const wall *o, const wall_state *at, real time)
{
	resident_wall w = {.position = at->position,
					   .velocity = at->velocity,
					   .spin = at->angular_velocity,
					   .orientation = at->orientation,
					   .material = o->material,
					   .moves = o->motion.type != MOTION_STILL,
					   .along = {o->motion.axis, o->motion.point, motion_is_turned(o->motion.type)},
					   .mass = o->servo.mass,
					   .driven = motion_is_driven(o->motion.type)};
	for (int k = 0; k < PUSH_HELD; ++k) w.follows[k] = scree_driven_follows(o, at, time, k);
	return w;
}

/* Bound on the way of a body's centre relative to wall k in the step that ends at this time, in m; 0 if no body can
 * pass the wall, and infinite if one can cross it without coming near (narrow/bodies_through_walls.c). body: bound on
 * the way of the body */
static real way_to_wall(const model *m, const state *s, const work *w, int32_t k, real body)
{
	const wall *o = m->wall.row + k;
	const real time = s->time + m->dt, rounding = (real)1.0001;
	if (!scree_wall_can_be_passed(m, o)) return 0;
	real way = body + scree_wall_travel(o, w->middle, w->reach, s->time, time);
	if (motion_is_driven(o->motion.type))
		way += scree_driven_way(o, w->middle, w->reach, s->wall[k].servo.way - w->wall[k].from);
	way = rounding * way + (real)1e-6 * w->skin.smallest;
	return way < w->skin.smallest ? way : INFINITY;
}

/* The next drift is computed ahead, with copies of the walls. */
void scree_resident_put_walls(resident *r, const model *m, const state *s, const work *w, int64_t steps)
{
	const size_t count = (size_t)m->wall.count;
	state ahead = *s;
	work then = *w;
	resident_wall *of = scree_alloc((size_t)(steps + 1) * count, sizeof *of);
	ahead.wall = scree_copy(s->wall, count, sizeof *ahead.wall);
	then.wall = scree_copy(w->wall, count, sizeof *then.wall);
	for (int64_t step = 0; step <= steps; ++step) {
		resident_wall *now = of + (size_t)step * count;
		const real before = ahead.time; /* the step that ends with these poses begins */
		ahead.time = scree_time_of(m, s, s->step + step);
		for (size_t k = 0; k < count; ++k) now[k] = pose_of(m->wall.row + k, ahead.wall + k, before);
		if (step == steps) break;
		scree_walls_drift(m, &ahead, &then);
		for (size_t k = 0; k < count; ++k) now[k].way = way_to_wall(m, &ahead, &then, (int32_t)k, r->rule.way);
	}
	scree_block_put_all(r, WALLS, of, (int64_t)((size_t)(steps + 1) * count * sizeof *of));
	SCREE_FREE_ALL(of, ahead.wall, then.wall);
}
