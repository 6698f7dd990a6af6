/* energy_classes.h: accounts of patches by the energy of motion of their bodies (guard/energy_classes.c). */
#ifndef SCREE_STATE_ENERGY_CLASSES_H
#define SCREE_STATE_ENERGY_CLASSES_H

#include "base/fixed.h"
#include "state/bodies.h"
#include "state/bonds.h"
#include "state/pairs.h"

enum { ENERGY_LEVELS = 36 };

/* J: bounds of levels and classes, from 16^-20 upwards */
SCREE_FN real energy_bound(int level)
{
	real bound = (real)8.2718061255302767e-25;
	for (int k = 0; k < level; ++k) bound *= 16;
	return bound;
}

/* Patches that have ended, of bodies that moved with an energy up to the bound of this class and above that of the
 * class below: energy created by changes of their geometry, and energy lost. */
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

SCREE_FN real patch_lost(const pair_list *l, int64_t k)
{
	return l->lost_normal[k] + l->lost_friction[k] + l->lost_rolling[k];
}

/* J, created by a contact that ends: its energy less that of its tangential springs, which vanishes, and less the loss
 * when it is torn */
SCREE_FN real made_at_end(const pair_list *l, int64_t k, real dt)
{
	const real turned = l->remembers & REMEMBERS_TURNS ? l->rolled[k] + l->twisted[k] : 0;
	const real held = l->bent[k] + turned + bond_held(l, k);
	const real torn = l->remembers & REMEMBERS_DEEPEST ? l->torn[k] : 0;
	return (l->remembers & REMEMBERS_ACCOUNT ? l->work[k] - dt / 2 * l->power[k] : 0) - held + torn;
}

/* Class of a patch: by the faster of its bodies, and at least by its own energies, `least`. */
SCREE_FN int patch_class(const bodies *b, const pair_list *l, bool on_wall, int64_t k, real least)
{
	const real faster = real_max(energy_of_flight(b, l->ca[k]), on_wall ? 0 : energy_of_flight(b, l->cb[k]));
	return energy_class_of(real_max(least, faster));
}

/* Ends the patch of row k: adds its account to its class. */
SCREE_FN void patch_leave(const bodies *b, const pair_list *l, bool on_wall, int64_t k, real dt, energy_class *classes)
{
	const real made = made_at_end(l, k, dt), lost = patch_lost(l, k);
	energy_class *to = classes + patch_class(b, l, on_wall, k, real_max(real_abs(made), lost));
	scree_fixed_add(&to->made, made);
	scree_fixed_add(&to->lost, lost);
	++to->patches;
}

/* moves the accounts of a thread since the last step */
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
