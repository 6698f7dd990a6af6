/* energy_classes.h: energy accounts of patches, by the kinetic energy of their bodies (guard/energy_classes.c). */
#ifndef SCREE_STATE_ENERGY_CLASSES_H
#define SCREE_STATE_ENERGY_CLASSES_H

#include "base/fixed.h"
#include "kernel/energy_class.h"
#include "state/bodies.h"

/* Sums over ended patches of bodies whose kinetic energy was at most the bound of this class and above the bound of the
 * class below: energy created by changes in geometry, and energy lost. */
typedef struct energy_class {
	fixed made, lost; /* J */
	int64_t patches;
} energy_class;

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
