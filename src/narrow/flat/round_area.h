/* round_area.h: areas that circles or ellipses have in common with other shapes; private to src/narrow. */
#ifndef SCREE_NARROW_FLAT_ROUND_AREA_H
#define SCREE_NARROW_FLAT_ROUND_AREA_H

#include "narrow/flat/round_patch.h"

/* theta - sin theta cos theta of the half angle: the area of a segment of the unit circle. */
real scree_flat_segment(real sine, real cosine);

/* The part of a disc beyond the common chord of two circles: its area, the chord's length, and the distance from the
 * chord to the circle (sagitta). Chord 0: there is none. */
typedef struct flat_lens {
	real area, chord, sagitta;
} flat_lens;

/* The part of a disc outside of a circle around it; the sagitta is that of the disc. */
flat_lens scree_flat_lune(real radius, real around, real depth);

/* The radius of the disc with the area of an ellipse. */
real scree_flat_radius(const placed *p);

/* Adds the common area of a polygon and an oval about `centre` or, with `outside`, the polygon's area outside of the
 * oval. Adds its gradient from the crossings of the borders: the force on the oval, or on the polygon. All data are in
 * the polygon's frame; moments are about `about`. */
void scree_flat_cut(const oval *o, xy centre, const flat_polygon *p, real size, bool outside, xy about, flat_area *sum);

/* Rotates the gradient and the points of a sum from the polygon's frame to the world. */
void scree_flat_area_turn(flat_area *sum, mat3 turn);

#endif
