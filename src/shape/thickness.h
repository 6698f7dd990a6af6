/* thickness.h: the thickness of shapes: the diameter of the largest ball that was found inside. No body is thinner
 * along any direction, so it is a lower bound of the least width; of boxes, prisms, needles, plates and round bodies it
 * is that width. The guard on overlap and the bound on the displacement per step are measured by it
 * (docs/theory/overlap.md, "Bodies do not pass through each other"). */
#ifndef SCREE_SHAPE_THICKNESS_H
#define SCREE_SHAPE_THICKNESS_H

#include "shape/shapes.h"

/* m, for size 1: the thickness of a shape of one part. For a shape of several parts, the thickness of the thinnest. */
real scree_shape_thickness(const shape *s);
/* m, for size 1: the thickness of a compound at part k: inward from the middle of the part's largest face on the
 * surface to where the body ends. So a thin part between thick ones, or on a thick one, is not taken for thin. inner:
 * per face, 1 inside of the body (shape/parts/convex_parts.h). */
real scree_part_thickness(const shape *s, int32_t k, const real *inner);

/* One convex part of a body, or the whole of it. */
typedef struct thick_piece {
	real thick;	 /* m */
	bool joined; /* one of several parts: another body can be where two of them meet */
} thick_piece;

/* part: ignored if the body has one part */
thick_piece scree_thick_piece(const shape *s, int32_t part, real size);

/* Two pieces that meet. */
typedef struct two_thick {
	real least; /* m: the thickness of the thinner one, by which their overlap is judged */
	real safe;	/* m: with no more overlap than this they cannot cross */
} two_thick;

/* Two convex bodies with balls of radius p and q inside cross with an overlap of p + q at least, the thickness of the
 * thinner one or more. Where parts meet it is less: with the joint of a body in the middle of a piece of radius p the
 * overlap of piece and part is p; with two joints of balls, square to each other, p + q - sqrt(p^2 + q^2). Nine tenths,
 * and seven eighths, of these are safe. */
SCREE_FN two_thick two_thick_of(thick_piece a, thick_piece b)
{
	const real p = a.thick / 2, q = b.thick / 2;
	two_thick t = {real_min(a.thick, b.thick), 0};
	const real joint = a.joined && b.joined ? p + q - sqrt(p * p + q * q) : a.joined ? q : p;
	t.safe = a.joined || b.joined ? (real)0.875 * joint : (real)0.9 * t.least;
	return t;
}

/* m: of two bodies the thickness that counts for steps (src/narrow/bodies_over_bodies.c) */
SCREE_FN real thick_in_steps(two_thick t) { return real_min(t.least, 2 * t.safe); }

/* No two pieces have less safe overlap, as a part of their thickness: two equal balls of two clumps have 0.256. */
#define LEAST_SAFE ((real)0.25)

#endif
