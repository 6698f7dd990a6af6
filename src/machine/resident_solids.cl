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
	const columns b = columns_in(bodies, r->body_stride);
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
							   SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *poses,          \
							   SCREE_GLOBAL record *records, SCREE_GLOBAL found_patch *found,                          \
							   SCREE_GLOBAL int64_t *stop, int32_t step, int32_t first, int32_t count)

/* Tests whether this item has a row, and whether its row touches as far as is known. */
#define HAS_ROW	  (item_number() < count && !is_off(stop, step))
#define MAY_TOUCH (HAS_ROW && records[item_number()].outcome == ROW_TOUCHES)

SCREE_FN resident_memory memory_of(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								   SCREE_GLOBAL const law_constants *constants, SCREE_GLOBAL const resident_wall *walls,
								   int32_t step)
{
	const resident_memory m = {columns_in(bodies, r->body_stride), constants, walls_after(walls, r, step), 0, 0, r, 0};
	return m;
}

/* Notes whether a row touches; stops the device if the host must find out. */
SCREE_FN bool found_any(SCREE_GLOBAL found_patch *to, int32_t outcome, SCREE_GLOBAL int64_t *stop, int32_t step)
{
	to->touches = outcome == ROW_TOUCHES;
	if (outcome == ROW_TO_HOST) stop_before(stop, step, true);
	return outcome == ROW_TOUCHES;
}

/* The pose of the body of row k in the frame of its wall; returns the wall, or -1 if the row is not in use. */
SCREE_FN int32_t start_at_wall(const resident_memory *m, SCREE_GLOBAL real *rows, SCREE_GLOBAL const convex_pose *poses,
							   int64_t k, SCREE_GLOBAL convex_pose *pose)
{
	const columns in = columns_in(rows, m->rule->row_stride[LIST_SOLID_WALL]);
	const int32_t wall = number_in(&in, ROW_cb, k);
	if (wall < 0) return -1;
	SCREE_GLOBAL const resident_wall *w = m->wall + wall;
	const convex_pose p = poses[number_in(&in, ROW_ca, k)];
	const mat3 turn = quat_matrix(w->orientation);
	pose->at = mat3_tmul(turn, v3_sub(p.at, w->position));
	pose->turn.x = mat3_tmul(turn, p.turn.x);
	pose->turn.y = mat3_tmul(turn, p.turn.y);
	pose->turn.z = mat3_tmul(turn, p.turn.z);
	pose->size = p.size;
	pose->shape = p.shape;
	return wall;
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

/* ------------------------------------------------------------------ spheres and polyhedra */

SCREE_KERNEL_128 void resident_find_spheres(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
											SCREE_GLOBAL real *rows, SCREE_GLOBAL const convex_rows *shapes,
											SCREE_GLOBAL const convex_pose *poses, SCREE_GLOBAL found_sphere *found,
											SCREE_GLOBAL int64_t *stop, int32_t step)
{
	const int64_t k = item_number();
	const columns b = columns_in(bodies, r->body_stride), in = columns_in(rows, r->row_stride[LIST_SPHERE_SOLID]);
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
	const resident_memory m = {columns_in(bodies, r->body_stride), constants, 0, 0, 0, r, found};
	const sums_in to = {sums, 0, own_in(partial, r, LIST_SPHERE_SOLID), reports + step * REPORT_WORDS,
						wide_in(r, wide, wide_sum)};
	if (item < r->workers && !is_off(stop, step)) step_rows(&m, rows, &to, LIST_SPHERE_SOLID);
}

/* ------------------------------------------------------------------ the law of patches */

/* Memory of patches: found, their forces on a, and accounts of ended ones by class (energy_class in
 * state/energy_classes.h). */
typedef struct patches_in {
	SCREE_GLOBAL const found_patch *found;
	SCREE_GLOBAL patch_force *force;
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

SCREE_FN void end_patch(const resident_memory *m, const resident_contact *o, const columns *rows, int64_t k,
						const patches_in *p, const sums_in *to, bool on_wall)
{
	const resident_end e = patch_ended(rows, k, RESIDENT_EXTRA(m->rule), m->rule->dt);
	add_ended(to->own, e);
	add_to_class(p->classes, &m->body, o->a, on_wall ? -1 : o->b, &e);
}

SCREE_FN void step_patch(const resident_memory *m, const columns *rows, int64_t k, const patches_in *p,
						 const sums_in *to, bool on_wall)
{
	resident_contact o = on_wall ? resident_on_plane(m, rows, k) : resident_of_bodies(m, rows, k);
	SCREE_GLOBAL const found_patch *f = p->found + k;
	if (o.a < 0 || (!f->touches && !o.touched)) return;
	if (!f->touches) {
		end_patch(m, &o, rows, k, p, to, on_wall);
		return;
	}
	o.at.depth = f->depth;
	o.part = f->part;
	const resident_result q = patch_step_of(m, &o, f, rows, k, &p->force[k].normal, on_wall);
	p->force[k].force = q.force;
	p->force[k].torque = q.torque;
	add_row(m, &o, &q, to, false, on_wall);
}

/* The patches of one list, shared by all workers. */
SCREE_FN void step_patches(const resident_memory *m, SCREE_GLOBAL real *rows, const patches_in *p, const sums_in *to,
						   int list)
{
	const columns in = columns_in(rows, m->rule->row_stride[list]);
	for (int c = 0; c < REPORT_SUMS; ++c) to->own[c] = 0;
	for (int64_t k = item_number(); k < m->rule->rows[list]; k += m->rule->workers)
		step_patch(m, &in, k, p, to, list == LIST_SOLID_WALL);
}

#define STEP_PATCHES(name, list)                                                                                       \
	SCREE_KERNEL_128 void name(                                                                                        \
		SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies, SCREE_GLOBAL real *rows,                       \
		SCREE_GLOBAL const law_constants *constants, SCREE_GLOBAL const resident_wall *walls,                          \
		SCREE_GLOBAL const found_patch *found, SCREE_GLOBAL patch_force *force, SCREE_GLOBAL uint64_t *classes,        \
		SCREE_GLOBAL uint64_t *sums, SCREE_GLOBAL const int32_t *wide, SCREE_GLOBAL uint64_t *wide_sum,                \
		SCREE_GLOBAL uint64_t *loads, SCREE_GLOBAL uint64_t *partial, SCREE_GLOBAL uint64_t *reports,                  \
		SCREE_GLOBAL const int64_t *stop, int32_t step)                                                                \
	{                                                                                                                  \
		const resident_memory m = memory_of(r, bodies, constants, walls, step);                                        \
		const patches_in p = {found, force, classes};                                                                  \
		const sums_in to = {sums, loads + (int64_t)step * r->walls * LOAD_ON_WALL_WORDS, own_in(partial, r, list),     \
							reports + step * REPORT_WORDS, wide_in(r, wide, wide_sum)};                                \
		if (item_number() < r->workers && !is_off(stop, step)) step_patches(&m, rows, &p, &to, list);                  \
	}

STEP_PATCHES(resident_solids, LIST_SOLIDS)
STEP_PATCHES(resident_solid_wall, LIST_SOLID_WALL)

#endif
