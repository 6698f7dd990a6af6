/* fold_room.h: data that fold_region.c collects for a body over several surfaces; private to src/narrow/wall. All data
 * are in the frame of the body at size 1. Members are surfaces, by their index in `member`. */
#ifndef SCREE_NARROW_WALL_FOLD_ROOM_H
#define SCREE_NARROW_WALL_FOLD_ROOM_H

#include "narrow/wall/work.h"

typedef struct fold_member {
	int32_t surface, first, last; /* surface; range of its facets in the scratch */
	bool flipped;
	vec3 n;
	real off;
} fold_member;

/* Part of a side of a face over one surface, and the members beyond the ends of the part; -1: none. */
typedef struct fold_span {
	int32_t face, side, member, before, after;
	real t0, t1;
} fold_span;

typedef struct fold_side {
	vec3 from, along;
} fold_side;

/* Part of a surface's border across a face, and the member beyond it; -1: none. */
typedef struct fold_piece {
	int32_t face, member, beyond;
	wall_corner p, q;
} fold_piece;

/* The intersection of a facet and a face; its corners end at `end`. part: fraction of it under pressure */
typedef struct fold_polygon {
	int32_t member, end;
	real part;
} fold_polygon;

typedef struct fold_node {
	int32_t member;
	wall_node of;
} fold_node;

typedef struct fold_room {
	int32_t members, member_capacity, bond_capacity, middle_capacity;
	fold_member *member;
	real *bond;			   /* [members * members] */
	wall_centroid *middle; /* [members * faces of the body] */
	int32_t spans, span_capacity;
	fold_span *span;
	int32_t pieces, piece_capacity;
	fold_piece *piece;
	int32_t polygons, polygon_capacity;
	fold_polygon *polygon;
	int32_t corners, corner_capacity;
	wall_corner *corner;
	int32_t nodes, node_capacity;
	fold_node *node;
} fold_room;

#endif
