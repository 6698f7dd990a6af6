/* overlap_form.h: the common region of two polyhedra from its form, that is, from the vertices, edges and faces of both
 * that bound it; private to src/narrow and its tests.
 *
 * A form holds integers only. A pair keeps it from step to step. It is used only where it is proven to be the form of
 * the present region (docs/theory/volume.md, "Forms"), so that results do not depend on what was kept. */
#ifndef SCREE_NARROW_SOLID_OVERLAP_FORM_H
#define SCREE_NARROW_SOLID_OVERLAP_FORM_H

#include "kernel/form.h"
#include "narrow/solid/convex_pair.h"
#include "narrow/solid/overlap.h"

/* Whether regions of these bodies are computed from forms: they have many faces, to which distances and angles of a
 * form are large even where these are not exactly planar, and similar sizes. */
bool scree_may_have_form(const convex_pair *c);

/* form_of_cut.c: finds the form of the region that cuts of a by b's faces left. False: elements of both bodies nearly
 * coincide, or there is too little room; the form is then empty. cut_solid.plane: faces of a, then those of b */
bool scree_form_of_cut(const convex_pair *c, const cut_solid *s, overlap_form *f);
bool scree_form_of_solid(const convex_pair *c, const solid *s, overlap_form *f);

/* overlap_form.c: computes the region. False, and nothing is written, if the form is not proven to be that of these
 * poses. */
bool scree_form_region(const convex_pair *c, const overlap_form *f, solid *left);

#endif
