/* stage.h: the stage that computes contact forces. */
#ifndef SCREE_LAW_STAGE_H
#define SCREE_LAW_STAGE_H

#include "base/real.h"
#include "model/declared.h"

/* Computes forces and torques of all contacts, and adds the energies of ended contacts to the ledger. */
void scree_contacts_to_forces(const model *m, state *s, work *w);
/* Adds the sums over all contacts of a step (work/joint.h) to the ledger; the function above includes this. */
void scree_contact_sums_use(const model *m, state *s, work *w);
/* heat.c: heat conduction. _begin is called before the law of a step; _end conducts heat and warms bodies after it. */
void scree_heat_begin(const model *m, const state *s, work *w);
void scree_heat_end(const model *m, state *s, work *w);
/* Bonds spheres, at their present positions, if their rule forms bonds at a time later than `after` and not later than
 * `until`. Returns the number of bonded pairs that do not touch and are counted by this part. */
int64_t scree_bonds_form(const model *m, state *s, real after, real until);
/* Does this for all times up to now; called at the start. Bodies that were added with bonds form no new ones. */
int64_t scree_bonds_begin(const model *m, state *s);
/* Computes the share of each contact in the mass of its pair; explicit steps compute it without this call. */
void scree_contacts_to_shares(const model *m, state *s, work *w);

#endif
