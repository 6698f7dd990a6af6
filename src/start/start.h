/* start.h: the initial forces of a world, before its first step. */
#ifndef SCREE_START_START_H
#define SCREE_START_START_H

#include "model/declared.h"
#include "state/ledger.h"

/* first_forces.c: runs all stages between a drift and a kick at the present positions, before the first step and for a
 * loaded world whose contacts were not read. Springs of friction advance by one step. Called through the table of
 * responses (model/response.h): _forces for explicit steps, _ahead for implicit steps. */
void scree_first_forces(const model *m, state *s, work *w);
void scree_first_forces_ahead(const model *m, state *s, work *w);

/* restored.c: contacts whose histories come from another run, in a world before its first step. find: returns these
 * histories, or NULL; called before the law evaluates the contacts. settle: restores the histories and their part of
 * the ledger; called after the law. end: restores the forces on bodies, at the end, and frees b. */
typedef struct restored restored;
restored *scree_restored_find(state *s, const work *w);
void scree_restored_settle(const model *m, state *s, work *w, restored *b, const ledger *before);
void scree_restored_end(state *s, restored *b);

#endif
