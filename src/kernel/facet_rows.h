/* facet_rows.h: memory for the contacts of a polyhedron with the facets of a wall, in the frame of the body at size 1.
 * On a processor, src/narrow/wall/convex_facets.c defines SCREE_FACET_PATCH and the same names with arrays that grow.
 * On a device, bodies for which arrays are too small are reported. */
#ifndef SCREE_KERNEL_FACET_ROWS_H
#define SCREE_KERNEL_FACET_ROWS_H

#include "kernel/wall_patch.h"

/* A facet within reach. */
typedef struct wall_facet {
	int32_t row, surface;
	int32_t flipped; /* the body is behind the facet */
	int32_t touched; /* whether the facet and the body have a point in common */
	int32_t first;	 /* first row of its corners and outward vectors in `edge` */
	vec3 n;
	real off;
} wall_facet;

/* A surface's facets, rows first .. last-1 of those within reach. */
typedef struct facet_range {
	int32_t first, last;
} facet_range;

typedef struct wall_edge {
	vec3 x, out;
} wall_edge;

/* A part, covered by a surface, from fraction t0 to t1 of the side of a face that starts at corner `side`. */
typedef struct wall_span {
	int32_t side;
	real t0, t1;
} wall_span;

/* Part of a surface's border across a face of the body. */
typedef struct wall_piece {
	vec3 p, q;
	real dp, dq;
} wall_piece;

/* A border edge x + s u for 0 <= s <= length. The part s0 <= s <= s1 is inside the body; there is none if s0 > s1. */
typedef struct wall_border {
	vec3 x, u, n, out;
	real length, s0, s1;
	real fade;		  /* ratio of the ways out at which the edge contact fully replaces the face contact */
	real sharp;		  /* the edge's share of the contact */
	vec3 n2;		  /* the normal beyond a ridge */
	int32_t surface2; /* the surface beyond a ridge if it is in contact with this body, or -1 */
	int32_t ridge;
} wall_border;

/* Contributions of a surface's faces and border edges to a contact. */
typedef struct touch_extent {
	real faces, edges; /* sums over the nodes of faces and of border edges */
	real mix;		   /* the border edges' share of the contact */
	int32_t behind;	   /* whether the body is behind the surface */
} touch_extent;

/* ------------------------------------------------------------------ surfaces that meet at shallow folds */

/* A surface: a range of facets within reach, and its plane as seen from the body. */
typedef struct fold_member {
	int32_t surface, first, last, flipped;
	vec3 n;
	real off;
} fold_member;

/* Part of a side of a face above one surface, and the members beyond the ends of the part, or -1 if there are none. */
typedef struct fold_span {
	int32_t face, side, member, before, after;
	real t0, t1;
} fold_span;

/* Part of a surface's border across a face, and the member beyond it, or -1 if there is none. */
typedef struct fold_piece {
	int32_t face, member, beyond;
	vec3 p, q;
} fold_piece;

/* The intersection of a facet and a face; the corners of the intersection end at `end`. part: the fraction under
 * pressure */
typedef struct fold_polygon {
	int32_t member, end;
	real part;
} fold_polygon;

typedef struct fold_corner {
	vec3 p;
	real d;
} fold_corner;

/* A node of a member with overlap d and strength s. */
typedef struct fold_node {
	int32_t member;
	vec3 p;
	real d, s;
} fold_node;

/* ------------------------------------------------------------------ on a device */

#ifndef SCREE_FACET_PATCH
/* FACET_CUT: corners, for two polygons; FOLD_MIDDLES: surfaces within reach times faces of the body */
#ifdef SCREE_LARGE_SOLIDS
enum { FACET_CUT = 192, FOLD_MIDDLES = 1536 };
#else
enum { FACET_CUT = 96, FOLD_MIDDLES = 384 };
#endif
enum {
	FACET_ROWS = 48,		/* facets within reach; also borders of a surface */
	FACET_EDGES = 160,		/* their edges */
	FACET_PARTS = 64,		/* parts of the sides of a face on one surface */
	FOLD_MEMBERS = 24,		/* surfaces within reach, of which some meet at shallow folds */
	FOLD_PARTS = 160,		/* parts of the body's faces above them: polygons, spans and pieces */
	FOLD_CORNERS = 512,		/* corners of these polygons */
	FOLD_NODES = 320,		/* nodes on them */
	WALL_TOUCHES = 16,		/* contacts */
	WALL_TOUCH_POINTS = 256 /* their points */
};

typedef struct fold_room {
	int32_t members, spans, pieces, polygons, corners, nodes, full;
	fold_member member[FOLD_MEMBERS];
	real bond[FOLD_MEMBERS * FOLD_MEMBERS]; /* [members * members] */
	wall_centroid middle[FOLD_MIDDLES];		/* [members * faces of the body] */
	fold_span span[FOLD_PARTS];
	fold_piece piece[FOLD_PARTS];
	fold_polygon polygon[FOLD_PARTS];
	fold_corner corner[FOLD_CORNERS];
	fold_node node[FOLD_NODES];
} fold_room;

typedef struct facet_patch {
	wall_patch patch;
	int32_t facets, edges, borders, spans, pieces, full;
	wall_facet facet[FACET_ROWS];
	wall_edge edge[FACET_EDGES];
	wall_border border[FACET_ROWS];
	wall_span span[FACET_PARTS];
	wall_piece piece[FACET_PARTS];
	wall_corner room[FACET_CUT];
	vec3 ring[FACET_CUT];
	touch_extent extent[WALL_TOUCHES];
	fold_room fold;
} facet_patch;

/* Members as in `touch` and `touch_list`. */
typedef struct wall_touch {
	int32_t surface, first, points;
	vec3 normal;
	real depth, arm, part;
} wall_touch;

typedef struct wall_touches {
	int32_t count, points, full; /* full: whether an array of this body was too small */
	wall_touch item[WALL_TOUCHES];
	vec3 at[WALL_TOUCH_POINTS];
	real deep[WALL_TOUCH_POINTS], weight[WALL_TOUCH_POINTS];
} wall_touches;

SCREE_FN SCREE_GLOBAL wall_patch *facet_nodes(SCREE_GLOBAL facet_patch *w) { return &w->patch; }
SCREE_FN SCREE_GLOBAL fold_room *facet_fold(SCREE_GLOBAL facet_patch *w) { return &w->fold; }

/* Adds the contact of the nodes to the list, as scree_touch_nodes does; returns false if there is none. */
SCREE_FN_APART bool facet_touch(SCREE_GLOBAL facet_patch *w, SCREE_GLOBAL wall_touches *out, int32_t surface,
								SCREE_GLOBAL const convex_placed *body, real factor)
{
	SCREE_GLOBAL const wall_patch *p = &w->patch;
	wall_contact c;
	if (!wall_complete(&w->patch, body, factor, &c)) return false;
	if (out->count == WALL_TOUCHES || out->points + p->nodes > WALL_TOUCH_POINTS) out->full = 1;
	if (out->full) return false;
	SCREE_GLOBAL wall_touch *t = out->item + out->count++;
	t->surface = surface;
	t->first = out->points;
	t->points = p->nodes;
	t->normal = c.normal;
	t->arm = c.arm;
	t->part = 1;
	t->depth = 0;
	SCREE_ROLLED
	for (int32_t i = 0; i < p->nodes; ++i) {
		const int32_t k = out->points++;
		out->at[k] = p->node[i].p;
		out->deep[k] = p->node[i].d;
		out->weight[k] = p->node[i].s;
		t->depth = real_max(t->depth, p->node[i].d);
	}
	return true;
}
#endif

#endif
