/* overlap_pairs.h: contacts of polyhedra by the thickness of their overlaps, several pairs together. The result is
 * bitwise that of scree_thickness_convex_convex. */
#ifndef SCREE_NARROW_SOLID_OVERLAP_PAIRS_H
#define SCREE_NARROW_SOLID_OVERLAP_PAIRS_H

#include "narrow/solid/known_cuts.h"

enum { PAIRS_AT_ONCE = 8, REGION_NUMBERS = 10 + 3 * MONOMIALS + 9 + 6 + 1 + 3 + 9, REGION_ANSWERS = 6 + 5 * 3 + 3 + 3 };

/* Pairs that overlap, in arrays over the pairs. */
typedef struct overlap_pairs {
	int32_t count;
	int64_t row[PAIRS_AT_ONCE];
	int32_t axis[PAIRS_AT_ONCE];				/* as patch.axis */
	real region[REGION_NUMBERS][PAIRS_AT_ONCE]; /* the sums over faces, and the orientation of the first body */
	real answer[REGION_ANSWERS][PAIRS_AT_ONCE];
} overlap_pairs;

/* Adds a pair, for which there must be room. False if the pair does not touch: out then holds its distance, and nothing
 * is added. */
bool scree_overlap_pairs_add(overlap_pairs *m, int64_t row, const placed *a, const placed *b, int32_t hint,
							 known_cuts *known, overlap_form *kept, patch *out);
/* Computes the contacts of all pairs. */
void scree_overlap_pairs(overlap_pairs *m);
/* Contact of pair i, with points as scree_thickness_convex_convex computes them. False if rounding left no volume; that
 * function must then be called. */
bool scree_overlap_pairs_get(const overlap_pairs *m, int32_t i, patch *out);

#endif
