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
	int32_t wall, outcome;
} wall_record;

#if RESIDENT_FACETS
typedef struct facet_record {
	convex_pose pose; /* in the wall's frame */
	wall_point found[GROUP_CONTACTS];
	group_contacts contacts;
	real weight;
	int32_t outcome;
} facet_record;
#endif

/* Bytes of a record of either list. */
SCREE_KERNEL void resident_records(SCREE_GLOBAL int64_t *bytes)
{
	if (item_number() > 0) return;
	bytes[0] = (int64_t)sizeof(pair_record);
	bytes[1] = (int64_t)sizeof(wall_record);
#if RESIDENT_FACETS
	bytes[2] = (int64_t)sizeof(facet_record);
#endif
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
	const columns in = columns_in(rows, &r->row_stride[LIST_SOLIDS]);
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
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const columns in = columns_in(rows, &r->row_stride[LIST_SOLIDS]);
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
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	p->wall = start_at_wall(&m, rows, wall_rows, poses, first + item_number(), &p->pose);
	p->outcome = ROW_APART;
	if (p->wall < 0) return;
	const govender2015_body b = govender2015_body_at(p->pose.at, &p->pose, shapes);
	if (govender2015_at_wall(&b, wall_rows + p->wall, &p->contact)) p->outcome = ROW_TOUCHES;
}

/* The contact in world axes. */
SCREE_FN resident_touch touch_of_point(SCREE_GLOBAL const wall_point *p, SCREE_GLOBAL const resident_wall *walls,
									   int32_t wall)
{
	const mat3 turn = quat_matrix(walls[wall].orientation);
	const resident_touch t = {mat3_mul(turn, p->normal), mat3_mul(turn, p->at), p->depth, 1, wall};
	return t;
}

FIND(at_wall_pushes, wall_record)
{
	if (!MAY_TOUCH) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	SCREE_GLOBAL const wall_record *p = records + item_number();
	const resident_touch t = touch_of_point(&p->contact, m.wall, p->wall);
	push_wall(&m, rows, first + item_number(), &t, loads, step);
}

FIND(at_wall_presses, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	SCREE_GLOBAL found_patch *to = found + first + item_number();
	if (!HAS_ROW || !found_any(to, p->outcome, stop, step)) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const resident_touch t = touch_of_point(&p->contact, m.wall, p->wall);
	const resident_contact o = patch_at_wall(&m, rows, first + item_number(), &t, 1, to);
	const patch_points points = {&p->contact.at, &p->contact.depth, &p->weight, 1, 0, 0};
	p->contact.at = t.at;
	p->weight = 1;
	to->arm = 0;
	to->press = patch_press_by_depth(&m, &o, &points, to->normal, 0, true);
}

/* ------------------------------------------------------------------ a polyhedron and facets */

#if RESIDENT_FACETS
FIND_AT_FACETS(at_facet_starts)
{
	if (!HAS_ROW) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	const resident_group g = GROUP;
	p->outcome = g.rows > GROUP_CONTACTS ? ROW_TO_HOST : ROW_TOUCHES;
	p->weight = 1;
	pose_at_wall(poses + g.body, walls_after(walls, r, step) + g.wall, &p->pose);
	if (p->outcome == ROW_TO_HOST) stop_before(stop, step, true);
}

/* Each row of a group is a surface, which has at most one contact. */
FIND_AT_FACETS(at_facet_surfaces)
{
	if (!MAY_BE_CONTACT) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	SCREE_GLOBAL wall_point *c = p->found + CONTACT;
	const resident_group g = GROUP;
	const wall_table table = TABLE_NOW;
	const near_facets to = facets_near(&table, near, &g);
	const columns in = columns_in(rows, &r->row_stride[LIST_SOLID_WALL]);
	const govender2015_body b = govender2015_body_at(p->pose.at, &p->pose, shapes);
	p->contacts.row[CONTACT] = -1;
	if (CONTACT >= g.rows || !govender2015_at_surface(&b, &to, number_in(&in, ROW_cb, g.row + CONTACT), c)) return;
	const columns body = columns_in(bodies, &r->body_stride);
	const int32_t material = number_in(&body, SPHERE_material, g.body);
	const law_constants of = constants[material * r->materials + walls_after(walls, r, step)[g.wall].material];
	p->contacts.row[CONTACT] = row_at_surface(r, rows, &g, c->surface, c->depth);
	p->contacts.touch[CONTACT] = touch_of_point(c, walls_after(walls, r, step), g.wall);
	p->contacts.firm[CONTACT] = RESIDENT_PATCH_LAW(&of) == LAW_HERTZ ? sqrt(c->depth) : 1;
}

FIND_AT_FACETS(at_facet_pushes){PUSH_WALL_OF_FACETS}

FIND_AT_FACETS(at_facet_presses)
{
	if (!MAY_BE_CONTACT || RECORD->contacts.row[CONTACT] < 0) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	SCREE_GLOBAL found_patch *to = found + p->contacts.row[CONTACT];
	SCREE_GLOBAL const resident_touch *at = p->contacts.touch + CONTACT;
	const resident_touch t = touch_in_group(&p->contacts, CONTACT);
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const resident_contact o = patch_at_wall(&m, rows, p->contacts.row[CONTACT], &t, 1, to);
	const patch_points points = {&at->at, &at->depth, &p->weight, 1, 0, 0};
	to->touches = 1;
	to->arm = 0;
	to->press = patch_press_by_depth(&m, &o, &points, to->normal, 0, true);
}
#endif

#endif
