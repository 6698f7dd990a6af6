/* guard.h: what stops a run that has become nonsense, and who asks most of its time step. */
#ifndef SCREE_GUARD_GUARD_H
#define SCREE_GUARD_GUARD_H

#include "world/world.h"

/* In the step in which it happens, and each with its cure: true when all guards hold or the run may go on. */
bool scree_guards_hold(const model *m, state *s, work *w);

/* After each step, at moments that follow from its number alone: is energy kept? False with w->why set when it is not
 * and the run shall stop. */
bool scree_energy_holds(const model *m, state *s, work *w);

/* The bounds of all halos, anew where bodies came or went. */
void scree_halos_renew(const model *m, state *s, work *w);
/* By bounds alone: can nobody have passed through a halo unseen in this step? */
bool scree_halos_quiet(const model *m, const state *s, const work *w);
/* The same by the ways of all bodies, which have landed; false with w->why set where somebody could. */
bool scree_halos_hold(const model *m, state *s, work *w);

/* Says which body broke which guard, where, and a cure; bodies outside of the domain are taken out and counted where
 * the scene says so. True when the run may go on. */
bool scree_guard_report(const model *m, state *s, work *w, bool overlap, bool speed);

/* What the contacts of now ask of the step; body -1: there is none. */
step_load scree_world_load(const model *m, const state *s, const work *w);
/* Looks now, and remembers in `heaviest` the greatest part. Nothing of it enters the state. */
void scree_world_watch(const model *m, state *s, work *w);

#endif
