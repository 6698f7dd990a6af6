/* thickness.h: the thickness of shapes: the diameter of the largest ball found inside. It is a lower bound on the least
 * width; for boxes, prisms, needles, plates and round bodies it is that width. The guard on overlap and the bound on
 * the displacement per step depend on it (docs/theory/overlap.md, "Bodies do not pass through each other"). */
#ifndef SCREE_SHAPE_THICKNESS_H
#define SCREE_SHAPE_THICKNESS_H

#include "shape/shapes.h"

/* m, for size 1: the thickness of a shape; for a shape of several parts, that of the thinnest part. */
real scree_shape_thickness(const shape *s);
/* m, for size 1: the thickness of a compound at part k. It is measured from the middle of the part's largest face on
 * the surface inwards to where the body ends, so that a thin part between or on thick ones does not count as thin.
 * inner: per face, 1 inside of the body (shape/parts/convex_parts.h). */
real scree_part_thickness(const shape *s, int32_t k, const real *inner);

/* One convex part of a body, or the whole of it. */
typedef struct thick_piece {
	real thick;	 /* m */
	bool joined; /* one of several parts: another body can be at the joint of two parts */
} thick_piece;

/* part: ignored if the body has one part */
thick_piece scree_thick_piece(const shape *s, int32_t part, real size);

/* Two touching pieces. */
typedef struct two_thick {
	real least; /* m: the thickness of the thinner one, the reference for their overlap */
	real safe;	/* m: with at most this overlap they cannot pass through each other */
} two_thick;

/* If two convex bodies with balls of radius p and q inside pass through each other, they overlap by at least p + q,
 * which is not less than the thickness of the thinner one. At joints of parts the overlap is less: if the joint of a
 * body is in the middle of a piece of radius p, the overlap of piece and part is p; with two joints of balls at right
 * angles it is p + q - sqrt(p^2 + q^2). Nine tenths of the first and seven eighths of the others are safe. */
SCREE_FN two_thick two_thick_of(thick_piece a, thick_piece b)
{
	const real p = a.thick / 2, q = b.thick / 2;
	two_thick t = {real_min(a.thick, b.thick), 0};
	const real joint = a.joined && b.joined ? p + q - sqrt(p * p + q * q) : a.joined ? q : p;
	t.safe = a.joined || b.joined ? (real)0.875 * joint : (real)0.9 * t.least;
	return t;
}

/* m: thickness of two bodies for the step bound (src/narrow/bodies_over_bodies.c) */
SCREE_FN real thick_in_steps(two_thick t) { return real_min(t.least, 2 * t.safe); }

/* Lower bound on the safe overlap of two pieces, as a fraction of their thickness: two equal balls of two clumps
 * have 0.256. */
#define LEAST_SAFE ((real)0.25)

#endif
