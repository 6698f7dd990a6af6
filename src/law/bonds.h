/* bonds.h: bonds between spheres, in addition to the law of their contact (kernel/bond.h). */
#ifndef SCREE_LAW_BONDS_H
#define SCREE_LAW_BONDS_H

#include "law/job.h"

/* Adds the forces of the bonds of rows from .. from+count-1 of a list of spheres; bonds break. Called after the loop of
 * the law, which has noted where spheres touch: bonded ones always do. */
void scree_law_bonds(const job *j, const model *m, int64_t from, int64_t count);

#endif
