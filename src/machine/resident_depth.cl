/* resident_depth.cl: finds contacts of polyhedra by depth (kernel/depth_pair.h, kernel/wall_patch.h), in the step of
 * resident_solids.cl. */
#include "machine/resident_solids.cl"

#include "kernel/depth_pair.h"
#include "kernel/round_patch.h"
#include "kernel/wall_patch.h"

#if RESIDENT_SOLIDS == SOLIDS_BY_DEPTH

typedef struct pair_record {
	depth_axes axes;
	face_stage stage;
	convex_pressure on;
	convex_points out;
#ifdef SCREE_LARGE_SOLIDS
	depth_room room;
#endif
	int32_t a, b, outcome;
} pair_record;

typedef struct wall_record {
	convex_pose pose; /* in the wall's frame */
	wall_patch patch;
	wall_contact contact;
	real factor; /* of overlaps at a round wall; 1 at a plane */
	int32_t wall, outcome;
} wall_record;

/* Bytes of a record of either list. */
SCREE_KERNEL void resident_records(SCREE_GLOBAL int64_t *bytes)
{
	if (item_number() > 0) return;
	bytes[0] = (int64_t)sizeof(pair_record);
	bytes[1] = (int64_t)sizeof(wall_record);
}

/* ------------------------------------------------------------------ two polyhedra */

SCREE_FN convex_pair pair_in(SCREE_GLOBAL const pair_record *p, SCREE_GLOBAL const convex_pose *poses,
							 SCREE_GLOBAL const convex_rows *shapes)
{
	return convex_pair_of(poses + p->a, poses + p->b, shapes);
}

FIND(pair_faces, pair_record)
{
	if (!HAS_ROW) return;
	SCREE_GLOBAL pair_record *p = records + item_number();
	const columns in = columns_in(rows, r->row_stride[LIST_SOLIDS]);
	p->a = number_in(&in, ROW_ca, first + item_number());
	p->b = number_in(&in, ROW_cb, first + item_number());
	p->outcome = ROW_APART;
	if (p->b < 0) return;
	const convex_pair c = pair_in(p, poses, shapes);
	p->outcome = depth_faces(&c, &p->axes);
}

FIND(pair_edges, pair_record)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL pair_record *p = records + item_number();
	const convex_pair c = pair_in(p, poses, shapes);
	p->outcome = depth_edges(&c, &p->axes);
}

FIND(pair_references, pair_record)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL pair_record *p = records + item_number();
	const convex_pair c = pair_in(p, poses, shapes);
	depth_reference(&c, &p->axes, &p->stage);
}

FIND(pair_patches, pair_record)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL pair_record *p = records + item_number();
	SCREE_GLOBAL const convex_rows *a = shapes + poses[p->a].shape, *b = shapes + poses[p->b].shape;
	const bool of_b = p->stage.of_b;
#ifdef SCREE_LARGE_SOLIDS
	SCREE_GLOBAL depth_room *room = &p->room;
#else
	depth_room memory, *room = &memory;
#endif
	p->outcome = depth_patch(&p->stage, of_b ? b : a, of_b ? a : b, &p->axes, room, &p->on, &p->out);
}

FIND(pair_arms, pair_record)
{
	SCREE_GLOBAL pair_record *p = records + item_number();
	if (MAY_TOUCH) depth_arm(&p->axes, &p->on, &p->out);
}

FIND(pair_contacts, pair_record)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL pair_record *p = records + item_number();
	const convex_pair c = pair_in(p, poses, shapes);
	depth_complete(&c, &p->axes, &p->out);
}

FIND(pair_presses, pair_record)
{
	SCREE_GLOBAL pair_record *p = records + item_number();
	SCREE_GLOBAL found_patch *to = found + first + item_number();
	if (!HAS_ROW || !found_any(to, p->outcome, stop, step)) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, step);
	const columns in = columns_in(rows, r->row_stride[LIST_SOLIDS]);
	const resident_contact o = resident_of_bodies(&m, &in, first + item_number());
	const patch_points points = {p->out.at, p->out.deep, p->out.weight, p->out.points, 3, 1};
	to->normal = p->out.normal;
	to->depth = p->out.depth;
	to->arm = p->out.arm;
	to->part = thick_part(r, &m.body, shapes, p->a, p->b, to->depth, r->deeper, stop, step);
	to->press = patch_press_by_depth(&m, &o, &points, to->normal, to->arm, false);
}

/* ------------------------------------------------------------------ a polyhedron and a wall */

SCREE_FN bool points_at_wall(SCREE_GLOBAL wall_record *p, SCREE_GLOBAL const convex_rows *shapes,
							 SCREE_GLOBAL const wall_row *wall)
{
	SCREE_GLOBAL const convex_rows *s = shapes + p->pose.shape;
	vec3 n = v3(0, 0, 0);
	p->patch.full = 0;
	p->factor = 1;
#if RESIDENT_TUBES
	if (wall->type != WALL_PLANE) return round_nodes(&p->patch, s, &p->pose, wall, &p->factor);
#endif
	const bool any = wall_plane_nodes(&p->patch, s, &p->pose, wall, &n);
	p->contact.normal = n;
	return any;
}

FIND(at_wall_points, wall_record)
{
	if (!HAS_ROW) return;
	SCREE_GLOBAL wall_record *p = records + item_number();
	const resident_memory m = memory_of(r, bodies, constants, walls, step);
	p->wall = start_at_wall(&m, rows, poses, first + item_number(), &p->pose);
	p->outcome = ROW_APART;
	if (p->wall < 0) return;
	const bool any = points_at_wall(p, shapes, wall_rows + p->wall);
	p->outcome = p->patch.full ? ROW_TO_HOST : any ? ROW_TOUCHES : ROW_APART;
}

/* At a round wall, the points have the arm. */
FIND(at_wall_arms, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	if (MAY_TOUCH && wall_rows[p->wall].type == WALL_PLANE) p->patch.arm = wall_arm(&p->patch);
}

/* The normal is exactly that of a plane. */
FIND(at_wall_contacts, wall_record)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL wall_record *p = records + item_number();
	wall_contact c;
	if (!wall_complete(&p->patch, &p->pose, p->factor, &c)) p->outcome = ROW_APART;
	if (p->outcome == ROW_APART) return;
	p->contact.arm = c.arm;
	if (wall_rows[p->wall].type != WALL_PLANE) p->contact.normal = c.normal;
}

/* Turns points to the axes of the world. Returns the largest overlap. */
SCREE_FN real turn_points(SCREE_GLOBAL wall_patch *w, mat3 turn)
{
	real most = 0;
	SCREE_ROLLED
	for (int32_t k = 0; k < w->nodes; ++k) {
		w->node[k].p = mat3_mul(turn, w->node[k].p);
		most = real_max(most, w->node[k].d);
	}
	return most;
}

FIND(at_wall_presses, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	SCREE_GLOBAL found_patch *to = found + first + item_number();
	if (!HAS_ROW || !found_any(to, p->outcome, stop, step)) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, step);
	const columns in = columns_in(rows, r->row_stride[LIST_SOLID_WALL]);
	const resident_contact o = resident_on_plane(&m, &in, first + item_number());
	const mat3 turn = quat_matrix(m.wall[o.b].orientation);
	to->depth = turn_points(&p->patch, turn);
	to->normal = mat3_mul(turn, p->contact.normal);
	to->arm = p->contact.arm;
	to->part = 0;
	SCREE_GLOBAL const wall_node *node = p->patch.node;
	const patch_points points = {&node->p, &node->d, &node->s, p->patch.nodes, 8, 8};
	to->press = patch_press_by_depth(&m, &o, &points, to->normal, to->arm, true);
}

#endif
