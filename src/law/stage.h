/* stage.h: forces of contacts: what a step calls. */
#ifndef SCREE_LAW_STAGE_H
#define SCREE_LAW_STAGE_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* forces and torques of every contact; contacts that ended leave their energies to the ledger. */
void scree_contacts_to_forces(const model *m, state *s, work *w);
/* hands what contact row k of a list remembers to the ledger (NULL: another part of the world counts it) and
 * forgets it: it does not touch any more */
void scree_contact_end(ledger *to, pair_list *l, int64_t k, real dt);

#endif
