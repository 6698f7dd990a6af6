/* place_convex.h: inside of scene/place.c: are two polyhedra, or compounds of such, apart? */
#ifndef SCREE_SCENE_PLACE_CONVEX_H
#define SCREE_SCENE_PLACE_CONVEX_H

#include "narrow/narrow.h"

typedef enum apartness { APART, TOGETHER, UNSURE } apartness;

/* Each is a polyhedron or a compound. APART: a plane lies between each two parts. UNSURE: they may touch by rounding */
apartness scree_solids_apart(const placed *a, const placed *b);

#endif
