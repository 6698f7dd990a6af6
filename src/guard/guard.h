/* guard.h: guards, which stop a run whose state makes no physical sense, and the load on its time step. */
#ifndef SCREE_GUARD_GUARD_H
#define SCREE_GUARD_GUARD_H

#include "world/world.h"

/* Tests the guards of this step; each message advises a cure. True if all guards hold or the run may continue. */
bool scree_guards_hold(const model *m, state *s, work *w);

/* Called after each step; at steps that follow from the step number alone it tests whether energy is conserved.
 * False with w->why set if not, and the run must stop. */
bool scree_energy_holds(const model *m, state *s, work *w);

/* Updates the bounds of all halos after bodies were added or removed. */
void scree_halos_renew(const model *m, state *s, work *w);
/* From bounds alone: tests that no body can have passed through a halo undetected in this step. */
bool scree_halos_quiet(const model *m, const state *s, const work *w);
/* Tests the same with the displacements of all bodies, none of which may fly; false with w->why set if a body can
 * have passed. */
bool scree_halos_hold(const model *m, state *s, work *w);

/* Reports the body that broke a guard, the position, and a cure; bodies outside of the domain are removed and
 * counted if the scene says so. True if the run may continue. */
bool scree_guard_report(const model *m, state *s, work *w, bool overlap, bool speed);

/* Greatest load of current contacts on the time step; body -1: none. */
step_load scree_world_load(const model *m, const state *s, const work *w);
/* Computes the current load, and keeps the greatest in `heaviest`. Does not affect the state. */
void scree_world_watch(const model *m, state *s, work *w);

#endif
