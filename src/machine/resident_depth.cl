/* resident_depth.cl: finds contacts of polyhedra by depth (kernel/depth_pair.h, kernel/wall_patch.h,
 * kernel/facet_contacts.h), in the step of resident_solids.cl. */
#include "machine/resident_solids.cl"

#include "kernel/depth_pair.h"
#include "kernel/facet_contacts.h"
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

#if RESIDENT_FACETS
typedef struct facet_record {
	convex_pose pose; /* in the wall's frame */
	facet_patch patch;
	wall_touches found;
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
	const columns in = columns_in(rows, &r->row_stride[LIST_SOLIDS]);
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
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const columns in = columns_in(rows, &r->row_stride[LIST_SOLIDS]);
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
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	p->wall = start_at_wall(&m, rows, wall_rows, poses, first + item_number(), &p->pose);
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

SCREE_FN int32_t deepest_point(const patch_points *p)
{
	int32_t best = 0;
	SCREE_ROLLED
	for (int32_t k = 1; k < p->count; ++k)
		if (p->depth[k * p->stride] > p->depth[best * p->stride]) best = k;
	return best;
}

SCREE_FN patch_points points_of_nodes(SCREE_GLOBAL const wall_patch *w)
{
	SCREE_GLOBAL const wall_node *node = w->node;
	const patch_points p = {&node->p, &node->d, &node->s, w->nodes, 8, 8};
	return p;
}

/* The contact in world axes, at its deepest point. */
SCREE_FN resident_touch touch_at_wall(SCREE_GLOBAL const wall_record *p, const resident_memory *m)
{
	const mat3 turn = quat_matrix(m->wall[p->wall].orientation);
	const patch_points points = points_of_nodes(&p->patch);
	const patch_point e = patch_point_in(&points, deepest_point(&points));
	const resident_touch t = {mat3_mul(turn, p->contact.normal), mat3_mul(turn, e.at), real_max(0, e.depth), 1,
							  p->wall};
	return t;
}

FIND(at_wall_pushes, wall_record)
{
	if (!MAY_TOUCH) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const resident_touch t = touch_at_wall(records + item_number(), &m);
	push_wall(&m, rows, first + item_number(), &t, loads, step);
}

/* Turns points to the axes of the world. */
SCREE_FN void turn_points(SCREE_GLOBAL wall_patch *w, mat3 turn)
{
	SCREE_ROLLED
	for (int32_t k = 0; k < w->nodes; ++k) w->node[k].p = mat3_mul(turn, w->node[k].p);
}

FIND(at_wall_presses, wall_record)
{
	SCREE_GLOBAL wall_record *p = records + item_number();
	SCREE_GLOBAL found_patch *to = found + first + item_number();
	if (!HAS_ROW || !found_any(to, p->outcome, stop, step)) return;
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const resident_touch t = touch_at_wall(p, &m);
	const resident_contact o = patch_at_wall(&m, rows, first + item_number(), &t, 1, to);
	turn_points(&p->patch, quat_matrix(m.wall[p->wall].orientation));
	to->arm = p->contact.arm;
	const patch_points points = points_of_nodes(&p->patch);
	to->press = patch_press_by_depth(&m, &o, &points, to->normal, to->arm, true);
}

/* ------------------------------------------------------------------ a polyhedron and facets */

#if RESIDENT_FACETS
FIND_AT_FACETS(at_facet_gathers)
{
	if (!HAS_ROW) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	const resident_group g = GROUP;
	const wall_table table = TABLE_NOW;
	const near_facets to = facets_near(&table, near, &g);
	p->outcome = ROW_TOUCHES;
	p->found.count = p->found.points = p->found.full = 0;
	p->patch.full = p->patch.patch.full = p->patch.fold.full = 0;
	pose_at_wall(poses + g.body, walls_after(walls, r, step) + g.wall, &p->pose);
	facet_gather(&p->patch, SHAPE(p), &p->pose, &to, false);
}

FIND_AT_FACETS(at_facet_folds)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	const wall_table table = TABLE_NOW;
	fold_region(&p->patch, SHAPE(p), &table);
}

FIND_AT_FACETS(at_facet_meets)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	const resident_group g = GROUP;
	const wall_table table = TABLE_NOW;
	const near_facets to = facets_near(&table, near, &g);
	facet_meet_all(&p->patch, SHAPE(p), &p->pose, &to, &p->found);
}

FIND_AT_FACETS(at_facet_finishes)
{
	if (!MAY_TOUCH) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	const resident_group g = GROUP;
	const wall_table table = TABLE_NOW;
	const near_facets to = facets_near(&table, near, &g);
	facet_finish(&p->patch, SHAPE(p), &p->pose, &to, &p->found);
	const bool full = p->patch.full || p->patch.patch.full || p->patch.fold.full || p->found.full;
	p->outcome = full ? ROW_TO_HOST : p->found.count ? ROW_TOUCHES : ROW_APART;
	if (full) stop_before(stop, step, true);
}

/* The points of a contact. */
SCREE_FN patch_points touch_points(SCREE_GLOBAL const wall_touches *l, int32_t contact)
{
	SCREE_GLOBAL const wall_touch *t = l->item + contact;
	const patch_points p = {l->at + t->first, l->deep + t->first, l->weight + t->first, t->points, 3, 1};
	return p;
}

SCREE_FN real firmness_of_points(const patch_points *p, enum law_row law)
{
	real sum = 0;
	SCREE_ROLLED
	for (int32_t k = 0; k < p->count; ++k) sum += law == LAW_HERTZ ? p->weight[k] * sqrt(p->depth[k]) : p->weight[k];
	return sum;
}

FIND_AT_FACETS(at_facet_contacts)
{
	if (!MAY_BE_CONTACT) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	SCREE_GLOBAL const wall_touch *t = p->found.item + CONTACT;
	p->contacts.row[CONTACT] = -1;
	if (CONTACT >= p->found.count) return;
	const resident_group g = GROUP;
	const columns b = columns_in(bodies, &r->body_stride);
	SCREE_GLOBAL const resident_wall *w = walls_after(walls, r, step) + g.wall;
	const law_constants of = constants[number_in(&b, SPHERE_material, g.body) * r->materials + w->material];
	const patch_points points = touch_points(&p->found, CONTACT);
	const mat3 turn = quat_matrix(w->orientation);
	SCREE_ROLLED
	for (int32_t k = t->first; k < t->first + t->points; ++k) p->found.at[k] = mat3_mul(turn, p->found.at[k]);
	const resident_touch c = {mat3_mul(turn, t->normal), patch_point_in(&points, deepest_point(&points)).at, t->depth,
							  1, g.wall};
	p->contacts.row[CONTACT] = row_at_surface(r, rows, &g, t->surface, t->depth);
	p->contacts.firm[CONTACT] = t->part * firmness_of_points(&points, RESIDENT_PATCH_LAW(&of));
	p->contacts.touch[CONTACT] = c;
}

FIND_AT_FACETS(at_facet_pushes){PUSH_WALL_OF_FACETS}

FIND_AT_FACETS(at_facet_presses)
{
	if (!MAY_BE_CONTACT || RECORD->contacts.row[CONTACT] < 0) return;
	SCREE_GLOBAL facet_record *p = RECORD;
	SCREE_GLOBAL const wall_touch *t = p->found.item + CONTACT;
	const int64_t k = p->contacts.row[CONTACT];
	const resident_touch c = touch_in_group(&p->contacts, CONTACT);
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);
	const resident_contact o = patch_at_wall(&m, rows, k, &c, t->part, found + k);
	const patch_points points = touch_points(&p->found, CONTACT);
	found[k].touches = 1;
	found[k].arm = t->arm;
	found[k].press = patch_press_by_depth(&m, &o, &points, found[k].normal, t->arm, true);
}
#endif

#endif
