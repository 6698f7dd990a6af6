/* pair_kinds.h: the kinds of pairs, each with its list of slots (state/pairs.h), as rows of a table. Code that treats
 * kinds differently reads the row; files and hashes use names, so that the order of rows has no effect. */
#ifndef SCREE_STATE_PAIR_KINDS_H
#define SCREE_STATE_PAIR_KINDS_H

#include "base/real.h"
#include "shape/pair_side.h"

typedef enum pair_kind {
	PAIR_SPHERE_SPHERE,
	PAIR_SPHERE_CONVEX,
	PAIR_CONVEX_CONVEX,
	PAIR_SPHERE_WALL,
	PAIR_CONVEX_WALL,
	PAIR_SEVERAL_PATCHES,
	PAIR_SEVERAL_POINTS,
	PAIR_SEVERAL_PATCHES_WALL,
	PAIR_SEVERAL_POINTS_WALL,
	PAIR_KINDS
} pair_kind;

/* Where pairs are. In the plane, a law uses an overlap's depth or area; with area, discs are treated like polygons. */
typedef enum pair_place { PAIRS_IN_SPACE, PAIRS_IN_PLANE, PAIRS_IN_PLANE_BY_AREA, PAIR_PLACES } pair_place;

typedef struct pair_row {
	const char *name;
	uint8_t takes[PAIR_PLACES][2]; /* partners, enum pair_side; the first row that matches both is used */
	bool on_wall;				   /* the second partner is a surface of a wall */
	bool patch;			 /* a contact is a patch of points with an energy account; otherwise it is one point */
	bool formula;		 /* the law computes the contact from a formula, without a narrow phase */
	bool several;		 /* several contacts are possible, whatever the narrow phase (narrow/several_contacts.c) */
	int32_t piece, most; /* slots per work item of a thread: minimum and maximum */
} pair_row;

extern const pair_row scree_pair_kinds[PAIR_KINDS];

enum { SCREE_PAIR_NAME = 32 }; /* room for a name in a file */

SCREE_FN bool pair_on_wall(int kind) { return scree_pair_kinds[kind].on_wall; }

/* Slots per piece for this total, so that each thread has several pieces if possible; no effect on results. */
int32_t scree_pair_piece(int kind, int64_t slots);
int scree_pair_kind_find(const char *name); /* -1: none */
/* The kind of a pair for these partners, each TAKES_ROUND, TAKES_OTHERS or TAKES_SURFACE; -1 if none. */
int scree_pair_kind_of(pair_place place, uint8_t first, uint8_t second);

#endif
