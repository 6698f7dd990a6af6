/* pair_kinds.h: the kinds of pairs, each of which has its list of slots (state/pairs.h), as rows of a table. Whoever
 * treats kinds differently asks the row; files and hashes know a kind by its name, so that the order of the rows means
 * nothing. */
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
	PAIR_MANY_PATCHES,
	PAIR_MANY_POINTS,
	PAIR_MANY_PATCHES_WALL,
	PAIR_MANY_POINTS_WALL,
	PAIR_KINDS
} pair_kind;

/* Where the pairs are. In the plane a law asks for the depth of an overlap, or for its area: then two discs are looked
 * at like polygons. */
typedef enum pair_place { PAIRS_IN_SPACE, PAIRS_IN_PLANE, PAIRS_IN_PLANE_BY_AREA, PAIR_PLACES } pair_place;

typedef struct pair_row {
	const char *name;
	uint8_t takes[PAIR_PLACES][2]; /* first and second, enum pair_side; the first row that takes two has them */
	bool on_wall;				   /* the second is a surface of a wall */
	bool patch;					   /* a contact is a patch of points, held to an account; else it is one point */
	bool formula;				   /* where they touch is one formula, which the law evaluates: no narrow phase */
	bool many;			 /* there may be several contacts, whatever the narrow phase (narrow/several_contacts.c) */
	int32_t piece, most; /* slots that one thread works on at a time: not fewer, not more */
} pair_row;

extern const pair_row scree_pair_kinds[PAIR_KINDS];

enum { SCREE_PAIR_NAME = 32 }; /* room for a name in a file */

SCREE_FN bool pair_on_wall(int kind) { return scree_pair_kinds[kind].on_wall; }

/* Slots of a piece, of so many in all: each thread has several pieces to take, and they are long where that leaves
 * enough. Where they are cut changes no bit. */
int32_t scree_pair_piece(int kind, int64_t slots);
/* -1: there is none */
int scree_pair_kind_find(const char *name);
/* The kind of a pair whose partners are these, each TAKES_ROUND, TAKES_OTHERS or TAKES_SURFACE; -1: there is none. */
int scree_pair_kind_of(pair_place place, uint8_t first, uint8_t second);

#endif
