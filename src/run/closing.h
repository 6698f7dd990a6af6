/* closing.h: the closing lines about energy and the time step. */
#ifndef SCREE_RUN_CLOSING_H
#define SCREE_RUN_CLOSING_H

#include "world/world.h"

/* Prints energies, the greatest overlap and counts; energy that was not conserved; the demand of bodies on the time
 * step. */
void scree_closing_print(scree_world *w);

#endif
