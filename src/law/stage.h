/* stage.h: the stage that computes forces of contacts. */
#ifndef SCREE_LAW_STAGE_H
#define SCREE_LAW_STAGE_H

#include "model/model.h"
#include "state/state.h"
#include "work/work.h"

/* Computes forces and torques of all contacts; contacts that ended leave their energies to the ledger. */
void scree_contacts_to_forces(const model *m, state *s, work *w);

#endif
