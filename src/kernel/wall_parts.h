/* wall_parts.h: the parts of a convex polyhedron behind several planes of a wall, in the memory of a device, and sums
 * over them. On a processor, src/narrow/wall/parts.h defines SCREE_WALL_PARTS and the same names for parts of any size,
 * which are added to their sums at once. On a device, larger ones are reported. */
#ifndef SCREE_KERNEL_WALL_PARTS_H
#define SCREE_KERNEL_WALL_PARTS_H

#include "kernel/convex_solid.h"
#include "kernel/cut.h"
#include "kernel/item.h"

#ifndef SCREE_WALL_PARTS
#include "kernel/overlap_pair.h"

enum { WALL_PARTS_MOST = 64, WALL_PLANES = 320 };

/* Parts of a body. Their planes are faces of the body, followed by `normal`. */
typedef struct wall_parts {
	int32_t parts, planes, full;	  /* full: whether there was no room */
	int32_t sum[WALL_PARTS_MOST + 1]; /* the sum to which each part belongs; -1 at the end */
	vec3 along[WALL_PARTS_MOST];
	cut_solid solid[WALL_PARTS_MOST];
	vec3 normal[WALL_PLANES];
} wall_parts;

/* A part while it is cut. */
typedef struct parts_cutting {
	SCREE_GLOBAL wall_parts *to;
	cut_room room;
	cut_solid part[2];
	int32_t now, faces, planes; /* planes: before the first cut of this part */
	real slack;
} parts_cutting;

SCREE_FN void parts_clear(SCREE_ROOM parts_cutting *c, SCREE_GLOBAL wall_parts *to)
{
	c->to = to;
	c->planes = to->parts = to->planes = to->full = 0;
	to->sum[0] = -1;
}

SCREE_FN void parts_start(SCREE_ROOM parts_cutting *c, SCREE_GLOBAL const convex_rows *s, real size, real slack)
{
	c->now = 0;
	c->faces = s->faces;
	c->slack = slack;
	c->to->planes = c->planes;
	overlap_whole(s, size, c->part);
}

/* Keeps the part with n.p <= off; returns false if nothing remains. */
SCREE_FN_APART bool parts_cut(SCREE_ROOM parts_cutting *c, vec3 n, real off)
{
	SCREE_GLOBAL wall_parts *to = c->to;
	if (to->planes == WALL_PLANES) to->full = 1;
	if (to->full) return false;
	to->normal[to->planes] = n;
	cut_heights(c->part + c->now, n, off, &c->room);
	const cut_outcome o =
		cut_by_heights(c->part + c->now, &c->room, c->slack, c->faces + to->planes++, c->part + !c->now);
	if (o == CUT_FULL) to->full = 1;
	if (o == CUT_CROSSED) c->now = !c->now;
	return o == CUT_INSIDE || o == CUT_CROSSED;
}

SCREE_FN void parts_copy(SCREE_ROOM const cut_solid *s, SCREE_GLOBAL cut_solid *out)
{
	out->vertices = s->vertices, out->faces = s->faces, out->corners = s->corners;
	SCREE_ROLLED
	for (int32_t v = 0; v < s->vertices; ++v) out->x[v] = s->x[v], out->y[v] = s->y[v], out->z[v] = s->z[v];
	SCREE_ROLLED
	for (int32_t f = 0; f < s->faces; ++f) out->plane[f] = s->plane[f];
	SCREE_ROLLED
	for (int32_t f = 0; f <= s->faces; ++f) out->first[f] = s->first[f];
	SCREE_ROLLED
	for (int32_t k = 0; k < s->corners; ++k) out->corner[k] = s->corner[k];
}

/* Adds what remains to a sum of regions that are thin in the direction `along`. */
SCREE_FN_APART void parts_add(SCREE_ROOM parts_cutting *c, int32_t sum, vec3 along)
{
	SCREE_GLOBAL wall_parts *to = c->to;
	if (to->parts == WALL_PARTS_MOST) {
		to->full = 1;
		return;
	}
	to->sum[to->parts] = sum;
	to->along[to->parts] = along;
	parts_copy(c->part + c->now, to->solid + to->parts++);
	to->sum[to->parts] = -1;
	c->planes = to->planes;
}

/* Computes the sum that begins with this part, about a point; its parts are neighbours in the list. */
SCREE_FN void parts_sum(SCREE_GLOBAL const convex_rows *s, SCREE_GLOBAL const wall_parts *p, int32_t part, vec3 from,
						vec3 along, SCREE_GLOBAL overlap_sums *out)
{
	overlap_start(p->solid + part, from, along, out);
	SCREE_ROLLED
	for (int32_t f = 0;; ++f) {
		if (f == p->solid[part].faces) {
			f = 0;
			if (p->sum[part + 1] != p->sum[part]) break;
			overlap_place(p->solid + ++part, out);
		}
		const int32_t own = s->faces, plane = p->solid[part].plane[f];
		const bool second = plane >= own;
		overlap_add_face(p->solid + part, f, second,
						 second ? p->normal[plane - own] : v3(s->nx[plane], s->ny[plane], s->nz[plane]), out);
	}
	overlap_finish(out);
}
#endif

#endif
