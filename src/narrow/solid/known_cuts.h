/* known_cuts.h: polyhedra cut by planes as in overlap.h, with a cache of cuts. Private to src/narrow and its tests.
 *
 * The corners and faces of a cut solid depend only on integers: the solid's corners and faces before the cut, and the
 * set of vertices kept. The results of scree_cut are therefore stored as a tree. A *form* is the corners and faces of a
 * solid. A *known cut* leads from one form to another for a given set of kept vertices. The heights above the plane and
 * the plane's crossings with edges are still computed with the same operations in the same order, so results are
 * bitwise equal to those of scree_cut. The cache does not depend on motion, and pairs store nothing. */
#ifndef SCREE_NARROW_SOLID_KNOWN_CUTS_H
#define SCREE_NARROW_SOLID_KNOWN_CUTS_H

#include "kernel/form.h"
#include "narrow/solid/overlap.h"

enum { FORM_CUTS = 8 }; /* solids with more cuts, or larger than the limits of kernel/form.h, use scree_cut */

typedef struct cut_form {
	uint16_t way[FORM_CUTS]; /* rows of the known cuts that lead from the whole body to this form */
	uint8_t cuts, vertices, faces, corners;
	uint8_t first[FORM_FACES + 1]; /* as in `solid` */
	uint8_t plane[FORM_FACES];	   /* face of the body; larger numbers: the cutting planes, in order */
	uint8_t corner[FORM_CORNERS];  /* as in `solid` */
} __attribute__((aligned(64))) cut_form;

enum {
	KNOWN_FORMS = 1 << 13,
	KNOWN_CUTS = 2 * KNOWN_FORMS, /* size of the table */
	CUT_CROSSINGS = 20			  /* maximum number of crossings in one cut */
};

/* A known cut. After the cut, the kept vertices are followed by one vertex for each edge that crosses the plane. */
typedef struct known_cut {
	uint64_t of;	/* row of the form + 1, an identifier of the shape for a whole body, or 0 if empty */
	uint32_t stays; /* bits of the kept vertices */
	int32_t to;		/* row of the resulting form */
	uint8_t crossings, inner[CUT_CROSSINGS], outer[CUT_CROSSINGS]; /* ends of the crossed edges */
} __attribute__((aligned(64))) known_cut;

/* The cache of one thread. */
typedef struct known_cuts {
	known_cut cut[KNOWN_CUTS];
	cut_form form[KNOWN_FORMS];
	cutting room;
	int32_t forms;
	int64_t made, asked; /* made: number of forms created since the start; asked: number of solids processed since the
							cache was cleared */
	int64_t rest;		 /* number of upcoming solids that scree_cut will process */
} known_cuts;
known_cuts *scree_known_cuts(void); /* to be freed with scree_free */

/* A solid of known form, with vertex coordinates in arrays. */
typedef struct formed {
	const cut_form *form, *guess;
	int32_t vertices, body_faces, cuts;
	real slack;
	real x[FORM_VERTICES], y[FORM_VERTICES], z[FORM_VERTICES];
	vec3 normal[2 * FORM_FACES]; /* normals of planes: see cut_form */
} formed;

typedef enum cut_result { CUT_LEFT, CUT_NOTHING_LEFT, CUT_TOO_LARGE } cut_result;

/* Equivalent of scree_cut_start. Returns false if there are too many vertices or faces. hint: the last result of
 * scree_formed_hint for this pair, or any value; the search begins with the cuts that led to this form */
bool scree_formed_start(known_cuts *k, formed *s, const shape *of, real size, real slack, int32_t hint);
/* Returns a hint > 0 for the next call with this pair. */
int32_t scree_formed_hint(const known_cuts *k, const formed *s);
/* Prefetches data for a pair with this hint: first its form, and later the cuts that led to this form. */
void scree_known_form_soon(const known_cuts *k, int32_t hint);
void scree_known_cuts_soon(const known_cuts *k, int32_t hint);
/* Equivalent of scree_cut. */
cut_result scree_formed_cut(known_cuts *k, formed *s, vec3 n, real off);
/* Writes the solid in the same form as scree_cut. */
void scree_formed_solid(const formed *s, solid *out);

/* Like scree_overlap_convex_convex and scree_thickness_convex_convex, but with a cache. hint: the axis of the last
 * call, which contains a form (axis_of_form in kernel/patch.h). kept: NULL, or the region's form (overlap_form.h) from
 * the last call, which is replaced */
void scree_overlap_known(const placed *a, const placed *b, int32_t hint, known_cuts *known, overlap_form *kept,
						 patch *out);
void scree_thickness_known(const placed *a, const placed *b, int32_t hint, known_cuts *known, overlap_form *kept,
						   patch *out);

/* overlap_pairs.c: contacts of several pairs at once, bitwise equal to scree_thickness_convex_convex */
enum { PAIRS_AT_ONCE = 8, REGION_NUMBERS = 10 + 3 * MONOMIALS + 9 + 6 + 1 + 3 + 9, REGION_ANSWERS = 6 + 5 * 3 + 3 + 3 };

typedef struct overlap_pairs {
	int32_t count;
	int64_t row[PAIRS_AT_ONCE];
	int32_t axis[PAIRS_AT_ONCE];				/* as patch.axis */
	real region[REGION_NUMBERS][PAIRS_AT_ONCE]; /* the sums over faces, and the orientation of the first body */
	real answer[REGION_ANSWERS][PAIRS_AT_ONCE];
} overlap_pairs;

/* Adds a pair, for which there must be room. If the pair does not touch, returns false, with the distance in `out`, and
 * adds nothing. */
bool scree_overlap_pairs_add(overlap_pairs *m, int64_t row, const placed *a, const placed *b, int32_t hint,
							 known_cuts *known, overlap_form *kept, patch *out);
/* Computes the contacts of all pairs. */
void scree_overlap_pairs(overlap_pairs *m);
/* Returns false if rounding leaves no volume; then scree_thickness_convex_convex must be called. */
bool scree_overlap_pairs_get(const overlap_pairs *m, int32_t i, patch *out);

#endif
