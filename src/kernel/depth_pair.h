/* depth_pair.h: the contact of two convex polyhedra by depth (docs/theory/convex.md), in steps that each fit into the
 * registers of a device: the axes of faces and of edges, the reference face, the patch on it, the lever arm of its
 * pressure, and the contact. Results are bit-identical to those of scree_convex_convex (narrow/solid/convex_convex.c),
 * which calls the same functions. Pairs with more than 32 faces or with larger polygons or patches than the records
 * have room for are reported, and then computed by the same text with larger limits (SCREE_LARGE_SOLIDS in cut.h). */
#ifndef SCREE_KERNEL_DEPTH_PAIR_H
#define SCREE_KERNEL_DEPTH_PAIR_H

#include "kernel/face_patch.h"

#ifndef SCREE_CONVEX_SOLID

/* marks of faces as bits, and room for a polygon while it is cut */
#ifdef SCREE_LARGE_SOLIDS
typedef uint64_t depth_bits;
enum { DEPTH_FACES = 64, DEPTH_CORNERS = 64 };
#else
typedef uint32_t depth_bits;
enum { DEPTH_FACES = 32, DEPTH_CORNERS = 16 };
#endif

typedef enum depth_outcome { DEPTH_NONE, DEPTH_FOUND, DEPTH_TOO_LARGE } depth_outcome;

typedef struct depth_axes {
	convex_axis face, edges; /* edges.s is -INFINITY if no edges are better than the best face */
	vec3 deep_a, deep_b;	 /* deepest vertices of b and of a (convex_view.deep) */
	real gain, area, scale;	 /* convex_edge_gain; area of the patch; as in convex_pair */
} depth_axes;

/* ------------------------------------------------------------------ axes */

SCREE_FN depth_outcome depth_faces(const convex_pair *c, SCREE_GLOBAL depth_axes *out)
{
	convex_view a, b;
	convex_look_from(c, false, &a);
	convex_look_from(c, true, &b);
	convex_axis face = convex_no_axis();
	if (c->a->faces > DEPTH_FACES || c->b->faces > DEPTH_FACES) return DEPTH_TOO_LARGE;
	if (convex_front_face(c, &a, false, &face) || convex_front_face(c, &b, true, &face)) return DEPTH_NONE;
	convex_other_faces(c, &a, false, &face);
	convex_other_faces(c, &b, true, &face);
	out->face = face;
	out->deep_a = a.deep;
	out->deep_b = b.deep;
	return face.s > 0 ? DEPTH_NONE : DEPTH_FOUND;
}

/* The two bounds of convex_mark, one bit per face. */
typedef struct depth_marks {
	depth_bits deepest, middle;
} depth_marks;

/* deep: as in depth_axes */
SCREE_FN depth_marks depth_marks_of(const convex_pair *c, bool of_b, vec3 deep, real least)
{
	convex_view v;
	convex_look_from(c, of_b, &v);
	v.deep = deep;
	const convex_marks bounds = convex_marks_of(&v, least);
	depth_marks marks = {0, 0};
	SCREE_ROLLED
	for (int32_t f = 0; f < v.self->faces; ++f) {
		const int32_t mark = convex_mark(bounds, convex_deepest(&v, f), convex_middle(&v, f));
		marks.deepest |= (depth_bits)(mark & 1) << f;
		marks.middle |= (depth_bits)(mark >> 1) << f;
	}
	return marks;
}

SCREE_FN bool depth_allow_any(depth_marks m) { return m.deepest && m.middle; }

SCREE_FN bool depth_allows(SCREE_GLOBAL const convex_rows *s, depth_marks m, int32_t e)
{
	const int32_t l = s->sides[2 * e], r = s->sides[2 * e + 1];
	return (m.deepest >> l | m.deepest >> r) & (m.middle >> l | m.middle >> r) & 1;
}

/* Tests an edge of a with all edges of b. */
SCREE_FN void depth_edges_with(const convex_pair *c, int32_t ea, depth_marks marks, bool sure, convex_axis *best)
{
	SCREE_GLOBAL const convex_rows *a = c->a, *b = c->b;
	const vec3 u = convex_edge(a, ea), l = convex_normal(a, a->sides[2 * ea]),
			   r = convex_normal(a, a->sides[2 * ea + 1]);
	SCREE_ROLLED
	for (int32_t eb = 0; eb < b->edges; ++eb) {
		if (!depth_allows(b, marks, eb)) continue;
		const vec3 w = mat3_mul(c->turn, convex_edge(b, eb));
		const vec3 m = mat3_mul(c->turn, convex_normal(b, b->sides[2 * eb])),
				   o = mat3_mul(c->turn, convex_normal(b, b->sides[2 * eb + 1]));
		if (convex_arcs_cross(u, l, r, w, v3_neg(m), v3_neg(o))) convex_try_edges(c, ea, eb, w, sure, best);
	}
}

/* Finds the best pair of edges among the pairs, if any, that beat the best face by more than a tie. */
SCREE_FN convex_axis depth_best_edges(const convex_pair *c, depth_marks a, depth_marks b)
{
	convex_axis best = convex_no_axis();
	if (!depth_allow_any(a) || !depth_allow_any(b)) return best;
	SCREE_ROLLED
	for (int32_t sure = 0; sure < 2; ++sure) { /* a second pass, with the test of outermost points, is rare */
		best = convex_no_axis();
		SCREE_ROLLED
		for (int32_t ea = 0; ea < c->a->edges; ++ea)
			if (depth_allows(c->a, a, ea)) depth_edges_with(c, ea, b, sure, &best);
		if (!(best.s > -INFINITY) || convex_is_outermost(c, &best)) break;
	}
	return best;
}

SCREE_FN depth_outcome depth_edges(const convex_pair *c, SCREE_GLOBAL depth_axes *out)
{
	const real least = convex_least_of_edges(c, out->face.s);
	const depth_marks a = depth_marks_of(c, false, out->deep_a, least);
	const depth_marks b = depth_allow_any(a) ? depth_marks_of(c, true, out->deep_b, least) : a;
	const convex_axis edges = depth_best_edges(c, a, b);
	out->edges = edges;
	return (edges.s > out->face.s ? edges.s : out->face.s) < 0 ? DEPTH_FOUND : DEPTH_NONE;
}

/* ------------------------------------------------------------------ patch */

SCREE_FN void depth_reference(const convex_pair *c, SCREE_GLOBAL depth_axes *axes, SCREE_GLOBAL face_stage *out)
{
	const convex_axis face = axes->face, edges = axes->edges;
	axes->gain = convex_edge_gain(c, &face, &edges);
	axes->scale = c->scale;
	face_set_stage(c, face.code, out);
}

/* Two polygons and the side of each corner (face_clip). */
typedef struct depth_room {
	real row[7][DEPTH_CORNERS];
} depth_room;

/* Computes the patch, if edges do not carry the whole force. ref: body with the reference face; inc: other body */
SCREE_FN depth_outcome depth_patch(SCREE_GLOBAL const face_stage *stage, SCREE_GLOBAL const convex_rows *ref,
								   SCREE_GLOBAL const convex_rows *inc, SCREE_GLOBAL depth_axes *axes,
								   SCREE_ROOM depth_room *room, SCREE_GLOBAL convex_pressure *on,
								   SCREE_GLOBAL convex_points *out)
{
	const face_polygon from = {0, room->row[0], room->row[1], room->row[2]};
	const face_polygon to = {0, room->row[3], room->row[4], room->row[5]};
	face_clip s = {stage, ref, inc, from, to, room->row[6], DEPTH_CORNERS, false};
	out->points = on->corners = on->parts = 0;
	on->sum.p = on->sum.x = on->sum.y = 0;
	axes->area = axes->gain < CONVEX_ALL ? face_patch(&s, axes->scale, on, out) : 0;
	return s.full ? DEPTH_TOO_LARGE : DEPTH_FOUND;
}

SCREE_FN void depth_arm(SCREE_GLOBAL const depth_axes *axes, SCREE_GLOBAL const convex_pressure *on,
						SCREE_GLOBAL convex_points *out)
{
	out->arm = axes->area > 0 ? pressure_arm(on->corner, on->part, on->parts, on->sum) : 0;
}

SCREE_FN void depth_complete(const convex_pair *c, SCREE_GLOBAL const depth_axes *axes, SCREE_GLOBAL convex_points *out)
{
	const convex_axis face = axes->face, edges = axes->edges;
	convex_complete(c, &face, &edges, axes->gain, axes->area, out);
}

#endif

#endif
