/* cut.h: private to src/measure: the part of a body in each cell of a box, in dimension 3. */
#ifndef SCREE_MEASURE_CUT_H
#define SCREE_MEASURE_CUT_H

#include "base/fixed.h"
#include "measure/cells.h"
#include "model/declared.h"
#include "shape/clump/clump_share.h"
#include "shape/shapes.h"

enum { CUT_PLANES = 6 }; /* most planes */
enum { CUT_VOLUME, CUT_MASS, CUT_SUMS };

/* The fraction of a shape's volume in which x.u <= h for all planes, at most CUT_PLANES, in its own frame and for
 * size 1. Exact but for rounding for balls, clumps, ellipsoids and all bodies with flat faces. Other smooth bodies are
 * cut as their surface of triangles is. */
real scree_cut_part(const shape *s, int32_t planes, const clump_plane *plane);

/* Adds the parts of a body of this volume (m3), and of all its images, to the cells [cells][CUT_SUMS]. class: of its
 * size. */
void scree_cut_body(const measure_plan *p, const scree_world *w, int32_t body, int32_t class, real volume, fixed *sum);

#endif
