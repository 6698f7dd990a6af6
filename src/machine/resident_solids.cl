/* resident_solids.cl: the kernels of a step with polyhedra, in addition to those of spheres (resident.cl).
 *
 * Kernels that find contacts (resident_depth.cl, resident_overlap.cl) change nothing but their records and the patches
 * that they find. A contact for which there is no room, or an overlap that a guard must test, stops the device within
 * the step: the host makes the rest of it. The text before this one defines RESIDENT_SOLIDS (kernel/resident_patch.h)
 * and, for large bodies, SCREE_LARGE_SOLIDS. */
#include "machine/resident.cl"

#include "kernel/resident_patch.h"
#include "kernel/sphere_convex.h"
#include "kernel/wall_rows.h"

#if RESIDENT_SOLIDS

/* Poses of all bodies, of which those of spheres have no use. */
SCREE_KERNEL void resident_poses(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								 SCREE_GLOBAL convex_pose *poses, SCREE_GLOBAL const int64_t *stop, int32_t step)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, &r->body_stride);
	if (i >= r->bodies || is_off(stop, step)) return;
	const convex_pose p = {vector_in(&b, SPHERE_x, i), quat_matrix(orientation_in(&b, i)), real_in(&b, SPHERE_size, i),
						   number_in(&b, SPHERE_shape, i)};
	poses[i] = p;
}

/* ------------------------------------------------------------------ finding contacts */

/* Outcomes of all kernels that find contacts: none, a contact, or one that the host must find. */
enum { ROW_APART, ROW_TOUCHES, ROW_TO_HOST };

/* Such a kernel: an item per row, of the rows first .. first+count-1 of a list. */
#define FIND(name, record)                                                                                             \
	SCREE_KERNEL_128 void name(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,                         \
							   SCREE_GLOBAL real *rows, SCREE_GLOBAL const law_constants *constants,                   \
							   SCREE_GLOBAL const resident_wall *walls, SCREE_GLOBAL const wall_row *wall_rows,        \
							   SCREE_GLOBAL const int32_t *surface_wall, SCREE_GLOBAL const convex_rows *shapes,       \
							   SCREE_GLOBAL const convex_pose *poses, SCREE_GLOBAL record *records,                    \
							   SCREE_GLOBAL found_patch *found, SCREE_GLOBAL uint64_t *loads,                          \
							   SCREE_GLOBAL int64_t *stop, int32_t step, int32_t first, int32_t count)

/* Tests whether this item has a row, and whether its row touches as far as is known. */
#define HAS_ROW	  (item_number() < count && !is_off(stop, step))
#define MAY_TOUCH (HAS_ROW && records[item_number()].outcome == ROW_TOUCHES)

SCREE_FN resident_memory memory_of(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								   SCREE_GLOBAL const law_constants *constants, SCREE_GLOBAL const resident_wall *walls,
								   SCREE_GLOBAL const int32_t *surface_wall, SCREE_GLOBAL uint64_t *loads, int32_t step)
{
	const resident_memory m = {columns_in(bodies, &r->body_stride),
							   constants,
							   walls_after(walls, r, step),
							   0,
							   loads_in(loads, r, step),
							   r,
							   0,
							   {0, 0, 0},
							   surface_wall};
	return m;
}

/* Notes whether a row touches; stops the device if the host must find out. */
SCREE_FN bool found_any(SCREE_GLOBAL found_patch *to, int32_t outcome, SCREE_GLOBAL int64_t *stop, int32_t step)
{
	to->touches = outcome == ROW_TOUCHES;
	if (outcome == ROW_TO_HOST) stop_before(stop, step, true);
	return outcome == ROW_TOUCHES;
}

/* The pose of a body in the frame of a wall. */
SCREE_FN void pose_at_wall(SCREE_GLOBAL const convex_pose *body, SCREE_GLOBAL const resident_wall *w,
						   SCREE_GLOBAL convex_pose *pose)
{
	const convex_pose p = *body;
	const mat3 turn = quat_matrix(w->orientation);
	pose->at = mat3_tmul(turn, v3_sub(p.at, w->position));
	pose->turn.x = mat3_tmul(turn, p.turn.x);
	pose->turn.y = mat3_tmul(turn, p.turn.y);
	pose->turn.z = mat3_tmul(turn, p.turn.z);
	pose->size = p.size;
	pose->shape = p.shape;
}

/* The pose of the body of row k in the frame of its wall; returns the wall, or -1 if the row is not in use or at facets
 * (below). */
SCREE_FN int32_t start_at_wall(const resident_memory *m, SCREE_GLOBAL real *rows,
							   SCREE_GLOBAL const wall_row *wall_rows, SCREE_GLOBAL const convex_pose *poses, int64_t k,
							   SCREE_GLOBAL convex_pose *pose)
{
	const columns in = columns_in(rows, &m->rule->row_stride[LIST_SOLID_WALL]);
	const int32_t surface = number_in(&in, ROW_cb, k);
	if (surface < 0) return -1;
	const int32_t wall = m->surface_wall[surface];
	if (RESIDENT_FACETS && wall_rows[wall].type == WALL_FACETS) return -1;
	pose_at_wall(poses + number_in(&in, ROW_ca, k), m->wall + wall, pose);
	return wall;
}

/* Contacts with walls that are moved by forces share their masses. All of them are found before the first share is
 * computed. */
SCREE_FN void push_wall(const resident_memory *m, SCREE_GLOBAL real *rows, int64_t k, const resident_touch *t,
						SCREE_GLOBAL uint64_t *loads, int32_t step)
{
	const columns in = columns_in(rows, &m->rule->row_stride[LIST_SOLID_WALL]);
	if (m->wall[t->wall].driven) add_push(m, number_in(&in, ROW_ca, k), t, loads_in(loads, m->rule, step));
}

/* Row k with this contact, but without its normal forces. stiffness: the fraction that it has */
SCREE_FN resident_contact patch_at_wall(const resident_memory *m, SCREE_GLOBAL real *rows, int64_t k,
										const resident_touch *t, real stiffness, SCREE_GLOBAL found_patch *to)
{
	const columns in = columns_in(rows, &m->rule->row_stride[LIST_SOLID_WALL]);
	resident_contact o = resident_on_surface(m, &in, k);
	to->normal = t->normal;
	to->depth = t->depth;
	to->part = o.stiffness = stiffness;
	to->share = o.share = share_at_wall(m, o.a, t);
	return o;
}

SCREE_FN real thickness_in(const columns *b, SCREE_GLOBAL const convex_rows *shapes, int32_t i)
{
	return real_in(b, SPHERE_size, i) * shapes[number_in(b, SPHERE_shape, i)].thick;
}

/* The overlap of two bodies relative to the thickness of the thinner one (shape/thickness.h); stops the device if the
 * host must test whether they pass through each other (narrow/bodies_into_bodies.c). deeper: as in resident_rule */
SCREE_FN real thick_part(SCREE_GLOBAL const resident_rule *r, const columns *b, SCREE_GLOBAL const convex_rows *shapes,
						 int32_t i, int32_t j, real depth, real deeper, SCREE_GLOBAL int64_t *stop, int32_t step)
{
	if (is_held(b, i) && is_held(b, j)) return 0;
	const real least = real_min(thickness_in(b, shapes, i), thickness_in(b, shapes, j));
	const real allowed = r->part > 0 ? real_min(r->part * least, (real)0.9 * least) : INFINITY;
	if (deeper * depth > allowed) stop_before(stop, step, true);
	return depth / least;
}

/* ------------------------------------------------------------------ polyhedra at facets */

#if RESIDENT_FACETS

/* The contacts of a body with the surfaces of a wall, in world axes. */
typedef struct group_contacts {
	int64_t row[GROUP_CONTACTS]; /* -1: none */
	real firm[GROUP_CONTACTS];	 /* stiffness relative to the others (law/shares.c) */
	resident_touch touch[GROUP_CONTACTS];
} group_contacts;

/* Kernels for the groups of polyhedra at walls of facets in a list, at_facets[first .. first+count-1]. Each group has a
 * record and GROUP_CONTACTS items, of which kernels that do not compute single contacts use the first one. */
#define FIND_AT_FACETS(name)                                                                                           \
	SCREE_KERNEL_128 void name(                                                                                        \
		SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies, SCREE_GLOBAL real *rows,                       \
		SCREE_GLOBAL const law_constants *constants, SCREE_GLOBAL const resident_wall *walls, WALL_TABLES,             \
		SCREE_GLOBAL const int32_t *surface_wall, SCREE_GLOBAL const surface_link *link,                               \
		SCREE_GLOBAL const surface_face *surface, SCREE_GLOBAL const resident_group *groups,                           \
		SCREE_GLOBAL const int32_t *at_facets, SCREE_GLOBAL const convex_rows *shapes,                                 \
		SCREE_GLOBAL const convex_pose *poses, SCREE_GLOBAL facet_record *records, SCREE_GLOBAL found_patch *found,    \
		SCREE_GLOBAL uint64_t *loads, SCREE_GLOBAL int64_t *stop, int32_t step, int32_t first, int32_t count)

/* The contact of this item, its record and its group, the tables of the wall, and the shape of the body. */
#define CONTACT ((int32_t)(item_number() / count))
#define RECORD	(records + item_number() % count)
#define GROUP	(groups[at_facets[first + item_number() % count]])
#define TABLE_NOW                                                                                                      \
	{                                                                                                                  \
		IN_WALL_TABLE(r), {link, link + r->surfaces}, surface                                                          \
	}
#define SHAPE(p) (shapes + (p)->pose.shape)

/* Tests whether this item has a contact, as far as is known. */
#define MAY_BE_CONTACT (CONTACT < GROUP_CONTACTS && !is_off(stop, step) && RECORD->outcome == ROW_TOUCHES)

SCREE_FN near_facets facets_near(const wall_table *t, SCREE_GLOBAL const int32_t *near, const resident_group *g)
{
	const near_facets to = {t, g->wall, g->facets, near + g->facet};
	return to;
}

/* The row of the group's contact with a surface, or -1. Surfaces that only meet make no contact (as in
 * narrow/pairs_to_contacts.c). */
SCREE_FN int64_t row_at_surface(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *rows, const resident_group *g,
								int32_t surface, real depth)
{
	const columns in = columns_in(rows, &r->row_stride[LIST_SOLID_WALL]);
	for (int64_t k = g->row; k < g->row + g->rows; ++k)
		if (number_in(&in, ROW_cb, k) == surface) return depth > 0 || *touch_in(&in, k) ? k : -1;
	return -1;
}

/* A contact of the group, with the fraction of the mass that it damps (law/shares.c). */
SCREE_FN resident_touch touch_in_group(SCREE_GLOBAL const group_contacts *all, int32_t contact)
{
	resident_touch t = all->touch[contact];
	const real own = all->firm[contact];
	real sum = own;
	SCREE_ROLLED
	for (int32_t k = 0; k < GROUP_CONTACTS; ++k)
		if (k != contact && all->row[k] >= 0) sum += all->firm[k] * real_max(v3_dot(t.normal, all->touch[k].normal), 0);
	t.share = own > 0 ? own / sum : 1;
	return t;
}

/* In a kernel that finds contacts at facets: adds their masses to the sums of walls that forces move. */
#define PUSH_WALL_OF_FACETS                                                                                            \
	if (!MAY_BE_CONTACT || RECORD->contacts.row[CONTACT] < 0) return;                                                  \
	const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);                       \
	const resident_touch t = touch_in_group(&RECORD->contacts, CONTACT);                                               \
	push_wall(&m, rows, RECORD->contacts.row[CONTACT], &t, loads, step);
#endif

/* ------------------------------------------------------------------ spheres and polyhedra */

SCREE_KERNEL_128 void resident_find_spheres(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
											SCREE_GLOBAL real *rows, SCREE_GLOBAL const convex_rows *shapes,
											SCREE_GLOBAL const convex_pose *poses, SCREE_GLOBAL found_sphere *found,
											SCREE_GLOBAL int64_t *stop, int32_t step)
{
	const int64_t k = item_number();
	const columns b = columns_in(bodies, &r->body_stride), in = columns_in(rows, &r->row_stride[LIST_SPHERE_SOLID]);
	if (k >= r->rows[LIST_SPHERE_SOLID] || is_off(stop, step)) return;
	const int32_t i = number_in(&in, ROW_ca, k), j = number_in(&in, ROW_cb, k);
	if (j < 0) return;
	SCREE_GLOBAL const convex_pose *p = poses + j, *q = poses + i;
	const vec3 to_b = v3_sub(p->at, q->at), from_b = v3_sub(v3(0, 0, 0), to_b);
	const sphere_view v = {shapes + p->shape, v3_mul(1 / p->size, mat3_tmul(p->turn, from_b))};
	int32_t front;
	found[k].at = sphere_convex_contact(&v, real_in(&b, SPHERE_radius, i), p, &front);
	const real depth = found[k].at.depth;
	found[k].part = depth > 0 ? thick_part(r, &b, shapes, i, j, depth, 1, stop, step) : 0;
}

SCREE_KERNEL_128 void resident_on_solids(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
										 SCREE_GLOBAL real *rows, SCREE_GLOBAL const law_constants *constants,
										 SCREE_GLOBAL const found_sphere *found, SCREE_GLOBAL uint64_t *sums,
										 SCREE_GLOBAL const int32_t *wide, SCREE_GLOBAL uint64_t *wide_sum,
										 SCREE_GLOBAL uint64_t *partial, SCREE_GLOBAL uint64_t *reports,
										 SCREE_GLOBAL const int64_t *stop, int32_t step)
{
	const int64_t item = item_number();
	const resident_memory m = {columns_in(bodies, &r->body_stride), constants, 0, 0, 0, r, found};
	const sums_in to = {sums, 0, own_in(partial, r, LIST_SPHERE_SOLID), reports + step * REPORT_WORDS,
						wide_in(r, wide, wide_sum)};
	if (item < r->workers && !is_off(stop, step)) step_rows(&m, rows, &to, LIST_SPHERE_SOLID);
}

/* ------------------------------------------------------------------ the law of patches */

/* Memory of patches: found, and accounts of ended ones by class (energy_class in state/energy_classes.h). */
typedef struct patches_in {
	SCREE_GLOBAL found_patch *found;
	SCREE_GLOBAL uint64_t *classes;
} patches_in;

/* Adds the account of a patch that ends to its class, if its numbers are in the range of sums (add_ended). */
SCREE_FN void add_to_class(SCREE_GLOBAL uint64_t *classes, const columns *body, int32_t a, int32_t b,
						   const resident_end *e)
{
	SCREE_GLOBAL uint64_t *to = classes + patch_class_of(body, a, b, e) * ENDED_WORDS;
	const real lost = e->normal + e->friction + e->rolling;
	if (!fixed_is_small(lost) || !fixed_is_small(e->made)) return;
	report_plus(to + ENDED_MADE, fixed_words(e->made));
	report_plus(to + ENDED_LOST, fixed_words(lost));
	atomic_plus(to + ENDED_PATCHES, 1);
}

SCREE_FN void end_patch(const resident_memory *m, const columns *rows, int64_t k, const patches_in *p,
						const sums_in *to, bool on_wall)
{
	const resident_end e = patch_ended(rows, k, RESIDENT_EXTRA(m->rule), m->rule->dt);
	const int32_t a = number_in(rows, ROW_ca, k), b = on_wall ? -1 : number_in(rows, ROW_cb, k);
	add_ended(to->own, e);
	add_to_class(p->classes, &m->body, a, b, &e);
}

SCREE_FN void step_patch(const resident_memory *m, const columns *rows, int64_t k, const patches_in *p,
						 const sums_in *to, bool on_wall)
{
	SCREE_GLOBAL found_patch *f = p->found + k;
	SCREE_GLOBAL patch_passed *passed = (SCREE_GLOBAL patch_passed *)(to->own + ITEM_PASSED);
	if (!row_is_used(rows, k) || (!f->touches && !*touch_in(rows, k))) return;
	if (!f->touches) {
		end_patch(m, rows, k, p, to, on_wall);
		return;
	}
	const resident_result q = patch_step_of(m, f, rows, k, passed, on_wall);
	f->press.hold = q.force;
	f->press.pulled = q.torque;
	const resident_contact o = patch_in(m, f, rows, k, on_wall);
	add_row(m, &o, &q, to, false, on_wall);
}

/* The patches of one list, shared by all workers. */
SCREE_FN void step_patches(const resident_memory *m, SCREE_GLOBAL real *rows, const patches_in *p, const sums_in *to,
						   int list)
{
	const columns in = columns_in(rows, &m->rule->row_stride[list]);
	for (int c = 0; c < REPORT_SUMS; ++c) to->own[c] = 0;
	for (int64_t k = item_number(); k < m->rule->rows[list]; k += m->rule->workers)
		step_patch(m, &in, k, p, to, list == LIST_SOLID_WALL);
}

#define STEP_PATCHES(name, list)                                                                                       \
	SCREE_KERNEL_128 void name(                                                                                        \
		SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies, SCREE_GLOBAL real *rows,                       \
		SCREE_GLOBAL const law_constants *constants, SCREE_GLOBAL const resident_wall *walls,                          \
		SCREE_GLOBAL const int32_t *surface_wall, SCREE_GLOBAL found_patch *found, SCREE_GLOBAL uint64_t *classes,     \
		SCREE_GLOBAL uint64_t *sums, SCREE_GLOBAL const int32_t *wide, SCREE_GLOBAL uint64_t *wide_sum,                \
		SCREE_GLOBAL uint64_t *loads, SCREE_GLOBAL uint64_t *partial, SCREE_GLOBAL uint64_t *reports,                  \
		SCREE_GLOBAL const int64_t *stop, int32_t step)                                                                \
	{                                                                                                                  \
		const resident_memory m = memory_of(r, bodies, constants, walls, surface_wall, loads, step);                   \
		const patches_in p = {found, classes};                                                                         \
		const sums_in to = {sums, loads_in(loads, r, step), own_in(partial, r, list), reports + step * REPORT_WORDS,   \
							wide_in(r, wide, wide_sum)};                                                               \
		if (item_number() < r->workers && !is_off(stop, step)) step_patches(&m, rows, &p, &to, list);                  \
	}

STEP_PATCHES(resident_solids, LIST_SOLIDS)
STEP_PATCHES(resident_solid_wall, LIST_SOLID_WALL)

#endif
