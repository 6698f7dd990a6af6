/* energy_class.h: classes of energies, by which patches are grouped (state/energy_classes.h). */
#ifndef SCREE_KERNEL_ENERGY_CLASS_H
#define SCREE_KERNEL_ENERGY_CLASS_H

#include "base/real.h"

enum { ENERGY_LEVELS = 36 };

/* bounds of levels and classes, in J, from 16^-20 upwards */
SCREE_FN real energy_bound(int level)
{
	real bound = (real)8.2718061255302767e-25;
	for (int k = 0; k < level; ++k) bound *= 16;
	return bound;
}

SCREE_FN int energy_class_of(real energy)
{
	real bound = energy_bound(0);
	int k = 0;
	for (; k < ENERGY_LEVELS - 1 && energy > bound; ++k) bound *= 16;
	return k;
}

#endif
