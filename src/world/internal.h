/* internal.h: what the rooms of the world ask of each other; private to src/world, src/prepare and src/guard. */
#ifndef SCREE_WORLD_INTERNAL_H
#define SCREE_WORLD_INTERNAL_H

#include "world/world.h"

/* of a body of this shape and size */
real scree_world_volume(const model *m, const shape *form, real size);
/* radius of the sphere of a body's volume; in the plane of the disc of its area */
real scree_world_round(const model *m, const shape *form, real size);
/* the smaller radius of what meets in contact row k: of the spheres of the bodies' volumes, of balls of clumps */
real scree_contact_round(const state *s, int kind, int64_t k);
/* m: what the overlap of contact row k is judged by: the diameter of the smaller body's sphere of the same volume, or
 * the thickness between two bodies if that is less */
real scree_contact_small(const model *m, const state *s, int kind, int64_t k);
/* the overlap of contact row k over that */
real scree_contact_part(const model *m, const state *s, int kind, int64_t k);
/* kinetic energy of body i, and its potential one */
real scree_energy_of_body(const model *m, const state *s, int32_t i, real *potential);
/* the energy of body i comes into the world, or goes: to the ledger */
void scree_world_brought(const model *m, state *s, int32_t i, bool back);
/* Does body i not turn, whatever acts on it? */
bool scree_world_locked(const state *s, int32_t i);

#endif
