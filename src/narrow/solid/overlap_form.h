/* overlap_form.h: the common region of two polyhedra, computed from its form, that is, from the vertices, edges, and
 * faces of both bodies that bound the region. Private to src/narrow and its tests.
 *
 * A form contains only integers and is kept with a pair from step to step. The form is used only if it is proven to be
 * the form of the current region (docs/theory/volume.md, "Forms"), so results do not depend on the kept form. */
#ifndef SCREE_NARROW_SOLID_OVERLAP_FORM_H
#define SCREE_NARROW_SOLID_OVERLAP_FORM_H

#include "narrow/solid/convex_pair.h"
#include "kernel/cut.h"
#include "kernel/form_region.h"
#include "narrow/solid/overlap.h"

/* The form of the region after a is cut along b's faces. Returns false, with an empty form, if elements
 * of the bodies nearly coincide or if there is no room. cut_solid.plane: faces of a, then faces of b */
bool scree_form_of_cut(const convex_pair *c, const cut_solid *s, overlap_form *f);
bool scree_form_of_solid(const convex_pair *c, const solid *s, overlap_form *f);

/* Computes the region. Returns false, and writes nothing, if the form is not proven to be valid for
 * these poses. */
bool scree_form_region(const convex_pair *c, const overlap_form *f, solid *left);

/* NEAR_APART: a face of b separates the bodies; NEAR_NOTHING: nothing of a remains; NEAR_UNKNOWN: no result */
typedef enum near_outcome { NEAR_LEFT, NEAR_APART, NEAR_NOTHING, NEAR_UNKNOWN } near_outcome;

/* Any result is the same as after cutting a along all faces of b in order (overlap_convex.c), and bitwise the same
 * without a form. face: the face of b that left the smallest part of a in the last call, replaced by the face of this
 * call. form: NULL, or replaced by the form of the region; `left` is then computed from this form, bitwise as from a
 * kept form. NEAR_LEFT: `left` is the common region. NEAR_APART: `out` contains depth and axis */
near_outcome scree_overlap_near(const convex_pair *c, real slack, int32_t *face, overlap_form *form, solid *left,
								patch *out);

#endif
