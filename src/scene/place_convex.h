/* place_convex.h: private to scene/place.c: tests whether two polyhedra, or compounds of polyhedra, are apart. */
#ifndef SCREE_SCENE_PLACE_CONVEX_H
#define SCREE_SCENE_PLACE_CONVEX_H

#include "narrow/narrow.h"

typedef enum apartness { APART, TOGETHER, UNSURE } apartness;

/* Each body is a polyhedron or a compound. APART: a plane separates each two parts. UNSURE: rounding decides whether
 * they touch */
apartness scree_solids_apart(const placed *a, const placed *b);

#endif
