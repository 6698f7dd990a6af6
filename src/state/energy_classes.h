/* energy_classes.h: energy accounts of patches, by the kinetic energy of their bodies (guard/energy_classes.c). */
#ifndef SCREE_STATE_ENERGY_CLASSES_H
#define SCREE_STATE_ENERGY_CLASSES_H

#include "base/fixed.h"
#include "state/bodies.h"

enum { ENERGY_LEVELS = 36 };

/* bounds of levels and classes, in J, from 16^-20 upwards */
SCREE_FN real energy_bound(int level)
{
	real bound = (real)8.2718061255302767e-25;
	for (int k = 0; k < level; ++k) bound *= 16;
	return bound;
}

/* Sums over ended patches of bodies whose kinetic energy was at most the bound of this class and above the bound of the
 * class below: energy created by changes in geometry, and energy lost. */
typedef struct energy_class {
	fixed made, lost; /* J */
	int64_t patches;
} energy_class;

SCREE_FN int energy_class_of(real energy)
{
	real bound = energy_bound(0);
	int k = 0;
	for (; k < ENERGY_LEVELS - 1 && energy > bound; ++k) bound *= 16;
	return k;
}

/* J, kinetic, of translation */
SCREE_FN real energy_of_flight(const bodies *b, int32_t i)
{
	return b->inv_mass[i] > 0 ? b->mass[i] * v3_norm2(body_velocity(b, i)) / 2 : 0;
}

/* moves the patches that a thread has recorded since the last step */
SCREE_FN void energy_classes_move(energy_class *to, energy_class *from)
{
	for (int k = 0; k < ENERGY_LEVELS; ++k) {
		if (!from[k].patches) continue;
		scree_fixed_join(&to[k].made, from[k].made);
		scree_fixed_join(&to[k].lost, from[k].lost);
		to[k].patches += from[k].patches;
		from[k] = (energy_class){.patches = 0};
	}
}

#endif
