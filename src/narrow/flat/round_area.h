/* round_area.h: areas that circles and ellipses have in common with other things; private to src/narrow. */
#ifndef SCREE_NARROW_FLAT_ROUND_AREA_H
#define SCREE_NARROW_FLAT_ROUND_AREA_H

#include "narrow/flat/round_patch.h"

/* theta - sin theta cos theta of the half angle: the area of a segment of the unit circle */
real scree_flat_segment(real sine, real cosine);

/* The part of a disc beyond a chord that two circles have in common: its area, the chord's length, and how far the
 * chord is inside the disc. Zero chord: none. */
typedef struct flat_lens {
	real area, chord, sagitta;
} flat_lens;

/* what two discs overlap by, at this depth; the sagitta is that of the first */
flat_lens scree_flat_lens(real radius_a, real radius_b, real depth);
/* what of a disc is outside of a circle around it; the sagitta is the disc's */
flat_lens scree_flat_lune(real radius, real around, real depth);

/* the radius of the disc with the area of an ellipse */
real scree_flat_radius(const placed *p);

/* Adds what an oval about `centre` (in the polygon's frame, like all of this) has in common with a polygon, or what of
 * the polygon is outside of it, and the gradient by the places where the borders cross: the push on the oval, or on the
 * polygon. Moments are about `about`. */
void scree_flat_cut(const oval *o, xy centre, const flat_polygon *p, real size, bool outside, xy about, flat_area *sum);

/* the gradient and the points of a sum, from a polygon's frame to the world */
void scree_flat_area_turn(flat_area *sum, mat3 turn);

#endif
