/* heat.h: heat that contacts give to bodies in a step. */
#ifndef SCREE_LAW_HEAT_H
#define SCREE_LAW_HEAT_H

#include "law/block.h"

/* Adds the heat of friction of a block: part of energies in quanta that are not yet whole, before those that another
 * part of the world counts are set to zero. */
void scree_add_friction_heat(const job *j, real energy[TALLIES][BLOCK], int64_t first, int64_t n, bool on_wall);

#endif
