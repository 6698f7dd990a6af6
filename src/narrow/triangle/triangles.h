/* triangles.h: distances of many pairs of triangles in double or single precision (docs/theory/triangles.md). */
#ifndef SCREE_NARROW_TRIANGLE_TRIANGLES_H
#define SCREE_NARROW_TRIANGLE_TRIANGLES_H

#include "base/real.h"
#include "model/triangle_choice.h"

/* Methods for `run.triangles`; those from Krestenitis (2017) need a build with papers (choices/choices.h). */
enum triangle_way {
	/* default: slab, Newton, brute force, and thorough brute force until bounds are narrow enough */
	TRIANGLES_CERTIFIED,
	/* Newton's method with a penalty, without bounds; closest points are slightly outside the triangles */
	TRIANGLES_PENALTY,
	TRIANGLES_HYBRID,  /* a few Newton steps, then brute force if the last step was long */
	TRIANGLES_BATCHES, /* like TRIANGLES_HYBRID, with one step length for each batch of pairs */
	TRIANGLES_BRUTE,   /* all candidates */
	TRIANGLE_WAYS
};
typedef struct triangle_way_row {
	const char *name, *help;
	bool proves; /* gives bounds on each distance; without bounds, contacts may be missed and energy is not conserved */
} triangle_way_row;
extern const triangle_way_row scree_triangle_ways[TRIANGLE_WAYS];

/* The stage of TRIANGLES_CERTIFIED that decided a pair. */
enum triangle_stage {
	TRIANGLES_BY_SLAB,
	TRIANGLES_BY_NEWTON,
	TRIANGLES_BY_BRUTE,
	TRIANGLES_BY_THOROUGH,
	TRIANGLES_UNCERTIFIED, /* not certain, because a coordinate is NaN */
	TRIANGLE_STAGES
};

typedef struct triangle_search {
	enum triangle_way way;
	int32_t steps; /* number of Newton steps, or their maximum for TRIANGLES_PENALTY */
	/* for TRIANGLES_BATCHES: number of pairs iterated together, 1 to TRIANGLES_AT_ONCE, or 0 for TRIANGLES_AT_ONCE */
	int32_t batch;
	bool one_by_one; /* whether to compute one pair at a time, with bitwise the same results */
	real contact;	 /* distance, in m; pairs certainly farther apart are not refined */
	/* length of a Newton step, or width of the bounds if certified, relative to the pair's size (the largest coordinate
	 * measured from the first corner of a) */
	real tolerance;
} triangle_search;

/* Input: `count` pairs; coordinate k%3 of corner k/3 of pair i is a[k][i] and b[k][i]. */
typedef struct triangle_pairs {
	int64_t count;
	const double *a[9], *b[9];
} triangle_pairs;
typedef struct triangle_pairs_float {
	int64_t count;
	const float *a[9], *b[9];
} triangle_pairs_float;

/* The closest points are (1 - b - c) corner 0 + b corner 1 + c corner 2. Brute force and the certified search guarantee
 * low <= distance <= high despite rounding; other methods leave `low` 0 and `high` infinite. */
typedef struct triangle_gap {
	double low, high, distance;
	double a_b, a_c, b_b, b_c; /* weights on a, on b */
	int32_t steps;			   /* number of Newton steps */
	uint8_t stage;			   /* stage that decided the pair */
	bool penetrated; /* whether an edge of one triangle pierces the other, so that the distance is 0; only for brute
						force */
} triangle_gap;
typedef struct triangle_gap_float {
	float low, high, distance;
	float a_b, a_c, b_b, b_c;
	int16_t steps;
	uint8_t stage;
	bool penetrated;
} triangle_gap_float;

/* Number of pairs decided by each stage; increased by each call. */
typedef struct triangle_counts {
	int64_t by[TRIANGLE_STAGES];
} triangle_counts;

/* Returns the search used for contacts: a few steps, then brute force if needed. contact: m */
triangle_search scree_triangles_certified(real contact);
triangle_search scree_triangles_certified_float(real contact);
/* Number of pairs compared together: 64, or fewer so that batches are whole. */
enum { TRIANGLES_AT_ONCE = 64 };
SCREE_FN int32_t triangles_at_once(enum triangle_way way, int32_t batch)
{
	return way == TRIANGLES_BATCHES && batch > 0 ? TRIANGLES_AT_ONCE - TRIANGLES_AT_ONCE % batch : TRIANGLES_AT_ONCE;
}
/* The search of a run: up to 99 steps for the penalty method, as in the paper, and 8 steps for hybrids. */
triangle_search scree_triangles_chosen(triangle_choice c, real contact);

/* A gap depends bitwise only on the pair and the search, and with TRIANGLES_BATCHES also on the batch. */
void scree_triangles(const triangle_pairs *p, const triangle_search *s, triangle_gap *out, triangle_counts *counts);
void scree_triangles_float(const triangle_pairs_float *p, const triangle_search *s, triangle_gap_float *out,
						   triangle_counts *counts);

/* Computes one pair by exhaustive brute force, if no other stage certifies the pair. Each candidate is refined from its
 * first solution, and all possible directions between two features are tested. */
triangle_gap scree_triangles_thorough(const double a[9], const double b[9]);

#endif
