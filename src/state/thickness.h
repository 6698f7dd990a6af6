/* thickness.h: the thickness of shapes: the diameter of the largest ball that was found inside. No body is thinner along
 * any direction, so it is a lower bound of the least width; of boxes, prisms, needles, plates and round bodies it is
 * that width. The guard on overlap and the bound on the displacement per step are measured by it
 * (docs/theory/overlap.md, "Bodies do not pass through each other"). */
#ifndef SCREE_STATE_THICKNESS_H
#define SCREE_STATE_THICKNESS_H

#include "state/shapes.h"

/* m, for size 1: the thickness of a shape of one part. For a shape of several parts, the thickness of the thinnest. */
real scree_shape_thickness(const shape *s);
/* m, for size 1: the thickness of a compound at part k: inward from the middles of the part's faces on the surface to
 * where the body ends. So a thin part between thick ones, or on a thick one, is not taken for thin. inner: per face, 1
 * inside of the body (state/convex_parts.h). */
real scree_part_thickness(const shape *s, int32_t k, const real *inner);

/* One convex part of a body, or the whole of it. */
typedef struct thick_piece {
	real thick;	 /* m */
	bool joined; /* one of several parts: another body can be where two of them meet */
} thick_piece;

/* part: ignored if the body has one part */
thick_piece scree_thick_piece(const shape *s, int32_t part, real size);

/* m: the thickness between two pieces, by which their overlap is judged. Two convex bodies with balls of radius p and q
 * inside cannot cross with less overlap than p + q, at least the thickness of the thinner one. Where parts meet it is
 * less: with the joint of a body in the middle of a piece of radius p the overlap of piece and part is p; with two
 * joints square to each other it is p + q - sqrt(p^2 + q^2) for balls. 7/4 of these, so that half of the result stays
 * below them by an eighth. */
SCREE_FN real thickness_between(thick_piece a, thick_piece b)
{
	const real least = real_min(a.thick, b.thick), p = a.thick / 2, q = b.thick / 2;
	if (!a.joined && !b.joined) return least;
	const real joint = a.joined && b.joined ? p + q - sqrt(p * p + q * q) : a.joined ? q : p;
	return real_min(least, (real)1.75 * joint);
}

/* Of a limit on overlaps, the part that thickness allows: above that, bodies could cross unseen. */
SCREE_FN real thickness_limit(real limit, bool joined) { return real_min(limit, joined ? (real)0.5 : (real)0.9); }

#endif
