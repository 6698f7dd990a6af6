/* govender2015.cl: finds contacts of polyhedra by Algorithms 1 and 2 of Govender, Wilke and Kok (2015), in the step of
 * machine/resident_solids.cl. Vertices, separating edges and penetrating edges have a kernel each; the algorithm as
 * printed lacks the second one. The kernels of edges have an item for each pair of a list, so that no items wait for
 * others that have edges to test. */
#include "machine/resident_solids.cl"

#include "papers/govender2015/kernel/govender2015_pair.h"
#include "papers/govender2015/kernel/govender2015_surface.h"

#if RESIDENT_SOLIDS == SOLIDS_BY_GOVENDER2015

enum { CODE_OF_NONE = -1 }; /* of pairs that edges separate */

/* The list of tasks has an item in each record: the records of pairs whose vertices do not decide whether they touch,
 * in any order. Their number is in the first record. */
typedef struct pair_record {
	govender2015_contact contact;
	real weight;
	uint64_t tasks;
	int32_t a, b, outcome, task;
} pair_record;

typedef struct wall_record {
	convex_pose pose; /* in the wall's frame */
	wall_point contact;
	real weight;
	int32_t outcome;
} wall_record;

/* Bytes of a record of either list. */
SCREE_KERNEL void resident_records(SCREE_GLOBAL int64_t *bytes)
{
	if (item_number() > 0) return;
	bytes[0] = (int64_t)sizeof(pair_record);
	bytes[1] = (int64_t)sizeof(wall_record);
}

/* ------------------------------------------------------------------ two polyhedra */

/* A body of a pair, relative to the centre of the first one. */
SCREE_FN govender2015_body body_in(SCREE_GLOBAL const pair_record *p, bool second,
								   SCREE_GLOBAL const convex_pose *poses, SCREE_GLOBAL const convex_rows *shapes)
{
	SCREE_GLOBAL const convex_pose *a = poses + p->a, *b = poses + p->b;
	return second ? govender2015_body_at(v3_sub(b->at, a->at), b, shapes)
				  : govender2015_body_at(v3(0, 0, 0), a, shapes);
}

/* The bodies of row k of the list; returns false if the row is not in use. */
SCREE_FN bool start_pair(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *rows, int64_t k,
						 SCREE_GLOBAL pair_record *p)
{
	const columns in = columns_in(rows, r->row_stride[LIST_SOLIDS]);
	p->a = number_in(&in, ROW_ca, k);
	p->b = number_in(&in, ROW_cb, k);
	p->outcome = ROW_APART;
	return p->b >= 0;
}

FIND(pair_start, pair_record)
{
	if (HAS_ROW && item_number() == 0) records->tasks = 0;
}

FIND(pair_vertices, pair_record)
{
	SCREE_GLOBAL pair_record *p = records + item_number();
	if (!HAS_ROW || !start_pair(r, rows, first + item_number(), p)) return;
	const govender2015_body a = body_in(p, false, poses, shapes), b = body_in(p, true, poses, shapes);
	if (govender2015_by_vertices(&a, &b, &p->contact))
		p->outcome = p->contact.code ? ROW_TOUCHES : ROW_APART;
	else
		records[atomic_plus(&records->tasks, 1)].task = (int32_t)item_number();
}

#define HAS_TASK (HAS_ROW && (uint64_t)item_number() < records->tasks)

/* Edges that separate the bodies: the contact then has no code. */
FIND(pair_separated, pair_record)
{
	if (!HAS_TASK) return;
	SCREE_GLOBAL pair_record *p = records + records[item_number()].task;
	const govender2015_body a = body_in(p, false, poses, shapes), b = body_in(p, true, poses, shapes);
	p->contact.code = govender2015_separated(&a, &b) ? CODE_OF_NONE : 0;
}

FIND(pair_edges, pair_record)
{
	if (!HAS_TASK) return;
	SCREE_GLOBAL pair_record *p = records + records[item_number()].task;
	if (p->contact.code == CODE_OF_NONE) return;
	const govender2015_body a = body_in(p, false, poses, shapes), b = body_in(p, true, poses, shapes);
	govender2015_by_edges(&a, &b, &p->contact);
	p->outcome = p->contact.code ? ROW_TOUCHES : ROW_APART;
}

/* The same in one kernel, for measurements. */
FIND(pair_branches, pair_record)
{
	SCREE_GLOBAL pair_record *p = records + item_number();
	if (!HAS_ROW || !start_pair(r, rows, first + item_number(), p)) return;
	const govender2015_body a = body_in(p, false, poses, shapes), b = body_in(p, true, poses, shapes);
	if (!govender2015_by_vertices(&a, &b, &p->contact) && !govender2015_separated(&a, &b))
		govender2015_by_edges(&a, &b, &p->contact);
	p->outcome = p->contact.code ? ROW_TOUCHES : ROW_APART;
}

FIND(pair_presses, pair_record)
{
	SCREE_GLOBAL pair_record *p = records + item_number();
	SCREE_GLOBAL found_patch *to = found + first + item_number();
	if (!HAS_ROW || !found_any(to, p->outcome, stop, step)) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, step);
	const columns in = columns_in(rows, r->row_stride[LIST_SOLIDS]);
	const resident_contact o = resident_of_bodies(&m, &in, first + item_number());
	const patch_points points = {&p->contact.at.p, &p->contact.at.depth, &p->weight, 1, 0, 0};
	p->weight = 1;
	to->normal = p->contact.at.n;
	to->depth = p->contact.at.depth;
	to->arm = 0;
	to->part = thick_part(r, &m.body, shapes, p->a, p->b, to->depth, r->deeper, stop, step);
	to->press = patch_press_by_depth(&m, &o, &points, to->normal, 0, false);
}

/* ------------------------------------------------------------------ a polyhedron and a wall */

FIND(at_wall_vertices, wall_record)
{
	if (!HAS_ROW) return;
	SCREE_GLOBAL wall_record *p = records + item_number();
	const resident_memory m = memory_of(r, bodies, constants, walls, step);
	const int32_t wall = start_at_wall(&m, rows, poses, first + item_number(), &p->pose);
	p->outcome = ROW_APART;
	if (wall < 0) return;
	const govender2015_body b = govender2015_body_at(p->pose.at, &p->pose, shapes);
	if (govender2015_at_wall(&b, wall_rows + wall, &p->contact)) p->outcome = ROW_TOUCHES;
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
	const patch_points points = {&p->contact.at, &p->contact.depth, &p->weight, 1, 0, 0};
	p->contact.at = mat3_mul(turn, p->contact.at);
	p->weight = 1;
	to->normal = mat3_mul(turn, p->contact.normal);
	to->depth = p->contact.depth;
	to->arm = to->part = 0;
	to->press = patch_press_by_depth(&m, &o, &points, to->normal, 0, true);
}

#endif
