/* step.h: the two kinds of step, and what a world needs before its first one. */
#ifndef SCREE_STEP_H
#define SCREE_STEP_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* step_pairs.c: the four above: pairs, rows and records when something may have left their reach */
void scree_pairs_renew(const model *m, state *s, work *w);
/* step_pairs.c: ghosts as their owners have them now: after the drift, and after the kick for those who look at
 * contacts between steps */
void scree_ghosts_follow(state *s, work *w);
/* All stages between a drift and a kick, for bodies where they are: before the first step, and of a world just loaded,
 * whose contacts nobody has looked at. Springs of friction go on by a step. */
void scree_forces_of_the_start(const model *m, state *s, work *w);
/* step_restored.c: contacts of a world before its first step that remember another run: NULL, or what they remember,
 * found before the law evaluates them; their part of the ledger and the histories as they came, after it; and the
 * forces on bodies, after all else. The last call frees it. */
typedef struct restored restored;
restored *scree_restored_find(state *s);
void scree_restored_settle(const model *m, state *s, work *w, restored *b, const ledger *before);
void scree_restored_end(state *s, restored *b);
/* The two kinds of step (world.h, scree_step). */
bool scree_step_forces(const model *m, state *s, work *w);
bool scree_step_impulses(const model *m, state *s, work *w);

#endif
