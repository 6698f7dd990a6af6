/* cut.h: the part of a convex polyhedron on one side of a plane. Inputs and outputs are plain values; all loops and
 * arrays have constant bounds, and two solids plus the working memory of a cut take less than 2.5 kB. With
 * SCREE_LARGE_SOLIDS, bounds are larger, and a device has this memory outside of its threads. Every vertex is a
 * single object with one height above the plane, so that a cut solid is closed despite rounding (docs/theory/volume.md,
 * "Narrow phase"). Leaving out faces without a kept vertex does not change the vertices, faces and corners of the
 * result or their order. */
#ifndef SCREE_KERNEL_CUT_H
#define SCREE_KERNEL_CUT_H

#include "base/real.h"

#ifdef SCREE_LARGE_SOLIDS
enum { CUT_VERTICES = 64, CUT_FACES = 64, CUT_CORNERS = 192 };
#define SCREE_ROOM SCREE_GLOBAL
#else
enum { CUT_VERTICES = 32, CUT_FACES = 32, CUT_CORNERS = 96 };
#define SCREE_ROOM /* where solids are while they are cut */
#endif

/* Face f has the vertices corner[first[f]] .. corner[first[f+1]-1], counter-clockwise seen from outside. */
typedef struct cut_solid {
	int32_t vertices, faces, corners;
	real x[CUT_VERTICES], y[CUT_VERTICES], z[CUT_VERTICES];
	uint16_t plane[CUT_FACES]; /* face numbers given by the caller */
	uint8_t first[CUT_FACES + 1], corner[CUT_CORNERS];
} cut_solid;

typedef struct cut_room {
	real height[CUT_VERTICES];	 /* height above the plane */
	uint8_t stays[CUT_VERTICES]; /* 1 if the vertex stays, else 0 */
	uint8_t to[CUT_VERTICES];	 /* new rows of the vertices that stay */
	/* for each crossing of an edge with the plane: both ends of the edge, and the next crossing along the cap, or -1 */
	uint8_t inner[CUT_VERTICES], outer[CUT_VERTICES];
	int8_t next[CUT_VERTICES];
	int32_t kept, crossings;
	bool full; /* whether the result is too large */
} cut_room;

/* CUT_OUTSIDE: no vertex stays; CUT_INSIDE: all stay; CUT_FULL: the result is too large */
typedef enum cut_outcome { CUT_OUTSIDE, CUT_INSIDE, CUT_CROSSED, CUT_FULL } cut_outcome;

SCREE_FN void cut_push_corner(SCREE_ROOM cut_solid *out, SCREE_ROOM cut_room *r, int32_t v)
{
	if (out->corners < CUT_CORNERS)
		out->corner[out->corners++] = (uint8_t)v;
	else
		r->full = true;
}

SCREE_FN void cut_close_face(SCREE_ROOM cut_solid *out, SCREE_ROOM cut_room *r, int32_t plane)
{
	if (out->corners == out->first[out->faces]) return;
	if (out->faces == CUT_FACES) {
		r->full = true;
		return;
	}
	out->plane[out->faces++] = (uint16_t)plane;
	out->first[out->faces] = (uint8_t)out->corners;
}

/* Returns the vertex on the edge between a kept vertex and a removed one, which already exists for the second face. */
SCREE_FN int32_t cut_crossing(SCREE_ROOM const cut_solid *in, SCREE_ROOM cut_solid *out, SCREE_ROOM cut_room *r,
							  int32_t i, int32_t o)
{
	for (int32_t k = r->crossings - 1; k >= 0; --k)
		if (r->inner[k] == i && r->outer[k] == o) return r->kept + k;
	if (out->vertices == CUT_VERTICES) {
		r->full = true;
		return r->kept; /* any valid row, since the result is not used */
	}
	real h = r->height[i], t = h < 0 ? h / (h - r->height[o]) : 0;
	int32_t v = out->vertices++, k = r->crossings++;
	out->x[v] = in->x[i] + t * (in->x[o] - in->x[i]);
	out->y[v] = in->y[i] + t * (in->y[o] - in->y[i]);
	out->z[v] = in->z[i] + t * (in->z[o] - in->z[i]);
	r->inner[k] = (uint8_t)i;
	r->outer[k] = (uint8_t)o;
	r->next[k] = -1;
	return v;
}

/* Writes what remains of a face. Between the points where the border leaves and re-enters the kept side, it now follows
 * the plane; the cap follows the same line in the opposite direction. */
SCREE_FN void cut_crossed_face(SCREE_ROOM const cut_solid *in, SCREE_ROOM cut_solid *out, SCREE_ROOM cut_room *r,
							   int32_t f)
{
	int32_t from = in->first[f], to = in->first[f + 1], left = -1, came = -1, u = in->corner[from], here = r->stays[u];
	for (int32_t i = from; i < to; ++i) {
		int32_t v = in->corner[i + 1 < to ? i + 1 : from], there = r->stays[v];
		if (here) cut_push_corner(out, r, r->to[u]);
		if (here != there) {
			int32_t x = here ? cut_crossing(in, out, r, u, v) : cut_crossing(in, out, r, v, u);
			cut_push_corner(out, r, x);
			if (here)
				left = x;
			else if (left >= 0)
				r->next[x - r->kept] = (int8_t)left;
			else
				came = x;
		}
		u = v;
		here = there;
	}
	if (came >= 0) r->next[came - r->kept] = (int8_t)left;
	cut_close_face(out, r, in->plane[f]);
}

/* Cuts one face. Most faces stay unchanged or vanish. */
SCREE_FN void cut_one_face(SCREE_ROOM const cut_solid *in, SCREE_ROOM cut_solid *out, SCREE_ROOM cut_room *r, int32_t f)
{
	int32_t from = in->first[f], to = in->first[f + 1], stay = 0;
	for (int32_t i = from; i < to; ++i) stay += r->stays[in->corner[i]];
	if (stay == 0) return;
	if (stay < to - from) {
		cut_crossed_face(in, out, r, f);
		return;
	}
	for (int32_t i = from; i < to; ++i) cut_push_corner(out, r, r->to[in->corner[i]]);
	cut_close_face(out, r, in->plane[f]);
}

/* Closes the solid with faces on the plane, whose borders follow the crossings. */
SCREE_FN void cut_caps(SCREE_ROOM cut_solid *out, SCREE_ROOM cut_room *r, int32_t plane)
{
	for (int32_t k = 0; k < r->crossings; ++k) {
		int32_t at = k;
		while (r->next[at] >= 0) {
			int32_t next = r->next[at] - r->kept;
			cut_push_corner(out, r, r->kept + at);
			r->next[at] = -1;
			at = next;
		}
		cut_close_face(out, r, plane);
	}
}

SCREE_FN void cut_heights(SCREE_ROOM const cut_solid *in, vec3 n, real off, SCREE_ROOM cut_room *r)
{
	for (int32_t v = 0; v < in->vertices; ++v) r->height[v] = n.x * in->x[v] + n.y * in->y[v] + n.z * in->z[v] - off;
}

/* Keeps the part of a solid below a plane, from the heights of its vertices in r; heights up to slack count as below.
 * `out` is a solid only after CUT_CROSSED. plane: number for the new faces */
SCREE_FN cut_outcome cut_by_heights(SCREE_ROOM const cut_solid *in, SCREE_ROOM cut_room *r, real slack, int32_t plane,
									SCREE_ROOM cut_solid *out)
{
	out->vertices = out->faces = out->corners = r->crossings = 0;
	out->first[0] = 0;
	r->full = false;
	/* there is no branch: the next kept vertex overwrites a removed one */
	for (int32_t v = 0; v < in->vertices; ++v) {
		int32_t to = out->vertices;
		r->stays[v] = r->height[v] <= slack;
		r->to[v] = (uint8_t)to;
		out->x[to] = in->x[v];
		out->y[to] = in->y[v];
		out->z[to] = in->z[v];
		out->vertices += r->stays[v];
	}
	r->kept = out->vertices;
	if (r->kept == 0) return CUT_OUTSIDE;
	if (r->kept == in->vertices) return CUT_INSIDE;
	for (int32_t f = 0; f < in->faces && !r->full; ++f) cut_one_face(in, out, r, f);
	if (!r->full) cut_caps(out, r, plane);
	return r->full ? CUT_FULL : CUT_CROSSED;
}

#endif
