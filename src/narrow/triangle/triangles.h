/* triangles.h: the distances of many pairs of triangles (docs/theory/triangles.md), in double or in float. */
#ifndef SCREE_NARROW_TRIANGLE_TRIANGLES_H
#define SCREE_NARROW_TRIANGLE_TRIANGLES_H

#include "base/real.h"
#include "model/triangle_choice.h"

/* Methods for `run.triangles`. TRIANGLES_CERTIFIED is the default; the others are those of Krestenitis (2017), which
 * are not available in builds without papers (choices/choices.h). */
enum triangle_way {
	/* slab, Newton steps, brute force, thorough brute force: each stage is used if the bounds of the previous one are
	 * too wide */
	TRIANGLES_CERTIFIED,
	/* only Newton's method with a penalty; points are slightly outside the triangles, and there are no bounds */
	TRIANGLES_PENALTY,
	TRIANGLES_HYBRID,  /* a few Newton steps, then brute force if the last step was long */
	TRIANGLES_BATCHES, /* like TRIANGLES_HYBRID, with one step length for each batch of pairs */
	TRIANGLES_BRUTE,   /* all candidates */
	TRIANGLE_WAYS
};
typedef struct triangle_way_row {
	const char *name, *help;
	bool proves; /* gives bounds on each distance; other methods may miss contacts, so that energy is not conserved */
} triangle_way_row;
extern const triangle_way_row scree_triangle_ways[TRIANGLE_WAYS];

/* The stage that decided a pair of TRIANGLES_CERTIFIED. */
enum triangle_stage {
	TRIANGLES_BY_SLAB,
	TRIANGLES_BY_NEWTON,
	TRIANGLES_BY_BRUTE,
	TRIANGLES_BY_THOROUGH,
	TRIANGLES_UNCERTIFIED, /* not certain: a coordinate is NaN */
	TRIANGLE_STAGES
};

typedef struct triangle_search {
	enum triangle_way way;
	int32_t steps; /* number of Newton steps; for TRIANGLES_PENALTY the maximum */
	/* TRIANGLES_BATCHES: number of pairs iterated together, 1 to TRIANGLES_AT_ONCE; 0: TRIANGLES_AT_ONCE */
	int32_t batch;
	bool one_by_one; /* computes one pair at a time; the results are bitwise the same */
	real contact;	 /* m: pairs certainly farther apart than this are not refined */
	/* relative to the pair's size, which is the largest coordinate relative to the first corner of a: length of a
	 * Newton step; certified: width of the bounds */
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

/* Distance of two triangles and its closest points, (1 - b - c) corner 0 + b corner 1 + c corner 2. Brute force and the
 * certified search guarantee low <= distance <= high despite rounding; other methods have no bounds, with low 0 and
 * high infinite. */
typedef struct triangle_gap {
	double low, high, distance;
	double a_b, a_c, b_b, b_c; /* weights on a, on b */
	int32_t steps;			   /* number of Newton steps */
	uint8_t stage;			   /* stage that decided the pair */
	bool penetrated;		   /* an edge of one triangle pierces the other: distance 0; brute force only */
} triangle_gap;
typedef struct triangle_gap_float {
	float low, high, distance;
	float a_b, a_c, b_b, b_c;
	int16_t steps;
	uint8_t stage;
	bool penetrated;
} triangle_gap_float;

/* Number of pairs decided by each stage; calls add to it. */
typedef struct triangle_counts {
	int64_t by[TRIANGLE_STAGES];
} triangle_counts;

/* The search for contacts: a few steps, then brute force if needed. contact: m */
triangle_search scree_triangles_certified(real contact);
triangle_search scree_triangles_certified_float(real contact);
/* Number of pairs compared together: 64, or fewer to make whole batches. */
enum { TRIANGLES_AT_ONCE = 64 };
SCREE_FN int32_t triangles_at_once(enum triangle_way way, int32_t batch)
{
	return way == TRIANGLES_BATCHES && batch > 0 ? TRIANGLES_AT_ONCE - TRIANGLES_AT_ONCE % batch : TRIANGLES_AT_ONCE;
}
/* Returns the search chosen by a run. Penalty: up to 99 steps, as in the paper; hybrids: 8 steps. */
triangle_search scree_triangles_chosen(triangle_choice c, real contact);

/* Computes one gap for each pair. A gap depends bitwise only on the pair and the search, except for TRIANGLES_BATCHES,
 * where it depends on the pair's batch. */
void scree_triangles(const triangle_pairs *p, const triangle_search *s, triangle_gap *out, triangle_counts *counts);
void scree_triangles_float(const triangle_pairs_float *p, const triangle_search *s, triangle_gap_float *out,
						   triangle_counts *counts);

/* Computes one pair by exhaustive brute force, if no other stage certifies it. Each candidate is refined from its first
 * solution, and each possible direction between two features is tested. */
triangle_gap scree_triangles_thorough(const double a[9], const double b[9]);

#endif
