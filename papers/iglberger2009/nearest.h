/* nearest.h: finds the point of a convex polyhedron in six dimensions that is nearest to the origin, by the dual method
 * of Goldfarb and Idnani (Mathematical Programming 27, 1983, 1-33). The function takes and returns values, and
 * allocates no memory. */
#ifndef SCREE_PAPERS_IGLBERGER2009_NEAREST_H
#define SCREE_PAPERS_IGLBERGER2009_NEAREST_H

#include "base/real.h"

typedef struct six {
	real at[6];
} six;

typedef struct nearest_point {
	bool exists; /* false if the polyhedron is empty */
	six at;
	int32_t active, of[6]; /* the constraints that are active at the point */
	real multiplier[6];	   /* >= 0; at = sum over these constraints of multiplier times normal */
} nearest_point;

SCREE_FN real six_dot(const six *a, const six *b)
{
	real sum = 0;
	for (int c = 0; c < 6; ++c) sum += a->at[c] * b->at[c];
	return sum;
}
/* adds s b to a */
SCREE_FN void six_add(six *a, real s, const six *b)
{
	for (int c = 0; c < 6; ++c) a->at[c] += s * b->at[c];
}

/* Vectors a = sum over k of q[k] r[k], with at most six orthonormal q; r is an upper triangular matrix. */
typedef struct six_frame {
	int32_t count;
	six q[6];
	real r[6][6]; /* r[k][n]: component of vector n along q[k] */
} six_frame;

/* The component of a perpendicular to the frame; part: its components along the frame. */
six scree_six_across(const six_frame *f, const six *a, real part[6]);
/* Adds a vector with these two components to the frame. */
void scree_six_join(six_frame *f, const six *across, const real part[6]);

/* Finds the smallest vector x with normal[k] . x >= offset[k] for all k. */
nearest_point scree_nearest_point(int32_t count, const six *normal, const real *offset);

#endif
