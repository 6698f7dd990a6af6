/* closing.h: what the closing lines say of energy and of the step. */
#ifndef SCREE_RUN_CLOSING_H
#define SCREE_RUN_CLOSING_H

#include "world/world.h"

/* energies, the greatest overlap and counts; what was not kept; what bodies asked of the step */
void scree_closing_print(scree_world *w);

#endif
