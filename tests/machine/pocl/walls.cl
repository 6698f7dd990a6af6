/* walls.cl: contacts with walls (headers of src/kernel), one body per item;
 * OpenCL C and CUDA */
#include "kernel/facet_contacts.h"
#include "kernel/facet_overlap.h"
#include "kernel/item.h"
#include "kernel/round_patch.h"
#include "kernel/sphere_facets.h"
#include "kernel/tube_overlap.h"
#include "kernel/wall_overlap.h"
#include "kernel/wall_patch.h"
#include "wall_arguments.h"

/* at: x, y, z and the radius of each sphere; wall: the wall of each body; near, point: room for the surfaces of a wall
 */
SCREE_KERNEL_128 void spheres(WALLS, SCREE_GLOBAL const real *at, SCREE_GLOBAL const int32_t *wall,
							  SCREE_GLOBAL near_point *near, SCREE_GLOBAL wall_point *point,
							  SCREE_GLOBAL int32_t *points)
{
	const int64_t i = item_number();
	SCREE_GLOBAL const wall_row *w = row + wall[i];
	const vec3 c = v3(at[4 * i], at[4 * i + 1], at[4 * i + 2]);
	near_points out = {0, 0, SURFACES, near + SURFACES * i, point + SURFACES * i};
	if (w->type == WALL_FACETS) {
		const wall_table table = TABLE;
		const near_facets to = {&table, wall[i], w->facets, all + w->first_facet};
		rounded o = {c, at[4 * i + 3], 0};
		meet_facets(&out, &o, &to);
	} else {
		*out.point = w->type == WALL_PLANE ? sphere_plane(c, at[4 * i + 3], w) : sphere_tube(c, at[4 * i + 3], w);
		out.points = out.point->depth > 0;
	}
	points[i] = out.points;
}

SCREE_KERNEL void regions(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
						  SCREE_GLOBAL const wall_row *row, SCREE_GLOBAL const int32_t *wall,
						  SCREE_GLOBAL wall_region *region, SCREE_GLOBAL int32_t *outcome)
{
	const int64_t i = item_number();
	wall_cutting room;
	outcome[i] = wall_region_of(body + i, shapes, row + wall[i], &room, region + i);
}

SCREE_KERNEL_128 void sums(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
						   SCREE_GLOBAL const wall_region *region, SCREE_GLOBAL const int32_t *outcome,
						   SCREE_GLOBAL overlap_sums *sum)
{
	const int64_t i = item_number();
	if (outcome[i] == OVERLAP_FOUND) wall_sums_of(shapes + body[i].shape, region + i, sum + i);
}

SCREE_KERNEL void effects(SCREE_GLOBAL const wall_region *region, SCREE_GLOBAL const overlap_sums *sum,
						  SCREE_GLOBAL int32_t *outcome, SCREE_GLOBAL overlap_contact *contact)
{
	const int64_t i = item_number();
	if (outcome[i] != OVERLAP_FOUND) return;
	if (!overlap_contact_of(&sum[i].region, region[i].along, contact + i)) outcome[i] = OVERLAP_NONE;
}

SCREE_KERNEL_128 void nodes(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
							SCREE_GLOBAL const wall_row *row, SCREE_GLOBAL const int32_t *wall,
							SCREE_GLOBAL wall_patch *patch, SCREE_GLOBAL wall_contact *contact)
{
	const int64_t i = item_number();
	vec3 n;
	patch[i].full = 0;
	wall_plane_nodes(patch + i, shapes + body[i].shape, body + i, row + wall[i], &n);
	contact[i].normal = n;
}

SCREE_KERNEL_128 void arms(SCREE_GLOBAL wall_patch *patch)
{
	const int64_t i = item_number();
	if (patch[i].nodes) patch[i].arm = wall_arm(patch + i);
}

/* the normal is exactly that of the plane */
SCREE_KERNEL_128 void touches(SCREE_GLOBAL const convex_pose *body, SCREE_GLOBAL wall_patch *patch,
							  SCREE_GLOBAL wall_contact *contact)
{
	const int64_t i = item_number();
	wall_contact c;
	if (wall_complete(patch + i, body + i, 1, &c))
		contact[i].arm = c.arm;
	else
		patch[i].nodes = 0;
}

/* ------------------------------------------------------------------ tubes, by overlap */

SCREE_KERNEL_128 void tube_regions(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								   SCREE_GLOBAL const wall_row *row, SCREE_GLOBAL const int32_t *wall,
								   SCREE_GLOBAL tube_parts *parts, SCREE_GLOBAL int32_t *outcome)
{
	const int64_t i = item_number();
	parts_cutting room;
	outcome[i] = tube_regions_of(body + i, shapes, row + wall[i], &room, parts + i);
}

/* an item for each sum of a body */
SCREE_KERNEL_128 void tube_sums(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								SCREE_GLOBAL const tube_parts *parts, SCREE_GLOBAL const int32_t *outcome,
								SCREE_GLOBAL overlap_sums *sum)
{
	const int64_t i = item_number(), k = i / TUBE_SUMS;
	if (outcome[k] == OVERLAP_FOUND) tube_sum_of(shapes + body[k].shape, parts + k, i % TUBE_SUMS, sum + i);
}

SCREE_KERNEL_128 void tube_effects(SCREE_GLOBAL tube_parts *parts, SCREE_GLOBAL const int32_t *outcome,
								   SCREE_GLOBAL const overlap_sums *sum)
{
	const int64_t i = item_number(), k = i / TUBE_SUMS;
	if (outcome[k] == OVERLAP_FOUND) tube_effect_of(parts + k, i % TUBE_SUMS, sum + i);
}

SCREE_KERNEL_128 void tube_contacts(SCREE_GLOBAL const tube_parts *parts, SCREE_GLOBAL int32_t *outcome,
									SCREE_GLOBAL overlap_contact *contact)
{
	const int64_t i = item_number();
	if (outcome[i] == OVERLAP_FOUND && !tube_contact(parts[i].tube, &parts[i].result, contact + i))
		outcome[i] = OVERLAP_NONE;
}

/* ------------------------------------------------------------------ tubes, by depth */

SCREE_KERNEL_128 void round_points(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								   SCREE_GLOBAL const wall_row *row, SCREE_GLOBAL const int32_t *wall,
								   SCREE_GLOBAL wall_patch *patch, SCREE_GLOBAL real *factor)
{
	const int64_t i = item_number();
	patch[i].full = 0;
	round_nodes(patch + i, shapes + body[i].shape, body + i, row + wall[i], factor + i);
}

SCREE_KERNEL_128 void round_touches(SCREE_GLOBAL const convex_pose *body, SCREE_GLOBAL wall_patch *patch,
									SCREE_GLOBAL const real *factor, SCREE_GLOBAL wall_contact *contact)
{
	const int64_t i = item_number();
	wall_contact c;
	if (wall_complete(patch + i, body + i, factor[i], &c))
		contact[i] = c;
	else
		patch[i].nodes = 0;
}

/* ------------------------------------------------------------------ facets, by depth */

/* the items of a launch begin with body `from` */
#define BODIES                                                                                                         \
	SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body, SCREE_GLOBAL const int32_t *wall,    \
		SCREE_GLOBAL const int32_t *from
#define BODY                                                                                                           \
	const int64_t k = item_number(), i = k + *from;                                                                    \
	SCREE_GLOBAL const convex_rows *s = shapes + body[i].shape;                                                        \
	SCREE_GLOBAL const wall_row *w = row + wall[i];                                                                    \
	const wall_table table = TABLE;                                                                                    \
	const near_facets to = {&table, wall[i], w->facets, all + w->first_facet};

SCREE_KERNEL_128 void facet_gathers(WALLS, BODIES, SCREE_GLOBAL facet_patch *patch, SCREE_GLOBAL wall_touches *out)
{
	BODY
	out[i].count = out[i].points = out[i].full = 0;
	patch[k].full = patch[k].patch.full = patch[k].fold.full = 0;
	facet_gather(patch + k, s, body + i, &to, false);
}

SCREE_KERNEL_128 void facet_folds(WALLS, BODIES, SCREE_GLOBAL facet_patch *patch)
{
	BODY
	fold_region(patch + k, s, to.s);
}

SCREE_KERNEL_128 void facet_meets(WALLS, BODIES, SCREE_GLOBAL facet_patch *patch, SCREE_GLOBAL wall_touches *out)
{
	BODY
	facet_meet_all(patch + k, s, body + i, &to, out + i);
}

SCREE_KERNEL_128 void facet_finishes(WALLS, BODIES, SCREE_GLOBAL facet_patch *patch, SCREE_GLOBAL wall_touches *out)
{
	BODY
	facet_finish(patch + k, s, body + i, &to, out + i);
	if (patch[k].full || patch[k].patch.full || patch[k].fold.full) out[i].full = 1;
}

/* ------------------------------------------------------------------ facets, by overlap */

SCREE_KERNEL_128 void part_regions(WALLS, BODIES, SCREE_GLOBAL facet_regions *regions,
											  SCREE_GLOBAL int32_t *outcome)
{
	BODY
	parts_cutting room;
	outcome[i] = facet_regions_of(body + i, s, &to, &room, regions + k);
}

/* an item for each member of a body */
SCREE_KERNEL_128 void facet_sums(SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const convex_pose *body,
								 SCREE_GLOBAL const int32_t *from, SCREE_GLOBAL const facet_regions *regions,
								 SCREE_GLOBAL const int32_t *outcome, SCREE_GLOBAL overlap_sums *sum)
{
	const int64_t n = item_number(), k = n / OVERLAP_MEMBERS, i = k + *from;
	if (outcome[i] == OVERLAP_FOUND)
		facet_sum_of(shapes + body[i].shape, regions + k, (int32_t)(n % OVERLAP_MEMBERS), sum + n);
}

SCREE_KERNEL_128 void facet_effects(SCREE_GLOBAL const int32_t *from, SCREE_GLOBAL const facet_regions *regions,
									SCREE_GLOBAL const int32_t *outcome, SCREE_GLOBAL const overlap_sums *sum,
									SCREE_GLOBAL facet_overlaps *out)
{
	const int64_t n = item_number(), k = n / OVERLAP_MEMBERS, i = k + *from;
	if (outcome[i] == OVERLAP_FOUND)
		facet_effect_of(regions + k, (int32_t)(n % OVERLAP_MEMBERS), sum + n, out + i);
}

SCREE_KERNEL_128 void facet_joins(WALLS, BODIES, SCREE_GLOBAL const facet_regions *regions,
								  SCREE_GLOBAL const int32_t *outcome, SCREE_GLOBAL const overlap_sums *sum,
								  SCREE_GLOBAL facet_joint *joint, SCREE_GLOBAL facet_overlaps *out)
{
	BODY
	(void)s;
	if (outcome[i] == OVERLAP_FOUND) facet_join(regions + k, sum + k * OVERLAP_MEMBERS, to.s, joint + k, out + i);
}
