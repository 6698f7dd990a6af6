/* wall_overlap.h: the overlap of a convex polyhedron with a wall (docs/theory/overlap.md): which part of the body is
 * behind the wall and, on a device, the steps of overlap_pair.h for this part. Results on a device are bit-identical to
 * those of scree_thickness_convex_wall (src/narrow/wall/overlap_wall.c), which does the same operations in the same
 * order with solids of any size. */
#ifndef SCREE_KERNEL_WALL_OVERLAP_H
#define SCREE_KERNEL_WALL_OVERLAP_H

#include "kernel/convex_solid.h"
#include "kernel/wall_rows.h"

/* Returns the deepest vertex of a body along -n, in the body's frame. */
SCREE_FN vec3 wall_deepest(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const convex_placed *body, vec3 n)
{
	const vec3 m = mat3_tmul(body->turn, n);
	real least = INFINITY;
	int32_t best = 0;
	for (int32_t v = 0; v < s->vertices; ++v) {
		real h = m.x * s->vx[v] + m.y * s->vy[v] + m.z * s->vz[v];
		best = h < least ? v : best;
		least = real_min(least, h);
	}
	return v3_mul(body->size, v3(s->vx[best], s->vy[best], s->vz[best]));
}

/* Tests whether the body reaches behind the plane through p. */
SCREE_FN bool wall_reaches(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const convex_placed *body, vec3 n, vec3 p)
{
	return v3_dot(n, v3_sub(v3_add(body->at, mat3_mul(body->turn, wall_deepest(s, body, n))), p)) < 0;
}

/* Finds the normal of a plane towards the body; returns false if the body does not reach behind the plane. */
SCREE_FN bool wall_plane_faces(SCREE_GLOBAL const convex_solid *s, SCREE_GLOBAL const convex_placed *body,
							   SCREE_GLOBAL const table_wall *w, vec3 *n)
{
	const real h = v3_dot(w->axis, v3_sub(body->at, w->point));
	*n = w->two_sided && h < 0 ? v3_neg(w->axis) : w->axis;
	if (real_abs(h) >= body->size * s->radius && (h > 0 || w->two_sided)) return false;
	return wall_reaches(s, body, *n, w->point);
}

#ifndef SCREE_CONVEX_SOLID
#include "kernel/overlap_pair.h"

/* The part of a body behind a wall, in the body's frame. Its planes are faces of the body, followed by the wall. */
typedef struct wall_region {
	vec3 along, from; /* normal towards the body; deepest vertex of the body */
	cut_solid solid;
} wall_region;

typedef struct wall_cutting {
	cut_room cut;
	cut_solid part[2];
} wall_cutting;

SCREE_FN overlap_outcome wall_region_of(SCREE_GLOBAL const convex_pose *body, SCREE_GLOBAL const convex_rows *shapes,
										SCREE_GLOBAL const table_wall *w, SCREE_ROOM wall_cutting *room,
										SCREE_GLOBAL wall_region *out)
{
	SCREE_GLOBAL const convex_rows *s = shapes + body->shape;
	SCREE_ROOM cut_solid *part = room->part;
	vec3 n;
	if (!wall_plane_faces(s, body, w, &n)) return OVERLAP_NONE;
	out->along = mat3_tmul(body->turn, n);
	out->from = wall_deepest(s, body, n);
	overlap_whole(s, body->size, part);
	cut_heights(part, out->along, v3_dot(n, v3_sub(w->point, body->at)), &room->cut);
	const cut_outcome o =
		cut_by_heights(part, &room->cut, OVERLAP_SLACK * (body->size * s->radius), s->faces, part + 1);
	if (o == CUT_OUTSIDE) return OVERLAP_NONE;
	if (o == CUT_FULL) return OVERLAP_TOO_LARGE;
	out->solid = part[o == CUT_CROSSED];
	return OVERLAP_FOUND;
}

SCREE_FN void wall_sums_of(SCREE_GLOBAL const convex_rows *s, SCREE_GLOBAL const wall_region *r,
						   SCREE_GLOBAL overlap_sums *out)
{
	overlap_start(&r->solid, r->from, r->along, out);
	SCREE_ROLLED
	for (int32_t f = 0; f < r->solid.faces; ++f) {
		const int32_t p = r->solid.plane[f];
		const bool second = p >= s->faces;
		overlap_add_face(&r->solid, f, second, second ? r->along : v3(s->nx[p], s->ny[p], s->nz[p]), out);
	}
	overlap_finish(out);
}
#endif

#endif
