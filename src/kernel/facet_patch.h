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

/* A body at one surface of a wall. On a device it is in memory, so that functions keep few registers. */
typedef struct facet_meeting {
	SCREE_GLOBAL facet_patch *w;
	SCREE_GLOBAL const convex_solid *s;
	SCREE_GLOBAL const convex_placed *body;
	const wall_table *t;
	SCREE_GLOBAL const wall_facet *a; /* a facet that the body touches */
	facet_range on;					  /* all facets of the surface */
	/* a face of the body, and the centroid of its parts behind facets */
	wall_facing facing;
	int32_t face, corners;
	wall_centroid sum;
	/* its part behind one facet */
	SCREE_GLOBAL const facet *g;
	SCREE_GLOBAL const wall_corner *part;
	int32_t part_corners;
	int32_t member; /* the surface's number in the memory for folds */
} facet_meeting;

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

/* Computes face f in front of the surface as a polygon in poly[0]; returns false if it is not behind the surface. */
SCREE_FN bool facet_start_face(facet_meeting *m, int32_t f)
{
	SCREE_GLOBAL wall_patch *w = facet_nodes(m->w);
	if (!wall_looks_at(&m->facing, m->s, f)) return false;
	m->face = f;
	m->corners = wall_face_under(w, m->s, f);
	const wall_centroid none = {w->poly[0][0].p, {0, 0, 0}, 0};
	m->sum = none;
	return m->corners >= 3;
}

/* Computes the intersection of the polygon with a facet; returns false if there is none. The result is in an array that
 * is overwritten by the next call. */
SCREE_FN_APART bool facet_cut_face(facet_meeting *m, SCREE_GLOBAL const wall_facet *on)
{
	SCREE_GLOBAL facet_patch *w = m->w;
	SCREE_GLOBAL const facet *g = m->t->facet + on->row;
	SCREE_GLOBAL const wall_corner *in = facet_nodes(w)->poly[0];
	const int32_t most = m->corners + g->corners + 2;
	int32_t n = m->corners;
	if (!WALL_ROOM(w, room, 2 * most)) return false;
	SCREE_GLOBAL wall_corner *out = w->room;
	SCREE_ROLLED
	for (int32_t k = 0; k < g->corners && n; ++k) {
		SCREE_GLOBAL const wall_edge *e = w->edge + on->first + k;
		const real off = v3_dot(e->out, e->x) + (facet_seam(m->t, g, k) ? FACET_SEAM : 0);
		n = wall_cut_polygon(in, n, e->out, off, SIDE_FACET - k, out);
		in = out;
		out = w->room + (out == w->room ? most : 0);
	}
	m->g = g, m->part = in, m->part_corners = n;
	return n >= 3;
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

SCREE_FN_APART void facet_note_sides(const facet_meeting *m)
{
	SCREE_ROLLED
	for (int32_t i = 0; i < m->part_corners; ++i) {
		const wall_corner a = m->part[i], b = m->part[i + 1 < m->part_corners ? i + 1 : 0];
		if (a.side >= 0) {
			const facet_side o = facet_side_at(m->s, m->face, a.side);
			const real r2 = v3_norm2(o.along);
			if (r2 > 0)
				facet_add_span(m->w, a.side, v3_dot(v3_sub(a.p, o.from), o.along) / r2,
							   v3_dot(v3_sub(b.p, o.from), o.along) / r2);
		} else if (a.side <= SIDE_FACET && !facet_seam(m->t, m->g, SIDE_FACET - a.side)) {
			facet_note_piece(m->w, &a, &b);
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

/* Adds the nodes of the face. */
SCREE_FN_APART void facet_face_nodes(const facet_meeting *m)
{
	SCREE_GLOBAL facet_patch *o = m->w;
	SCREE_GLOBAL const convex_solid *s = m->s;
	SCREE_GLOBAL wall_patch *w = facet_nodes(o);
	const vec3 n = m->facing.n, c = wall_centroid_at(m->sum);
	const int32_t f = m->face;
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

SCREE_FN_APART void facet_press(facet_meeting *m)
{
	wall_centroid_add(&m->sum, m->part, m->part_corners, m->facing.n);
	wall_press_on(facet_nodes(m->w), m->part, m->part_corners, wall_presses(&m->facing, m->s, m->face));
}

/* Adds the nodes and the pressure of the part of the face behind the surface. */
SCREE_FN_APART void facet_face_under(facet_meeting *m)
{
	m->w->spans = m->w->pieces = 0;
	SCREE_ROLLED
	for (int32_t i = m->on.first; i < m->on.last; ++i) {
		if (!facet_cut_face(m, m->w->facet + i)) continue;
		facet_press(m);
		facet_note_sides(m);
	}
	facet_join_spans(m->w);
	facet_face_nodes(m);
}

/* Prepares to cut the body's faces at a plane. */
SCREE_FN_APART void facet_start(facet_meeting *m, vec3 n, real off)
{
	wall_depths(facet_nodes(m->w), m->s, n, off);
	m->facing = wall_facing_of(m->s, n);
}

/* Finds nodes and arm of the region behind the surface. Returns the largest overlap of all nodes. */
SCREE_FN_APART real facet_region(facet_meeting *m)
{
	SCREE_GLOBAL wall_patch *nodes = facet_nodes(m->w);
	int32_t deepest;
	real sum;
	facet_start(m, m->a->n, m->a->off);
	nodes->nodes = 0;
	wall_vertices_below(nodes, m->s, &deepest);
	wall_press(nodes, m->a->n);
	SCREE_ROLLED
	for (int32_t f = 0; f < m->s->faces; ++f)
		if (facet_start_face(m, f)) facet_face_under(m);
	const real most = wall_vertex_nodes(nodes, m->s, m->a->n, 0, &sum);
	nodes->arm = wall_arm(nodes);
	return most;
}

#endif
