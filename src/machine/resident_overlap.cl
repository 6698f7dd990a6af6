/* resident_overlap.cl: finds contacts of polyhedra for the law `overlap` (kernel/overlap_pair.h,
 * kernel/wall_overlap.h, kernel/facet_overlap.h), in the step of resident_solids.cl. */
#include "machine/resident_solids.cl"

#include "kernel/overlap_pair.h"
#include "kernel/wall_overlap.h"
#ifndef SCREE_LARGE_SOLIDS
#include "kernel/facet_overlap.h"
#include "kernel/tube_overlap.h"
#endif

#if RESIDENT_SOLIDS == SOLIDS_BY_OVERLAP

typedef struct pair_record {
	overlap_frame frame;
	cut_solid solid;
	overlap_sums sum;
	overlap_contact contact;
#ifdef SCREE_LARGE_SOLIDS
	overlap_parts room;
#endif
	int32_t a, b, outcome;
} pair_record;

typedef struct wall_record {
	convex_pose pose; /* in the wall's frame */
	wall_region region;
	overlap_sums sum;
	overlap_contact contact;
#ifdef SCREE_LARGE_SOLIDS
	wall_cutting room;
#endif
#if RESIDENT_TUBES
	tube_parts parts;
	overlap_sums tube_sum[TUBE_SUMS];
#endif
	int32_t wall, outcome;
} wall_record;

#if RESIDENT_FACETS
typedef struct facet_record {
	convex_pose pose; /* in the wall's frame */
	facet_regions regions;
	overlap_sums sum[OVERLAP_MEMBERS];
	facet_joint joint;
	facet_overlaps found;
	group_contacts contacts;
	int32_t outcome;
} facet_record;
#endif

/* Bytes of a record of two polyhedra, of a polyhedron and a wall, and of one at facets. */
SCREE_KERNEL void resident_records(SCREE_GLOBAL int64_t *bytes)
{
	if (item_number() > 0) return;
	bytes[0] = (int64_t)sizeof(pair_record);
	bytes[1] = (int64_t)sizeof(wall_record);
#if RESIDENT_FACETS
	bytes[2] = (int64_t)sizeof(facet_record);
#endif
}

/* Five points in world axes, and their normal forces. turn: from the body's frame to `frame`, which is that of the
 * wall, or else the world's */
SCREE_FN void put_overlap(SCREE_GLOBAL found_patch *to, const resident_memory *m, const resident_contact *o,
						  SCREE_GLOBAL const overlap_contact *found, mat3 turn, mat3 frame, bool on_wall)
{
	const overlap_contact c = *found;
	vec3 point[5], hold = mat3_mul(turn, c.hold), normal = mat3_mul(turn, c.normal);
	overlap_spread_points(&c, point);
	for (int k = 0; k < 5; ++k) {
		point[k] = mat3_mul(turn, point[k]);
		if (on_wall) point[k] = mat3_mul(frame, point[k]);
	}
	if (on_wall) hold = mat3_mul(frame, hold), normal = mat3_mul(frame, normal);
	to->normal = normal;
	to->depth = c.depth;
	to->arm = c.arm;
	patch_press s = patch_press_by_overlap(m, o, point, normal, c.pitch, c.depth, c.weight, on_wall);
	if (c.arm > 0) s.hold = hold;
	to->press = s;
}

/* ------------------------------------------------------------------ two polyhedra */

FIND(pair_regions, pair_record)
{
	if (!HAS_ROW) return;
	SCREE_GLOBAL pair_record *p = records + item_number();
	const columns in = columns_in(rows, &r->row_stride[LIST_SOLIDS]);
	p->a = number_in(&in, ROW_ca, first + item_number());
	p->b = number_in(&in, ROW_cb, first + item_number());
	p->outcome = ROW_APART;
	if (p->b < 0) return;
#ifdef SCREE_LARGE_SOLIDS
	SCREE_GLOBAL overlap_parts *room = &p->room;
#else
	overlap_parts memory, *room = &memory;
#endif
	const convex_pose a = poses[p->a], b = poses[p->b];
	p->frame = overlap_frame_of(&a, &b, shapes);
	p->outcome = overlap_solid_of(&p->frame, shapes, room, &p->solid);
}

FIND(pair_forms, pair_record)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL pair_record *p = records + item_number();
	const convex_pair c = convex_pair_of(poses + p->a, poses + p->b, shapes);
	overlap_solid_by_form(&c, &p->solid);
}

FIND(pair_sums, pair_record)
{
	SCREE_GLOBAL pair_record *p = records + item_number();
	if (MAY_TOUCH) overlap_sums_of(&p->frame, shapes, &p->solid, &p->sum);
}

FIND(pair_effects, pair_record)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL pair_record *p = records + item_number();
	if (!overlap_contact_of(&p->sum.region, overlap_otherwise(&p->frame), &p->contact)) p->outcome = ROW_APART;
}

FIND(pair_presses, pair_record)
{
	SCREE_GLOBAL pair_record *p = records + item_number();
	SCREE_GLOBAL found_patch *to = found + first + item_number();
	if (!HAS_ROW || !found_any(to, p->outcome, stop, step)) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const columns in = columns_in(rows, &r->row_stride[LIST_SOLIDS]);
	const resident_contact o = resident_of_bodies(&m, &in, first + item_number());
	const mat3 turn = poses[p->a].turn;
	to->part = thick_part(r, &m.body, shapes, p->a, p->b, p->contact.depth, r->deeper, stop, step);
	put_overlap(to, &m, &o, &p->contact, turn, turn, false);
}

/* ------------------------------------------------------------------ a polyhedron and a wall */

SCREE_FN overlap_outcome region_at_wall(SCREE_GLOBAL wall_record *p, SCREE_GLOBAL const convex_rows *shapes,
										SCREE_GLOBAL const wall_row *wall)
{
#if defined(SCREE_LARGE_SOLIDS)
	SCREE_GLOBAL wall_cutting *room = &p->room;
#elif RESIDENT_TUBES
	union {
		wall_cutting plane;
		parts_cutting tube;
	} memory;
	wall_cutting *room = &memory.plane;
	if (wall->type != WALL_PLANE) return tube_regions_of(&p->pose, shapes, wall, &memory.tube, &p->parts);
#else
	wall_cutting memory, *room = &memory;
#endif
	return wall_region_of(&p->pose, shapes, wall, room, &p->region);
}

FIND(at_wall_regions, wall_record)
{
	if (!HAS_ROW) return;
	SCREE_GLOBAL wall_record *p = records + item_number();
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	p->wall = start_at_wall(&m, rows, wall_rows, poses, first + item_number(), &p->pose);
	p->outcome = ROW_APART;
	if (p->wall >= 0) p->outcome = region_at_wall(p, shapes, wall_rows + p->wall);
}

FIND(at_wall_sums, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	if (MAY_TOUCH && wall_rows[p->wall].type == WALL_PLANE) wall_sums_of(shapes + p->pose.shape, &p->region, &p->sum);
}

FIND(at_wall_effects, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	if (!MAY_TOUCH || wall_rows[p->wall].type != WALL_PLANE) return;
	if (!overlap_contact_of(&p->sum.region, p->region.along, &p->contact)) p->outcome = ROW_APART;
}

#if RESIDENT_TUBES
FIND(at_tube_sums, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number() % count;
	const int32_t k = (int32_t)(item_number() / count);
	if (k >= TUBE_SUMS || is_off(stop, step) || p->outcome != ROW_TOUCHES) return;
	if (wall_rows[p->wall].type != WALL_PLANE) tube_sum_of(shapes + p->pose.shape, &p->parts, k, p->tube_sum + k);
}

FIND(at_tube_effects, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	if (!MAY_TOUCH || wall_rows[p->wall].type == WALL_PLANE) return;
	SCREE_ROLLED
	for (int32_t k = 0; k < TUBE_SUMS; ++k) tube_effect_of(&p->parts, k, p->tube_sum + k);
}

FIND(at_tube_contacts, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	if (!MAY_TOUCH || wall_rows[p->wall].type == WALL_PLANE) return;
	if (!tube_contact(p->parts.tube, &p->parts.result, &p->contact)) p->outcome = ROW_APART;
}
#endif

/* The contact in world axes. turn: from the body's frame to the wall's */
SCREE_FN resident_touch touch_by_overlap(SCREE_GLOBAL const overlap_contact *c, mat3 turn, const resident_memory *m,
										 int32_t wall)
{
	const mat3 frame = quat_matrix(m->wall[wall].orientation);
	const resident_touch t = {mat3_mul(frame, mat3_mul(turn, c->normal)), mat3_mul(frame, mat3_mul(turn, c->at)),
							  c->depth, 1, wall};
	return t;
}

FIND(at_wall_pushes, wall_record)
{
	if (!MAY_TOUCH) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	SCREE_GLOBAL const wall_record *p = records + item_number();
	const resident_touch t = touch_by_overlap(&p->contact, p->pose.turn, &m, p->wall);
	push_wall(&m, rows, first + item_number(), &t, loads, step);
}

FIND(at_wall_presses, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	SCREE_GLOBAL found_patch *to = found + first + item_number();
	if (!HAS_ROW || !found_any(to, p->outcome, stop, step)) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const resident_touch t = touch_by_overlap(&p->contact, p->pose.turn, &m, p->wall);
	const resident_contact o = patch_at_wall(&m, rows, first + item_number(), &t, 1, to);
	put_overlap(to, &m, &o, &p->contact, p->pose.turn, quat_matrix(m.wall[p->wall].orientation), true);
}

/* ------------------------------------------------------------------ a polyhedron and facets */

#if RESIDENT_FACETS
FIND_AT_FACETS(at_facet_regions)
{
	if (!HAS_ROW) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	const resident_group g = GROUP;
	const wall_table table = TABLE_NOW;
	const near_facets to = facets_near(&table, near, &g);
	parts_cutting room;
	pose_at_wall(poses + g.body, walls_after(walls, r, step) + g.wall, &p->pose);
	p->outcome = facet_regions_of(&p->pose, SHAPE(p), &to, &room, &p->regions);
	if (p->outcome == ROW_TO_HOST) stop_before(stop, step, true);
}

FIND_AT_FACETS(at_facet_sums)
{
	SCREE_GLOBAL facet_record *p = RECORD;
	if (MAY_BE_CONTACT) facet_sum_of(SHAPE(p), &p->regions, CONTACT, p->sum + CONTACT);
}

FIND_AT_FACETS(at_facet_effects)
{
	if (MAY_BE_CONTACT) facet_effect_of(&RECORD->regions, CONTACT, RECORD->sum + CONTACT, &RECORD->found);
}

FIND_AT_FACETS(at_facet_joins)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	const wall_table table = TABLE_NOW;
	facet_join(&p->regions, p->sum, &table, &p->joint, &p->found);
}

FIND_AT_FACETS(at_facet_contacts)
{
	if (!MAY_BE_CONTACT) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	SCREE_GLOBAL const overlap_contact *c = p->found.contact + CONTACT;
	p->contacts.row[CONTACT] = -1;
	if (CONTACT >= p->found.members || !p->found.any[CONTACT]) return;
	const resident_group g = GROUP;
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	p->contacts.row[CONTACT] = row_at_surface(r, rows, &g, p->found.surface[CONTACT], c->depth);
	p->contacts.firm[CONTACT] = c->weight;
	p->contacts.touch[CONTACT] = touch_by_overlap(c, p->pose.turn, &m, g.wall);
}

FIND_AT_FACETS(at_facet_pushes){PUSH_WALL_OF_FACETS}

FIND_AT_FACETS(at_facet_presses)
{
	if (!MAY_BE_CONTACT || RECORD->contacts.row[CONTACT] < 0) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	const int64_t k = p->contacts.row[CONTACT];
	const resident_touch c = touch_in_group(&p->contacts, CONTACT);
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const resident_contact o = patch_at_wall(&m, rows, k, &c, 1, found + k);
	found[k].touches = 1;
	put_overlap(found + k, &m, &o, p->found.contact + CONTACT, p->pose.turn, quat_matrix(m.wall[o.b].orientation),
				true);
}
#endif

#endif
