/* guard.h: guards, which stop a run whose state makes no physical sense, and limits of contacts on the time step. */
#ifndef SCREE_GUARD_GUARD_H
#define SCREE_GUARD_GUARD_H

#include "base/real.h"
#include "model/declared.h"
#include "work/looks.h"

/* Adds the findings of this part of the world to the numbers combined over all parts (work/joint.h). */
void scree_guards_look(work *w);
/* Tests the guards of this step; each message contains a remedy. Returns whether the run may continue. */
bool scree_guards_hold(const model *m, state *s, work *w);

/* Tests at the end of a run or a stage whether the solver of implicit steps has converged since the last test, over at
 * least 100 steps or the whole of a short run. If not, it sets w->why and returns false. */
bool scree_solver_holds_at_end(const model *m, const state *s, work *w);

enum { HELD_STEPS = 50 }; /* steps between tests of held bodies */
/* Tests that no held body meets another held body, or a wall that is at rest or has a prescribed motion. Called each
 * time this number of steps has been made, and at the end of a run or a stage. */
bool scree_held_hold(const model *m, const state *s, work *w);

/* Called after each step. Tests at certain steps whether energy is conserved; if not, sets w->why and returns false. */
bool scree_energy_holds(const model *m, state *s, work *w);

/* Makes the same tests at the end of a run or a stage, for the time since the last of these steps. This call stores
 * nothing, so a run that continues is tested as if it had not ended here. */
bool scree_energy_holds_at_end(const model *m, state *s, work *w);

void scree_halos_renew(const model *m, state *s, work *w); /* updates all halos after bodies were added or removed */
/* Tests, using only bounds, that no body can have passed through a halo undetected in this step. */
bool scree_halos_quiet(const model *m, const state *s, const work *w);
/* The same test, from the displacements of all bodies; none may fly. If not, sets w->why and returns false. */
bool scree_halos_hold(const model *m, state *s, work *w);

/* Reports the body that violated a guard, its position, and a remedy. If run.guard.lost is set to remove, bodies
 * outside the domain are removed and counted. Returns true if the run may continue. */
bool scree_guard_report(const model *m, state *s, work *w, bool overlap, bool speed);

/* Largest demand that current contacts place on the time step; body is -1 if there is none. */
step_load scree_world_load(const model *m, const state *s, const work *w);
/* Computes the current demand, and stores the largest one so far in `heaviest`. The call does not affect the state. */
step_load scree_world_watch(const model *m, state *s, work *w);

#endif
