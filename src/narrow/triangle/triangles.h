/* triangles.h: the distances of many pairs of triangles (docs/theory/triangles.md), in double or in float. */
#ifndef SCREE_NARROW_TRIANGLE_TRIANGLES_H
#define SCREE_NARROW_TRIANGLE_TRIANGLES_H

#include "base/real.h"
#include "model/triangle_choice.h"

/* Ways to find them; `run.triangles`. TRIANGLES_CERTIFIED is the default, the others are those of Krestenitis (2017).
 */
enum triangle_way {
	TRIANGLES_CERTIFIED, /* slab, steps, brute force, its thorough form: each where the one before proves too little */
	TRIANGLES_PENALTY,	 /* Newton on a penalty alone; points lie slightly outside, nothing is proved */
	TRIANGLES_HYBRID,	 /* a few steps of it, brute force where the last one was long */
	TRIANGLES_BATCHES,	 /* the same with one length for each batch of pairs */
	TRIANGLES_BRUTE,	 /* all that may be closest */
	TRIANGLE_WAYS
};
typedef struct triangle_way_row {
	const char *name, *help;
	bool proves; /* bounds around each distance; the others may miss contacts, so that energy is not kept */
} triangle_way_row;
extern const triangle_way_row scree_triangle_ways[TRIANGLE_WAYS];
int32_t scree_triangle_way_find(const char *name); /* -1: there is none */

/* Who gave an answer of TRIANGLES_CERTIFIED. */
enum triangle_stage {
	TRIANGLES_BY_SLAB,
	TRIANGLES_BY_NEWTON,
	TRIANGLES_BY_BRUTE,
	TRIANGLES_BY_THOROUGH,
	TRIANGLES_UNCERTIFIED, /* what is known does not suffice: numbers that are none */
	TRIANGLE_STAGES
};

typedef struct triangle_search {
	enum triangle_way way;
	int32_t steps;	 /* of Newton; of TRIANGLES_PENALTY at most */
	int32_t batch;	 /* of TRIANGLES_BATCHES: pairs that are redone together, 1 to TRIANGLES_AT_ONCE; 0: as many */
	bool one_by_one; /* pair after pair, not many at once; the bits are the same */
	real contact;	 /* m; who is certainly farther apart is not looked at further */
	real tolerance;	 /* in parts of the pair's size: a step of Newton; certified: the room between both bounds.
					  * The size is the greatest coordinate as seen from the first corner of a. */
} triangle_search;

/* count pairs; coordinate k%3 of corner k/3 of pair i is a[k][i] and b[k][i] */
typedef struct triangle_pairs {
	int64_t count;
	const double *a[9], *b[9];
} triangle_pairs;
typedef struct triangle_pairs_float {
	int64_t count;
	const float *a[9], *b[9];
} triangle_pairs_float;

/* The closest points are (1 - b - c) corner 0 + b corner 1 + c corner 2. low <= distance <= high whatever was rounded:
 * brute force and certified; the others prove nothing, low 0 and high infinite. */
typedef struct triangle_gap {
	double low, high, distance;
	double a_b, a_c, b_b, b_c; /* weights on a, on b */
	int32_t steps;			   /* of Newton */
	uint8_t stage;			   /* who gave it */
	bool penetrated;		   /* an edge of one goes through the other: distance 0; by brute force alone */
} triangle_gap;
typedef struct triangle_gap_float {
	float low, high, distance;
	float a_b, a_c, b_b, b_c;
	int16_t steps;
	uint8_t stage;
	bool penetrated;
} triangle_gap_float;

/* How many pairs each stage answered; added to. */
typedef struct triangle_counts {
	int64_t by[TRIANGLE_STAGES];
} triangle_counts;

/* What contacts ask: few steps, and brute force where they do not suffice. contact: m */
triangle_search scree_triangles_certified(real contact);
triangle_search scree_triangles_certified_float(real contact);
/* Pairs that are compared at once: 64, or fewer so that they are whole batches. */
int32_t scree_triangles_at_once(enum triangle_way way, int32_t batch);
/* The search that a run chose. Penalty: up to 99 steps, as the paper has it; hybrids: 8. */
triangle_search scree_triangles_chosen(triangle_choice c, real contact);

/* out: one gap for each pair. The bits of a gap depend on the pair and the search alone, but with TRIANGLES_BATCHES,
 * where they depend on the batch that a pair is in. */
void scree_triangles(const triangle_pairs *p, const triangle_search *s, triangle_gap *out, triangle_counts *counts);
void scree_triangles_float(const triangle_pairs_float *p, const triangle_search *s, triangle_gap_float *out,
						   triangle_counts *counts);

/* One pair by brute force that spares nothing: each candidate is solved again from where it came to, and each direction
 * that two features may have between them is tried. For what else is not certified. */
triangle_gap scree_triangles_thorough(const double a[9], const double b[9]);

#endif
