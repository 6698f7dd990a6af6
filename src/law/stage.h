/* stage.h: the stage that computes forces of contacts. */
#ifndef SCREE_LAW_STAGE_H
#define SCREE_LAW_STAGE_H

#include "base/real.h"
#include "model/declared.h"

/* Computes forces and torques of all contacts, and adds the energies of contacts that ended to the ledger. */
void scree_contacts_to_forces(const model *m, state *s, work *w);
/* Heat, in worlds that conduct it (heat.c). _begin: before the law of a step; _end: after it, conducts and warms the
 * bodies of this part. */
void scree_heat_begin(const model *m, const state *s, work *w);
void scree_heat_end(const model *m, state *s, work *w);
/* Bonds spheres whose rule forms bonds at a time above `after` and up to `until`, at their present positions. Returns
 * the number of bonded pairs that do not touch and are counted here. */
int64_t scree_bonds_form(const model *m, state *s, real after, real until);
/* The same for all times up to now, at the start. Bodies that came with bonds get no new ones. */
int64_t scree_bonds_begin(const model *m, state *s);
/* Computes the shares of several contacts of one pair in its mass; steps by forces do this without the call. */
void scree_contacts_to_shares(const model *m, state *s, work *w);

#endif
