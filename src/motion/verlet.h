/* verlet.h: the two halves of velocity Verlet, for rows from .. to-1. */
#ifndef SCREE_MOTION_VERLET_H
#define SCREE_MOTION_VERLET_H

#include "world/world.h"

/* Returns the longest path of any point of a body in this step; path lengths accumulate. */
real scree_verlet_drift(const model *m, bodies *b, int64_t from, int64_t to);
/* Returns the largest speed squared; a NaN anywhere is kept. */
real scree_verlet_kick(const model *m, bodies *b, int64_t from, int64_t to);
/* Whether there are walls that a body could cross; their test needs positions before the drift. */
bool scree_walls_have_sides(const model *m);
void scree_note_places(bodies *b, int64_t from, int64_t to);

#endif
