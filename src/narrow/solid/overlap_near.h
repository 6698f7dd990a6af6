/* overlap_near.h: the common region of two polyhedra of many faces, found from the faces near their contact; private to
 * src/narrow/solid. */
#ifndef SCREE_NARROW_SOLID_OVERLAP_NEAR_H
#define SCREE_NARROW_SOLID_OVERLAP_NEAR_H

#include "narrow/solid/convex_pair.h"
#include "narrow/solid/overlap.h"
#include "narrow/solid/overlap_form.h"

/* NEAR_APART: a face of b separates the bodies; NEAR_NOTHING: no part of a is left; NEAR_UNKNOWN: not found this way */
typedef enum near_outcome { NEAR_LEFT, NEAR_APART, NEAR_NOTHING, NEAR_UNKNOWN } near_outcome;

/* Does the same as cuts of a by all faces of b in turn (overlap_convex.c), with the same bits without a form, if it
 * finds a result. face: the face of b that left the least of a when it was cut last; replaced by the one that leaves
 * the smallest now. form: NULL, or replaced by the form of the region; `left` is then computed from it, so that bits
 * are those of the form. NEAR_LEFT: `left` is the region. NEAR_APART: `out` has depth and axis */
near_outcome scree_overlap_near(const convex_pair *c, real slack, int32_t *face, overlap_form *form, solid *left,
								patch *out);

#endif
