/* thickness.h: the thickness of a shape is the diameter of the largest ball found inside, a lower bound on the smallest
 * width, which equals this width for boxes, prisms, needles, plates, and round bodies. The guard on overlap and the
 * bound on the displacement per step use it (docs/theory/overlap.md, "Bodies do not pass through each other"). */
#ifndef SCREE_SHAPE_THICKNESS_H
#define SCREE_SHAPE_THICKNESS_H

#include "shape/shapes.h"

/* Returns the thickness in m at size 1; for a shape of several parts, the smallest. */
real scree_shape_thickness(const shape *s);
/* Returns the thickness of a compound at part k, in m at size 1. The thickness is measured from the centre of the
 * part's largest face on the surface inwards to the opposite side of the body, so that a thin part between thick parts,
 * or attached to one, does not count as thin. inner: for each face, 1 inside the body (shape/parts/convex_parts.h). */
real scree_part_thickness(const shape *s, int32_t k, const real *inner);

/* A convex part of a body, or the whole body. */
typedef struct thick_piece {
	real thick;	 /* m */
	bool joined; /* whether this is one of several parts, which have joints at which another body can be */
} thick_piece;

/* part: ignored if the body has only one part */
thick_piece scree_thick_piece(const shape *s, int32_t part, real size);

typedef struct two_thick {
	real least; /* thickness, in m, of the thinner piece, which is the reference for the overlap of both */
	real safe;	/* largest overlap, in m, at which the pieces cannot pass through each other */
} two_thick;

/* When two convex bodies that contain balls of radius p and q pass through each other, their overlap reaches at least p
 * + q, which is not less than the thickness of the thinner body. At joints between parts the overlap is smaller: when a
 * body's joint is at the centre of a piece of radius p, piece and part overlap by p; two joints of balls at right
 * angles overlap by p + q - sqrt(p^2 + q^2). Nine tenths of the first value, and seven eighths of the others, are safe
 * limits. */
SCREE_FN two_thick two_thick_of(thick_piece a, thick_piece b)
{
	const real p = a.thick / 2, q = b.thick / 2;
	two_thick t = {real_min(a.thick, b.thick), 0};
	const real joint = a.joined && b.joined ? p + q - sqrt(p * p + q * q) : a.joined ? q : p;
	t.safe = a.joined || b.joined ? (real)0.875 * joint : (real)0.9 * t.least;
	return t;
}

/* Returns the combined thickness, in m, of two bodies for the bound on a step (src/narrow/bodies_over_bodies.c) */
SCREE_FN real thick_in_steps(two_thick t) { return real_min(t.least, 2 * t.safe); }

/* Lower bound on the ratio of safe overlap to thickness; 0.256 for two equal balls of two clumps. */
#define LEAST_SAFE ((real)0.25)

#endif
