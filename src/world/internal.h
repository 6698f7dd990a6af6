/* internal.h: functions shared by files of the world; private to src/world, src/prepare and src/guard. */
#ifndef SCREE_WORLD_INTERNAL_H
#define SCREE_WORLD_INTERNAL_H

#include "base/real.h"
#include "model/declared.h"
#include "shape/shapes.h"

real scree_world_volume(const model *m, const shape *form, real size);
/* radius of the sphere with a body's volume; in the plane, radius of the disc with a body's area */
real scree_world_round(const model *m, const shape *form, real size);
/* the smaller radius in contact row k, of spheres with the volumes of the bodies or of balls of clumps */
real scree_contact_round(const state *s, const work *w, int kind, int64_t k);
/* reference length, in m, for the overlap of contact row k: the diameter of the sphere with the volume of the smaller
 * body, or the thickness between two bodies if that is less */
real scree_contact_small(const model *m, const state *s, const work *w, int kind, int64_t k);
/* the overlap of contact row k divided by scree_contact_small */
real scree_contact_part(const model *m, const state *s, const work *w, int kind, int64_t k);
/* kinetic energy of body i; *potential: its potential energy */
real scree_energy_of_body(const model *m, const state *s, int32_t i, real *potential);
/* J: its heat, from 0 K */
real scree_heat_of_body(const model *m, const state *s, int32_t i);
/* adds the energy of body i to the ledger, or subtracts it if `back` */
void scree_world_brought(const model *m, state *s, int32_t i, bool back);
/* Tests whether body i cannot rotate under any torque. */
bool scree_world_locked(const state *s, int32_t i);
/* Gives ghosts the velocities after the kick, if they lack them; called before all parts report a contact. */
void scree_world_catch_up(state *s, const work *w);
/* Returns false; reports a guard's violation whose message is in another part of the world (scree_domain_agree). */
bool scree_world_fails_elsewhere(work *w);

#endif
