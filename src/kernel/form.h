/* form.h: the form of the common region of two polyhedra: its vertices, edges and faces, encoded as integers
 * (docs/theory/volume.md, "Forms"). form_of_cut.h finds the form of a region, and form_region.h computes the region. */
#ifndef SCREE_KERNEL_FORM_H
#define SCREE_KERNEL_FORM_H

#include "base/real.h"

/* FORM_LEAST_FACES: pairs of polyhedra with fewer faces have no form. Larger regions have no form either. */
enum { FORM_NONE = 255, FORM_LEAST_FACES = 30, FORM_VERTICES = 32, FORM_FACES = 32, FORM_CORNERS = 96 };

/* A vertex is a vertex p of a body (q = p, plane FORM_NONE), or the point where an edge of a body, from p inside the
 * other body to q outside it, crosses a face of the other body. Vertices of a and its edges come first, and are sorted
 * by p, q and plane. Faces of a come first, in ascending order; each begins with its first vertex. Thus the encoding of
 * a form is unique. steep: number of doublings of the smallest sine of the angle between edge and face.
 *
 * A processor keeps a form from step to step, but uses it only if it is proven to be the form of the current region, so
 * that results do not depend on it. */
typedef struct overlap_form {
	const int32_t *a, *b; /* kept forms: shape.corner of both shapes, as identifiers; NULL if empty */
	uint8_t vertices, of_a, faces, faces_of_a, corners;
	uint8_t p[FORM_VERTICES], q[FORM_VERTICES], plane[FORM_VERTICES], steep[FORM_VERTICES], face[FORM_FACES];
	uint8_t first[FORM_FACES + 1], corner[FORM_CORNERS]; /* as in cut_solid */
} overlap_form;

#endif
