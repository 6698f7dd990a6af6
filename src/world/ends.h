/* ends.h: geometry of contacts and loads of walls, for measures and tables. */
#ifndef SCREE_WORLD_ENDS_H
#define SCREE_WORLD_ENDS_H

#include "base/real.h"
#include "model/declared.h"

/* From the centre of b, or of its image, to that of a; from the contact point for a wall. */
vec3 scree_contact_branch(const model *m, const state *s, const work *w, int kind, int64_t k);
/* N: sum of the normal forces of all contacts with a wall */
real scree_wall_push(const model *m, const state *s, const work *w, int32_t wall);

#endif
