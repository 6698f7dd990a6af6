/* facet_patch.h: the contact points between a polyhedron and the facets of one surface, in the frame of the body at
 * size 1, and the memory for contacts with several surfaces.
 *
 * The polygons of the region behind a plane (wall_patch.h) are also cut by the facets that bound the surface; if facets
 * meet, their polygons are unions.
 *
 * Seams. Sides common to two facets of a surface are omitted, and parts of a body's side on different facets are joined
 * before their strength is computed, so a triangulated floor gives the same result as a plane.
 *
 * On a processor, src/narrow/wall/convex_facets.c defines SCREE_FACET_PATCH and the same names with arrays that grow.
 * On a device, bodies near too many facets are reported. */
#ifndef SCREE_KERNEL_FACET_PATCH_H
#define SCREE_KERNEL_FACET_PATCH_H

#include "kernel/facet_rows.h"
#include "kernel/item.h"
#include "kernel/wall_patch.h"

/* overlap, relative to the body's size, of a surface's facets at their seams, so that rounding does not cause gaps */
SCREE_CONSTANT real FACET_SEAM = 1e-11;
/* distance from a corner, as a fraction of the side, within which a part of the side ends at the corner */
SCREE_CONSTANT real FACET_GAP = 1e-8;
/* Largest gap, as a fraction of a side, across which the side's parts are joined. Rounding in a file may tilt facets of
 * one surface, which separates the regions below these facets at the seam. */
SCREE_CONSTANT real FACET_SEAM_GAP = 1e-4;

/* ------------------------------------------------------------------ the region behind a surface */

SCREE_FN_APART void facet_add_span(SCREE_GLOBAL facet_patch *w, int32_t side, real t0, real t1)
{
	const wall_span a = {side, t0, t1};
	int32_t i = w->spans;
	if (!WALL_ROOM(w, span, w->spans + 1)) return;
	++w->spans;
	/* sorted by side, then by t0 */
	for (; i > 0 && (w->span[i - 1].side > side || (w->span[i - 1].side == side && w->span[i - 1].t0 > t0)); --i)
		w->span[i] = w->span[i - 1];
	w->span[i] = a;
}

SCREE_FN void facet_join_spans(SCREE_GLOBAL facet_patch *w)
{
	int32_t n = 0;
	for (int32_t i = 0; i < w->spans; ++i) {
		const wall_span a = w->span[i];
		SCREE_GLOBAL wall_span *b = w->span + (n ? n - 1 : 0);
		if (n && b->side == a.side && a.t0 <= b->t1 + FACET_SEAM_GAP)
			b->t1 = real_max(b->t1, a.t1);
		else
			w->span[n++] = a;
	}
	w->spans = n;
}

/* Tests whether edge k of a facet is a seam inside a surface. */
SCREE_FN bool facet_seam(const wall_table *t, SCREE_GLOBAL const facet *g, int32_t k)
{
	const int32_t next = t->next[g->first + k];
	return next >= 0 && t->facet[next].surface == g->surface;
}

/* Computes the intersection of a face's polygon in poly[0] with a facet. The result is in an array that is overwritten
 * by the next call. */
SCREE_FN_APART SCREE_GLOBAL const wall_corner *facet_cut_face(SCREE_GLOBAL facet_patch *w, int32_t count,
															  const wall_table *t, SCREE_GLOBAL const wall_facet *on,
															  int32_t *left)
{
	SCREE_GLOBAL const facet *g = t->facet + on->row;
	const int32_t most = count + g->corners + 2;
	SCREE_GLOBAL const wall_corner *in = facet_nodes(w)->poly[0];
	int32_t n = count;
	*left = 0;
	if (!WALL_ROOM(w, room, 2 * most)) return in;
	SCREE_GLOBAL wall_corner *out = w->room;
	SCREE_ROLLED
	for (int32_t k = 0; k < g->corners && n; ++k) {
		SCREE_GLOBAL const wall_edge *e = w->edge + on->first + k;
		const real off = v3_dot(e->out, e->x) + (facet_seam(t, g, k) ? FACET_SEAM : 0);
		n = wall_cut_polygon(in, n, e->out, off, SIDE_FACET - k, out);
		in = out;
		out = w->room + (out == w->room ? most : 0);
	}
	*left = n;
	return in;
}

/* A side of a face, from its first corner. */
typedef struct facet_side {
	vec3 from, along;
} facet_side;

SCREE_FN int32_t facet_side_end(SCREE_GLOBAL const convex_solid *s, int32_t face, int32_t side)
{
	const int32_t first = s->first[face], n = s->first[face + 1] - first;
	return s->corner[first + (side + 1 < n ? side + 1 : 0)];
}

SCREE_FN facet_side facet_side_at(SCREE_GLOBAL const convex_solid *s, int32_t face, int32_t side)
{
	facet_side o;
	o.from = wall_vertex(s, s->corner[s->first[face] + side]);
	o.along = v3_sub(wall_vertex(s, facet_side_end(s, face, side)), o.from);
	return o;
}

SCREE_FN void facet_note_piece(SCREE_GLOBAL facet_patch *w, const wall_corner *a, const wall_corner *b)
{
	const wall_piece p = {a->p, b->p, a->d, b->d};
	if (WALL_ROOM(w, piece, w->pieces + 1)) w->piece[w->pieces++] = p;
}

SCREE_FN_APART void facet_note_sides(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s, int32_t f,
									 const wall_table *t, SCREE_GLOBAL const wall_facet *on,
									 SCREE_GLOBAL const wall_corner *p, int32_t count)
{
	SCREE_GLOBAL const facet *g = t->facet + on->row;
	SCREE_ROLLED
	for (int32_t i = 0; i < count; ++i) {
		const wall_corner a = p[i], b = p[i + 1 < count ? i + 1 : 0];
		if (a.side >= 0) {
			const facet_side o = facet_side_at(s, f, a.side);
			const real r2 = v3_norm2(o.along);
			if (r2 > 0)
				facet_add_span(w, a.side, v3_dot(v3_sub(a.p, o.from), o.along) / r2,
							   v3_dot(v3_sub(b.p, o.from), o.along) / r2);
		} else if (a.side <= SIDE_FACET && !facet_seam(t, g, SIDE_FACET - a.side)) {
			facet_note_piece(w, &a, &b);
		}
	}
}

SCREE_FN wall_corner facet_corner_at(SCREE_GLOBAL const wall_patch *w, SCREE_GLOBAL const convex_solid *s, int32_t v,
									 bool exactly)
{
	const wall_corner c = {wall_vertex(s, v), w->depth[v], exactly ? v : -1, 0};
	return c;
}

SCREE_FN_APART wall_corner facet_end_of_span(SCREE_GLOBAL const wall_patch *w, SCREE_GLOBAL const convex_solid *s,
											 int32_t a, int32_t b, real t)
{
	if (t <= FACET_GAP) return facet_corner_at(w, s, a, true);
	if (t >= 1 - FACET_GAP) return facet_corner_at(w, s, b, true);
	const wall_corner from = facet_corner_at(w, s, a, false), to = facet_corner_at(w, s, b, false);
	return wall_corner_between(&from, &to, t);
}

/* Adds the nodes of a face with centroid c. */
SCREE_FN_APART void facet_face_nodes(SCREE_GLOBAL facet_patch *o, SCREE_GLOBAL const convex_solid *s, int32_t f, vec3 n,
									 vec3 c)
{
	SCREE_GLOBAL wall_patch *w = facet_nodes(o);
	SCREE_ROLLED
	for (int32_t i = 0; i < o->spans; ++i) {
		const wall_span e = o->span[i];
		const int32_t a = s->corner[s->first[f] + e.side], b = facet_side_end(s, f, e.side);
		const wall_corner from_a = facet_end_of_span(w, s, a, b, e.t0), to_b = facet_end_of_span(w, s, a, b, e.t1);
		const real t = wall_share(n, c, from_a.p, to_b.p);
		wall_add_to_corner(w, &from_a, n, t);
		wall_add_to_corner(w, &to_b, n, t);
	}
	SCREE_ROLLED
	for (int32_t i = 0; i < o->pieces; ++i) {
		const wall_piece e = o->piece[i];
		const real t = wall_share(n, c, e.p, e.q);
		if (e.dp > 0) wall_add_node(w, e.p, n, e.dp, t * e.dp);
		if (e.dq > 0) wall_add_node(w, e.q, n, e.dq, t * e.dq);
	}
}

SCREE_FN_APART void facet_face_under(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s, int32_t f, vec3 n,
									 const wall_table *t, facet_range on, int32_t count, real part)
{
	SCREE_GLOBAL wall_patch *nodes = facet_nodes(w);
	wall_centroid sum = {nodes->poly[0][0].p, {0, 0, 0}, 0};
	w->spans = w->pieces = 0;
	SCREE_ROLLED
	for (int32_t i = on.first; i < on.last; ++i) {
		int32_t left;
		SCREE_GLOBAL const wall_corner *p = facet_cut_face(w, count, t, w->facet + i, &left);
		if (left < 3) continue;
		wall_centroid_add(&sum, p, left, n);
		wall_press_on(nodes, p, left, part);
		facet_note_sides(w, s, f, t, w->facet + i, p, left);
	}
	facet_join_spans(w);
	facet_face_nodes(w, s, f, n, wall_centroid_at(sum));
}

SCREE_FN void facet_each_face(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s, vec3 n,
							  const wall_table *t, facet_range on)
{
	const wall_facing facing = wall_facing_of(s, n);
	wall_press(facet_nodes(w), n);
	SCREE_ROLLED
	for (int32_t f = 0; f < s->faces; ++f) {
		if (!wall_looks_at(&facing, s, f)) continue;
		const int32_t count = wall_face_under(facet_nodes(w), s, f);
		if (count >= 3) facet_face_under(w, s, f, n, t, on, count, wall_presses(&facing, s, f));
	}
}

/* Finds nodes and arm of the region behind the plane with normal n, after wall_depths. The facets, if any, bound the
 * region. Returns the largest overlap of all nodes. */
SCREE_FN_APART real facet_region(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL const convex_solid *s, vec3 n,
								 const wall_table *t, facet_range on)
{
	SCREE_GLOBAL wall_patch *nodes = facet_nodes(w);
	const int32_t before = nodes->nodes;
	int32_t deepest;
	real sum, most;
	if (on.first == on.last) {
		most = wall_plane_region(nodes, s, n);
	} else {
		wall_vertices_below(nodes, s, &deepest);
		facet_each_face(w, s, n, t, on);
		most = wall_vertex_nodes(nodes, s, n, before, &sum);
	}
	nodes->arm = wall_arm(nodes);
	return most;
}

#endif
